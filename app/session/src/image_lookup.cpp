// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/image_lookup.h"

#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/seen_frame.h"
#include "armilla/io/image_file.h"

namespace armilla {

struct ImageLookup::Parts {
    std::shared_ptr<const Image> image;
    std::optional<ImageWcs> wcs;
};

ImageLookup::ImageLookup(std::shared_ptr<const Image> image) : parts_(std::make_unique<Parts>()) {
    parts_->image = std::move(image);
    try {
        parts_->wcs.emplace(*parts_->image);
    } catch (const Error&) {
        parts_->wcs.reset();
    }
}

ImageLookup::~ImageLookup() = default;
ImageLookup::ImageLookup(ImageLookup&&) noexcept = default;
ImageLookup& ImageLookup::operator=(ImageLookup&&) noexcept = default;

const std::shared_ptr<const Image>& ImageLookup::image() const {
    return parts_->image;
}

std::optional<ImagePixel> ImageLookup::pixelAt(Vec3 direction, Frame frame) const {
    if (!parts_->wcs) return std::nullopt;
    const Vec3 place = seenRotation(parts_->image->frame, frame) * direction;
    double x = 0.0, y = 0.0;
    parts_->wcs->pixels({&place, 1}, {&x, 1}, {&y, 1});
    if (!std::isfinite(x) || !std::isfinite(y)) return std::nullopt;
    const double column = std::floor(x + 0.5), row = std::floor(y + 0.5);
    const Image& image = *parts_->image;
    if (column < 0.0 || row < 0.0 || column >= static_cast<double>(image.width) ||
        row >= static_cast<double>(image.height))
        return std::nullopt;
    return ImagePixel{static_cast<int64_t>(column), static_cast<int64_t>(row)};
}

}  // namespace armilla
