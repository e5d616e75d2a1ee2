// SPDX-License-Identifier: GPL-3.0-or-later
// Single-dish FITS tables (SDFITS): a spectrum in each row, with its own axis, place, time and
// state of the receiver.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/table.h"
#include "core/velocity_frames.h"

namespace armilla {

using NoteFunction = std::function<void(const std::string&)>;

// A word of the convention, as a column with a value in each row or as a card for all rows.
class RowWord {
public:
    // None if the table has neither, or a column of several values in a row.
    static std::optional<RowWord> find(const Table& table, const std::string& key);

    bool isNumber() const { return isNumber_; }
    bool isColumn() const { return column_ != nullptr; }
    std::string text(int64_t row = 0) const;  // without blanks behind
    double number(int64_t row = 0) const;     // NaN of a text
    const std::string& unit() const { return unit_; }
    // Whether rows have different values.
    bool differs() const;

private:
    const TableColumn* column_ = nullptr;
    std::string text_, unit_;
    double number_ = 0.0;
    bool isNumber_ = false;
};

// By the name of the table, or by CTYPE1, CRVAL1 and CDELT1.
bool isSingleDish(const Table& table);

// Rows whose coordinates (CTYPE2, CTYPE3) are those of most rows that name a system of the sky; a
// line says how many others there are. All rows where they agree, or none names such a system.
std::vector<int64_t> rowsOfOneSystem(const Table& table, const std::string& name,
                                     const NoteFunction& note);

// The setup of the receiver, by column (IFNUM, PLNUM or CRVAL4, CAL, SIG), with the values that the
// rows have. Columns of a group that `stated` names one of are left out: who
// selects by a column means the rows that are left.
using Setup = std::map<std::string, std::set<std::string>>;
Setup setupOf(const Table& table, const std::set<std::string>& stated);
// Throws InvalidArgument if a column of the setup has several values, with all of them.
void requireOneSetup(const Setup& setup);

// The axis of the channels of a spectrum: CTYPE1, CUNIT1, CRVAL1, CDELT1, CRPIX1.
struct SpectralAxis {
    std::string name, unit;  // FREQ, VELO-LSR, ...
    double value = 0.0, step = 1.0, reference = 1.0;
    SpectralFrame frame = SpectralFrame::Unknown;

    double at(int64_t channel) const {
        return value + (static_cast<double>(channel + 1) - reference) * step;
    }
    // The channel, from 0, of a value; inverse of `at`.
    double channelOf(double axisValue) const {
        return (axisValue - value) / step + reference - 1.0;
    }
    bool isFrequency() const { return name == "FREQ"; }
};
// The axes of all rows, as they are stored. None where the table has no such words.
struct RowAxes {
    SpectralAxis first;
    std::vector<SpectralAxis> rows;  // empty: as the first one
    bool isFrameAssumed = false;     // frequencies whose frame nothing says are topocentric

    const SpectralAxis& at(int64_t row) const {
        return rows.empty() ? first : rows[static_cast<size_t>(row)];
    }
};
// Throws InvalidArgument for rows whose axes are of two types or frames.
std::optional<RowAxes> rowAxes(const Table& table);

// Brings axes of frequency into another frame, row by row, by the site (SITELONG, SITELAT,
// SITEELEV), the time (DATE-OBS, TIME) and the direction (ICRS) of each. Throws InvalidArgument
// where one is missing; Unsupported for velocities.
void turnAxes(RowAxes& axes, SpectralFrame frame, const Table& table,
              const std::function<Vec3(int64_t row)>& directionOf);

// The observation by its table: OBJECT, TELESCOP, INSTRUME and RESTFRQ, as far as the rows agree,
// and the earliest DATE-OBS.
struct Observation {
    std::string object, telescope, instrument, date;
    std::optional<double> restFrequency;  // Hz
};
Observation observationOf(const Table& table);

// Channels of a spectrum in a column, by TDIMn ("(1024,2,1,1)") or MAXIS1, where the table has such
// a word: a row may hold several spectra.
std::optional<int64_t> channelsOf(const Table& table, int column);

// The unit of a column of spectra: its own, or that of a column TUNITn, as the GBT writes; K of
// "Ta" and "Tmb".
std::string unitOfSpectra(const Table& table, int column);

}  // namespace armilla
