// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the pixel of an image at a position on the sky.
#pragma once

#include <memory>
#include <optional>

#include "armilla/core/image.h"
#include "armilla/core/sky_vector.h"

namespace armilla {

// A pixel of an image by its indices.
struct ImagePixel {
    int64_t x = 0, y = 0;  // zero-based, as stored
    bool operator==(const ImagePixel&) const = default;
};

// Caches the world coordinate system of the image; a lookup takes some microseconds. Not
// thread-safe.
class ImageLookup {
public:
    // For an image without celestial coordinates, pixelAt() always returns none.
    explicit ImageLookup(std::shared_ptr<const Image> image);
    ~ImageLookup();
    ImageLookup(ImageLookup&&) noexcept;
    ImageLookup& operator=(ImageLookup&&) noexcept;

    const std::shared_ptr<const Image>& image() const;
    // `direction` is in `frame`; an unknown frame is taken to be that of the image.
    std::optional<ImagePixel> pixelAt(Vec3 direction, Frame frame) const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace armilla
