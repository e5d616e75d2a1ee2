// SPDX-License-Identifier: GPL-3.0-or-later
// Pair counts on one CUDA device, without a CUDA type. Two implementations: pair_counts_cuda.cu,
// and pair_counts_absent.cpp for builds without CUDA.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/job_context.h"

namespace armilla {

// Edge of bin_edges.h in the forms that the device compares with.
struct CudaEdge {
    double halfChord, chordCertain, chordPossible, sine;
    float dot;  // cosine of the edge
};
// Unit vectors of a set. Weights of all sets or of none.
struct CudaPoints {
    const double *x, *y, *z;
    int64_t count;
    const double* weights;  // null: none
};
struct CudaPairTask {
    int first, second;
};
// A pair of points that double precision leaves in doubt: it is not counted for the edges
// [first, last), below some or none of which it lies; numbers of points in their sets.
struct CudaDoubt {
    int task, first, last;
    uint32_t a, b;
};

// Sets in cells on the device. Not thread-safe.
class CudaPairCounter {
public:
    // Throws OutOfMemory, DeviceError, Unsupported (no CUDA in the build), Cancelled.
    CudaPairCounter(int device, std::span<const CudaPoints> sets,
                    std::span<const CudaPairTask> tasks, std::span<const CudaEdge> edges,
                    JobContext& job);
    ~CudaPairCounter();
    CudaPairCounter(const CudaPairCounter&) = delete;
    CudaPairCounter& operator=(const CudaPairCounter&) = delete;

    // Pairs of groups of cells, of all tasks: what can be counted in shares.
    int64_t tiles() const;
    // Counts those of the tiles [begin, end): adds to `below` (tasks x edges), with weights the
    // sums of their products to `weightBelow`, and to `doubts`. Sums are in fixed point of 125 bits
    // of the largest that could be: the same bits in every run.
    void count(int64_t begin, int64_t end, std::span<int64_t> below, std::span<double> weightBelow,
               std::vector<CudaDoubt>& doubts, JobContext& job);

    // Of all tiles the sums of angles (radians) and numbers of pairs before the first edge, between
    // edges and after the last, tasks x (edges + 1): added to `angles` and `pairs`, and to `doubts`
    // with [first, last) the edges that a pair may be below. Pairs below the first or after the
    // last edge may be left out where no bin begins at 0, or ends at pi.
    void angles(bool startsAtZero, bool endsAtPi, std::span<double> angles,
                std::span<int64_t> pairs, std::vector<CudaDoubt>& doubts, JobContext& job);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
