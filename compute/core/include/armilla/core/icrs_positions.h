// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion of table positions from FK4, or FK5 of any equinox, to ICRS.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/core/table.h"

namespace armilla {

// The frame of right ascensions and declinations to convert. The first that is present applies: the
// stated frame, the column names (RAB1950), the frame of these columns, the frame of the table.
// None for positions in ICRS, Galactic or ecliptic coordinates. Throws InvalidArgument if the
// stated frame contradicts the file, and for ecliptic coordinates of an equinox other than J2000.0.
std::optional<EquatorialFrame> equatorialFrameOf(
    const Table& table, const PositionColumns& positions,
    const std::optional<EquatorialFrame>& stated = std::nullopt);

// True if the file, or column names more specific than RA and DEC, state FK4, FK5 or ICRS.
bool saysEquatorial(const Table& table, const PositionColumns& positions);

// The system that RADESYS in the cards of a table names, if right ascensions in it cannot be
// converted to ICRS, such as GAPPT (FITS) and geo_app (VOTable). Otherwise empty. The frame of
// positions in such a system is unknown.
std::string unknownSystem(const Table& table);
// Sets RADESYS in the cards of a table to a system that cannot be converted. Removes the cards of
// the system for any other name.
void setUnknownSystem(Table& table, std::string_view system);

// The positions of a table in ICRS.
struct IcrsPlaces {
    std::vector<double> lon, lat;    // radians; NaN if either is missing
    std::vector<double> northAngle;  // ToIcrs::northAngle of each row, radians
    // "FK4 (B1950.0)", or "FK4 (B1950.0) and others" if rows differ
    std::string from;
};
// None if no position needs conversion. Frames may differ by row, from the columns RADESYS,
// EQUINOX, and DATE-OBS or MJD-OBS (single-dish FITS). Throws as equatorialFrameOf, and
// OutOfMemory, Cancelled.
std::optional<IcrsPlaces> icrsPlaces(const Table& table, const PositionColumns& positions,
                                     const std::optional<EquatorialFrame>& stated, JobContext& job);

// Converts the positions of a table to ICRS in place. Columns become double precision; columns
// named after an old equinox are renamed RA_ICRS and DEC_ICRS. Columns and cards that state the old
// frame are removed. The history and Table::turnedFrom record the conversion. Positions in ICRS do
// not change. Throws as icrsPlaces.
void turnToIcrs(Table& table, PositionColumns& positions,
                const std::optional<EquatorialFrame>& stated, JobContext& job);

}  // namespace armilla
