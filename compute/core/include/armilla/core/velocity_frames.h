// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of radial velocity: the conversion of a frequency measured on the ground to an observer at
// rest relative to the solar system or the nearby stars.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "armilla/core/sky_vector.h"

namespace armilla {

// Reference frames of spectral axes; see kSpectralFrames for their FITS names.
enum class SpectralFrame {
    Unknown,
    Topocentric,
    Geocentric,
    Barycentric,
    Heliocentric,
    Lsrk,
    Lsrd
};

// The names of one spectral frame.
struct SpectralFrameFacts {
    SpectralFrame frame;
    std::string_view specsys;  // FITS WCS III, table 12
    std::string_view suffix;   // in CTYPE of AIPS and single-dish files: FREQ-LSR
    std::string_view name;     // in messages
};
inline constexpr std::array<SpectralFrameFacts, 7> kSpectralFrames{
    {{SpectralFrame::Unknown, "", "", "unknown"},
     {SpectralFrame::Topocentric, "TOPOCENT", "OBS", "topocentric"},
     {SpectralFrame::Geocentric, "GEOCENTR", "GEO", "geocentric"},
     {SpectralFrame::Barycentric, "BARYCENT", "BAR", "barycentric"},
     {SpectralFrame::Heliocentric, "HELIOCEN", "HEL", "heliocentric"},
     {SpectralFrame::Lsrk, "LSRK", "LSR", "lsrk"},
     {SpectralFrame::Lsrd, "LSRD", "LSD", "lsrd"}}};
// The row of a spectral frame.
constexpr const SpectralFrameFacts& factsOf(SpectralFrame frame) {
    return kSpectralFrames.at(static_cast<size_t>(frame));
}
// The frame by SPECSYS, by the suffix of FREQ- or VELO-, or by name, in any case; Unknown
// otherwise.
SpectralFrame spectralFrameNamed(std::string_view word);

// A telescope: east longitude and geodetic latitude (WGS84) in radians, meters above the ellipsoid.
struct ObservingSite {
    double lon = 0.0, lat = 0.0, height = 0.0;
};

// Velocity of the site at a time (modified Julian date, UTC) relative to the origin of the frame;
// m/s along the axes of ICRS; zero for topocentric. Throws InvalidArgument for Unknown.
//
// Within 0.5 m/s of ERFA's epv00 with the rotation of the Earth, 1980 to 2050
// (tests/compute/tst_velocity_frames.cpp). The Earth's orbit uses the terms of VSOP87 (Bretagnon
// and Francou, A&A 202 (1988) 309) down to 3e-7 rad or AU. The Sun's motion follows mean planets
// (Standish, JPL Solar System Dynamics). LSRK: 20 km/s towards 18h +30d of 1900; LSRD: (9, 12, 7)
// km/s in Galactic axes.
Vec3 siteVelocity(SpectralFrame frame, const ObservingSite& site, double mjd);
// The ratio of the frequency in the frame to the topocentric frequency: sqrt((1 - v/c) / (1 +
// v/c)), with v the velocity towards the direction (unit vector, ICRS).
double frequencyRatio(SpectralFrame frame, const ObservingSite& site, double mjd, Vec3 direction);
// Modified Julian date of "2019-04-01T12:34:56.7", of a date alone, or of the old form "01/04/89";
// none for other text.
std::optional<double> mjdOfDate(std::string_view text);

}  // namespace armilla
