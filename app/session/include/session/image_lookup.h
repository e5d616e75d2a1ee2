// SPDX-License-Identifier: GPL-3.0-or-later
// Which pixel of an image lies at a place on the sky.
#pragma once

#include <memory>
#include <optional>

#include "core/image.h"
#include "core/sky_vector.h"

namespace armilla {

struct ImagePixel {
    int64_t x = 0, y = 0;  // from 0, as stored
    bool operator==(const ImagePixel&) const = default;
};

// Keeps the image's world coordinates at hand: some microseconds a look. Not thread-safe.
class ImageLookup {
public:
    // An image without celestial coordinates has no pixel anywhere.
    explicit ImageLookup(std::shared_ptr<const Image> image);
    ~ImageLookup();
    ImageLookup(ImageLookup&&) noexcept;
    ImageLookup& operator=(ImageLookup&&) noexcept;

    const std::shared_ptr<const Image>& image() const;
    // `direction` in `frame`; one that is not known is taken to be the image's.
    std::optional<ImagePixel> pixelAt(Vec3 direction, Frame frame) const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace armilla
