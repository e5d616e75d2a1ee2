// SPDX-License-Identifier: GPL-3.0-or-later
// How much the noise of a filtered map rises where part of the filter lies on bad pixels.
#pragma once

#include <array>
#include <span>

#include "core/job_context.h"

namespace armilla::sources {

// What fills a hole is smoother than the sky, and a filter that takes differences (of a steep
// background above all) sees that at the rim. Measured as depth is: the rms of the map over its
// local noise, of all pixels that miss about the same share of the response, an octave a bin.
class RimNoise {
public:
    RimNoise() { factors_.fill(1.0); }
    // `filtered` without its sources, NaN where bad; `share` of the response on good pixels.
    RimNoise(std::span<const double> filtered, std::span<const double> rms,
             std::span<const float> share);
    // At least 1.
    double factor(float share) const;
    void raise(std::span<const float> share, std::span<double> rms, JobContext& job) const;

private:
    static constexpr size_t kBins = 10;
    static constexpr double kLeast = 1.0 / 1024.0;  // less is not missed
    std::array<double, kBins> factors_;
};

}  // namespace armilla::sources
