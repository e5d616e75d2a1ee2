// SPDX-License-Identifier: GPL-3.0-or-later
// The loop of all CPU pictures: rows on threads, with values common to a row computed once.
#pragma once

#include <string>

#include "armilla/core/error.h"
#include "armilla/core/job_context.h"
#include "armilla/core/view_geometry.h"

namespace armilla {

inline void checkView(const ViewGeometry& view) {
    if (view.width < 1 || view.height < 1 || !(view.radiansPerPixel > 0.0))
        throw InvalidArgument("expected a view with pixels and a scale, found " +
                              std::to_string(view.width) + "x" + std::to_string(view.height) +
                              " at " + std::to_string(view.radiansPerPixel) + " rad a pixel");
}

// Four rows of 4000 pixels at 200 ns: 3 ms between two tests for a stop.
constexpr long long kRowsPerRange = 4;

// Calls `draw(index, plane row, x, direction in the view frame)` for each image pixel on the sky.
template <class Draw>
void forEachSkyPixel(const ViewGeometry& view, JobContext& job, const Draw& draw) {
    parallelFor(
        job, view.height, kRowsPerRange,
        [&](long long begin, long long end) {
            for (long long j = begin; j < end; ++j) {
                const double line = static_cast<double>(j) + 0.5;
                const PlaneRow row = planeRow(view.projection, planeFromImage(view, 0.5, line).y);
                if (!row.inside) continue;
                for (int i = 0; i < view.width; ++i) {
                    const double x = planeFromImage(view, i + 0.5, line).x;
                    Vec3 inView;
                    if (directionFromRow(view.projection, view.flip, row, x, inView))
                        draw(static_cast<size_t>(j * view.width + i), row, x, inView);
                }
            }
        },
        "drawing");
}

}  // namespace armilla
