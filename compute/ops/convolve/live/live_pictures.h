// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of a smoothed map in the memory of a device, by the method of each request.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "armilla/device/device_picture.h"
#include "convolve/harmonic/kept_analyses.h"
#include "convolve/pixels/pixel_smoothing.h"
#include "convolve/resolved_smoothing.h"
#include "convolve/smooth_input.h"

namespace armilla {

// The functions of SmoothPlan of the same names, for resolved requests.
class LivePictures {
public:
    LivePictures(const SmoothInput& input, KeptAnalyses& kept, PixelSmoothing& pixels)
        : input_(&input), kept_(&kept), pixels_(&pixels) {}

    void prepare(const ResolvedSmoothing& request, JobContext& job);
    bool isPrepared(const ResolvedSmoothing& request) const;
    void enqueue(const ResolvedSmoothing& request, size_t field, DevicePicture& picture);
    bool growSeries(const SmoothParameters& parameters, size_t field, JobContext& job);
    // The weights of stored maps whose sum is the requested map with an integral of 1; none if
    // those maps do not serve the request.
    std::vector<double> sumWeights(const SmoothParameters& parameters, size_t field) const;
    void enqueueSum(const ResolvedSmoothing& request, size_t field, std::vector<double> weights,
                    DevicePicture& picture);
    std::vector<std::pair<std::string, double>> parts(const ResolvedSmoothing& request,
                                                      size_t field, int runs) const;

private:
    AnalysisKey keyOf(const ResolvedSmoothing& request) const;
    AnalysisKey wholeKey(const SmoothParameters& parameters) const;
    bool mayBeSum(const SmoothParameters& parameters) const;

    const SmoothInput* input_;
    KeptAnalyses* kept_;
    PixelSmoothing* pixels_;
};

}  // namespace armilla
