// SPDX-License-Identifier: GPL-3.0-or-later
// Processing of groups of maps on one device, or on several that share each map. The copies of some
// groups overlap with the transforms of others.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>

#include "armilla/core/job_context.h"

namespace armilla {

enum class Copies { InTurn, Beside };

// The set of arrays for each group of maps. With Copies::Beside two sets serve three groups at
// once: the input of a group is copied into a set while the results of the group before the last
// are copied out of the same set. The first set is always the larger one, so that analysis and
// synthesis use the same sets.
class GroupSets {
public:
    GroupSets(std::span<const size_t> counts, Copies copies) : copies_(copies) {
        for (size_t i = 0; i < counts.size(); ++i) {
            size_t& ofSet = most_[of(i)];
            ofSet = std::max(ofSet, counts[i]);
        }
        if (most_[1] <= most_[0]) return;
        std::swap(most_[0], most_[1]);
        first_ = 1;
    }
    size_t of(size_t group) const { return copies_ == Copies::Beside ? (group + first_) % 2 : 0; }
    // The number of maps in the largest group of a set.
    size_t most(size_t set) const { return most_[set]; }
    // The number of maps missing in sets that hold `held` maps.
    int64_t missing(const std::array<size_t, 2>& held) const {
        int64_t sum = 0;
        for (size_t set = 0; set < 2; ++set)
            if (most_[set] > held[set]) sum += static_cast<int64_t>(most_[set] - held[set]);
        return sum;
    }

private:
    Copies copies_;
    size_t first_ = 0;
    std::array<size_t, 2> most_{};
};

// The steps of a group. Upload and download must not access the same arrays of a set.
struct GroupWork {
    using Step = std::function<void(size_t group, JobContext& job)>;
    Step upload, transform, download;
};

// Copies::InTurn finishes a group before it starts the next one. Copies::Beside transforms one
// group while the next group is uploaded and the previous one downloaded, each in a separate
// thread. Cancellation of the job or a failure of one step ends all. The transforms report
// progress.
void inTurns(size_t groups, Copies copies, JobContext& job, const GroupWork& work);

}  // namespace armilla
