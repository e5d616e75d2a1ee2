// SPDX-License-Identifier: GPL-3.0-or-later
// Tables and catalogs in memory: columns of one length, with units and UCDs. Immutable once shared.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "armilla/core/equatorial_frame.h"
#include "armilla/core/sky_vector.h"

namespace armilla {

// One column: rows * width values, row after row. Numbers keep the type of the file, so that a
// conversion writes the numbers that were read, and angles in degrees stay in degrees. Missing
// floating-point values are NaN; missing integers equal `null`.
struct TableColumn {
    std::string name, unit, ucd, description;
    int64_t width = 1;  // values in a row; more than 1 for spectra of samples
    std::variant<std::vector<double>, std::vector<float>, std::vector<int64_t>,
                 std::vector<std::string>>
        values;
    std::optional<int64_t> null;  // the integer that stands for "no value"
    // The frame that the file states for this column alone (right ascensions or declinations).
    std::optional<EquatorialFrame> equatorial{};

    bool isText() const { return values.index() == 3; }
    bool isInteger() const { return values.index() == 2; }
    int64_t size() const;
    int64_t rows() const { return width > 0 ? size() / width : 0; }
    // The value as a double; NaN for text and for missing values. Integers beyond 2^53 are rounded.
    double number(int64_t row, int64_t element = 0) const;
    // The value as text: numbers with as many digits as restore the value; empty for a missing
    // value.
    std::string text(int64_t row, int64_t element = 0) const;
    int64_t memoryBytes() const;
};

// Columns of equal length with their frame and history.
struct Table {
    std::string name;
    std::vector<TableColumn> columns;  // all with the same number of rows
    // stated by the file; if unknown, the names of the columns decide
    Frame frame = Frame::Unknown;
    // frame of all right ascensions, stated by the file
    std::optional<EquatorialFrame> equatorial{};
    // "FK4 (B1950.0)" if a reader converted the positions to ICRS
    std::string turnedFrom;
    std::vector<std::string> history;  // one line for each step, oldest first
    // header cards of a FITS file without a meaning here, 80 columns each
    std::vector<std::string> cards;
    std::vector<std::string> leftOut;  // names of file columns of unsupported types

    int64_t rows() const { return columns.empty() ? 0 : columns.front().rows(); }
    // Index of the column of that name: an exact match first, otherwise in any case; none if
    // absent.
    std::optional<int> find(std::string_view columnName) const;
    // Index of a column by name or by number from 1. Throws InvalidArgument with the list of names.
    int columnIndex(std::string_view nameOrNumber) const;
    int64_t memoryBytes() const;
};

// The columns of positions in a table, with frame and unit.
struct PositionColumns {
    int lon = -1, lat = -1;
    // RA, DEC: equatorial; GLON, GLAT: Galactic; otherwise the table's
    Frame frame = Frame::Unknown;
    double lonUnit = kDegree, latUnit = kDegree;  // radians in one unit of each column
    // The frame follows only from the usual meaning of the names; no UCD, CTYPE or table states the
    // frame.
    bool isFrameOfNames = false;
};

// True if these angles in radians are a place on the sky: a latitude between the poles and a
// longitude within two turns. Catalogs write -999, -99 or 999 for a missing position.
bool isPlace(double lon, double lat);
// True for a number that tables write for "no value": nines alone, at least two, as -99, 999 and
// -9999.
bool isFillValue(double value);

// A table whose rows are places on the sky.
struct Catalog {
    Table table;
    PositionColumns position;

    Frame frame() const { return position.frame; }
    int64_t rows() const { return table.rows(); }
    // Longitude and latitude of a row in radians; NaN if either is missing or the pair is no place
    // (isPlace).
    LonLat at(int64_t row) const;
    int64_t memoryBytes() const { return table.memoryBytes(); }
};

// Radians in one unit of angle (deg, rad, h, hourangle, arcmin, arcsec, mas, in any case). An empty
// unit means degrees, by convention. None for units that are no angle.
std::optional<double> angleUnit(std::string_view unit);

// Finds the columns with positions: by UCD (pos.eq.ra and pos.eq.dec, pos.galactic...,
// pos.ecliptic...; ;meta.main first), otherwise by the usual names (RA DEC, RAJ2000 DEJ2000, GLON
// GLAT, L B, LON LAT, ...; case, blanks and underscores are ignored). Among several pairs, one with
// the preferred frame is chosen. None if there is no such pair.
std::optional<PositionColumns> findPositions(const Table& table, Frame preferred = Frame::Unknown);
// findPositions that also accepts text columns, which may hold sexagesimal angles.
std::optional<PositionColumns> findTextPositions(const Table& table);
// The named pair, in the frame of its UCDs, otherwise of its names. Throws InvalidArgument for
// unknown names and for text columns.
PositionColumns positionsNamed(const Table& table, std::string_view lon, std::string_view lat);

}  // namespace armilla
