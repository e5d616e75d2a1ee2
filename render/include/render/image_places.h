// SPDX-License-Identifier: GPL-3.0-or-later
// The positions of an image's pixels on the sky, without a library of world coordinates.
#pragma once

#include <span>

#include "core/sky_vector.h"

namespace armilla {

// Pixel (0, 0) is the first one of the file; its center has the coordinates x = 0, y = 0. All calls
// are safe from any thread.
class ImagePlaces {
public:
    ImagePlaces() = default;
    virtual ~ImagePlaces() = default;
    ImagePlaces(const ImagePlaces&) = delete;
    ImagePlaces& operator=(const ImagePlaces&) = delete;

    // The frame of all directions.
    virtual Frame frame() const = 0;
    // Pixel coordinates of directions; NaN where the projection does not show one.
    virtual void pixels(std::span<const Vec3> directions, std::span<double> x,
                        std::span<double> y) const = 0;
    // Directions of pixel coordinates; NaN where the projection has no place.
    virtual void directions(std::span<const double> x, std::span<const double> y,
                            std::span<Vec3> out) const = 0;
    // Whether the projection cuts the sky into facets: neighbors on the sky may then lie far apart
    // in the image, anywhere.
    virtual bool hasFacets() const = 0;
};

}  // namespace armilla
