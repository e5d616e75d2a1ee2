// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/velocity_frames.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <string>

#include "armilla/core/ascii_text.h"
#include "armilla/core/error.h"

namespace armilla {

namespace {

constexpr double kLightSpeed = 299792458.0;           // m/s
constexpr double kAstronomicalUnit = 149597870700.0;  // m
constexpr double kDay = 86400.0;                      // s
constexpr double kMjdOfJ2000 = 51544.5;
// TT - UTC in days, within 2 s: the Earth's velocity changes by 6 mm/s in a second.
double terrestrialLead(double mjd) {
    constexpr double kMjdOf1980 = 44239.0, kSecondsOf1980 = 51.184, kSecondsOf2017 = 69.184;
    const double seconds = kSecondsOf1980 + (mjd - kMjdOf1980) / 13515.0 * 18.0;
    return std::clamp(seconds, 42.184, kSecondsOf2017) / kDay;
}

struct Wave {
    double amplitude, phase, frequency;  // 1e-8 rad or AU, rad, rad per millennium
};
// The Earth's heliocentric longitude, latitude and radius, ecliptic and equinox J2000.
constexpr Wave kLongitude0[] = {{175347046, 0, 0},
                                {3341656, 4.6692568, 6283.0758500},
                                {34894, 4.62610, 12566.15170},
                                {3497, 2.7441, 5753.3849},
                                {3418, 2.8289, 3.5231},
                                {3136, 3.6277, 77713.7715},
                                {2676, 4.4181, 7860.4194},
                                {2343, 6.1352, 3930.2097},
                                {1324, 0.7425, 11506.7698},
                                {1273, 2.0371, 529.6910},
                                {1199, 1.1096, 1577.3435},
                                {990, 5.233, 5884.927},
                                {902, 2.045, 26.298},
                                {857, 3.508, 398.149},
                                {780, 1.179, 5223.694},
                                {753, 2.533, 5507.553},
                                {505, 4.583, 18849.228},
                                {492, 4.205, 775.523},
                                {357, 2.920, 0.067},
                                {317, 5.849, 11790.629},
                                {284, 1.899, 796.298},
                                {271, 0.315, 10977.079},
                                {243, 0.345, 5486.778},
                                {206, 4.806, 2544.314},
                                {205, 1.869, 5573.143},
                                {202, 2.458, 6069.777},
                                {156, 0.833, 213.299},
                                {132, 3.411, 2942.463},
                                {126, 1.083, 20.775},
                                {115, 0.645, 0.980},
                                {103, 0.636, 4694.003},
                                {102, 0.976, 15720.839},
                                {102, 4.267, 7.114},
                                {99, 6.21, 2146.17},
                                {98, 0.68, 155.42},
                                {86, 5.98, 161000.69},
                                {85, 1.3, 6275.96},
                                {85, 3.67, 71430.7},
                                {80, 1.81, 17260.15},
                                {79, 3.04, 12036.46},
                                {75, 1.76, 5088.63},
                                {74, 3.5, 3154.69},
                                {74, 4.68, 801.82},
                                {70, 0.83, 9437.76},
                                {62, 3.98, 8827.39},
                                {61, 1.82, 7084.9},
                                {57, 2.78, 6286.6},
                                {56, 4.39, 14143.5},
                                {56, 3.47, 6279.55},
                                {52, 0.19, 12139.55},
                                {52, 1.33, 1748.02},
                                {51, 0.28, 5856.48},
                                {49, 0.49, 1194.45},
                                {41, 5.37, 8429.24},
                                {41, 2.4, 19651.05},
                                {39, 6.17, 10447.39},
                                {37, 6.04, 10213.29},
                                {36, 1.78, 6812.77},
                                {33, 0.59, 17789.85},
                                {30, 0.44, 83996.85}};
constexpr Wave kLongitude1[] = {{628307584999, 0, 0},       {206059, 2.678235, 6283.075850},
                                {4303, 2.6351, 12566.1517}, {425, 1.590, 3.523},
                                {119, 5.796, 26.298},       {109, 2.966, 1577.344},
                                {93, 2.59, 18849.23}};
constexpr Wave kLongitude2[] = {
    {8722, 1.0725, 6283.0758}, {991, 3.1416, 0}, {295, 0.437, 12566.152}};
constexpr Wave kLatitude0[] = {{280, 3.199, 84334.662},
                               {102, 5.422, 5507.553},
                               {80, 3.88, 5223.69},
                               {44, 3.70, 2352.87},
                               {32, 4.00, 1577.34}};
constexpr Wave kLatitude1[] = {
    {227778, 3.413766, 6283.075850}, {3806, 3.3706, 12566.1517}, {3620, 0, 0}};
constexpr Wave kRadius0[] = {{100013989, 0, 0},
                             {1670700, 3.0984635, 6283.0758500},
                             {13956, 3.05525, 12566.15170},
                             {3084, 5.1985, 77713.7715},
                             {1628, 1.1739, 5753.3849},
                             {1576, 2.8469, 7860.4194},
                             {925, 5.453, 11506.770},
                             {542, 4.564, 3930.210},
                             {472, 3.661, 5884.927},
                             {346, 0.964, 5507.553},
                             {329, 5.900, 5223.694},
                             {307, 0.299, 5573.143},
                             {243, 4.273, 11790.629},
                             {212, 5.847, 1577.344},
                             {186, 5.022, 10977.079},
                             {175, 3.012, 18849.228},
                             {110, 5.055, 5486.778},
                             {98, 0.89, 6069.78},
                             {86, 5.69, 15720.84},
                             {86, 1.27, 161000.69},
                             {65, 0.27, 17260.15},
                             {63, 0.92, 529.69},
                             {57, 2.01, 83996.85},
                             {56, 5.24, 71430.7},
                             {49, 3.25, 2544.31},
                             {47, 2.58, 775.52},
                             {45, 5.54, 9437.76},
                             {43, 6.01, 6275.96},
                             {39, 5.36, 4694},
                             {38, 2.39, 8827.39},
                             {37, 0.83, 19651.05},
                             {37, 4.9, 12139.55},
                             {36, 1.67, 12036.46},
                             {35, 1.84, 2942.46},
                             {33, 0.24, 7084.9},
                             {32, 0.18, 5088.63}};
constexpr Wave kRadius1[] = {
    {103019, 1.107490, 6283.075850}, {1721, 1.0644, 12566.1517}, {702, 3.142, 0}};
constexpr Wave kRadius2[] = {{4359, 5.7846, 6283.0758}, {124, 5.579, 12566.152}};

double sumOf(std::span<const Wave> waves, double millennia) {
    double sum = 0.0;
    for (const Wave& wave : waves)
        sum += wave.amplitude * std::cos(wave.phase + wave.frequency * millennia);
    return 1e-8 * sum;
}

Vec3 spherical(double lon, double lat, double radius) {
    return radius * direction({lon, lat});
}

// AU, ecliptic of J2000.
Vec3 earthFromSun(double millennia) {
    const double t = millennia;
    return spherical(
        sumOf(kLongitude0, t) + t * (sumOf(kLongitude1, t) + t * sumOf(kLongitude2, t)),
        sumOf(kLatitude0, t) + t * sumOf(kLatitude1, t),
        sumOf(kRadius0, t) + t * (sumOf(kRadius1, t) + t * sumOf(kRadius2, t)));
}

// Mean elements at J2000 and their rates per century (AU, degrees); the Sun's mass in units of the
// planet's mass.
struct Planet {
    double axis, eccentricity, inclination, longitude, perihelion, node;
    double axisRate, eccentricityRate, inclinationRate, longitudeRate, perihelionRate, nodeRate;
    double massRatio;
};
constexpr Planet kPlanets[] = {
    {0.72333566, 0.00677672, 3.39467605, 181.97909950, 131.60246718, 76.67984255, 0.00000390,
     -0.00004107, -0.00078890, 58517.81538729, 0.00268329, -0.27769418, 408523.7},
    {5.20288700, 0.04838624, 1.30439695, 34.39644051, 14.72847983, 100.47390909, -0.00011607,
     -0.00013253, -0.00183714, 3034.74612775, 0.21252668, 0.20469106, 1047.3486},
    {9.53667594, 0.05386179, 2.48599187, 49.95424423, 92.59887831, 113.66242448, -0.00125060,
     -0.00050991, 0.00193609, 1222.49362201, -0.41897216, -0.28867794, 3497.898},
    {19.18916464, 0.04725744, 0.77263783, 313.23810451, 170.95427630, 74.01692503, -0.00196176,
     -0.00004397, -0.00242939, 428.48202785, 0.40805281, 0.04240589, 22902.98},
    {30.06992276, 0.00859048, 1.77004347, -55.12002969, 44.96476227, 131.78422574, 0.00026291,
     0.00005105, 0.00035372, 218.45945325, -0.32241464, -0.00508664, 19412.24}};
constexpr double kEarthMassRatio = 328900.56;  // with the Moon

Vec3 planetFromSun(const Planet& p, double centuries) {
    const double t = centuries;
    const double axis = p.axis + t * p.axisRate;
    const double e = p.eccentricity + t * p.eccentricityRate;
    const double inclination = (p.inclination + t * p.inclinationRate) * kDegree;
    const double perihelion = (p.perihelion + t * p.perihelionRate) * kDegree;
    const double node = (p.node + t * p.nodeRate) * kDegree;
    const double mean = (p.longitude + t * p.longitudeRate) * kDegree - perihelion;
    double anomaly = mean + e * std::sin(mean);
    for (int i = 0; i < 6; ++i)
        anomaly -= (anomaly - e * std::sin(anomaly) - mean) / (1.0 - e * std::cos(anomaly));
    const double x = axis * (std::cos(anomaly) - e);
    const double y = axis * std::sqrt(1.0 - e * e) * std::sin(anomaly);
    const double argument = perihelion - node;
    const double u = x * std::cos(argument) - y * std::sin(argument);
    const double v = x * std::sin(argument) + y * std::cos(argument);
    return {u * std::cos(node) - v * std::sin(node) * std::cos(inclination),
            u * std::sin(node) + v * std::cos(node) * std::cos(inclination),
            v * std::sin(inclination)};
}

Vec3 sunFromBarycenter(double millennia) {
    Vec3 moment = (1.0 / kEarthMassRatio) * earthFromSun(millennia);
    double mass = 1.0 + 1.0 / kEarthMassRatio;
    for (const Planet& planet : kPlanets) {
        moment = moment + (1.0 / planet.massRatio) * planetFromSun(planet, 10.0 * millennia);
        mass += 1.0 / planet.massRatio;
    }
    return (-1.0 / mass) * moment;
}

// Numerical derivative in m/s of a position in AU; result rotated from ecliptic to equatorial axes
// of J2000.
template <typename Place>
Vec3 velocityOf(const Place& place, double mjd) {
    constexpr double kStep = 0.02;  // days; error 2e-5 of the Moon's contribution of 12 m/s
    constexpr double kMillennium = 365250.0;
    constexpr double kObliquity = 84381.406 * kArcsec;
    const double days = mjd + terrestrialLead(mjd) - kMjdOfJ2000;
    const Vec3 change = place((days + kStep) / kMillennium) - place((days - kStep) / kMillennium);
    const Vec3 v = (kAstronomicalUnit / (2.0 * kStep * kDay)) * change;
    return {v.x, std::cos(kObliquity) * v.y - std::sin(kObliquity) * v.z,
            std::sin(kObliquity) * v.y + std::cos(kObliquity) * v.z};
}

Vec3 aboutPole(Vec3 v, double angle) {
    return {std::cos(angle) * v.x - std::sin(angle) * v.y,
            std::sin(angle) * v.x + std::cos(angle) * v.y, v.z};
}

// Velocity of the site relative to the Earth's center, mean equator and equinox J2000 (IAU 2006).
// Nutation, up to 17 arcsec, is neglected; its effect is 0.04 m/s.
Vec3 rotationOf(const ObservingSite& site, double mjd) {
    constexpr double kRadius = 6378137.0, kFlattening = 1.0 / 298.257223563;  // WGS84
    constexpr double kRate = 7.292115855e-5;                                  // rad/s
    const double sine = std::sin(site.lat), square = (2.0 - kFlattening) * kFlattening;
    const double fromAxis =
        (kRadius / std::sqrt(1.0 - square * sine * sine) + site.height) * std::cos(site.lat);
    const double days = mjd - kMjdOfJ2000, t = days / 36525.0;
    const double turns = 0.7790572732640 + 0.00273781191135448 * days + std::fmod(days, 1.0);
    const double sidereal =
        kTwoPi * std::fmod(turns, 1.0) + (0.014506 + 4612.156534 * t + 1.3915817 * t * t) * kArcsec;
    const double angle = sidereal + site.lon;
    const Vec3 ofDate{-kRate * fromAxis * std::sin(angle), kRate * fromAxis * std::cos(angle), 0.0};
    const double zeta = (2.650545 + 2306.083227 * t + 0.2988499 * t * t) * kArcsec;
    const double z = (-2.650545 + 2306.077181 * t + 1.0927348 * t * t) * kArcsec;
    const double theta = (2004.191903 * t - 0.4294934 * t * t) * kArcsec;
    const Vec3 a = aboutPole(ofDate, -z);
    const Vec3 b{std::cos(theta) * a.x + std::sin(theta) * a.z, a.y,
                 -std::sin(theta) * a.x + std::cos(theta) * a.z};
    return aboutPole(b, -zeta);
}

// Velocity of the Sun towards its apex, m/s.
Vec3 sunAmongStars(SpectralFrame frame) {
    if (frame == SpectralFrame::Lsrd)
        return frameRotation(Frame::Equatorial, Frame::Galactic) * Vec3{9e3, 12e3, 7e3};
    // 18h, +30 degrees of B1900 in ICRS.
    return 20e3 * direction({270.95939257 * kDegree, 30.00467095 * kDegree});
}

bool sameWord(std::string_view a, std::string_view b) {
    while (!a.empty() && a.back() == ' ') a.remove_suffix(1);
    return equalInAnyCase(a, b);
}

// Removes a number from the front of the text; none if absent.
std::optional<double> takeNumber(std::string_view& text) {
    double value = 0.0;
    const auto [end, failure] =
        std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    if (failure != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    return value;
}

// Fliegel and van Flandern, for the Gregorian calendar.
double mjdOfCalendar(int year, int month, int day) {
    const int a = (month - 14) / 12;
    const int julian = 1461 * (year + 4800 + a) / 4 + 367 * (month - 2 - 12 * a) / 12 -
                       3 * ((year + 4900 + a) / 100) / 4 + day - 32075;
    return julian - 2400001.0;
}

}  // namespace

SpectralFrame spectralFrameNamed(std::string_view word) {
    for (const SpectralFrameFacts& facts : kSpectralFrames)
        if (facts.frame != SpectralFrame::Unknown &&
            (sameWord(word, facts.specsys) || sameWord(word, facts.suffix) ||
             sameWord(word, facts.name)))
            return facts.frame;
    // Synonyms.
    for (const auto& [other, frame] : {std::pair{"LSK", SpectralFrame::Lsrk},
                                       {"TOPO", SpectralFrame::Topocentric},
                                       {"TOP", SpectralFrame::Topocentric},
                                       {"BARY", SpectralFrame::Barycentric},
                                       {"HELO", SpectralFrame::Heliocentric}})
        if (sameWord(word, other)) return frame;
    return SpectralFrame::Unknown;
}

Vec3 siteVelocity(SpectralFrame frame, const ObservingSite& site, double mjd) {
    if (frame == SpectralFrame::Unknown)
        throw InvalidArgument("expected a frame of velocities, found none");
    if (frame == SpectralFrame::Topocentric) return {};
    const Vec3 turning = rotationOf(site, mjd);
    if (frame == SpectralFrame::Geocentric) return turning;
    const Vec3 fromSun = turning + velocityOf(earthFromSun, mjd);
    if (frame == SpectralFrame::Heliocentric) return fromSun;
    const Vec3 fromBarycenter = fromSun + velocityOf(sunFromBarycenter, mjd);
    if (frame == SpectralFrame::Barycentric) return fromBarycenter;
    return fromBarycenter + sunAmongStars(frame);
}

double frequencyRatio(SpectralFrame frame, const ObservingSite& site, double mjd, Vec3 direction) {
    const double beta = dot(siteVelocity(frame, site, mjd), direction) / kLightSpeed;
    return std::sqrt((1.0 - beta) / (1.0 + beta));
}

std::optional<double> mjdOfDate(std::string_view text) {
    const auto first = takeNumber(text);
    if (!first || text.empty()) return std::nullopt;
    const char separator = text.front();
    text.remove_prefix(1);
    const auto second = takeNumber(text);
    if (!second || text.empty() || text.front() != separator) return std::nullopt;
    text.remove_prefix(1);
    const auto third = takeNumber(text);
    if (!third || (separator != '-' && separator != '/')) return std::nullopt;
    // The old form is DD/MM/YY of the twentieth century.
    const bool isOld = separator == '/' && *first <= 31.0;
    const double year = isOld ? 1900.0 + *third : *first, day = isOld ? *first : *third;
    if (!(year > 1800.0 && year < 2200.0 && *second >= 1.0 && *second <= 12.0 && day >= 1.0 &&
          day < 32.0))
        return std::nullopt;
    double mjd =
        mjdOfCalendar(static_cast<int>(year), static_cast<int>(*second), static_cast<int>(day));
    if (text.empty() || (text.front() != 'T' && text.front() != ' ')) return mjd;
    double unit = 1.0 / 24.0;
    for (char before = text.front(); !text.empty() && text.front() == before; unit /= 60.0) {
        text.remove_prefix(1);
        const auto part = takeNumber(text);
        if (!part) break;
        mjd += unit * *part;
        before = ':';
    }
    return mjd;
}

}  // namespace armilla
