// SPDX-License-Identifier: GPL-3.0-or-later
// Areas of one value: parts that a survey has not observed, if no bad-pixel value marks such parts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "armilla/core/job_context.h"

namespace armilla::sources {

// An area of equal values is blank if it is larger than this many beams.
inline constexpr double kBlankBeams = 30.0;

// A connected area of equal values.
struct EqualArea {
    size_t start = 0;  // one of its pixels
    int64_t pixels = 0;
};
// Keeps areas whose value at most a hundredth of the `good` pixels have elsewhere. Small counts
// form areas by chance, and are frequent outside of the largest areas.
void keepRare(std::span<const double> values, int64_t good, std::vector<EqualArea>& areas);

struct BlankAreas {
    int64_t pixels = 0, areas = 0;  // made bad
    int64_t largest = 0;            // pixels of the largest area of equal values, blank or not
    std::string remark() const;     // empty for none
};

// Marks the connected areas (eight neighbors) of bit-identical values with more than `least` pixels
// as bad. Nothing is marked if these contain at least half of all good pixels, because a map of
// counts is 0 almost everywhere. Areas of a value that more than a hundredth of the good pixels
// have elsewhere are kept for the same reason.
BlankAreas removeBlankAreas(int64_t nside, std::span<double> ring, double least, JobContext& job);

}  // namespace armilla::sources
