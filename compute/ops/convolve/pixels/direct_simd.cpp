// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of direct convolution, compiled for each instruction set.
#include "convolve/pixels/direct_kernels.h"

#include <algorithm>
#include <cmath>

#include "convolve/pixels/ring_pairs.h"
#include "convolve/pixels/tap_series.h"

// SSSE3 and the later steps of AVX-512 add nothing for these loops.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "convolve/pixels/direct_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace armilla::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<double, 8>;
using Vector = hn::Vec<Tag>;
constexpr size_t kLanes = hn::MaxLanes(Tag());
static_assert(kLanes <= kWeightSlack && kLanes <= kSeriesLanes);
constexpr size_t kMostTerms = static_cast<size_t>(SeriesBasis::kMostTerms);

// e^{-x}, 0 <= x <= 700: x = n ln 2 - r, |r| <= ln(2) / 2, and the series of e^r to r^12, whose
// remainder is below an epsilon.
HWY_INLINE Vector expOfMinus(Vector x) {
    const Tag d;
    const hn::RebindToUnsigned<Tag> bits;
    const auto set = [&](double v) { return hn::Set(d, v); };
    // Adding 1.5 * 2^52 rounds to integers, which are then in the low bits.
    const Vector magic = set(6755399441055744.0);
    const Vector shifted = hn::NegMulAdd(x, set(1.4426950408889634074), magic);
    const Vector n = hn::Sub(shifted, magic);
    Vector r = hn::NegMulAdd(n, set(6.93147180369123816490e-01), hn::Neg(x));
    r = hn::NegMulAdd(n, set(1.90821492927058770002e-10), r);
    const Vector r2 = hn::Mul(r, r), r4 = hn::Mul(r2, r2);
    const auto pair = [&](double a, double b) { return hn::MulAdd(set(b), r, set(a)); };
    // Estrin's scheme: the dependency chain of twelve steps would cost latency.
    const Vector low = hn::MulAdd(pair(0.5, 1.0 / 6.0), r2, pair(1.0, 1.0));
    const Vector middle =
        hn::MulAdd(pair(1.0 / 720.0, 1.0 / 5040.0), r2, pair(1.0 / 24.0, 1.0 / 120.0));
    const Vector high = hn::MulAdd(pair(1.0 / 3628800.0, 1.0 / 39916800.0), r2,
                                   pair(1.0 / 40320.0, 1.0 / 362880.0));
    const Vector top = hn::MulAdd(set(1.0 / 479001600.0), r4, high);
    const Vector e = hn::MulAdd(hn::MulAdd(top, r4, middle), r4, low);
    // Times 2^n: n in the low bits of `shifted`, moved to the exponent.
    const auto exponent = hn::ShiftLeft<52>(hn::BitCast(bits, shifted));
    return hn::BitCast(d, hn::Add(hn::BitCast(bits, e), exponent));
}

HWY_INLINE Vector gaussianProfile(const ProfileView& profile, Vector y) {
    const Tag d;
    const Vector x = hn::Min(hn::Mul(hn::Set(d, profile.rate), y), hn::Set(d, 700.0));
    Vector factor = hn::Set(d, profile.factor[profile.degree]);
    for (int k = profile.degree - 1; k >= 0; --k)
        factor = hn::MulAdd(factor, x, hn::Set(d, profile.factor[k]));
    return hn::IfThenElseZero(hn::Le(y, hn::Set(d, profile.end)), hn::Mul(factor, expOfMinus(x)));
}

// y of successive taps.
HWY_INLINE Vector distances(const WeightRow& row, Vector index) {
    const Tag d;
    const Vector delta = hn::MulAdd(index, hn::Set(d, row.step), hn::Set(d, row.delta));
    const Vector half = hn::Mul(delta, hn::Set(d, 0.5)), t = hn::Mul(half, half);
    Vector s = hn::Set(d, 1.0 / 6227020800.0);
    for (const double c :
         {-1.0 / 39916800.0, 1.0 / 362880.0, -1.0 / 5040.0, 1.0 / 120.0, -1.0 / 6.0, 1.0})
        s = hn::MulAdd(s, t, hn::Set(d, c));
    return hn::MulAdd(hn::Set(d, row.across), hn::Mul(t, hn::Mul(s, s)), hn::Set(d, row.y0));
}

void weightsImpl(const ProfileView& profile, const WeightRow* rows, size_t count, double* weights) {
    const Tag d;
    const Vector steps = hn::Iota(d, 0.0);
    for (const WeightRow* row = rows; row != rows + count; ++row) {
        double* const to = weights + row->at;
        const double last = row->delta + (row->count - 1) * row->step;
        const bool near = std::max(std::abs(row->delta), std::abs(last)) <= 0.999;
        if (near && profile.rate > 0.0) {
            for (int i = 0; i < row->count; i += static_cast<int>(kLanes)) {
                const Vector index = hn::Add(steps, hn::Set(d, static_cast<double>(i)));
                hn::StoreU(gaussianProfile(profile, distances(*row, index)), d, to + i);
            }
            continue;
        }
        for (int i = 0; i < row->count; ++i) {
            const double half = 0.5 * (row->delta + i * row->step);
            double square = 0.0;
            if (near) {
                square = sineSquareNear(half);
            } else {
                const double sine = std::sin(half);
                square = sine * sine;
            }
            to[i] = row->y0 + row->across * square;
        }
        if (profile.rate > 0.0) {
            for (int i = row->count; i < row->count + static_cast<int>(kLanes); ++i) to[i] = 0.0;
            for (int i = 0; i < row->count; i += static_cast<int>(kLanes))
                hn::StoreU(gaussianProfile(profile, hn::LoadU(d, to + i)), d, to + i);
        } else {
            for (int i = 0; i < row->count; ++i)
                to[i] = to[i] <= profile.end ? profile.tableAt(to[i]) : 0.0;
        }
    }
}

constexpr size_t kImageVectors = kImages / kLanes;

// Two independent sums hide the latency of one.
struct ImageSums {
    Vector even[kImageVectors], odd[kImageVectors];
};

HWY_INLINE void clear(ImageSums& sums) {
    for (size_t v = 0; v < kImageVectors; ++v) sums.even[v] = sums.odd[v] = hn::Zero(Tag());
}

// Adds the weights from `weight` to `end`, times kImages values each from `source` on.
HWY_INLINE void addTaps(const double* weight, const double* end, const double* source,
                        ImageSums& sums) {
    const Tag d;
    for (; weight + 1 < end; weight += 2, source += 2 * kImages) {
        const Vector w0 = hn::Set(d, weight[0]), w1 = hn::Set(d, weight[1]);
        for (size_t v = 0; v < kImageVectors; ++v) {
            sums.even[v] = hn::MulAdd(w0, hn::Load(d, source + v * kLanes), sums.even[v]);
            sums.odd[v] = hn::MulAdd(w1, hn::Load(d, source + kImages + v * kLanes), sums.odd[v]);
        }
    }
    if (weight < end) {
        const Vector w0 = hn::Set(d, weight[0]);
        for (size_t v = 0; v < kImageVectors; ++v)
            sums.even[v] = hn::MulAdd(w0, hn::Load(d, source + v * kLanes), sums.even[v]);
    }
}

HWY_INLINE void store(const ImageSums& sums, double* images) {
    const Tag d;
    for (size_t v = 0; v < kImageVectors; ++v)
        hn::StoreU(hn::Add(sums.even[v], sums.odd[v]), d, images + v * kLanes);
}

void imagesImpl(const ImageRow* rows, size_t count, double* images) {
    ImageSums sums;
    clear(sums);
    for (const ImageRow* row = rows; row != rows + count; ++row)
        addTaps(row->weights, row->weights + row->count, row->source, sums);
    store(sums, images);
}

void fitImpl(const SeriesFit& fit, const double* values, size_t stride, size_t vectors,
             double* coefficients) {
    const Tag d;
    const auto n = static_cast<size_t>(fit.terms);
    for (size_t at = 0; at < vectors * kSeriesLanes; at += kLanes) {
        double* const to =
            coefficients + at / kSeriesLanes * 2 * n * kSeriesLanes + at % kSeriesLanes;
        for (size_t odd = 0; odd < 2; ++odd) {
            Vector value[kMostTerms], chebyshev[kMostTerms];
            for (size_t j = 0; j < n; ++j) {
                const Vector a = hn::LoadU(d, values + 2 * j * stride + at);
                const Vector b = hn::LoadU(d, values + (2 * j + 1) * stride + at);
                value[j] = odd == 0 ? hn::Mul(hn::Set(d, 0.5), hn::Add(a, b))
                                    : hn::Mul(hn::Set(d, 0.5 / fit.fractions[j]), hn::Sub(a, b));
            }
            for (size_t k = 0; k < n; ++k) {
                Vector sum = hn::Zero(d);
                for (size_t j = 0; j < n; ++j)
                    sum = hn::MulAdd(hn::Set(d, fit.chebyshev[k * n + j]), value[j], sum);
                chebyshev[k] = sum;
            }
            for (size_t power = 0; power < n; ++power) {
                Vector sum = hn::Zero(d);
                for (size_t k = n; k-- > power;)
                    sum = hn::MulAdd(hn::Set(d, fit.powers[k * n + power]), chebyshev[k], sum);
                hn::StoreU(sum, d, to + (odd * n + power) * kSeriesLanes);
            }
        }
    }
}

bool placesImpl(const SeriesSources& sources, double place, const SeriesPlaces& to) {
    const Tag d;
    const Vector q = hn::Set(d, sources.q), inverse = hn::Set(d, 1.0 / sources.q),
                 one = hn::Set(d, place), half = hn::Set(d, 0.5);
    bool any = false;
    for (size_t i = 0; i < sources.count; i += kLanes) {
        // Exact, as in seriesPlace().
        const Vector numerator =
            hn::MulSub(one, hn::LoadU(d, sources.p + i), hn::LoadU(d, sources.shiftQ + i));
        const Vector nearest = hn::Floor(hn::MulAdd(numerator, inverse, half));
        const Vector fraction = hn::Mul(hn::NegMulAdd(nearest, q, numerator), inverse);
        const Vector reach = hn::LoadU(d, sources.half + i);
        const Vector above = hn::Add(reach, fraction), below = hn::Sub(reach, fraction);
        hn::StoreU(nearest, d, to.nearest + i);
        hn::StoreU(fraction, d, to.fraction + i);
        hn::StoreU(hn::Floor(above), d, to.above + i);
        hn::StoreU(hn::Floor(below), d, to.below + i);
        for (const Vector x : {above, below}) {
            const Vector off = hn::Abs(hn::Sub(x, hn::Floor(hn::Add(x, half))));
            any = any || !hn::AllFalse(d, hn::Lt(off, hn::Set(d, kUnsure)));
        }
    }
    return any;
}

void seriesImpl(const SeriesSum& sum, const SeriesPlaces& places, double* workspace,
                double* images) {
    const Tag d;
    const auto n = static_cast<size_t>(sum.terms);
    ImageSums sums;
    clear(sums);
    for (size_t i = 0; i < sum.count; ++i) {
        const SeriesRow& row = sum.rows[i];
        const auto below = static_cast<ptrdiff_t>(places.below[i]),
                   above = static_cast<ptrdiff_t>(places.above[i]);
        if (below + above < 0) continue;
        const Vector f = hn::Set(d, places.fraction[i]),
                     v4 = hn::Mul(hn::Set(d, 4.0), hn::Mul(f, f));
        // Weights of taps -below .. above around `center`; those of negative taps are stored
        // backward.
        double* const center = workspace + row.vectors * kSeriesLanes;
        for (size_t at = row.vectors * kSeriesLanes; at > 0;) {
            at -= kLanes;
            const double* const c = sum.coefficients + row.coefficientsAt +
                                    at / kSeriesLanes * 2 * n * kSeriesLanes + at % kSeriesLanes;
            Vector e = hn::LoadU(d, c + (n - 1) * kSeriesLanes);
            Vector o = hn::LoadU(d, c + (2 * n - 1) * kSeriesLanes);
            for (size_t k = n - 1; k-- > 0;) {
                e = hn::MulAdd(e, v4, hn::LoadU(d, c + k * kSeriesLanes));
                o = hn::MulAdd(o, v4, hn::LoadU(d, c + (n + k) * kSeriesLanes));
            }
            hn::StoreU(hn::Reverse(d, hn::NegMulAdd(f, o, e)), d, center + 1 - at - kLanes);
            hn::StoreU(hn::MulAdd(f, o, e), d, center + at);
        }
        const double* const source =
            row.source + sum.layer + row.origin +
            (static_cast<ptrdiff_t>(places.nearest[i]) - below) * static_cast<ptrdiff_t>(kImages);
        addTaps(center - below, center + above + 1, source, sums);
    }
    store(sums, images);
}

void beltImpl(const BeltRow* rows, size_t count, ptrdiff_t layer, size_t columns, double* sums,
              size_t stride) {
    const Tag d;
    constexpr size_t kVectors = 4;
    static_assert(kBeltRings == 3 && kBeltColumns % (kVectors * kLanes) == 0);
    for (size_t column = 0; column < columns; column += kVectors * kLanes) {
        Vector a[kVectors], b[kVectors], c[kVectors];
        for (size_t v = 0; v < kVectors; ++v) a[v] = b[v] = c[v] = hn::Zero(d);
        for (const BeltRow* row = rows; row != rows + count; ++row) {
            const double* left = row->left + layer + column;
            const double* right = row->right + layer + column;
            const double* weight = row->weights;
            for (int i = 0; i < row->count; ++i, --left, ++right, weight += kBeltRings) {
                const Vector wa = hn::Set(d, weight[0]), wb = hn::Set(d, weight[1]),
                             wc = hn::Set(d, weight[2]);
                for (size_t v = 0; v < kVectors; ++v) {
                    const Vector s =
                        hn::Add(hn::LoadU(d, left + v * kLanes), hn::LoadU(d, right + v * kLanes));
                    a[v] = hn::MulAdd(wa, s, a[v]);
                    b[v] = hn::MulAdd(wb, s, b[v]);
                    c[v] = hn::MulAdd(wc, s, c[v]);
                }
            }
        }
        for (size_t v = 0; v < kVectors; ++v) {
            double* const to = sums + column + v * kLanes;
            hn::StoreU(a[v], d, to);
            hn::StoreU(b[v], d, to + stride);
            hn::StoreU(c[v], d, to + 2 * stride);
        }
    }
}

double pixelImpl(const PixelRow* rows, size_t count) {
    const Tag d;
    const int lanes = static_cast<int>(kLanes);
    Vector sum = hn::Zero(d);
    double rest = 0.0;
    for (const PixelRow* row = rows; row != rows + count; ++row) {
        int i = 0;
        for (; i + lanes <= row->count; i += lanes)
            sum = hn::MulAdd(hn::LoadU(d, row->weights + i), hn::LoadU(d, row->source + i), sum);
        for (; i < row->count; ++i) rest += row->weights[i] * row->source[i];
    }
    return rest + hn::GetLane(hn::SumOfLanes(d, sum));
}

}  // namespace armilla::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla {

HWY_EXPORT(weightsImpl);
HWY_EXPORT(imagesImpl);
HWY_EXPORT(fitImpl);
HWY_EXPORT(placesImpl);
HWY_EXPORT(seriesImpl);
HWY_EXPORT(beltImpl);
HWY_EXPORT(pixelImpl);

void tapWeights(const ProfileView& profile, const WeightRow* rows, size_t count, double* weights) {
    HWY_DYNAMIC_DISPATCH(weightsImpl)(profile, rows, count, weights);
}
void sumImages(const ImageRow* rows, size_t count, double* images) {
    HWY_DYNAMIC_DISPATCH(imagesImpl)(rows, count, images);
}
void fitSeries(const SeriesFit& fit, const double* values, size_t stride, size_t vectors,
               double* coefficients) {
    HWY_DYNAMIC_DISPATCH(fitImpl)(fit, values, stride, vectors, coefficients);
}
bool placeSeries(const SeriesSources& sources, double place, const SeriesPlaces& to) {
    return HWY_DYNAMIC_DISPATCH(placesImpl)(sources, place, to);
}
void sumSeries(const SeriesSum& sum, const SeriesPlaces& places, double* workspace,
               double* images) {
    HWY_DYNAMIC_DISPATCH(seriesImpl)(sum, places, workspace, images);
}
void sumBelt(const BeltRow* rows, size_t count, ptrdiff_t layer, size_t columns, double* sums,
             size_t stride) {
    HWY_DYNAMIC_DISPATCH(beltImpl)(rows, count, layer, columns, sums, stride);
}
double sumPixel(const PixelRow* rows, size_t count) {
    return HWY_DYNAMIC_DISPATCH(pixelImpl)(rows, count);
}

}  // namespace armilla
#endif  // HWY_ONCE
