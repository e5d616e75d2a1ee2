// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/healpix_map.h"
#include "ops/sources.h"

namespace armilla {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
// Exact by the definition of the units (CODATA 2018), and the CMB's temperature (D. J. Fixsen,
// ApJ 707 (2009) 916).
constexpr double kPlanckConstant = 6.62607015e-34, kBoltzmann = 1.380649e-23;
constexpr double kLightSpeed = 299792458.0, kCmbTemperature = 2.72548;
constexpr double kJansky = 1e-26;  // W m^-2 Hz^-1

std::string lower(std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '_' || c == '^' || c == '.'; });
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

// Takes a prefix of SI off a unit whose rest is one of `rests`; 0 if it is no such unit.
double prefixOf(const std::string& unit, std::initializer_list<const char*> rests, bool capital) {
    const std::array<std::pair<const char*, double>, 9> prefixes{{{"", 1.0},
                                                                  {"n", 1e-9},
                                                                  {"u", 1e-6},
                                                                  {"\xc2\xb5", 1e-6},
                                                                  {"\xce\xbc", 1e-6},
                                                                  {"micro", 1e-6},
                                                                  {"m", capital ? 1e6 : 1e-3},
                                                                  {"k", 1e3},
                                                                  {"g", 1e9}}};
    for (const auto& [prefix, factor] : prefixes)
        for (const char* rest : rests)
            if (unit == std::string(prefix) + rest) return factor;
    return 0.0;
}

// d(intensity)/d(temperature) of black body radiation at the CMB's temperature, in Jy/sr/K.
double janskyPerKelvin(double frequency) {
    const double x = kPlanckConstant * frequency / (kBoltzmann * kCmbTemperature);
    const double rayleighJeans =
        2.0 * kBoltzmann * frequency * frequency / (kLightSpeed * kLightSpeed) / kJansky;
    return rayleighJeans * x * x * std::exp(x) / (std::expm1(x) * std::expm1(x));
}

// "ARM G184.54-05.78": digits cut, not rounded, as the IAU asks for.
std::string nameOf(LonLat galactic) {
    const auto hundredths = [](double degrees) {
        return static_cast<int>(std::floor(std::abs(degrees) * 100.0));
    };
    const double lon = galactic.lon / kDegree, lat = galactic.lat / kDegree;
    const int l = hundredths(lon) % 36000, b = hundredths(lat);
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "ARM G%03d.%02d%c%02d.%02d", l / 100, l % 100,
                  lat < 0.0 ? '-' : '+', b / 100, b % 100);
    return text.data();
}

// The likeliest flux under noise and dN/dS ~ S^-q (arXiv:0912.2341): where it has a maximum.
double deboosted(double flux, double error, double slope) {
    const double root = flux * flux - 4.0 * slope * error * error;
    return root >= 0.0 ? 0.5 * (flux + std::sqrt(root)) : kNan;
}

class Columns {
public:
    explicit Columns(Table& table) : table_(&table) {}
    template <class Values>
    void add(const char* name, std::string unit, const char* ucd, const char* description,
             Values values) {
        TableColumn column;
        column.name = name;
        column.unit = std::move(unit);
        column.ucd = ucd;
        column.description = description;
        column.values = std::move(values);
        table_->columns.push_back(std::move(column));
    }

private:
    Table* table_;
};

}  // namespace

std::optional<double> janskyOf(const std::string& unit, std::optional<double> frequency,
                               double beamSolidAngle, double pixelSolidAngle) {
    const std::string u = lower(unit);
    const size_t start = unit.find_first_not_of(' ');
    const bool mega = start != std::string::npos && unit[start] == 'M';
    if (const double f = prefixOf(u, {"jy/sr", "jysr-1"}, mega); f > 0.0) return f * beamSolidAngle;
    if (const double f = prefixOf(u, {"jy/beam", "jybeam-1"}, mega); f > 0.0) return f;
    if (const double f = prefixOf(u, {"jy/pixel", "jy/pix", "jypixel-1"}, mega); f > 0.0)
        return f * beamSolidAngle / pixelSolidAngle;
    if (!frequency) return std::nullopt;
    if (const double f = prefixOf(u, {"krj", "k(rj)", "kantenna"}, mega); f > 0.0)
        return f * beamSolidAngle * 2.0 * kBoltzmann * *frequency * *frequency /
               (kLightSpeed * kLightSpeed) / kJansky;
    // Plain kelvins are the CMB's in maps of it.
    if (const double f = prefixOf(u, {"kcmb", "k", "k(cmb)", "kthermo", "kelvin"}, mega); f > 0.0)
        return f * beamSolidAngle * janskyPerKelvin(*frequency);
    return std::nullopt;
}

std::string standardUnit(const std::string& unit) {
    const std::string u = lower(unit);
    const size_t start = unit.find_first_not_of(' ');
    const bool mega = start != std::string::npos && unit[start] == 'M';
    for (const char* none : {"", "none", "unknown", "dimensionless", "n/a", "na", "arbitrary"})
        if (u == none) return "";
    if (u == "counts") return "count";
    const double f = prefixOf(
        u, {"kcmb", "k(cmb)", "kthermo", "krj", "k(rj)", "kantenna", "kelvin", "kelvins", "k"},
        mega);
    for (const auto& [prefix, factor] : std::initializer_list<std::pair<const char*, double>>{
             {"", 1.0}, {"m", 1e-3}, {"u", 1e-6}, {"n", 1e-9}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}})
        if (f == factor) return std::string(prefix) + "K";
    return unit;
}

Catalog sourceCatalog(const SourceSearch& search, const SourceCatalogParameters& parameters,
                      const PointBeam& beam) {
    if (parameters.frame == Frame::Unknown)
        throw InvalidArgument(
            "expected a map whose frame is known for a catalog of positions, found none");
    const size_t count = search.sources.size();
    const auto numbers = [&] { return std::vector<double>(count, kNan); };
    std::vector<std::string> name(count);
    std::vector<double> glon = numbers(), glat = numbers(), ra = numbers(), dec = numbers();
    std::vector<double> position = numbers(), peak = numbers(), peakError = numbers();
    std::vector<double> snr = numbers(), flux = numbers(), fluxError = numbers();
    std::vector<double> deb = numbers(), rms = numbers(), semi1 = numbers(), semi2 = numbers();
    std::vector<double> theta = numbers(), contamination = numbers(), masked = numbers();
    std::vector<int64_t> pixel(count), falseOnes(count), flags(count);
    const Mat3 galactic = frameRotation(Frame::Galactic, parameters.frame);
    const Mat3 equatorial = frameRotation(Frame::Equatorial, parameters.frame);
    const std::optional<double> jansky =
        janskyOf(parameters.unit, parameters.frequency, beam.solidAngle,
                 4.0 * kPi / static_cast<double>(pixelCount(search.sky.nside)));
    for (size_t i = 0; i < count; ++i) {
        const Source& s = search.sources[i];
        const LonLat g = lonLat(galactic * s.direction), e = lonLat(equatorial * s.direction);
        name[i] = nameOf(g);
        glon[i] = g.lon / kDegree;
        glat[i] = g.lat / kDegree;
        ra[i] = e.lon / kDegree;
        dec[i] = e.lat / kDegree;
        position[i] = s.positionError / kArcsec;
        peak[i] = s.peak;
        peakError[i] = s.peakError;
        snr[i] = s.snr;
        rms[i] = s.localRms;
        semi1[i] = s.major / kArcmin;
        semi2[i] = s.minor / kArcmin;
        theta[i] = s.angle / kDegree;
        contamination[i] = s.contamination;
        masked[i] = s.maskFraction;
        pixel[i] = s.pixel;
        falseOnes[i] = std::upper_bound(search.falseSnrs.begin(), search.falseSnrs.end(), s.snr,
                                        std::greater<>()) -
                       search.falseSnrs.begin();
        flags[i] = s.flags;
        if (!jansky) continue;
        flux[i] = s.peak * *jansky;
        fluxError[i] = s.peakError * *jansky;
        deb[i] = deboosted(flux[i], fluxError[i], parameters.slope);
    }
    Catalog catalog;
    catalog.table.name = "SOURCES";
    catalog.table.frame = Frame::Galactic;
    Columns columns(catalog.table);
    const std::string unit = standardUnit(parameters.unit);
    // What the standard spelling leaves out.
    const std::string of =
        unit == parameters.unit || parameters.unit.empty() ? std::string() : ", " + parameters.unit;
    const std::string peakText = "brightness at the peak of a point source in the beam" + of;
    const std::string rmsText = "local noise of the filtered map" + of;
    const char* brightness = "phot.flux.density.sb";
    columns.add("NAME", "", "meta.id;meta.main", "by Galactic position", std::move(name));
    columns.add("GLON", "deg", "pos.galactic.lon", "Galactic longitude", std::move(glon));
    columns.add("GLAT", "deg", "pos.galactic.lat", "Galactic latitude", std::move(glat));
    columns.add("RA", "deg", "pos.eq.ra;meta.main", "right ascension, ICRS", std::move(ra));
    columns.add("DEC", "deg", "pos.eq.dec;meta.main", "declination, ICRS", std::move(dec));
    columns.add("POS_ERR", "arcsec", "stat.error;pos", "standard deviation on each axis",
                std::move(position));
    columns.add("PEAK", unit, brightness, peakText.c_str(), std::move(peak));
    columns.add("PEAK_ERR", unit, "stat.error;phot.flux.density.sb", "its standard deviation",
                std::move(peakError));
    columns.add("SNR", "", "stat.snr",
                "of the filtered map, by its local noise, less what choosing the place adds",
                std::move(snr));
    columns.add("FLUX", "Jy", "phot.flux.density", "flux density", std::move(flux));
    columns.add("FLUX_ERR", "Jy", "stat.error;phot.flux.density", "its standard deviation",
                std::move(fluxError));
    columns.add("DEBFLUX", "Jy", "phot.flux.density",
                "likeliest flux density for counts dN/dS of a power law", std::move(deb));
    columns.add("LOC_RMS", unit, "stat.stdev;phot.flux.density.sb", rmsText.c_str(),
                std::move(rms));
    columns.add("GAU_SEMI1", "arcmin", "phys.angSize", "FWHM of the fitted Gaussian, major axis",
                std::move(semi1));
    columns.add("GAU_SEMI2", "arcmin", "phys.angSize", "FWHM of the fitted Gaussian, minor axis",
                std::move(semi2));
    columns.add("GAU_THETA", "deg", "pos.posAng",
                "direction of the major axis, from north to east in the map's frame",
                std::move(theta));
    columns.add("CONTAM", "", "stat.value", "added by brighter sources, of the peak",
                std::move(contamination));
    columns.add("MASK_FRAC", "", "stat.value", "share of the filter's response on bad pixels",
                std::move(masked));
    columns.add("HPX_PIX", "", "pos.healpix", "pixel of the map, RING order", std::move(pixel));
    columns.add("N_FALSE", "", "meta.number",
                "expected false ones at this significance or above, of the inverted map",
                std::move(falseOnes));
    columns.add("FLAGS", "", "meta.code.qual",
                "1 blended, 2 near a mask, 4 near a brighter source, 8 extended, 16 not fitted",
                std::move(flags));
    if (const auto found = findPositions(catalog.table)) catalog.position = *found;
    return catalog;
}

}  // namespace armilla
