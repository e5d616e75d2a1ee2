// SPDX-License-Identifier: GPL-3.0-or-later
// Positions of tables in FK4, and in FK5 of any equinox, turned to ICRS.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/job_context.h"
#include "core/table.h"

namespace armilla {

// The frame of right ascensions and declinations that is to be turned: what is stated for an input,
// else what the names of the columns say (RAB1950), the file of these columns, or of all. None
// where the positions are ICRS, or in Galactic or ecliptic coordinates. Throws InvalidArgument
// where another frame is stated than the file says, and for ecliptic coordinates of another equinox
// than J2000.0.
std::optional<EquatorialFrame> equatorialFrameOf(
    const Table& table, const PositionColumns& positions,
    const std::optional<EquatorialFrame>& stated = std::nullopt);

// Whether the file, or the names of the columns beyond RA and DEC, say FK4, FK5 or ICRS.
bool saysEquatorial(const Table& table, const PositionColumns& positions);

// The positions of a table in ICRS.
struct IcrsPlaces {
    std::vector<double> lon, lat;    // radians; NaN where either is missing
    std::vector<double> northAngle;  // of ToIcrs
    std::string from;                // "FK4 (B1950.0)"; "FK4 (B1950.0) and others" by their rows
};
// None where nothing is to be turned. Rows may differ, by columns RADESYS, EQUINOX, and DATE-OBS or
// MJD-OBS (single-dish FITS). Throws as equatorialFrameOf, OutOfMemory, Cancelled.
std::optional<IcrsPlaces> icrsPlaces(const Table& table, const PositionColumns& positions,
                                     const std::optional<EquatorialFrame>& stated, JobContext& job);

// Turns the positions of a table in place: its columns become double precision, those named after
// an old equinox RA_ICRS and DEC_ICRS; columns and cards that say the old frame go; the history
// says and Table::turnedFrom say what was done. Positions in ICRS stay as they are. Throws as
// icrsPlaces.
void turnToIcrs(Table& table, PositionColumns& positions,
                const std::optional<EquatorialFrame>& stated, JobContext& job);

}  // namespace armilla
