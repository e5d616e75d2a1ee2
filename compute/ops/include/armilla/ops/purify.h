// SPDX-License-Identifier: GPL-3.0-or-later
// Purified E and B of a masked field of spin 2: coefficients without the modes that a mask mixes
// into both (K. M. Smith 2006, doi:10.1103/PhysRevD.74.083002; J. Grain et al. 2009,
// doi:10.1103/PhysRevD.79.123515).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "armilla/core/harmonics.h"
#include "armilla/core/job_context.h"
#include "armilla/ops/sht.h"

namespace armilla {

struct PurifyRequest {
    bool e = false, b = false;
    ShtParameters analysis;  // nside, lmax, weights, iterations for the masked fields
};
// Transforms on the samples of a field.
struct PurifyTransforms {
    // The two components of a field of a spin above 0, from gradient and curl coefficients.
    std::function<void(int spin, std::span<const Alm, 2> alm, std::span<double> first,
                       std::span<double> second, JobContext& job)>
        synthesis;
    // Coefficients of two components of a spin, or of two scalars for spin 0.
    std::function<std::vector<Alm>(int spin, std::vector<double> first, std::vector<double> second,
                                   JobContext& job)>
        analysis;
};
// Adds to the coefficients of E and B of weight times (Q, U) the terms with one and two derivatives
// of the mask. `mask`: its coefficients, whose derivatives are synthesized; `q`, `u`: RING maps, 0
// where the mask is. Six maps of doubles are held at a time.
void purify(std::span<Alm, 2> eb, const Alm& mask, std::span<const double> q,
            std::span<const double> u, const PurifyRequest& request, const Device& device,
            JobContext& job);
// The same by other transforms; `analysis` of the request is not used.
void purify(std::span<Alm, 2> eb, const Alm& mask, std::span<const double> q,
            std::span<const double> u, const PurifyRequest& request,
            const PurifyTransforms& transforms, JobContext& job);

// The largest difference of weights between neighboring pixels of a RING map.
double largestStep(int64_t nside, std::span<const double> weights, JobContext& job);

}  // namespace armilla
