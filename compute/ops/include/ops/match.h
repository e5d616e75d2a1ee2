// SPDX-License-Identifier: GPL-3.0-or-later
// Two catalogs matched by place on the sky.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/job_context.h"
#include "core/table.h"

namespace armilla {

// Which of the pairs within reach are kept (words of STILTS): all of them; the best ones of which
// no row is in two, nearest first; the best for each row of the first; for each of the second.
enum class MatchFind { All, Best, Best1, Best2 };
// Rows of the result: the pairs; all of the first, with their partners; those of the first, or of
// the second, that have none.
enum class MatchJoin { Pairs, All1, Only1, Only2 };

struct MatchParameters {
    // Radians: a pair lies no farther apart. With errors it may be pi.
    double radius = 0.0;
    // One standard deviation on each axis, radians, for each row of the two; both empty: by radius
    // alone. A pair then lies no farther apart than `sigmas` sqrt(e1^2 + e2^2), which holds
    // 1 - exp(-sigmas^2 / 2) of true pairs; rows without an error (NaN) match nothing.
    std::vector<double> errors1 = {}, errors2 = {};
    double sigmas = 3.0;
    MatchFind find = MatchFind::Best;
    // Of each row of the second, for the chance of a pair; empty: all rows count.
    std::vector<double> brightness = {};
};

struct MatchedPair {
    int64_t first = -1, second = -1;  // rows
    double separation = 0.0;          // radians
    double sigmas = 0.0;              // separation / sqrt(e1^2 + e2^2); NaN without errors
    // That an unrelated row, as bright or brighter, lies so near: 1 - exp(-n pi r^2), with n the
    // density of such rows of the second around (A. Downes et al. 1986, MNRAS 218, 31); pi r^2 is
    // the solid angle of the cap.
    double chance = 0.0;
};
struct Matches {
    std::vector<MatchedPair> pairs;  // by first, then by second row
    double byChance = 0.0;           // pairs within reach expected of unrelated places
    int64_t withoutPlace = 0;        // rows of either whose position is missing
};

// Throws InvalidArgument for a reach out of range, errors or brightness of another length than the
// catalog, catalogs of which one frame alone is unknown. Cost: sorting both, and some 200 distances
// for each row of the first. The same pairs for any number of threads. Test: tst_match (double
// loop).
Matches matchCatalogs(const Catalog& first, const Catalog& second,
                      const MatchParameters& parameters, JobContext& job);

// The columns of both; of the second its positions, and names that the first has, end in _2. Behind
// them XSEP (arcsec), with errors XSIG, and P_CHANCE. What has no partner is missing there.
Catalog matchedCatalog(const Catalog& first, const Catalog& second, const Matches& matches,
                       MatchJoin join);

}  // namespace armilla
