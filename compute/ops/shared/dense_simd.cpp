// SPDX-License-Identifier: GPL-3.0-or-later
// The inner loop of dense matrices, compiled for each instruction set.
#include "shared/dense.h"

// SSSE3 and the later steps of AVX-512 add nothing for these loops.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "shared/dense_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace armilla::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;

HWY_NOINLINE void addRowsImpl(double* to, const double* factors, const double* rows, int64_t stride,
                              int64_t count, int64_t length) {
    const Tag tag;
    const auto lanes = static_cast<int64_t>(hn::Lanes(tag));
    int64_t j = 0;
    for (; j + 4 * lanes <= length; j += 4 * lanes) {
        auto sum0 = hn::LoadU(tag, to + j), sum1 = hn::LoadU(tag, to + j + lanes),
             sum2 = hn::LoadU(tag, to + j + 2 * lanes), sum3 = hn::LoadU(tag, to + j + 3 * lanes);
        for (int64_t k = 0; k < count; ++k) {
            const auto factor = hn::Set(tag, factors[k]);
            const double* const row = rows + k * stride + j;
            sum0 = hn::MulAdd(factor, hn::LoadU(tag, row), sum0);
            sum1 = hn::MulAdd(factor, hn::LoadU(tag, row + lanes), sum1);
            sum2 = hn::MulAdd(factor, hn::LoadU(tag, row + 2 * lanes), sum2);
            sum3 = hn::MulAdd(factor, hn::LoadU(tag, row + 3 * lanes), sum3);
        }
        hn::StoreU(sum0, tag, to + j);
        hn::StoreU(sum1, tag, to + j + lanes);
        hn::StoreU(sum2, tag, to + j + 2 * lanes);
        hn::StoreU(sum3, tag, to + j + 3 * lanes);
    }
    for (; j < length; ++j) {
        double sum = to[j];
        for (int64_t k = 0; k < count; ++k) sum += factors[k] * rows[k * stride + j];
        to[j] = sum;
    }
}

}  // namespace armilla::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla {

HWY_EXPORT(addRowsImpl);

void addRows(double* to, const double* factors, const double* rows, int64_t stride, int64_t count,
             int64_t length) {
    HWY_DYNAMIC_DISPATCH(addRowsImpl)(to, factors, rows, stride, count, length);
}

}  // namespace armilla
#endif
