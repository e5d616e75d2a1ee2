// SPDX-License-Identifier: GPL-3.0-or-later
// Smoothing of a map with a radial kernel.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "core/healpix_map.h"
#include "core/job_context.h"
#include "ops/device.h"
#include "ops/sht.h"

namespace armilla {

enum class SmoothMethod { Auto, Harmonic, Ring, Direct };
// Ignore: bad pixels count as zero. Normalize: the result is divided by the smoothed mask, so that
// it is the weighted mean of the good pixels. Either way bad pixels of the input stay bad.
enum class Masked { Ignore, Normalize };

struct SmoothParameters {
    double fwhm = 0.0;  // radians; used if neither beam nor kernel is given
    std::optional<Beam> beam;
    std::optional<RadialKernel> kernel;
    SmoothMethod method = SmoothMethod::Auto;
    int lmax = -1;  // -1: 3 nside - 1
    int iterations = 0;
    Weights weights = Weights::Ring;
    Masked masked = Masked::Normalize;
    bool polarization = false;  // T, Q, U together through T, E, B
};

struct SmoothReport {
    SmoothMethod method = SmoothMethod::Harmonic;
    int lmax = 0;
    double estimatedError = 0.0;  // rms, relative to the rms of the map
};

// A plan for one input map: the harmonic coefficients of the map are kept from call to call, so a
// new width costs one synthesis. Not thread-safe while executing.
class SmoothPlan {
public:
    // `fields`: indices of the fields to smooth, {i} or {t, q, u} with polarization.
    SmoothPlan(std::shared_ptr<const HealpixMap> map, std::vector<int> fields,
               const Device& device);
    ~SmoothPlan();
    SmoothPlan(SmoothPlan&&) noexcept;
    SmoothPlan& operator=(SmoothPlan&&) noexcept;

    // The smoothed map: same nside, ordering, frame, coverage as the input; the smoothed fields
    // only.
    HealpixMap execute(const SmoothParameters& parameters, JobContext& job);
    // The same on a coarser grid for a live preview: `nside` <= that of the input.
    HealpixMap preview(const SmoothParameters& parameters, int64_t nside, JobContext& job);
    const SmoothReport& report() const;  // of the last call

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
