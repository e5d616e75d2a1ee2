// SPDX-License-Identifier: GPL-3.0-or-later
// Loops over pairs of points, compiled for each instruction set.
#include "pairs/pair_kernels.h"

// SSSE3 and the later steps of AVX-512 do not speed up these loops.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pairs/pair_kernels_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

#include <bit>

#include "armilla/core/sky_vector.h"

HWY_BEFORE_NAMESPACE();
namespace armilla::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Singles = hn::CappedTag<float, kLeaf>;
using Doubles = hn::CappedTag<double, kLeaf>;

HWY_INLINE int sumOf(hn::Vec<hn::RebindToSigned<Singles>> v) {
    const hn::RebindToSigned<Singles> tag;
    return static_cast<int>(hn::GetLane(hn::SumOfLanes(tag, v)));
}

// Count by single-precision dot products: x, y, z of kLeaf points each, NaN after the last.
HWY_INLINE LeafCount singleCount(const float* a, const float* b, int bCount, float certainAbove,
                                 float possibleAbove) {
    const Singles tag;
    const hn::RebindToSigned<Singles> count;
    constexpr int kVectors = kLeaf / static_cast<int>(hn::MaxLanes(Singles()));
    const auto certainly = hn::Set(tag, certainAbove), possibly = hn::Set(tag, possibleAbove);
    hn::Vec<Singles> x[kVectors], y[kVectors], z[kVectors];
    hn::Vec<decltype(count)> certain[kVectors], possible[kVectors];
    for (int v = 0; v < kVectors; ++v) {
        const float* const at = a + static_cast<size_t>(v) * hn::Lanes(tag);
        x[v] = hn::Load(tag, at);
        y[v] = hn::Load(tag, at + kLeaf);
        z[v] = hn::Load(tag, at + 2 * kLeaf);
        certain[v] = possible[v] = hn::Zero(count);
    }
    for (int i = 0; i < bCount; ++i) {
        const auto bx = hn::Set(tag, b[i]), by = hn::Set(tag, b[kLeaf + i]),
                   bz = hn::Set(tag, b[2 * kLeaf + i]);
        for (int v = 0; v < kVectors; ++v) {
            const auto dot = hn::MulAdd(bz, z[v], hn::MulAdd(by, y[v], hn::Mul(bx, x[v])));
            // A true comparison is -1 as an integer.
            const auto yes = hn::BitCast(count, hn::VecFromMask(tag, hn::Gt(dot, certainly)));
            const auto maybe = hn::BitCast(count, hn::VecFromMask(tag, hn::Gt(dot, possibly)));
            certain[v] = hn::Sub(certain[v], yes);
            possible[v] = hn::Sub(possible[v], maybe);
        }
    }
    for (int v = 1; v < kVectors; ++v) {
        certain[0] = hn::Add(certain[0], certain[v]);
        possible[0] = hn::Add(possible[0], possible[v]);
    }
    return {sumOf(certain[0]), sumOf(possible[0])};
}

// Count by double-precision squared chords; with weights also the sum of products for certain
// pairs.
template <bool kWeighted>
HWY_INLINE LeafCount fineCount(const double* a, const double* b, int bCount, const Edge& edge,
                               const double* aWeight, const double* bWeight, double* weight) {
    const Doubles tag;
    const hn::RebindToSigned<Doubles> count;
    constexpr int kVectors = kLeaf / static_cast<int>(hn::MaxLanes(Doubles()));
    const auto certainly = hn::Set(tag, edge.chordCertain),
               possibly = hn::Set(tag, edge.chordPossible);
    auto certain = hn::Zero(count), possible = hn::Zero(count);
    auto sum = hn::Zero(tag);
    for (int i = 0; i < bCount; ++i) {
        const auto bx = hn::Set(tag, b[i]), by = hn::Set(tag, b[kLeaf + i]),
                   bz = hn::Set(tag, b[2 * kLeaf + i]);
        for (int v = 0; v < kVectors; ++v) {
            const size_t at = static_cast<size_t>(v) * hn::Lanes(tag);
            const auto dx = hn::Sub(hn::Load(tag, a + at), bx);
            const auto dy = hn::Sub(hn::Load(tag, a + at + kLeaf), by);
            const auto dz = hn::Sub(hn::Load(tag, a + at + 2 * kLeaf), bz);
            const auto chord = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
            const auto yes = hn::Lt(chord, certainly);
            certain = hn::Sub(certain, hn::BitCast(count, hn::VecFromMask(tag, yes)));
            const auto maybe = hn::Lt(chord, possibly);
            possible = hn::Sub(possible, hn::BitCast(count, hn::VecFromMask(tag, maybe)));
            if constexpr (kWeighted)
                sum = hn::MulAdd(hn::IfThenElseZero(yes, hn::LoadU(tag, aWeight + at)),
                                 hn::Set(tag, bWeight[i]), sum);
        }
    }
    if constexpr (kWeighted) *weight = hn::GetLane(hn::SumOfLanes(tag, sum));
    return {static_cast<int>(hn::GetLane(hn::SumOfLanes(count, certain))),
            static_cast<int>(hn::GetLane(hn::SumOfLanes(count, possible)))};
}

HWY_NOINLINE void leafPairsImpl(const double* a, const double* b, int bCount, const Edge& edge,
                                LeafCount* result) {
    *result = fineCount<false>(a, b, bCount, edge, nullptr, nullptr, nullptr);
}

template <bool kWeighted>
HWY_INLINE bool sumAngles(const LeafPair& pair, LeafAngles* sums) {
    const Doubles tag;
    constexpr int kLanes = static_cast<int>(hn::MaxLanes(Doubles()));
    // Partial sums in lanes: of angles, of weights, and of pairs.
    HWY_ALIGN double lanes[kMostAngleEdges + 1][3][kLanes] = {};
    const auto half = hn::Set(tag, 0.5), two = hn::Set(tag, 2.0), pi = hn::Set(tag, kPi),
               one = hn::Set(tag, 1.0), aboveAll = hn::Set(tag, 5.0);
    auto doubtful = hn::MaskFromVec(hn::Zero(tag));
    for (int i = 0; i < pair.bCount; ++i) {
        const double* const b = pair.b + i;
        const auto bx = hn::Set(tag, b[0]), by = hn::Set(tag, b[kLeaf]),
                   bz = hn::Set(tag, b[2 * kLeaf]);
        for (int v = 0; v < kLeaf; v += static_cast<int>(hn::Lanes(tag))) {
            const auto x = hn::Load(tag, pair.a + v), y = hn::Load(tag, pair.a + v + kLeaf),
                       z = hn::Load(tag, pair.a + v + 2 * kLeaf);
            const auto squares = [&](auto sx, auto sy, auto sz) HWY_ATTR {
                return hn::MulAdd(sz, sz, hn::MulAdd(sy, sy, hn::Mul(sx, sx)));
            };
            // pairAngle(). Comparisons with NaN, after the last point, are false.
            const auto chord = squares(hn::Sub(x, bx), hn::Sub(y, by), hn::Sub(z, bz)),
                       sum = squares(hn::Add(x, bx), hn::Add(y, by), hn::Add(z, bz));
            const auto near = hn::Le(chord, sum);
            const auto root = hn::Sqrt(hn::IfThenElse(near, chord, sum));
            const auto narrow = hn::Mul(two, hn::Asin(tag, hn::Mul(half, root)));
            const auto angle = hn::IfThenElse(near, narrow, hn::Sub(pi, narrow));
            auto weight = one;
            if constexpr (kWeighted)
                weight = hn::Mul(hn::LoadU(tag, pair.aWeights + v), hn::Set(tag, pair.bWeights[i]));
            const auto weighted = hn::Mul(weight, angle);
            const auto add = [&](int bin, auto inBin) HWY_ATTR {
                const auto addTo = [&](double* to, auto value) HWY_ATTR {
                    hn::Store(hn::Add(hn::Load(tag, to), hn::IfThenElseZero(inBin, value)), tag,
                              to);
                };
                addTo(lanes[bin][0], weighted);
                addTo(lanes[bin][1], one);
                if constexpr (kWeighted) addTo(lanes[bin][2], weight);
            };
            auto within = hn::Lt(chord, aboveAll);
            int k = pair.edgeCount;
            for (; k > 0; --k) {
                const Edge& edge = pair.edges[k - 1];
                const auto possible = hn::Lt(chord, hn::Set(tag, edge.chordPossible));
                if (hn::AllFalse(tag, possible)) break;
                const auto certain = hn::Lt(chord, hn::Set(tag, edge.chordCertain));
                doubtful = hn::Or(doubtful, hn::AndNot(certain, possible));
                add(k, hn::AndNot(certain, within));
                within = certain;
            }
            add(k, within);
        }
    }
    if (!hn::AllFalse(tag, doubtful)) return false;
    for (int k = 0; k <= pair.edgeCount; ++k) {
        const auto sumOf = [&](int which) HWY_ATTR {
            return hn::GetLane(hn::SumOfLanes(tag, hn::Load(tag, lanes[k][which])));
        };
        const double pairs = sumOf(1);
        sums[k] = {sumOf(0), kWeighted ? sumOf(2) : pairs, static_cast<int64_t>(pairs)};
    }
    return true;
}

HWY_NOINLINE void leafAnglesImpl(const LeafPair& pair, LeafAngles* sums, bool* certain) {
    *certain =
        pair.aWeights != nullptr ? sumAngles<true>(pair, sums) : sumAngles<false>(pair, sums);
}

// chordRange of caps.h for the leaves of a sweep.
HWY_INLINE void chordRanges(const LeafSweep& sweep, double* least, double* greatest) {
    const hn::ScalableTag<double> tag;
    const Cap a = sweep.first->leafCap(sweep.leaf);
    const LeafCaps& caps = sweep.second->leafCaps();
    const auto one = hn::Set(tag, 1.0), two = hn::Set(tag, 2.0), error = hn::Set(tag, kCapError);
    const auto aSin = hn::Set(tag, a.sinHalf), aCos = hn::Set(tag, a.cosHalf);
    for (int leaf = sweep.leafBegin; leaf < sweep.leafEnd;
         leaf += static_cast<int>(hn::Lanes(tag))) {
        const auto load = [&](const std::vector<double>& part)
                              HWY_ATTR { return hn::LoadU(tag, part.data() + leaf); };
        const auto dx = hn::Sub(load(caps.x), hn::Set(tag, a.x));
        const auto dy = hn::Sub(load(caps.y), hn::Set(tag, a.y));
        const auto dz = hn::Sub(load(caps.z), hn::Set(tag, a.z));
        const auto chord = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
        const auto ss = hn::Min(one, hn::Mul(hn::Set(tag, 0.25), chord));
        const auto s = hn::Sqrt(ss);
        const auto c = hn::Sqrt(hn::Sub(hn::Set(tag, 1.0 + 8.0 * 0x1p-53), ss));
        const auto bSin = load(caps.sinHalf), bCos = load(caps.cosHalf);
        const auto sinSum = hn::MulAdd(aSin, bCos, hn::Mul(aCos, bSin));
        const auto cosSum = hn::Sub(hn::Mul(aCos, bCos), hn::Mul(aSin, bSin));
        const auto sum = hn::MulAdd(s, cosSum, hn::Mul(c, sinSum));
        const auto difference = hn::Sub(hn::Mul(s, cosSum), hn::Mul(c, sinSum));
        const auto over = hn::Le(hn::Sub(hn::Mul(c, cosSum), hn::Mul(s, sinSum)), error);
        const auto wide = hn::Le(cosSum, hn::Zero(tag));
        const int at = leaf - sweep.leafBegin;
        hn::StoreU(hn::IfThenElse(wide, hn::Set(tag, -1.0), hn::Sub(difference, error)), tag,
                   least + at);
        hn::StoreU(hn::IfThenElse(hn::Or(wide, over), two, hn::Add(sum, error)), tag,
                   greatest + at);
    }
}

// Pairs of leaves in which single precision leaves a doubtful pair more often than one in ten are
// counted in double at once. kLeaf^2 pairs lie in a range 2 (r_a + r_b) sin(edge) of dot products,
// and the band of doubt is 2 kDotError wide.
constexpr double kSingleWorthwhile = 10.0 * kLeaf * kLeaf * 2.0 * kDotError / 2.0;

HWY_NOINLINE void sweepImpl(const LeafSweep& sweep, Tally& tally, std::vector<LeafDoubt>& doubts) {
    constexpr int kMost = kGroup + 16;
    // Counted edge by edge while pairs remain below, up to this number; then all edges at once.
    constexpr int kPasses = 8;
    HWY_ALIGN double least[kMost];
    HWY_ALIGN double greatest[kMost];
    chordRanges(sweep, least, greatest);
    const int leaves = sweep.leafEnd - sweep.leafBegin;
    const Cells &first = *sweep.first, &second = *sweep.second;
    const double radius = 2.0 * first.leafCaps().sinHalf[static_cast<size_t>(sweep.leaf)];
    const double* const counts = second.counts() + sweep.leafBegin;
    const double* const weights = second.leafWeights() + sweep.leafBegin;
    const double* const radii = second.leafCaps().sinHalf.data() + sweep.leafBegin;
    const int ownCount = first.count(sweep.leaf);
    const double aWeight = first.leafWeights()[sweep.leaf];
    const float* const aSingle = first.single(sweep.leaf);
    const double* const aFine = first.fine(sweep.leaf);
    int passes[kGroup] = {};
    static_assert(kGroup <= 64);
    uint64_t alive = ~uint64_t{0};
    for (int k = sweep.edgeEnd; k-- > sweep.edgeBegin;) {
        const Edge& edge = sweep.edges[k];
        const double half = edge.halfChord;
        double wholly = 0.0, whollyWeight = 0.0;
        uint64_t both = 0;
        for (int i = 0; i < leaves; ++i) {
            const bool under = greatest[i] <= half;
            wholly += under ? counts[i] : 0.0;
            whollyWeight += under ? weights[i] : 0.0;
            both |= uint64_t{!under && least[i] < half} << i;
        }
        int64_t below = static_cast<int64_t>(wholly) * ownCount;
        double belowWeight = whollyWeight * aWeight;
        for (both &= alive; both != 0; both &= both - 1) {
            const int i = std::countr_zero(both), leaf = sweep.leafBegin + i;
            const uint64_t bit = uint64_t{1} << i;
            if (passes[i]++ == kPasses && k - sweep.edgeBegin >= 3) {
                doubts.push_back({leaf, k, true});
                alive &= ~bit;
                continue;
            }
            LeafCount count{0, 1};
            if (sweep.weighted) {
                double weight = 0.0;
                count = fineCount<true>(aFine, second.fine(leaf), second.count(leaf), edge,
                                        first.weights(sweep.leaf), second.weights(leaf), &weight);
                if (count.certain == count.possible) belowWeight += weight;
            } else {
                if ((radius + 2.0 * radii[i]) * edge.sine > kSingleWorthwhile)
                    count = singleCount(aSingle, second.single(leaf), second.count(leaf),
                                        edge.dotCertain, edge.dotPossible);
                if (count.certain != count.possible)
                    count = fineCount<false>(aFine, second.fine(leaf), second.count(leaf), edge,
                                             nullptr, nullptr, nullptr);
            }
            if (count.certain == count.possible)
                below += count.certain;
            else
                doubts.push_back({leaf, k, false});
            if (count.possible == 0) alive &= ~bit;
        }
        tally.at[static_cast<size_t>(k)] += below;
        if (sweep.weighted) tally.weightAt[static_cast<size_t>(k)] += belowWeight;
    }
}

}  // namespace armilla::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla {

HWY_EXPORT(sweepImpl);
HWY_EXPORT(leafPairsImpl);
HWY_EXPORT(leafAnglesImpl);

void sweepLeaves(const LeafSweep& sweep, Tally& tally, std::vector<LeafDoubt>& doubts) {
    HWY_DYNAMIC_DISPATCH(sweepImpl)(sweep, tally, doubts);
}
LeafCount countLeafPairs(const double* a, const double* b, int bCount, const Edge& edge) {
    LeafCount result{};
    HWY_DYNAMIC_DISPATCH(leafPairsImpl)(a, b, bCount, edge, &result);
    return result;
}
bool sumLeafAngles(const LeafPair& pair, LeafAngles* sums) {
    bool certain = false;
    HWY_DYNAMIC_DISPATCH(leafAnglesImpl)(pair, sums, &certain);
    return certain;
}

}  // namespace armilla
#endif
