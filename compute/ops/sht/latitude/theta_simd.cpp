// SPDX-License-Identifier: GPL-3.0-or-later
// The loops of the interpolation in latitude, except its FFTs, compiled for each instruction set.
#include "sht/latitude/theta_kernels.h"

// SSSE3 and the later steps of AVX-512 add nothing for these loops.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sht/latitude/theta_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

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

// The first tap of a ring, and the direction of its taps.
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

HWY_INLINE void addTo(double* fine, ptrdiff_t row, const Row& value) {
    const Tag tag;
    for (int v = 0; v < kVectors; ++v) {
        double* const at = fine + row * kRow + static_cast<size_t>(v) * hn::Lanes(tag);
        hn::Store(hn::Add(hn::Load(tag, at), value.v[v]), tag, at);
    }
}
// Row by row of the fine grid: each row is stored once, not once for each ring whose window
// includes the row.
HWY_NOINLINE void scatterImpl(const ThetaTargets& targets, const double* modes, double* fine) {
    const Tag tag;
    const size_t lanes = hn::Lanes(tag);
    if (targets.pairs == 0) return;
    const ptrdiff_t size = targets.fineSize, half = size / 2;
    const int last = targets.firstTap[targets.pairs - 1] + kThetaTaps;
    // Pairs whose windows include the row: from `begin` on, and before `end`.
    int begin = 0, end = 0;
    for (ptrdiff_t j = targets.firstTap[0]; j < last; ++j) {
        while (end < targets.pairs && targets.firstTap[end] <= j) ++end;
        while (begin < end && targets.firstTap[begin] + kThetaTaps <= j) ++begin;
        Row sums[4];  // one for each row of `modes`
        for (Row& sum : sums)
            for (int v = 0; v < kVectors; ++v) sum.v[v] = hn::Zero(tag);
        for (int pair = begin; pair < end; ++pair) {
            const ptrdiff_t t = j - targets.firstTap[pair];
            const auto tap = hn::Set(tag, targets.taps[ptrdiff_t{pair} * kThetaTaps + t]);
            const double* in = modes + ptrdiff_t{pair} * 4 * kRow;
            for (Row& sum : sums)
                for (int v = 0; v < kVectors; ++v, in += lanes)
                    sum.v[v] = hn::MulAdd(tap, hn::Load(tag, in), sum.v[v]);
        }
        // theta and -theta, pi - theta and pi + theta: even part plus and minus odd part.
        for (int side = 0; side < 2; ++side) {
            const Row &even = sums[2 * side + targets.oddFirst],
                      &odd = sums[2 * side + 1 - targets.oddFirst];
            Row sum, difference;
            for (int v = 0; v < kVectors; ++v) {
                sum.v[v] = hn::Add(even.v[v], odd.v[v]);
                difference.v[v] = hn::Sub(even.v[v], odd.v[v]);
            }
            const ptrdiff_t mirrored = j > 0 ? size - j : -j;
            addTo(fine, side == 1 ? half - j : j < 0 ? j + size : j, sum);
            addTo(fine, side == 1 ? half + j : mirrored, difference);
        }
    }
}

// A vector holds kPairs numbers: of one row or, transposed, of successive pairs of rings.
using PairTag = hn::CappedTag<double, 4>;
using PairVector = hn::Vec<PairTag>;
constexpr ptrdiff_t kPairs = hn::MaxLanes(PairTag());
HWY_INLINE void transpose([[maybe_unused]] PairVector (&v)[kPairs]) {
#if HWY_TARGET != HWY_SCALAR
    const PairTag tag;
    if constexpr (kPairs == 2) {
        const PairVector low = hn::InterleaveLower(tag, v[0], v[1]);
        v[1] = hn::InterleaveUpper(tag, v[0], v[1]);
        v[0] = low;
    } else {
        const PairVector a = hn::InterleaveLower(tag, v[0], v[1]);
        const PairVector b = hn::InterleaveUpper(tag, v[0], v[1]);
        const PairVector c = hn::InterleaveLower(tag, v[kPairs - 2], v[kPairs - 1]);
        const PairVector d = hn::InterleaveUpper(tag, v[kPairs - 2], v[kPairs - 1]);
        v[0] = hn::ConcatLowerLower(tag, c, a);
        v[1] = hn::ConcatLowerLower(tag, d, b);
        v[kPairs - 2] = hn::ConcatUpperUpper(tag, c, a);
        v[kPairs - 1] = hn::ConcatUpperUpper(tag, d, b);
    }
#endif
}
// Rows of the pairs i .. i + kPairs - 1: calls `body(i, offset, here, mirrored)` for the kPairs
// numbers from `offset` on. `here(r)` and `mirrored(r)` are the positions of the r-th pair's
// numbers in `rows`.
template <typename Body>
HWY_INLINE void forEachPairBlock(const ThetaPlanes& planes, const Body& body) {
    const ptrdiff_t points = 4 * planes.pairs, rings = 2 * planes.pairs;
    for (ptrdiff_t next = 0; next < planes.pairs; next += kPairs) {
        // The last block begins earlier if it would end too late.
        const ptrdiff_t i = std::min(next, planes.pairs - kPairs);
        const ptrdiff_t first = planes.south ? rings - 1 - i : i, step = planes.south ? -1 : 1;
        for (ptrdiff_t offset = 0; offset < kRow; offset += kPairs)
            body(
                i, offset, [=](ptrdiff_t r) { return (first + step * r) * kRow + offset; },
                [=](ptrdiff_t r) { return (points - 1 - first - step * r) * kRow + offset; });
    }
}
// The position in the planes of number `at` of a row.
HWY_INLINE double* inPlanes(double* const* planes, ptrdiff_t stride, ptrdiff_t at) {
    return planes[at / 2] + at % 2 * stride;
}
HWY_NOINLINE void rowsFromPlanesImpl(const ThetaPlanes& planes, double* rows) {
    const PairTag tag;
    forEachPairBlock(planes, [&](ptrdiff_t i, ptrdiff_t offset, const auto& here,
                                 const auto& mirrored) HWY_ATTR {
        PairVector even[kPairs], odd[kPairs];
        for (ptrdiff_t r = 0; r < kPairs; ++r) {
            even[r] = hn::LoadU(tag, inPlanes(planes.even, planes.stride, offset + r) + i);
            odd[r] = hn::LoadU(tag, inPlanes(planes.odd, planes.stride, offset + r) + i);
        }
        transpose(even);
        transpose(odd);
        for (ptrdiff_t r = 0; r < kPairs; ++r) {
            hn::Store(hn::Add(even[r], odd[r]), tag, rows + here(r));
            hn::Store(hn::Sub(even[r], odd[r]), tag, rows + mirrored(r));
        }
    });
}
HWY_NOINLINE void planesFromRowsImpl(const ThetaPlanes& planes, const double* rows) {
    const PairTag tag;
    forEachPairBlock(planes, [&](ptrdiff_t i, ptrdiff_t offset, const auto& here,
                                 const auto& mirrored) HWY_ATTR {
        PairVector even[kPairs], odd[kPairs];
        for (ptrdiff_t r = 0; r < kPairs; ++r) {
            const PairVector a = hn::Load(tag, rows + here(r));
            const PairVector b = hn::Load(tag, rows + mirrored(r));
            even[r] = hn::Add(a, b);
            odd[r] = hn::Sub(a, b);
        }
        transpose(even);
        transpose(odd);
        for (ptrdiff_t r = 0; r < kPairs; ++r) {
            hn::StoreU(even[r], tag, inPlanes(planes.even, planes.stride, offset + r) + i);
            hn::StoreU(odd[r], tag, inPlanes(planes.odd, planes.stride, offset + r) + i);
        }
    });
}

}  // namespace armilla::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla {

HWY_EXPORT(gatherImpl);
HWY_EXPORT(scatterImpl);
HWY_EXPORT(rowsFromPlanesImpl);
HWY_EXPORT(planesFromRowsImpl);

void thetaGather(const ThetaTargets& targets, const double* fine, double* modes) {
    HWY_DYNAMIC_DISPATCH(gatherImpl)(targets, fine, modes);
}
void thetaScatter(const ThetaTargets& targets, const double* modes, double* fine) {
    HWY_DYNAMIC_DISPATCH(scatterImpl)(targets, modes, fine);
}
void thetaRowsFromPlanes(const ThetaPlanes& planes, double* rows) {
    HWY_DYNAMIC_DISPATCH(rowsFromPlanesImpl)(planes, rows);
}
void thetaPlanesFromRows(const ThetaPlanes& planes, const double* rows) {
    HWY_DYNAMIC_DISPATCH(planesFromRowsImpl)(planes, rows);
}

}  // namespace armilla
#endif
