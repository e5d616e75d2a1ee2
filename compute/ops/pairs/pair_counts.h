// SPDX-License-Identifier: GPL-3.0-or-later
// Counting of pairs: on the CPU here, on CUDA devices in pair_counts_cuda.h.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/ops/pairs.h"
#include "pairs/bin_edges.h"
#include "pairs/cells.h"

namespace armilla {

// A set in the form that the counters need.
struct PairSet {
    PairSet(const SkyPoints& points, bool weighted, JobContext& job)
        : cells(points, weighted, job), exact(points) {}
    Cells cells;
    ExactPoints exact;
};

// Numbers of pairs below each edge of the table, and of all pairs.
struct PairsBelow {
    std::vector<int64_t> below;
    std::vector<double> weight;  // empty without weights
    // Sums of weight times angle before the first edge, between successive edges and after the
    // last, and sums of the weights there: numbers of pairs without weights. Empty unless
    // requested.
    std::vector<double> angles, angleWeights;
};

enum class MeanAngles { Unwanted, Wanted };

// Calls `body(set, job)` for each of `count` sets: in parallel with one thread each if there are as
// many sets as threads, otherwise serially.
template <class Body>
void forEachSet(size_t count, JobContext& job, const Body& body) {
    if (count < static_cast<size_t>(job.threads())) {
        for (size_t i = 0; i < count; ++i) body(i, job);
        return;
    }
    parallelFor(job, static_cast<long long>(count), 1, [&](long long i, long long) {
        JobContext own(job.stopToken(), {}, 1);
        body(static_cast<size_t>(i), own);
    });
}

using PairSets = std::vector<std::unique_ptr<PairSet>>;
std::vector<PairsBelow> countPairsCpu(const PairSets& sets, std::span<const PairTask> tasks,
                                      const EdgeTable& table, MeanAngles mean, JobContext& job);

// Counts on the device and its `others`.
std::vector<PairsBelow> countPairsCuda(std::span<const SkyPoints> sets,
                                       std::span<const PairTask> tasks, const EdgeTable& table,
                                       const Device& device, MeanAngles mean, JobContext& job);

}  // namespace armilla
