// SPDX-License-Identifier: GPL-3.0-or-later
// Single-dish FITS tables (SDFITS): each row is a spectrum with its own axis, position, time and
// receiver state.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "armilla/core/table.h"
#include "armilla/core/velocity_frames.h"

namespace armilla {

using NoteFunction = std::function<void(const std::string&)>;

// Keyword of the convention: a column with a value in each row, or a card for all rows.
class RowWord {
public:
    // None if the table has neither, or if the column has several values in a row.
    static std::optional<RowWord> find(const Table& table, const std::string& key);

    bool isNumber() const { return isNumber_; }
    bool isColumn() const { return column_ != nullptr; }
    std::string text(int64_t row = 0) const;  // without trailing blanks
    double number(int64_t row = 0) const;     // NaN for text
    const std::string& unit() const { return unit_; }
    // Whether rows differ in their values.
    bool differs() const;

private:
    const TableColumn* column_ = nullptr;
    std::string text_, unit_;
    double number_ = 0.0;
    bool isNumber_ = false;
};

// Recognizes a single-dish table by its name, or by CTYPE1, CRVAL1 and CDELT1.
bool isSingleDish(const Table& table);

// Rows in the coordinate system (CTYPE2, CTYPE3) of most rows that name one; a line reports the
// number of others. All rows if they agree or none names a system.
std::vector<int64_t> rowsOfOneSystem(const Table& table, const std::string& name,
                                     const NoteFunction& note);

// Receiver setup: the values of the rows in each column (IFNUM, PLNUM or CRVAL4, CAL, SIG). A group
// is left out if `stated` names one of its columns, because the user has already selected by it.
using Setup = std::map<std::string, std::set<std::string>>;
Setup setupOf(const Table& table, const std::set<std::string>& stated);
// Throws InvalidArgument if a column of the setup has several values, and lists them.
void requireOneSetup(const Setup& setup);

// Spectral axis: CTYPE1, CUNIT1, CRVAL1, CDELT1, CRPIX1.
struct SpectralAxis {
    std::string name, unit;  // FREQ, VELO-LSR, ...
    double value = 0.0, step = 1.0, reference = 1.0;
    SpectralFrame frame = SpectralFrame::Unknown;

    double at(int64_t channel) const {
        return value + (static_cast<double>(channel + 1) - reference) * step;
    }
    // Channel, counted from 0, of a value; inverse of `at`.
    double channelOf(double axisValue) const {
        return (axisValue - value) / step + reference - 1.0;
    }
    bool isFrequency() const { return name == "FREQ"; }
};
// Spectral axes of all rows as stored.
struct RowAxes {
    SpectralAxis first;
    std::vector<SpectralAxis> rows;  // empty: all rows have the first axis
    bool isFrameAssumed = false;     // no frame is named, so topocentric frequencies are assumed

    const SpectralAxis& at(int64_t row) const {
        return rows.empty() ? first : rows[static_cast<size_t>(row)];
    }
};
// None if the table has no axis keywords. Throws InvalidArgument for rows whose axes differ in type
// or frame.
std::optional<RowAxes> rowAxes(const Table& table);

// Converts frequency axes to another frame, row by row, from the site (SITELONG, SITELAT,
// SITEELEV), the time (DATE-OBS, TIME) and the direction (ICRS). Throws InvalidArgument if one is
// missing, Unsupported for velocities.
void turnAxes(RowAxes& axes, SpectralFrame frame, const Table& table,
              const std::function<Vec3(int64_t row)>& directionOf);

// Observation of a table: OBJECT, TELESCOP, INSTRUME and RESTFRQ if the rows agree, and the
// earliest DATE-OBS.
struct Observation {
    std::string object, telescope, instrument, date;
    std::optional<double> restFrequency;  // Hz
};
Observation observationOf(const Table& table);

// Number of channels of a spectrum in a column, from TDIMn ("(1024,2,1,1)") or MAXIS1; a row may
// hold several spectra. None without these keywords.
std::optional<int64_t> channelsOf(const Table& table, int column);

// Unit of a column of spectra: its own, or the column TUNITn that the GBT writes; K for "Ta" and
// "Tmb".
std::string unitOfSpectra(const Table& table, int column);

}  // namespace armilla
