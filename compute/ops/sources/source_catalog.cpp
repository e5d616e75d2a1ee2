// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/core/healpix_map.h"
#include "armilla/core/nan.h"
#include "armilla/ops/image_filter.h"
#include "armilla/ops/sources.h"
#include "sources/source_pixels.h"

namespace armilla {

namespace {

// "ARM G184.54-05.78": digits truncated, not rounded, as the IAU requires.
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

// The likeliest flux with noise and dN/dS ~ S^-q (arXiv:0912.2341), if there is a maximum.
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

// The numbers of the columns, one for each source; NaN without a flux.
struct SourceNumbers {
    std::vector<std::string> name;
    std::vector<double> glon, glat, ra, dec, position, peak, peakError, snr, flux, fluxError, deb,
        rms;
    std::vector<double> major, minor, majorError, minorError, angle, angleError, contamination,
        masked;
    std::vector<int64_t> pixel, falseOnes, flags;
};

SourceNumbers numbersOf(const SourceSearch& search, const SourceCatalogParameters& parameters,
                        const PointBeam& beam) {
    const size_t count = search.sources.size();
    SourceNumbers to;
    to.name.resize(count);
    for (auto* each :
         {&to.glon,       &to.glat,      &to.ra,         &to.dec,           &to.position,
          &to.peak,       &to.peakError, &to.snr,        &to.flux,          &to.fluxError,
          &to.deb,        &to.rms,       &to.major,      &to.minor,         &to.majorError,
          &to.minorError, &to.angle,     &to.angleError, &to.contamination, &to.masked})
        each->assign(count, kNan);
    for (auto* each : {&to.pixel, &to.falseOnes, &to.flags}) each->resize(count);
    const Mat3 galactic = frameRotation(Frame::Galactic, parameters.frame);
    const Mat3 equatorial = frameRotation(Frame::Equatorial, parameters.frame);
    const std::optional<double> jansky =
        janskyOf(parameters.unit, parameters.frequency, beam.solidAngle,
                 sources::pixelsOf(search.sky).meanArea());
    const double fwhm = beam.fwhm();
    for (size_t i = 0; i < count; ++i) {
        const Source& s = search.sources[i];
        const LonLat g = lonLat(galactic * s.direction), e = lonLat(equatorial * s.direction);
        to.name[i] = nameOf(g);
        to.glon[i] = g.lon / kDegree;
        to.glat[i] = g.lat / kDegree;
        to.ra[i] = e.lon / kDegree;
        to.dec[i] = e.lat / kDegree;
        to.position[i] = s.positionError / kArcsec;
        const double own = ofOwnPixel(search.sky, s.pixel);
        to.peak[i] = s.peak * own;
        to.peakError[i] = s.peakError * own;
        to.snr[i] = s.snr;
        to.rms[i] = s.localRms * own;
        to.major[i] = s.major / kDegree;
        to.majorError[i] = s.majorError / kDegree;
        to.minor[i] = s.minor / kDegree;
        to.minorError[i] = s.minorError / kDegree;
        to.angle[i] = s.angle / kDegree;
        to.angleError[i] = s.angleError / kDegree;
        to.contamination[i] = s.contamination;
        to.masked[i] = s.maskFraction;
        to.pixel[i] = s.pixel;
        to.falseOnes[i] = std::upper_bound(search.falseSnrs.begin(), search.falseSnrs.end(),
                                           std::abs(s.snr), std::greater<>()) -
                          search.falseSnrs.begin();
        to.flags[i] = s.flags;
        if (!jansky) continue;
        // The flux of an extended source is its peak times the area of its Gaussian.
        const double area =
            (s.flags & kSourceExtended) != 0 ? s.major * s.minor / (fwhm * fwhm) : 1.0;
        to.flux[i] = s.peak * area * *jansky;
        to.fluxError[i] = s.peakError * area * *jansky;
        to.deb[i] = std::copysign(
            deboosted(std::abs(to.flux[i]), to.fluxError[i], parameters.slope), s.peak);
    }
    return to;
}

}  // namespace

Catalog sourceCatalog(const SourceSearch& search, const SourceCatalogParameters& parameters,
                      const PointBeam& beam) {
    if (parameters.frame == Frame::Unknown)
        throw InvalidArgument(
            "expected a map whose frame is known for a catalog of positions, found none");
    SourceNumbers numbers = numbersOf(search, parameters, beam);
    Catalog catalog;
    catalog.table.name = "SOURCES";
    catalog.table.frame = Frame::Galactic;
    Columns columns(catalog.table);
    const std::string unit = standardUnit(parameters.unit);
    // Properties that the standard unit spelling omits.
    const std::string of =
        unit == parameters.unit || parameters.unit.empty() ? std::string() : ", " + parameters.unit;
    const std::string peakText =
        "brightness at the peak, of a point source in the beam or an extended source" + of;
    const std::string rmsText = "local noise of the filtered map" + of;
    const char* brightness = "phot.flux.density.sb";
    columns.add("NAME", "", "meta.id;meta.main", "by Galactic position", std::move(numbers.name));
    columns.add("GLON", "deg", "pos.galactic.lon", "Galactic longitude", std::move(numbers.glon));
    columns.add("GLAT", "deg", "pos.galactic.lat", "Galactic latitude", std::move(numbers.glat));
    columns.add("RA", "deg", "pos.eq.ra;meta.main", "right ascension, ICRS", std::move(numbers.ra));
    columns.add("DEC", "deg", "pos.eq.dec;meta.main", "declination, ICRS", std::move(numbers.dec));
    columns.add("POS_ERR", "arcsec", "stat.error;pos", "standard deviation on each axis",
                std::move(numbers.position));
    columns.add("PEAK", unit, brightness, peakText.c_str(), std::move(numbers.peak));
    columns.add("PEAK_ERR", unit, "stat.error;phot.flux.density.sb", "its standard deviation",
                std::move(numbers.peakError));
    columns.add(
        "SNR", "", "stat.snr",
        "filtered map over its local noise, minus the bias of choosing the position; negative for "
        "negative sources",
        std::move(numbers.snr));
    columns.add("FLUX", "Jy", "phot.flux.density", "flux density", std::move(numbers.flux));
    columns.add("FLUX_ERR", "Jy", "stat.error;phot.flux.density", "its standard deviation",
                std::move(numbers.fluxError));
    columns.add("DEBFLUX", "Jy", "phot.flux.density",
                "likeliest flux density for counts dN/dS of a power law", std::move(numbers.deb));
    columns.add("LOC_RMS", unit, "stat.stdev;phot.flux.density.sb", rmsText.c_str(),
                std::move(numbers.rms));
    columns.add("FWHM_MAJ", "deg", "phys.angSize.smajAxis",
                "full width at half maximum of the fitted Gaussian (beam included), major axis",
                std::move(numbers.major));
    columns.add("FWHM_MAJ_ERR", "deg", "stat.error;phys.angSize.smajAxis",
                "standard deviation of FWHM_MAJ", std::move(numbers.majorError));
    columns.add("FWHM_MIN", "deg", "phys.angSize.sminAxis",
                "full width at half maximum of the fitted Gaussian (beam included), minor axis",
                std::move(numbers.minor));
    columns.add("FWHM_MIN_ERR", "deg", "stat.error;phys.angSize.sminAxis",
                "standard deviation of FWHM_MIN", std::move(numbers.minorError));
    columns.add("POS_ANG", "deg", "pos.posAng",
                "position angle of the major axis, east of north in the map's frame",
                std::move(numbers.angle));
    columns.add("POS_ANG_ERR", "deg", "stat.error;pos.posAng", "standard deviation of POS_ANG",
                std::move(numbers.angleError));
    columns.add("CONTAM", "", "stat.value", "added by brighter sources, of the peak",
                std::move(numbers.contamination));
    columns.add("MASK_FRAC", "", "stat.value", "share of the filter's response on bad pixels",
                std::move(numbers.masked));
    if (parameters.places) {
        std::vector<double> x = parameters.places->x, y = parameters.places->y;
        for (std::vector<double>* each : {&x, &y})
            for (double& place : *each) place += 1.0;
        columns.add("IMG_X", "pixel", "pos.cartesian.x;instr.det",
                    "column, 1 at the center of the first pixel", std::move(x));
        columns.add("IMG_Y", "pixel", "pos.cartesian.y;instr.det",
                    "row, 1 at the center of the first pixel", std::move(y));
    } else {
        columns.add("HPX_PIX", "", "pos.healpix", "pixel of the map, RING order",
                    std::move(numbers.pixel));
    }
    columns.add("N_FALSE", "", "meta.number",
                "expected false ones at this significance or above, of the inverted map",
                std::move(numbers.falseOnes));
    columns.add(
        "FLAGS", "", "meta.code.qual",
        "sum of 1 blended, 2 near a mask, 4 near a brighter source, 8 extended, 16 not fitted",
        std::move(numbers.flags));
    if (const auto found = findPositions(catalog.table)) catalog.position = *found;
    return catalog;
}

}  // namespace armilla
