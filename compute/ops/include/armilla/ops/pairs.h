// SPDX-License-Identifier: GPL-3.0-or-later
// Exact numbers of pairs of points on the sphere in bins of their angle.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/core/sky_vector.h"
#include "armilla/core/table.h"
#include "armilla/ops/device.h"

namespace armilla {

// An angle of 106 bits in radians, high + low: exact enough for bin edges that decide exactly.
struct ExactAngle {
    double high = 0.0, low = 0.0;
};
// The angle of a text such as "0.01arcmin": the decimal is taken exactly. Units deg, arcmin,
// arcsec, mas, rad, as in parseAngle of armilla/core/units.h. Throws InvalidArgument for other
// texts.
ExactAngle exactAngle(std::string_view text);
// The angle of a number of degrees as stored. Throws InvalidArgument if the number is not finite.
ExactAngle exactAngleOfDegrees(double degrees);

// Whether the edges of bins are equidistant in the logarithm of the angle or in the angle.
enum class BinSpacing { Log, Linear };

// Bins of angle [edge k, edge k + 1).
struct AngularBins {
    std::vector<ExactAngle> edges;  // ascending, in [0, pi]
    BinSpacing spacing = BinSpacing::Log;

    int count() const { return static_cast<int>(edges.size()) - 1; }
    // The edges of a bin in degrees.
    double lowDegrees(int bin) const;
    double highDegrees(int bin) const;
    // Geometric mean of the edges for logarithmic bins, else arithmetic.
    double centerDegrees(int bin) const;
};
// Edges min (max / min)^(k / count), or min + k (max - min) / count, to 1e-32 rad. Throws
// InvalidArgument unless 0 <= min < max <= 180 degrees (0 < min for logarithmic bins), 1 <= count
// <= kMaxBins.
inline constexpr int kMaxBins = 100000;
AngularBins angularBins(ExactAngle min, ExactAngle max, int count, BinSpacing spacing);
// Bins of the text "MIN,MAX,N" with a unit on each angle, as in the command line. Throws
// InvalidArgument.
AngularBins angularBins(std::string_view text, BinSpacing spacing);
// Bins from a list of edges. Throws InvalidArgument unless the edges ascend within [0, 180]
// degrees.
AngularBins angularBins(std::vector<ExactAngle> edges, BinSpacing spacing);

class DevicePoints;

// Points as a file stores them, taken as exact numbers.
struct SkyPoints {
    std::vector<double> lon, lat;
    // Units of the columns in 90 degrees: 90, 6 for hours, 5400 for arcmin, ...; 0: radians.
    double lonQuarter = 90.0, latQuarter = 90.0;
    std::vector<double> weight;  // empty: 1 each
    // Rotation into the frame of the other sets; on a device that of skyPoints().
    std::optional<Mat3> turn;
    // If set, the points are in the memory of a CUDA device (armilla/ops/device_pairs.h). The
    // vectors are then empty.
    std::shared_ptr<const DevicePoints> onDevice = nullptr;

    int64_t size() const;
    bool hasWeights() const;
};
// Points of the catalog rows that have a position, and a weight that is no fill value (-99, -999,
// ...). `skipped` receives the number of the remaining rows. `weight` is the index of a column, or
// -1. Throws InvalidArgument for weights that are not finite, and for other weights below 0.
SkyPoints skyPoints(const Catalog& catalog, int weight = -1, int64_t* skipped = nullptr);

// Pairs within one set (each pair of two different points once) if both indices are equal.
// Otherwise all pairs of a point of the first set and a point of the second.
struct PairTask {
    int first = 0, second = 0;
};

// Counts of one task, one entry a bin.
struct PairCounts {
    std::vector<int64_t> pairs;    // number of pairs
    std::vector<double> weighted;  // sums of products of weights; empty if no set has weights
    // Degrees, weighted by the products of weights; NaN for bins without weight. Empty unless
    // requested.
    std::vector<double> meanAngle;
};

// Options of countPairs().
struct PairOptions {
    Device device;
    bool meanAngle = false;  // visits every pair of the bins: much slower
};

// Counts the pairs of each task in bins of their angle on the sphere.
//
// A pair belongs to the bin of its true angle. Positions are exact as stored, edges to 1e-32, and
// pairs that rounding leaves undecided are computed again with 113 bits. An angle closer than 1e-30
// rad to an edge is on the edge, and an edge belongs to the bin above; a last edge of 180 degrees
// is closed. The angle of coincident points is 0. So the integers are the same for any device,
// number of threads and order of points. Weighted sums have double precision. On one machine they
// are the same to the last bit for any number of threads and order of points, and on one device in
// every run.
//
// Cells of points are counted together if all their pairs lie on one side of an edge (tst_pairs; A.
// W. Moore et al., "Fast Algorithms and Efficient Statistics: N-Point Correlation Functions", 2001,
// arXiv:astro-ph/0012333). The remaining pairs pass float, double and quadruple precision; each
// stage decides pairs farther from the edges than its error.
//
// Memory: about 50 bytes a point, 110 while cells are made. Throws InvalidArgument for latitudes
// beyond 90 degrees, positions that are not finite, tasks that name no set; Unsupported, also for
// points on another device; DeviceError; Cancelled.
std::vector<PairCounts> countPairs(std::span<const SkyPoints> sets, std::span<const PairTask> tasks,
                                   const AngularBins& bins, const PairOptions& options,
                                   JobContext& job);

}  // namespace armilla
