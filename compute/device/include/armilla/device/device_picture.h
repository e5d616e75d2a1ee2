// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of live operations: a map's faces in the memory of a CUDA device, drawn from there. Two
// implementations: device_picture.cu, and device_absent.cpp for builds without CUDA.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace armilla {

// Twelve faces in nested layout with mean-of-children levels, with the layout and rounding of
// MapPyramid. NSIDE values that are not powers of two use the next higher one. All work is queued
// in streams and ordered by events: a writer waits, on the device, for pending draws, and draws
// wait for the writer. One thread at a time may call the functions.
class DevicePicture {
public:
    // `nside` must be a power of two. Memory is uninitialized. Throws OutOfMemory, DeviceError,
    // Unsupported (build without CUDA).
    DevicePicture(int device, int64_t nside);
    ~DevicePicture();
    DevicePicture(const DevicePicture&) = delete;
    DevicePicture& operator=(const DevicePicture&) = delete;

    int device() const;
    int64_t nside() const;  // nside of the finest level
    int levels() const;
    static int64_t bytesFor(int64_t nside);
    // True if all queued writes are complete. Throws DeviceError if one failed.
    bool isReady() const;
    // Waits for queued writes; must not run in the window's thread.
    void wait() const;
    // The values of a level, 12 (nside >> level)^2; waits for the copy.
    std::vector<float> download(int level) const;
    // At most `count` cells of the finest level, evenly strided, bad cells included; waits for the
    // copy. Another thread may draw from the picture at the same time.
    std::vector<float> sample(size_t count) const;

    struct Owner;  // CUDA code uses armilla/device/cuda/picture_access.h
    Owner& owner() const { return *owner_; }

private:
    std::unique_ptr<Owner> owner_;
};

// A rotation of three pictures of equal shape: one on the screen, one queued for the screen, one
// being computed.
class DevicePictures {
public:
    // Throws as DevicePicture.
    DevicePictures(int device, int64_t nside);
    // A picture without other owners; null if all are in use.
    std::shared_ptr<DevicePicture> next();
    int64_t nside() const { return pictures_.front()->nside(); }

private:
    std::array<std::shared_ptr<DevicePicture>, 3> pictures_;
    size_t last_ = 0;
};

// Relation of a picture's cells to the pixels of a map in RING order: bad-pixel bits and pixel
// numbers in device memory.
class PictureCells {
public:
    // `bad`: one bit per pixel of a map of `mapNside`, least significant bit first in each word,
    // set for bad pixels; empty without bad pixels. Waits for the copies. Throws as DevicePicture.
    PictureCells(int device, int64_t mapNside, std::span<const uint32_t> bad);
    ~PictureCells();
    PictureCells(PictureCells&&) noexcept;
    PictureCells& operator=(PictureCells&&) noexcept;

    // nside of the picture that displays such a map.
    int64_t pictureNside() const;
    static int64_t pictureNside(int64_t mapNside) {
        return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(mapNside)));
    }

    struct Owner;
    Owner& owner() const { return *owner_; }

private:
    std::unique_ptr<Owner> owner_;
};

}  // namespace armilla
