// SPDX-License-Identifier: GPL-3.0-or-later
// Harmonic smoothing that never leaves a CUDA device: coefficients stay there, a request brings B_l
// and ends as a picture. Two implementations: smooth_live_cuda.cu, and smooth_live_absent.cpp for
// builds without CUDA.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "convolve/smooth_harmonic.h"
#include "device/device.h"
#include "device/device_picture.h"

namespace armilla {

// What of a map, beside its coefficients, a picture of it takes.
struct LiveField {
    std::vector<uint32_t> bad;  // as PictureCells takes it
    bool single = true;         // precision of the map
};

// The results are those of `smoothed` by a plan of the same band on the same device, to the bit
// (tests/compute/tst_live_smoothing_cuda.cpp). Not thread-safe.
class LiveSmoothing {
public:
    // Copies the coefficients. `fields` as those of the analysis. Throws OutOfMemory, DeviceError,
    // Unsupported (no CUDA in the build), Cancelled.
    LiveSmoothing(const Analysis& analysis, const std::vector<LiveField>& fields,
                  const Device& device, JobContext& job);
    ~LiveSmoothing();

    // Tables of a band, kept: those used last, within a share of the device's memory.
    void prepare(int band, JobContext& job);
    bool isPrepared(int band) const;

    struct Request {
        const Beam* beam = nullptr;
        int reach = 0, band = 0;  // l where B_l ends, and those of the tables
        Masked masked = Masked::Normalize;
        size_t field = 0;  // of the analysis
    };
    // Only puts work into a stream of high priority. The picture has room for pictureNside().
    // Throws InvalidArgument, also for a band that is not prepared, and DeviceError.
    void enqueue(const Request& request, DevicePicture& picture);

    // Maps of a field times the terms of gaussian_series.h, without their masks: one more of them,
    // where the device has room, and whether another may follow. Takes as long as a synthesis of
    // the band, which is the whole one. Those of another field go. Throws as prepare().
    bool growSeries(size_t field, int band, JobContext& job);
    // How many there are of a field.
    int seriesTerms(size_t field) const;
    // As enqueue(), the sum of those maps with these weights, of which there are no more.
    void enqueueSum(size_t field, std::span<const double> weights, DevicePicture& picture);

    int64_t pictureNside() const;
    int64_t deviceBytes() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
