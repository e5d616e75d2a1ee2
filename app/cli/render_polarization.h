// SPDX-License-Identifier: GPL-3.0-or-later
// Polarization in figures of `armilla render`: options and their effect.
#pragma once

#include <optional>
#include <string>

#include "armilla/figure/figure.h"
#include "armilla/operations/parameter.h"
#include "cli/run.h"

namespace armilla::cli {

struct RenderPolarization {
    std::optional<double> rods;  // radians
    std::string lengths, lengthField;
    double least = 0.0, snr = 0.0, noise = 0.0;
    bool lic = false;
    std::optional<PolarizationConvention> convention;  // for a file that names none

    bool isWanted() const { return rods || lic; }
};
void describe(Description& d, RenderPolarization& p);
// Throws UsageError.
void checkPolarization(const RenderPolarization& p);
// Reads Q and U of the map at `path`, without the lengths of rods. Throws InvalidArgument for a map
// without them.
FigurePolarization polarizationOf(Run& run, const std::string& path, const RenderPolarization& p,
                                  JobContext& job);
// Reads the map of rod lengths, if there is one. Throws InvalidArgument for a map of several
// orders.
void addRodLengths(Run& run, const RenderPolarization& p, FigurePolarization& polarization,
                   JobContext& job);

}  // namespace armilla::cli
