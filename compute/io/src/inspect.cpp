// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>

#include "armilla/core/counted.h"
#include "armilla/core/error.h"
#include "armilla/core/icrs_positions.h"
#include "armilla/io/map_io.h"
#include "foreign_file.h"
#include "hats.h"
#include "hdf5_map.h"
#include "healsparse_tiles.h"
#include "hips.h"
#include "map_table.h"
#include "npy_map.h"
#include "out_of_memory.h"
#include "parquet_folder.h"
#include "stokes_hdus.h"
#include "table_formats.h"
#include "table_kind.h"
#include "text_file.h"
#include "text_moc.h"
#include "zarr_map.h"

namespace armilla {

namespace {

ColumnInfo describe(const FitsColumn& column) {
    // A text counts as one value, not by letters.
    const int64_t repeat = column.code == 'A' ? 1 : column.repeat;
    return {fieldName(column), column.unit, diskTypeOf(column), repeat};
}

// The deepest order of a multi-order map follows from its cells; MOCORDER is often only a limit.
int64_t multiOrderNside(FitsFile& file, const MapTable& map) {
    JobContext job;
    if (map.ranges) return readMap(file.path(), {}, job).nside();
    int64_t largest = 4;
    std::mutex lock;
    forTablePieces(file, *map.hdu, map.table, job, "reading",
                   [&](int64_t, int64_t count, const std::byte* rows) {
                       std::vector<int64_t> numbers(static_cast<size_t>(count * map.index->repeat));
                       decodeIntegers(map.table, *map.index, rows, count, numbers.data());
                       const int64_t most = *std::max_element(numbers.begin(), numbers.end());
                       const std::lock_guard guard(lock);
                       largest = std::max(largest, most);
                   });
    return int64_t{1} << std::min(29, uniqOrder(largest));
}

// `isSelected`: the path names this HDU.
FileSummary summarizeMap(FitsFile& file, const FitsHdu& hdu, const StatedPixels& stated,
                         bool isSelected) {
    MapTable map = mapTable(file, hdu, stated);
    std::vector<MapTable> others;
    std::string damage;  // the reader of the map notes it
    if (!isSelected && mayBeginStokes(map)) others = otherStokes(file, map, stated, damage);
    addStokes(map, others);
    FileSummary summary;
    summary.hdu = hdu.number;
    summary.ordering = map.ordering;
    summary.frame = map.frame;
    summary.rows = map.table.rows;
    summary.nside = map.nside;
    summary.kind = FileKind::Map;
    if (map.coverage == Coverage::Partial) summary.kind = FileKind::PartialMap;
    if (map.coverage == Coverage::MultiOrder) {
        summary.kind = FileKind::MultiOrderMap;
        summary.nside = multiOrderNside(file, map);
    }
    for (const MapPlane& plane : map.planes) {
        summary.columns.push_back(describe(*plane.column));
        summary.columns.back().name = plane.name;
    }
    if (map.planes.empty()) summary.columns.push_back({kCoverageName, "", DiskType::Float32, 1});
    return summary;
}

int multipole(const FitsFile& file, const FitsHdu& hdu, const char* key, int otherwise) {
    const int64_t value = hdu.header.integer(key).value_or(otherwise);
    if (value < -1 || value > kMaxAlmL)
        refuse(file.path(), std::string(key) + " up to " + std::to_string(kMaxAlmL),
               std::to_string(value));
    return static_cast<int>(value);
}

// The last l of `count` values from l = 0 on; at most the largest int.
int lastOf(int64_t count) {
    return static_cast<int>(std::min<int64_t>(count, 1 << 30)) - 1;
}

FileSummary summarizeTable(FitsFile& file, const FitsHdu& hdu, FileKind kind) {
    const TableLayout table = tableLayout(file, hdu);
    FileSummary summary;
    summary.kind = kind;
    summary.hdu = hdu.number;
    summary.rows = table.rows;
    for (const FitsColumn& column : table.columns) summary.columns.push_back(describe(column));
    if (kind == FileKind::Catalog || kind == FileKind::Samples)
        if (const auto position = positionColumns(table)) {
            Table header;
            header.cards = hdu.header.cards();
            const bool isUnknown =
                position->frame == Frame::Equatorial && !unknownSystem(header).empty();
            summary.frame = isUnknown ? Frame::Unknown : position->frame;
        }
    if (kind == FileKind::Alm) {
        summary.columns.erase(summary.columns.begin());
        summary.lmax = multipole(file, hdu, "MAX-LPOL", -1);
        summary.mmax = multipole(file, hdu, "MAX-MPOL", summary.lmax);
        summary.frame = frameFromText(hdu.header.text("COORDSYS").value_or(""));
    }
    if (kind == FileKind::Spectrum || kind == FileKind::Beam) {
        const int64_t repeat = table.columns.empty() ? 1 : table.columns[0].repeat;
        summary.lmax = lastOf(table.rows * repeat);
    }
    return summary;
}

std::string shapeOf(const FitsHdu& hdu) {
    const auto number = [&](const std::string& key) { return hdu.header.integer(key).value_or(0); };
    if (hdu.type == HduType::BinaryTable || hdu.type == HduType::AsciiTable) {
        const bool packed = hdu.header.logical("ZTABLE").value_or(false);
        return counted(number(packed ? "ZNAXIS2" : "NAXIS2"), "row") + ", " +
               counted(number("TFIELDS"), "column");
    }
    const std::string z = hdu.header.logical("ZIMAGE").value_or(false) ? "Z" : "";
    const int64_t axes = std::min<int64_t>(number(z + "NAXIS"), 9);
    if (axes == 0 || hdu.dataBytes == 0) return "no data";
    std::string shape;
    for (int64_t n = 1; n <= axes; ++n)
        shape += (n > 1 ? " x " : "") + std::to_string(number(z + "NAXIS" + std::to_string(n)));
    return shape;
}

// Celestial axes have the names of FITS WCS paper II: "RA---TAN", "GLAT-CAR", "XLON-...".
bool hasSkyAxes(const FitsHeader& header) {
    bool lon = false, lat = false;
    for (int axis = 1; axis <= 9; ++axis) {
        const std::string type =
            upperTrimmed(header.text("CTYPE" + std::to_string(axis)).value_or(""));
        lon = lon || type.starts_with("RA") || type.substr(0, 4).ends_with("LON") ||
              type.substr(0, 4).ends_with("LN");
        lat = lat || type.starts_with("DEC") || type.substr(0, 4).ends_with("LAT") ||
              type.substr(0, 4).ends_with("LT");
    }
    return lon && lat;
}

FileSummary summarizeImage(const FitsHdu& hdu, FileKind kind) {
    FileSummary summary;
    summary.kind = kind;
    summary.hdu = hdu.number;
    summary.rows = hdu.header.integer("NAXIS2").value_or(1);
    summary.isOnSky = hasSkyAxes(hdu.header);
    summary.shape = shapeOf(hdu);
    if (kind == FileKind::Beam) summary.lmax = lastOf(hdu.header.integer("NAXIS1").value_or(0));
    return summary;
}

FileSummary summarizeHdu(FitsFile& file, const FitsHdu& hdu, FileKind kind,
                         const StatedPixels& stated, bool isSelected) {
    switch (kind) {
        case FileKind::Map:
        case FileKind::PartialMap:
        case FileKind::MultiOrderMap: return summarizeMap(file, hdu, stated, isSelected);
        case FileKind::Image: return summarizeImage(hdu, kind);
        default:
            return hdu.type == HduType::Image ? summarizeImage(hdu, kind)
                                              : summarizeTable(file, hdu, kind);
    }
}

FileSummary summarizeTextMoc(const std::string& path) {
    JobContext job;
    const HealpixMap map = readTextMoc(path, job);
    FileSummary summary;
    summary.kind = FileKind::MultiOrderMap;
    summary.hdu = 0;
    summary.nside = map.nside();
    summary.ordering = Ordering::Nested;
    summary.frame = map.frame();
    summary.rows = map.elementCount();
    summary.columns.push_back({kCoverageName, "", DiskType::Float32, 1});
    return summary;
}

FileSummary inspect(const FilePath& where, std::stop_token stop, const StatedPixels& stated) {
    if (isHipsFolder(where.path)) return inspectHips(where.path, stated);
    if (isHealSparseFolder(where.path)) return inspectHealSparseFolder(where.path, stated);
    if (isHatsFolder(where.path)) return inspectHats(where.path);
    if (isZarrFolder(where.path)) return inspectZarr(where.path, stated);
    if (isParquetFolder(where.path)) return inspectParquetFolder(where.path);
    if (looksLikeText(where.path) && isTextMoc(where.path)) return summarizeTextMoc(where.path);
    if (isNpyFile(where.path)) return inspectNpyMap(where.path, stated);
    if (isHdf5(where.path) && isHdf5Map(where.path)) return inspectHdf5Map(where.path, stated);
    requireKnownFormat(where.path);
    if (const auto text = inspectTextFile(where.path)) return *text;
    FitsFile file(where.path, std::move(stop));
    if (where.hdu) {
        const FitsHdu& hdu = file.selected(*where.hdu);
        const auto kind = hduKind(file, hdu, stated);
        if (!kind)
            refuse(where.path,
                   "a map, alm, spectrum, beam, catalog, samples or image in HDU " +
                       std::to_string(hdu.number),
                   describeHdu(hdu));
        return summarizeHdu(file, hdu, *kind, stated, true);
    }
    // An image without a position on the sky hides nothing that comes after it.
    std::optional<FileSummary> unplaced;
    for (int i = 0; const FitsHdu* hdu = file.hdu(i); ++i) {
        const auto kind = hduKind(file, *hdu, stated);
        if (!kind) continue;
        const bool isPlaced = *kind != FileKind::Image || hdu->header.has("CTYPE1");
        if (isPlaced || !unplaced) {
            FileSummary summary = summarizeHdu(file, *hdu, *kind, stated, false);
            if (isPlaced) return summary;
            unplaced = std::move(summary);
        }
    }
    if (unplaced) return *unplaced;
    refuse(where.path, "a map, alm, spectrum, beam, catalog, samples or image", describeHdus(file));
}

// True for a name that is valid in brackets and is no number.
bool isWord(const std::string& name) {
    const auto isPlain = [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.' || c == '+';
    };
    return std::all_of(name.begin(), name.end(), isPlain) &&
           std::any_of(name.begin(), name.end(),
                       [](unsigned char c) { return std::isalpha(c) != 0; });
}

// Names are compared by the rules of FitsFile::selected().
void nameSelectors(std::vector<HduSummary>& list) {
    std::map<std::string, int> count;
    for (const HduSummary& hdu : list) ++count[upperTrimmed(hdu.name)];
    for (HduSummary& hdu : list)
        hdu.selector = isWord(hdu.name) && count[upperTrimmed(hdu.name)] == 1
                           ? hdu.name
                           : std::to_string(hdu.number);
}

}  // namespace

FileSummary inspectFile(const std::string& path, std::stop_token stop, const StatedPixels& stated) {
    const FilePath where = parseFilePath(path);
    return orOutOfMemory(where.path, [&] { return inspect(where, std::move(stop), stated); });
}

std::vector<HduSummary> listHdus(const std::string& path, std::stop_token stop) {
    const FilePath where = parseFilePath(path);
    std::vector<HduSummary> list;
    if (isHipsFolder(where.path) || isHealSparseFolder(where.path) || isHatsFolder(where.path) ||
        isZarrFolder(where.path) || isParquetFolder(where.path) || looksLikeText(where.path) ||
        isHdf5OrParquet(where.path) || isNpyFile(where.path))
        return list;
    FitsFile file(where.path, std::move(stop));
    for (int i = 0;; ++i) {
        const FitsHdu* hdu = nullptr;
        try {
            hdu = file.hdu(i);
        } catch (const IoError&) {
            // HDUs after the damage cannot be located.
            list.push_back({i, "", std::nullopt, "damaged"});
        }
        if (hdu == nullptr) break;
        HduSummary summary{i, hdu->name(), std::nullopt, shapeOf(*hdu)};
        try {
            summary.kind = hduKind(file, *hdu);
        } catch (const IoError&) {
            // A table that contradicts its header is not readable.
            summary.shape = "a damaged table";
        }
        list.push_back(std::move(summary));
    }
    nameSelectors(list);
    return list;
}

}  // namespace armilla
