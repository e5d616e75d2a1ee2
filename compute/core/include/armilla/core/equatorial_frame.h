// SPDX-License-Identifier: GPL-3.0-or-later
// Right ascensions and declinations in FK4 and FK5 of any equinox, and their conversion to ICRS.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "armilla/core/sky_vector.h"

namespace armilla {

// Fk4NoETerms lacks the elliptic terms of the annual aberration, which FK4 catalogs contain.
enum class EquatorialSystem { Icrs, Fk4, Fk4NoETerms, Fk5 };

// A frame of input data only: all output of the program is ICRS.
struct EquatorialFrame {
    EquatorialSystem system = EquatorialSystem::Icrs;
    double equinox = 2000.0;           // Besselian year for FK4, Julian year for FK5
    std::optional<double> observed{};  // Julian year of observation, for FK4; the equinox if absent
    bool operator==(const EquatorialFrame&) const = default;
};

// The name of a frame: "FK4 (B1950.0)", "FK4 (B1950.0, observed 1984.50)", "FK5 (J1975.0)", "ICRS".
std::string equatorialName(const EquatorialFrame& frame);

// The frame from RADESYS (or the system of a VOTable's COOSYS) and EQUINOX. Absent if both are
// absent, or for an unknown system. Without a system, FK4 is assumed before 1984 and FK5 from 1984
// on (FITS WCS paper II, section 3.1). Without an equinox, B1950 is assumed for FK4, J2000 for FK5.
std::optional<EquatorialFrame> equatorialFrameOf(std::string_view system,
                                                 std::optional<double> equinox);
// The year of "B1950.0", "J2000" or "1950"; absent for other text.
std::optional<double> equinoxYear(std::string_view text);
// The Julian year of a modified Julian date, of a Besselian year, and of a FITS date
// ("1984-05-12T10:00:00" or, before 2000, "12/05/84"); absent for other text.
double julianYearOfMjd(double mjd);
double julianYearOfBesselian(double year);
std::optional<double> julianYearOfDate(std::string_view date);

// A frame that the user states for an input: G, E or C, FK4 (B1950) or FK5 (J2000).
struct StatedFrame {
    StatedFrame(Frame stated) : frame(stated) {}  // NOLINT(google-explicit-constructor)
    explicit StatedFrame(const EquatorialFrame& stated)
        : frame(Frame::Equatorial), equatorial(stated) {}
    Frame frame = Frame::Unknown;
    EquatorialFrame equatorial{};
    bool operator==(const StatedFrame&) const = default;
};
// The word of a stated frame: "G", "E", "C", "FK4", "FK5".
std::string statedFrameWord(const StatedFrame& stated);
// Parses the words of statedFrameWord and all words of frameFromText; absent for other text.
std::optional<StatedFrame> statedFrameFromText(std::string_view text);

// Converts directions of a frame to ICRS, with the method of astropy 8, to 1e-4 arcsec of astropy
// (tests/compute/tst_equatorial_frame.cpp):
// - E-terms of aberration by the equinox (Explanatory Supplement to the Astronomical Almanac, 1992,
//   3.53)
// - precession of FK4 by Newcomb (Kinoshita 1975, SAO Special Report 364)
// - the matrix from B1950 to J2000 with the rotation of FK4 until the epoch of observation
//   (Standish 1982; Murray 1989, A&A 218, 325, equations 28 and 29)
// - precession of FK5 by IAU 2006 (Hilton et al. 2006)
// - frame bias of FK5 (USNO Circular 179)
// Proper motions are taken as 0 in the inertial frame.
class ToIcrs {
public:
    explicit ToIcrs(const EquatorialFrame& frame);
    // Unit vectors of the given frame in ICRS, and the inverse.
    Vec3 operator()(Vec3 given) const { return normalized(linear_ * withoutETerms(given)); }
    Vec3 inverse(Vec3 icrs) const;
    // The angle from north in ICRS to the given frame's north at a direction of the given frame;
    // radians, positive through east.
    double northAngle(Vec3 given) const;

private:
    Vec3 withoutETerms(Vec3 v) const { return v - eTerms_ + dot(eTerms_, v) * v; }
    Mat3 linear_, back_;  // the matrix of FK4 is a rotation to 1e-9 only
    Vec3 eTerms_;
};

}  // namespace armilla
