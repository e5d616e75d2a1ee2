// SPDX-License-Identifier: GPL-3.0-or-later
// Julian dates, in days, and the years of equinoxes.
#pragma once

namespace armilla {

inline constexpr double kMjdOffset = 2400000.5;  // Julian date of MJD 0

// Julian years from J2000.0, JD 2451545.
inline constexpr double kJulianDateOf2000 = 2451545.0, kJulianYear = 365.25;
inline double julianYearOfJulianDate(double date) {
    return 2000.0 + (date - kJulianDateOf2000) / kJulianYear;
}

// Besselian years, of the length of the tropical year at B1900.0: Lieske 1979, A&A 73, 282.
inline constexpr double kJulianDateOfB1900 = 2415020.31352, kBesselianYear = 365.242198781;
inline double julianDateOfBesselian(double year) {
    return kJulianDateOfB1900 + (year - 1900.0) * kBesselianYear;
}
inline double besselianYearOfJulianDate(double date) {
    return 1900.0 + (date - kJulianDateOfB1900) / kBesselianYear;
}

}  // namespace armilla
