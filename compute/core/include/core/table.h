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

#include "core/equatorial_frame.h"
#include "core/sky_vector.h"

namespace armilla {

// One column: rows * width values, row after row. Numbers stay as the file has them, so that a
// conversion gives back what it read and an angle in degrees is the number that was stored. Missing
// floating-point values are NaN; missing integers stand in `null`.
struct TableColumn {
    std::string name, unit, ucd, description;
    int64_t width = 1;  // values in a row: more than 1 for spectra of samples
    std::variant<std::vector<double>, std::vector<float>, std::vector<int64_t>,
                 std::vector<std::string>>
        values;
    std::optional<int64_t> null;  // the integer that stands for "no value"
    // The frame that the file gives for this column alone, of right ascensions or declinations.
    std::optional<EquatorialFrame> equatorial{};

    bool isText() const { return values.index() == 3; }
    bool isInteger() const { return values.index() == 2; }
    int64_t size() const;
    int64_t rows() const { return width > 0 ? size() / width : 0; }
    // The value as a double; NaN for text and for missing ones. Integers beyond 2^53 are rounded.
    double number(int64_t row, int64_t element = 0) const;
    // The value as a person reads it: numbers with as many digits as bring them back; empty where
    // it is missing.
    std::string text(int64_t row, int64_t element = 0) const;
    int64_t memoryBytes() const;
};

struct Table {
    std::string name;
    std::vector<TableColumn> columns;  // of equally many rows
    Frame frame = Frame::Unknown;      // as the file says; else by the names of the positions
    std::optional<EquatorialFrame> equatorial{};  // the same of all right ascensions
    std::string turnedFrom;            // "FK4 (B1950.0)" of positions that a reader turned to ICRS
    std::vector<std::string> history;  // how it was made, oldest first
    std::vector<std::string> cards;    // unknown header cards of a FITS file, 80 columns each
    std::vector<std::string> leftOut;  // names of the file's columns that the program cannot hold

    int64_t rows() const { return columns.empty() ? 0 : columns.front().rows(); }
    // Index of the column of that name: the same letters first, else any case; none if absent.
    std::optional<int> find(std::string_view columnName) const;
    // The same, or the number from 1 that `nameOrNumber` names. Throws InvalidArgument listing the
    // names.
    int columnIndex(std::string_view nameOrNumber) const;
    int64_t memoryBytes() const;
};

// Where the positions of a table stand, and in which frame and unit.
struct PositionColumns {
    int lon = -1, lat = -1;
    Frame frame = Frame::Unknown;  // RA, DEC: equatorial; GLON, GLAT: Galactic; else the table's
    double lonUnit = kDegree, latUnit = kDegree;  // radians in one unit of the columns
    // The frame is what such names usually mean; neither a UCD, a CTYPE nor the table says so.
    bool isFrameOfNames = false;
};

// Whether these angles in radians are a place on the sky: a latitude from pole to pole and a
// longitude within two turns. Catalogs write -999, -99 or 999 where they have no position.
bool isPlace(double lon, double lat);
// Whether a number is one that tables write for "no value": nines alone, two or more of them, as
// -99, 999 and -9999.
bool isFillValue(double value);

// A table whose rows are places on the sky.
struct Catalog {
    Table table;
    PositionColumns position;

    Frame frame() const { return position.frame; }
    int64_t rows() const { return table.rows(); }
    // Longitude and latitude of a row in radians; NaN where either is missing or the two are no
    // place (isPlace).
    LonLat at(int64_t row) const;
    int64_t memoryBytes() const { return table.memoryBytes(); }
};

// Radians in one unit of angle (deg, rad, h, hourangle, arcmin, arcsec, mas, in any case); degrees
// where nothing is said, as the field does. None if it is no unit of angle.
std::optional<double> angleUnit(std::string_view unit);

// Finds the columns with positions: by UCD (pos.eq.ra and pos.eq.dec, pos.galactic...,
// pos.ecliptic...; ;meta.main first), else by the usual names (RA DEC, RAJ2000 DEJ2000, GLON GLAT,
// L B, LON LAT, ...; case, blanks and underscores do not count). Of several pairs, one that is said
// to be in the preferred frame. None if there is no such pair.
std::optional<PositionColumns> findPositions(const Table& table, Frame preferred = Frame::Unknown);
// The same with columns of text, too, which may hold sexagesimal angles.
std::optional<PositionColumns> findTextPositions(const Table& table);
// The pair that is named, in the frame that its UCDs, else its names say. Throws InvalidArgument
// for names that are not there or text columns.
PositionColumns positionsNamed(const Table& table, std::string_view lon, std::string_view lat);

}  // namespace armilla
