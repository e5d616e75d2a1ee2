// SPDX-License-Identifier: GPL-3.0-or-later
// HEALPix maps in HDF5 files: the part of the module that calls the library.
#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "armilla/core/error.h"
#include "armilla/core/new_vector.h"
#include "fits_file.h"
#include "fits_table.h"
#include "hdf5_handles.h"
#include "hdf5_map.h"
#include "hdf5_pixels.h"
#include "map_facts.h"

namespace armilla {

namespace {

// Far above the channels and Stokes parameters of any map.
constexpr uint64_t kMostPlanes = 1 << 16;
constexpr hsize_t kMostLabels = 1 << 16;

// False for soft and external links, which may lead to other files.
bool isInFile(hid_t file, const std::string& name) {
    H5L_info_t link;
    return H5Lexists(file, name.c_str(), H5P_DEFAULT) > 0 &&
           H5Lget_info(file, name.c_str(), &link, H5P_DEFAULT) >= 0 && link.type == H5L_TYPE_HARD;
}

}  // namespace

bool isThere(hid_t file, const std::string& name) {
    for (size_t slash = name.find('/'); slash != std::string::npos;
         slash = name.find('/', slash + 1))
        if (!isInFile(file, name.substr(0, slash))) return false;
    return isInFile(file, name);
}

std::vector<hsize_t> sizesOf(hid_t file, const std::string& name) {
    if (!isThere(file, name)) return {};
    const Handle set(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
    const Handle space(set.isOpen() ? H5Dget_space(set.id()) : -1, H5Sclose);
    const int axes = space.isOpen() ? H5Sget_simple_extent_ndims(space.id()) : -1;
    if (axes < 1) return {};
    std::vector<hsize_t> sizes(static_cast<size_t>(axes));
    H5Sget_simple_extent_dims(space.id(), sizes.data(), nullptr);
    return sizes;
}

namespace {

// The texts of fixed length in a data set; empty for other data sets. Texts of variable length are
// not read: HDF5 1.10 ends the program at a damaged heap of these.
std::vector<std::string> textsOf(hid_t file, const std::string& name) {
    if (!isThere(file, name)) return {};
    const Handle set(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!set.isOpen()) return {};
    const Handle space(H5Dget_space(set.id()), H5Sclose), type(H5Dget_type(set.id()), H5Tclose);
    const hssize_t count = H5Sget_simple_extent_npoints(space.id());
    const size_t width = H5Tget_size(type.id());
    if (H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) != 0 || count < 1 ||
        static_cast<hsize_t>(count) > kMostLabels || width > kMostTextBytes)
        return {};
    std::vector<std::string> texts;
    std::vector<char> read(static_cast<size_t>(count) * width);
    if (H5Dread(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()) < 0) return {};
    for (size_t at = 0; at < read.size(); at += width)
        texts.push_back(trimmed(std::string(read.data() + at, strnlen(read.data() + at, width))));
    return texts;
}

std::string textOf(hid_t file, const std::string& name) {
    const std::vector<std::string> texts = textsOf(file, name);
    return texts.size() == 1 ? texts.front() : "";
}

// The numbers of a data set, or of the member `centre` of its records; empty for other data sets.
std::vector<double> numbersOf(hid_t file, const std::string& name) {
    if (!isThere(file, name)) return {};
    const Handle set(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!set.isOpen()) return {};
    const Handle space(H5Dget_space(set.id()), H5Sclose), type(H5Dget_type(set.id()), H5Tclose);
    const hssize_t count = H5Sget_simple_extent_npoints(space.id());
    const H5T_class_t kind = H5Tget_class(type.id());
    const bool isRecord = kind == H5T_COMPOUND && H5Tget_member_index(type.id(), "centre") >= 0;
    if (count < 1 || static_cast<hsize_t>(count) > kMostLabels ||
        (!isRecord && kind != H5T_FLOAT && kind != H5T_INTEGER))
        return {};
    const Handle held(
        isRecord ? H5Tcreate(H5T_COMPOUND, sizeof(double)) : H5Tcopy(H5T_NATIVE_DOUBLE), H5Tclose);
    if (isRecord) H5Tinsert(held.id(), "centre", 0, H5T_NATIVE_DOUBLE);
    std::vector<double> numbers(static_cast<size_t>(count));
    if (H5Dread(set.id(), held.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) < 0) return {};
    return numbers;
}

}  // namespace

std::string unitOf(hid_t set) {
    for (const char* name : {"unit", "units", "UNIT", "UNITS"})
        if (const std::string text = attributeText(set, name); !text.empty()) return text;
    return {};
}

namespace {

// "408.2 MHz". `unit`: MHz in one unit of the numbers.
std::string frequencyText(double frequency, double unit) {
    const double megahertz = frequency * unit;
    char text[40];
    const bool isHigh = std::abs(megahertz) >= 1e3;
    std::snprintf(text, sizeof text, "%.7g %s", isHigh ? megahertz * 1e-3 : megahertz,
                  isHigh ? "GHz" : "MHz");
    return text;
}

double megahertzOf(const std::string& unit) {
    const std::string name = upperTrimmed(unit);
    return name == "HZ" ? 1e-6 : name == "KHZ" ? 1e-3 : name == "GHZ" ? 1e3 : 1.0;
}

// The frequency behind the name of a plane; empty for a map of one frequency.
std::vector<std::string> channelNames(size_t count, const std::vector<double>& frequencies,
                                      double unit) {
    std::vector<std::string> names(count);
    for (size_t i = 0; count > 1 && i < count; ++i)
        names[i] = frequencies.size() == count ? " " + frequencyText(frequencies[i], unit)
                                               : " " + std::to_string(i + 1);
    return names;
}

// The name of a Stokes parameter or of another polarization.
std::string polarizationName(const std::string& label) {
    return label.size() == 1 ? label + "_STOKES" : label;
}

}  // namespace

DiskType diskTypeOf(hid_t type) {
    const size_t bytes = H5Tget_size(type);
    if (H5Tget_class(type) == H5T_FLOAT)
        return bytes <= sizeof(float) ? DiskType::Float32 : DiskType::Float64;
    // Unsigned integers take the next wider signed type.
    const bool isUnsigned = H5Tget_class(type) == H5T_INTEGER && H5Tget_sign(type) == H5T_SGN_NONE;
    const size_t wide = isUnsigned ? 2 * bytes : bytes;
    return isUnsigned && bytes == 1 ? DiskType::UInt8
           : wide <= 2              ? DiskType::Int16
           : wide <= 4              ? DiskType::Int32
                                    : DiskType::Int64;
}

std::optional<DiskType> columnTypeOf(hid_t type) {
    switch (H5Tget_class(type)) {
        case H5T_INTEGER:
        case H5T_FLOAT: return diskTypeOf(type);
        case H5T_ENUM:
            if (H5Tget_nmembers(type) == 2 && H5Tget_size(type) == 1) return DiskType::Logical;
            return std::nullopt;
        default: return std::nullopt;
    }
}

void requireOwnValues(const std::string& path, hid_t set, const std::string& name) {
    const Handle made(H5Dget_create_plist(set), H5Pclose);
    if (H5Pget_layout(made.id()) == H5D_VIRTUAL || H5Pget_external_count(made.id()) != 0)
        refuse(path, "values of data set '" + name + "' in the file itself",
               "a link to other files");
    requireFilters(path, set, name);
}

namespace {

// Takes axes and type of the values.
void takeShape(const std::string& path, hid_t file, Hdf5Pixels& to) {
    const std::vector<hsize_t> sizes = sizesOf(file, to.dataSet);
    const Handle set(H5Dopen2(file, to.dataSet.c_str(), H5P_DEFAULT), H5Dclose);
    const Handle type(H5Dget_type(set.id()), H5Tclose);
    requireOwnValues(path, set.id(), to.dataSet);
    const H5T_class_t kind = H5Tget_class(type.id());
    if (kind != H5T_FLOAT && kind != H5T_INTEGER)
        refuse(path, "real numbers in data set '" + to.dataSet + "'", "another type");
    to.axes = static_cast<int>(sizes.size());
    const hsize_t pixels = sizes.empty() ? 0 : sizes.back();
    if (pixels < 1 || pixels > static_cast<hsize_t>(pixelCount(kMaxNside)))
        refuse(path, "pixels along the last axis of data set '" + to.dataSet + "'",
               std::to_string(pixels));
    to.pixels = static_cast<int64_t>(pixels);
    to.unit = unitOf(set.id());
    to.type = diskTypeOf(type.id());
}

}  // namespace

void requirePlanes(const std::string& path, const Hdf5Pixels& to, uint64_t first, uint64_t second) {
    if (first < 1 || second < 1 || first > kMostPlanes || second > kMostPlanes / first)
        refuse(path, "1 to " + std::to_string(kMostPlanes) + " planes in '" + to.dataSet + "'",
               std::to_string(first) + " x " + std::to_string(second));
}

namespace {

int64_t nsideOfAllPixels(const std::string& path, const Hdf5Pixels& to) {
    const auto nside = nsideOfCount(to.pixels);
    if (!nside)
        refuse(path, "12 NSIDE^2 pixels along the last axis of data set '" + to.dataSet + "'",
               std::to_string(to.pixels));
    return *nside;
}

}  // namespace

std::optional<Ordering> orderingOf(const std::string& path, const std::string& text) {
    const std::string word = upperTrimmed(text);
    if (word.empty()) return std::nullopt;
    if (word == "RING") return Ordering::Ring;
    if (word == "NESTED" || word == "NEST") return Ordering::Nested;
    refuse(path, "the ordering RING or NESTED", inQuotes(text));
}

namespace {

// TOAST: "map" of one row for each field, with ORDERING and NSIDE.
bool findToast(const std::string& path, hid_t file, Hdf5Pixels& to) {
    const std::vector<hsize_t> sizes = sizesOf(file, "map");
    if (sizes.empty() || sizes.size() > 2) return false;
    const Handle set(H5Dopen2(file, "map", H5P_DEFAULT), H5Dclose);
    if (H5Aexists(set.id(), "ORDERING") <= 0) return false;
    const Handle type(H5Dget_type(set.id()), H5Tclose);
    if (H5Tget_class(type.id()) == H5T_COMPOUND) return false;  // records with names of their own
    to.dataSet = "map";
    takeShape(path, file, to);
    to.ordering = orderingOf(path, attributeText(set.id(), "ORDERING"));
    to.nside = nsideOfAllPixels(path, to);
    const auto nside = attributeNumber(set.id(), "NSIDE");
    if (nside && *nside != static_cast<double>(to.nside))
        refuse(path,
               "12 NSIDE^2 pixels for NSIDE = " + std::to_string(std::llround(*nside)) +
                   " in data set 'map'",
               std::to_string(to.pixels));
    to.frame = frameFromText(attributeText(set.id(), "COORDSYS"));
    to.iau = upperTrimmed(attributeText(set.id(), "POLCCONV")) == "IAU";
    const uint64_t fields = sizes.size() == 2 ? sizes[0] : 1;
    requirePlanes(path, to, fields, 1);
    for (uint64_t i = 0; i < fields; ++i)
        to.planes.push_back({fields == 1   ? "MAP"
                             : fields == 3 ? std::string(1, "IQU"[i]) + "_STOKES"
                                           : "MAP[" + std::to_string(i + 1) + "]",
                             {i, 0}});
    return true;
}

// cora and draco: "map" of frequencies, polarizations and pixels, with index_map/pixel.
bool findCora(const std::string& path, hid_t file, Hdf5Pixels& to) {
    const std::vector<hsize_t> sizes = sizesOf(file, "map"),
                               pixels = sizesOf(file, "index_map/pixel");
    if (sizes.size() != 3 || pixels.size() != 1) return false;
    to.dataSet = "map";
    takeShape(path, file, to);
    to.nside = nsideOfAllPixels(path, to);
    if (pixels[0] != sizes[2])
        refuse(path, std::to_string(sizes[2]) + " pixels in data set 'index_map/pixel'",
               std::to_string(pixels[0]));
    requirePlanes(path, to, sizes[0], sizes[1]);
    const auto channels =
        channelNames(sizes[0], numbersOf(file, "index_map/freq"), megahertzOf("MHz"));
    std::vector<std::string> labels = textsOf(file, "index_map/pol");
    if (labels.size() != sizes[1]) {
        // The class Map of cora has I, or I, Q, U and V.
        labels.clear();
        const bool areStokes = sizes[1] == 1 || sizes[1] == 4;
        for (uint64_t i = 0; i < sizes[1]; ++i)
            labels.push_back(areStokes ? std::string(1, "IQUV"[i]) : "POL" + std::to_string(i + 1));
    }
    for (uint64_t channel = 0; channel < sizes[0]; ++channel)
        for (uint64_t pol = 0; pol < sizes[1]; ++pol)
            to.planes.push_back(
                {polarizationName(labels[pol]) + channels[channel], {channel, pol}});
    return true;
}

// SkyH5: "Data/stokes" of Stokes parameters, frequencies and pixels, facts in the group "Header".
bool findSkyH5(const std::string& path, hid_t file, Hdf5Pixels& to) {
    if (upperTrimmed(textOf(file, "Header/component_type")) != "HEALPIX") return false;
    to.dataSet = "Data/stokes";
    const std::vector<hsize_t> sizes = sizesOf(file, to.dataSet);
    if (sizes.size() != 3 || sizes[0] > 4)
        refuse(path, "a data set 'Data/stokes' of Stokes parameters, frequencies and pixels",
               std::to_string(sizes.size()) + " axes");
    takeShape(path, file, to);
    const std::vector<double> nside = numbersOf(file, "Header/nside");
    if (nside.size() != 1 || !(nside[0] >= 1.0 && nside[0] <= static_cast<double>(kMaxNside)))
        refuse(path, "NSIDE from 1 to 2^29 in data set 'Header/nside'", "none");
    to.nside = std::llround(nside[0]);
    // Ring is the default of pyradiosky, for files of its first versions.
    to.ordering = orderingOf(path, textOf(file, "Header/hpx_order")).value_or(Ordering::Ring);
    std::string frame = textOf(file, "Header/frame");
    if (frame.empty()) frame = textOf(file, "Header/hpx_frame/frame");
    to.frame = frameFromText(frame);
    const std::vector<hsize_t> listed = sizesOf(file, "Header/hpx_inds");
    if (!listed.empty()) to.list.dataSet = "Header/hpx_inds";
    if (listed.empty() ? to.pixels != pixelCount(to.nside)
                       : listed.size() != 1 || listed[0] != sizes[2])
        refuse(path, std::to_string(to.pixels) + " pixel numbers in data set 'Header/hpx_inds'",
               listed.empty() ? "none" : std::to_string(listed[0]));
    requirePlanes(path, to, sizes[0], sizes[1]);
    double unit = 1e-6;
    if (isThere(file, "Header/freq_array")) {
        const Handle set(H5Dopen2(file, "Header/freq_array", H5P_DEFAULT), H5Dclose);
        if (const std::string text = set.isOpen() ? unitOf(set.id()) : ""; !text.empty())
            unit = megahertzOf(text);
    }
    const auto channels = channelNames(sizes[1], numbersOf(file, "Header/freq_array"), unit);
    for (uint64_t stokes = 0; stokes < sizes[0]; ++stokes)
        for (uint64_t channel = 0; channel < sizes[1]; ++channel)
            to.planes.push_back({std::string(1, "IQUV"[stokes]) + "_STOKES" + channels[channel],
                                 {stokes, channel}});
    return true;
}

// Replaces UNSEEN, infinities and NaN.
template <class T>
void markBad(T* values, hsize_t count) {
    const BadValues bad = healpixBadValues(std::nullopt);
    for (hsize_t i = 0; i < count; ++i) {
        if (bad.isBad(static_cast<double>(values[i])))
            values[i] = std::numeric_limits<T>::quiet_NaN();
    }
}

herr_t findShortMemory(unsigned /*n*/, const H5E_error2_t* error, void* isShort) {
    if (error->maj_num == H5E_RESOURCE || error->min_num == H5E_NOSPACE ||
        error->min_num == H5E_CANTALLOC)
        *static_cast<bool*>(isShort) = true;
    return 0;
}

// Call directly after the function of the library that failed.
[[noreturn]] void refuseEnd(const std::string& path, const std::string& set) {
    bool isShort = false;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, findShortMemory, &isShort);
    if (isShort)
        throw OutOfMemory(path + ": expected memory for the chunks of data set '" + set +
                          "', found too little");
    refuse(path, "values in data set '" + set + "'", "a truncated or damaged file");
}

// Reads pixels [first, first + count) of one plane.
template <class T>
void readPiece(const std::string& path, hid_t set, const Hdf5Pixels& from, const Hdf5Plane& plane,
               hsize_t first, hsize_t count, T* out) {
    const Handle space(H5Dget_space(set), H5Sclose);
    const Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
    std::array<hsize_t, 3> start{}, size{1, 1, 1};
    const bool isOwn = !plane.dataSet.empty();
    const auto axes = static_cast<size_t>(isOwn ? plane.axes : from.axes);
    const size_t ofPixels = plane.arePixelsFirst ? 0 : axes - 1;
    for (size_t axis = 0, other = 0; axis < axes; ++axis)
        if (axis != ofPixels) start[axis] = plane.at[other++];
    start[ofPixels] = first;
    size[ofPixels] = count;
    const hid_t number = std::is_same_v<T, float> ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
    const Handle type(
        plane.member.empty() ? H5Tcopy(number) : H5Tcreate(H5T_COMPOUND, H5Tget_size(number)),
        H5Tclose);
    if (!plane.member.empty()) H5Tinsert(type.id(), plane.member.c_str(), 0, number);
    if (H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, size.data(),
                            nullptr) < 0 ||
        H5Dread(set, type.id(), memory.id(), space.id(), H5P_DEFAULT, out) < 0)
        refuseEnd(path, isOwn ? plane.dataSet : from.dataSet);
    const DiskType stored = from.typeOf(plane);
    if (stored == DiskType::Float32 || stored == DiskType::Float64) markBad(out, count);
    if constexpr (std::is_same_v<T, double>)
        if (stored == DiskType::Int64 && !isExact(out, static_cast<int64_t>(count)))
            refuseInexact(path, plane.name);
}

}  // namespace

void readPixelNumbers(const std::string& path, hid_t file, const Hdf5PixelList& list, hsize_t first,
                      hsize_t count, int64_t* out) {
    const Handle set(H5Dopen2(file, list.dataSet.c_str(), H5P_DEFAULT), H5Dclose);
    const Handle type(set.isOpen() ? H5Dget_type(set.id()) : -1, H5Tclose);
    if (!type.isOpen() ||
        H5Tget_class(type.id()) != (list.member.empty() ? H5T_INTEGER : H5T_COMPOUND))
        refuse(path, "whole numbers in data set '" + list.dataSet + "'", "another type");
    requireOwnValues(path, set.id(), list.dataSet);
    const Handle held(
        list.member.empty() ? H5Tcopy(H5T_NATIVE_INT64) : H5Tcreate(H5T_COMPOUND, sizeof(int64_t)),
        H5Tclose);
    if (!list.member.empty()) H5Tinsert(held.id(), list.member.c_str(), 0, H5T_NATIVE_INT64);
    const Handle space(H5Dget_space(set.id()), H5Sclose);
    const Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
    if (H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, &first, nullptr, &count, nullptr) < 0 ||
        H5Dread(set.id(), held.id(), memory.id(), space.id(), H5P_DEFAULT, out) < 0)
        refuseEnd(path, list.dataSet);
}

namespace {

// Reads the planes of one data set into `fields`, and reports in `job`.
void readSet(const std::string& path, hid_t set, const Hdf5Pixels& from,
             const std::vector<size_t>& planes, const std::vector<Field*>& fields,
             JobContext& job) {
    constexpr int64_t kPiecePixels = int64_t{1} << 17;
    for (int64_t first = 0; first < from.pixels; first += kPiecePixels) {
        const auto count = static_cast<hsize_t>(std::min(kPiecePixels, from.pixels - first));
        job.report(static_cast<double>(first) / static_cast<double>(from.pixels), "reading");
        for (size_t i = 0; i < planes.size(); ++i) {
            job.poll();
            std::visit(
                [&](auto& values) {
                    readPiece(path, set, from, from.planes[planes[i]], static_cast<hsize_t>(first),
                              count, values.data() + first);
                },
                fields[i]->values);
        }
    }
}

bool findPixels(const std::string& path, Hdf5Pixels& found) {
    const Handle file = openHdf5(path);
    if (!file.isOpen()) return false;  // the reader of tables refuses the file
    return findSkyH5(path, file.id(), found) || findToast(path, file.id(), found) ||
           findCora(path, file.id(), found) || findLabeledPixels(path, file.id(), found);
}

}  // namespace

extern "C" bool armillaFindHdf5Pixels(const std::string& path, Hdf5Pixels& found) {
    const std::lock_guard lock(libraryLock());
    // A reader recognizes a file several times. Each would read the lists of pixel numbers.
    static std::optional<FileState> last;
    static std::optional<Hdf5Pixels> pixelsOfLast;
    const std::optional<FileState> now = settledState(path);
    if (!now || now != last) {
        last.reset();
        pixelsOfLast.reset();
        if (Hdf5Pixels fresh; findPixels(path, fresh)) pixelsOfLast = std::move(fresh);
        last = now;
    }
    if (pixelsOfLast) found = *pixelsOfLast;
    return pixelsOfLast.has_value();
}

extern "C" void armillaReadHdf5Pixels(const std::string& path, const Hdf5Pixels& from,
                                      const std::vector<size_t>& planes, JobContext& job,
                                      RowData& data) {
    const std::lock_guard lock(libraryLock());
    const Handle file = openHdf5(path);
    if (!file.isOpen()) refuse(path, "an HDF5 file", "a damaged or truncated one");
    if (!from.list.dataSet.empty()) {
        data.index = newVector<int64_t>(from.pixels, job);
        readPixelNumbers(path, file.id(), from.list, 0, static_cast<hsize_t>(from.pixels),
                         data.index.data());
    }
    std::map<std::string, std::vector<size_t>> placesOf;  // in `planes`, by data set
    for (size_t i = 0; i < planes.size(); ++i) {
        const Hdf5Plane& each = from.planes[planes[i]];
        placesOf[each.dataSet.empty() ? from.dataSet : each.dataSet].push_back(i);
        Field field{each.name, from.unitOf(each), from.typeOf(each), {}};
        if (isHeldAsFloat(field.diskType))
            field.values = newVector<float>(from.pixels, job);
        else
            field.values = newVector<double>(from.pixels, job);
        data.fields.push_back(std::move(field));
    }
    // A chunk may hold pixels of all planes of a data set. The cache keeps the chunks of a piece
    // between planes, until the data set is closed.
    const Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
    constexpr size_t kCacheSlots = 12421;
    H5Pset_chunk_cache(access.id(), kCacheSlots, kHdf5CacheBytes, 1.0);
    double done = 0.0;
    for (const auto& [name, places] : placesOf) {
        const Handle set(H5Dopen2(file.id(), name.c_str(), access.id()), H5Dclose);
        if (!set.isOpen()) refuseEnd(path, name);
        std::vector<size_t> own;
        std::vector<Field*> fields;
        for (const size_t place : places) {
            own.push_back(planes[place]);
            fields.push_back(&data.fields[place]);
        }
        const double share =
            static_cast<double>(places.size()) / static_cast<double>(planes.size());
        JobContext reading = job.part(done, std::min(1.0, done + share));
        readSet(path, set.id(), from, own, fields, reading);
        done += share;
    }
}

}  // namespace armilla
