// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of half transforms, compiled for each instruction set.
#include "sht/fft/real_input_fft_kernels.h"

#include "sht/fft/column_fft.h"

// SSSE3 and the later steps of AVX-512 add nothing for these loops.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sht/fft/real_input_fft_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "sht/fft/complex_simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace armilla::HWY_NAMESPACE {

// Successive j in a vector.
using Tag = hn::CappedTag<double, kShortestRealInputFft>;
using Vector = hn::Vec<Tag>;
constexpr size_t kLanes = hn::MaxLanes(Tag());
static_assert(kLanes <= kRootsBeyond + 1);

// A complex number in each lane.
struct Numbers {
    Vector re, im;
};
HWY_INLINE Numbers add(const Numbers& a, const Numbers& b) {
    return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)};
}
HWY_INLINE Numbers sub(const Numbers& a, const Numbers& b) {
    return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)};
}
// a + i b and a - i b
HWY_INLINE Numbers addTurned(const Numbers& a, const Numbers& b) {
    return {hn::Sub(a.re, b.im), hn::Add(a.im, b.re)};
}
HWY_INLINE Numbers subTurned(const Numbers& a, const Numbers& b) {
    return {hn::Add(a.re, b.im), hn::Sub(a.im, b.re)};
}
HWY_INLINE Numbers times(const Numbers& a, const Numbers& b) {
    return {hn::MulSub(a.re, b.re, hn::Mul(a.im, b.im)),
            hn::MulAdd(a.re, b.im, hn::Mul(a.im, b.re))};
}
HWY_INLINE Numbers scaled(double factor, const Numbers& a) {
    const Vector f = hn::Set(Tag(), factor);
    return {hn::Mul(f, a.re), hn::Mul(f, a.im)};
}

HWY_INLINE Vector loadSamples(const double* p) {
    return hn::LoadU(Tag(), p);
}
HWY_INLINE Vector loadSamples(const float* p) {
    const hn::Rebind<float, Tag> single;
    return hn::PromoteTo(Tag(), hn::LoadU(single, p));
}
#if HWY_TARGET != HWY_SCALAR
// Stores one or two numbers of each vector: numbers of even and of odd rows.
HWY_INLINE void storeRows(Number even, Number odd, double* to) {
    storeNumber(even, to);
    storeNumber(odd, to + kFftRow);
}
template <class V>
HWY_INLINE void storeRows(V even, V odd, double* to) {
    storeRows(hn::LowerHalf(One(), even), hn::LowerHalf(One(), odd), to);
    storeRows(hn::UpperHalf(One(), even), hn::UpperHalf(One(), odd), to + 2 * kFftRow);
}
#endif
// Stores to column `c` of successive rows.
HWY_INLINE void storeColumn(const Numbers& a, double* rows, size_t c) {
    double* const to = rows + 2 * c;
#if HWY_TARGET == HWY_SCALAR
    to[0] = hn::GetLane(a.re);
    to[1] = hn::GetLane(a.im);
#else
    const Tag tag;
    storeRows(hn::InterleaveLower(tag, a.re, a.im), hn::InterleaveUpper(tag, a.re, a.im), to);
#endif
}
// w^j for successive j.
HWY_INLINE Numbers roots(const RealInputFft& row, size_t j) {
    const Tag tag;
    const double* const coarse = row.coarse + 2 * (j / kRootsApart);
    Numbers fine;
    hn::LoadInterleaved2(tag, row.fine + 2 * (j % kRootsApart), fine.re, fine.im);
    return times({hn::Set(tag, coarse[0]), hn::Set(tag, coarse[1])}, fine);
}

template <int kHalf, typename Sample>
HWY_INLINE void splitHalf(const RealInputFft& row, const RingPairSamples<Sample>& z, double* rows) {
    constexpr double kRoot = 0.70710678118654752440;  // sqrt(1/2)
    const size_t n = row.n;
    // Weights are applied before the sums, which might otherwise overflow.
    const Vector north = hn::Set(Tag(), z.northWeight), south = hn::Set(Tag(), z.southWeight);
    for (size_t next = 0; next < n; next += kLanes) {
        // The last vector begins earlier if it would end too late.
        const size_t j = next + kLanes <= n ? next : n - kLanes;
        const auto load = [&](size_t q) HWY_ATTR {
            return Numbers{hn::Mul(north, loadSamples(z.north + j + q * n)),
                           hn::Mul(south, loadSamples(z.south + j + q * n))};
        };
        Numbers even[4], odd[4];
        for (size_t q = 0; q < 4; ++q) {
            const Numbers a = load(q), b = load(q + 4);
            even[q] = add(a, b);
            odd[q] = sub(a, b);
        }
        // With s = sqrt(1/2) the eighth root of unity is s (1 - i), its cube -s (1 + i).
        const Numbers s = scaled(kRoot, sub(odd[1], odd[3]));
        const Numbers t = scaled(kRoot, add(odd[1], odd[3]));
        const Numbers w = roots(row, j), w2 = times(w, w);
        double* const to = rows + j * kFftRow;
        if constexpr (kHalf == 0) {
            const Numbers a = add(even[0], even[2]), b = add(even[1], even[3]);
            const Numbers c = add(odd[0], s), d = add(odd[2], t);
            const Numbers w4 = times(w2, w2);
            storeColumn(add(a, b), to, 0);
            storeColumn(times(sub(a, b), w4), to, 1);
            storeColumn(times(subTurned(c, d), w), to, 2);
            storeColumn(times(addTurned(c, d), times(times(w, w2), w4)), to, 3);
        } else {
            const Numbers a = sub(even[0], even[2]), b = sub(even[1], even[3]);
            const Numbers c = sub(odd[0], s), d = sub(odd[2], t);
            const Numbers w3 = times(w, w2);
            storeColumn(times(subTurned(a, b), w2), to, 0);
            storeColumn(times(addTurned(a, b), times(w3, w3)), to, 1);
            storeColumn(times(addTurned(c, d), w3), to, 2);
            storeColumn(times(subTurned(c, d), times(w2, w3)), to, 3);
        }
    }
}
HWY_NOINLINE void splitDoubleImpl(const RealInputFft& row, const RingPairSamples<double>& samples,
                                  double* rows) {
    row.half == 0 ? splitHalf<0>(row, samples, rows) : splitHalf<1>(row, samples, rows);
}
HWY_NOINLINE void splitSingleImpl(const RealInputFft& row, const RingPairSamples<float>& samples,
                                  double* rows) {
    row.half == 0 ? splitHalf<0>(row, samples, rows) : splitHalf<1>(row, samples, rows);
}

// Combines a row of Z and the row of Z_{-k}. Column mirror[c] of the latter has the residue -c.
template <int kHalf>
HWY_INLINE void tilesOf(const HalfModes& a) {
    constexpr int mirror[2][4] = {{0, 1, 3, 2}, {1, 0, 3, 2}};
    constexpr int kAhead = 4;
    const auto n = static_cast<int>(a.n);
    for (int at = 0; at < a.tileCount; ++at) {
        // Tiles are in different pages: prefetches the place of a later tile.
        if (at + kAhead < a.tileCount)
            for (int line = 0; line < 4; ++line)
                __builtin_prefetch(reinterpret_cast<char*>(a.tiles[at + kAhead]) + 64 * line, 1);
        double* const north = reinterpret_cast<double*>(a.tiles[at]);
        double* const south = north + 2 * kTileModes;
        for (int r = 0; r < 2; ++r) {
            const int eighth = 2 * (a.firstTile + at) + r;
            const int k = eighth % n;
            const double* const row = a.rows + k * kFftRow;
            const double* const opposite = a.rows + (n - 1 - k) * kFftRow;
            for (int c = 0; c < 4; ++c) {
                const int m = static_cast<int>(kEighths) * eighth + kHalfResidues[kHalf][c];
                // Even m come first, then odd m.
                const int place = kTileModes * (c / 2) + 2 * (2 * r + c % 2);
                if (m >= a.modes) {
                    north[place] = north[place + 1] = south[place] = south[place + 1] = 0.0;
                    continue;
                }
                const bool self = kHalf == 0 && c == 0;
                const double* const other =
                    self ? a.rows + (k == 0 ? 0 : n - k) * kFftRow : opposite;
                // Z_k = N_k + i S_k of two real rows:
                //   2 N_k = Z_k + conj Z_-k, 2 i S_k = Z_k - conj Z_-k.
                const Number y = loadNumber(row + 2 * c);
                const Number o = conjugate(loadNumber(other + 2 * mirror[kHalf][c]));
                Number fn = scaled(0.5, sum(y, o));
                Number fs = scaled(0.5, minusI(difference(y, o)));
                if (a.phase != nullptr) {
                    const Number back =
                        conjugate(loadNumber(reinterpret_cast<const double*>(a.phase + m)));
                    fn = product(fn, back);
                    fs = product(fs, back);
                }
                storeNumber(fn, north + place);
                storeNumber(fs, south + place);
            }
        }
    }
}
HWY_NOINLINE void tilesOfRealInputFftImpl(const HalfModes& modes) {
    modes.half == 0 ? tilesOf<0>(modes) : tilesOf<1>(modes);
}

}  // namespace armilla::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla {

HWY_EXPORT(splitDoubleImpl);
HWY_EXPORT(splitSingleImpl);
HWY_EXPORT(tilesOfRealInputFftImpl);

void splitRow(const RealInputFft& row, const RingPairSamples<double>& samples, double* rows) {
    HWY_DYNAMIC_DISPATCH(splitDoubleImpl)(row, samples, rows);
}
void splitRow(const RealInputFft& row, const RingPairSamples<float>& samples, double* rows) {
    HWY_DYNAMIC_DISPATCH(splitSingleImpl)(row, samples, rows);
}
void tilesOfRealInputFft(const HalfModes& modes) {
    HWY_DYNAMIC_DISPATCH(tilesOfRealInputFftImpl)(modes);
}

}  // namespace armilla
#endif
