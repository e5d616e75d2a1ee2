// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "core/error.h"
#include "core/pixel_geometry.h"
#include "core/pixel_queries.h"
#include "ops/sources.h"
#include "sources/extraction.h"
#include "sources/sky_cells.h"
#include "sources/source_fit.h"

namespace armilla {

namespace {

using namespace sources;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
// Models end where this share of the local noise is left.
constexpr double kModelEnd = 1e-3;
// Sources nearer than this, in FWHM, are fitted a second time without each other.
constexpr double kNeighbors = 3.0;
// An elliptical Gaussian has nine parameters: below this significance they say nothing.
constexpr double kGaussianSnr = 5.0;
// Hardly one of these is false, and the others' surroundings are sky like any other.
constexpr double kSureSnr = 5.0;

void check(const SourceParameters& p) {
    if (!(p.threshold >= 2.0 && p.threshold <= 1e6))
        throw InvalidArgument("expected a threshold of 2 sigma or more, found " +
                              std::to_string(p.threshold));
    if (!(p.separation >= 0.0 && p.separation <= 10.0))
        throw InvalidArgument("expected a separation from 0 to 10 FWHM, found " +
                              std::to_string(p.separation));
}

struct Fitting {
    const FilteredSky& sky;
    const FitModel& model;
    const SourceParameters& parameters;
    std::vector<double>& left;  // the map without the sources, as the fits stand
};

void takeFit(Source& source, const FitResult& fit) {
    source.direction = fit.direction;
    source.positionError = fit.positionError;
    source.peak = fit.peak;
    source.peakError = fit.peakError;
    source.flags &= ~static_cast<int64_t>(kSourceNotFitted);
}

// `source.peak` is that of the model which was taken from `left`.
void fitSource(const Fitting& with, Source& source) {
    const double scale = source.localRms / with.sky.filter.noise;
    const FitPatch patch(with.model, with.left, source.direction, source.peak, scale);
    const std::optional<FitResult> beam = patch.beam();
    const std::optional<FitResult> gaussian =
        source.snr >= kGaussianSnr ? patch.gaussian() : std::nullopt;
    if (gaussian) {
        source.major = gaussian->major;
        source.minor = gaussian->minor;
        source.angle = gaussian->angle;
        source.gaussianPeak = gaussian->peak;
        source.gaussianPeakError = gaussian->peakError;
        const double wider =
            0.5 * std::log(gaussian->major * gaussian->minor) - std::log(with.model.fwhm);
        // With fewer sigma the fit is far from linear, and follows the noise to odd shapes.
        if (source.snr >= 2.0 * kGaussianSnr && wider > 3.0 * gaussian->sizeError)
            source.flags |= kSourceExtended;
    }
    if (beam) takeFit(source, *beam);
}

void fitAll(const Fitting& with, std::vector<Source>& sources, JobContext& job) {
    const FilteredSky& sky = with.sky;
    const auto modelReach = [&](const Source& s) {
        return sky.beamProfile.reachOf(kModelEnd * s.localRms / s.peak);
    };
    PlaceIndex index(with.model.fwhm);
    for (size_t i = 0; i < sources.size(); ++i)
        index.add(sources[i].direction, static_cast<int64_t>(i));
    std::vector<size_t> round(sources.size());
    for (size_t i = 0; i < round.size(); ++i) round[i] = i;
    for (int pass = 0; pass < 2 && !round.empty(); ++pass) {
        JobContext share = job.part(0.8 * pass, pass == 0 ? 0.8 : 1.0);
        std::vector<Source> fitted(round.size());
        parallelFor(
            share, static_cast<long long>(round.size()), 1,
            [&](long long begin, long long end) {
                for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
                    fitted[i] = sources[round[i]];
                    fitSource(with, fitted[i]);
                }
            },
            "fitting");
        for (size_t i = 0; i < round.size(); ++i) {
            Source& source = sources[round[i]];
            addProfile(sky.nside, with.left, source.direction, source.peak, sky.beamProfile,
                       modelReach(source));
            source = fitted[i];
            addProfile(sky.nside, with.left, source.direction, -source.peak, sky.beamProfile,
                       modelReach(source));
        }
        if (pass > 0) break;
        std::vector<size_t> crowded;
        for (const size_t i : round)
            if (index.near(sources[i].direction, kNeighbors * with.model.fwhm).size() > 1)
                crowded.push_back(i);
        round = std::move(crowded);
    }
}

// <L / 2> of the filter's response, L = l(l+1): the standard deviation of a place on each axis, in
// radians, is 1 / (SNR sqrt(<L / 2>)) for a matched filter.
double curvatureOf(const PointFilter& filter, const PointBeam& beam) {
    double sum = 0.0, weights = 0.0;
    for (size_t l = 2; l < std::min(filter.fl.size(), beam.bl.size()); ++l) {
        const auto n = static_cast<double>(l);
        const double weight = (2.0 * n + 1.0) * filter.fl[l] * beam.bl[l];
        weights += weight;
        sum += 0.5 * weight * n * (n + 1.0);
    }
    return sum / weights;
}

// Of the inverted map less the sure sources alone: what is taken away with a maximum of the noise
// lifts the minima beside it, and one in fifteen of the false ones would go uncounted.
void findFalse(SourceSearch& search, double threshold, double fwhm, JobContext& job) {
    const FilteredSky& sky = search.sky;
    std::vector<double> unsure(search.cleaned.begin(), search.cleaned.end());
    std::vector<Vec3> sure;
    for (const Source& source : search.sources) {
        if (source.snr >= kSureSnr)
            sure.push_back(source.direction);
        else
            addProfile(sky.nside, unsure, source.direction, source.peak, sky.response,
                       sky.response.reachOf(kModelEnd / source.snr));
    }
    search.falseSnrs =
        invertedSnrs(sky.nside, unsure, sky.rms, sky.response, fwhm, threshold, sure, job);
    search.falseExpected = static_cast<int64_t>(search.falseSnrs.size());
}

}  // namespace

SourceSearch findSources(FilterPlan& plan, const HealpixMap& map,
                         const SourceParameters& parameters, JobContext& job) {
    check(parameters);
    JobContext filtering = job.part(0.0, 0.7), finding = job.part(0.7, 0.8);
    JobContext fitting = job.part(0.8, 1.0);
    SourceSearch search;
    search.sky = plan.execute(parameters.filter, filtering);
    const FilteredSky& sky = search.sky;
    if (sky.nside != map.nside())
        throw InvalidArgument("expected the map of the plan, nside " + std::to_string(sky.nside) +
                              ", found nside " + std::to_string(map.nside()));
    finding.report(0.0, "finding");
    search.cleaned = sky.filtered;
    const double fwhm = parameters.filter.beam.fwhm();
    JobContext silent(job.stopToken(), {}, job.threads());
    const std::vector<Extracted> found =
        extractSources(sky.nside, search.cleaned, sky.rms, sky.response, fwhm,
                       {.threshold = parameters.threshold,
                        .separation = parameters.separation,
                        .passes = parameters.iterate ? ExtractionLimits{}.passes : 1},
                       silent);

    std::vector<double> left = *sky.residual;
    for (const PointSource& source : sky.bright)
        addProfile(sky.nside, left, source.direction, source.peak, sky.beamProfile,
                   sky.beamProfile.reachOf(kModelEnd * sky.filter.noise / source.peak));
    const double curvature = curvatureOf(sky.filter, parameters.filter.beam);
    for (const Extracted& e : found) {
        Source source;
        source.direction = e.direction;
        source.peak = e.peak;
        source.snr = e.snr();
        source.localRms = e.rms;
        source.major = source.minor = source.angle = kNan;
        source.gaussianPeak = source.gaussianPeakError = kNan;
        source.contamination = e.contamination;
        source.pixel = ringFromDirection(sky.nside, e.direction);
        // Of those in a hole, the part that shows is taken away, and that is all.
        if (e.outside) source.pixel = -1;
        if (!sky.share.empty() && !e.outside)
            source.maskFraction = std::clamp(
                1.0 - static_cast<double>(sky.share[static_cast<size_t>(source.pixel)]), 0.0, 1.0);
        source.flags = kSourceNotFitted;
        if (e.blended) source.flags |= kSourceBlended;
        if (source.maskFraction > 0.01) source.flags |= kSourceNearMask;
        if (e.contamination > 0.1) source.flags |= kSourceNearBright;
        source.peakError = e.rms;
        source.positionError = 1.0 / (source.snr * std::sqrt(curvature));
        if (parameters.fit == SourceFit::Filter && e.fitted)
            source.flags &= ~static_cast<int64_t>(kSourceNotFitted);
        addProfile(sky.nside, left, source.direction, -source.peak, sky.beamProfile,
                   sky.beamProfile.reachOf(kModelEnd * source.localRms / source.peak));
        search.sources.push_back(source);
    }
    if (parameters.fit != SourceFit::Filter) {
        const FitModel model = FitModel::of(sky, fwhm);
        fitAll({sky, model, parameters, left}, search.sources, fitting);
    }
    std::erase_if(search.sources, [](const Source& s) { return s.pixel < 0; });
    for (Source& source : search.sources) {
        source.beamPeak = source.peak;
        if (parameters.fit == SourceFit::Gaussian && std::isfinite(source.gaussianPeak)) {
            source.peak = source.gaussianPeak;
            source.peakError = source.gaussianPeakError;
        }
        // The fitted peak is that of the best place: see the header.
        const double over = 2.0 * source.peakError * source.peakError;
        if (source.peak * source.peak > 2.0 * over)
            source.peak = std::sqrt(source.peak * source.peak - over);
        source.pixel = ringFromDirection(sky.nside, source.direction);
    }
    std::stable_sort(search.sources.begin(), search.sources.end(),
                     [](const Source& a, const Source& b) { return a.snr > b.snr; });
    findFalse(search, parameters.threshold, fwhm, silent);
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
    // Where a beam is below single precision of its peak.
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
