// SPDX-License-Identifier: GPL-3.0-or-later
// Pair counts on one CUDA device, without a CUDA type. Two implementations: pair_counts_cuda.cu,
// and pair_counts_absent.cpp for builds without CUDA.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "armilla/core/job_context.h"

namespace armilla {

// An edge of bin_edges.h in the forms that the device compares with.
struct CudaEdge {
    double halfChord, chordCertain, chordPossible, sine;
    float dot;  // cosine of the edge
};
// Unit vectors of a set, in host memory or on the device. Either all sets or none have weights.
struct CudaPoints {
    const double *x, *y, *z;
    int64_t count;
    const double* weights;  // null: none
    double weightSizes;     // sum of the absolute values of the weights
};
struct CudaPairTask {
    int first, second;
};
// A pair of points that double precision leaves in doubt. The pair is not counted for the edges
// [first, last); it may be below none, some or all of these. `a` and `b` are numbers of points in
// their sets.
struct CudaDoubt {
    int task, first, last;
    uint32_t a, b;
};

// Sets in cells on the device. Not thread-safe.
class CudaPairCounter {
public:
    // Throws OutOfMemory, DeviceError, Unsupported (build without CUDA), Cancelled.
    CudaPairCounter(int device, std::span<const CudaPoints> sets,
                    std::span<const CudaPairTask> tasks, std::span<const CudaEdge> edges,
                    JobContext& job);
    ~CudaPairCounter();
    CudaPairCounter(const CudaPairCounter&) = delete;
    CudaPairCounter& operator=(const CudaPairCounter&) = delete;

    // Number of pairs of groups of cells in all tasks: the units of a partition.
    int64_t tiles() const;
    // Counts the pairs of tiles [begin, end). Adds to `below` (tasks x edges), with weights also
    // the sums of products to `weightBelow`, and to `doubts`. Sums are in fixed point with 125 bits
    // for the largest possible sum, so that every run gives the same bits.
    void count(int64_t begin, int64_t end, std::span<int64_t> below, std::span<double> weightBelow,
               std::vector<CudaDoubt>& doubts, JobContext& job);

    // For all tiles, adds sums of weight times angle (radians) to `angles` and sums of weights to
    // `weights`: numbers of pairs for sets without weights. Both have tasks x (edges + 1) elements:
    // before the first edge, between edges and after the last. Adds to `doubts` with [first, last)
    // the edges that a pair may be below. Pairs below the first or after the last edge may be
    // omitted unless a bin begins at 0, or ends at pi.
    void angles(bool startsAtZero, bool endsAtPi, std::span<double> angles,
                std::span<double> weights, std::vector<CudaDoubt>& doubts, JobContext& job);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
