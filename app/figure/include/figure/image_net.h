// SPDX-License-Identifier: GPL-3.0-or-later
// Where the pixels of an image lie, for those who draw it.
#pragma once

#include <memory>

#include "core/image.h"
#include "render/image_mesh.h"

namespace armilla {

// To a fiftieth of a pixel (directionMesh of io/image_file.h). Throws IoError for a header without
// places.
std::shared_ptr<const ImageNet> netOf(const Image& image);

}  // namespace armilla
