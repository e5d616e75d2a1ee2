// SPDX-License-Identifier: GPL-3.0-or-later
// Filtering of a sky in the memory of a CUDA device. Its coefficients stay there, a filter uploads
// f_l, and local noise and maxima are computed from the result there. Two implementations:
// filter_device_cuda.cu, and filter_device_absent.cpp for builds without CUDA.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "armilla/core/harmonics.h"
#include "armilla/core/hd.h"
#include "armilla/core/job_context.h"
#include "armilla/device/device_picture.h"
#include "armilla/ops/device.h"
#include "sources/sky_device.h"

namespace armilla::sources {

// True if the fraction `share` of a filter's response on good pixels is too small; compared in
// single precision. Host and device.
ARMILLA_HD inline bool seesTooLittle(float share, double least) {
    return static_cast<double>(share) < least;
}

// Not thread-safe. Functions wait for the device, except draw, whose picture has its own event.
// Throw OutOfMemory, DeviceError, Cancelled.
class FilterDevice {
public:
    // Allocates coefficients to lmax and the derived maps. Throws also Unsupported (build without
    // CUDA).
    FilterDevice(const Device& device, int64_t nside, int lmax);
    ~FilterDevice();
    FilterDevice(FilterDevice&&) noexcept;
    FilterDevice& operator=(FilterDevice&&) noexcept;

    // Required device memory in bytes, with or without holes in the map.
    static int64_t bytesFor(int64_t nside, int lmax, bool holes);

    // Sets the coefficients of the map, all 0 <= m <= l <= lmax.
    void setSky(const Alm& alm, JobContext& job);
    // Sets the coefficients of the map of good pixels, which are the finite values of `good`
    // (RING).
    void setHoles(const Alm& maskAlm, std::span<const double> good, JobContext& job);

    // Sets the values of sky() to the map times f_l.
    void filter(std::span<const double> fl, JobContext& job);
    // Computes the fraction of the response on good pixels from its window. Values become NaN where
    // the fraction is below `least` and where the map is bad. Returns the number of good pixels
    // refused.
    int64_t refuseUnseen(std::span<const double> window, double least, JobContext& job);
    void getShare(std::span<float> share, JobContext& job);

    // Sets the sky for pictures: its coefficients, equally many, and its bad pixels (RING, NaN;
    // null: none).
    void setPictureSky(const Alm& alm, const std::vector<double>* good, JobContext& job);
    // Draws the picture sky times f_l, first rounded to single precision for maps in single
    // precision. Overwrites the values of sky().
    void draw(std::span<const double> fl, bool single, DevicePicture& picture, JobContext& job);

    SkyDevice& sky();

private:
    struct Owner;
    std::unique_ptr<Owner> owner_;
};

}  // namespace armilla::sources
