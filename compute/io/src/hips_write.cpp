// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/io/atomic_file.h"
#include "armilla/io/map_extensions.h"
#include "fits_file.h"
#include "fits_writer.h"
#include "hips.h"

namespace armilla {

namespace {

namespace fs = std::filesystem;

// The usual width of tiles; smaller for maps with a smaller nside.
constexpr int64_t kTileWidth = 512;

void writeTileFile(const fs::path& path, const FitsCards& cards, std::span<const std::byte> data) {
    constexpr size_t kBlock = 2880;
    std::string bytes;
    for (const std::string& card : cards.all()) bytes += card;
    bytes += "END";
    bytes.resize((bytes.size() + kBlock - 1) / kBlock * kBlock, ' ');
    bytes.append(reinterpret_cast<const char*>(data.data()), data.size());
    bytes.resize((bytes.size() + kBlock - 1) / kBlock * kBlock, '\0');
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        throw IoError(path.string() +
                      ": expected to write the file, found: " + std::strerror(errno));
    try {
        writeFileAt(file, 0, std::as_bytes(std::span(bytes)), path.string());
    } catch (...) {
        close(file);
        throw;
    }
    if (close(file) != 0)
        throw IoError(path.string() +
                      ": expected to write the file, found: " + std::strerror(errno));
}

// The values of all pixels in NESTED order.
template <class T>
std::vector<T> nestedValues(const HealpixMap& map, JobContext& job) {
    const int64_t nside = map.nside(), pixels = pixelCount(nside);
    auto values = newVector<T>(pixels, job);
    const bool isFull = map.coverage() == Coverage::Full;
    parallelFor(job, pixels, 1 << 16, [&](long long begin, long long end) {
        for (long long nested = begin; nested < end; ++nested) {
            const int64_t pixel =
                map.ordering() == Ordering::Nested ? nested : ringFromNested(nside, nested);
            values[static_cast<size_t>(nested)] =
                static_cast<T>(isFull ? map.field(0).at(pixel) : map.value(0, pixel));
        }
    });
    return values;
}

// The means of the good values in each group of four pixels, NaN without any.
template <class T>
std::vector<T> meansOfFour(const std::vector<T>& values, JobContext& job) {
    auto means = newVector<T>(std::ssize(values) / 4, job);
    parallelFor(job, std::ssize(means), 1 << 16, [&](long long begin, long long end) {
        for (long long i = begin; i < end; ++i) {
            double sum = 0.0;
            int good = 0;
            for (long long child = 4 * i; child < 4 * i + 4; ++child) {
                const auto value = static_cast<double>(values[static_cast<size_t>(child)]);
                if (!std::isfinite(value)) continue;
                sum += value;
                ++good;
            }
            means[static_cast<size_t>(i)] =
                good > 0 ? static_cast<T>(sum / good) : std::numeric_limits<T>::quiet_NaN();
        }
    });
    return means;
}

FitsCards tileCards(const Field& field, int64_t width, int order, int64_t tile, bool isSingle) {
    FitsCards cards;
    cards.logical("SIMPLE", true);
    cards.integer("BITPIX", isSingle ? -32 : -64);
    cards.integer("NAXIS", 2);
    cards.integer("NAXIS1", width);
    cards.integer("NAXIS2", width);
    cards.integer("ORDER", order, "order of the tile");
    cards.integer("NPIX", tile, "number of the tile");
    if (!field.unit.empty()) cards.text("BUNIT", field.unit);
    return cards;
}

// Writes the tiles of one order that have a good value.
template <class T>
void writeOrder(const fs::path& folder, const Field& field, int order, int64_t width,
                const std::vector<T>& values, JobContext& job) {
    const std::vector<int64_t> places = hipsTileOrder(width);
    const int64_t count = std::ssize(places), tiles = std::ssize(values) / count;
    for (int64_t tile = 0; tile < tiles; tile += 10000) {
        const fs::path part = (folder / hipsTileName(order, tile)).parent_path();
        std::error_code failure;
        fs::create_directories(part, failure);
        if (failure)
            throw IoError(part.string() +
                          ": expected to write the folder, found: " + failure.message());
    }
    parallelFor(job, tiles, 1, [&](long long begin, long long end) {
        std::vector<std::byte> bytes(places.size() * sizeof(T));
        for (long long tile = begin; tile < end; ++tile) {
            const T* const from = values.data() + tile * count;
            if (std::none_of(from, from + count, [](T value) { return std::isfinite(value); }))
                continue;
            for (size_t i = 0; i < places.size(); ++i)
                putBigEndian(from[places[i]], bytes.data() + i * sizeof(T));
            writeTileFile(folder / hipsTileName(order, tile),
                          tileCards(field, width, order, tile, sizeof(T) == 4), bytes);
        }
    });
}

const char* frameWord(Frame frame) {
    return frame == Frame::Galactic   ? "galactic"
           : frame == Frame::Ecliptic ? "ecliptic"
                                      : "equatorial";
}

// The file `properties`; `low` and `high`: range of the good values.
void writeProperties(const fs::path& folder, const HealpixMap& map, const MapWriteOptions& options,
                     int order, int64_t width, bool isSingle, double low, double high,
                     double share) {
    FitsCards date;
    date.date();
    const std::string& card = date.all().front();
    const size_t quote = card.find('\'');
    const std::string name = fitsText(map.field(0).name);
    std::string text;
    for (const std::string& line : options.history) text += "# " + fitsText(line) + '\n';
    const auto add = [&](const char* key, const std::string& value) {
        text += std::string(key) + std::string(20 - std::min<size_t>(19, std::strlen(key)), ' ') +
                "= " + value + '\n';
    };
    char range[80], fraction[40];
    std::snprintf(range, sizeof range, "%.9g %.9g", low, high);
    std::snprintf(fraction, sizeof fraction, "%.9g", share);
    add("creator_did", "ivo://UNK.AUT/P/" + (name.empty() ? "map" : name));
    add("obs_title", name.empty() ? "map" : name);
    add("dataproduct_type", "image");
    add("hips_version", "1.4");
    add("hips_release_date", card.substr(quote + 1, 16) + "Z");
    add("hips_status", "private master unclonable");
    add("hips_builder", "Armilla");
    add("hips_frame", frameWord(map.frame()));
    add("hips_order", std::to_string(order));
    add("hips_order_min", "0");
    add("hips_tile_width", std::to_string(width));
    add("hips_tile_format", "fits");
    add("hips_pixel_bitpix", isSingle ? "-32" : "-64");
    add("hips_data_range", range);
    add("hips_sampling", "none");
    add("moc_sky_fraction", fraction);
    writeFileAtomically(folder / "properties", text, false);
}

template <class T>
void writeTree(const fs::path& folder, const HealpixMap& map, const MapWriteOptions& options,
               JobContext& job) {
    const int64_t width = std::min(kTileWidth, map.nside());
    const int deepest = orderOf(map.nside() / width);
    JobContext part = job.part(0.0, 0.2);
    std::vector<T> values = nestedValues<T>(map, part);
    double low = std::numeric_limits<double>::infinity(), high = -low;
    int64_t good = 0;
    for (const T value : values) {
        if (!std::isfinite(value)) continue;
        low = std::min(low, static_cast<double>(value));
        high = std::max(high, static_cast<double>(value));
        ++good;
    }
    if (good == 0) throw InvalidArgument("expected a map with a good pixel, found none");
    const double share = static_cast<double>(good) / static_cast<double>(values.size());
    for (int order = deepest; order >= 0; --order) {
        JobContext step = job.part(order == deepest ? 0.2 : 0.8, order == deepest ? 0.8 : 1.0);
        writeOrder(folder, map.field(0), order, width, values, step);
        if (order > 0) values = meansOfFour(values, step);
    }
    writeProperties(folder, map, options, deepest, width, sizeof(T) == 4, low, high, share);
}

}  // namespace

bool isHipsName(const std::string& path) {
    return path.size() > 1 && path.ends_with('/');
}

void requireMapFolder(const std::string& path, bool overwrite) {
    requireFolderName(path, overwrite, isHipsFolder);
}

void writeHips(const HealpixMap& map, const std::string& path, const MapWriteOptions& options,
               JobContext& job) {
    if (map.fieldCount() != 1)
        throw InvalidArgument("expected one field for a HiPS (--field chooses it), found " +
                              std::to_string(map.fieldCount()));
    if (!isPowerOfTwoNside(map.nside()))
        throw InvalidArgument("expected a power of two as NSIDE of a HiPS, found " +
                              std::to_string(map.nside()));
    if (map.frame() == Frame::Unknown)
        throw InvalidArgument(
            "expected a map whose frame is known for a HiPS (--input-frame states it), found "
            "another");
    const bool isSingle = options.precision == StoredPrecision::Single ||
                          (options.precision == StoredPrecision::AsRead && map.field(0).isSingle());
    // The values in NESTED order and their means of four.
    const int64_t bytes = (isSingle ? 5 : 10);
    requireMemory(path, pixelCount(map.nside()) > INT64_MAX / bytes
                            ? INT64_MAX
                            : pixelCount(map.nside()) * bytes);
    AtomicFolder folder(path, options.overwrite, isHipsFolder);
    if (isSingle)
        writeTree<float>(folder.temporary(), map, options, job);
    else
        writeTree<double>(folder.temporary(), map, options, job);
    folder.commit();
}

}  // namespace armilla
