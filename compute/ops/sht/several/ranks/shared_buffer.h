// SPDX-License-Identifier: GPL-3.0-or-later
// Memory shared by ranks of one machine: each rank writes data for another rank directly into that
// rank's part, so that nothing is copied on the way. Agreements of the ranks (Ranks::meet), made by
// the transport, order the writes and reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "armilla/core/descriptor.h"
#include "armilla/ops/ranks.h"

namespace armilla {

class SharedBuffer {
public:
    // Called by all ranks together: `bytes` for each, the same for all, which take memory only when
    // written. Returns null, on all ranks, in these cases:
    // - there is only one rank, or some are on another machine,
    // - some may not map each other's memory,
    // - some have too little address space (`ulimit -v`: each maps the parts of all),
    // - some have ARMILLA_SHARED_MEMORY=off in their environment.
    static std::unique_ptr<SharedBuffer> make(int64_t bytes, Ranks& ranks, JobContext& job);
    ~SharedBuffer();
    SharedBuffer(const SharedBuffer&) = delete;
    SharedBuffer& operator=(const SharedBuffer&) = delete;

    // The part of a rank; the own part contains the data written by the other ranks.
    std::byte* of(int rank) const { return parts_[static_cast<size_t>(rank)]; }
    // After this call all earlier writes of any rank are visible on all ranks.
    static void meet(Ranks& ranks, JobContext& job);

private:
    struct Place;
    SharedBuffer(int64_t bytes, int rank, int size);
    bool makeOwn(Place& place);
    bool map(const Place& place, int rank);

    int64_t bytes_ = 0;
    int rank_ = 0;
    Descriptor file_;  // own part, while other ranks open it
    std::vector<std::byte*> parts_;
};

}  // namespace armilla
