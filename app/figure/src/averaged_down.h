// SPDX-License-Identifier: GPL-3.0-or-later
// Downsampling of an image without a thread pool.
#pragma once

#include <QImage>
#include <vector>

#include "armilla/render/color_scale.h"

namespace armilla {

// An image with allocated, uninitialized pixels. Throws OutOfMemory.
QImage imageWithRoom(QSize size, QImage::Format format);

// The opacity-weighted mean over the area of each smaller pixel. `size` is at most that of the
// input, `width` x `height`, top row first. Result in Format_RGBA8888_Premultiplied. Throws
// OutOfMemory.
//
// QImage's own conversion and scaling wait for threads of Qt's pool. These wait for ever if the
// system grants no more threads.
QImage averagedDown(const std::vector<Rgba>& pixels, int width, int height, QSize size);

}  // namespace armilla
