// SPDX-License-Identifier: GPL-3.0-or-later
// The recursion over m of a quarter turn's Wigner matrix, one row for each lane, compiled for each
// instruction set.
#include "spectrum/quarter_turn.h"

// SSSE3 and the later steps of AVX-512 add nothing for these loops.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "spectrum/quarter_turn_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace armilla::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vector = hn::Vec<Tag>;

// Independent chains of the recursion hide the latency of its multiply-add.
template <int kFields>
constexpr int kChains = kFields == 1 ? 4 : 2;

template <int kFields>
struct RowBlock {
    static constexpr int kVectors = kChains<kFields>;
    Vector now[kVectors], above[kVectors], power[kVectors];  // E_m, E_{m+1}
    Vector even[kFields][kVectors], odd[kFields][kVectors];
};

// Adds the lanes' values at step i to the sums, and advances to step i + 1.
template <bool kEven, int kFields>
HWY_INLINE void step(const QuarterTurnSums& sums, int row, int i, RowBlock<kFields>& block,
                     const Vector* values) {
    const Tag tag;
    const auto lanes = static_cast<int>(hn::Lanes(tag));
    for (int f = 0; f < kFields; ++f) {
        const Vector factor = hn::Set(tag, sums.values[static_cast<size_t>(f)][i]);
        auto& to = kEven ? block.even[f] : block.odd[f];
        for (int v = 0; v < RowBlock<kFields>::kVectors; ++v)
            to[v] = hn::MulAdd(values[v], factor, to[v]);
    }
    if (i + 1 >= sums.steps) return;
    const Vector alpha = hn::Set(tag, sums.alpha[i + 1]);
    for (int v = 0; v < RowBlock<kFields>::kVectors; ++v) {
        const Vector k = hn::LoadU(tag, sums.k + row + v * lanes);
        // The older of the two values is replaced by the new one.
        auto& now = kEven ? block.now[v] : block.above[v];
        auto& other = kEven ? block.above[v] : block.now[v];
        other = hn::MulSub(hn::Mul(k, alpha), now, other);
    }
}

// Runs steps i to end, an even number of them or up to the last, for rows of which some are still
// scaled down. Returns whether no row is scaled down after them. Values of scaled rows are below
// 2^-256 when the steps begin, grow by less than 2 sqrt(l) a step, and are excluded from the sums.
template <int kFields>
HWY_INLINE bool scaledSteps(const QuarterTurnSums& sums, int row, int i, int end,
                            RowBlock<kFields>& block) {
    const Tag tag;
    constexpr int kVectors = RowBlock<kFields>::kVectors;
    const Vector zero = hn::Zero(tag);
    hn::Mask<Tag> whole[kVectors];
    for (int v = 0; v < kVectors; ++v) whole[v] = hn::Eq(block.power[v], zero);
    for (; i < end; i += 2) {
        Vector values[kVectors];
        for (int v = 0; v < kVectors; ++v) values[v] = hn::IfThenElseZero(whole[v], block.now[v]);
        step<true>(sums, row, i, block, values);
        if (i + 1 >= end) break;
        for (int v = 0; v < kVectors; ++v) values[v] = hn::IfThenElseZero(whole[v], block.above[v]);
        step<false>(sums, row, i + 1, block, values);
    }
    const Vector limit = hn::Set(tag, 0x1p256), down = hn::Set(tag, 0x1p-512);
    bool all = true;
    for (int v = 0; v < kVectors; ++v) {
        const auto large =
            hn::And(hn::Gt(block.power[v], zero), hn::Gt(hn::Abs(block.now[v]), limit));
        block.now[v] = hn::IfThenElse(large, hn::Mul(block.now[v], down), block.now[v]);
        block.above[v] = hn::IfThenElse(large, hn::Mul(block.above[v], down), block.above[v]);
        block.power[v] = hn::Sub(block.power[v], hn::IfThenElseZero(large, hn::Set(tag, 1.0)));
        all = all && hn::AllTrue(tag, hn::Eq(block.power[v], zero));
    }
    return all;
}

template <int kFields>
HWY_INLINE void sumRows(const QuarterTurnSums& sums, int row) {
    const Tag tag;
    constexpr int kVectors = RowBlock<kFields>::kVectors;
    const auto lanes = static_cast<int>(hn::Lanes(tag));
    RowBlock<kFields> block;
    bool whole = true;
    for (int v = 0; v < kVectors; ++v) {
        block.now[v] = hn::LoadU(tag, sums.start + row + v * lanes);
        block.above[v] = hn::Zero(tag);
        block.power[v] = hn::LoadU(tag, sums.power + row + v * lanes);
        whole = whole && hn::AllTrue(tag, hn::Eq(block.power[v], hn::Zero(tag)));
        for (int f = 0; f < kFields; ++f) block.even[f][v] = block.odd[f][v] = hn::Zero(tag);
    }
    constexpr int kStepsBetweenChecks = 16;
    int i = 0;
    while (!whole && i < sums.steps) {
        const int end = std::min(sums.steps, i + kStepsBetweenChecks);
        whole = scaledSteps(sums, row, i, end, block);
        i = end;
    }
    for (; i + 1 < sums.steps; i += 2) {
        step<true>(sums, row, i, block, block.now);
        step<false>(sums, row, i + 1, block, block.above);
    }
    if (i < sums.steps) step<true>(sums, row, i, block, block.now);
    for (int f = 0; f < kFields; ++f)
        for (int v = 0; v < kVectors; ++v) {
            hn::StoreU(block.even[f][v], tag, sums.even[static_cast<size_t>(f)] + row + v * lanes);
            hn::StoreU(block.odd[f][v], tag, sums.odd[static_cast<size_t>(f)] + row + v * lanes);
        }
}

template <int kFields>
HWY_INLINE void sumAllRows(const QuarterTurnSums& sums) {
    const int group = kChains<kFields> * static_cast<int>(hn::Lanes(Tag()));
    for (int row = 0; row < sums.rows; row += group) sumRows<kFields>(sums, row);
}

HWY_NOINLINE void sumsImpl(const QuarterTurnSums& sums) {
    switch (sums.fields) {
        case 1: return sumAllRows<1>(sums);
        case 2: return sumAllRows<2>(sums);
        default: return sumAllRows<3>(sums);
    }
}

}  // namespace armilla::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla {

HWY_EXPORT(sumsImpl);

void quarterTurnSums(const QuarterTurnSums& sums) {
    HWY_DYNAMIC_DISPATCH(sumsImpl)(sums);
}

}  // namespace armilla
#endif
