// SPDX-License-Identifier: GPL-3.0-or-later
// The methods of smoothing on pixels for one input, with the fields that they keep on a device.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "armilla/core/sky_vector.h"
#include "convolve/pixels/direct_cuda.h"
#include "convolve/resolved_smoothing.h"
#include "convolve/smooth_input.h"

namespace armilla {

class PixelSmoothing {
public:
    explicit PixelSmoothing(SmoothInput& input) : input_(&input) {}

    SmoothedMap execute(const ResolvedSmoothing& request, JobContext& job);
    // SmoothPlan::executeAround.
    SmoothedMap around(const ResolvedSmoothing& request, Vec3 center, double radius,
                       JobContext& job);
    // The fields on the device, with the requested weights. Once loaded with the data for pictures,
    // they keep these data.
    DirectCuda& onDevice(Weights weights, bool pictured, JobContext& job);
    // The fields on the device if they are loaded for pictures with these weights; else null.
    DirectCuda* pictured(Weights weights) const;
    // The request for the sums of a field of `on`.
    static DirectCuda::Request sumsOf(const ResolvedSmoothing& request, size_t field,
                                      const DirectCuda& on);

private:
    std::vector<Field> polarized(const ResolvedSmoothing& request, JobContext& job);
    std::vector<Field> byDevice(const ResolvedSmoothing& request, JobContext& job);
    const std::vector<std::optional<double>>& meansOfFields(JobContext& job);

    SmoothInput* input_;
    std::unique_ptr<DirectCuda> onDevice_;
    Weights weights_ = Weights::None;
    bool pictured_ = false;
    std::vector<std::optional<double>> means_;  // for each field, none where a pixel is bad
};

}  // namespace armilla
