// SPDX-License-Identifier: GPL-3.0-or-later
#include "masked_fields.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/counted.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/pixel_loop.h"
#include "armilla/operations/low_multipoles.h"
#include "armilla/operations/map_values.h"
#include "armilla/ops/purify.h"
#include "ring_samples.h"

namespace armilla {

namespace {

// Steps of a mask between neighboring pixels that purification still takes: its derivatives are
// those of a band-limited mask.
constexpr double kLargestStep = 0.2;

std::span<const double> valuesOf(const Field& field) {
    return std::get<std::vector<double>>(field.values);
}

// Weights, 0 where any field is bad.
std::vector<double> weightsOf(const Input* mask, const HealpixMap& map, JobContext& job) {
    std::vector<double> weights;
    if (mask != nullptr)
        weights = naming(mask->name,
                         [&] { return maskWeights(mask->map(), map.nside(), map.frame(), job); });
    else
        weights = newVector<double>(pixelCount(map.nside()), job, 1.0);
    for (int f = 0; f < map.fieldCount(); ++f) {
        const std::span<const double> values = valuesOf(map.field(f));
        forPixels(weights.size(), job, [&](size_t i) {
            if (!std::isfinite(values[i])) weights[i] = 0.0;
        });
    }
    return weights;
}

TakenOut removed(const AnafastOptions& options, Field& field, int64_t nside,
                 std::span<const double> weights, JobContext& job) {
    TakenOut taken;
    taken.how = options.remove;
    const SampleRun all{0, static_cast<int64_t>(weights.size())};
    const auto reach =
        options.remove == Remove::Dipole ? RingMoments::Reach::Dipole : RingMoments::Reach::Mean;
    const RingMoments moments(nside, reach, samplesOf(std::as_const(field)), {&all, 1}, weights,
                              job);
    taken.isWhole = moments.isWhole();
    taken.mean = moments.mean();
    taken.rms = moments.rms();
    if (options.remove == Remove::None) return taken;
    taken.fitted = moments.fit(options.remove);
    subtract(taken.fitted, nside, samplesOf(field), {&all, 1}, job);
    return taken;
}

void multiply(Field& field, std::span<const double> weights, JobContext& job) {
    auto& values = std::get<std::vector<double>>(field.values);
    forPixels(values.size(), job,
              [&](size_t i) { values[i] = weights[i] == 0.0 ? 0.0 : values[i] * weights[i]; });
}

std::vector<Alm> coefficients(HealpixMap& map, const Alm& mask, std::span<const double> weights,
                              const AnafastOptions& options, const ShtPlan& plan,
                              const Device& device, JobContext& job) {
    std::vector<double> q, u;
    if (options.purify != Purify::None) {
        const auto kept = [&](int field) {
            const std::span<const double> values = valuesOf(map.field(field));
            auto good = newVector<double>(static_cast<int64_t>(values.size()), job);
            forPixels(good.size(), job,
                      [&](size_t i) { good[i] = weights[i] == 0.0 ? 0.0 : values[i]; });
            return good;
        };
        q = kept(1);
        u = kept(2);
    }
    for (int f = 0; f < map.fieldCount(); ++f) multiply(map.field(f), weights, job);
    const auto samples = [&](int i) { return samplesOf(std::as_const(map).field(i)); };
    std::vector<Alm> alm;
    if (!options.polarization) {
        alm.push_back(plan.analysis(samples(0), job));
        return alm;
    }
    JobContext first = job.part(0.0, 0.5), second = job.part(0.5, 1.0);
    alm = plan.analysisPolarized(samples(0), samples(1), samples(2), first);
    if (options.purify != Purify::None)
        purify(std::span<Alm, 2>(alm.data() + 1, 2), mask, q, u,
               {options.pureE(), options.pureB(), plan.parameters()}, device, second);
    return alm;
}

}  // namespace

int maskLmax(const MaskedFields& fields) {
    return fields.image ? static_cast<int>(mostOf(*fields.image))
                        : static_cast<int>(3 * fields.parameters.nside - 1);
}

bool haveSamePixels(const MaskedFields& a, const MaskedFields& b) {
    return a.set.frame == b.set.frame && a.parameters.nside == b.parameters.nside &&
           a.image.has_value() == b.image.has_value() &&
           (!a.image || areSameRings(*a.image, *b.image));
}

void requireSmoothMask(double step, const std::string& name) {
    if (step > kLargestStep)
        throw InvalidArgument(name +
                              ": expected a mask that falls smoothly to 0 for --purify (steps of "
                              "at most 0.2 between neighboring pixels), found a step of " +
                              shortText(step) + "; apodize the mask over a wider angle");
}

Alm maskCoefficients(const MaskedFields& like, std::vector<double> weights, const Device& device,
                     JobContext& job) {
    ShtParameters parameters = like.parameters;
    parameters.lmax = maskLmax(like);
    parameters.mmax = -1;
    if (!like.image)
        return ShtPlan(parameters, device, job).analysis(std::span<const double>(weights), job);
    std::vector<std::vector<double>> planes;
    planes.push_back(std::move(weights));
    return std::move(RingAnalysis(*like.image, parameters, device, job)
                         .analyze(std::move(planes), false, 0, job)
                         .front());
}

bool haveSameMask(const MaskedFields& a, const MaskedFields& b) {
    return haveSamePixels(a, b) && a.parameters.iterations == b.parameters.iterations &&
           a.parameters.tolerance == b.parameters.tolerance &&
           a.parameters.weights == b.parameters.weights && a.weights == b.weights;
}

MaskedFields analyzeMasked(Context& context, Input& input, const Input* mask,
                           const AnafastOptions& options, const JobContext& job,
                           const MaskedFields* before) {
    if (isImage(input)) return analyzeMaskedImage(context, input, mask, options, job, before);
    JobContext preparing = job.part(0.0, 0.1), weighing = job.part(0.1, 0.3),
               working = job.part(0.3, 1.0);
    MaskedFields result;
    HealpixMap map = atOneOrder(input.takeMap(), input.name, "analyzed", context.note, preparing);
    result.set.frame = map.frame();
    result.set.unit = map.field(0).unit;
    noteBandLimit(context, options.lmax, map.nside());
    if (!options.polarization) noteScalars(context, map, {0});
    naming(input.name, [&] {
        if (options.polarization)
            bringToOneUnit(std::array{&map.field(0), &map.field(1), &map.field(2)}, context.note);
        map = fullRing(std::move(map), preparing);
    });
    for (int f = 0; f < map.fieldCount(); ++f) widen(map.field(f), preparing);
    result.weights = weightsOf(mask, map, preparing);
    result.isWhole = std::all_of(result.weights.begin(), result.weights.end(),
                                 [](double w) { return w == 1.0; });
    if (std::all_of(result.weights.begin(), result.weights.end(),
                    [](double w) { return w == 0.0; }))
        throw InvalidArgument(input.name +
                              ": expected a good pixel where the mask is above 0, "
                              "found none");
    const double step =
        options.purify == Purify::None ? 0.0 : largestStep(map.nside(), result.weights, preparing);
    requireSmoothMask(step, mask != nullptr ? mask->name : input.name);
    return naming(input.name, [&] {
        result.taken = removed(options, map.field(0), map.nside(), result.weights, preparing);
        noteMean(context, input.name, result.taken, result.set.unit);
        const ShtPlan plan(parametersOf(options, map.nside()), context.device, preparing);
        result.parameters = plan.parameters();
        const bool isKept = before != nullptr && haveSameMask(*before, result);
        if (isKept) {
            result.mask = before->mask;
        } else if (!result.isWhole) {
            result.mask = maskCoefficients(result, result.weights, context.device, weighing);
        }
        result.set.alm =
            coefficients(map, result.mask, result.weights, options, plan, context.device, working);
        noteWeights(context, result.parameters.weights, map.nside());
        context.note(describeStrategy(result.parameters.weights, result.parameters.iterations));
        return std::move(result);
    });
}

std::vector<Alm> analyzeLike(Context& context, Input& input, const MaskedFields& like,
                             const AnafastOptions& options, JobContext& job) {
    if (like.image) return analyzeImageLike(context, input, like, options, job);
    HealpixMap map = fullRing(input.takeMap(), job);
    if (map.nside() != like.parameters.nside)
        throw InvalidArgument("expected a map of noise of nside " +
                              std::to_string(like.parameters.nside) + ", found " +
                              std::to_string(map.nside()));
    // Interpolation in a rotation would smooth the noise.
    if (map.frame() != like.set.frame)
        throw InvalidArgument("expected a map of noise in the frame of the map (" +
                              std::string(frameName(like.set.frame)) + "), found " +
                              std::string(frameName(map.frame())) +
                              "; armilla convert --method harmonic --frame rotates it, and "
                              "--input-frame there states a frame");
    int64_t bad = 0;
    for (int f = 0; f < map.fieldCount(); ++f) {
        widen(map.field(f), job);
        bad = std::max(bad, fillBadPixels(map.field(f), job));
    }
    noteBadPixels(context, input.name, bad, pixelCount(map.nside()));
    const ShtPlan plan(like.parameters, context.device, job);
    return coefficients(map, like.mask, like.weights, options, plan, context.device, job);
}

}  // namespace armilla
