// SPDX-License-Identifier: GPL-3.0-or-later
// Areas that hold one value: what a survey has not seen, where no value for bad pixels says so.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/job_context.h"

namespace armilla::sources {

// An area of equal values is blank if it is larger than so many beams.
inline constexpr double kBlankBeams = 30.0;

struct BlankAreas {
    int64_t pixels = 0, areas = 0;  // made bad
    int64_t largest = 0;            // pixels of the largest area of equal values, blank or not
    std::string remark() const;     // empty for none
};

// Makes the connected areas (eight neighbors) of equal bits with more than `least` pixels bad, if
// less than half of all good pixels lie in such areas: a map of counts is 0 almost everywhere.
// Areas of a value that more than a hundredth of the good pixels have elsewhere are kept: counts,
// too.
BlankAreas removeBlankAreas(int64_t nside, std::span<double> ring, double least, JobContext& job);

}  // namespace armilla::sources
