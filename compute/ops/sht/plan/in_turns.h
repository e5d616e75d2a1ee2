// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of maps that go through a device, or several that share each map, one after the other:
// the copies of some beside the transforms of others.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <span>

#include "core/job_context.h"

namespace armilla {

enum class Copies { InTurn, Beside };

// The set of arrays that a group is in. Beside each other two sets serve three groups: of one the
// input comes into a set whose results, of the group before the last, leave it.
inline size_t setOf(size_t group, Copies copies) {
    return copies == Copies::Beside ? group % 2 : 0;
}
// The maps of the largest group of each set, of groups of so many maps beside each other.
inline std::array<size_t, 2> mostOfSets(std::span<const size_t> counts) {
    std::array<size_t, 2> most{};
    for (size_t i = 0; i < counts.size(); ++i) {
        size_t& ofSet = most[setOf(i, Copies::Beside)];
        ofSet = std::max(ofSet, counts[i]);
    }
    return most;
}

// What is done with a group. Upload and download may not touch the same arrays of a set.
struct GroupWork {
    std::function<void(size_t group, JobContext&job)> upload, transform, download;
};

// In turn: all of a group before the next one. Beside: while one is transformed, the one after it
// is uploaded, and the one before it downloaded, each by a thread of its own; a stop of the job, or
// a failure of one, ends all.
void inTurns(size_t groups, Copies copies, JobContext& job, const GroupWork& work);

}  // namespace armilla
