// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/ops/sources.h"
#include "sources/crowded_noise.h"
#include "sources/extraction.h"
#include "sources/fit_sources.h"
#include "sources/source_parts.h"

namespace armilla {

namespace {

using namespace sources;

// Models end at this fraction of the local noise.
constexpr double kModelEnd = 1e-3;
// Almost none of these is false, and the surroundings of fainter ones are ordinary sky.
constexpr double kSureSnr = 5.0;
// Sources of the opposite sign are subtracted from this significance on.
constexpr double kOtherSnr = 5.0;

void check(const SourceParameters& p) {
    if (!(p.threshold >= 2.0 && p.threshold <= 1e6))
        throw InvalidArgument("expected a threshold of 2 sigma or more, found " +
                              std::to_string(p.threshold));
    if (!(p.separation >= 0.0 && p.separation <= 10.0))
        throw InvalidArgument("expected a separation from 0 to 10 FWHM, found " +
                              std::to_string(p.separation));
}

// <L / 2> of the filter's response, L = l(l+1). The standard deviation of a position on each axis,
// in radians, is 1 / (SNR sqrt(<L / 2>)) for a matched filter.
double curvatureOf(const PointFilter& filter, const PointBeam& beam) {
    double sum = 0.0, weights = 0.0;
    for (size_t l = 2; l < std::min(filter.fl.size(), beam.bl.size()); ++l) {
        const auto n = static_cast<double>(l);
        const double weight = (2.0 * n + 1.0) * filter.fl[l] * beam.bl[l];
        weights += weight;
        sum += 0.5 * weight * n * (n + 1.0);
    }
    return sum / weights * beam.enlargement * beam.enlargement;
}

// The significance that noise reaches at one place in a hundred such skies. The number of maxima of
// a Gaussian field above S is 4 pi <L/2> (2 pi)^(-3/2) S exp(-S^2 / 2) (R. J. Adler & A. M. Hasofer
// 1976), with the mean over the spectrum of the filtered map.
double rarestNoise(const FilteredSky& sky) {
    constexpr double kRare = 0.01;
    double sum = 0.0, curved = 0.0;
    for (size_t l = 2; l < std::min(sky.filter.fl.size(), sky.cl.size()); ++l) {
        const auto n = static_cast<double>(l);
        const double power = (2.0 * n + 1.0) * sky.filter.fl[l] * sky.filter.fl[l] * sky.cl[l];
        sum += power;
        curved += 0.5 * n * (n + 1.0) * power;
    }
    const double curvature = curved / sum * sky.filter.enlargement * sky.filter.enlargement;
    const double places = 4.0 * kPi * curvature * std::pow(2.0 * kPi, -1.5);
    double highest = kSureSnr;
    while (places * highest * std::exp(-0.5 * highest * highest) > kRare) highest += 0.01;
    return significance(highest);
}

// Element-wise minimum of two descending lists: its count above any significance is the smaller of
// the two counts.
std::vector<double> lowerOf(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> lower(std::min(a.size(), b.size()));
    for (size_t i = 0; i < lower.size(); ++i) lower[i] = std::min(a[i], b[i]);
    return lower;
}

// Searches crowded fields again, with the noise between the sources found there. Sources below the
// threshold raise the noise of such a field, and thereby hide others.
void searchCrowded(FilteredSky& sky, std::vector<double>& cleaned, const ExtractionLimits& limits,
                   double fwhm, std::vector<Extracted>& found, JobContext& job) {
    // With two rounds a crowded search takes 1.4 times as long; four find 5 % more sources in the
    // densest fields, in 1.65 times.
    constexpr int kRounds = 2;
    const SourcePixels pixels = pixelsOf(sky);
    for (int round = 0; round < kRounds; ++round) {
        if (!lowerCrowdedNoise(pixels, fwhm, cleaned, found, sky.rms, job)) return;
        for (Extracted& each : found) each.rms = sky.rms[static_cast<size_t>(each.pixel)];
        const SecondLook again{found, {}, [](Vec3) { return true; }};
        const std::vector<Extracted> more =
            extractSources(pixels, cleaned, sky.rms, sky.response, fwhm, limits, job, &again);
        if (more.empty()) return;
        found.insert(found.end(), more.begin(), more.end());
    }
}

// Counts false sources in the map without the sure sources only. Subtraction of a noise maximum
// would raise the adjacent minima, and lose one in fifteen of the false ones. `all`: sources of
// both signs.
void findFalse(SourceSearch& search, const std::vector<Source>& all, const SourceParameters& p,
               JobContext& job) {
    const FilteredSky& sky = search.sky;
    const double fwhm = p.filter.beam.fwhm(), rarest = rarestNoise(sky);
    const bool ofBoth = p.sign == SourceSign::Both;
    std::vector<double> unsure(search.cleaned.begin(), search.cleaned.end());
    std::vector<Vec3> sure;
    for (const Source& source : all) {
        const bool isAsked = ofBoth || (source.peak > 0.0) == (p.sign == SourceSign::Positive);
        if (std::abs(source.snr) >= (isAsked ? kSureSnr : rarest))
            sure.push_back(source.direction);
        else
            for (const PointSource& point : pointsOf(source, fwhm))
                addProfile(pixelsOf(sky), unsure, point.direction, point.peak, sky.response,
                           sky.response.reachOf(kModelEnd / std::abs(source.snr)));
    }
    const auto maximaOf = [&](double sign) {
        return maximaSnrs(pixelsOf(sky), unsure, sign, sky.rms, sky.response, fwhm, p.threshold,
                          sure, job);
    };
    search.falseSnrs = maximaOf(-1.0);
    if (p.sign != SourceSign::Positive) search.falseSnrs = lowerOf(search.falseSnrs, maximaOf(1.0));
    if (ofBoth) {
        const std::vector<double> once = search.falseSnrs;
        search.falseSnrs.insert(search.falseSnrs.end(), once.begin(), once.end());
        std::sort(search.falseSnrs.begin(), search.falseSnrs.end(), std::greater<>());
    }
    search.falseExpected = static_cast<int64_t>(search.falseSnrs.size());
}

// PEAK of the parameters' model, without the bias from the choice of the position: see the header.
void settlePeak(Source& source, SourceFit fit, const SourcePixels& pixels) {
    source.modelPeak = source.peak;
    if (fit == SourceFit::Gaussian && std::isfinite(source.gaussianPeak)) {
        source.peak = source.gaussianPeak;
        source.peakError = source.gaussianPeakError;
    }
    const double over = 2.0 * source.peakError * source.peakError;
    if (source.peak * source.peak > 2.0 * over)
        source.peak = std::copysign(std::sqrt(source.peak * source.peak - over), source.peak);
    source.pixel = pixels.at(source.direction);
}

}  // namespace

std::vector<PointSource> pointsOf(const Source& source, double fwhm) {
    SkyPart part{source.direction, source.modelPeak};
    if ((source.flags & kSourceExtended) != 0) {
        part.major = source.major;
        part.minor = source.minor;
        part.angle = source.angle;
    }
    return sources::pointsOf(part, fwhm);
}

SourceSearch findSources(FilterPlan& plan, const HealpixMap& map,
                         const SourceParameters& parameters, JobContext& job) {
    check(parameters);
    JobContext filtering = job.part(0.0, 0.7), finding = job.part(0.7, 1.0);
    FilteredSky sky = plan.execute(parameters.filter, filtering);
    if (sky.nside != map.nside())
        throw InvalidArgument("expected the map of the plan, nside " + std::to_string(sky.nside) +
                              ", found nside " + std::to_string(map.nside()));
    return findSources(std::move(sky), parameters, finding);
}

SourceSearch findSources(FilteredSky filtered, const SourceParameters& parameters,
                         JobContext& job) {
    check(parameters);
    JobContext finding = job.part(0.0, 0.33), fitting = job.part(0.33, 1.0);
    SourceSearch search;
    search.sky = std::move(filtered);
    const FilteredSky& sky = search.sky;
    const SourcePixels pixels = pixelsOf(sky);
    finding.report(0.0, "finding");
    const double fwhm = parameters.filter.beam.fwhm();
    JobContext silent(job.stopToken(), {}, job.threads());
    const double other = std::max(parameters.threshold, kOtherSnr);
    ExtractionLimits limits{.threshold = parameters.threshold,
                            .negativeThreshold = parameters.threshold,
                            .separation = parameters.separation};
    if (parameters.sign == SourceSign::Positive) limits.negativeThreshold = other;
    if (parameters.sign == SourceSign::Negative) limits.threshold = other;
    if (!parameters.iterate) limits.passes = 1;
    FittedSky fitted{.sky = sky,
                     .parameters = parameters,
                     .limits = limits,
                     .curvature = curvatureOf(sky.filter, parameters.filter.beam),
                     .left = *sky.residual,
                     .cleaned = sky.filtered};
    std::vector<Extracted> found =
        extractSources(pixels, fitted.cleaned, sky.rms, sky.response, fwhm, limits, silent);
    if (parameters.iterate) searchCrowded(search.sky, fitted.cleaned, limits, fwhm, found, silent);
    for (const PointSource& source : sky.bright)
        addProfile(pixels, fitted.left, source.direction, source.peak, sky.beamProfile,
                   sky.beamProfile.reachOf(kModelEnd * sky.filter.noise / std::abs(source.peak)));
    std::vector<Source> all = fittedSources(fitted, found, fitting);
    std::erase_if(all, [](const Source& s) { return s.pixel < 0; });
    for (Source& source : all) settlePeak(source, parameters.fit, pixels);
    std::stable_sort(all.begin(), all.end(), [](const Source& a, const Source& b) {
        return std::abs(a.snr) > std::abs(b.snr);
    });
    search.cleaned = std::move(fitted.cleaned);
    for (const Source& source : all)
        if (parameters.sign == SourceSign::Both ||
            (source.peak > 0.0) == (parameters.sign == SourceSign::Positive))
            search.sources.push_back(source);
    findFalse(search, all, parameters, silent);
    fitting.report(1.0, "fitting");
    return search;
}

HealpixMap withSources(const HealpixMap& map, int field, std::span<const PointSource> sources,
                       const PointBeam& beam, JobContext& job) {
    if (map.coverage() == Coverage::MultiOrder)
        throw InvalidArgument("expected a map of one order for sources, found cells of several");
    HealpixMap result = map;
    const double fwhm = beam.fwhm();
    std::vector<double> scaled = beam.bl;
    for (double& b : scaled) b *= beam.solidAngle;
    const RadialProfile profile(scaled, 12.0 * fwhm, fwhm / 50.0);
    // A beam below single precision of its peak.
    const double reach = profile.reachOf(1e-7);
    std::visit(
        [&](auto& values) {
            using T = typename std::decay_t<decltype(values)>::value_type;
            int64_t done = 0;
            for (const PointSource& source : sources) {
                if (done++ % 256 == 0) job.poll();
                for (const PixelRange& range :
                     queryDisc(map.nside(), map.ordering(), source.direction, reach))
                    for (int64_t p = range.begin; p < range.end; ++p)
                        if (const auto e = map.elementOf(p)) {
                            const Vec3 at = directionFromPixel(map.nside(), map.ordering(), p);
                            T& value = values[static_cast<size_t>(*e)];
                            value = static_cast<T>(
                                static_cast<double>(value) +
                                source.peak * profile(angularDistance(at, source.direction)));
                        }
            }
        },
        result.field(field).values);
    return result;
}

}  // namespace armilla
