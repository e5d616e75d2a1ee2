// SPDX-License-Identifier: GPL-3.0-or-later
#include "masked_fields.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>

#include "armilla/core/counted.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/number_text.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/pixel_loop.h"
#include "armilla/operations/common_frame.h"
#include "armilla/operations/low_multipoles.h"
#include "armilla/operations/map_values.h"
#include "armilla/operations/mask_weights.h"
#include "armilla/ops/purify.h"
#include "convert_harmonic.h"
#include "ring_samples.h"

namespace armilla {

namespace {

// Steps of a mask between neighboring pixels that purification still takes: its derivatives are
// those of a band-limited mask.
constexpr double kLargestStep = 0.2;

// The fields of a map in the form of an analysis: the whole sphere, in RING order, of one unit. A
// map of this form that has another owner is read where it is.
class RingFields {
public:
    RingFields(Context& context, Input& input, const AnafastOptions& options, JobContext& job) {
        const HealpixMap& held = input.map();
        std::vector<int> used = input.fields;
        if (used.empty())
            for (int f = 0; f < held.fieldCount(); ++f) used.push_back(f);
        const std::string& unit = held.field(used.front()).unit;
        const bool isReady =
            input.isShared && options.remove == Remove::None && held.coverage() == Coverage::Full &&
            held.ordering() == Ordering::Ring && std::all_of(used.begin(), used.end(), [&](int f) {
                return !options.polarization || held.field(f).unit == unit;
            });
        nside_ = held.nside();
        frame_ = held.frame();
        if (isReady) {
            for (const int f : used) fields_.push_back(&held.field(f));
            return;
        }
        own_ = atOneOrder(input.takeMap(), input.name, "analyzed", context.note, job);
        nside_ = own_.nside();
        naming(input.name, [&] {
            if (options.polarization)
                bringToOneUnit(std::array{&own_.field(0), &own_.field(1), &own_.field(2)},
                               context.note);
            own_ = fullRing(std::move(own_), job);
        });
        takeOwn();
    }
    RingFields(HealpixMap own, JobContext& job) : own_(fullRing(std::move(own), job)) {
        nside_ = own_.nside();
        frame_ = own_.frame();
        takeOwn();
    }
    RingFields(const RingFields&) = delete;
    RingFields& operator=(const RingFields&) = delete;

    int64_t nside() const { return nside_; }
    Frame frame() const { return frame_; }
    size_t count() const { return fields_.size(); }
    const Field& operator[](size_t i) const { return *fields_[i]; }
    // Null for the field of another owner.
    Field* own(size_t i) {
        return own_.fieldCount() > 0 ? &own_.field(static_cast<int>(i)) : nullptr;
    }

private:
    void takeOwn() {
        for (int f = 0; f < own_.fieldCount(); ++f) fields_.push_back(&own_.field(f));
    }

    HealpixMap own_;
    std::vector<const Field*> fields_;
    int64_t nside_ = 0;
    Frame frame_ = Frame::Unknown;
};

struct FieldWeights {
    UnsetVector<double> values;
    bool isWhole = false, isZero = false;   // all 1, all 0
    bool isHard = false;                    // 0 and 1 alone
    int64_t bad = 0;                        // pixels that are bad where the mask is above 0
    std::optional<ConstMapSamples> single;  // the same weights in single precision, in the mask
};

// Weights, 0 where any field is bad.
FieldWeights weightsOf(const Input* mask, const RingFields& map, PixelArrays* arrays,
                       JobContext& job) {
    FieldWeights weights;
    std::span<const float> single;
    if (mask != nullptr) {
        const HealpixMap& of = mask->map();
        auto memory = arrays != nullptr ? arrays->take<double>(pixelCount(map.nside()), job)
                                        : UnsetVector<double>();
        weights.values = naming(mask->name, [&] {
            return maskWeights(of, map.nside(), map.frame(), job, std::move(memory));
        });
        if (of.coverage() == Coverage::Full && of.ordering() == Ordering::Ring &&
            of.nside() == map.nside() && of.frame() == map.frame() && of.field(0).isSingle())
            single = std::get<std::vector<float>>(of.field(0).values);
    } else {
        weights.values = newUnsetVector<double>(pixelCount(map.nside()), job);
    }
    std::atomic<bool> hasOther{false}, hasGood{false}, hasSoft{false}, isChanged{single.empty()};
    std::atomic<int64_t> badPixels{0};
    parallelFor(job, static_cast<long long>(weights.values.size()), kPixelGrain,
                [&](long long first, long long last) {
                    const auto begin = static_cast<size_t>(first), end = static_cast<size_t>(last);
                    double* const w = weights.values.data();
                    if (mask == nullptr) std::fill(w + begin, w + end, 1.0);
                    int64_t made = 0;
                    for (size_t f = 0; f < map.count(); ++f)
                        std::visit(
                            [&](const auto& values) {
                                using Sample = std::decay_t<decltype(values[0])>;
                                constexpr Sample kMost = std::numeric_limits<Sample>::max();
                                int64_t bad = 0;
                                for (size_t i = begin; i < end; ++i)
                                    bad += std::abs(values[i]) <= kMost ? 0 : 1;
                                // Bad pixels are rare, and weights that are stored again pass
                                // through memory once more.
                                for (size_t i = begin; i < end && bad > 0; ++i) {
                                    const double weight = std::abs(values[i]) <= kMost ? w[i] : 0.0;
                                    made += weight != w[i] ? 1 : 0;
                                    w[i] = weight;
                                }
                            },
                            map[f].values);
                    // Numbers without a branch for each pixel, so that the loops vectorize.
                    int64_t ones = 0, zeros = 0, changed = 0;
                    for (size_t i = begin; i < end; ++i) {
                        ones += w[i] == 1.0 ? 1 : 0;
                        zeros += w[i] == 0.0 ? 1 : 0;
                    }
                    for (size_t i = begin; i < end && !single.empty(); ++i)
                        changed += static_cast<double>(single[i]) != w[i] ? 1 : 0;
                    const int64_t pixels = last - first;
                    if (ones < pixels) hasOther = true;
                    if (zeros < pixels) hasGood = true;
                    if (ones + zeros < pixels) hasSoft = true;
                    if (changed > 0) isChanged = true;
                    badPixels += made;
                });
    weights.isWhole = !hasOther;
    weights.isZero = !hasGood;
    weights.isHard = !hasSoft;
    weights.bad = badPixels;
    if (!isChanged) weights.single = single;
    return weights;
}

TakenOut removed(const AnafastOptions& options, RingFields& map, std::span<const double> weights,
                 JobContext& job) {
    TakenOut taken;
    taken.how = options.remove;
    const SampleRun all{0, static_cast<int64_t>(weights.size())};
    const auto reach =
        options.remove == Remove::Dipole ? RingMoments::Reach::Dipole : RingMoments::Reach::Mean;
    const RingMoments moments(map.nside(), reach, samplesOf(map[0]), {&all, 1}, weights, job);
    taken.isWhole = moments.isWhole();
    taken.mean = moments.mean();
    taken.rms = moments.rms();
    if (options.remove == Remove::None) return taken;
    taken.fitted = moments.fit(options.remove);
    Field& field = *map.own(0);
    widen(field, job);
    subtract(taken.fitted, map.nside(), samplesOf(field), {&all, 1}, job);
    return taken;
}

// factor(weight) times a field, in `memory` or in the samples of a field of our own.
template <class T, class Factor>
std::span<const T> weighted(const Field& field, Field* own, std::span<const double> weights,
                            const Factor& factor, PixelArrays* arrays, PixelArrays::Values& memory,
                            JobContext& job) {
    const auto multiply = [&](const auto& from, auto& to) {
        forPixels(to.size(), job, [&](size_t i) {
            to[i] =
                static_cast<T>(weightedSample(static_cast<double>(from[i]), factor(weights[i])));
        });
    };
    if (own != nullptr)
        if (auto* const values = std::get_if<std::vector<T>>(&own->values)) {
            multiply(*values, *values);
            return *values;
        }
    const auto count = static_cast<int64_t>(weights.size());
    auto& product = memory.emplace<UnsetVector<T>>(
        arrays != nullptr ? arrays->take<T>(count, job) : newUnsetVector<T>(count, job));
    std::visit([&](const auto& values) { multiply(values, product); }, field.values);
    if (own != nullptr) own->values = std::vector<float>();
    return product;
}

// The spectra of weights times map on a device; none where coefficients leave it.
std::optional<NineSpectra> spectraOnDevice(const RingFields& map, const MaskedFields& of,
                                           const ShtPlan& plan, JobContext& job) {
    const bool isSingle = map[0].isSingle();
    std::vector<ConstMapSamples> samples;
    for (size_t f = 0; f < map.count(); ++f) {
        if (map[f].isSingle() != isSingle) return {};
        samples.push_back(samplesOf(map[f]));
    }
    job.report(0.0, "transform of the map");
    std::optional<std::vector<std::vector<double>>> made =
        plan.weightedSpectra(samples, of.weights, job);
    if (!made) return {};
    NineSpectra nine;
    std::move(made->begin(), made->end(), nine.begin());
    // ET, BT and BE are TE, TB and EB of one map.
    for (size_t s = 6; made->size() > 1 && s < nine.size(); ++s) nine[s] = nine[s - 3];
    return nine;
}

std::vector<Alm> coefficients(RingFields& map, const MaskedFields& of,
                              const AnafastOptions& options, const ShtPlan& plan,
                              const Device& device, PixelArrays* arrays, JobContext& job) {
    const std::span<const double> weights = of.weights;
    job.report(0.0, "weight times map");
    PixelArrays::Values qMemory, uMemory;
    std::span<const double> q, u;
    if (options.purify != Purify::None) {
        const auto kept = [&](size_t field, PixelArrays::Values& memory) {
            return weighted<double>(
                map[field], nullptr, weights, [](double w) { return w == 0.0 ? 0.0 : 1.0; },
                nullptr, memory, job);
        };
        q = kept(1, qMemory);
        u = kept(2, uMemory);
    }
    // The product of a value and 0 or 1 is exact in single precision.
    bool isSingle = of.isHard;
    for (size_t f = 0; f < map.count(); ++f) isSingle = isSingle && map[f].isSingle();
    std::vector<PixelArrays::Values> planes(map.count());
    std::vector<ConstMapSamples> samples;
    const auto weigh = [](double w) { return w; };
    for (size_t f = 0; f < map.count(); ++f)
        if (isSingle)
            samples.emplace_back(
                weighted<float>(map[f], map.own(f), weights, weigh, arrays, planes[f], job));
        else
            samples.emplace_back(
                weighted<double>(map[f], map.own(f), weights, weigh, arrays, planes[f], job));
    const auto free = [&] {
        for (size_t f = 0; f < map.count(); ++f) {
            if (arrays != nullptr) arrays->put(std::move(planes[f]));
            if (Field* const own = map.own(f)) own->values = std::vector<float>();
        }
        planes.clear();
    };
    JobContext transform = job.part(0.05, 1.0);
    transform.report(0.0, "transform of the map");
    std::vector<Alm> alm;
    if (!options.polarization) {
        alm.push_back(plan.analysis(samples[0], transform));
        free();
        return alm;
    }
    JobContext first = transform.part(0.0, 0.5), second = transform.part(0.5, 1.0);
    alm = plan.analysisPolarized(samples[0], samples[1], samples[2], first);
    free();
    if (options.purify != Purify::None)
        purify(std::span<Alm, 2>(alm.data() + 1, 2), of.mask, q, u,
               {options.pureE(), options.pureB(), plan.parameters()}, device, second);
    return alm;
}

bool areEqual(std::span<const double> a, std::span<const double> b, JobContext& job) {
    if (a.size() != b.size()) return false;
    std::atomic<bool> differ{false};
    parallelFor(
        job, static_cast<long long>(a.size()), kPixelGrain, [&](long long begin, long long end) {
            if (!differ && !std::equal(a.begin() + begin, a.begin() + end, b.begin() + begin))
                differ = true;
        });
    return !differ;
}

}  // namespace

AnalysisFor analysisFor(const AnafastOptions& options, bool isCross) {
    return isCross || options.purify != Purify::None ? AnalysisFor::Coefficients
                                                     : AnalysisFor::Spectra;
}

bool isPolarized(const MaskedFields& fields) {
    return fields.ofDevice.map ? !(*fields.ofDevice.map)[1].empty() : fields.set.alm.size() == 3;
}

int maskLmax(const MaskedFields& fields) {
    if (fields.image) return static_cast<int>(mostOf(*fields.image));
    const ShtParameters& by = fields.parameters;
    const auto most = static_cast<int>(3 * by.nside - 1);
    // Multipoles above 2 lmax couple nothing. Iterations, weights and purification use them
    // nevertheless; a single sum over the pixels yields each multipole alone.
    const bool isAlone = by.iterations == 0 && by.tolerance == 0.0 && by.weights == Weights::None &&
                         !fields.isPurified;
    return isAlone ? std::min(most, 2 * by.lmax) : most;
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
                              numberText(step) + "; apodize the mask over a wider angle");
}

namespace {

ShtParameters maskParameters(const MaskedFields& like) {
    ShtParameters parameters = like.parameters;
    parameters.lmax = maskLmax(like);
    parameters.mmax = -1;
    return parameters;
}

}  // namespace

std::optional<std::vector<double>> maskSpectrumOnDevice(const MaskedFields& like, Power power,
                                                        const ConstMapSamples& weights,
                                                        const Device& device, JobContext& job,
                                                        KeptPlans* plans) {
    if (like.image) return {};
    const ShtParameters parameters = maskParameters(like);
    std::optional<ShtPlan> once;
    if (plans == nullptr) once.emplace(parameters, device, job);
    const ShtPlan& plan = once ? *once : plans->plan(KeptPlans::Of::Mask, parameters, device, job);
    std::optional<std::vector<std::vector<double>>> made = plan.weightedSpectra(
        {&weights, 1},
        power == Power::Second ? std::span<const double>(like.weights) : std::span<const double>(),
        job);
    if (!made) return {};
    return std::move(made->front());
}

std::vector<Alm> maskCoefficients(const MaskedFields& like,
                                  const std::vector<ConstMapSamples>& weights, const Device& device,
                                  JobContext& job, KeptPlans* plans) {
    const ShtParameters parameters = maskParameters(like);
    if (!like.image) {
        if (plans != nullptr)
            return plans->plan(KeptPlans::Of::Mask, parameters, device, job).analysis(weights, job);
        return ShtPlan(parameters, device, job).analysis(weights, job);
    }
    std::vector<Alm> result;
    const RingAnalysis analysis(*like.image, parameters, device, job);
    for (const ConstMapSamples& each : weights) {
        std::vector<std::vector<double>> planes;
        std::visit([&](const auto& values) { planes.emplace_back(values.begin(), values.end()); },
                   each);
        result.push_back(std::move(analysis.analyze(std::move(planes), false, 0, job).front()));
    }
    return result;
}

UnsetVector<double> productOf(std::span<const double> a, std::span<const double> b,
                              JobContext& job) {
    auto product = newUnsetVector<double>(static_cast<int64_t>(a.size()), job);
    parallelFor(job, static_cast<long long>(a.size()), kPixelGrain,
                [&](long long begin, long long end) {
                    std::transform(a.begin() + begin, a.begin() + end, b.begin() + begin,
                                   product.begin() + begin, std::multiplies<>());
                });
    return product;
}

void PixelArrays::put(Values values) {
    // Weights before and now, and T, Q and U.
    constexpr size_t kMost = 5;
    const bool isEmpty = std::visit([](const auto& each) { return each.empty(); }, values);
    if (!isEmpty && free_.size() < kMost) free_.push_back(std::move(values));
}

const ShtPlan& KeptPlans::plan(Of what, const ShtParameters& parameters, const Device& device,
                               JobContext& job) {
    std::optional<Kept>& kept = kept_[what == Of::Map ? 0 : 1];
    if (!kept || !haveSameResult(kept->parameters, parameters) || kept->device != device.label()) {
        kept.reset();
        kept.emplace(Kept{parameters, device.label(), ShtPlan(parameters, device, job)});
    }
    return kept->plan;
}

bool haveSameResult(const ShtParameters& a, const ShtParameters& b) {
    return a.nside == b.nside && a.lmax == b.lmax && a.mmax == b.mmax &&
           a.iterations == b.iterations && a.tolerance == b.tolerance && a.weights == b.weights;
}

bool haveSameMask(const MaskedFields& a, const MaskedFields& b, JobContext& job) {
    return haveSamePixels(a, b) && a.parameters.iterations == b.parameters.iterations &&
           a.parameters.tolerance == b.parameters.tolerance &&
           a.parameters.weights == b.parameters.weights && maskLmax(a) == maskLmax(b) &&
           areEqual(a.weights, b.weights, job);
}

namespace {

// The spectra of the weights and, if `isSquared`, of their squares; none where coefficients leave
// the device. `same`: the weights, perhaps in single precision.
void transformOnDevice(MaskedFields& fields, const ConstMapSamples& same, bool isSquared,
                       const Device& device, KeptPlans* plans, JobContext& job) {
    KeptPlans both;
    KeptPlans* const used = plans != nullptr ? plans : &both;
    std::optional<std::vector<double>> first =
        maskSpectrumOnDevice(fields, Power::First, same, device, job, used);
    if (!first) return;
    fields.ofDevice.mask = std::move(*first);
    if (!isSquared) return;
    std::optional<std::vector<double>> second =
        maskSpectrumOnDevice(fields, Power::Second, same, device, job, used);
    if (second) fields.ofDevice.squaredMask = std::move(*second);
}

// The same coefficients in host memory.
void transformMask(MaskedFields& fields, const ConstMapSamples& same, bool isSquared,
                   const Device& device, KeptPlans* plans, JobContext& job) {
    // One transform of both weights is faster than two.
    UnsetVector<double> squares;
    std::vector<ConstMapSamples> all{same};
    if (isSquared) {
        squares = productOf(fields.weights, fields.weights, job);
        all = {std::span<const double>(fields.weights), std::span<const double>(squares)};
    }
    std::vector<Alm> made = maskCoefficients(fields, all, device, job, plans);
    fields.mask = std::move(made.front());
    if (made.size() > 1) fields.squaredMask = std::move(made.back());
}

}  // namespace

MaskedFields analyzeMasked(Context& context, Input& input, const Input* mask,
                           const AnafastOptions& options, const JobContext& job, AnalysisFor use,
                           const KeptAnalysis& kept) {
    if (isImage(input))
        return analyzeMaskedImage(context, input, mask, options, job, use, kept.before);
    JobContext preparing = job.part(0.0, 0.1), weighing = job.part(0.1, 0.3),
               working = job.part(0.3, 1.0);
    JobContext arranging = preparing.part(0.0, 0.5);
    arranging.report(0.0, "map in order of rings");
    MaskedFields result;
    RingFields map(context, input, options, arranging);
    result.set.frame = map.frame();
    result.set.unit = map[0].unit;
    noteBandLimit(context, options.lmax, map.nside());
    if (!options.polarization) noteScalar(context, map[0]);
    preparing.report(0.5, "weights of the pixels");
    if (mask != nullptr)
        compareFrames({input.name, map.frame()}, {mask->name, mask->map().frame()}, context.note);
    FieldWeights weights = weightsOf(mask, map, kept.arrays, preparing);
    result.isWhole = weights.isWhole;
    result.isHard = weights.isHard;
    result.isPurified = options.purify != Purify::None;
    if (weights.isZero)
        throw InvalidArgument(input.name +
                              ": expected a good pixel where the mask is above 0, "
                              "found none");
    if (use == AnalysisFor::CoefficientsOfMap)
        noteBadPixels(context, input.name, weights.bad, pixelCount(map.nside()));
    result.weights = std::move(weights.values);
    const double step =
        result.isPurified ? largestStep(map.nside(), result.weights, preparing) : 0.0;
    requireSmoothMask(step, mask != nullptr ? mask->name : input.name);
    return naming(input.name, [&] {
        preparing.report(0.8, "mean of the map");
        result.taken = removed(options, map, result.weights, preparing);
        noteMean(context, input.name, result.taken, result.set.unit);
        JobContext planning = preparing.part(0.9, 1.0);
        planning.report(0.0, "plan");
        const ShtParameters parameters = parametersOf(options, map.nside());
        std::optional<ShtPlan> once;
        if (kept.plans == nullptr) once.emplace(parameters, context.device, planning);
        const ShtPlan& plan =
            once ? *once
                 : kept.plans->plan(KeptPlans::Of::Map, parameters, context.device, planning);
        result.parameters = plan.parameters();
        if (context.device.kind != DeviceKind::Cpu) result.use = use;
        // Sums of a device and of the host differ in rounding.
        result.hasMaskOfBefore = kept.before != nullptr && kept.before->use == result.use &&
                                 haveSameMask(*kept.before, result, preparing);
        const ConstMapSamples own = std::span<const double>(result.weights);
        const ConstMapSamples same = weights.single.value_or(own);
        if (result.hasMaskOfBefore) {
            result.mask = kept.before->mask;
            result.ofDevice.mask = kept.before->ofDevice.mask;
        } else if (!result.isWhole && use != AnalysisFor::CoefficientsOfMap) {
            weighing.report(0.0, "transform of the mask");
            const bool isSquared =
                kept.plans == nullptr && options.errors == SpectrumErrors::Gaussian;
            if (result.use == AnalysisFor::Spectra)
                transformOnDevice(result, same, isSquared, context.device, kept.plans, weighing);
            if (result.ofDevice.mask.empty())
                transformMask(result, same, isSquared, context.device, kept.plans, weighing);
        }
        if (result.use == AnalysisFor::Spectra)
            result.ofDevice.map = spectraOnDevice(map, result, plan, working);
        if (!result.ofDevice.map)
            result.set.alm =
                coefficients(map, result, options, plan, context.device, kept.arrays, working);
        noteWeights(context, result.parameters.weights, map.nside());
        context.note(describeStrategy(result.parameters.weights, result.parameters.iterations));
        return std::move(result);
    });
}

std::vector<Alm> analyzeLike(Context& context, Input& input, const MaskedFields& like,
                             const AnafastOptions& options, JobContext& job) {
    if (like.image) return analyzeImageLike(context, input, like, options, job);
    JobContext silent(job.stopToken(), {}, job.threads());
    HealpixMap map = fullRing(input.takeMap(), silent);
    if (map.nside() != like.parameters.nside)
        throw InvalidArgument("expected a map of noise of nside " +
                              std::to_string(like.parameters.nside) + ", found " +
                              std::to_string(map.nside()));
    JobContext analysing = job.part(map.frame() != like.set.frame ? 0.5 : 0.0, 1.0);
    compareFrames({"the map", like.set.frame}, {input.name, map.frame()}, context.note);
    if (map.frame() != like.set.frame) {
        // Interpolation between pixels would smooth the noise.
        JobContext first = job.part(0.0, 0.5);
        Context turning{context.device, first, std::nullopt, {}, context.note};
        HarmonicConversion conversion;
        conversion.nside = map.nside();
        conversion.frame = like.set.frame;
        conversion.iterations = 3;
        map = convertedByHarmonics(turning, input.name, std::move(map), conversion);
    }
    int64_t bad = 0;
    for (int f = 0; f < map.fieldCount(); ++f) {
        bad = std::max(bad, fillBadPixels(map.field(f), silent));
    }
    noteBadPixels(context, input.name, bad, pixelCount(like.parameters.nside));
    const ShtPlan plan(like.parameters, context.device, silent);
    RingFields fields(std::move(map), silent);
    return coefficients(fields, like, options, plan, context.device, nullptr, analysing);
}

}  // namespace armilla
