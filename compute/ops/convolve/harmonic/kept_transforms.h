// SPDX-License-Identifier: GPL-3.0-or-later
// Transforms that smoothings of maps of one form share.
#pragma once

#include <optional>

#include "armilla/ops/sht.h"
#include "convolve/harmonic/spare_arrays.h"

namespace armilla {

// The last plan of each direction. A plan for a map of nside 2048 takes longer to construct on a
// GPU than to execute. Not thread-safe.
class KeptTransforms {
public:
    // `keepsArrays`: for smoothings one after another, each of which hands its arrays on. Not on
    // the CPU, whose transforms take far longer than new memory.
    explicit KeptTransforms(const Device& device, bool keepsArrays = false)
        : arrays(keepsArrays && device.kind != DeviceKind::Cpu), device_(device) {}

    SpareArrays arrays;

    const ShtPlan& analysis(const ShtParameters& parameters, JobContext& job) {
        return planOf(analysis_, parameters, job);
    }
    const ShtPlan& synthesis(const ShtParameters& parameters, JobContext& job) {
        return planOf(synthesis_, parameters, job);
    }
    void dropAnalysis() { analysis_.reset(); }
    void dropSynthesis() { synthesis_.reset(); }

private:
    struct Kept {
        ShtParameters parameters;
        ShtPlan plan;
    };
    const ShtPlan& planOf(std::optional<Kept>& kept, const ShtParameters& wanted, JobContext& job) {
        if (!kept || kept->parameters.nside != wanted.nside ||
            kept->parameters.lmax != wanted.lmax || kept->parameters.weights != wanted.weights ||
            kept->parameters.iterations != wanted.iterations) {
            kept.reset();  // frees the old plan first
            kept.emplace(wanted, ShtPlan(wanted, device_, job));
        }
        return kept->plan;
    }

    Device device_;
    std::optional<Kept> analysis_, synthesis_;
};

}  // namespace armilla
