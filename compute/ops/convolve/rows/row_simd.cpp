// SPDX-License-Identifier: GPL-3.0-or-later
// The inner loops of sums over rows, compiled for each instruction set.
#include "convolve/rows/row_kernels.h"

// SSSE3 and the later steps of AVX-512 add nothing for these loops.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "convolve/rows/row_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace armilla::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<double, 8>;
using Vector = hn::Vec<Tag>;
constexpr size_t kLanes = hn::MaxLanes(Tag());
constexpr size_t kVectors = 4;  // sums that stay in registers over all taps

void addTapsImpl(const double* weights, size_t count, const double* source, size_t columns,
                 double* sums) {
    const Tag d;
    size_t c = 0;
    for (; c + kVectors * kLanes <= columns; c += kVectors * kLanes) {
        Vector sum[kVectors];
        for (size_t v = 0; v < kVectors; ++v) sum[v] = hn::LoadU(d, sums + c + v * kLanes);
        for (size_t i = 0; i < count; ++i) {
            const Vector w = hn::Set(d, weights[i]);
            for (size_t v = 0; v < kVectors; ++v)
                sum[v] = hn::MulAdd(w, hn::LoadU(d, source + c + i + v * kLanes), sum[v]);
        }
        for (size_t v = 0; v < kVectors; ++v) hn::StoreU(sum[v], d, sums + c + v * kLanes);
    }
    for (; c < columns; ++c) {
        double sum = sums[c];
        for (size_t i = 0; i < count; ++i) sum += weights[i] * source[c + i];
        sums[c] = sum;
    }
}

double sumTapsImpl(const double* weights, size_t count, const double* source) {
    const Tag d;
    Vector sum = hn::Zero(d);
    size_t i = 0;
    for (; i + kLanes <= count; i += kLanes)
        sum = hn::MulAdd(hn::LoadU(d, weights + i), hn::LoadU(d, source + i), sum);
    double result = hn::GetLane(hn::SumOfLanes(d, sum));
    for (; i < count; ++i) result += weights[i] * source[i];
    return result;
}

}  // namespace armilla::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla {

HWY_EXPORT(addTapsImpl);
HWY_EXPORT(sumTapsImpl);

void addTaps(const double* weights, size_t count, const double* source, size_t columns,
             double* sums) {
    HWY_DYNAMIC_DISPATCH(addTapsImpl)(weights, count, source, columns, sums);
}
double sumTaps(const double* weights, size_t count, const double* source) {
    return HWY_DYNAMIC_DISPATCH(sumTapsImpl)(weights, count, source);
}

}  // namespace armilla
#endif  // HWY_ONCE
