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

}  // namespace

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
    std::vector<double> deb = numbers(), rms = numbers(), major = numbers(), minor = numbers();
    std::vector<double> majorError = numbers(), minorError = numbers(), angleError = numbers();
    std::vector<double> angle = numbers(), contamination = numbers(), masked = numbers();
    std::vector<int64_t> pixel(count), falseOnes(count), flags(count);
    const Mat3 galactic = frameRotation(Frame::Galactic, parameters.frame);
    const Mat3 equatorial = frameRotation(Frame::Equatorial, parameters.frame);
    const std::optional<double> jansky =
        janskyOf(parameters.unit, parameters.frequency, beam.solidAngle,
                 sources::pixelsOf(search.sky).meanArea());
    const double fwhm = beam.fwhm();
    for (size_t i = 0; i < count; ++i) {
        const Source& s = search.sources[i];
        const LonLat g = lonLat(galactic * s.direction), e = lonLat(equatorial * s.direction);
        name[i] = nameOf(g);
        glon[i] = g.lon / kDegree;
        glat[i] = g.lat / kDegree;
        ra[i] = e.lon / kDegree;
        dec[i] = e.lat / kDegree;
        position[i] = s.positionError / kArcsec;
        const double own = ofOwnPixel(search.sky, s.pixel);
        peak[i] = s.peak * own;
        peakError[i] = s.peakError * own;
        snr[i] = s.snr;
        rms[i] = s.localRms * own;
        major[i] = s.major / kDegree;
        majorError[i] = s.majorError / kDegree;
        minor[i] = s.minor / kDegree;
        minorError[i] = s.minorError / kDegree;
        angle[i] = s.angle / kDegree;
        angleError[i] = s.angleError / kDegree;
        contamination[i] = s.contamination;
        masked[i] = s.maskFraction;
        pixel[i] = s.pixel;
        falseOnes[i] = std::upper_bound(search.falseSnrs.begin(), search.falseSnrs.end(),
                                        std::abs(s.snr), std::greater<>()) -
                       search.falseSnrs.begin();
        flags[i] = s.flags;
        if (!jansky) continue;
        // The flux of an extended source is its peak times the area of its Gaussian.
        const double area =
            (s.flags & kSourceExtended) != 0 ? s.major * s.minor / (fwhm * fwhm) : 1.0;
        flux[i] = s.peak * area * *jansky;
        fluxError[i] = s.peakError * area * *jansky;
        deb[i] =
            std::copysign(deboosted(std::abs(flux[i]), fluxError[i], parameters.slope), s.peak);
    }
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
    columns.add(
        "SNR", "", "stat.snr",
        "filtered map over its local noise, minus the bias of choosing the position; negative for "
        "negative sources",
        std::move(snr));
    columns.add("FLUX", "Jy", "phot.flux.density", "flux density", std::move(flux));
    columns.add("FLUX_ERR", "Jy", "stat.error;phot.flux.density", "its standard deviation",
                std::move(fluxError));
    columns.add("DEBFLUX", "Jy", "phot.flux.density",
                "likeliest flux density for counts dN/dS of a power law", std::move(deb));
    columns.add("LOC_RMS", unit, "stat.stdev;phot.flux.density.sb", rmsText.c_str(),
                std::move(rms));
    columns.add("FWHM_MAJ", "deg", "phys.angSize.smajAxis",
                "full width at half maximum of the fitted Gaussian (beam included), major axis",
                std::move(major));
    columns.add("FWHM_MAJ_ERR", "deg", "stat.error;phys.angSize.smajAxis",
                "standard deviation of FWHM_MAJ", std::move(majorError));
    columns.add("FWHM_MIN", "deg", "phys.angSize.sminAxis",
                "full width at half maximum of the fitted Gaussian (beam included), minor axis",
                std::move(minor));
    columns.add("FWHM_MIN_ERR", "deg", "stat.error;phys.angSize.sminAxis",
                "standard deviation of FWHM_MIN", std::move(minorError));
    columns.add("POS_ANG", "deg", "pos.posAng",
                "position angle of the major axis, east of north in the map's frame",
                std::move(angle));
    columns.add("POS_ANG_ERR", "deg", "stat.error;pos.posAng", "standard deviation of POS_ANG",
                std::move(angleError));
    columns.add("CONTAM", "", "stat.value", "added by brighter sources, of the peak",
                std::move(contamination));
    columns.add("MASK_FRAC", "", "stat.value", "share of the filter's response on bad pixels",
                std::move(masked));
    if (parameters.places) {
        std::vector<double> x = parameters.places->x, y = parameters.places->y;
        for (std::vector<double>* each : {&x, &y})
            for (double& place : *each) place += 1.0;
        columns.add("IMG_X", "pixel", "pos.cartesian.x;instr.det",
                    "column, 1 at the center of the first pixel", std::move(x));
        columns.add("IMG_Y", "pixel", "pos.cartesian.y;instr.det",
                    "row, 1 at the center of the first pixel", std::move(y));
    } else {
        columns.add("HPX_PIX", "", "pos.healpix", "pixel of the map, RING order", std::move(pixel));
    }
    columns.add("N_FALSE", "", "meta.number",
                "expected false ones at this significance or above, of the inverted map",
                std::move(falseOnes));
    columns.add(
        "FLAGS", "", "meta.code.qual",
        "sum of 1 blended, 2 near a mask, 4 near a brighter source, 8 extended, 16 not fitted",
        std::move(flags));
    if (const auto found = findPositions(catalog.table)) catalog.position = *found;
    return catalog;
}

}  // namespace armilla
