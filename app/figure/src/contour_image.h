// SPDX-License-Identifier: GPL-3.0-or-later
// Contours as pixels, for more of them than lines can show.
#pragma once

#include <QImage>
#include <QSize>
#include <span>

#include "armilla/core/job_context.h"

namespace armilla {

// A line and the halo around it.
struct ContourPens {
    QRgb line = 0, halo = 0;                    // not premultiplied
    double lineRadius = 0.0, haloRadius = 0.0;  // half widths, in pixels of the image
};

// Lays the contours of `values` (width * height, as of contourLines()) at one level over an image
// of Format_ARGB32_Premultiplied. Each piece of a contour, at most one pixel of the values long, is
// drawn as a dot at its middle: the time is that of the pixels. Polls.
void drawContourPixels(std::span<const float> values, QSize size, double level,
                       const ContourPens& pens, QImage& image, JobContext& job);

}  // namespace armilla
