// SPDX-License-Identifier: GPL-3.0-or-later
// The angular correlation function of catalogs, w(theta), from exact pair counts.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/curve.h"
#include "core/healpix_map.h"
#include "core/job_context.h"
#include "core/table.h"
#include "ops/pairs.h"

namespace armilla {

// With dd, dr, rr each count over its number of possible pairs, summed over sets of randoms:
//   LandySzalay   (dd - 2 dr + rr) / rr     S. D. Landy & A. S. Szalay, ApJ 412 (1993) 64
//   DavisPeebles  dd / dr - 1               M. Davis & P. J. E. Peebles, ApJ 267 (1983) 465
//   Hamilton      dd rr / dr^2 - 1          A. J. S. Hamilton, ApJ 417 (1993) 19
//   Natural       dd / rr - 1               P. J. E. Peebles & M. G. Hauser, ApJS 28 (1974) 19
//   Report        (DD - 2 DR / N + RR / N) / (RR / N) with counts of all ordered pairs and N sets
//                 of randoms as large as the data: figure 1 of a report on counts with CUDA
// Between two catalogs 2 dr becomes dr + rd, and dr^2 dr rd. NaN where RR is 0.
enum class Estimator { LandySzalay, Report, DavisPeebles, Hamilton, Natural };
// Poisson: (1 + w) / sqrt(DD). Jackknife and bootstrap leave out or draw patches of the sky; of the
// pairs between a patch that the jackknife leaves out and the others a share of 1 - 0.71 (many
// patches) stays, which makes their part of the covariance match (Mohammad & Percival 2022, MNRAS
// 514, 1289).
enum class CorrelationErrors { None, Poisson, Jackknife, Bootstrap };

struct CorrelationCatalogs {
    SkyPoints data;
    std::vector<SkyPoints> random;
    std::optional<SkyPoints> data2;  // a second catalog, to correlate the first with
    std::vector<SkyPoints> random2;  // of the second; empty: `random` serves both
};

struct CorrelationParameters {
    AngularBins bins;
    Estimator estimator = Estimator::LandySzalay;
    CorrelationErrors errors = CorrelationErrors::None;
    int patches = 50;
    int resamplings = 1000;  // of the bootstrap
    uint64_t seed = 1;       // of its draws
    bool pairMean = false;   // the mean angle of the pairs DD of each bin
    Device device;
};

// One kind of pairs, all sets of randoms together.
struct PairSum {
    std::vector<int64_t> pairs;
    std::vector<double> weighted;  // empty without weights
    double possible = 0.0;         // number of possible pairs, or sum of their products of weights
    double value(size_t bin) const {
        return weighted.empty() ? static_cast<double>(pairs[bin]) : weighted[bin];
    }
};

struct Correlation {
    AngularBins bins;
    Estimator estimator = Estimator::LandySzalay;
    CorrelationErrors errors = CorrelationErrors::None;
    PairSum dd, dr, rr;
    std::optional<PairSum> rd;       // of two catalogs
    std::vector<double> meanAngle;   // degrees; empty unless asked for
    std::vector<double> w, wError;   // NaN where not known
    std::vector<double> covariance;  // of w, row after row; empty unless from patches
    int patches = 0;

    // Columns THETA_MIN, THETA_MAX, THETA_MEAN (deg), DD, DR, RR, W, W_ERR; with weights NPAIRS_DD,
    // ... too; RD of two catalogs.
    Table table() const;
    Curve curve() const;
};

// Counts and estimates. Throws InvalidArgument for catalogs that an estimator cannot do with (no
// randoms, sets of other sizes than the data for Report, as many random2 as random), fewer than two
// patches or more than points; what countPairs throws.
Correlation correlate(const CorrelationCatalogs& catalogs, const CorrelationParameters& parameters,
                      JobContext& job);

// Points over the good pixels of a mask (over all that are covered for field -1): a pixel with a
// probability proportional to value times area, then one of its places at order 29 (0.4
// milliarcseconds). Values that add up over children (degradeRule: counts, probabilities per pixel)
// have the area in them already. In the mask's frame, degrees. The same for any number of threads;
// `set` tells sets of one seed apart. Throws InvalidArgument for values below 0, or if all are 0.
SkyPoints randomPoints(const HealpixMap& mask, int field, int64_t count, uint64_t seed, int set,
                       JobContext& job);

// A power law A theta^(1 - gamma), theta in degrees, fitted to w by least squares with its errors
// (the covariance where it is known and can be inverted): bins between two angles with w known and
// an error above 0. Solved in A and gamma by Gauss and Newton from the line through the logarithms.
struct PowerLaw {
    double amplitude = 0.0, gamma = 0.0;
    double amplitudeError = 0.0, gammaError = 0.0;
    double chiSquared = 0.0;
    int points = 0;
};
// Throws InvalidArgument for fewer than three such bins, or none of them above 0.
PowerLaw fitPowerLaw(const Correlation& correlation, double minDegrees, double maxDegrees);

}  // namespace armilla
