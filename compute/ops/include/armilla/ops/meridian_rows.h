// SPDX-License-Identifier: GPL-3.0-or-later
// Resampling of complete equidistant rows along meridians, before an exact analysis.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/ops/ring_grid.h"
#include "armilla/ops/smooth_rows.h"

namespace armilla {

// Quadrature weights of equidistant rows are exact for harmonics below half the number of rows. The
// samples of all rows determine harmonics up to twice that degree: on each great circle through the
// poles they are a trigonometric polynomial f(theta). This class multiplies f by |sin(theta)|,
// keeps the degrees up to lmax, and samples the product on about lmax + 2 rows. The sum of these
// samples over equidistant rows is the integral of f times a harmonic of degree lmax, without error
// (J. R. Driscoll & D. M. Healy, Adv. Appl. Math. 15 (1994) 202; ducc's analysis_2d is the same
// sum). A mean of the samples therefore stays in a_00.
//
// Rows with poles determine lmax <= rows - 2, rows without lmax <= rows - 1.
class MeridianRows {
public:
    // The largest lmax: as above, and below half the number of columns, for order m = lmax.
    static int64_t mostLmax(const RingRows& rows);
    // Whether a sample lies opposite each sample of a row, as resample() needs.
    static bool canResample(const RingRows& rows) { return rows.columns % 2 == 0; }

    // `rows` are all rows of the grid, and columns are an even number; `phi0` is the longitude of
    // the first sample of each row. Throws InvalidArgument for an lmax out of range.
    MeridianRows(const RingRows& rows, int lmax, double phi0, JobContext& job);
    ~MeridianRows();

    // The rows of the product, whose weights make the analysis of resampled values exact.
    const RingGrid& grid() const { return grid_; }
    // `values`: finite samples of a component of a field of this spin, row after row from the
    // north. Throws OutOfMemory, Cancelled. Test: tests/compute/tst_meridian_rows.cpp.
    std::vector<double> resample(int spin, std::span<const double> values, JobContext& job) const;

private:
    struct Transforms;
    void resampleColumns(int64_t column, double parity, std::span<const double> values,
                         std::span<double> out, JobContext& job) const;

    RingRows rows_;
    RingGrid grid_;
    int lmax_ = 0;
    int64_t circle_ = 0, fine_ = 0, steps_ = 0;  // points on a circle; steps from pole to pole
    std::unique_ptr<Transforms> transforms_;
    std::vector<double> sine_;  // |sin(theta)| up to the degree that matters, on the fine circle
};

}  // namespace armilla
