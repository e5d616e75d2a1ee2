// SPDX-License-Identifier: GPL-3.0-or-later
// Right ascensions and declinations of FK4 and of FK5 of any equinox, and their way to ICRS.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/sky_vector.h"

namespace armilla {

// FK4 without E-terms lacks the elliptic part of the annual aberration, which catalogs of FK4 have.
enum class EquatorialSystem { Icrs, Fk4, Fk4NoETerms, Fk5 };

// Frames of inputs only: everything that the program writes is ICRS.
struct EquatorialFrame {
    EquatorialSystem system = EquatorialSystem::Icrs;
    double equinox = 2000.0;           // Besselian year for FK4, Julian year for FK5
    std::optional<double> observed{};  // Julian year of observation, for FK4; none: the equinox
    bool operator==(const EquatorialFrame&) const = default;
};

// "FK4 (B1950.0)", "FK4 (B1950.0, observed 1984.50)", "FK5 (J1975.0)", "ICRS".
std::string equatorialName(const EquatorialFrame& frame);

// The frame by RADESYS (or the system of a VOTable's COOSYS) and EQUINOX; none without either, or
// for another word. Without a word FK4 is meant before 1984, FK5 from then on (FITS WCS
// paper II, section 3.1); without an equinox B1950 for FK4 and J2000 for FK5.
std::optional<EquatorialFrame> equatorialFrameOf(std::string_view system,
                                                 std::optional<double> equinox);
// "B1950.0", "J2000", "1950": the year; none for other text.
std::optional<double> equinoxYear(std::string_view text);
// The Julian year of a modified Julian date, of a Besselian year, and of a date as FITS writes it
// ("1984-05-12T10:00:00" or, before 2000, "12/05/84"); none for other text.
double julianYearOfMjd(double mjd);
double julianYearOfBesselian(double year);
std::optional<double> julianYearOfDate(std::string_view date);

// A frame that a person states for an input: FK4 (B1950) and FK5 (J2000) beside the three letters.
struct StatedFrame {
    StatedFrame(Frame stated) : frame(stated) {}  // NOLINT(google-explicit-constructor)
    explicit StatedFrame(const EquatorialFrame& stated)
        : frame(Frame::Equatorial), equatorial(stated) {}
    Frame frame = Frame::Unknown;
    EquatorialFrame equatorial{};
    bool operator==(const StatedFrame&) const = default;
};
// "G", "E", "C", "FK4", "FK5".
std::string statedFrameWord(const StatedFrame& stated);
// The same and all that frameFromText takes; none for other text.
std::optional<StatedFrame> statedFrameFromText(std::string_view text);

// Directions of a frame turned to ICRS, as astropy 8 does it, to 1e-4 arcsec of astropy
// (tests/compute/tst_equatorial_frame.cpp): E-terms of aberration by the equinox (Explanatory
// Supplement to the Astronomical Almanac, 1992, 3.53), precession of FK4 by Newcomb (Kinoshita
// 1975, SAO Special Report 364), the matrix from B1950 to J2000 with the rotation of FK4 until the
// epoch of observation (Standish 1982; Murray 1989, A&A 218, 325, equations 28 and 29), precession
// of FK5 by IAU 2006 (Hilton et al. 2006), frame bias of FK5 (USNO Circular 179). Proper motions
// are taken as 0 in the inertial frame.
class ToIcrs {
public:
    explicit ToIcrs(const EquatorialFrame& frame);
    // Unit vectors of the given frame in ICRS, and back.
    Vec3 operator()(Vec3 given) const { return normalized(linear_ * withoutETerms(given)); }
    Vec3 inverse(Vec3 icrs) const;
    // The angle from north in ICRS to the given frame's north at a direction of that frame,
    // counted through east, radians.
    double northAngle(Vec3 given) const;

private:
    Vec3 withoutETerms(Vec3 v) const { return v - eTerms_ + dot(eTerms_, v) * v; }
    Mat3 linear_, back_;  // the matrix of FK4 is a rotation to 1e-9 only
    Vec3 eTerms_;
};

}  // namespace armilla
