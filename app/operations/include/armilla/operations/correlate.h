// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of `correlate`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "armilla/core/curve.h"
#include "armilla/operations/parameter.h"
#include "armilla/ops/correlation.h"

namespace armilla {

struct CorrelateOptions {
    std::string lon, lat, weight;  // column names; empty: found by UCD or name, no weight
    std::string bins;              // MIN,MAX,N as typed, since its decimals are exact
    BinSpacing spacing = BinSpacing::Log;
    std::string edges;  // a file
    Estimator estimator = Estimator::LandySzalay;
    CorrelationErrors errors = CorrelationErrors::None;
    int patches = 50;
    int resamplings = 1000;
    double randomFactor = 10.0;
    int randomSets = 1;
    int64_t seed = 1;
    bool pairMean = false;
    std::optional<Frame> frame;
};
void describe(Description& d, CorrelateOptions& p);

// The power law fitted to a result of `correlate`: w with errors in bins, and the covariance if
// there is one. Throws InvalidArgument with the reason if a fit is impossible.
PowerLaw powerLawOf(const Curve& curve);

}  // namespace armilla
