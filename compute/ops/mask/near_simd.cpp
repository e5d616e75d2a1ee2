// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of NearTargets, compiled for each instruction set.
#include <algorithm>
#include <bit>
#include <cstdint>

#include "mask/near_places.h"

// SSSE3 and the later steps of AVX-512 add nothing for these loops.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mask/near_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace armilla::mask::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, Places::kPadding>;
using Vector = hn::Vec<Tag>;

struct Point {
    explicit Point(Vec3 v)
        : x(hn::Set(Tag(), v.x)), y(hn::Set(Tag(), v.y)), z(hn::Set(Tag(), v.z)) {}
    HWY_INLINE Vector squareTo(Vector px, Vector py, Vector pz) const {
        const Vector dx = hn::Sub(px, x), dy = hn::Sub(py, y), dz = hn::Sub(pz, z);
        return hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
    }
    HWY_INLINE Vector squareTo(const Places& places, size_t i) const {
        const Tag d;
        return squareTo(hn::LoadU(d, places.x() + i), hn::LoadU(d, places.y() + i),
                        hn::LoadU(d, places.z() + i));
    }
    Vector x, y, z;
};

NearestPlace measureFromImpl(Vec3 center, const Places& places, double* squares) {
    const Tag d;
    const Point from(center);
    // Numbers of places are exact as doubles.
    Vector least = hn::Set(d, 1e3), index = hn::Zero(d), number = hn::Iota(d, 0.0);
    const Vector step = hn::Set(d, static_cast<double>(hn::Lanes(d)));
    for (size_t i = 0; i < places.size(); i += hn::Lanes(d)) {
        const Vector square = from.squareTo(places, i);
        hn::StoreU(square, d, squares + i);
        const auto isLess = hn::Lt(square, least);
        least = hn::Min(square, least);
        index = hn::IfThenElse(isLess, number, index);
        number = hn::Add(number, step);
    }
    alignas(64) double leastOf[Places::kPadding], indexOf[Places::kPadding];
    hn::Store(least, d, leastOf);
    hn::Store(index, d, indexOf);
    const size_t lane =
        static_cast<size_t>(std::min_element(leastOf, leastOf + hn::Lanes(d)) - leastOf);
    return {static_cast<size_t>(indexOf[lane]), leastOf[lane]};
}

void keepNearestImpl(const Places& from, const double* squares, const NearSelection& selection,
                     Places& to) {
    const Tag d;
    const Point best(from.at(selection.nearest.index));
    const Vector least = hn::Set(d, selection.nearest.square + selection.slack),
                 most = hn::Set(d, selection.most), wide = hn::Set(d, selection.wide);
    to.begin(from.size());
    for (size_t i = 0; i < from.size(); i += hn::Lanes(d)) {
        const Vector square = hn::LoadU(d, squares + i);
        const Vector excess = hn::Max(hn::Zero(d), hn::Sub(square, least));
        const Vector reach = hn::Mul(wide, best.squareTo(from, i));
        const auto isKept = hn::And(hn::Le(square, most), hn::Le(hn::Mul(excess, excess), reach));
        // Compress of Highway 1.0 copies its table in each call.
        uint64_t bits = 0;
        hn::StoreMaskBits(d, isKept, reinterpret_cast<uint8_t*>(&bits));
        for (; bits != 0; bits &= bits - 1)
            to.add(from.at(i + static_cast<size_t>(std::countr_zero(bits))));
    }
    to.end();
}

void leastSquaresImpl(const LeafPositions& at, size_t count, const Places& places, double* least) {
    const Tag d;
    const size_t lanes = hn::Lanes(d);
    // Two vectors and their minima leave registers for the coordinates of a place.
    for (size_t k = 0; k < count; k += 2 * lanes) {
        const Vector x = hn::Load(d, at.x.data() + k), y = hn::Load(d, at.y.data() + k),
                     z = hn::Load(d, at.z.data() + k), x2 = hn::Load(d, at.x.data() + k + lanes),
                     y2 = hn::Load(d, at.y.data() + k + lanes),
                     z2 = hn::Load(d, at.z.data() + k + lanes);
        Vector first = hn::Set(d, 5.0), second = first;
        for (size_t i = 0; i < places.size(); ++i) {
            const Point place(places.at(i));
            first = hn::Min(first, place.squareTo(x, y, z));
            second = hn::Min(second, place.squareTo(x2, y2, z2));
        }
        hn::StoreU(first, d, least + k);
        hn::StoreU(second, d, least + k + lanes);
    }
}

}  // namespace armilla::mask::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::mask {

HWY_EXPORT(measureFromImpl);
HWY_EXPORT(keepNearestImpl);
HWY_EXPORT(leastSquaresImpl);

NearestPlace measureFrom(Vec3 center, const Places& places, std::vector<double>& squares) {
    if (squares.size() < places.size() + Places::kPadding)
        squares.resize(places.size() + Places::kPadding);
    return HWY_DYNAMIC_DISPATCH(measureFromImpl)(center, places, squares.data());
}

void keepNearest(const Places& from, const std::vector<double>& squares,
                 const NearSelection& selection, Places& to) {
    HWY_DYNAMIC_DISPATCH(keepNearestImpl)(from, squares.data(), selection, to);
}

void leastSquares(const LeafPositions& at, size_t count, const Places& places,
                  std::array<double, kLeafPixels>& least) {
    HWY_DYNAMIC_DISPATCH(leastSquaresImpl)(at, count, places, least.data());
}

}  // namespace armilla::mask
#endif
