// SPDX-License-Identifier: GPL-3.0-or-later
// Values of an image at directions, between its pixels.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "armilla/core/image.h"
#include "armilla/core/job_context.h"
#include "armilla/io/image_file.h"

namespace armilla {

// The pixels of an image around one direction. Pixels are numbered as in Image::values; a weight is
// 0 for a pixel off the image.
struct ImageCell {
    int64_t nearest = -1;  // the pixel that contains the direction; -1: none
    std::array<int64_t, 4> pixels{};
    std::array<double, 4> weights{};
};

// Finds cells of one image. Thread-safe: each thread uses a copy of the coordinates of its own.
//
// Cells continue across the edge of an image that goes around the sky: from the last column to the
// first, and over a pole to the column half a turn away. Pixels off the sky have no weight.
class ImageSampler {
public:
    // Throws IoError for a header without celestial coordinates, Cancelled.
    ImageSampler(const Image& image, JobContext& job);

    // Cells of directions in the frame of the image (armilla/io/image_file.h).
    void cells(const ImageWcs& wcs, std::span<const Vec3> directions,
               std::span<ImageCell> out) const;
    const ImageWcs& wcs() const { return wcs_; }
    // Centers of all pixels, NaN off the sky.
    const std::vector<Vec3>& centers() const { return centers_; }
    // The value of a plane in a cell: of the nearest pixel, or between the good ones of four. Bad
    // where the nearest pixel is bad.
    double nearest(const ImageCell& cell, int64_t plane) const;
    double bilinear(const ImageCell& cell, int64_t plane) const;

    // The pixel at a place at most one step off the plane: there the one at the other end of a row
    // around the sky, or on the other side of a pole. None off the image and off the sky.
    std::optional<int64_t> pixelOf(int64_t x, int64_t y) const;

private:
    bool isOnSky(int64_t x, int64_t y) const;

    const Image& image_;
    ImageWcs wcs_;
    std::vector<Vec3> centers_;
    bool isFullTurn_ = false, hasLowPole_ = false, hasHighPole_ = false;
};

// Whether two images have the same pixels: size, frame, and the directions of corners and middle to
// 0.01 pixels. Throws IoError for headers without celestial coordinates.
bool areSamePixels(const Image& a, const Image& b);
// Solid angles of the pixels of an image, in steradians; NaN off the sky. Throws as ImageSampler.
std::vector<double> pixelAreas(const Image& image, const std::vector<Vec3>& centers,
                               JobContext& job);

}  // namespace armilla
