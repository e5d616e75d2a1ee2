// SPDX-License-Identifier: GPL-3.0-or-later
// Columns of numbers over l in files of spectra and beams.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "armilla/io/map_io.h"
#include "fits_file.h"

namespace armilla {

// Limit of lmax; a longer table is no spectrum or beam.
inline constexpr double kMaxL = 1 << 24;

// Numeric columns of a table, with their names and statements of the file about all columns.
struct NamedColumns {
    std::vector<std::string> names, units;
    std::vector<std::vector<double>> values;
    std::vector<std::string> otherNames;  // names in a header with a different number of columns
    bool healpy = false;                  // EB and TB have exchanged names
    std::optional<bool> isDl;             // stated by comments of a text
    bool isText = false;
    bool isUnnamed = false;  // a text without column names
};

// The columns of a FITS table. Throws IoError.
NamedColumns readColumns(FitsFile& file, const FitsHdu& hdu);
// The columns of a table in a text or HDF5 file. Throws IoError.
NamedColumns readColumns(const std::string& path);

// The selected HDU of a file, unpacked, or the first one of the given kinds. Throws IoError.
const FitsHdu& selectedTable(FitsFile& file, const std::optional<std::string>& selector,
                             std::initializer_list<FileKind> kinds, std::string_view what);

// Moves the column of l out of `columns`; its values must be ascending integers. Empty if no column
// has such a name. In a text without names, the first of several columns is l. Throws IoError.
std::vector<double> takeMultipoles(const std::string& path, NamedColumns& columns);
// Throws IoError unless l rises by one from row to row and begins at `first`.
void requireEveryMultipole(const std::string& path, const std::vector<double>& l,
                           std::optional<int> first, const std::string& what);
// Number of multipoles without a row between the first and the last l, and the first of these.
struct MissingMultipoles {
    int64_t count = 0;
    double first = 0.0;
};
MissingMultipoles missingMultipoles(const std::vector<double>& l);

void requireFinite(const std::string& path, const std::vector<double>& values,
                   const std::string& what);
// Names in quotes: "'TT EE BB'".
std::string listed(const std::vector<std::string>& names);

}  // namespace armilla
