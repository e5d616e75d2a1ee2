// SPDX-License-Identifier: GPL-3.0-or-later
// Increase of a filtered map's noise where part of the filter lies on bad pixels.
#pragma once

#include <array>
#include <span>

#include "armilla/core/job_context.h"

namespace armilla::sources {

// The filling of a hole is smoother than the sky, and a filter that takes differences (above all of
// a steep background) responds to that at the edge. The factor is the rms of the map divided by its
// local noise, over all pixels that miss about the same fraction of the response; one octave per
// bin.
class EdgeNoise {
public:
    EdgeNoise() { factors_.fill(1.0); }
    // `filtered` is without sources, NaN for bad pixels; `share` is the fraction of the response on
    // good pixels.
    EdgeNoise(std::span<const double> filtered, std::span<const double> rms,
              std::span<const float> share);
    // Factor of the noise, at least 1.
    double factor(float share) const;
    void raise(std::span<const float> share, std::span<double> rms, JobContext& job) const;

private:
    static constexpr size_t kBins = 10;
    static constexpr double kLeast = 1.0 / 1024.0;  // smaller missing fractions have no effect
    std::array<double, kBins> factors_;
};

}  // namespace armilla::sources
