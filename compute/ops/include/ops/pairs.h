// SPDX-License-Identifier: GPL-3.0-or-later
// Exact numbers of pairs of points on the sphere in bins of their angle.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/job_context.h"
#include "core/sky_vector.h"
#include "core/table.h"
#include "ops/device.h"

namespace armilla {

// An angle to 106 bits, in radians: high + low, as bins need it whose edges decide exactly.
struct ExactAngle {
    double high = 0.0, low = 0.0;
};
// The angle that a text such as "0.01arcmin" means: the decimal is taken exactly. Units deg,
// arcmin, arcsec, mas, rad, as parseAngle of core/units.h takes them. Throws InvalidArgument.
ExactAngle exactAngle(std::string_view text);
// That of a number of degrees as stored. Throws InvalidArgument if it is not finite.
ExactAngle exactAngleOfDegrees(double degrees);

enum class BinSpacing { Log, Linear };

// Bins of angle [edge k, edge k + 1).
struct AngularBins {
    std::vector<ExactAngle> edges;  // ascending, in [0, pi]
    BinSpacing spacing = BinSpacing::Log;

    int count() const { return static_cast<int>(edges.size()) - 1; }
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
// "MIN,MAX,N" with a unit each, as the command line has it. Throws InvalidArgument.
AngularBins angularBins(std::string_view text, BinSpacing spacing);
// Edges one by one. Throws InvalidArgument unless they ascend within [0, 180] degrees.
AngularBins angularBins(std::vector<ExactAngle> edges, BinSpacing spacing);

// Points as a file stores them, which are exact numbers.
struct SkyPoints {
    std::vector<double> lon, lat;
    // Units of the columns in 90 degrees: 90, 6 for hours, 5400 for arcmin, ...; 0: radians.
    double lonQuarter = 90.0, latQuarter = 90.0;
    std::vector<double> weight;  // empty: 1 each
    std::optional<Mat3> turn;    // into the frame of the other sets

    int64_t size() const { return static_cast<int64_t>(lon.size()); }
};
// Points of a catalog's rows that have a place, and a weight that is no fill value (-99, -999,
// ...). `skipped` receives the number of the other rows. `weight` is the index of a column, or -1.
// Throws InvalidArgument for weights that are not finite, and for other weights below 0.
SkyPoints skyPoints(const Catalog& catalog, int weight = -1, int64_t* skipped = nullptr);

// Pairs of one set (each of two different points once) if both are the same, else all pairs of a
// point of the first and one of the second.
struct PairTask {
    int first = 0, second = 0;
};

struct PairCounts {
    std::vector<int64_t> pairs;     // of each bin
    std::vector<double> weighted;   // sums of products of weights; empty if no set has weights
    std::vector<double> meanAngle;  // degrees, NaN for empty bins; empty unless asked for
};

struct PairOptions {
    Device device;
    bool meanAngle = false;  // visits every pair of the bins: slower by far
};

// Counts the pairs of each task in bins of their angle on the sphere.
//
// A pair belongs to the bin of its true angle: positions are exact as stored, edges to 1e-32, and
// what rounding leaves in doubt is computed again with 113 bits. Closer than 1e-30 rad to an edge
// means on it, and an edge belongs to the bin above; a last edge of 180 degrees is closed. The
// angle of coincident points is 0. So the integers are the same for any device, number of threads
// and order of points. Weighted sums are of double precision, the same to the last bit for any
// number of threads and order of points on one machine, and in every run on one device.
//
// Cells of points are counted as a whole where all their pairs lie on one side of an edge
// (tst_pairs; A. W. Moore et al., "Fast Algorithms and Efficient Statistics: N-Point Correlation
// Functions", 2001, arXiv:astro-ph/0012333); the rest goes through float, double and quadruple
// precision, each deciding what lies further from the edges than its errors.
//
// Memory: about 50 bytes a point, 110 while cells are made. Throws InvalidArgument for latitudes
// beyond 90 degrees, positions that are not finite, tasks that name no set; Unsupported,
// DeviceError; Cancelled.
std::vector<PairCounts> countPairs(std::span<const SkyPoints> sets, std::span<const PairTask> tasks,
                                   const AngularBins& bins, const PairOptions& options,
                                   JobContext& job);

}  // namespace armilla
