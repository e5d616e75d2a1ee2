// SPDX-License-Identifier: GPL-3.0-or-later
// Smoothing in harmonics over ranks (ops/ranks.h), each of which holds some rings of the maps.
#pragma once

#include <memory>
#include <vector>

#include "ops/convolve.h"
#include "ops/distributed_sht.h"
#include "ops/ranks.h"

namespace armilla {

// The method that `SmoothPlan::execute` takes on the CPU with so many threads for full maps of
// `nside`. Throws as that.
SmoothMethod smoothMethod(const SmoothParameters& parameters, int64_t nside, int threads,
                          JobContext& job);

// The harmonic method for full maps in RING order: the values of SmoothPlan to the last bit, for
// any number of ranks; its report but for rounding. Memory as SmoothPlan, all of it as one over the
// number of ranks.
class DistributedSmooth {
public:
    // Made and executed by all ranks, this one with `device`. Throws as SmoothPlan.
    // `fields`: their number, 3 with polarization.
    DistributedSmooth(const SmoothParameters& parameters, int64_t nside, size_t fields,
                      Ranks& ranks, JobContext& job, const Device& device = Device::cpu());
    ~DistributedSmooth();

    // Of every rank.
    const std::vector<std::vector<SampleRun>>& runsOfRanks() const;
    // `values`: of each field the samples of this rank, NaN where bad. What comes back is not bad
    // there.
    std::vector<std::vector<double>> execute(std::vector<std::vector<double>> values,
                                             JobContext& job);
    const SmoothReport& report() const;  // of rank 0; the error is not known to others
    RankSteps steps() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
