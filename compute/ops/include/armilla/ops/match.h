// SPDX-License-Identifier: GPL-3.0-or-later
// Two catalogs matched by position on the sky.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/core/table.h"

namespace armilla {

// The pairs within reach that are kept (words of STILTS):
// - All: all pairs.
// - Best: the nearest pairs first, each row in at most one pair.
// - Best1: the best pair for each row of the first catalog.
// - Best2: the best pair for each row of the second catalog.
enum class MatchFind { All, Best, Best1, Best2 };
// Rows of the result: the pairs; all rows of the first with their partners; rows of the first, or
// of the second, without a partner.
enum class MatchJoin { Pairs, All1, Only1, Only2 };

// Parameters of matchCatalogs().
struct MatchParameters {
    // Largest separation of a pair, radians. With errors it may be pi.
    double radius = 0.0;
    // One standard deviation on each axis, radians, for each row of both catalogs; both empty:
    // match by radius alone. With errors a pair lies no farther apart than `sigmas` sqrt(e1^2 +
    // e2^2), which holds for 1 - exp(-sigmas^2 / 2) of true pairs. Rows without an error (NaN)
    // match nothing.
    std::vector<double> errors1 = {}, errors2 = {};
    double sigmas = 3.0;
    MatchFind find = MatchFind::Best;
    // Brightness of each row of the second catalog, for the chance of a pair; empty: all rows
    // count.
    std::vector<double> brightness = {};
};

// A pair of rows; -1: no partner.
struct MatchedPair {
    int64_t first = -1, second = -1;  // rows
    double separation = 0.0;          // radians
    double sigmas = 0.0;              // separation / sqrt(e1^2 + e2^2); NaN without errors
    // Probability that an unrelated row, as bright or brighter, lies so near: 1 - exp(-n pi r^2),
    // with n the local density of such rows of the second catalog (A. Downes et al. 1986, MNRAS
    // 218, 31). pi r^2 stands for the solid angle of the cap.
    double chance = 0.0;
};
// Result of matchCatalogs().
struct Matches {
    std::vector<MatchedPair> pairs;  // sorted by first row, then by second row
    double byChance = 0.0;     // expected number of pairs within reach for unrelated positions
    int64_t withoutPlace = 0;  // rows of both catalogs without a position
};

// Throws InvalidArgument for a reach out of range, and for errors or brightness of another length
// than the catalog. Also if only one of the two frames is known. Cost: sorting both, and some 200
// distances for each row of the first. The same pairs for any number of threads. Test: tst_match
// (double loop).
Matches matchCatalogs(const Catalog& first, const Catalog& second,
                      const MatchParameters& parameters, JobContext& job);

// Radius of the disc that holds about a hundred rows of the second catalog, for P_CHANCE of pairs
// within `radius`.
double chanceRadius(const Catalog& second, double radius, JobContext& job);

// A catalog with the columns of both. The second catalog's positions, and its columns with names of
// the first, get the suffix _2. Further columns: XSEP (arcsec), XSIG with errors, and P_CHANCE.
// Values of a missing partner are missing.
Catalog matchedCatalog(const Catalog& first, const Catalog& second, const Matches& matches,
                       MatchJoin join);

}  // namespace armilla
