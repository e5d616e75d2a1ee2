// SPDX-License-Identifier: GPL-3.0-or-later
// Common parts of the inner loops of spin 0 and of spin s. Compiled for each instruction set,
// inside legendre_scalar_simd.cpp and legendre_spin_simd.cpp.
#if defined(ARMILLA_LEGENDRE_SIMD_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ARMILLA_LEGENDRE_SIMD_INL_H
#undef ARMILLA_LEGENDRE_SIMD_INL_H
#else
#define ARMILLA_LEGENDRE_SIMD_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "sht/legendre/legendre_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace armilla::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<double>;
using Vector = hn::Vec<Tag>;

// Values scaled by 2^-800 leave that scale once they exceed 2^730 in it: smaller values, below
// 2^-70, add nothing to sums of values of order 1. In eight steps a value grows by less than lmax^8
// < 2^200, so it cannot overflow between two checks.
constexpr double kGrow = 0x1p800, kShrink = 0x1p-800, kRelevant = 0x1p-70;
constexpr double kGrown = kRelevant * kGrow;
// Bounds of powers.
constexpr double kSmallPower = 0x1p-400, kLargePower = 0x1p400;
constexpr int kStepsBetweenChecks = 8;
// Steps of a stretch, an even number. Their sums, four vectors each, fit into the inner cache
// together.
constexpr int kStretch = 64;

// Stores the vectors of a block contiguously in memory.
template <size_t kCount>
HWY_INLINE void saveVectors(const Vector (&from)[kCount], double*& to) {
    const Tag tag;
    for (size_t v = 0; v < kCount; ++v, to += hn::Lanes(tag)) hn::Store(from[v], tag, to);
}
template <size_t kCount>
HWY_INLINE void restoreVectors(const double*& from, Vector (&to)[kCount]) {
    const Tag tag;
    for (size_t v = 0; v < kCount; ++v, from += hn::Lanes(tag)) to[v] = hn::Load(tag, from);
}

// A double-double times 2^(800 scale), its high part within 2^-400 .. 2^400.
struct DoubleDouble {
    Vector high, low, scale;
};
// a b - h, exactly, for h = a b rounded. Without fused multiply-adds it uses halves of 26 bits (T.
// J. Dekker, Numer. Math. 18 (1971) 224).
HWY_INLINE Vector productError(Vector a, Vector b, Vector h) {
#if HWY_NATIVE_FMA
    return hn::MulSub(a, b, h);
#else
    const Vector factor = hn::Set(Tag(), 134217729.0);
    const Vector ta = hn::Mul(a, factor), tb = hn::Mul(b, factor);
    const Vector ah = hn::Sub(ta, hn::Sub(ta, a)), bh = hn::Sub(tb, hn::Sub(tb, b));
    const Vector al = hn::Sub(a, ah), bl = hn::Sub(b, bh);
    const Vector large = hn::Sub(hn::Mul(ah, bh), h);
    return hn::Add(hn::Add(hn::Add(large, hn::Mul(ah, bl)), hn::Mul(al, bh)), hn::Mul(al, bl));
#endif
}
HWY_INLINE DoubleDouble product(DoubleDouble a, DoubleDouble b) {
    const Tag tag;
    const Vector h = hn::Mul(a.high, b.high);
    Vector l = productError(a.high, b.high, h);
    l = hn::MulAdd(a.high, b.low, hn::MulAdd(a.low, b.high, l));
    DoubleDouble p;
    p.high = hn::Add(h, l);
    p.low = hn::Add(hn::Sub(h, p.high), l);
    p.scale = hn::Add(a.scale, b.scale);
    const auto tiny = hn::Lt(p.high, hn::Set(tag, kSmallPower));
    const auto grown = hn::Gt(p.high, hn::Set(tag, kLargePower));
    Vector factor = hn::IfThenElse(tiny, hn::Set(tag, kGrow), hn::Set(tag, 1.0));
    factor = hn::IfThenElse(grown, hn::Set(tag, kShrink), factor);
    p.high = hn::Mul(p.high, factor);
    p.low = hn::Mul(p.low, factor);
    p.scale = hn::Sub(p.scale, hn::IfThenElseZero(tiny, hn::Set(tag, 1.0)));
    p.scale = hn::Add(p.scale, hn::IfThenElseZero(grown, hn::Set(tag, 1.0)));
    return p;
}
HWY_INLINE DoubleDouble power(const double* high, const double* low, int exponent) {
    const Tag tag;
    DoubleDouble result{hn::Set(tag, 1.0), hn::Zero(tag), hn::Zero(tag)};
    DoubleDouble base{hn::Load(tag, high), hn::Load(tag, low), hn::Zero(tag)};
    while (exponent > 0) {
        if ((exponent & 1) != 0) result = product(result, base);
        exponent >>= 1;
        if (exponent > 0) base = product(base, base);
    }
    return result;
}

// Two successive values of a recurrence in each lane, and the lanes' power of 2^800.
struct Pair {
    Vector before, now, scale;
};
HWY_INLINE Pair startPair(const DoubleDouble& power, double factor) {
    const Tag tag;
    const Vector now = hn::Mul(power.high, hn::Set(tag, factor));
    const auto small =
        hn::And(hn::Ge(power.scale, hn::Zero(tag)), hn::Lt(hn::Abs(now), hn::Set(tag, kRelevant)));
    return {hn::Zero(tag), hn::IfThenElse(small, hn::Mul(now, hn::Set(tag, kGrow)), now),
            hn::Sub(power.scale, hn::IfThenElseZero(small, hn::Set(tag, 1.0)))};
}
HWY_INLINE void shrinkGrown(Pair& p) {
    const Tag tag;
    const auto grown =
        hn::And(hn::Lt(p.scale, hn::Zero(tag)), hn::Gt(hn::Abs(p.now), hn::Set(tag, kGrown)));
    const Vector factor = hn::IfThenElse(grown, hn::Set(tag, kShrink), hn::Set(tag, 1.0));
    p.before = hn::Mul(p.before, factor);
    p.now = hn::Mul(p.now, factor);
    p.scale = hn::Add(p.scale, hn::IfThenElseZero(grown, hn::Set(tag, 1.0)));
}
HWY_INLINE bool anyInRange(const Pair& p) {
    const Tag tag;
    return !hn::AllFalse(tag, hn::Ge(p.scale, hn::Zero(tag)));
}
HWY_INLINE bool allInRange(const Pair& p) {
    const Tag tag;
    return hn::AllTrue(tag, hn::Ge(p.scale, hn::Zero(tag)));
}
// The current value if it is in range, else 0.
HWY_INLINE Vector inRange(const Pair& p) {
    const Tag tag;
    return hn::IfThenElseZero(hn::Ge(p.scale, hn::Zero(tag)), p.now);
}

}  // namespace armilla::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
