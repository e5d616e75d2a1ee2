// SPDX-License-Identifier: GPL-3.0-or-later
// Inner loops of gridding, written once and compiled for SSE4, AVX2 and AVX-512. The best set that
// the machine supports is chosen at run time.
#include "grid/gather_kernels.h"

// SSSE3 and the later steps of AVX-512 do not speed up these loops.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "grid/gather_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace armilla::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<double>;
using Vector = hn::Vec<Tag>;
constexpr int64_t kLanes = hn::MaxLanes(Tag());

struct VectorMath {
    using Number = Vector;
    static HWY_INLINE Number set(double value) { return hn::Set(Tag(), value); }
    static HWY_INLINE Number multiply(Number a, Number b) { return hn::Mul(a, b); }
    static HWY_INLINE Number divide(Number a, Number b) { return hn::Div(a, b); }
    static HWY_INLINE Number subtract(Number a, Number b) { return hn::Sub(a, b); }
    static HWY_INLINE Number multiplyAdd(Number a, Number b, Number c) {
        return hn::MulAdd(a, b, c);
    }
    static HWY_INLINE Number exp(Number a) { return hn::Exp(Tag(), a); }
    static HWY_INLINE Number asin(Number a) { return hn::Asin(Tag(), a); }
    static HWY_INLINE Number root(Number a) { return hn::Sqrt(a); }
    static HWY_INLINE Number notBelow(Number a, double least) {
        return hn::Max(a, hn::Set(Tag(), least));
    }
};

#include "shared/grid_weight_formula.inc"

// Calls body(place, mask, weight) for the samples of the runs within the radius, one vector at a
// time; weight is 0 outside the mask.
template <bool kPlain, class Body>
HWY_INLINE void forEachNear(const GridWeights& kernel, const GatherSamples& samples,
                            const GatherCell& cell, std::span<const SortedRun> runs,
                            const Body& body) {
    const Tag tag;
    const Vector x = hn::Set(tag, cell.at.x), y = hn::Set(tag, cell.at.y),
                 z = hn::Set(tag, cell.at.z), largest = hn::Set(tag, kernel.chord2Max);
    for (const SortedRun& run : runs)
        for (int64_t i = run.begin; i < run.end; i += kLanes) {
            const Vector dx = hn::Sub(hn::LoadU(tag, samples.x + i), x),
                         dy = hn::Sub(hn::LoadU(tag, samples.y + i), y),
                         dz = hn::Sub(hn::LoadU(tag, samples.z + i), z);
            const Vector chord2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
            auto mask = hn::Le(chord2, largest);
            if (run.end - i < kLanes)
                mask = hn::And(mask, hn::FirstN(tag, static_cast<size_t>(run.end - i)));
            if (hn::AllFalse(tag, mask)) continue;
            Vector north = chord2, east = chord2;
            if (!kPlain && kernel.elliptical) {
                north = hn::MulAdd(dx, hn::Set(tag, cell.north.x),
                                   hn::MulAdd(dy, hn::Set(tag, cell.north.y),
                                              hn::Mul(dz, hn::Set(tag, cell.north.z))));
                east = hn::MulAdd(dx, hn::Set(tag, cell.east.x),
                                  hn::Mul(dy, hn::Set(tag, cell.east.y)));
            }
            // Masked lanes must not become NaN far beyond the range of the series.
            Vector weight =
                gridWeight<kPlain, VectorMath>(kernel, hn::Min(chord2, largest), north, east);
            if (samples.weights != nullptr)
                weight = hn::Mul(weight, hn::LoadU(tag, samples.weights + i));
            body(i, mask, hn::IfThenElseZero(mask, weight));
        }
}

template <bool kPlain>
HWY_INLINE GatherSum gatherOneOf(const GridWeights& kernel, const GatherSamples& samples,
                                 const GatherCell& cell, std::span<const SortedRun> runs,
                                 const double* values) {
    const Tag tag;
    Vector valueSum = hn::Zero(tag), weightSum = hn::Zero(tag);
    GatherSum sum;
    const Vector zero = hn::Zero(tag);
    forEachNear<kPlain>(kernel, samples, cell, runs,
                        [&](int64_t i, auto mask, Vector weight) HWY_ATTR {
                            const Vector value = hn::LoadU(tag, values + i);
                            // v - v is 0 only for finite numbers.
                            const auto good = hn::And(mask, hn::Eq(hn::Sub(value, value), zero));
                            const Vector kept = hn::IfThenElseZero(good, weight);
                            weightSum = hn::Add(weightSum, kept);
                            valueSum = hn::MulAdd(kept, hn::IfThenElseZero(good, value), valueSum);
                            sum.count += static_cast<int64_t>(hn::CountTrue(tag, good));
                        });
    sum.values = hn::GetLane(hn::SumOfLanes(tag, valueSum));
    sum.weights = hn::GetLane(hn::SumOfLanes(tag, weightSum));
    return sum;
}
HWY_NOINLINE GatherSum gatherOneImpl(const GridWeights& kernel, const GatherSamples& samples,
                                     const GatherCell& cell, std::span<const SortedRun> runs,
                                     const double* values) {
    return kernel.plain ? gatherOneOf<true>(kernel, samples, cell, runs, values)
                        : gatherOneOf<false>(kernel, samples, cell, runs, values);
}

HWY_NOINLINE int64_t gatherPairsImpl(const GridWeights& kernel, const GatherSamples& samples,
                                     const GatherCell& cell, std::span<const SortedRun> runs,
                                     double* weights, uint32_t* which) {
    const Tag tag;
    int64_t found = 0;
    const auto keep = [&](int64_t i, auto mask, Vector weight) HWY_ATTR {
        HWY_ALIGN double lanes[kLanes];
        uint8_t bits[8] = {};
        hn::Store(weight, tag, lanes);
        hn::StoreMaskBits(tag, mask, bits);
        for (unsigned left = bits[0]; left != 0; left &= left - 1) {
            const int lane = __builtin_ctz(left);
            weights[found] = lanes[lane];
            which[found++] = static_cast<uint32_t>(i + lane);
        }
    };
    if (kernel.plain)
        forEachNear<true>(kernel, samples, cell, runs, keep);
    else
        forEachNear<false>(kernel, samples, cell, runs, keep);
    return found;
}

template <class T>
HWY_INLINE Vector loadNumbers(const T* from) {
    const Tag tag;
    if constexpr (sizeof(T) == sizeof(double))
        return hn::LoadU(tag, from);
    else
        return hn::PromoteTo(tag, hn::LoadU(hn::Rebind<float, Tag>(), from));
}
template <class T>
HWY_INLINE void addChannelsOf(const double* weights, const uint32_t* rows, int64_t count,
                              const T* values, int64_t width, int channels, double* sums) {
    const Tag tag;
    constexpr int kVectors = 4, kRun = kVectors * static_cast<int>(kLanes);
    int c = 0;
    // Runs of vectors whose sums stay in registers.
    for (; c + kRun <= channels; c += kRun) {
        Vector sum[kVectors];
        for (int v = 0; v < kVectors; ++v) sum[v] = hn::LoadU(tag, sums + c + v * kLanes);
        for (int64_t i = 0; i < count; ++i) {
            const Vector weight = hn::Set(tag, weights[i]);
            const T* const row = values + rows[i] * width + c;
            for (int v = 0; v < kVectors; ++v)
                sum[v] = hn::MulAdd(weight, loadNumbers(row + v * kLanes), sum[v]);
        }
        for (int v = 0; v < kVectors; ++v) hn::StoreU(sum[v], tag, sums + c + v * kLanes);
    }
    for (; c < channels; ++c) {
        double sum = sums[c];
        for (int64_t i = 0; i < count; ++i)
            sum += weights[i] * static_cast<double>(values[rows[i] * width + c]);
        sums[c] = sum;
    }
}
HWY_NOINLINE void addDoublesImpl(const double* weights, const uint32_t* rows, int64_t count,
                                 const double* values, int64_t width, int channels, double* sums) {
    addChannelsOf(weights, rows, count, values, width, channels, sums);
}
HWY_NOINLINE void addFloatsImpl(const double* weights, const uint32_t* rows, int64_t count,
                                const float* values, int64_t width, int channels, double* sums) {
    addChannelsOf(weights, rows, count, values, width, channels, sums);
}

}  // namespace armilla::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla {

HWY_EXPORT(gatherOneImpl);
HWY_EXPORT(gatherPairsImpl);
HWY_EXPORT(addDoublesImpl);
HWY_EXPORT(addFloatsImpl);

GatherSum gatherOne(const GridWeights& kernel, const GatherSamples& samples, const GatherCell& cell,
                    std::span<const SortedRun> runs, const double* values) {
    return HWY_DYNAMIC_DISPATCH(gatherOneImpl)(kernel, samples, cell, runs, values);
}
int64_t gatherPairs(const GridWeights& kernel, const GatherSamples& samples, const GatherCell& cell,
                    std::span<const SortedRun> runs, double* weights, uint32_t* which) {
    return HWY_DYNAMIC_DISPATCH(gatherPairsImpl)(kernel, samples, cell, runs, weights, which);
}
void addChannels(const double* weights, const uint32_t* rows, int64_t count, const double* values,
                 int64_t width, int channels, double* sums) {
    HWY_DYNAMIC_DISPATCH(addDoublesImpl)(weights, rows, count, values, width, channels, sums);
}
void addChannels(const double* weights, const uint32_t* rows, int64_t count, const float* values,
                 int64_t width, int channels, double* sums) {
    HWY_DYNAMIC_DISPATCH(addFloatsImpl)(weights, rows, count, values, width, channels, sums);
}

}  // namespace armilla
#endif
