// SPDX-License-Identifier: GPL-3.0-or-later
// The celestial frames: the name of each in every file format and on screen.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "armilla/core/sky_vector.h"

namespace armilla {

// The names of one frame.
struct FrameFacts {
    Frame frame;
    std::string_view word;      // in session files and lines of regions
    std::string_view name;      // on screen
    char letter;                // in options and COORDSYS; 0 if none
    std::string_view lon, lat;  // column names
    // CTYPE with its dashes, before the code of the projection.
    std::string_view lonAxis, latAxis;
    std::string_view lonUcd, latUcd;
    std::string_view region;   // coordinate system line of a DS9 region file
    std::string_view voTable;  // COOSYS
};

// In the order of the enumeration, which factsOf relies on.
inline constexpr auto kFrameTable = std::to_array<FrameFacts>({
    {Frame::Unknown, "unknown", "frame unknown", 0, "LON", "LAT", "", "", "", "", "", ""},
    {Frame::Galactic, "galactic", "Galactic", 'G', "GLON", "GLAT", "GLON-", "GLAT-",
     "pos.galactic.lon", "pos.galactic.lat", "galactic", "galactic"},
    {Frame::Ecliptic, "ecliptic", "ecliptic", 'E', "ELON", "ELAT", "ELON-", "ELAT-",
     "pos.ecliptic.lon", "pos.ecliptic.lat", "ecliptic", "ecl_FK5"},
    {Frame::Equatorial, "equatorial", "equatorial (ICRS)", 'C', "RA", "DEC", "RA---", "DEC--",
     "pos.eq.ra", "pos.eq.dec", "icrs", "ICRS"},
});

// The row of a frame.
constexpr const FrameFacts& factsOf(Frame frame) {
    return kFrameTable.at(static_cast<size_t>(frame));
}

namespace detail {
constexpr bool framesAreInOrder() {
    for (size_t i = 0; i < kFrameTable.size(); ++i)
        if (static_cast<size_t>(kFrameTable[i].frame) != i) return false;
    return true;
}
}  // namespace detail
static_assert(detail::framesAreInOrder(), "rows stand in the order of the enumeration");

}  // namespace armilla
