// SPDX-License-Identifier: GPL-3.0-or-later
// Convolution by definition: sums over all pairs of pixels in long double.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "armilla/core/pixel_geometry.h"
#include "armilla/ops/kernel.h"
#include "armilla/ops/quadrature_weights.h"

namespace armilla::test {

using Long = long double;

struct LongVec {
    Long x, y, z;
};
// The center of a RING pixel, from the definition of the grid (K. M. Gorski et al. 2005, equations
// 4 to 9), in long double.
inline LongVec longDirection(int64_t nside, int64_t pixel) {
    const RingPlace at = ringPlaceFromRing(nside, pixel);
    const Long pi = 3.14159265358979323846264338327950288L, n = static_cast<Long>(nside);
    const bool south = at.ring > 2 * nside;
    const int64_t ring = south ? 4 * nside - at.ring : at.ring;
    const Long i = static_cast<Long>(ring), j = static_cast<Long>(at.place);
    Long z = 0, s = 0, phi = 0;
    if (ring < nside) {
        const Long depth = i * i / (3 * n * n);
        z = 1 - depth;
        s = std::sqrt(depth * (2 - depth));
        phi = pi / (2 * i) * (j + 0.5L);
    } else {
        z = (4 - 2 * i / n) / 3;
        s = std::sqrt((1 - z) * (1 + z));
        const int64_t parity = (ring - nside + 1) % 2;
        phi = pi / (2 * n) * (j + 0.5L * static_cast<Long>(parity));
    }
    return {s * std::cos(phi), s * std::sin(phi), south ? -z : z};
}

// `kernel` truncated at `radius`, with the same integral unless compensated, and normalized: the
// kernel of a smoothing with these settings.
inline Kernel truthKernel(const Kernel& kernel, double radius, KernelNorm norm) {
    Kernel cut = kernel.truncated(radius);
    if (!kernel.compensated()) cut = cut.scaled(kernel.integral() / cut.integral());
    return cut.normalized(norm);
}

class PairSums {
public:
    PairSums(int64_t nside, const Kernel& kernel, bool ringWeighted, JobContext& job)
        : kernel_(kernel), nside_(nside) {
        const int64_t pixels = 12 * nside * nside;
        const std::vector<double> ring = ringWeights(nside, job);
        for (int64_t p = 0; p < pixels; ++p) {
            center_.push_back(longDirection(nside, p));
            const int64_t r = ringPlaceFromRing(nside, p).ring;
            const auto north = static_cast<size_t>(std::min(r, 4 * nside - r) - 1);
            weight_.push_back((ringWeighted ? static_cast<Long>(ring[north]) : 1.0L) * 4.0L *
                              3.14159265358979323846264338327950288L / static_cast<Long>(pixels));
        }
    }
    // K at the distances of all pixels from one pixel.
    std::vector<double> kernelAround(size_t p) const {
        std::vector<double> angle;
        for (const LongVec& q : center_) {
            const LongVec& a = center_[p];
            const Long dx = a.x - q.x, dy = a.y - q.y, dz = a.z - q.z;
            const Long half = 0.5L * std::sqrt(dx * dx + dy * dy + dz * dz);
            angle.push_back(
                static_cast<double>(std::min(2.0L * std::asin(std::min(1.0L, half)),
                                             static_cast<Long>(std::nextafter(kPi, 0.0)))));
        }
        return kernel_.at(angle);
    }
    // The largest |found - truth|. It is relative to the peak of K times the mean |w f| over the
    // sphere, or to the largest |truth| if that is larger. Bad pixels of `values` (NaN) count as
    // zero, or the rest is renormalized.
    double error(const std::vector<double>& values, const std::vector<double>& found,
                 bool normalize = false, const std::vector<size_t>& only = {}) const {
        Long scale = 0, worst = 0;
        const double integral = kernel_.integral();
        std::vector<size_t> targets = only;
        if (targets.empty())
            for (size_t p = 0; p < center_.size(); ++p) targets.push_back(p);
        for (const size_t p : targets) {
            const std::vector<double> k = kernelAround(p);
            Long sum = 0, share = 0, size = 0;
            for (size_t q = 0; q < values.size(); ++q) {
                if (std::isnan(values[q])) continue;
                const Long part = weight_[q] * static_cast<Long>(k[q]);
                sum += part * static_cast<Long>(values[q]);
                size += std::abs(part * static_cast<Long>(values[q]));
                share += part;
            }
            if (std::isnan(values[p])) {
                if (!std::isnan(found[p])) return INFINITY;
                continue;
            }
            if (normalize) {
                share /= static_cast<Long>(integral);
                sum /= share;
                size /= share;
            }
            scale = std::max(scale, size);
            const Long wrong = std::abs(static_cast<Long>(found[p]) - sum);
            if (!(wrong <= worst)) worst = std::isnan(wrong) ? INFINITY : wrong;
        }
        return static_cast<double>(worst / scale);
    }
    int64_t nside() const { return nside_; }

private:
    Kernel kernel_;
    int64_t nside_;
    std::vector<LongVec> center_;
    std::vector<Long> weight_;
};

}  // namespace armilla::test
