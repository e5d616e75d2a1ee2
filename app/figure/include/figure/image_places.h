// SPDX-License-Identifier: GPL-3.0-or-later
// Places of the pixels of an image, by its world coordinates.
#pragma once

#include <memory>

#include "core/image.h"
#include "render/image_places.h"

namespace armilla {

// In the image's frame, by ImageWcs (io/image_file.h), a copy for each thread. Throws IoError for a
// header without places.
std::shared_ptr<const ImagePlaces> placesOf(const Image& image);

}  // namespace armilla
