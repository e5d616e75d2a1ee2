// SPDX-License-Identifier: GPL-3.0-or-later
// Columns of numbers over l, as files of spectra and beams have them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fits_file.h"
#include "io/map_io.h"

namespace armilla {

// lmax of a spectrum or beam; a longer table is something else.
inline constexpr double kMaxL = 1 << 24;

// Numeric columns of a table, with their names and what the file says of all of them.
struct NamedColumns {
    std::vector<std::string> names, units;
    std::vector<std::vector<double>> values;
    std::vector<std::string> otherNames;  // of a header that names other columns than there are
    bool healpy = false;                  // EB and TB stand under each other's names
    std::optional<bool> isDl;             // as comments of a text say
    bool isText = false;
    bool isUnnamed = false;  // a text without a name for any column
};

// The columns of a FITS table. Throws IoError.
NamedColumns readColumns(FitsFile& file, const FitsHdu& hdu);
// The columns of a text table. Throws IoError.
NamedColumns columnsFromText(const std::string& path);

// The selected HDU of a file, unpacked, or its first of one of the wanted kinds. Throws IoError.
const FitsHdu& selectedTable(FitsFile& file, const std::optional<std::string>& selector,
                             std::initializer_list<FileKind> kinds, std::string_view what);

// Takes the column of l out of `columns`; its values ascend and are whole. Empty if no column is
// named so; of a text without names the first of several columns is l. Throws IoError.
std::vector<double> takeMultipoles(const std::string& path, NamedColumns& columns);
// Throws IoError where l does not rise by one from row to row, or does not begin at `first`.
void requireEveryMultipole(const std::string& path, const std::vector<double>& l,
                           std::optional<int> first, const std::string& what);
// The number of multipoles between the first and the last l that have no row, and the first such.
struct MissingMultipoles {
    int64_t count = 0;
    double first = 0.0;
};
MissingMultipoles missingMultipoles(const std::vector<double>& l);

void requireFinite(const std::string& path, const std::vector<double>& values,
                   const std::string& what);
// "'TT EE BB'".
std::string listed(const std::vector<std::string>& names);

}  // namespace armilla
