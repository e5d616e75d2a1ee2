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

struct Row {
    hn::Vec<Tag> v[kVectors];
};

// Where the taps of a ring begin, and the direction in which they run.
struct Place {
    ptrdiff_t first;
    int step;
};
// theta and its mirror image -theta; for the south pi - theta and pi + theta.
HWY_INLINE Place placeOf(const ThetaTargets& targets, int pair, int side, bool mirrored) {
    const ptrdiff_t first = targets.firstTap[pair], half = targets.fineSize / 2;
    if (side == 1) return mirrored ? Place{half + first, 1} : Place{half - first, -1};
    ptrdiff_t row = mirrored ? -first : first;
    if (row < 0) row += targets.fineSize;
    return {row, mirrored ? -1 : 1};
}

HWY_INLINE Row windowSum(const double* taps, const Place& place, const double* fine) {
    const Tag tag;
    const size_t lanes = hn::Lanes(tag);
    const double* row = fine + place.first * kRow;
    const ptrdiff_t step = place.step * kRow;
    Row even, odd;
    for (int v = 0; v < kVectors; ++v) even.v[v] = odd.v[v] = hn::Zero(tag);
    for (int t = 0; t < kThetaTaps; t += 2, row += 2 * step)
        for (int v = 0; v < kVectors; ++v) {
            const double* const at = row + static_cast<size_t>(v) * lanes;
            even.v[v] = hn::MulAdd(hn::Set(tag, taps[t]), hn::Load(tag, at), even.v[v]);
            odd.v[v] = hn::MulAdd(hn::Set(tag, taps[t + 1]), hn::Load(tag, at + step), odd.v[v]);
        }
    for (int v = 0; v < kVectors; ++v) even.v[v] = hn::Add(even.v[v], odd.v[v]);
    return even;
}

HWY_NOINLINE void gatherImpl(const ThetaTargets& targets, const double* fine, double* modes) {
    const Tag tag;
    const size_t lanes = hn::Lanes(tag);
    for (int pair = 0; pair < targets.pairs; ++pair) {
        const double* const taps = targets.taps + static_cast<ptrdiff_t>(pair) * kThetaTaps;
        for (int side = 0; side < 2; ++side) {
            const Row a = windowSum(taps, placeOf(targets, pair, side, false), fine);
            const Row b = windowSum(taps, placeOf(targets, pair, side, true), fine);
            double* const out = modes + (static_cast<ptrdiff_t>(pair) * 4 + 2 * side) * kRow;
            for (int v = 0; v < kVectors; ++v) {
                double* const at = out + static_cast<size_t>(v) * lanes;
                hn::Store(hn::Add(a.v[v], b.v[v]), tag, at + targets.oddFirst * kRow);
                hn::Store(hn::Sub(a.v[v], b.v[v]), tag, at + (1 - targets.oddFirst) * kRow);
            }
        }
    }
}

HWY_INLINE void addWindow(const double* taps, const Place& place, const Row& value, double* fine) {
    const Tag tag;
    const size_t lanes = hn::Lanes(tag);
    double* row = fine + place.first * kRow;
    for (int t = 0; t < kThetaTaps; ++t, row += place.step * kRow)
        for (int v = 0; v < kVectors; ++v) {
            double* const at = row + static_cast<size_t>(v) * lanes;
            hn::Store(hn::MulAdd(hn::Set(tag, taps[t]), value.v[v], hn::Load(tag, at)), tag, at);
        }
}

HWY_NOINLINE void scatterImpl(const ThetaTargets& targets, const double* modes, double* fine) {
    const Tag tag;
    const size_t lanes = hn::Lanes(tag);
    for (int pair = 0; pair < targets.pairs; ++pair) {
        const double* const taps = targets.taps + static_cast<ptrdiff_t>(pair) * kThetaTaps;
        for (int side = 0; side < 2; ++side) {
            const double* const in = modes + (static_cast<ptrdiff_t>(pair) * 4 + 2 * side) * kRow;
            Row sum, difference;
            for (int v = 0; v < kVectors; ++v) {
                const double* const at = in + static_cast<size_t>(v) * lanes;
                const auto even = hn::Load(tag, at + targets.oddFirst * kRow);
                const auto odd = hn::Load(tag, at + (1 - targets.oddFirst) * kRow);
                sum.v[v] = hn::Add(even, odd);
                difference.v[v] = hn::Sub(even, odd);
            }
            addWindow(taps, placeOf(targets, pair, side, false), sum, fine);
            addWindow(taps, placeOf(targets, pair, side, true), difference, fine);
        }
    }
}

}  // namespace armilla::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla {

HWY_EXPORT(gatherImpl);
HWY_EXPORT(scatterImpl);

void thetaGather(const ThetaTargets& targets, const double* fine, double* modes) {
    HWY_DYNAMIC_DISPATCH(gatherImpl)(targets, fine, modes);
}
void thetaScatter(const ThetaTargets& targets, const double* modes, double* fine) {
    HWY_DYNAMIC_DISPATCH(scatterImpl)(targets, modes, fine);
}

}  // namespace armilla
#endif
