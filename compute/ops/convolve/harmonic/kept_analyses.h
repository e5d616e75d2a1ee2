// SPDX-License-Identifier: GPL-3.0-or-later
// Coefficients of the map of a smoothing plan, kept from call to call.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "armilla/ops/sht.h"
#include "convolve/harmonic/kept_transforms.h"
#include "convolve/harmonic/smooth_harmonic.h"
#include "convolve/live/smooth_live.h"
#include "convolve/smooth_input.h"

namespace armilla {

// The map averaged to coarse pixels, for a preview.
struct CoarseAnalysis {
    Analysis analysis;
    std::vector<std::vector<float>> good;  // fraction of good pixels, for each field
};

class KeptAnalyses {
public:
    // Transforms of several plans in turn, or null: transforms of this plan alone, of which only
    // the last synthesis is kept.
    explicit KeptAnalyses(SmoothInput& input,
                          const std::shared_ptr<KeptTransforms>& shared = nullptr);
    ~KeptAnalyses();
    KeptAnalyses(const KeptAnalyses&) = delete;
    KeptAnalyses& operator=(const KeptAnalyses&) = delete;

    // The coefficients for `key`, which has the required band; `lmax` is the full band.
    const Analysis& whole(AnalysisKey key, int lmax, Masked masked, JobContext& job);
    // The coefficients that the last call of whole() kept, if they serve the key; else null.
    const Analysis* found(const AnalysisKey& key, Masked masked) const;
    // The nside of `key` divides that of the map. All of these take a third of the memory of the
    // whole coefficients.
    const CoarseAnalysis& coarse(const AnalysisKey& key, Masked masked, JobContext& job);
    // A plan with l up to `lmax` or slightly more. The band is quantized, so that one plan serves
    // neighboring widths and does not depend on earlier requests.
    const ShtPlan& synthesis(int64_t nside, int lmax, JobContext& job);
    // Arrays of results, which their owner may put back.
    SpareArrays& arrays() { return transforms_->arrays; }
    // The coefficients of the last call of whole() on the device; freed with them.
    LiveSmoothing& onDevice(JobContext& job);
    LiveSmoothing* onDevice() const { return live_.get(); }
    int64_t memoryBytes() const;

private:
    bool serves(const Analysis& have, const AnalysisKey& want, Masked masked) const;
    Analysis analyzed(SkyFields sky, const AnalysisKey& key, Masked masked, JobContext& job);

    SmoothInput* input_;
    std::optional<Analysis> whole_;
    std::map<int64_t, CoarseAnalysis> coarse_;  // by nside
    std::shared_ptr<KeptTransforms> transforms_;
    bool isShared_;
    std::unique_ptr<LiveSmoothing> live_;  // data of whole_
};

}  // namespace armilla
