// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure/image_net.h"

#include <utility>

#include "io/image_file.h"

namespace armilla {

std::shared_ptr<const ImageNet> netOf(const Image& image) {
    constexpr double kTolerance = 0.02;  // of a pixel
    const ImageWcs wcs(image);
    DirectionMesh mesh = directionMesh(image, wcs, kTolerance);
    auto net = std::make_shared<ImageNet>();
    net->columns = mesh.columns;
    net->rows = mesh.rows;
    net->frame = image.frame;
    net->directions = std::move(mesh.directions);
    return net;
}

}  // namespace armilla
