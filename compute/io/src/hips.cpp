// SPDX-License-Identifier: GPL-3.0-or-later
#include "hips.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <span>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/new_vector.h"
#include "fits_file.h"
#include "fits_table.h"
#include "map_facts.h"
#include "map_planes.h"

namespace armilla {

namespace {

namespace fs = std::filesystem;

constexpr int64_t kMostPixels = int64_t{1} << 28;
constexpr int64_t kMostWidth = 1 << 15;
constexpr const char* kFieldName = "VALUE";

// The facts of the file `properties`, and the order that is read.
struct Hips {
    fs::path folder;
    int64_t order = 0;    // the deepest order of the HiPS
    int64_t width = 512;  // pixels along an edge of a tile
    Frame frame = Frame::Unknown;
    int taken = 0;
    int64_t nside() const { return width << taken; }
};

// Lines "key = value" of the file.
std::map<std::string, std::string> propertiesOf(const std::string& path) {
    constexpr size_t kMostBytes = 1 << 20;
    std::string text(kMostBytes, '\0');
    std::ifstream in(fs::path(path) / "properties", std::ios::binary);
    in.read(text.data(), static_cast<std::streamsize>(kMostBytes));
    text.resize(static_cast<size_t>(std::max<std::streamsize>(0, in.gcount())));
    std::map<std::string, std::string> all;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        const std::string line = text.substr(at, end - at);
        at = end + 1;
        const size_t equals = line.find('=');
        if (line.starts_with('#') || equals == std::string::npos) continue;
        all.emplace(trimmed(line.substr(0, equals)), trimmed(line.substr(equals + 1)));
    }
    return all;
}

int64_t wholeNumber(const std::string& path, const std::map<std::string, std::string>& properties,
                    const char* key, std::optional<int64_t> otherwise, int64_t most) {
    const auto found = properties.find(key);
    if (found == properties.end() && otherwise) return *otherwise;
    const auto number = found == properties.end() ? std::nullopt : parseInteger(found->second);
    if (!number || *number < 0 || *number > most)
        refuse(path, std::string(key) + " from 0 to " + std::to_string(most) + " in properties",
               found == properties.end() ? "none" : inQuotes(found->second));
    return *number;
}

bool hasOrder(const Hips& hips, int order) {
    std::error_code ignored;
    return fs::is_directory(hips.folder / ("Norder" + std::to_string(order)), ignored);
}

// The order that the user states by its nside, otherwise the deepest one that is not too large.
int chosenOrder(const std::string& path, const Hips& hips, const StatedPixels& stated) {
    int best = -1;
    for (int order = 0; order <= hips.order; ++order) {
        if (hips.width > kMaxNside >> order || !hasOrder(hips, order)) continue;
        const int64_t nside = hips.width << order;
        if (stated.nside == nside) return order;
        if (pixelCount(nside) <= kMostPixels) best = order;
    }
    const std::string sides = std::to_string(hips.width) + " * 2^order";
    if (stated.nside && !stated.fileDecides)
        throw InvalidArgument("expected no --input-nside, or " + sides +
                              " for an order of the HiPS, found " + std::to_string(*stated.nside));
    if (best < 0)
        refuse(path, "folders of tiles, Norder0 to Norder" + std::to_string(hips.order), "none");
    return best;
}

Hips hipsOf(const std::string& path, const StatedPixels& stated) {
    const auto properties = propertiesOf(path);
    const auto text = [&](const char* key) {
        const auto found = properties.find(key);
        return found == properties.end() ? std::string() : upperTrimmed(found->second);
    };
    const std::string product = text("dataproduct_type");
    if (!product.empty() && product != "IMAGE")
        refuse(path, "a HiPS of an image", inQuotes(properties.at("dataproduct_type")));
    if (text("hips_tile_format").find("FITS") == std::string::npos)
        refuse(path, "a HiPS with FITS tiles (hips_tile_format)",
               inQuotes(text("hips_tile_format")));
    Hips hips;
    hips.folder = path;
    hips.order = wholeNumber(path, properties, "hips_order", std::nullopt, orderOf(kMaxNside));
    hips.width = wholeNumber(path, properties, "hips_tile_width", 512, kMostWidth);
    if (hips.width < 1 || !std::has_single_bit(static_cast<uint64_t>(hips.width)))
        refuse(path, "a power of two as hips_tile_width", std::to_string(hips.width));
    hips.frame = frameFromText(text("hips_frame"));
    hips.taken = chosenOrder(path, hips, stated);
    if (stated.ordering) agreedOrdering(Ordering::Nested, stated);
    return hips;
}

// The number in a name such as "Npix17.fits"; none for another name.
std::optional<int64_t> numberIn(const std::string& name, std::string_view before,
                                std::string_view after) {
    if (!name.starts_with(before) || !name.ends_with(after) ||
        name.size() <= before.size() + after.size())
        return std::nullopt;
    const std::string digits =
        name.substr(before.size(), name.size() - before.size() - after.size());
    if (digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
    return parseInteger(digits);
}

// The entries of a folder, which must be readable: its tiles would otherwise look absent.
fs::directory_iterator entriesOf(const fs::path& folder) {
    std::error_code failure;
    fs::directory_iterator entries(folder, failure);
    if (failure) refuse(folder.string(), "a folder of tiles to read", failure.message());
    return entries;
}

// The tiles of the order that exist, ascending.
std::vector<int64_t> tilesOf(const Hips& hips) {
    const int64_t most = pixelCount(int64_t{1} << hips.taken);
    std::vector<int64_t> tiles;
    const fs::path order = hips.folder / ("Norder" + std::to_string(hips.taken));
    for (const auto& folder : entriesOf(order)) {
        if (!numberIn(folder.path().filename().string(), "Dir", "")) continue;
        for (const auto& file : entriesOf(folder.path())) {
            const auto tile = numberIn(file.path().filename().string(), "Npix", ".fits");
            if (tile && *tile < most &&
                file.path() == hips.folder / hipsTileName(hips.taken, *tile))
                tiles.push_back(*tile);
        }
    }
    std::sort(tiles.begin(), tiles.end());
    if (tiles.empty())
        refuse(hips.folder.string(), "FITS tiles in Norder" + std::to_string(hips.taken), "none");
    return tiles;
}

// A tile, open at its image.
struct Tile {
    Tile(const Hips& hips, int64_t number, std::stop_token stop)
        : file((hips.folder / hipsTileName(hips.taken, number)).string(), std::move(stop)) {
        file.unpackImages();
        for (int i = 0; hdu == nullptr; ++i) {
            const FitsHdu* candidate = file.hdu(i);
            if (candidate == nullptr) break;
            if (candidate->type == HduType::Image && candidate->dataBytes > 0) hdu = candidate;
        }
        if (hdu == nullptr) refuse(file.path(), "an image", "none");
        const auto size = [&](const char* key) { return hdu->header.integer(key).value_or(1); };
        column = imageColumn(*hdu, 1);
        if (size("NAXIS1") != hips.width || size("NAXIS2") != hips.width ||
            hdu->dataBytes != hips.width * hips.width * column.width)
            refuse(file.path(),
                   "an image of " + std::to_string(hips.width) + " x " +
                       std::to_string(hips.width) + " values",
                   std::to_string(size("NAXIS1")) + " x " + std::to_string(size("NAXIS2")));
    }
    FitsFile file;
    const FitsHdu* hdu = nullptr;
    FitsColumn column;
};

std::string orderNote(const Hips& hips) {
    return hips.taken == hips.order
               ? ""
               : "a HiPS of order " + std::to_string(hips.order) + ": read at order " +
                     std::to_string(hips.taken) + ", NSIDE " + std::to_string(hips.nside()) +
                     " (--input-nside selects another)";
}

template <class T>
void readTile(const Hips& hips, int64_t number, const std::vector<int64_t>& places,
              DiskType expected, std::vector<T>& values, JobContext& job) {
    Tile tile(hips, number, job.stopToken());
    if (diskTypeOf(tile.column) != expected)
        refuse(tile.file.path(), "the type of the values of the first tile", "another type");
    const auto count = std::ssize(places);
    TableLayout layout;
    layout.rowBytes = tile.column.width;
    layout.rows = count;
    std::vector<std::byte> bytes(static_cast<size_t>(tile.hdu->dataBytes));
    tile.file.readData(*tile.hdu, 0, bytes);
    std::vector<T> decoded(places.size());
    decodeColumn(layout, tile.column, bytes.data(), count, healpixBadValues(std::nullopt),
                 decoded.data());
    if constexpr (std::is_same_v<T, double>)
        if (expected == DiskType::Int64 && !isExact(decoded.data(), count))
            refuseInexact(tile.file.path(), kFieldName);
    T* const out = values.data() + number * count;
    for (size_t i = 0; i < places.size(); ++i) out[places[i]] = decoded[i];
}

void requireField(const std::string& path, const std::vector<std::string>& fields) {
    for (const std::string& text : fields)
        if (upperTrimmed(text) != kFieldName && text != "1")
            refuse(path, std::string("the field ") + kFieldName + " or the number 1",
                   inQuotes(text));
}

}  // namespace

std::vector<int64_t> hipsTileOrder(int64_t width) {
    std::vector<int64_t> spread(static_cast<size_t>(width), 0);
    for (int64_t i = 0; i < width; ++i)
        for (int bit = 0; (width >> bit) > 1; ++bit)
            spread[static_cast<size_t>(i)] |= ((i >> bit) & 1) << (2 * bit);
    std::vector<int64_t> places;
    places.reserve(static_cast<size_t>(width * width));
    for (int64_t row = 0; row < width; ++row)
        for (int64_t column = 0; column < width; ++column)
            places.push_back(spread[static_cast<size_t>(width - 1 - row)] |
                             spread[static_cast<size_t>(column)] << 1);
    return places;
}

fs::path hipsTileName(int order, int64_t tile) {
    constexpr int64_t kInFolder = 10000;
    return fs::path("Norder" + std::to_string(order)) /
           ("Dir" + std::to_string(tile / kInFolder * kInFolder)) /
           ("Npix" + std::to_string(tile) + ".fits");
}

bool isHipsFolder(const std::string& path) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored) ||
        !fs::is_regular_file(fs::path(path) / "properties", ignored))
        return false;
    const auto properties = propertiesOf(path);
    return properties.contains("hips_order") || properties.contains("hips_tile_format");
}

FileSummary inspectHips(const std::string& path, const StatedPixels& stated) {
    const Hips hips = hipsOf(path, stated);
    const Tile first(hips, tilesOf(hips).front(), {});
    FileSummary summary;
    summary.kind = FileKind::Map;
    summary.hdu = 0;
    summary.nside = hips.nside();
    summary.ordering = Ordering::Nested;
    summary.frame = hips.frame;
    summary.rows = pixelCount(hips.nside());
    summary.columns.push_back({kFieldName, first.column.unit, diskTypeOf(first.column), 1});
    summary.assumed = orderNote(hips);
    return summary;
}

HealpixMap readHips(const std::string& path, const MapReadOptions& options, JobContext& job) {
    requireField(path, options.fields);
    const Hips hips = hipsOf(path, options.stated);
    if (const std::string note = orderNote(hips); !note.empty()) addNote(options, note);
    const std::vector<int64_t> tiles = tilesOf(hips);
    const Tile first(hips, tiles.front(), job.stopToken());
    const DiskType type = diskTypeOf(first.column);
    const int64_t pixels = pixelCount(hips.nside());
    const bool isSingle = isHeldAsFloat(type);
    const int64_t bytes = isSingle ? 4 : 8;
    // Beside the map: the order of the pixels of a tile, its bytes and its values.
    const int64_t ofTile = hips.width * hips.width * (8 + first.column.width + bytes);
    requireMemory(path, pixels > INT64_MAX / 8 ? INT64_MAX : pixels * bytes + ofTile);
    Field field{kFieldName, first.column.unit, type, {}};
    if (isSingle)
        field.values = newVector<float>(pixels, job);
    else
        field.values = newVector<double>(pixels, job);
    const std::vector<int64_t> places = hipsTileOrder(hips.width);
    std::visit(
        [&](auto& values) {
            using Value = typename std::decay_t<decltype(values)>::value_type;
            if (std::ssize(tiles) * std::ssize(places) < pixels)
                std::fill(values.begin(), values.end(), std::numeric_limits<Value>::quiet_NaN());
            for (size_t i = 0; i < tiles.size(); ++i) {
                job.report(static_cast<double>(i) / static_cast<double>(tiles.size()), "reading");
                job.poll();
                readTile(hips, tiles[i], places, type, values, job);
            }
        },
        field.values);
    std::vector<Field> fields;
    fields.push_back(std::move(field));
    return {hips.nside(), Ordering::Nested, hips.frame, std::move(fields)};
}

}  // namespace armilla
