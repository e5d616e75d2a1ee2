// SPDX-License-Identifier: GPL-3.0-or-later
#include "healsparse_hdf5.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/loaded_module.h"
#include "armilla/io/atomic_file.h"
#include "hdf5_healsparse.h"
#include "hdf5_module.h"
#include "healsparse.h"
#include "map_cards.h"

namespace armilla {

namespace {

using Kind = PixelTiles::Kind;

// Kind::Packed for a flag whose tiles are whole bytes.
Kind writtenKind(const TilePlan& plan) {
    return plan.kind == Kind::Flags && plan.tilePixels % 8 == 0 ? Kind::Packed : plan.kind;
}

std::vector<Hdf5Column> columnsOf(const TilePlan& plan, Kind kind) {
    if (kind == Kind::Bits || kind == Kind::Packed) return {{"", DiskType::UInt8, ""}};
    std::vector<Hdf5Column> columns;
    for (const ColumnPlan& column : plan.columns)
        columns.push_back(
            {kind == Kind::Records ? column.field->name : "", column.type, column.field->unit});
    return columns;
}

// Joined lines of history: values of attributes that become FITS cards hold no line ends.
std::string joined(const std::vector<std::string>& first, const std::vector<std::string>& second) {
    std::string text;
    for (const auto* lines : {&first, &second})
        for (const std::string& line : *lines) text += (text.empty() ? "" : "; ") + line;
    return text;
}

std::vector<std::pair<std::string, std::string>> textsOf(const HealpixMap& map,
                                                         const TilePlan& plan,
                                                         const MapWriteOptions& options) {
    std::vector<std::pair<std::string, std::string>> texts;
    if (const char letter = frameLetter(map.frame()); letter != 0)
        texts.emplace_back("COORDSYS", std::string(1, letter));
    if (!stokesUFields(map).empty())
        texts.emplace_back("POLCCONV", map.metadata().iauOnDisk ? "IAU" : "COSMO");
    if (plan.kind == Kind::Bits)
        for (size_t bit = 0; bit < plan.columns.size(); ++bit)
            texts.emplace_back(bitName(static_cast<int64_t>(bit)), plan.columns[bit].field->name);
    else if (plan.kind != Kind::Records && !plan.columns.front().field->unit.empty())
        texts.emplace_back("BUNIT", plan.columns.front().field->unit);
    if (const std::string history = joined(map.metadata().history, options.history);
        !history.empty())
        texts.emplace_back("HISTORY", history);
    return texts;
}

// Numbers of the machine from those of FITS.
void takeNumbers(const std::byte* from, int64_t stride, size_t bytes, std::vector<std::byte>& to) {
    for (size_t at = 0; at < to.size(); at += bytes, from += stride)
        std::reverse_copy(from, from + bytes, to.begin() + static_cast<long>(at));
}

// A flag of FITS, 'T' or 'F', or its number.
bool isSet(std::byte value) {
    return value == std::byte{'T'} || value == std::byte{1};
}

using Columns = std::vector<std::vector<std::byte>>;

// Bytes of a tile for each column. `pixels`: those of tileBytes().
Columns columnsOfTile(const TilePlan& plan, Kind kind, std::vector<std::byte> pixels) {
    Columns columns;
    if (kind == Kind::Bits) {
        columns.push_back(std::move(pixels));
    } else if (plan.kind == Kind::Flags) {
        const auto count = static_cast<size_t>(plan.tilePixels);
        std::vector<std::byte>& flags =
            columns.emplace_back(kind == Kind::Packed ? count / 8 : count);
        for (size_t i = 0; i < count; ++i) {
            const std::byte flag = pixels[2 * i + 1];  // the low byte of two
            if (kind == Kind::Packed)
                flags[i / 8] |= flag << (i % 8);
            else
                flags[i] = flag;
        }
    } else {
        const std::byte* from = pixels.data();
        for (const ColumnPlan& column : plan.columns) {
            std::vector<std::byte>& to =
                columns.emplace_back(static_cast<size_t>(plan.tilePixels * column.bytes));
            takeNumbers(from, plan.pixelBytes, static_cast<size_t>(column.bytes), to);
            if (isFlag(column))
                for (std::byte& value : to) value = isSet(value) ? std::byte{1} : std::byte{0};
            from += column.bytes;
        }
    }
    return columns;
}

}  // namespace

bool isHealSparseHdf5Name(const std::string& path) {
    return path.ends_with(".hdf5") || path.ends_with(".h5");
}

void writeHealSparseHdf5(const HealpixMap& map, const NestedElements& elements,
                         const TilePlan& plan, const std::string& path,
                         const MapWriteOptions& options, JobContext& job) {
    static const auto write = reinterpret_cast<ArmillaWriteHealSparse>(
        moduleSymbol(kHdf5Module, "armillaWriteHealSparse"));
    Hdf5TilesToWrite tiles;
    tiles.nside = map.nside();
    tiles.coverNside = plan.coverNside;
    tiles.kind = writtenKind(plan);
    tiles.width = tiles.kind == Kind::Bits ? plan.pixelBytes : 0;
    tiles.pixels = tiles.kind == Kind::Packed ? plan.tilePixels / 8 : plan.tilePixels;
    tiles.index = coverIndex(plan);
    tiles.rows = std::ssize(plan.covered) + 1;
    tiles.columns = columnsOf(plan, tiles.kind);
    tiles.texts = textsOf(map, plan, options);
    const ColumnPlan& primary = plan.columns[plan.primary];
    if (tiles.kind == Kind::Records) tiles.primary = primary.field->name;
    tiles.sentinelType = tiles.kind == Kind::Bits ? DiskType::Int64 : primary.type;
    tiles.sentinel = primary.sentinel;
    tiles.wholeSentinel = tiles.kind == Kind::Bits ? 0 : primary.null.value_or(0);
    tiles.tileOf = [&plan, &elements, kind = tiles.kind](int64_t tile) {
        return columnsOfTile(plan, kind, tileBytes(plan, elements, tile));
    };
    AtomicFile file(path, options.overwrite);
    write(file.temporary().string(), tiles, job);
    job.report(1.0, "writing");
    file.commit();
}

}  // namespace armilla
