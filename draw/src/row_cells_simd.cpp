// SPDX-License-Identifier: GPL-3.0-or-later
// faceFromDirection (armilla/core/pixel_geometry.h) and footprintScale (view_geometry.h) for
// vectors of pixels, compiled for each instruction set. The formulas and their order are the same,
// and so are the bits. Whole numbers are held as doubles: all are below 2^31.
#include "row_cells.h"

// SSSE3 and the later steps of AVX-512 add nothing for these loops.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "row_cells_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace armilla::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vector = hn::Vec<Tag>;

HWY_INLINE Vector constant(double value) {
    return hn::Set(Tag(), value);
}

// detail::quarterTurns
HWY_INLINE Vector quarterTurnsOf(Vector aside, Vector along) {
    const auto steep = hn::Gt(aside, along);
    const Vector large = hn::IfThenElse(steep, aside, along);
    const Vector small = hn::IfThenElse(steep, along, aside);
    const auto diagonal = hn::Gt(small, hn::Mul(constant(0.41421356237309503), large));
    const Vector numerator = hn::IfThenElse(diagonal, hn::Sub(large, small), small);
    const Vector denominator = hn::IfThenElse(diagonal, hn::Add(large, small), large);
    const Vector t =
        hn::IfThenElseZero(hn::Gt(large, constant(0.0)), hn::Div(numerator, denominator));
    const Vector u = hn::Mul(t, t), u2 = hn::Mul(u, u), u4 = hn::Mul(u2, u2);
    const auto pair = [&](double a, double b) {
        return hn::Add(constant(a), hn::Mul(u, constant(b)));
    };
    const auto four = [&](Vector low, Vector high) { return hn::Add(low, hn::Mul(u2, high)); };
    const Vector p0 = four(pair(0x1.45f306dc9c883p-1, -0x1.b2995e7b7b5d3p-3),
                           pair(0x1.04c26be3ad1d9p-3, -0x1.7483758b95cefp-4));
    const Vector p4 = four(pair(0x1.21bb93b21e842p-4, -0x1.da1b82e9a1b62p-5),
                           pair(0x1.91279b6e8bf26p-5, -0x1.5b7c4c7692f06p-5));
    const Vector p8 = four(pair(0x1.30ecfedf75564p-5, -0x1.069711fdd3bb5p-5),
                           pair(0x1.8bfdf3ac7cf95p-6, -0x1.736f1e7eb46c3p-7));
    const Vector turns = hn::Mul(t, hn::Add(p0, hn::Mul(u4, hn::Add(p4, hn::Mul(u4, p8)))));
    const Vector octant = hn::IfThenElse(diagonal, hn::Sub(constant(0.5), turns), turns);
    return hn::IfThenElse(steep, hn::Sub(constant(1.0), octant), octant);
}

struct CellPlace {
    Vector face, x, y;
};

// The equatorial belt: detail::faceFromDiagonals.
HWY_INLINE CellPlace onBelt(Vector n, Vector quarter, Vector share, Vector height) {
    const Vector one = constant(1.0), four = constant(4.0);
    const Vector across = hn::Mul(n, hn::Add(share, constant(0.5)));
    const Vector up = hn::Mul(n, hn::Mul(constant(0.75), height));
    const Vector last = hn::Sub(hn::Add(n, n), one);
    const Vector ascending = hn::Min(hn::Trunc(hn::Add(across, up)), last);
    const Vector descending = hn::Min(hn::Trunc(hn::Sub(across, up)), last);
    const auto beyondAscending = hn::Ge(ascending, n), beyondDescending = hn::Ge(descending, n);
    const Vector next = hn::Add(quarter, one);
    const Vector east = hn::IfThenZeroElse(hn::Eq(next, four), next);
    const Vector northern = hn::IfThenElse(beyondDescending, hn::Add(four, east), quarter);
    const Vector others = hn::Add(quarter, hn::IfThenElse(beyondDescending, constant(8.0), four));
    return {hn::IfThenElse(beyondAscending, northern, others),
            hn::IfThenElse(beyondAscending, hn::Sub(ascending, n), ascending),
            hn::Sub(hn::Sub(n, one),
                    hn::IfThenElse(beyondDescending, hn::Sub(descending, n), descending))};
}

HWY_INLINE CellPlace onCap(Vector n, Vector quarter, Vector share, Vector rings, Vector height) {
    const Vector one = constant(1.0), last = hn::Sub(n, one);
    const Vector inWest = hn::Min(hn::Trunc(hn::Mul(share, rings)), last);
    const Vector inEast = hn::Min(hn::Trunc(hn::Mul(hn::Sub(one, share), rings)), last);
    const auto north = hn::Gt(height, constant(0.0));
    return {hn::IfThenElse(north, quarter, hn::Add(quarter, constant(8.0))),
            hn::IfThenElse(north, hn::Sub(last, inEast), inWest),
            hn::IfThenElse(north, hn::Sub(last, inWest), inEast)};
}

// faceFromDirection
HWY_INLINE CellPlace placeOf(Vector n, Vector x, Vector y, Vector z) {
    const Vector zero = constant(0.0), one = constant(1.0);
    const Vector across2 = hn::Add(hn::Mul(x, x), hn::Mul(y, y));
    const Vector scale = hn::Div(one, hn::Sqrt(hn::Add(across2, hn::Mul(z, z))));
    const Vector height = hn::Mul(z, scale), size = hn::Abs(height);
    // detail::longitudeOf
    const auto west = hn::Lt(x, zero), south = hn::Lt(y, zero);
    const Vector ax = hn::Abs(x), ay = hn::Abs(y);
    const auto odd = hn::Xor(west, south);
    const Vector wanted = quarterTurnsOf(hn::IfThenElse(odd, ax, ay), hn::IfThenElse(odd, ay, ax));
    const auto next = hn::Ge(wanted, constant(1.0 - 0x1p-50));
    const Vector share = hn::IfThenZeroElse(next, wanted);
    const Vector southern = hn::IfThenElse(west, constant(2.0), constant(3.0));
    const Vector begun = hn::IfThenElse(south, southern, hn::IfThenElseZero(west, one));
    const Vector counted = hn::Add(begun, hn::IfThenElseZero(next, one));
    const Vector quarter = hn::IfThenZeroElse(hn::Eq(counted, constant(4.0)), counted);

    const CellPlace belt = onBelt(n, quarter, share, height);
    const auto isBelt = hn::Le(size, constant(2.0 / 3.0));
    if (hn::AllTrue(Tag(), isBelt)) return belt;
    const Vector rings = hn::Mul(
        hn::Mul(n, scale), hn::Sqrt(hn::Div(hn::Mul(across2, constant(3.0)), hn::Add(one, size))));
    const CellPlace cap = onCap(n, quarter, share, rings, height);
    return {hn::IfThenElse(isBelt, belt.face, cap.face), hn::IfThenElse(isBelt, belt.x, cap.x),
            hn::IfThenElse(isBelt, belt.y, cap.y)};
}

HWY_NOINLINE void cellsUnderImpl(const Mat3& turn, int64_t nside, RowBatch& batch) {
    const Tag tag;
    const hn::Rebind<int32_t, Tag> whole;
    const hn::Rebind<float, Tag> single;
    const Vector n = constant(static_cast<double>(nside));
    const Vector perLevel = constant(static_cast<double>(nside) * kPixelsPerCell);
    const int lanes = static_cast<int>(hn::Lanes(tag));
    const auto row = [&](int first, Vector x, Vector y, Vector z) {
        return hn::Add(
            hn::Add(hn::Mul(constant(turn.m[first]), x), hn::Mul(constant(turn.m[first + 1]), y)),
            hn::Mul(constant(turn.m[first + 2]), z));
    };
    // The last vector may hold entries behind the batch's end: directions, all the same.
    for (int i = batch.count; i % lanes != 0; ++i) {
        batch.x[i] = batch.footprint[i] = 1.0;
        batch.y[i] = batch.z[i] = 0.0;
    }
    for (int i = 0; i < batch.count; i += lanes) {
        const Vector x = hn::Load(tag, batch.x + i), y = hn::Load(tag, batch.y + i),
                     z = hn::Load(tag, batch.z + i);
        const CellPlace at = placeOf(n, row(0, x, y, z), row(3, x, y, z), row(6, x, y, z));
        const Vector cell = hn::Add(hn::Mul(hn::Add(hn::Mul(at.face, n), at.y), n), at.x);
        hn::Store(hn::DemoteTo(whole, cell), whole, batch.cell + i);
        const Vector cells = hn::Mul(hn::Load(tag, batch.footprint + i), perLevel);
        hn::Store(hn::Log2(single, hn::DemoteTo(single, cells)), single, batch.level + i);
    }
}

HWY_NOINLINE void mollweideFootprintsImpl(const PlaneRow& row, double radiansPerPixel,
                                          RowBatch& batch) {
    const Tag tag;
    const int lanes = static_cast<int>(hn::Lanes(tag));
    for (int i = batch.count; i % lanes != 0; ++i) batch.footprint[i] = 0.0;
    const double stretch2 = row.stretch * row.stretch;
    const Vector a2 = constant(stretch2), back = constant(1.0 / stretch2);
    const Vector shear = constant(row.shear * row.lonPerX), half = constant(0.5);
    for (int i = 0; i < batch.count; i += lanes) {
        const Vector b = hn::Mul(shear, hn::Load(tag, batch.footprint + i));
        const Vector sum = hn::Add(hn::Add(a2, hn::Mul(b, b)), back);
        const Vector difference = hn::Max(constant(0.0), hn::Sub(hn::Mul(sum, sum), constant(4.0)));
        const Vector scale = hn::Sqrt(hn::Mul(half, hn::Add(sum, hn::Sqrt(difference))));
        hn::Store(hn::Mul(constant(radiansPerPixel), hn::Min(scale, constant(1e3))), tag,
                  batch.footprint + i);
    }
}

}  // namespace armilla::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla {

HWY_EXPORT(cellsUnderImpl);
HWY_EXPORT(mollweideFootprintsImpl);

void cellsUnder(const Mat3& skyFromView, int64_t nside, RowBatch& batch) {
    HWY_DYNAMIC_DISPATCH(cellsUnderImpl)(skyFromView, nside, batch);
}

void mollweideFootprints(const PlaneRow& row, double radiansPerPixel, RowBatch& batch) {
    HWY_DYNAMIC_DISPATCH(mollweideFootprintsImpl)(row, radiansPerPixel, batch);
}

}  // namespace armilla
#endif
