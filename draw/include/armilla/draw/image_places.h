// SPDX-License-Identifier: GPL-3.0-or-later
// Sky positions of image pixels, as an interface without a world coordinate library.
#pragma once

#include <span>

#include "armilla/core/sky_vector.h"

namespace armilla {

// Pixel (0, 0) is the first one of the file; its center has the coordinates x = 0, y = 0. All calls
// are thread-safe.
class ImagePlaces {
public:
    ImagePlaces() = default;
    virtual ~ImagePlaces() = default;
    ImagePlaces(const ImagePlaces&) = delete;
    ImagePlaces& operator=(const ImagePlaces&) = delete;

    // The frame of all directions.
    virtual Frame frame() const = 0;
    // Pixel coordinates of directions; NaN for directions outside the projection.
    virtual void pixels(std::span<const Vec3> directions, std::span<double> x,
                        std::span<double> y) const = 0;
    // Directions of pixel coordinates; NaN for positions off the sky.
    virtual void directions(std::span<const double> x, std::span<const double> y,
                            std::span<Vec3> out) const = 0;
    // True if the projection cuts the sky into facets: adjacent directions may then be far apart in
    // the image.
    virtual bool hasFacets() const = 0;
};

}  // namespace armilla
