// SPDX-License-Identifier: GPL-3.0-or-later
// A picture made smaller, without a thread pool behind it.
#pragma once

#include <QImage>
#include <vector>

#include "render/color_scale.h"

namespace armilla {

// An image with room for its pixels, which are not set. Throws OutOfMemory.
QImage imageWithRoom(QSize size, QImage::Format format);

// The mean over the area of each smaller pixel, weighted with opacity; `size` at most that of the
// picture, `width` x `height`, the top row first. QImage's own conversions and scaling wait for
// threads of Qt's pool, and where the system grants no more threads they wait for ever.
// Format_RGBA8888_Premultiplied. Throws OutOfMemory.
QImage averagedDown(const std::vector<Rgba>& pixels, int width, int height, QSize size);

}  // namespace armilla
