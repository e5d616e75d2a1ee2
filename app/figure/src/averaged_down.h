// SPDX-License-Identifier: GPL-3.0-or-later
// Downsampling and formats of images without a thread pool.
#pragma once

#include <QImage>
#include <vector>

#include "armilla/draw/color_scale.h"

namespace armilla {

// An image with allocated, uninitialized pixels. Throws OutOfMemory.
QImage imageWithRoom(QSize size, QImage::Format format);

// The opacity-weighted mean over the area of each smaller pixel. `size` is at most that of the
// input, `width` x `height`, top row first. Result in Format_ARGB32_Premultiplied. Throws
// OutOfMemory.
//
// QImage's own conversion and scaling wait for threads of Qt's pool. These wait for ever if the
// system grants no more threads.
QImage averagedDown(const std::vector<Rgba>& pixels, int width, int height, QSize size);

// The pixels as an image in Format_ARGB32_Premultiplied, top row first. Throws OutOfMemory.
QImage imageOf(const std::vector<Rgba>& pixels, int width, int height);

// An image in Format_ARGB32_Premultiplied in a format that writers of vector formats take without
// conversion: Format_RGB32 if it is opaque, else Format_ARGB32.
QImage inVectorFormat(QImage image);

}  // namespace armilla
