// SPDX-License-Identifier: GPL-3.0-or-later
// Harmonic smoothing over ranks (armilla/ops/ranks.h). Each rank holds some rings of the maps.
#pragma once

#include <memory>
#include <vector>

#include "armilla/ops/convolve.h"
#include "armilla/ops/distributed_sht.h"
#include "armilla/ops/ranks.h"

namespace armilla {

// The method of `SmoothPlan::execute` on the CPU with `threads` threads for full maps of `nside`.
// Throws as SmoothPlan::execute.
SmoothMethod smoothMethod(const SmoothParameters& parameters, int64_t nside, int threads,
                          JobContext& job);

// The harmonic method for full maps in RING order. Values equal those of SmoothPlan to the last
// bit, for any number of ranks; the report agrees to rounding. Memory as SmoothPlan, divided by the
// number of ranks.
class DistributedSmooth {
public:
    // Constructed and executed by all ranks, this one with `device`. `fields`: number of fields, 3
    // with polarization. Throws as SmoothPlan.
    DistributedSmooth(const SmoothParameters& parameters, int64_t nside, size_t fields,
                      Ranks& ranks, JobContext& job, const Device& device = Device::cpu());
    ~DistributedSmooth();

    // The runs of every rank, by rank.
    const std::vector<std::vector<SampleRun>>& runsOfRanks() const;
    // `values`: this rank's samples of each field, NaN where bad. Returns the smoothed samples;
    // they have values also where the input is bad.
    std::vector<std::vector<double>> execute(std::vector<std::vector<double>> values,
                                             JobContext& job);
    const SmoothReport& report() const;  // complete on rank 0 only: other ranks lack the error
    RankSteps steps() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
