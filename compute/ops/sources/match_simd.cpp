// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of matchCatalogs(), compiled for each instruction set.
#include "sources/match_kernels.h"

#include <bit>

// SSSE3 and the later steps of AVX-512 add nothing for these loops.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sources/match_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace armilla::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<float, NearRows::kPadding>;
using Number = hn::RebindToUnsigned<Tag>;
using Vector = hn::Vec<Tag>;

// Squared chords from one offset.
struct SquaresFrom {
    explicit SquaresFrom(NearOffset from)
        : x(hn::Set(Tag(), from.x)), y(hn::Set(Tag(), from.y)), z(hn::Set(Tag(), from.z)) {}
    HWY_INLINE Vector at(const NearRows& rows, size_t i) const {
        const Tag d;
        const Vector dx = hn::Sub(hn::LoadU(d, rows.x.data() + i), x),
                     dy = hn::Sub(hn::LoadU(d, rows.y.data() + i), y),
                     dz = hn::Sub(hn::LoadU(d, rows.z.data() + i), z);
        return hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
    }
    Vector x, y, z;
};

// Counts in each lane how often a condition holds there.
template <class Mask>
HWY_INLINE void addTo(hn::Vec<Number>& counts, Mask mask) {
    // A lane where it holds is -1.
    counts = hn::Sub(counts, hn::BitCast(Number(), hn::VecFromMask(Tag(), mask)));
}
HWY_INLINE size_t totalOf(hn::Vec<Number> counts) {
    return hn::GetLane(hn::SumOfLanes(Number(), counts));
}

// Calls body(i) for each lane where a condition holds. Compress of Highway 1.0 copies its table in
// each call.
template <class Mask, class Body>
HWY_INLINE void forEachLane(Mask mask, const Body& body) {
    uint64_t bits = 0;
    hn::StoreMaskBits(Tag(), mask, reinterpret_cast<uint8_t*>(&bits));
    for (; bits != 0; bits &= bits - 1) body(static_cast<size_t>(std::countr_zero(bits)));
}

size_t keepNearImpl(const NearRows& rows, NearOffset center, float beyond, float within, float most,
                    NearRows& kept) {
    const Tag d;
    const Number n;
    const SquaresFrom squares(center);
    const Vector lowest = hn::Set(d, beyond), highest = hn::Set(d, within), last = hn::Set(d, most);
    kept.count = 0;
    kept.reserve(rows.count);
    auto inner = hn::Zero(n);
    for (size_t i = 0; i < rows.count; i += hn::Lanes(d)) {
        const Vector square = squares.at(rows, i);
        const auto isInner = hn::And(hn::Gt(square, lowest), hn::Lt(square, highest));
        const auto isKept = hn::AndNot(isInner, hn::Le(square, last));
        addTo(inner, isInner);
        forEachLane(isKept, [&](size_t lane) {
            const size_t k = i + lane;
            kept.add(rows.places[k], {rows.x[k], rows.y[k], rows.z[k]});
        });
    }
    kept.pad();
    return totalOf(inner);
}

NearCount countNearImpl(const NearRows& rows, NearOffset from, NearLimit limit, float reach,
                        uint32_t* found) {
    const Tag d;
    const Number n;
    const SquaresFrom squares(from);
    const Vector sure = hn::Set(d, limit.sure), perhaps = hn::Set(d, limit.perhaps),
                 farthest = hn::Set(d, reach);
    auto surely = hn::Zero(n), possibly = hn::Zero(n);
    size_t count = 0;
    for (size_t i = 0; i < rows.count; i += hn::Lanes(d)) {
        const Vector square = squares.at(rows, i);
        addTo(surely, hn::Lt(square, sure));
        addTo(possibly, hn::Le(square, perhaps));
        forEachLane(hn::Le(square, farthest),
                    [&](size_t lane) { found[count++] = static_cast<uint32_t>(i + lane); });
    }
    return {totalOf(surely), totalOf(possibly), count};
}

}  // namespace armilla::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla {

HWY_EXPORT(keepNearImpl);
HWY_EXPORT(countNearImpl);

size_t keepNear(const NearRows& rows, NearOffset center, float beyond, float within, float most,
                NearRows& kept) {
    return HWY_DYNAMIC_DISPATCH(keepNearImpl)(rows, center, beyond, within, most, kept);
}

NearCount countNear(const NearRows& rows, NearOffset from, NearLimit limit, float reach,
                    uint32_t* found) {
    return HWY_DYNAMIC_DISPATCH(countNearImpl)(rows, from, limit, reach, found);
}

}  // namespace armilla
#endif
