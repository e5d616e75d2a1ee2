// SPDX-License-Identifier: GPL-3.0-or-later
// The window sums of the interpolation in latitude, compiled for each instruction set.
#include "sht/theta_kernels.h"

// SSSE3 and the later steps of AVX-512 add nothing for these loops.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sht/theta_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace armilla::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
constexpr int kRow = 2 * kThetaColumns;
// A vector is at most one row.
using Tag = hn::CappedTag<double, kRow>;
constexpr int kVectors = kRow / hn::MaxLanes(Tag());

// Rows at which the taps of a pair begin, and the direction in which they run.
struct Place {
    ptrdiff_t first;
    int step;
};
struct Places {
    Place at[4];
};
HWY_INLINE Places placesOf(const ThetaTargets& targets, int pair) {
    const ptrdiff_t first = targets.firstTap[pair], half = targets.fineSize / 2;
    return {{{first, 1}, {-first, -1}, {half - first, -1}, {half + first, 1}}};
}
// Into [-kThetaTaps, fineSize + kThetaTaps) with all taps of the place.
HWY_INLINE ptrdiff_t wrapped(ptrdiff_t row, ptrdiff_t size) {
    return row < 0 ? row + size : row >= size ? row - size : row;
}

HWY_NOINLINE void gatherImpl(const ThetaTargets& targets, const double* fine, double* sums) {
    const Tag tag;
    const int lanes = static_cast<int>(hn::Lanes(tag));
    for (int pair = 0; pair < targets.pairs; ++pair) {
        const double* const taps = targets.taps + static_cast<ptrdiff_t>(pair) * kThetaTaps;
        const Places places = placesOf(targets, pair);
        for (int p = 0; p < 4; ++p) {
            const double* row = fine + wrapped(places.at[p].first, targets.fineSize) * kRow;
            const ptrdiff_t step = places.at[p].step * kRow;
            hn::Vec<Tag> even[kVectors], odd[kVectors];
            for (int v = 0; v < kVectors; ++v) even[v] = odd[v] = hn::Zero(tag);
            for (int t = 0; t < kThetaTaps; t += 2, row += 2 * step)
                for (int v = 0; v < kVectors; ++v) {
                    even[v] =
                        hn::MulAdd(hn::Set(tag, taps[t]), hn::Load(tag, row + v * lanes), even[v]);
                    odd[v] = hn::MulAdd(hn::Set(tag, taps[t + 1]),
                                        hn::Load(tag, row + step + v * lanes), odd[v]);
                }
            double* const out = sums + (static_cast<ptrdiff_t>(pair) * 4 + p) * kRow;
            for (int v = 0; v < kVectors; ++v)
                hn::Store(hn::Add(even[v], odd[v]), tag, out + v * lanes);
        }
    }
}

HWY_NOINLINE void scatterImpl(const ThetaTargets& targets, const double* sums, double* fine) {
    const Tag tag;
    const int lanes = static_cast<int>(hn::Lanes(tag));
    for (int pair = 0; pair < targets.pairs; ++pair) {
        const double* const taps = targets.taps + static_cast<ptrdiff_t>(pair) * kThetaTaps;
        const Places places = placesOf(targets, pair);
        for (int p = 0; p < 4; ++p) {
            double* row = fine + wrapped(places.at[p].first, targets.fineSize) * kRow;
            const ptrdiff_t step = places.at[p].step * kRow;
            const double* const in = sums + (static_cast<ptrdiff_t>(pair) * 4 + p) * kRow;
            hn::Vec<Tag> value[kVectors];
            for (int v = 0; v < kVectors; ++v) value[v] = hn::Load(tag, in + v * lanes);
            for (int t = 0; t < kThetaTaps; ++t, row += step)
                for (int v = 0; v < kVectors; ++v)
                    hn::Store(
                        hn::MulAdd(hn::Set(tag, taps[t]), value[v], hn::Load(tag, row + v * lanes)),
                        tag, row + v * lanes);
        }
    }
}

}  // namespace armilla::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla {

HWY_EXPORT(gatherImpl);
HWY_EXPORT(scatterImpl);

void thetaGather(const ThetaTargets& targets, const double* fine, double* sums) {
    HWY_DYNAMIC_DISPATCH(gatherImpl)(targets, fine, sums);
}
void thetaScatter(const ThetaTargets& targets, const double* sums, double* fine) {
    HWY_DYNAMIC_DISPATCH(scatterImpl)(targets, sums, fine);
}

}  // namespace armilla
#endif
