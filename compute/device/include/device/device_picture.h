// SPDX-License-Identifier: GPL-3.0-or-later
// What a live operation shows: a map's faces in the memory of a CUDA device, drawn from there. Two
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

// Twelve faces in nested layout with mean-of-children levels, laid out and rounded as MapPyramid
// has them: NSIDE values that are no power of two lie on the next higher one. Work on it is only
// put into streams, in an order that events keep: whoever writes waits, on the device, for those
// who draw from it, and they for the writer. Functions are called by one thread at a time.
class DevicePicture {
public:
    // `nside`: a power of two. Room without values. Throws OutOfMemory, DeviceError, Unsupported
    // (no CUDA in the build).
    DevicePicture(int device, int64_t nside);
    ~DevicePicture();
    DevicePicture(const DevicePicture&) = delete;
    DevicePicture& operator=(const DevicePicture&) = delete;

    int device() const;
    int64_t nside() const;  // of the faces
    int levels() const;
    static int64_t bytesFor(int64_t nside);
    // Whether all that was put in so far is done. Throws DeviceError if it failed.
    bool isReady() const;
    // Waits for it: never in the window's thread.
    void wait() const;
    // The values of a level, 12 (nside >> level)^2; waits.
    std::vector<float> download(int level) const;
    // `count` or fewer cells of the finest level, evenly strided, bad ones too; waits. Another
    // thread may draw from the picture meanwhile.
    std::vector<float> sample(size_t count) const;

    struct Owner;  // for CUDA code: device/cuda/picture_access.h
    Owner& owner() const { return *owner_; }

private:
    std::unique_ptr<Owner> owner_;
};

// Pictures of one shape in turn: one on the screen, one on its way there, one in the making.
class DevicePictures {
public:
    // Throws as DevicePicture.
    DevicePictures(int device, int64_t nside);
    // One that nobody else holds; null if all are held.
    std::shared_ptr<DevicePicture> next();
    int64_t nside() const { return pictures_.front()->nside(); }

private:
    std::array<std::shared_ptr<DevicePicture>, 3> pictures_;
    size_t last_ = 0;
};

// A picture's cells and the pixels of a map in RING order, as bits and numbers in device memory.
class PictureCells {
public:
    // `bad`: a bit for each pixel of a map of `mapNside`, the lowest of each word first, set where
    // it is bad; empty if no pixel is. Copies are made, and waited for. Throws as DevicePicture.
    PictureCells(int device, int64_t mapNside, std::span<const uint32_t> bad);
    ~PictureCells();
    PictureCells(PictureCells&&) noexcept;
    PictureCells& operator=(PictureCells&&) noexcept;

    // Of the picture that shows such a map.
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
