// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of maps that go through a device, or several that share each map, one after the other:
// the copies of some beside the transforms of others.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>

#include "core/job_context.h"

namespace armilla {

enum class Copies { InTurn, Beside };

// The set of arrays that each of some groups of so many maps is in. Beside each other two sets
// serve three groups: of one the input comes into a set whose results, of the group before the
// last, leave it. The first set is the larger one, whichever group it begins with, so that those of
// an analysis and of a synthesis are the same.
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
    // The maps of the largest group of a set.
    size_t most(size_t set) const { return most_[set]; }
    // Maps that sets which hold so many lack.
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

// What is done with a group. Upload and download may not touch the same arrays of a set.
struct GroupWork {
    using Step = std::function<void(size_t group, JobContext& job)>;
    Step upload, transform, download;
};

// In turn: all of a group before the next one. Beside: while one is transformed, the one after it
// is uploaded, and the one before it downloaded, each by a thread of its own; a stop of the job, or
// a failure of one, ends all. Progress is that of the transforms.
void inTurns(size_t groups, Copies copies, JobContext& job, const GroupWork& work);

}  // namespace armilla
