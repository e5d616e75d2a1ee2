// SPDX-License-Identifier: GPL-3.0-or-later
// Harmonic smoothing entirely on a CUDA device: coefficients stay there, a request supplies B_l and
// fills a picture. Two implementations: smooth_live_cuda.cu, and smooth_live_absent.cpp for builds
// without CUDA.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "armilla/device/device.h"
#include "armilla/device/device_picture.h"
#include "convolve/harmonic/smooth_harmonic.h"

namespace armilla {

// The data of a field, other than its coefficients, that its picture needs.
struct LiveField {
    std::vector<uint32_t> bad;  // see PictureCells
    bool single = true;         // precision of the map
};

// The results are those of `smoothed` by a plan of the same band on the same device, to the bit
// (tests/compute/tst_live_smoothing_cuda.cpp). Not thread-safe.
class LiveSmoothing {
public:
    // Copies the coefficients. `fields` in the order of the analysis. Throws OutOfMemory,
    // DeviceError, Unsupported (no CUDA in the build), Cancelled.
    LiveSmoothing(const Analysis& analysis, const std::vector<LiveField>& fields,
                  const Device& device, JobContext& job);
    ~LiveSmoothing();

    // Computes the tables of a band. The most recently used tables are kept, within a fraction of
    // the device's memory.
    void prepare(int band, JobContext& job);
    bool isPrepared(int band) const;

    struct Request {
        const Beam* beam = nullptr;
        int reach = 0, band = 0;  // last l of B_l, and band of the tables
        Masked masked = Masked::Normalize;
        size_t field = 0;  // index in the analysis
    };
    // Only enqueues work on a stream of high priority. The picture's buffer has pictureNside().
    // Throws InvalidArgument, also for a band that is not prepared, and DeviceError.
    void enqueue(const Request& request, DevicePicture& picture);

    // Stores one more map of a field times a term of gaussian_series.h, without masks, if the
    // device has memory; returns whether another may follow. Takes as long as a synthesis of the
    // full band. Maps of other fields are freed. Throws as prepare().
    bool growSeries(size_t field, int band, JobContext& job);
    // The number of these maps of a field.
    int seriesTerms(size_t field) const;
    // The same as enqueue() for the sum of those maps with these weights, of which there must not
    // be more than maps.
    void enqueueSum(size_t field, std::span<const double> weights, DevicePicture& picture);

    int64_t pictureNside() const;
    int64_t deviceBytes() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
