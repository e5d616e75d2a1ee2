// SPDX-License-Identifier: GPL-3.0-or-later
// Smoothing of values on whole rings of an equidistant cylindrical grid.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/job_context.h"
#include "ops/convolve.h"
#include "ops/device.h"
#include "ops/elliptical_beam.h"
#include "ops/ring_grid.h"

namespace armilla {

// A run of the rows of a grid from pole to pole: rows at colatitudes pi (i + 1/2) / rows, or, with
// poles, at pi i / (rows - 1), of as many samples each.
struct RingRows {
    int64_t rows = 0, columns = 0;
    bool hasPoles = false;
    int64_t first = 0, count = 0;  // rows that there are values of, from the north

    RingGrid grid() const;
};

// The sums of SmoothPlan on such a grid, with its own quadrature weights (RingGrid::fejer,
// clenshawCurtis), by the same parameters but for pixel weights and polarization:
//   direct    over the samples within the kernel's radius; any kernel;
//   ring      the same, along the rows by FFTs of them: the samples of K are one period of a cyclic
//             sum, so edges and corners are as exact as anything else. The rows go by FFTW or our
//             own FFTs, on a CUDA device by cuFFT where it is found;
//   harmonic  analysis with l up to lmax (rows - 1 by default) times B_l; the quadrature is exact
//             for a sky without power at l >= rows / 2.
// All three are one sum over samples: they agree to the kernel's share beyond the radius, with one
// radius and all l to 1e-10; to 1e-12 with sums over all pairs (tests/compute/tst_smooth_rows.cpp).
// Rows without values count as bad. Not thread-safe while executing.
class RowSmoothPlan {
public:
    // Throws InvalidArgument for parameters that contradict each other or a grid out of range,
    // Unsupported for pixel weights and polarization.
    RowSmoothPlan(const RingRows& rows, const SmoothParameters& parameters, const Device& device,
                  JobContext& job);
    // The sums of smoothElliptical(), direct or by rings; of `parameters` the method, the norm and
    // what is done with bad samples. Throws Unsupported for the harmonic method.
    RowSmoothPlan(const RingRows& rows, const EllipticalBeam& beam,
                  const SmoothParameters& parameters, const Device& device, JobContext& job);
    ~RowSmoothPlan();
    RowSmoothPlan(RowSmoothPlan&&) noexcept;
    RowSmoothPlan& operator=(RowSmoothPlan&&) noexcept;

    // `values`: rows.count rows of rows.columns from the north, NaN where bad; the result likewise.
    // Throws InvalidArgument for another size, OutOfMemory, DeviceError, Cancelled.
    std::vector<double> execute(std::span<const double> values, JobContext& job);
    // The error as SmoothReport has it, for a sky of power 1 / (l (l + 1)) up to l = rows - 1 by
    // any method; of sums on samples a bound, for kernels with edges or narrower than samples, too.
    const SmoothReport& report() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
