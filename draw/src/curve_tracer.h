// SPDX-License-Identifier: GPL-3.0-or-later
// Curves on the sky as polylines in the image: fine enough to look smooth; cut at seams, at the far
// side and outside the image.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "armilla/draw/graticule.h"

namespace armilla {

// A point of a curve for a parameter; none if not visible.
using Curve = std::function<std::optional<ImagePoint>(double)>;

class CurveTracer {
public:
    CurveTracer(int width, int height, std::vector<Polyline>& lines)
        : width_(width), height_(height), lines_(lines) {}
    // Appends the visible parts of the curve over [begin, end], initially sampled in `pieces`
    // parts.
    void trace(const Curve& curve, double begin, double end, int pieces);

private:
    using Point = std::optional<ImagePoint>;
    void between(const Curve& curve, double a, const Point& p, double b, const Point& q, int depth);
    void segment(const ImagePoint& p, const ImagePoint& q);
    bool sameSideOutside(const ImagePoint& p, const ImagePoint& q) const;

    int width_, height_;
    std::vector<Polyline>& lines_;
    bool open_ = false;  // the last line may continue
};

}  // namespace armilla
