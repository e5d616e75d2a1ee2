// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/live/live_pictures.h"

#include "armilla/core/error.h"
#include "armilla/core/gaussian.h"
#include "convolve/live/gaussian_series.h"

namespace armilla {

namespace {

[[noreturn]] void refuseUnprepared() {
    throw InvalidArgument(
        "expected a prepared live request, found one that is not; call prepare() first");
}

// Whether a field is not divided by its smoothed mask.
bool isUndivided(const Analysis& analysis, Masked masked, size_t field) {
    return masked == Masked::Ignore || analysis.maskOfField[field] < 0;
}

}  // namespace

AnalysisKey LivePictures::keyOf(const ResolvedSmoothing& request) const {
    const SmoothParameters& p = request.parameters;
    return {input_->map().nside(), request.lmax, p.iterations, p.weights, p.polarization};
}

AnalysisKey LivePictures::wholeKey(const SmoothParameters& parameters) const {
    return {input_->map().nside(), input_->wholeBand(), 0, parameters.weights, false};
}

void LivePictures::prepare(const ResolvedSmoothing& request, JobContext& job) {
    const SmoothParameters& p = request.parameters;
    if (request.onPixels()) {
        // These methods smooth Q and U together, but a picture has one field.
        if (p.polarization)
            throw Unsupported("method " + std::string(nameOf(p.method)) +
                              ": expected no polarization for a live picture, found it; use "
                              "--method harmonic");
        pixels_->onDevice(p.weights, true, job)
            .prepare({&*request.profile, request.integral, false, 0, request.lastL});
        return;
    }
    JobContext analyzing = job.part(0.0, 0.6), copying = job.part(0.6, 0.9);
    kept_->whole(keyOf(request), request.lmax, p.masked, analyzing);
    kept_->onDevice(copying).prepare(request.tables, job);
}

bool LivePictures::isPrepared(const ResolvedSmoothing& request) const {
    const SmoothParameters& p = request.parameters;
    if (request.onPixels()) return !p.polarization && pixels_->pictured(p.weights) != nullptr;
    const LiveSmoothing* live = kept_->onDevice();
    return live != nullptr && kept_->found(keyOf(request), p.masked) != nullptr &&
           live->isPrepared(request.tables);
}

void LivePictures::enqueue(const ResolvedSmoothing& request, size_t field, DevicePicture& picture) {
    if (!isPrepared(request)) refuseUnprepared();
    const SmoothParameters& p = request.parameters;
    if (request.onPixels()) {
        DirectCuda& on = *pixels_->pictured(p.weights);
        on.enqueue(PixelSmoothing::sumsOf(request, field, on), picture);
        return;
    }
    if (!isUndivided(*kept_->found(keyOf(request), p.masked), p.masked, field) &&
        request.compensated())
        refuseZeroIntegral();
    kept_->onDevice()->enqueue({&request.beam, request.reach, request.tables, p.masked, field},
                               picture);
}

// Sums serve a plain Gaussian with the full band.
bool LivePictures::mayBeSum(const SmoothParameters& p) const {
    const bool isGaussian = !p.beam && !p.kernel && !p.shape && p.fwhm > 0.0;
    const bool isWhole = p.lmax < 0 || p.lmax == input_->wholeBand();
    return input_->onCuda() && isGaussian && isWhole && p.truncate == 0.0 && !p.polarization &&
           p.iterations == 0;
}

bool LivePictures::growSeries(const SmoothParameters& p, size_t field, JobContext& job) {
    if (!mayBeSum(p)) return false;
    const int whole = input_->wholeBand();
    if (!isUndivided(kept_->whole(wholeKey(p), whole, p.masked, job), p.masked, field))
        return false;
    const int band = tableBand(input_->map().nside(), whole, input_->device().kind);
    return kept_->onDevice(job).growSeries(field, band, job);
}

std::vector<double> LivePictures::sumWeights(const SmoothParameters& p, size_t field) const {
    const LiveSmoothing* live = kept_->onDevice();
    if (!mayBeSum(p) || live == nullptr) return {};
    const Analysis* analysis = kept_->found(wholeKey(p), p.masked);
    if (analysis == nullptr || !isUndivided(*analysis, p.masked, field)) return {};
    return gaussianSeries(p.fwhm / kFwhmOfSigma, input_->wholeBand(), live->seriesTerms(field));
}

void LivePictures::enqueueSum(const ResolvedSmoothing& request, size_t field,
                              std::vector<double> weights, DevicePicture& picture) {
    const double integral = request.onPixels() ? request.integral : request.beam.bl[0][0];
    for (double& weight : weights) weight *= integral;
    kept_->onDevice()->enqueueSum(field, weights, picture);
}

std::vector<std::pair<std::string, double>> LivePictures::parts(const ResolvedSmoothing& request,
                                                                size_t field, int runs) const {
    if (request.parameters.method != SmoothMethod::Direct) return {};
    if (!isPrepared(request) || field >= input_->fields().size()) refuseUnprepared();
    return pixels_->pictured(request.parameters.weights)
        ->parts({&*request.profile, request.integral, false, field, 0}, runs);
}

}  // namespace armilla
