// SPDX-License-Identifier: GPL-3.0-or-later
#include "curve_tracer.h"

#include <cmath>

namespace armilla {

namespace {

constexpr double kFlatness = 0.3;   // maximum distance between chord and curve, pixels
constexpr double kMaxChord = 40.0;  // pixels; longer chords are divided
constexpr double kMargin = 20.0;    // pixels around the image that count as inside
// halvings: ends of visibility and seams are accurate to 1e-8 of a piece
constexpr int kMaxDepth = 26;

}  // namespace

bool CurveTracer::sameSideOutside(const ImagePoint& p, const ImagePoint& q) const {
    return (p.column < -kMargin && q.column < -kMargin) || (p.row < -kMargin && q.row < -kMargin) ||
           (p.column > width_ + kMargin && q.column > width_ + kMargin) ||
           (p.row > height_ + kMargin && q.row > height_ + kMargin);
}

void CurveTracer::segment(const ImagePoint& p, const ImagePoint& q) {
    if (!open_) lines_.push_back({p});
    lines_.back().push_back(q);
    open_ = true;
}

void CurveTracer::between(const Curve& curve, double a, const Point& p, double b, const Point& q,
                          int depth) {
    if (!p && !q) {
        open_ = false;
        return;
    }
    if (p && q && sameSideOutside(*p, *q)) {
        open_ = false;
        return;
    }
    if (depth == 0) {
        // A seam, or the end of visibility: cut the line here.
        open_ = false;
        return;
    }
    const double middle = 0.5 * (a + b);
    const Point m = curve(middle);
    if (p && q && m) {
        const double chord = std::hypot(q->column - p->column, q->row - p->row);
        const double away =
            std::hypot(m->column - 0.5 * (p->column + q->column), m->row - 0.5 * (p->row + q->row));
        if (chord <= kMaxChord && away <= kFlatness) {
            segment(*p, *q);
            return;
        }
    }
    between(curve, a, p, middle, m, depth - 1);
    between(curve, middle, m, b, q, depth - 1);
}

void CurveTracer::trace(const Curve& curve, double begin, double end, int pieces) {
    open_ = false;
    Point last = curve(begin);
    double from = begin;
    for (int i = 1; i <= pieces; ++i) {
        const double to = begin + (end - begin) * i / pieces;
        const Point next = curve(to);
        between(curve, from, last, to, next, kMaxDepth);
        last = next;
        from = to;
    }
    open_ = false;
}

}  // namespace armilla
