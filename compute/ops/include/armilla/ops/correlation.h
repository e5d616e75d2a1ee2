// SPDX-License-Identifier: GPL-3.0-or-later
// The angular correlation function of catalogs, w(theta), from exact pair counts.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "armilla/core/curve.h"
#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/core/table.h"
#include "armilla/ops/pairs.h"

namespace armilla {

// Estimators of w(theta). dd, dr and rr are each count over its number of possible pairs, summed
// over sets of randoms:
//   LandySzalay   (dd - 2 dr + rr) / rr     S. D. Landy & A. S. Szalay, ApJ 412 (1993) 64
//   DavisPeebles  dd / dr - 1               M. Davis & P. J. E. Peebles, ApJ 267 (1983) 465
//   Hamilton      dd rr / dr^2 - 1          A. J. S. Hamilton, ApJ 417 (1993) 19
//   Natural       dd / rr - 1               P. J. E. Peebles & M. G. Hauser, ApJS 28 (1974) 19
//   Report        (DD - 2 DR / N + RR / N) / (RR / N) with counts of all ordered pairs and N sets
//                 of randoms as large as the data: figure 1 of a report on counts with CUDA
// Between two catalogs 2 dr becomes dr + rd, and dr^2 becomes dr rd. NaN where RR is 0.
enum class Estimator { LandySzalay, Report, DavisPeebles, Hamilton, Natural };
// Poisson: (1 + w) / sqrt(DD). The jackknife leaves out patches of the sky, the bootstrap draws
// patches. Pairs between the removed patch and the rest of the sky keep the fraction 1 - 0.71 (many
// patches). This makes their part of the covariance match (Mohammad & Percival 2022, MNRAS 514,
// 1289).
enum class CorrelationErrors { None, Poisson, Jackknife, Bootstrap };

// The catalogs of a correlation, and the sets of random points for the data.
struct CorrelationCatalogs {
    SkyPoints data;
    std::vector<SkyPoints> random;
    std::optional<SkyPoints> data2;  // a second catalog, to correlate the first with
    std::vector<SkyPoints> random2;  // randoms of the second catalog; empty: `random` serves both
};

// Parameters of correlate().
struct CorrelationParameters {
    AngularBins bins;
    Estimator estimator = Estimator::LandySzalay;
    CorrelationErrors errors = CorrelationErrors::None;
    int patches = 50;
    int resamplings = 1000;  // number of bootstrap resamplings
    uint64_t seed = 1;       // seed of the bootstrap
    bool pairMean = false;   // the mean angle of the pairs DD of each bin
    Device device;
};

// Pairs of one kind (DD, DR, RD or RR), summed over all sets of randoms.
struct PairSum {
    std::vector<int64_t> pairs;
    std::vector<double> weighted;  // empty without weights
    double possible = 0.0;  // number of possible pairs, or the sum of their products of weights
    double value(size_t bin) const {
        return weighted.empty() ? static_cast<double>(pairs[bin]) : weighted[bin];
    }
};

// Result of correlate(), one entry a bin.
struct Correlation {
    AngularBins bins;
    Estimator estimator = Estimator::LandySzalay;
    CorrelationErrors errors = CorrelationErrors::None;
    PairSum dd, dr, rr;
    std::optional<PairSum> rd;       // for two catalogs
    std::vector<double> meanAngle;   // degrees; empty unless requested
    std::vector<double> w, wError;   // NaN where unknown
    std::vector<double> covariance;  // covariance matrix of w, row by row; empty without patches
    int patches = 0;

    // Columns THETA_MIN, THETA_MAX, THETA_MEAN (deg), DD, DR, RR, W, W_ERR. With weights also
    // NPAIRS_DD, ...; with two catalogs also RD.
    Table table() const;
    Curve curve() const;
};

// Counts pairs and estimates w(theta). Throws InvalidArgument for catalogs that the estimator
// cannot use: no randoms, sets of other sizes than the data for Report, random2 and random of
// different numbers. Also InvalidArgument for fewer than two patches or more patches than points,
// and the exceptions of countPairs.
Correlation correlate(const CorrelationCatalogs& catalogs, const CorrelationParameters& parameters,
                      JobContext& job);

// Random points over the good pixels of a mask (over all covered pixels for field -1), in the
// mask's frame, degrees. A pixel is drawn with a probability proportional to value times area, then
// one of its positions at order 29 (0.4 milliarcseconds). Values that add up over children
// (degradeRule: counts, probabilities per pixel) already include the area. The same points for any
// number of threads; different `set` numbers give independent sets of one seed. Throws
// InvalidArgument for values below 0, or if all are 0.
SkyPoints randomPoints(const HealpixMap& mask, int field, int64_t count, uint64_t seed, int set,
                       JobContext& job);

// A power law A theta^(1 - gamma), theta in degrees, fitted to w by least squares. The weights are
// the inverse covariance if it is known and can be inverted, else the errors. The fit takes the
// bins between two angles with a known w and an error above 0. Gauss-Newton iterations solve for A
// and gamma, from the line through the logarithms.
struct PowerLaw {
    double amplitude = 0.0, gamma = 0.0;
    double amplitudeError = 0.0, gammaError = 0.0;
    double chiSquared = 0.0;
    int points = 0;
};
// Fits the bins between `minDegrees` and `maxDegrees`. Throws InvalidArgument for fewer than three
// usable bins, or if none has w above 0.
PowerLaw fitPowerLaw(const Correlation& correlation, double minDegrees, double maxDegrees);

}  // namespace armilla
