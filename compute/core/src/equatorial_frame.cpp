// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/equatorial_frame.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <utility>

#include "armilla/core/ascii_text.h"
#include "armilla/core/julian_dates.h"
#include "armilla/core/tangent.h"

namespace armilla {

namespace {

// Rotations of the axes by an angle, as SOFA's iauRx, iauRy, iauRz.
Mat3 axesAboutX(double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    return {{1, 0, 0, 0, c, s, 0, -s, c}};
}
Mat3 axesAboutY(double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    return {{c, 0, -s, 0, 1, 0, s, 0, c}};
}
Mat3 axesAboutZ(double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    return {{c, s, 0, -s, c, 0, 0, 0, 1}};
}

Mat3 inverseOf(const Mat3& a) {
    const Vec3 x{a.m[0], a.m[1], a.m[2]}, y{a.m[3], a.m[4], a.m[5]}, z{a.m[6], a.m[7], a.m[8]};
    const double scale = 1.0 / dot(x, cross(y, z));
    const Vec3 p = scale * cross(y, z), q = scale * cross(z, x), r = scale * cross(x, y);
    return {{p.x, q.x, r.x, p.y, q.y, r.y, p.z, q.z, r.z}};
}

// FK5 to ICRS at J2000.0: USNO Circular 179 (2005), equation 3.3, transposed.
Mat3 icrsFromFk5() {
    constexpr double kMas = kArcsec / 1000.0;
    return transposed(axesAboutX(19.9 * kMas) * axesAboutY(9.1 * kMas) * axesAboutZ(-22.9 * kMas));
}

// Bias and precession over one century from J2000.0, IAU 2006, by the angles of Fukushima and
// Williams: Hilton et al. 2006 (Celest. Mech. Dyn. Astron. 94, 351), equations 38 to 41, with the
// angles of SOFA's iauPfw06.
Mat3 biasAndPrecession(double t) {
    const double gamma =
        -0.052928 + t * (10.556378 + t * (0.4932044 + t * (-0.00031238 +
                                                           t * (-0.000002788 + t * 0.0000000260))));
    const double phi =
        84381.412819 +
        t * (-46.811016 +
             t * (0.0511268 + t * (0.00053289 + t * (-0.000000440 + t * -0.0000000176))));
    const double psi =
        -0.041775 +
        t * (5038.481484 +
             t * (1.5584175 + t * (-0.00018522 + t * (-0.000026452 + t * -0.0000000148))));
    const double epsilon =
        84381.406 +
        t * (-46.836769 +
             t * (-0.0001831 + t * (0.00200340 + t * (-0.000000576 + t * -0.0000000434))));
    return axesAboutX(-epsilon * kArcsec) * axesAboutZ(-psi * kArcsec) * axesAboutX(phi * kArcsec) *
           axesAboutZ(gamma * kArcsec);
}

// From the mean equator and equinox of a Julian year to the mean equator and equinox of J2000.0.
Mat3 fk5Precession(double year) {
    return biasAndPrecession(0.0) * transposed(biasAndPrecession((year - 2000.0) / 100.0));
}

// Newcomb's precession from a Besselian year to B1950.0: Kinoshita 1975, SAO Special Report 364,
// as in the Explanatory Supplement (1961), section 2B.
Mat3 newcombPrecession(double year) {
    const double t = (year - 1850.0) / 1000.0, d = (1950.0 - year) / 1000.0;
    const double first = 23035.545 + t * (139.720 + t * 0.060);
    const double zeta = d * (first + d * (30.240 - t * 0.27 + d * 17.995));
    const double z = d * (first + d * (109.480 + t * 0.39 + d * 18.325));
    const double theta =
        d * (20051.12 + t * (-85.29 - t * 0.37) + d * (-42.65 - t * 0.37 + d * -41.8));
    return axesAboutZ(-z * kArcsec) * axesAboutY(theta * kArcsec) * axesAboutZ(-zeta * kArcsec);
}

// FK4 without E-terms at B1950.0 to FK5 at J2000.0, for directions observed at a Julian year:
// Murray 1989, equations 28 and 29. The second matrix is the rotation of FK4 per century.
Mat3 fk5FromFk4(double observed) {
    constexpr std::array<double, 9> kAt1950{
        0.9999256794956877, -0.0111814832204662, -0.0048590038153592,
        0.0111814832391717, 0.9999374848933135,  -0.0000271625947142,
        0.0048590037723143, -0.0000271702937440, 0.9999881946023742};
    constexpr std::array<double, 9> kRate{-0.0026455262, -1.1539918689, 2.1111346190,
                                          1.1540628161,  -0.0129042997, 0.0236021478,
                                          -2.1112979048, -0.0056024448, 0.0102587734};
    const double centuries = (observed - 1950.0) / 100.0;
    Mat3 matrix;
    for (size_t i = 0; i < 9; ++i) matrix.m[i] = kAt1950[i] + 1e-6 * centuries * kRate[i];
    return matrix;
}

// Explanatory Supplement (1992), 3.53: the constant of aberration times the eccentricity of the
// Earth's orbit, towards its perihelion, in equatorial axes of the equinox.
Vec3 eTermsOf(double besselianYear) {
    const double jd = julianDateOfBesselian(besselianYear);
    const double t = (jd - julianDateOfBesselian(1950.0)) / 36525.0;
    const double k = 0.0056932 * kDegree;
    const double eccentricity = 0.01673011 + t * (-0.00004193 - t * 0.000000126);
    const double perigee = (1015489.951 + t * (6190.67 + t * (1.65 + t * 0.012))) * kArcsec;
    // IAU 1980, SOFA's iauObl80.
    const double u = (jd - kJulianDateOf2000) / 36525.0;
    const double obliquity = (84381.448 + u * (-46.8150 + u * (-0.00059 + u * 0.001813))) * kArcsec;
    const double ek = eccentricity * k;
    return {ek * std::sin(perigee), -ek * std::cos(perigee) * std::cos(obliquity),
            -ek * std::cos(perigee) * std::sin(obliquity)};
}

std::string upperLetters(std::string_view text) {
    std::string word;
    for (const char c : upperCase(text))
        if ((c >= 'A' && c <= 'Z') || isDigit(c) || c == '.') word += c;
    return word;
}

std::string yearText(char kind, double year) {
    std::array<char, 32> text{};
    const bool isTenth = std::abs(year * 10.0 - std::round(year * 10.0)) < 1e-6;
    std::snprintf(text.data(), text.size(), isTenth ? "%c%.1f" : "%c%.4f", kind, year);
    return text.data();
}

}  // namespace

std::string equatorialName(const EquatorialFrame& frame) {
    switch (frame.system) {
        case EquatorialSystem::Icrs: return "ICRS";
        case EquatorialSystem::Fk5: return "FK5 (" + yearText('J', frame.equinox) + ")";
        case EquatorialSystem::Fk4:
        case EquatorialSystem::Fk4NoETerms: break;
    }
    std::string name = frame.system == EquatorialSystem::Fk4 ? "FK4 (" : "FK4 without E-terms (";
    name += yearText('B', frame.equinox);
    if (frame.observed) {
        std::array<char, 32> text{};
        std::snprintf(text.data(), text.size(), ", observed %.2f", *frame.observed);
        name += text.data();
    }
    return name + ")";
}

std::optional<EquatorialFrame> equatorialFrameOf(std::string_view system,
                                                 std::optional<double> equinox) {
    std::string word = upperLetters(system);
    if (word.starts_with("EQ") && word.size() > 2) word = word.substr(2);  // eq_FK4 of VOTables
    const auto is = [&](std::initializer_list<std::string_view> words) {
        for (const std::string_view each : words)
            if (word == each) return true;
        return false;
    };
    const double year = equinox.value_or(0.0);
    const bool isSaid = year > 1500.0 && year < 2500.0;
    EquatorialFrame frame;
    if (word.empty() && isSaid)
        frame.system = year < 1984.0 ? EquatorialSystem::Fk4 : EquatorialSystem::Fk5;
    else if (is({"FK4", "B1950", "B1950.0"}))
        frame.system = EquatorialSystem::Fk4;
    else if (is({"FK4NOE", "FK4NOETERMS"}))
        frame.system = EquatorialSystem::Fk4NoETerms;
    else if (is({"FK5", "J2000", "J2000.0"}))
        frame.system = EquatorialSystem::Fk5;
    else if (word != "ICRS")
        return std::nullopt;
    if (frame.system == EquatorialSystem::Icrs) return frame;
    const bool isFk5 = frame.system == EquatorialSystem::Fk5;
    frame.equinox = isSaid ? year : isFk5 ? 2000.0 : 1950.0;
    return frame;
}

std::optional<double> equinoxYear(std::string_view text) {
    std::string word = upperLetters(text);
    if (!word.empty() && (word[0] == 'B' || word[0] == 'J')) word.erase(0, 1);
    double year = 0.0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), year);
    if (error != std::errc() || stop != word.data() + word.size()) return std::nullopt;
    if (!(year > 1500.0 && year < 2500.0)) return std::nullopt;
    return year;
}

double julianYearOfMjd(double mjd) {
    return julianYearOfJulianDate(mjd + kMjdOffset);
}

double julianYearOfBesselian(double year) {
    return julianYearOfJulianDate(julianDateOfBesselian(year));
}

std::optional<double> julianYearOfDate(std::string_view date) {
    const std::string text(date);
    int year = 0, month = 0, day = 0, hours = 0, minutes = 0;
    double seconds = 0.0;
    if (text.find('/') != std::string::npos) {
        if (std::sscanf(text.c_str(), "%d/%d/%d", &day, &month, &year) != 3) return std::nullopt;
        if (year < 100) year += 1900;
    } else if (std::sscanf(text.c_str(), "%d-%d-%dT%d:%d:%lf", &year, &month, &day, &hours,
                           &minutes, &seconds) < 3) {
        return std::nullopt;
    }
    if (year < 1500 || year > 2500 || month < 1 || month > 12 || day < 1 || day > 31)
        return std::nullopt;
    // Days of the Gregorian calendar: Fliegel and Van Flandern 1968.
    const int a = (month - 14) / 12;
    const int number = 1461 * (year + 4800 + a) / 4 + 367 * (month - 2 - 12 * a) / 12 -
                       3 * ((year + 4900 + a) / 100) / 4 + day - 32075;
    const double fraction = (hours + (minutes + seconds / 60.0) / 60.0) / 24.0;
    return julianYearOfJulianDate(number - 0.5 + fraction);
}

std::string statedFrameWord(const StatedFrame& stated) {
    if (stated.equatorial.system == EquatorialSystem::Fk4) return "FK4";
    if (stated.equatorial.system == EquatorialSystem::Fk5) return "FK5";
    const char letter = frameLetter(stated.frame);
    return letter == 0 ? "" : std::string(1, letter);
}

std::optional<StatedFrame> statedFrameFromText(std::string_view text) {
    const std::optional<EquatorialFrame> named = equatorialFrameOf(text, std::nullopt);
    if (named && (named->system == EquatorialSystem::Fk4 || named->system == EquatorialSystem::Fk5))
        return StatedFrame(*named);
    const Frame frame = frameFromText(text);
    if (frame == Frame::Unknown) return std::nullopt;
    return StatedFrame(frame);
}

ToIcrs::ToIcrs(const EquatorialFrame& frame) {
    switch (frame.system) {
        case EquatorialSystem::Icrs: break;
        case EquatorialSystem::Fk5: linear_ = icrsFromFk5() * fk5Precession(frame.equinox); break;
        case EquatorialSystem::Fk4: eTerms_ = eTermsOf(frame.equinox); [[fallthrough]];
        case EquatorialSystem::Fk4NoETerms: {
            const double observed = frame.observed.value_or(julianYearOfBesselian(frame.equinox));
            linear_ = icrsFromFk5() * fk5FromFk4(observed) * newcombPrecession(frame.equinox);
            break;
        }
    }
    back_ = inverseOf(linear_);
}

Vec3 ToIcrs::inverse(Vec3 icrs) const {
    const Vec3 wanted = normalized(back_ * icrs);
    // Fixed-point iteration: E-terms are 3e-4, and each step reduces the error by that factor.
    Vec3 v = wanted;
    for (int i = 0; i < 4; ++i) v = normalized(v + (wanted - normalized(withoutETerms(v))));
    return v;
}

double ToIcrs::northAngle(Vec3 given) const {
    // The derivative of the map along the meridian; at the poles along the meridian of longitude 0.
    const Vec3 north = tangentAt(given).north;
    const Vec3 moved =
        linear_ * (north + dot(eTerms_, north) * given + dot(eTerms_, given) * north);
    const Tangent there = tangentAt((*this)(given));
    return std::atan2(dot(moved, there.east), dot(moved, there.north));
}

}  // namespace armilla
