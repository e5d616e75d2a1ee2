// SPDX-License-Identifier: GPL-3.0-or-later
#include "table_kind.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>

#include "fits_table.h"
#include "gaia_positions.h"
#include "healsparse.h"
#include "map_table.h"
#include "spectrum_columns.h"
#include "spectrum_names.h"
#include "table_formats.h"

namespace armilla {

namespace {

bool containsAny(const std::string& text, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

bool isBeamTable(const FitsHdu& hdu, const TableLayout& table) {
    if (containsAny(upperTrimmed(hdu.name()), {"BEAM", "WINDOW"})) {
        // A table of beam parameters has names and texts; B_l has only numbers.
        return std::all_of(table.columns.begin(), table.columns.end(),
                           [](const FitsColumn& c) { return c.isNumeric(); });
    }
    return std::any_of(table.columns.begin(), table.columns.end(), [](const FitsColumn& column) {
        const std::string name = upperTrimmed(column.name);
        return column.isNumeric() && (name == "BL" || name == "B_L" || name == "BEAM_WINDOW" ||
                                      name == "WINDOW" || name == "T_BEAM");
    });
}

bool isSpectrumTable(const FitsHdu& hdu, const TableLayout& table) {
    if (table.columns.empty() || table.columns.size() > 20) return false;
    if (hdu.header.has("MAX-LPOL")) return true;
    if (containsAny(upperTrimmed(hdu.name()), {"POWER SPECTRUM", "C_L", "SPECTRA"})) return true;
    return std::all_of(table.columns.begin(), table.columns.end(), [](const FitsColumn& column) {
        return spectrumColumnOf(column.name).has_value() || upperTrimmed(column.name) == "L" ||
               upperTrimmed(column.name) == "ELL";
    });
}

// True if a column of l holds fractions: such a table is a curve over bins, not a spectrum.
bool hasFractionalL(FitsFile& file, const FitsHdu& hdu, const TableLayout& table) {
    JobContext job;
    for (const FitsColumn& column : table.columns) {
        if (!isMultipoleName(column.name) || !column.isNumeric() || column.repeat != 1) continue;
        if (static_cast<double>(table.rows) > kMaxL) return false;  // the reader refuses this table
        file.unpack(job);
        const std::vector<double> l = readColumn(file, hdu, table, column, job);
        return std::any_of(l.begin(), l.end(),
                           [](double x) { return std::isfinite(x) && x != std::floor(x); });
    }
    return false;
}

// True for a column of Gaia's identifiers, which contain positions.
bool holdsGaiaIds(FitsFile& file, const FitsHdu& hdu, const TableLayout& table) {
    const FitsColumn* column = table.column(kSourceIds);
    if (column == nullptr || !column->isInteger() || column->repeat != 1) return false;
    JobContext job;
    file.unpack(job);
    std::vector<int64_t> ids;
    std::mutex lock;
    forTablePieces(file, hdu, table, job, "reading",
                   [&](int64_t, int64_t count, const std::byte* rows) {
                       std::vector<int64_t> some(static_cast<size_t>(count));
                       decodeIntegers(table, *column, rows, count, some.data());
                       const auto [least, most] = std::minmax_element(some.begin(), some.end());
                       const std::lock_guard guard(lock);
                       ids.insert(ids.end(), {*least, *most});
                   });
    return areGaiaIds(ids, -1);
}

bool isSampleTable(const FitsHdu& hdu, const TableLayout& table) {
    if (containsAny(upperTrimmed(hdu.name()), {"SAMPLE", "SCAN", "DRIFT", "TOD", "TIMELINE"}))
        return true;
    return std::any_of(table.columns.begin(), table.columns.end(), [](const FitsColumn& column) {
        static constexpr std::array<std::string_view, 9> kTimeNames = {
            "TIME", "SAMPLE", "SCAN", "SCAN_ID", "UTC", "LST", "TOD", "TSYS", "INTEGRATION"};
        const std::string name = upperTrimmed(column.name);
        return std::find(kTimeNames.begin(), kTimeNames.end(), name) != kTimeNames.end() ||
               (column.isNumeric() && column.repeat > 1);
    });
}

std::optional<FileKind> imageKind(const FitsHdu& hdu) {
    const int64_t axes = hdu.header.integer("NAXIS").value_or(0);
    if (axes < 2 || hdu.dataBytes == 0) return std::nullopt;
    // A matrix that belongs to another table of the file.
    const std::string name = upperTrimmed(hdu.name());
    if (!hdu.header.has("CTYPE1") &&
        (name == "COVARIANCE" || name == "WINDOWS" || name == "WINDOWS_PARTNER"))
        return std::nullopt;
    const bool strip = axes == 2 && hdu.header.integer("NAXIS2").value_or(0) <= 4 &&
                       hdu.header.integer("NAXIS1").value_or(0) > 8;
    return strip && !hdu.header.has("CTYPE1") ? FileKind::Beam : FileKind::Image;
}

}  // namespace

std::optional<PositionColumns> positionColumns(const TableLayout& table) {
    const Table outline = tableOutline(table);
    const auto found = findPositions(outline);
    return found ? found : findTextPositions(outline);
}

std::optional<FileKind> hduKind(FitsFile& file, const FitsHdu& hdu, const StatedPixels& stated) {
    if (isHealSparse(file, hdu))
        return isHealSparseMap(hdu) ? std::optional(FileKind::Map) : std::nullopt;
    if (hdu.type == HduType::Image) return isMapTable(file, hdu) ? FileKind::Map : imageKind(hdu);
    if (hdu.type == HduType::Other) return std::nullopt;
    if (isMapTable(file, hdu, stated)) return FileKind::Map;
    if (hdu.header.logical("ZIMAGE").value_or(false)) return FileKind::Image;
    const TableLayout table = tableLayout(file, hdu);
    if (isAlmTable(hdu, table)) return FileKind::Alm;
    if (isBeamTable(hdu, table)) return FileKind::Beam;
    if (positionColumns(table))
        return isSampleTable(hdu, table) ? FileKind::Samples : FileKind::Catalog;
    if (isSpectrumTable(hdu, table) && !hasFractionalL(file, hdu, table)) return FileKind::Spectrum;
    return holdsGaiaIds(file, hdu, table) ? std::optional(FileKind::Catalog) : std::nullopt;
}

}  // namespace armilla
