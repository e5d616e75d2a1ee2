// SPDX-License-Identifier: GPL-3.0-or-later
#include "hdf5_map.h"

#include "armilla/core/error.h"
#include "armilla/core/loaded_module.h"
#include "armilla/core/memory_limit.h"
#include "fits_file.h"
#include "hdf5_healsparse.h"
#include "hdf5_module.h"
#include "map_facts.h"
#include "pixel_rows.h"

namespace armilla {

namespace {

bool findPixels(const std::string& path, Hdf5Pixels& found) {
    static const auto find =
        reinterpret_cast<ArmillaFindHdf5Pixels>(moduleSymbol(kHdf5Module, "armillaFindHdf5Pixels"));
    return find(path, found);
}

// The HealSparse map of a file, without values; none for another file.
std::optional<Hdf5Tiles> findTiles(const std::string& path) {
    static const auto find =
        reinterpret_cast<ArmillaFindHealSparse>(moduleSymbol(kHdf5Module, "armillaFindHealSparse"));
    Hdf5Tiles found;
    return find(path, found) ? std::optional(std::move(found)) : std::nullopt;
}

// RING if neither the file nor the user states the ordering.
Ordering orderingOf(const Hdf5Pixels& found, const StatedPixels& stated) {
    return found.ordering.value_or(stated.ordering.value_or(Ordering::Ring));
}

// The pixels with the facts that the user states.
Hdf5Pixels pixelsOf(const std::string& path, const StatedPixels& stated) {
    Hdf5Pixels found;
    if (!findPixels(path, found))
        refuse(path,
               "a HEALPix map in HDF5 (TOAST, SkyH5, cora, draco, HealSparse, or attributes with "
               "NSIDE)",
               "other data sets");
    found.nside = agreedNside(found.nside, stated);
    if (found.ordering) found.ordering = agreedOrdering(*found.ordering, stated);
    if (orderingOf(found, stated) == Ordering::Nested && !isPowerOfTwoNside(found.nside))
        refuse(path, "a power of two as NSIDE of a NESTED map", std::to_string(found.nside));
    return found;
}

// The plane of that name, with or without its frequency, or of that number from 1.
std::optional<size_t> planeNamed(const std::vector<Hdf5Plane>& planes, const std::string& text) {
    const std::string wanted = upperTrimmed(text);
    for (size_t i = 0; i < planes.size(); ++i)
        if (upperTrimmed(planes[i].name) == wanted) return i;
    for (size_t i = 0; i < planes.size(); ++i)
        if (upperTrimmed(planes[i].name).starts_with(wanted + ' ')) return i;
    const auto number = parseInteger(text);
    if (!number || *number < 1 || *number > std::ssize(planes)) return std::nullopt;
    return static_cast<size_t>(*number - 1);
}

std::vector<size_t> chosenPlanes(const std::string& path, const Hdf5Pixels& found,
                                 const std::vector<std::string>& fields) {
    std::vector<size_t> chosen;
    for (const std::string& text : fields) {
        const auto plane = planeNamed(found.planes, text);
        if (!plane)
            refuse(path,
                   "a field from " + found.planes.front().name + " to " + found.planes.back().name +
                       ", or a number from 1 to " + std::to_string(found.planes.size()),
                   inQuotes(text));
        chosen.push_back(*plane);
    }
    if (fields.empty()) requireFewFields(path, found.planes.size());
    for (size_t i = 0; fields.empty() && i < found.planes.size(); ++i) chosen.push_back(i);
    return chosen;
}

}  // namespace

bool isHdf5Map(const std::string& path) {
    Hdf5Pixels found;
    try {
        return findTiles(path) || findPixels(path, found);
    } catch (const IoError&) {
        return true;  // a map that contradicts itself
    }
}

FileSummary inspectHdf5Map(const std::string& path, const StatedPixels& stated) {
    if (const auto tiles = findTiles(path)) {
        agreedNside(tiles->tiles.nside, stated);
        return summaryOfTiles(tiles->tiles);
    }
    const Hdf5Pixels found = pixelsOf(path, stated);
    FileSummary summary;
    const bool isFull = found.pixels == pixelCount(found.nside);
    summary.kind = isFull ? FileKind::Map : FileKind::PartialMap;
    summary.hdu = 0;
    summary.nside = found.nside;
    summary.ordering = orderingOf(found, stated);
    summary.frame = found.frame;
    summary.rows = found.pixels;
    for (const Hdf5Plane& plane : found.planes)
        summary.columns.push_back({plane.name, found.unitOf(plane), found.typeOf(plane), 1});
    if (!found.ordering && !stated.ordering)
        summary.assumed = "RING ordering is assumed (--input-ordering nested states the other)";
    for (const std::string& note : found.notes)
        summary.assumed += (summary.assumed.empty() ? "" : "; ") + note;
    return summary;
}

HealpixMap readHdf5Map(const std::string& path, const MapReadOptions& options, JobContext& job) {
    if (auto tiles = findTiles(path)) {
        static const auto readTiles = reinterpret_cast<ArmillaReadHealSparse>(
            moduleSymbol(kHdf5Module, "armillaReadHealSparse"));
        JobContext reading = job.part(0.0, 0.7), selecting = job.part(0.7, 1.0);
        readTiles(path, *tiles, columnsToRead(path, tiles->tiles, options), reading);
        return mapOfTiles(path, std::move(tiles->tiles), options, selecting);
    }
    static const auto read =
        reinterpret_cast<ArmillaReadHdf5Pixels>(moduleSymbol(kHdf5Module, "armillaReadHdf5Pixels"));
    const Hdf5Pixels found = pixelsOf(path, options.stated);
    const std::vector<size_t> planes = chosenPlanes(path, found, options.fields);
    // Far below 2^63: the module limits pixels to 3.5e18 / 2^16 planes, and memory ends before.
    const bool isListed = !found.list.dataSet.empty();
    double bytes = isListed ? 8.0 : 0.0;  // a pixel
    for (const size_t plane : planes)
        bytes += isHeldAsFloat(found.typeOf(found.planes[plane])) ? 4.0 : 8.0;
    bytes *= static_cast<double>(found.pixels);
    bytes += std::min(bytes, static_cast<double>(kHdf5CacheBytes));
    requireMemory(path, static_cast<int64_t>(std::min(bytes, 4e18)));
    RowData data;
    read(path, found, planes, job, data);
    const Ordering ordering = orderingOf(found, options.stated);
    HealpixMap map;
    if (!isListed) {
        map = {found.nside, ordering, found.frame, std::move(data.fields)};
    } else {
        map = listedMap(path, found.nside, ordering, found.frame, std::move(data), job);
        // A list of all pixels, each once.
        if (map.elementCount() == pixelCount(found.nside)) {
            std::vector<Field> fields;
            for (int i = 0; i < map.fieldCount(); ++i) fields.push_back(std::move(map.field(i)));
            map = {found.nside, ordering, found.frame, std::move(fields)};
        }
    }
    for (const std::string& note : found.notes) addNote(options, note);
    map.metadata().iauOnDisk = found.iau;
    if (found.iau) flipStokesU(map, job);
    return map;
}

}  // namespace armilla
