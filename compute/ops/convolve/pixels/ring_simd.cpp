// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of convolution by rings, compiled for each instruction set.
#include "convolve/pixels/ring_kernels.h"

// SSSE3 and the later steps of AVX-512 add nothing for these loops.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "convolve/pixels/ring_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace armilla::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<double, 8>;
using Vector = hn::Vec<Tag>;
constexpr size_t kLanes = hn::MaxLanes(Tag());

void cosinesImpl(const double* const* weights, size_t terms, const double* cosine, size_t stride,
                 size_t count, double* const* modes) {
    const Tag d;
    for (size_t m = 0; m < count; m += 2 * kLanes) {
        Vector sum[kRingsAtOnce][2];
        for (auto& s : sum) s[0] = s[1] = hn::Zero(d);
        const double* c = cosine + m;
        for (size_t t = 0; t < terms; ++t, c += stride) {
            const Vector c0 = hn::LoadU(d, c), c1 = hn::LoadU(d, c + kLanes);
            for (size_t p = 0; p < kRingsAtOnce; ++p) {
                const Vector w = hn::Set(d, weights[p][t]);
                sum[p][0] = hn::MulAdd(w, c0, sum[p][0]);
                sum[p][1] = hn::MulAdd(w, c1, sum[p][1]);
            }
        }
        for (size_t p = 0; p < kRingsAtOnce; ++p) {
            hn::StoreU(sum[p][0], d, modes[p] + m);
            hn::StoreU(sum[p][1], d, modes[p] + m + kLanes);
        }
    }
}

void productsImpl(const double* const* modes, const double* const* source, size_t count,
                  double* sum) {
    const Tag d;
    for (size_t m = 0; m < count; m += kLanes) {
        Vector s = hn::LoadU(d, sum + m);
        for (size_t p = 0; p < kRingsAtOnce; ++p)
            s = hn::MulAdd(hn::LoadU(d, modes[p] + m), hn::LoadU(d, source[p] + m), s);
        hn::StoreU(s, d, sum + m);
    }
}

}  // namespace armilla::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla {

HWY_EXPORT(cosinesImpl);
HWY_EXPORT(productsImpl);

void cosineSums(const double* const* weights, size_t terms, const double* cosine, size_t stride,
                size_t count, double* const* modes) {
    HWY_DYNAMIC_DISPATCH(cosinesImpl)(weights, terms, cosine, stride, count, modes);
}
void addProducts(const double* const* modes, const double* const* source, size_t count,
                 double* sum) {
    HWY_DYNAMIC_DISPATCH(productsImpl)(modes, source, count, sum);
}

}  // namespace armilla
#endif  // HWY_ONCE
