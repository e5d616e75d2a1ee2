// SPDX-License-Identifier: GPL-3.0-or-later
// Detection of diverging Jacobi iterations of an analysis.
#pragma once

#include <algorithm>
#include <string>

#include "armilla/core/error.h"
#include "armilla/ops/sht.h"

namespace armilla {

// Watches one map, or the components of a spin together. The iterations multiply the residual by
// 1 - S A (synthesis S, analysis A), which is symmetric in the norm of the weights. If they
// converge, that norm never grows; once it has grown, it continues to grow. Weights within a factor
// of 1.44 (ring weights: 0.9 to 1.18) keep the plain norm within 1.2 of the weighted norm.
class IterationWatch {
public:
    // `map`: the sum of squares of the map.
    IterationWatch(const ShtParameters& parameters, double map)
        : parameters_(parameters), rounding_(1e-20 * map) {}

    // `residual`: the sum of squares of the residual map after `iterations`. Throws Unsupported
    // once it has grown beyond rounding.
    void see(int iterations, double residual) {
        constexpr double kMostGrowth = 1.44;
        if (seen_ && residual > std::max(kMostGrowth * least_, rounding_)) refuse(iterations);
        least_ = seen_ ? std::min(least_, residual) : residual;
        seen_ = true;
    }

private:
    [[noreturn]] void refuse(int iterations) const {
        const int64_t nside = parameters_.nside;
        throw Unsupported(
            "expected converging iterations of the analysis, found a growing residual at lmax " +
            std::to_string(parameters_.lmax) + " after " + std::to_string(iterations) + " of " +
            std::to_string(parameters_.iterations) +
            (nside > 0 ? "; iterations converge up to lmax = 3 nside - 1 = " +
                             std::to_string(3 * nside - 1)
                       : std::string()));
    }

    ShtParameters parameters_;
    double rounding_, least_ = 0.0;
    bool seen_ = false;
};

}  // namespace armilla
