// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/crowded_noise.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "armilla/core/pixel_geometry.h"
#include "armilla/core/pixel_queries.h"
#include "sources/cell_grid.h"
#include "sources/sky_cells.h"

namespace armilla::sources {

namespace {

// A cell is crowded from one source in this many squares of the FWHM, and from this number, on.
constexpr double kBeamsPerSource = 40.0;
constexpr int64_t kLeastSources = 4;
// Smaller changes are within the accuracy of the rms of a cell, 4 % for a hundred beams.
constexpr double kLower = 0.95;

// Calls visit(pixel) for the good pixels whose centers lie in a cell.
template <class Visit>
void forCell(const SourcePixels& pixels, std::span<const double> values, int64_t nside,
             int64_t cell, const Visit& visit) {
    pixels.around(directionFromNested(nside, cell), 1.0001 * maximumPixelRadius(nside),
                  [&](int64_t p) {
                      if (std::isfinite(values[static_cast<size_t>(p)]) &&
                          nestedFromDirection(nside, pixels.center(p)) == cell)
                          visit(static_cast<size_t>(p));
                  });
}

}  // namespace

bool lowerCrowdedNoise(const SourcePixels& pixels, double fwhm, std::span<const double> cleaned,
                       std::span<const Extracted> found, std::span<double> rms, JobContext& job) {
    const int64_t nside = coarseNside(kNoiseCell * fwhm, kMaxNside);
    std::unordered_map<int64_t, int64_t> sources;
    for (const Extracted& each : found) ++sources[nestedFromDirection(nside, each.direction)];
    const double beams = 4.0 * kPi / static_cast<double>(pixelCount(nside)) / (fwhm * fwhm);
    std::vector<int64_t> crowded;
    for (const auto& [cell, count] : sources)
        if (count >= kLeastSources && static_cast<double>(count) * kBeamsPerSource >= beams)
            crowded.push_back(cell);
    std::sort(crowded.begin(), crowded.end());
    std::vector<double> ratios(crowded.size(), 1.0);
    parallelFor(job, std::ssize(crowded), 1, [&](long long i, long long) {
        std::vector<double> samples;
        forCell(pixels, cleaned, nside, crowded[static_cast<size_t>(i)],
                [&](size_t p) { samples.push_back(cleaned[p] / rms[p]); });
        if (const double ratio = clippedRms(samples, kLeastSamples); ratio > 0.0 && ratio < kLower)
            ratios[static_cast<size_t>(i)] = ratio;
    });
    std::unordered_map<int64_t, double> lower;
    std::vector<int64_t> changed;
    for (size_t i = 0; i < crowded.size(); ++i) {
        if (!(ratios[i] < 1.0)) continue;
        lower[crowded[i]] = ratios[i];
        changed.push_back(crowded[i]);
        for (const int64_t cell : neighbors(nside, Ordering::Nested, crowded[i]))
            if (cell >= 0) changed.push_back(cell);
    }
    std::sort(changed.begin(), changed.end());
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    const Interpolator between(nside, Ordering::Nested);
    // A pixel lies in one cell, so that no two threads change one value.
    parallelFor(job, std::ssize(changed), 1, [&](long long i, long long) {
        forCell(pixels, cleaned, nside, changed[static_cast<size_t>(i)], [&](size_t p) {
            const Interpolation four = between(pixels.center(static_cast<int64_t>(p)));
            double ratio = 0.0;
            for (size_t k = 0; k < 4; ++k) {
                const auto at = lower.find(four.pixels[k]);
                ratio += four.weights[k] * (at == lower.end() ? 1.0 : at->second);
            }
            rms[p] *= ratio;
        });
    });
    return !changed.empty();
}

}  // namespace armilla::sources
