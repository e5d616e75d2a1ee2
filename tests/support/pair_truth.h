// SPDX-License-Identifier: GPL-3.0-or-later
// Pair counts by a double loop in quadruple precision, with independent formulas and library.
#pragma once

#include <quadmath.h>

#include <algorithm>
#include <random>
#include <vector>

#include "armilla/ops/pairs.h"

namespace armilla {

__extension__ typedef __float128 TruthNumber;
inline const TruthNumber kTruthPi = acosq(-1);

struct TruthVector {
    TruthNumber x, y, z;
};
// Angles in degrees; multiples of 90 degrees are handled before any rounding.
inline void truthSinCos(double degrees, TruthNumber& s, TruthNumber& c) {
    const TruthNumber rest = fmodq(degrees, 360);
    const TruthNumber radians = rest * kTruthPi / 180;
    s = fmodq(rest, 180) == 0 ? TruthNumber(0) : sinq(radians);
    c = fmodq(rest + 90, 180) == 0 ? TruthNumber(0) : cosq(radians);
}
inline TruthVector truthVector(double lon, double lat) {
    TruthNumber sinLon, cosLon, sinLat, cosLat;
    truthSinCos(lon, sinLon, cosLon);
    truthSinCos(lat, sinLat, cosLat);
    return {cosLat * cosLon, cosLat * sinLon, sinLat};
}
// atan2 of cross and dot product of half vectors, which keep the precision of small angles and
// those near pi.
inline TruthNumber truthAngle(const TruthVector& a, const TruthVector& b) {
    const auto length = [](TruthNumber x, TruthNumber y, TruthNumber z) {
        return sqrtq(x * x + y * y + z * z);
    };
    return 2 *
           atan2q(length(a.x - b.x, a.y - b.y, a.z - b.z), length(a.x + b.x, a.y + b.y, a.z + b.z));
}

struct TruthCounts {
    std::vector<int64_t> pairs;
    std::vector<double> weighted, meanAngle;
};
// Edges in radians. Degrees only.
inline TruthCounts truthCounts(const SkyPoints& first, const SkyPoints& second, bool same,
                               const std::vector<TruthNumber>& edges) {
    const auto vectors = [](const SkyPoints& points) {
        std::vector<TruthVector> v;
        for (size_t i = 0; i < points.lon.size(); ++i)
            v.push_back(truthVector(points.lon[i], points.lat[i]));
        return v;
    };
    const auto weight = [](const SkyPoints& points, size_t i) {
        return points.weight.empty() ? TruthNumber(1) : TruthNumber(points.weight[i]);
    };
    const std::vector<TruthVector> a = vectors(first), b = vectors(second);
    const size_t bins = edges.size() - 1;
    std::vector<int64_t> pairs(bins);
    std::vector<TruthNumber> weights(bins), angles(bins);
    const TruthNumber slack = TruthNumber(1) / 1000000000000000LL / 1000000000000000LL;
    for (size_t i = 0; i < a.size(); ++i)
        for (size_t j = same ? i + 1 : 0; j < b.size(); ++j) {
            const TruthNumber angle = truthAngle(a[i], b[j]);
            // Closer than 1e-30 to an edge counts as on the edge.
            auto bin = static_cast<size_t>(std::partition_point(edges.begin(), edges.end(),
                                                                [&](const TruthNumber& edge) {
                                                                    return angle >= edge - slack;
                                                                }) -
                                           edges.begin());
            if (bin == bins + 1 && fabsq(edges.back() - kTruthPi) < slack) bin = bins;
            if (bin == 0 || bin > bins) continue;
            ++pairs[bin - 1];
            const TruthNumber product = weight(first, i) * weight(second, j);
            weights[bin - 1] += product;
            angles[bin - 1] += product * angle;
        }
    TruthCounts result{pairs, {}, {}};
    for (size_t k = 0; k < bins; ++k) {
        result.weighted.push_back(static_cast<double>(weights[k]));
        result.meanAngle.push_back(static_cast<double>(angles[k] / weights[k] * 180 / kTruthPi));
    }
    return result;
}
inline std::vector<TruthNumber> truthLogEdges(TruthNumber min, TruthNumber max, int count) {
    std::vector<TruthNumber> edges;
    for (int k = 0; k <= count; ++k) edges.push_back(min * powq(max / min, TruthNumber(k) / count));
    return edges;
}
inline std::vector<TruthNumber> truthLinearEdges(TruthNumber min, TruthNumber max, int count) {
    std::vector<TruthNumber> edges;
    for (int k = 0; k <= count; ++k) edges.push_back(min + (max - min) * k / count);
    return edges;
}

// Uniform within `radius` degrees of a position, by a rotation of the polar cap.
inline SkyPoints pointsAround(int count, double lon, double lat, double radius, unsigned seed) {
    std::mt19937_64 generator(seed);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    SkyPoints points;
    for (int i = 0; i < count; ++i) {
        const double s = std::sin(0.5 * radius * kDegree) * std::sqrt(uniform(generator));
        const double phi = kTwoPi * uniform(generator), r = 2.0 * s * std::sqrt(1.0 - s * s);
        const double x = r * std::cos(phi), y = r * std::sin(phi), z = 1.0 - 2.0 * s * s;
        const double t = (90.0 - lat) * kDegree;
        const LonLat at =
            lonLat({x * std::cos(t) + z * std::sin(t), y, z * std::cos(t) - x * std::sin(t)});
        points.lon.push_back(at.lon / kDegree + lon);
        points.lat.push_back(at.lat / kDegree);
    }
    return points;
}

}  // namespace armilla
