// SPDX-License-Identifier: GPL-3.0-or-later
// Sky positions of the pixels of an image, from its world coordinates.
#pragma once

#include <memory>

#include "armilla/core/image.h"
#include "armilla/draw/image_places.h"

namespace armilla {

// In the frame of the image, by ImageWcs (armilla/io/image_file.h) with a copy for each thread.
// Throws IoError for a header without celestial coordinates.
std::shared_ptr<const ImagePlaces> placesOf(const Image& image);

}  // namespace armilla
