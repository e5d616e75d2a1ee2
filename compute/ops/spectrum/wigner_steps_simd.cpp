// SPDX-License-Identifier: GPL-3.0-or-later
// The loops over angles of Wigner's functions, compiled for each instruction set.
#include "spectrum/wigner_steps.h"

// SSSE3 and the later steps of AVX-512 add nothing for these loops.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "spectrum/wigner_steps_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <utility>

HWY_BEFORE_NAMESPACE();
namespace armilla::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, kWignerGroup>;

// p_{l+1} in the place of p_{l-1}.
HWY_INLINE void advance(const WignerAngles& angles, int l, const double* now, double* before) {
    const Tag tag;
    const auto at = static_cast<size_t>(l);
    const WignerRecurrence& r = *angles.recurrence;
    const auto scale = hn::Set(tag, r.scale[at]), back = hn::Set(tag, r.back[at]);
    const auto shift = hn::Set(tag, r.shift[static_cast<size_t>(angles.form)][at]);
    const auto lanes = static_cast<int>(hn::Lanes(tag));
    for (int i = 0; i < angles.count; i += lanes) {
        const auto factor = hn::MulAdd(scale, hn::LoadU(tag, angles.y + i), shift);
        const auto old = hn::Mul(back, hn::LoadU(tag, before + i));
        hn::StoreU(hn::MulSub(factor, hn::LoadU(tag, now + i), old), tag, before + i);
    }
}

HWY_NOINLINE void seriesImpl(const WignerAngles& angles, const double* coefficients, double* sums) {
    const Tag tag;
    const auto lanes = static_cast<int>(hn::Lanes(tag));
    double *now = angles.now, *before = angles.before;
    for (int l = angles.recurrence->first; l <= angles.recurrence->last; ++l) {
        const auto c = hn::Set(tag, coefficients[l]);
        for (int i = 0; i < angles.count; i += lanes)
            hn::StoreU(hn::MulAdd(c, hn::LoadU(tag, now + i), hn::LoadU(tag, sums + i)), tag,
                       sums + i);
        if (l == angles.recurrence->last) break;
        advance(angles, l, now, before);
        std::swap(now, before);
    }
}

HWY_NOINLINE void momentsImpl(const WignerAngles& angles, const double* rows, const int* active,
                              double* moments, int64_t stride) {
    const Tag tag;
    const auto lanes = static_cast<int>(hn::Lanes(tag));
    double *now = angles.now, *before = angles.before;
    for (int l = angles.recurrence->first; l <= angles.recurrence->last; ++l) {
        for (int r = 0; r < active[l]; r += 4) {
            const double* const row = rows + static_cast<int64_t>(r) * angles.count;
            auto sum0 = hn::Zero(tag), sum1 = sum0, sum2 = sum0, sum3 = sum0;
            for (int i = 0; i < angles.count; i += lanes) {
                const auto p = hn::LoadU(tag, now + i);
                const double* const at = row + i;
                sum0 = hn::MulAdd(p, hn::LoadU(tag, at), sum0);
                sum1 = hn::MulAdd(p, hn::LoadU(tag, at + angles.count), sum1);
                sum2 = hn::MulAdd(p, hn::LoadU(tag, at + 2 * angles.count), sum2);
                sum3 = hn::MulAdd(p, hn::LoadU(tag, at + 3 * angles.count), sum3);
            }
            double* const to = moments + r * stride + l;
            to[0] = hn::GetLane(hn::SumOfLanes(tag, sum0));
            to[stride] = hn::GetLane(hn::SumOfLanes(tag, sum1));
            to[2 * stride] = hn::GetLane(hn::SumOfLanes(tag, sum2));
            to[3 * stride] = hn::GetLane(hn::SumOfLanes(tag, sum3));
        }
        if (l == angles.recurrence->last) break;
        advance(angles, l, now, before);
        std::swap(now, before);
    }
}

}  // namespace armilla::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla {

HWY_EXPORT(seriesImpl);
HWY_EXPORT(momentsImpl);

void addWignerSeries(const WignerAngles& angles, const double* coefficients, double* sums) {
    HWY_DYNAMIC_DISPATCH(seriesImpl)(angles, coefficients, sums);
}

void wignerMoments(const WignerAngles& angles, const double* rows, const int* active,
                   double* moments, int64_t stride) {
    HWY_DYNAMIC_DISPATCH(momentsImpl)(angles, rows, active, moments, stride);
}

}  // namespace armilla
#endif
