// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/pixels/pixel_smoothing.h"

#include <span>
#include <utility>
#include <variant>

#include "armilla/ops/monopole.h"
#include "armilla/ops/quadrature_weights.h"
#include "convolve/method_choice.h"
#include "convolve/pixels/device_fields.h"
#include "convolve/pixels/smooth_around.h"
#include "convolve/pixels/smooth_direct.h"
#include "convolve/pixels/smooth_polarized.h"
#include "convolve/sky_values.h"

namespace armilla {

namespace {

// For any order of the pixels.
std::optional<double> meanOf(const Field& field, JobContext& job) {
    return std::visit([&](const auto& values) { return meanOfWhole(std::span(values), job); },
                      field.values);
}

std::optional<int> lastLOf(const ResolvedSmoothing& request) {
    return request.lastL > 0 ? std::optional(request.lastL) : std::nullopt;
}

}  // namespace

DirectCuda& PixelSmoothing::onDevice(Weights weights, bool pictured, JobContext& job) {
    if (!onDevice_ || weights_ != weights || (pictured && !pictured_)) {
        onDevice_.reset();
        const HealpixMap& map = input_->map();
        std::vector<double> ring;
        if (weights == Weights::Ring) ring = ringWeights(map.nside(), job);
        auto made = std::make_unique<DirectCuda>(input_->device().index, map.nside(), ring);
        for (const int field : input_->fields()) {
            std::optional<LiveField> shown;
            if (pictured) shown = liveField(map, field, job);
            addField(*made, map, field, shown ? &*shown : nullptr, job);
        }
        onDevice_ = std::move(made);
        weights_ = weights;
        pictured_ = pictured;
    }
    return *onDevice_;
}

DirectCuda* PixelSmoothing::pictured(Weights weights) const {
    return pictured_ && weights_ == weights ? onDevice_.get() : nullptr;
}

DirectCuda::Request PixelSmoothing::sumsOf(const ResolvedSmoothing& request, size_t field,
                                           const DirectCuda& on) {
    const bool normalize = request.parameters.masked == Masked::Normalize;
    if (normalize && on.hasBad(field) && request.compensated()) refuseZeroIntegral();
    return {&*request.profile, request.integral, normalize, field, request.lastL};
}

std::vector<Field> PixelSmoothing::byDevice(const ResolvedSmoothing& request, JobContext& job) {
    JobContext bringing = job.part(0.0, 0.4), summing = job.part(0.4, 1.0);
    DirectCuda& on = onDevice(request.parameters.weights, pictured_, bringing);
    std::vector<Field> result;
    for (size_t i = 0; i < input_->fields().size(); ++i)
        result.push_back(smoothOnDevice(on, sumsOf(request, i, on), input_->map(),
                                        input_->fields()[i], summing));
    return result;
}

std::vector<Field> PixelSmoothing::polarized(const ResolvedSmoothing& request, JobContext& job) {
    onDevice_.reset();  // frees the memory of earlier pictures
    const SmoothParameters& p = request.parameters;
    const Kernel whole = kernelOf(p).normalized(request.applied.norm);
    const Beam beam = whole.coefficients(*whole.lastL(), job);
    return smoothPolarized(input_->map(), input_->fields(),
                           {request.applied.kernel, beam.bl[beam.bl[1].empty() ? 0 : 1],
                            whole.gaussianWidth(), whole.scale(), lastLOf(request)},
                           p.weights, p.masked == Masked::Normalize, input_->device(), job);
}

SmoothedMap PixelSmoothing::execute(const ResolvedSmoothing& request, JobContext& job) {
    const SmoothParameters& p = request.parameters;
    const HealpixMap& map = input_->map();
    const std::vector<int>& fields = input_->fields();
    const Kernel& cut = request.applied.kernel;
    SmoothReport report = request.report();
    // First, because the sums may use the values up.
    report.estimatedError = errorOnPixels(kernelOf(p).normalized(request.applied.norm),
                                          request.applied.radius, map, fields, p.weights, job);
    // Direct sums read pixels around those that they write.
    const bool isReplaced = p.method == SmoothMethod::Ring || map.ordering() != Ordering::Ring ||
                            map.coverage() != Coverage::Full;
    const auto pixels = [&] {
        return PixelInput{map, fields, isReplaced ? input_->takeMap() : nullptr};
    };
    std::vector<Field> made =
        p.polarization     ? polarized(request, job)
        : input_->onCuda() ? byDevice(request, job)
        : p.method == SmoothMethod::Ring
            ? smoothByRings(pixels(), cut, request.lastL, p.weights, p.masked, job)
            : smoothDirect(pixels(), cut, p.weights, p.masked, job);
    HealpixMap result = mapLike(map, std::move(made));
    job.report(1.0, "smoothing");
    return {std::move(result), report};
}

SmoothedMap PixelSmoothing::around(const ResolvedSmoothing& request, Vec3 center, double radius,
                                   JobContext& job) {
    const SmoothParameters& p = request.parameters;
    return {smoothAround(input_->map(), input_->fields(), {center, radius},
                         {&request.applied.kernel, lastLOf(request), p.weights, p.masked,
                          meansOfFields(job)},
                         job),
            request.report()};
}

const std::vector<std::optional<double>>& PixelSmoothing::meansOfFields(JobContext& job) {
    const HealpixMap& map = input_->map();
    if (means_.empty())
        for (const int field : input_->fields())
            means_.push_back(map.coverage() == Coverage::Full ? meanOf(map.field(field), job)
                                                              : std::nullopt);
    return means_;
}

}  // namespace armilla
