// SPDX-License-Identifier: GPL-3.0-or-later
// Smoothing of values on complete rings of an equidistant cylindrical grid.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/ops/convolve.h"
#include "armilla/ops/device.h"
#include "armilla/ops/elliptical_beam.h"
#include "armilla/ops/ring_grid.h"

namespace armilla {

// A run of rows of a grid from pole to pole. Colatitudes are pi (i + 1/2) / rows or, with poles, pi
// i / (rows - 1); each row has `columns` samples.
struct RingRows {
    int64_t rows = 0, columns = 0;
    bool hasPoles = false;
    int64_t first = 0, count = 0;  // rows with values, numbered from the north

    // The complete grid, with its quadrature weights.
    RingGrid grid() const;
};

// The sums of SmoothPlan on such a grid, with the grid's quadrature weights (RingGrid::fejer,
// clenshawCurtis). The parameters are those of SmoothPlan except pixel weights; polarization is
// harmonic.
// - direct: over the samples within the kernel's radius; any kernel.
// - ring: the same sums by FFTs along the rows. The samples of K are one period of a cyclic sum, so
//   kernels with edges and corners are as exact as smooth ones. FFTs are FFTW's or our own; on a
//   CUDA device cuFFT's if found.
// - harmonic: analysis with l up to lmax (rows - 1 by default), times B_l. The quadrature is exact
//   for a sky without power at l >= rows / 2.
//
// All three are one sum over samples. They agree to the part of the kernel beyond the radius; with
// one radius and all l to 1e-10, and with sums over all pairs to 1e-12
// (tests/compute/tst_smooth_rows.cpp). Rows without values count as bad. Not thread-safe while
// executing.
class RowSmoothPlan {
public:
    // Throws InvalidArgument for parameters that contradict each other or a grid out of range,
    // Unsupported for pixel weights, and for polarization by a method on samples.
    RowSmoothPlan(const RingRows& rows, const SmoothParameters& parameters, const Device& device,
                  JobContext& job);
    // The sums of smoothElliptical(), direct or by rings. Only method, norm and the treatment of
    // bad samples of `parameters` are used. Throws Unsupported for the harmonic method.
    RowSmoothPlan(const RingRows& rows, const EllipticalBeam& beam,
                  const SmoothParameters& parameters, const Device& device, JobContext& job);
    ~RowSmoothPlan();
    RowSmoothPlan(RowSmoothPlan&&) noexcept;
    RowSmoothPlan& operator=(RowSmoothPlan&&) noexcept;

    // `values`: rows.count rows of rows.columns samples from the north, NaN where bad. The result
    // has the same layout. Throws InvalidArgument for another size, OutOfMemory, DeviceError,
    // Cancelled.
    std::vector<double> execute(std::span<const double> values, JobContext& job);
    // T, Q and U together, through T, E and B, by a plan with polarization. U in COSMO convention
    // where longitude increases along rows, with the opposite sign where it decreases. Q and U are
    // good together or not at all. Throws as execute().
    std::array<std::vector<double>, 3> executePolarized(std::vector<double> t,
                                                        std::vector<double> q,
                                                        std::vector<double> u, JobContext& job);
    // The error is that of SmoothReport, for a sky of power 1 / (l (l + 1)) up to l = rows - 1, for
    // any method. For sums over samples it is a bound, also for kernels with edges or narrower than
    // samples.
    const SmoothReport& report() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
