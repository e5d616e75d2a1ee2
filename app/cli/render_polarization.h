// SPDX-License-Identifier: GPL-3.0-or-later
// Polarization in the figures of `armilla render`: its options, and what they ask for.
#pragma once

#include <optional>
#include <string>

#include "cli/run.h"
#include "figure/figure.h"
#include "operations/parameter.h"

namespace armilla::cli {

struct RenderPolarization {
    std::optional<double> rods;  // radians
    std::string lengths, lengthField;
    double least = 0.0, snr = 0.0, noise = 0.0;
    bool drapery = false;
    std::optional<PolarizationConvention> convention;  // of a file that does not say

    bool isWanted() const { return rods || drapery; }
};
void describe(Description& d, RenderPolarization& p);
// Throws UsageError.
void checkPolarization(const RenderPolarization& p);
// Reads Q and U of the map at `path`, without what rods are as long as. Throws InvalidArgument for
// a map without them.
FigurePolarization polarizationOf(Run& run, const std::string& path, const RenderPolarization& p,
                                  JobContext& job);
// Reads what rods are as long as, if that is said. Throws InvalidArgument for a map of several
// orders.
void addRodLengths(Run& run, const RenderPolarization& p, FigurePolarization& polarization,
                   JobContext& job);

}  // namespace armilla::cli
