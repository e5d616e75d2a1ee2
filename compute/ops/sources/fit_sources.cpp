// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/fit_sources.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "armilla/core/nan.h"
#include "armilla/core/pixel_geometry.h"
#include "sources/blend_contest.h"
#include "sources/sky_cells.h"
#include "sources/source_fit.h"

namespace armilla::sources {

namespace {

// Models end at this fraction of the local noise.
constexpr double kModelEnd = 1e-3;
// Sources nearer than this, in FWHM, are fitted a second time without each other.
constexpr double kNeighbors = 3.0;
// An elliptical Gaussian has nine parameters, which are not significant below this SNR.
constexpr double kGaussianSnr = 5.0;
// Contests nearer than this, in FWHM, are serialized.
constexpr double kContests = 4.0;
// chi^2 of the beam minus chi^2 of the Gaussian that triggers a test of other models: one width off
// by 3 sigma.
constexpr double kOddShape = 9.0;

struct Candidate {
    Source source;
    Extracted found;
    SkyPart part;         // the subtracted model
    double gain = 0.0;    // chi^2 of the beam minus chi^2 of the Gaussian
    int64_t group = -1;   // sources that are fitted together
    double radius = 0.0;  // radius of its patch; 0: the patch of one source
    bool isGone = false;
};

// A disc of the sky that deserves a repeated search.
struct Zone {
    Vec3 direction;
    double radius;
};

class Fitter {
public:
    explicit Fitter(FittedSky& with)
        : with_(with),
          fwhm_(with.parameters.filter.beam.fwhm()),
          pixels_(pixelsOf(with.sky)),
          model_(FitModel::of(with.sky, fwhm_)) {}

    void add(const std::vector<Extracted>& found) {
        for (const Extracted& each : found) {
            Candidate c;
            c.source = sourceOf(each);
            c.found = each;
            c.part = {each.direction, each.peak};
            take(c, -1.0);
            all_.push_back(std::move(c));
        }
    }
    void fitAll(JobContext& job) {
        JobContext first = job.part(0.0, 0.6), contests = job.part(0.6, 0.8);
        JobContext second = job.part(0.8, 1.0), silent(job.stopToken(), {}, job.threads());
        fitSingles(everything(), first);
        contests.report(0.0, "fitting");
        decideAll(silent);
        if (!changed_.empty()) {
            const size_t before = all_.size();
            add(lookAgain(silent));
            std::vector<size_t> fresh(all_.size() - before);
            std::iota(fresh.begin(), fresh.end(), before);
            fitSingles(fresh, silent);
        }
        fitCrowded(second);
    }
    std::vector<Source> sources() const {
        std::vector<Source> result;
        for (const Candidate& c : all_)
            if (!c.isGone) result.push_back(c.source);
        return result;
    }

private:
    Source sourceOf(const Extracted& e) const {
        Source source;
        source.direction = e.direction;
        source.peak = e.peak;
        source.localRms = e.rms;
        source.contamination = e.contamination;
        source.pixel = pixels_.at(e.direction);
        // A source in a hole gives no row: only its visible part is subtracted.
        if (e.outside) source.pixel = -1;
        source.flags = kSourceNotFitted;
        if (e.blended) source.flags |= kSourceBlended;
        source.peakError = e.rms;
        source.snr = std::copysign(e.snr(), e.peak);
        source.positionError = 1.0 / (e.snr() * std::sqrt(with_.curvature));
        if (with_.parameters.fit == SourceFit::Filter && e.fitted)
            source.flags &= ~static_cast<int64_t>(kSourceNotFitted);
        forgetShape(source);
        flagPlace(source);
        return source;
    }
    static void forgetShape(Source& source) {
        source.major = source.minor = source.angle = kNan;
        source.majorError = source.minorError = source.angleError = kNan;
        source.gaussianPeak = source.gaussianPeakError = kNan;
    }
    void flagPlace(Source& source) const {
        const std::vector<float>& share = with_.sky.share;
        source.maskFraction = 0.0;
        if (!share.empty() && source.pixel >= 0)
            source.maskFraction = std::clamp(
                1.0 - static_cast<double>(share[static_cast<size_t>(source.pixel)]), 0.0, 1.0);
        if (source.maskFraction > 0.01) source.flags |= kSourceNearMask;
        if (source.contamination > 0.1) source.flags |= kSourceNearBright;
    }
    static void setPeak(Source& source, const FitResult& fit) {
        source.direction = fit.direction;
        source.positionError = fit.positionError;
        source.peak = fit.peak;
        source.peakError = fit.peakError;
        source.flags &= ~static_cast<int64_t>(kSourceNotFitted);
    }
    static void setShape(Source& source, const FitResult& fit) {
        source.major = fit.major;
        source.minor = fit.minor;
        source.angle = fit.angle;
        source.majorError = fit.majorError;
        source.minorError = fit.minorError;
        source.angleError = fit.angleError;
        source.gaussianPeak = fit.peak;
        source.gaussianPeakError = fit.peakError;
    }

    std::vector<size_t> everything() const {
        std::vector<size_t> result(all_.size());
        std::iota(result.begin(), result.end(), size_t{0});
        return result;
    }
    double scaleOf(const Candidate& c) const { return c.source.localRms / with_.sky.filter.noise; }
    void take(const Candidate& c, double scale) {
        addPart(pixels_, with_.left, c.part, scale, with_.sky.beamProfile, fwhm_,
                kModelEnd * c.source.localRms);
    }
    // Replaces the subtracted model by another one.
    void replace(Candidate& c, Candidate fresh) {
        take(c, 1.0);
        c = std::move(fresh);
        take(c, -1.0);
    }

    void fitSingle(Candidate& c) const {
        Source& source = c.source;
        const FitPatch patch(model_, with_.left, c.part.direction, FitPatch::radiusOf(model_),
                             {&c.part, 1}, {scaleOf(c), c.part.peak < 0.0 ? -1.0 : 1.0});
        const std::optional<PatchSolution> beam = patch.beam(c.part.peak);
        const std::optional<PatchSolution> gaussian =
            std::abs(source.snr) >= kGaussianSnr ? patch.gaussian(c.part.peak) : std::nullopt;
        if (gaussian) setShape(source, gaussian->results[0]);
        c.gain = 0.0;
        if (gaussian)
            c.gain = beam ? beam->chi2 - gaussian->chi2 : std::numeric_limits<double>::infinity();
        if (!beam) return;
        setPeak(source, beam->results[0]);
        c.part = beam->results[0].part();
    }
    void fitSingles(const std::vector<size_t>& which, JobContext& job) {
        std::vector<Candidate> fitted(which.size());
        parallelFor(
            job, static_cast<long long>(which.size()), 1,
            [&](long long begin, long long end) {
                for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
                    fitted[i] = all_[which[i]];
                    fitSingle(fitted[i]);
                }
            },
            "fitting");
        for (size_t i = 0; i < which.size(); ++i) replace(all_[which[i]], std::move(fitted[i]));
    }

    // Candidates with a shape other than the beam's, or with a near neighbor.
    std::vector<size_t> contested(const PlaceIndex& index) const {
        std::vector<size_t> which;
        for (size_t i = 0; i < all_.size(); ++i) {
            const Vec3 at = all_[i].part.direction;
            if (all_[i].gain > kOddShape || index.near(at, FitPatch::radiusOf(model_)).size() > 1)
                which.push_back(i);
        }
        std::stable_sort(which.begin(), which.end(), [&](size_t a, size_t b) {
            return std::abs(all_[a].source.snr) > std::abs(all_[b].source.snr);
        });
        return which;
    }
    bool isFree(const Candidate& c) const { return !c.isGone && c.group < 0; }

    void decideAll(JobContext& job) {
        PlaceIndex index(std::max(fwhm_, FitPatch::radiusOf(model_)));
        for (size_t i = 0; i < all_.size(); ++i)
            index.add(all_[i].part.direction, static_cast<int64_t>(i));
        std::vector<size_t> pending = contested(index);
        while (!pending.empty()) {
            job.poll();
            PlaceIndex busy(kContests * fwhm_);
            std::vector<size_t> batch, rest;
            for (const size_t i : pending) {
                if (!isFree(all_[i])) continue;
                const Vec3 at = all_[i].part.direction;
                (busy.near(at, kContests * fwhm_).empty() ? batch : rest).push_back(i);
                busy.add(at, static_cast<int64_t>(i));
            }
            decideThese(batch, index, job);
            pending = std::move(rest);
        }
    }
    struct Case {
        Contest contest;
        std::vector<size_t> members;  // candidates
        ContestResult result;
    };
    Case caseOf(size_t i, const PlaceIndex& index) const {
        const Candidate& c = all_[i];
        Case result;
        for (const int64_t near : index.near(c.part.direction, kLargestPatch * fwhm_)) {
            const auto j = static_cast<size_t>(near);
            if (j != i && isFree(all_[j]) && std::abs(all_[j].source.snr) <= std::abs(c.source.snr))
                result.members.push_back(j);
        }
        std::stable_sort(result.members.begin(), result.members.end(), [&](size_t a, size_t b) {
            return std::abs(all_[a].source.snr) > std::abs(all_[b].source.snr);
        });
        result.contest.primary = c.part;
        result.contest.rms = c.source.localRms;
        result.contest.scale = scaleOf(c);
        result.contest.snr = std::abs(c.source.snr);
        for (const size_t j : result.members) result.contest.members.push_back(all_[j].part);
        return result;
    }
    void decideThese(const std::vector<size_t>& batch, const PlaceIndex& index, JobContext& job) {
        std::vector<Case> cases(batch.size());
        const SourceParameters& p = with_.parameters;
        parallelFor(
            job, static_cast<long long>(batch.size()), 1, [&](long long begin, long long end) {
                for (auto k = static_cast<size_t>(begin); k < static_cast<size_t>(end); ++k) {
                    cases[k] = caseOf(batch[k], index);
                    // The models of the source and its members are added back to the residual.
                    cases[k].result =
                        decided(model_, with_.left, cases[k].contest, {p.threshold, p.separation});
                }
            });
        for (size_t k = 0; k < batch.size(); ++k) apply(batch[k], cases[k], index);
    }

    void drop(Candidate& c) {
        take(c, 1.0);
        const FilteredSky& sky = with_.sky;
        addProfile(pixels_, with_.cleaned, c.found.direction, c.found.peak, sky.response,
                   sky.response.reachOf(kModelEnd * c.found.rms / std::abs(c.found.peak)));
        c.isGone = true;
    }
    void apply(size_t i, const Case& decided, const PlaceIndex& index) {
        const ContestResult& result = decided.result;
        if (!isFree(all_[i])) return;
        int64_t blended = 0;
        if (result.isBlended || result.results.size() > 1) blended = kSourceBlended;
        if (result.results.empty() ||
            (result.absorbed.empty() && result.results.size() == 1 && !result.isExtended)) {
            all_[i].source.flags |= blended;
            return;
        }
        const Candidate primary = all_[i];
        for (const size_t m : result.absorbed)
            if (Candidate& member = all_[decided.members[m]]; isFree(member)) drop(member);
        drop(all_[i]);
        const auto group = static_cast<int64_t>(changed_.size());
        const size_t first = all_.size();
        for (size_t k = 0; k < result.results.size(); ++k) {
            Candidate fresh = primary;
            fresh.group = group;
            fresh.radius = result.radius;
            fresh.isGone = false;
            fresh.source.flags = blended;
            if (k == 0 && result.isExtended) fresh.source.flags |= kSourceExtended;
            setModel(fresh, result.results[k], primary);
            all_.push_back(std::move(fresh));
        }
        contaminate(first);
        for (size_t k = first; k < all_.size(); ++k) {
            take(all_[k], -1.0);
            addPart(pixels_, with_.cleaned, all_[k].part, -1.0, with_.sky.response, fwhm_,
                    kModelEnd * all_[k].source.localRms);
        }
        changed_.push_back({result.results[0].direction, result.radius + kPatch * fwhm_});
        dropFaint(changed_.back(), std::abs(primary.part.peak), index);
    }
    // Faint candidates nearby may be residuals of beams subtracted from another shape; the repeated
    // search finds the real ones again.
    void dropFaint(const Zone& zone, double peak, const PlaceIndex& index) {
        for (const int64_t i : index.near(zone.direction, zone.radius))
            if (Candidate& c = all_[static_cast<size_t>(i)];
                isFree(c) && std::abs(c.part.peak) < kShapeShare * peak)
                drop(c);
    }
    // Fills a row from its fit.
    void setModel(Candidate& c, const FitResult& fit, const Candidate& primary) const {
        Source& source = c.source;
        forgetShape(source);
        setPeak(source, fit);
        c.part = fit.part();
        c.gain = 0.0;
        source.pixel = pixels_.at(fit.direction);
        const auto place = static_cast<size_t>(source.pixel);
        const bool isOn = source.pixel >= 0;
        const double rms = isOn ? with_.sky.rms[place] : kNan;
        const double here = isOn ? with_.sky.filtered[place] : kNan;
        source.localRms = std::isfinite(rms) && std::isfinite(here) ? rms : primary.source.localRms;
        if (c.part.isGaussian()) {
            setShape(source, fit);
            source.snr = primary.source.snr;
        } else {
            source.snr =
                std::copysign(significance(std::abs(fit.peak) / source.localRms), fit.peak);
        }
        if (!std::isfinite(here)) source.pixel = -1;
        c.found = {.direction = fit.direction, .peak = fit.peak, .rms = source.localRms};
        source.contamination = 0.0;
    }
    // Adds the contamination of each source by brighter ones in its joint fit.
    void contaminate(size_t first) {
        for (size_t i = first; i < all_.size(); ++i) {
            Source& source = all_[i].source;
            for (size_t j = first; j < all_.size(); ++j) {
                const Source& other = all_[j].source;
                if (i == j || std::abs(other.peak) < std::abs(source.peak)) continue;
                source.contamination +=
                    std::abs(other.peak / source.peak) *
                    with_.sky.response.envelope(angularDistance(other.direction, source.direction));
            }
            flagPlace(source);
        }
    }

    // Searches again near changes.
    std::vector<Extracted> lookAgain(JobContext& job) {
        std::vector<Extracted> known;
        std::vector<SkyPart> extended;
        for (const Candidate& c : all_)
            if (!c.isGone && !c.part.isGaussian())
                known.push_back(c.found);
            else if (!c.isGone)
                extended.push_back(c.part);
        const double largest = (kLargestPatch + 2.0 * kPatch) * fwhm_;
        PlaceIndex places(largest);
        for (size_t i = 0; i < changed_.size(); ++i)
            places.add(changed_[i].direction, static_cast<int64_t>(i));
        const SecondLook second{known, extended, [&](Vec3 at) {
                                    for (const int64_t i : places.near(at, largest)) {
                                        const Zone& zone = changed_[static_cast<size_t>(i)];
                                        if (angularDistance(zone.direction, at) < zone.radius)
                                            return true;
                                    }
                                    return false;
                                }};
        return extractSources(pixels_, with_.cleaned, with_.sky.rms, with_.sky.response, fwhm_,
                              with_.limits, job, &second);
    }

    // Fits sources with neighbors again, each with its neighbors' current models subtracted.
    void fitCrowded(JobContext& job) {
        PlaceIndex index(kNeighbors * fwhm_);
        for (size_t i = 0; i < all_.size(); ++i)
            if (!all_[i].isGone) index.add(all_[i].part.direction, static_cast<int64_t>(i));
        const auto isCrowded = [&](const Candidate& c) {
            const auto near = index.near(c.part.direction, kNeighbors * fwhm_);
            return std::any_of(near.begin(), near.end(), [&](int64_t j) {
                const Candidate& other = all_[static_cast<size_t>(j)];
                return &other != &c;
            });
        };
        std::vector<size_t> singles;
        std::vector<std::vector<size_t>> groups(changed_.size());
        for (size_t i = 0; i < all_.size(); ++i) {
            const Candidate& c = all_[i];
            if (c.isGone) continue;
            if (c.group >= 0)
                groups[static_cast<size_t>(c.group)].push_back(i);
            else if (isCrowded(c))
                singles.push_back(i);
        }
        fitSingles(singles, job);
        for (const std::vector<size_t>& group : groups) fitGroup(group);
    }
    // Joint fit of a group with the selected models.
    void fitGroup(const std::vector<size_t>& group) {
        std::vector<SkyPart> parts;
        for (const size_t i : group) parts.push_back(all_[i].part);
        const Candidate& first = all_[group.front()];
        const FitPatch patch(model_, with_.left, first.part.direction, first.radius, parts,
                             {scaleOf(first), first.part.peak < 0.0 ? -1.0 : 1.0});
        std::vector<FitPart> start;
        for (const SkyPart& part : parts) start.push_back(patch.partOf(part));
        const std::optional<PatchSolution> fit = patch.fit(start);
        if (!fit) return;
        for (size_t k = 0; k < group.size(); ++k) {
            Candidate fresh = all_[group[k]];
            setPeak(fresh.source, fit->results[k]);
            fresh.part = fit->results[k].part();
            if (fresh.part.isGaussian()) setShape(fresh.source, fit->results[k]);
            replace(all_[group[k]], std::move(fresh));
        }
    }

    FittedSky& with_;
    double fwhm_;
    SourcePixels pixels_;
    FitModel model_;
    std::vector<Candidate> all_;
    std::vector<Zone> changed_;  // one for each group
};

}  // namespace

std::vector<Source> fittedSources(FittedSky& with, const std::vector<Extracted>& found,
                                  JobContext& job) {
    Fitter fitter(with);
    fitter.add(found);
    if (with.parameters.fit != SourceFit::Filter) fitter.fitAll(job);
    return fitter.sources();
}

}  // namespace armilla::sources
