// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel's profile in the form that sums over pixels evaluate, on the host and on devices.
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "armilla/core/hd.h"
#include "armilla/ops/kernel.h"

namespace armilla {

// K as a function of y = 1 - cos(theta) = |a - b|^2 / 2. This form of the distance between
// directions is exact and needs no square root. Trivially copyable; the arrays are owned elsewhere.
struct ProfileView {
    static constexpr int kMaxDegree = 10;  // degree of the factor of a Gaussian
    static constexpr int kSegment = 8;     // coefficients of a segment

    double end = 0.0;  // K = 0 where y > end
    // rate > 0: K = exp(-rate y) sum_k factor[k] (rate y)^k
    double rate = 0.0;
    int degree = 0;
    double factor[kMaxDegree + 1] = {};
    // rate = 0: polynomials in t = (u - middle) invHalf on segments of u = sqrt(2 y), the chord.
    const double* segments = nullptr;  // each: upper end of u, middle, 1 / half width, coefficients
    const int* firstOfBucket = nullptr;  // the segment that holds the lower end of each bucket of u
    double bucketsPerChord = 0.0;
    int bucketCount = 0, segmentCount = 0;
    static constexpr int kSegmentStride = 3 + kSegment;

    ARMILLA_HD double tableAt(double y) const {
        const double u = std::sqrt(2.0 * y);
        int bucket = static_cast<int>(u * bucketsPerChord);
        if (bucket >= bucketCount) bucket = bucketCount - 1;
        int i = firstOfBucket[bucket];
        while (i + 1 < segmentCount && u > segments[i * kSegmentStride]) ++i;
        const double* const s = segments + i * kSegmentStride;
        const double t = (u - s[1]) * s[2];
        double value = s[2 + kSegment];
        for (int k = kSegment - 2; k >= 0; --k) value = value * t + s[3 + k];
        return value;
    }
    // The value for rate > 0, without the end.
    ARMILLA_HD double gaussianAt(double y) const {
        const double x = rate * y;
        double value = factor[degree];
        for (int k = degree - 1; k >= 0; --k) value = value * x + factor[k];
        return value * std::exp(-x);
    }
    ARMILLA_HD double operator()(double y) const {
        if (!(y <= end)) return 0.0;
        return rate == 0.0 ? tableAt(y) : gaussianAt(y);
    }
};

// The source of a profile.
struct ProfileSource {
    std::function<std::vector<double>(std::span<const double>)> at;  // K at angles
    // sigma, if K is exp(-y / sigma^2) times a slowly varying factor.
    std::optional<double> gaussianWidth;
    std::vector<double> corners;
    double scale = 1.0;  // angle on which K varies between corners
};

// The profile of `kernel` up to `radius`, to 1e-14 of its largest value (the error of the kernel's
// own profile; tests/compute/tst_direct_convolution.cpp).
class ProfileTable {
public:
    ProfileTable(const Kernel& kernel, double radius);
    // 0 < radius <= pi.
    ProfileTable(const ProfileSource& source, double radius);
    ProfileView view() const;
    double radius() const { return radius_; }
    const std::vector<double>& segments() const { return segments_; }
    const std::vector<int>& buckets() const { return buckets_; }

private:
    bool fitGaussian(const ProfileSource& source);
    void fitSegments(const ProfileSource& source);

    double radius_ = 0.0, peak_ = 0.0;
    ProfileView view_;
    std::vector<double> segments_;
    std::vector<int> buckets_;
};

}  // namespace armilla
