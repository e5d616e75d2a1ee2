// SPDX-License-Identifier: GPL-3.0-or-later
// The passes of the ring FFTs, compiled for each instruction set.
#include "sht/fft/column_kernels.h"

#include "sht/fft/column_fft.h"

// SSSE3 and the later steps of AVX-512 add nothing for these loops.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sht/fft/column_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "sht/fft/complex_simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace armilla::HWY_NAMESPACE {

// A vector is at most one row.
using Tag = hn::CappedTag<double, kFftRow>;
using Vector = hn::Vec<Tag>;
constexpr size_t kLanes = hn::MaxLanes(Tag());
constexpr size_t kVectors = kFftRow / kLanes;

// A row or a part of it.
template <size_t kN>
struct Part {
    Vector v[kN];
};
using Row = Part<kVectors>;
template <size_t kN>
HWY_INLINE Part<kN> loadPart(const double* p) {
    const Tag tag;
    Part<kN> r;
    for (size_t i = 0; i < kN; ++i) r.v[i] = hn::Load(tag, p + i * kLanes);
    return r;
}
HWY_INLINE Row load(const double* p) {
    return loadPart<kVectors>(p);
}
template <size_t kN>
HWY_INLINE void store(const Part<kN>& r, double* p) {
    const Tag tag;
    for (size_t i = 0; i < kN; ++i) hn::Store(r.v[i], tag, p + i * kLanes);
}
HWY_INLINE Row zero() {
    const Tag tag;
    Row r;
    for (size_t i = 0; i < kVectors; ++i) r.v[i] = hn::Zero(tag);
    return r;
}
template <size_t kN>
HWY_INLINE Part<kN> add(const Part<kN>& a, const Part<kN>& b) {
    Part<kN> r;
    for (size_t i = 0; i < kN; ++i) r.v[i] = hn::Add(a.v[i], b.v[i]);
    return r;
}
template <size_t kN>
HWY_INLINE Part<kN> sub(const Part<kN>& a, const Part<kN>& b) {
    Part<kN> r;
    for (size_t i = 0; i < kN; ++i) r.v[i] = hn::Sub(a.v[i], b.v[i]);
    return r;
}
// a + factor b
template <size_t kN>
HWY_INLINE Part<kN> addTimes(const Part<kN>& a, double factor, const Part<kN>& b) {
    const Tag tag;
    const Vector f = hn::Set(tag, factor);
    Part<kN> r;
    for (size_t i = 0; i < kN; ++i) r.v[i] = hn::MulAdd(f, b.v[i], a.v[i]);
    return r;
}
template <size_t kN>
HWY_INLINE Part<kN> times(double factor, const Part<kN>& a) {
    const Tag tag;
    const Vector f = hn::Set(tag, factor);
    Part<kN> r;
    for (size_t i = 0; i < kN; ++i) r.v[i] = hn::Mul(f, a.v[i]);
    return r;
}
#if HWY_TARGET == HWY_SCALAR
// -i a: (re, im) -> (im, -re).
template <size_t kN>
HWY_INLINE Part<kN> minusI(const Part<kN>& a) {
    Part<kN> r;
    for (size_t i = 0; i < kN; i += 2) {
        r.v[i] = a.v[i + 1];
        r.v[i + 1] = hn::Neg(a.v[i]);
    }
    return r;
}
// a times the complex number at `w`.
template <size_t kN>
HWY_INLINE Part<kN> turned(const Part<kN>& a, const double* w) {
    const Tag tag;
    const Vector re = hn::Set(tag, w[0]), im = hn::Set(tag, w[1]);
    Part<kN> r;
    for (size_t i = 0; i < kN; i += 2) {
        r.v[i] = hn::Sub(hn::Mul(a.v[i], re), hn::Mul(a.v[i + 1], im));
        r.v[i + 1] = hn::Add(hn::Mul(a.v[i + 1], re), hn::Mul(a.v[i], im));
    }
    return r;
}
#else
template <size_t kN>
HWY_INLINE Part<kN> minusI(const Part<kN>& a) {
    Part<kN> r;
    for (size_t i = 0; i < kN; ++i) r.v[i] = hn::Xor(hn::Shuffle01(a.v[i]), imaginarySign(Tag()));
    return r;
}
template <size_t kN>
HWY_INLINE Part<kN> turned(const Part<kN>& a, const double* w) {
    const Tag tag;
    const Vector re = hn::Set(tag, w[0]), im = hn::Xor(hn::Set(tag, w[1]), realSign(tag));
    Part<kN> r;
    for (size_t i = 0; i < kN; ++i)
        r.v[i] = hn::MulAdd(hn::Shuffle01(a.v[i]), im, hn::Mul(a.v[i], re));
    return r;
}
#endif

// The discrete transform of a few rows, in place.
template <int kRadix>
struct Butterfly;
template <>
struct Butterfly<2> {
    template <size_t kN>
    static HWY_INLINE void apply(Part<kN>* x) {
        const Part<kN> a = x[0];
        x[0] = add(a, x[1]);
        x[1] = sub(a, x[1]);
    }
};
template <>
struct Butterfly<3> {
    template <size_t kN>
    static HWY_INLINE void apply(Part<kN>* x) {
        constexpr double kSine = 0.86602540378443864676;  // sin(2 pi / 3)
        const Part<kN> sum = add(x[1], x[2]), difference = minusI(times(kSine, sub(x[1], x[2])));
        const Part<kN> half = addTimes(x[0], -0.5, sum);
        x[0] = add(x[0], sum);
        x[1] = add(half, difference);
        x[2] = sub(half, difference);
    }
};
template <>
struct Butterfly<4> {
    template <size_t kN>
    static HWY_INLINE void apply(Part<kN>* x) {
        const Part<kN> a = add(x[0], x[2]), b = sub(x[0], x[2]);
        const Part<kN> c = add(x[1], x[3]), d = minusI(sub(x[1], x[3]));
        x[0] = add(a, c);
        x[1] = add(b, d);
        x[2] = sub(a, c);
        x[3] = sub(b, d);
    }
};
template <>
struct Butterfly<5> {
    template <size_t kN>
    static HWY_INLINE void apply(Part<kN>* x) {
        constexpr double kC1 = 0.30901699437494742410, kC2 = -0.80901699437494742410;
        constexpr double kS1 = 0.95105651629515357212, kS2 = 0.58778525229247312917;
        const Part<kN> s1 = add(x[1], x[4]), d1 = sub(x[1], x[4]);
        const Part<kN> s2 = add(x[2], x[3]), d2 = sub(x[2], x[3]);
        const Part<kN> a1 = addTimes(addTimes(x[0], kC1, s1), kC2, s2);
        const Part<kN> a2 = addTimes(addTimes(x[0], kC2, s1), kC1, s2);
        const Part<kN> b1 = minusI(addTimes(times(kS1, d1), kS2, d2));
        const Part<kN> b2 = minusI(addTimes(times(kS2, d1), -kS1, d2));
        x[0] = add(x[0], add(s1, s2));
        x[1] = add(a1, b1);
        x[4] = sub(a1, b1);
        x[2] = add(a2, b2);
        x[3] = sub(a2, b2);
    }
};

// The generic radix below, in registers.
template <>
struct Butterfly<7> {
    template <size_t kN>
    static HWY_INLINE void apply(Part<kN>* x) {
        // cos and sin (2 pi j / 7), j = 1, 2, 3
        constexpr double kC1 = 0.62348980185873353053, kC2 = -0.22252093395631440429;
        constexpr double kC3 = -0.90096886790241912624, kS1 = 0.78183148246802980871;
        constexpr double kS2 = 0.97492791218182360702, kS3 = 0.43388373911755812048;
        const Part<kN> s1 = add(x[1], x[6]), d1 = sub(x[1], x[6]);
        const Part<kN> s2 = add(x[2], x[5]), d2 = sub(x[2], x[5]);
        const Part<kN> s3 = add(x[3], x[4]), d3 = sub(x[3], x[4]);
        const Part<kN> first = x[0];
        x[0] = add(first, add(s1, add(s2, s3)));
        const Part<kN> a1 = addTimes(addTimes(addTimes(first, kC1, s1), kC2, s2), kC3, s3);
        const Part<kN> b1 = minusI(addTimes(addTimes(times(kS1, d1), kS2, d2), kS3, d3));
        x[1] = add(a1, b1);
        x[6] = sub(a1, b1);
        const Part<kN> a2 = addTimes(addTimes(addTimes(first, kC2, s1), kC3, s2), kC1, s3);
        const Part<kN> b2 = minusI(addTimes(addTimes(times(kS2, d1), -kS3, d2), -kS1, d3));
        x[2] = add(a2, b2);
        x[5] = sub(a2, b2);
        const Part<kN> a3 = addTimes(addTimes(addTimes(first, kC3, s1), kC1, s2), kC2, s3);
        const Part<kN> b3 = minusI(addTimes(addTimes(times(kS3, d1), -kS1, d2), kS2, d3));
        x[3] = add(a3, b3);
        x[4] = sub(a3, b3);
    }
};

// Vectors of a row in one butterfly, few enough to stay in the registers; with scalars at least a
// real and an imaginary part.
constexpr size_t partOf(size_t radix) {
    size_t part = kLanes == 1 ? 2 : 1;
    while (2 * part <= kVectors && 2 * part * radix <= 8) part *= 2;
    return part;
}
// Row j of a butterfly is at in + j inApart, result u at out + u outApart. With kTurned the results
// are multiplied by factors, turnsApart from each other.
template <int kRadix, bool kTurned>
HWY_INLINE void butterfly(const double* in, size_t inApart, double* out, size_t outApart,
                          const double* turns, size_t turnsApart) {
    constexpr size_t kPart = partOf(kRadix);
    for (size_t offset = 0; offset < kFftRow; offset += kPart * kLanes) {
        Part<kPart> x[kRadix];
        for (size_t j = 0; j < kRadix; ++j) x[j] = loadPart<kPart>(in + j * inApart + offset);
        Butterfly<kRadix>::apply(x);
        if constexpr (kTurned)
            for (size_t u = 1; u < kRadix; ++u)
                x[u] = turned(x[u], turns + 2 * (u - 1) * turnsApart);
        for (size_t u = 0; u < kRadix; ++u) store(x[u], out + u * outApart + offset);
    }
}
template <int kRadix>
HWY_INLINE void smallPass(const ColumnPassArguments& a, const double* from, double* to) {
    const size_t row = kFftRow, length = a.length;
    const size_t inApart = length * row, outApart = a.groups * length * row;
    for (size_t k = 0; k < a.groups; ++k) {
        const double* const in = from + k * kRadix * inApart;
        double* const out = to + k * length * row;
        butterfly<kRadix, false>(in, inApart, out, outApart, nullptr, 0);
        for (size_t i = 1; i < length; ++i)
            butterfly<kRadix, true>(in + i * row, inApart, out + i * row, outApart,
                                    a.twiddles + 2 * (i - 1), length - 1);
    }
}

// An odd radix p: with s_j = x_j + x_{p-j} and d_j = x_j - x_{p-j},
// X_u = x_0 + sum_j s_j cos(2 pi j u / p) - i sum_j d_j sin(2 pi j u / p), X_{p-u} with + i.
HWY_INLINE void genericPass(const ColumnPassArguments& a, const double* from, double* to) {
    const size_t row = kFftRow, length = a.length, p = static_cast<size_t>(a.radix);
    const size_t half = (p - 1) / 2;
    double* const sums = a.folded;
    double* const differences = a.folded + half * row;
    const auto put = [&](const Row& x, size_t k, size_t i, size_t u) HWY_ATTR {
        const Row y = i == 0 ? x : turned(x, a.twiddles + 2 * ((u - 1) * (length - 1) + i - 1));
        store(y, to + (i + (k + u * a.groups) * length) * row);
    };
    for (size_t k = 0; k < a.groups; ++k)
        for (size_t i = 0; i < length; ++i) {
            const double* const in = from + (i + k * p * length) * row;
            const Row first = load(in);
            Row total = first;
            for (size_t j = 1; j <= half; ++j) {
                const Row x = load(in + j * length * row), y = load(in + (p - j) * length * row);
                const Row s = add(x, y);
                store(s, sums + (j - 1) * row);
                store(sub(x, y), differences + (j - 1) * row);
                total = add(total, s);
            }
            store(total, to + (i + k * length) * row);
            // Two outputs and their mirrors at once.
            for (size_t u = 1; u <= half; u += 2) {
                const size_t w = u + 1 <= half ? u + 1 : u;
                Row au = first, aw = first, bu = zero(), bw = zero();
                size_t ju = 0, jw = 0;
                for (size_t j = 0; j < half; ++j) {
                    ju = ju + u >= p ? ju + u - p : ju + u;
                    jw = jw + w >= p ? jw + w - p : jw + w;
                    const Row s = load(sums + j * row), d = load(differences + j * row);
                    au = addTimes(au, a.roots[2 * ju], s);
                    bu = addTimes(bu, a.roots[2 * ju + 1], d);
                    aw = addTimes(aw, a.roots[2 * jw], s);
                    bw = addTimes(bw, a.roots[2 * jw + 1], d);
                }
                bu = minusI(bu);
                put(add(au, bu), k, i, u);
                put(sub(au, bu), k, i, p - u);
                if (w == u) continue;
                bw = minusI(bw);
                put(add(aw, bw), k, i, w);
                put(sub(aw, bw), k, i, p - w);
            }
        }
}

HWY_NOINLINE void columnPassImpl(const ColumnPassArguments& a, const double* from, double* to) {
    switch (a.radix) {
        case 2: return smallPass<2>(a, from, to);
        case 3: return smallPass<3>(a, from, to);
        case 4: return smallPass<4>(a, from, to);
        case 5: return smallPass<5>(a, from, to);
        case 7: return smallPass<7>(a, from, to);
        default: return genericPass(a, from, to);
    }
}

HWY_INLINE Row exchanged(const Row& a) {
    Row r;
#if HWY_TARGET == HWY_SCALAR
    for (size_t i = 0; i < kVectors; ++i) r.v[i] = a.v[i ^ 1];
#else
    for (size_t i = 0; i < kVectors; ++i) r.v[i] = hn::Shuffle01(a.v[i]);
#endif
    return r;
}
HWY_NOINLINE void turnRowsImpl(const TurnArguments& a, const double* factors, const double* from,
                               double* to) {
    constexpr ptrdiff_t row = kFftRow;
    for (size_t k = 0; k < a.n; ++k) {
        Row x = load(from);
        if (a.exchangeBefore) x = exchanged(x);
        x = turned(x, factors);
        if (a.exchangeAfter) x = exchanged(x);
        store(x, to);
        factors += 2 * a.factorStep;
        from += row * a.fromStep;
        to += row * a.toStep;
    }
}

HWY_NOINLINE void combineColumnsImpl(const CombineArguments& a, const double* rows, double* out) {
    const size_t n = a.n;
    for (size_t base = 0; base < n; base += kRootsApart) {
        const Number coarse = loadNumber(a.coarse + 2 * (base / kRootsApart));
        const size_t end = base + kRootsApart < n ? base + kRootsApart : n;
        for (size_t k = base; k < end; ++k) {
            const double* const row = rows + k * kFftRow;
            const Number w = product(coarse, loadNumber(a.fine + 2 * (k - base)));
            const Number w2 = product(w, w);
            const Number x0 = loadNumber(row), x1 = product(loadNumber(row + 2), w);
            const Number x2 = product(loadNumber(row + 4), w2);
            const Number x3 = product(loadNumber(row + 6), product(w2, w));
            const Number s = sum(x0, x2), d = difference(x0, x2);
            const Number t = sum(x1, x3), e = minusI(difference(x1, x3));
            storeNumber(sum(s, t), out + 2 * k);
            storeNumber(sum(d, e), out + 2 * (k + n));
            storeNumber(difference(s, t), out + 2 * (k + 2 * n));
            storeNumber(difference(d, e), out + 2 * (k + 3 * n));
        }
    }
}

}  // namespace armilla::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla {

HWY_EXPORT(columnPassImpl);
HWY_EXPORT(turnRowsImpl);
HWY_EXPORT(combineColumnsImpl);

void columnPass(const ColumnPassArguments& arguments, const double* from, double* to) {
    HWY_DYNAMIC_DISPATCH(columnPassImpl)(arguments, from, to);
}
void turnRows(const TurnArguments& arguments, const std::complex<double>* factors,
              const double* from, double* to) {
    HWY_DYNAMIC_DISPATCH(turnRowsImpl)
    (arguments, reinterpret_cast<const double*>(factors), from, to);
}
void combineColumns(const CombineArguments& arguments, const double* rows, double* out) {
    HWY_DYNAMIC_DISPATCH(combineColumnsImpl)(arguments, rows, out);
}

}  // namespace armilla
#endif
