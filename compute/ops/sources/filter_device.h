// SPDX-License-Identifier: GPL-3.0-or-later
// A sky to filter in the memory of a CUDA device: its coefficients stay there, a filter brings f_l,
// and what it makes lies where local noise and maxima are looked for. Two implementations:
// filter_device_cuda.cu, and filter_device_absent.cpp for builds without CUDA.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/harmonics.h"
#include "core/hd.h"
#include "core/job_context.h"
#include "device/device_picture.h"
#include "ops/device.h"
#include "sources/sky_device.h"

namespace armilla::sources {

// Whether a filter sees too little of the sky where this share of its response falls on good
// pixels; shares are told in single precision. Host and device.
ARMILLA_HD inline bool seesTooLittle(float share, double least) {
    return static_cast<double>(share) < least;
}

// Not thread-safe. Functions wait for the device, but for draw, whose picture does. Throw
// OutOfMemory, DeviceError, Cancelled.
class FilterDevice {
public:
    // Room for coefficients to lmax and the maps made of them. Throws Unsupported, too (no CUDA in
    // the build).
    FilterDevice(const Device& device, int64_t nside, int lmax);
    ~FilterDevice();
    FilterDevice(FilterDevice&&) noexcept;
    FilterDevice& operator=(FilterDevice&&) noexcept;

    // What that takes of a device's memory, with or without holes in the map.
    static int64_t bytesFor(int64_t nside, int lmax, bool holes);

    // The coefficients of the map, all l <= m <= lmax.
    void setSky(const Alm& alm, JobContext& job);
    // Those of its good pixels, which are numbers in `good` (RING); NaN is bad.
    void setHoles(const Alm& maskAlm, std::span<const double> good, JobContext& job);

    // The values of sky() are those of the map times f_l.
    void filter(std::span<const double> fl, JobContext& job);
    // The share of the response on good pixels, by its window; where it is below `least`, and where
    // the map is bad, the values become NaN. Returns how many good pixels are refused.
    int64_t refuseUnseen(std::span<const double> window, double least, JobContext& job);
    void getShare(std::span<float> share, JobContext& job);

    // What pictures show: the coefficients of another sky, as many, and where it is bad (RING, NaN;
    // null: nowhere).
    void setPictureSky(const Alm& alm, const std::vector<double>* good, JobContext& job);
    // That sky times f_l as a picture, in single precision first if the map has it. The values of
    // sky() are lost.
    void draw(std::span<const double> fl, bool single, DevicePicture& picture, JobContext& job);

    SkyDevice& sky();

private:
    struct Owner;
    std::unique_ptr<Owner> owner_;
};

}  // namespace armilla::sources
