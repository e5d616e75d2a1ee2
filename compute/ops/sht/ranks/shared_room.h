// SPDX-License-Identifier: GPL-3.0-or-later
// Memory that ranks of one machine have in common: each writes what another is to have into that
// one's part, so that nothing has to be copied on its way. Who may write and who may read is
// ordered by agreements of the ranks (Ranks::meet), which are the transport's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/descriptor.h"
#include "ops/ranks.h"

namespace armilla {

class SharedRoom {
public:
    // By all ranks together: `bytes` of each, the same for all, nothing of which takes memory until
    // it is written to. Null, on all, if some are on another machine, may not map each other's
    // memory, have little to address (`ulimit -v`: each maps the parts of all), or
    // ARMILLA_SHARED_MEMORY=off in their environment; and for one rank.
    static std::unique_ptr<SharedRoom> make(int64_t bytes, Ranks& ranks, JobContext& job);
    ~SharedRoom();
    SharedRoom(const SharedRoom&) = delete;
    SharedRoom& operator=(const SharedRoom&) = delete;

    // The part of a rank; one's own is what the others have written.
    std::byte* of(int rank) const { return parts_[static_cast<size_t>(rank)]; }
    // Whatever has been written before by any rank is there after this, on all.
    static void meet(Ranks& ranks, JobContext& job);

private:
    struct Place;
    SharedRoom(int64_t bytes, int rank, int size);
    bool makeOwn(Place& place);
    bool map(const Place& place, int rank);

    int64_t bytes_ = 0;
    int rank_ = 0;
    Descriptor file_;  // of the own part, while others open it
    std::vector<std::byte*> parts_;
};

}  // namespace armilla
