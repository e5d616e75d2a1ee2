// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/brush_tool.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "armilla/session/mask_brush.h"
#include "armilla/session/region_shape.h"

namespace armilla {
namespace {

constexpr double kLeast = kArcsec, kMost = 45.0 * kDegree, kStep = 1.25;
// Spacing of path points relative to the brush: smooth, but few points.
constexpr double kPointShare = 0.2;
// Limit of strokes drawn over the map; more would hide it.
constexpr size_t kMostDrawn = 400;
constexpr int kArcSteps = 8;

SkyLine lineOf(const MaskStroke& stroke) {
    SkyLine line{stroke.good ? SkyLine::Ink::Restore : SkyLine::Ink::Cut,
                 stroke.frame,
                 {},
                 {},
                 {},
                 2.0 * stroke.radius};
    for (size_t i = 0; i < stroke.path.size(); ++i) {
        const Vec3 to = direction(stroke.path[i]);
        const Vec3 from = i == 0 ? to : direction(stroke.path[i - 1]);
        for (int k = i == 0 ? kArcSteps : 1; k <= kArcSteps; ++k) {
            const double t = static_cast<double>(k) / kArcSteps;
            line.points.push_back(normalized((1.0 - t) * from + t * to));
        }
    }
    return line;
}

}  // namespace

BrushTool::BrushTool(MaskBrush& brush, QObject* parent)
    : QObject(parent), brush_(brush), radius_(2.0 * kDegree) {
    const auto changed = [this](LayerId layer) {
        if (layer == layer_) emit linesChanged();
    };
    connect(&brush_, &MaskBrush::strokesChanged, this, changed);
    connect(&brush_, &MaskBrush::shownChanged, this, changed);
}

void BrushTool::setLayer(LayerId layer) {
    if (layer == layer_) return;
    layer_ = layer;
    // A stroke in progress continues on the new mask.
    if (!awaits_) stroke_.reset();
    awaits_ = false;
    for (const MaskStroke& stroke : std::exchange(held_, {}))
        if (layer_.isValid()) brush_.paint(layer_, stroke);
    emit linesChanged();
}

void BrushTool::await(bool on) {
    if (on == awaits_) return;
    awaits_ = on;
    held_.clear();
    if (!layer_.isValid()) stroke_.reset();
    emit linesChanged();
}

void BrushTool::setRadius(double radius) {
    const double to = std::clamp(radius, kLeast, kMost);
    if (to == radius_) return;
    radius_ = to;
    emit radiusChanged();
    emit linesChanged();
}

void BrushTool::setErasing(bool on) {
    erases_ = on;
    emit linesChanged();
}

void BrushTool::setMaskShown(bool shown) {
    if (shown == maskShown_) return;
    maskShown_ = shown;
    emit linesChanged();
}

// Strokes that are not yet in the picture, the stroke in progress, and the brush.
std::vector<SkyLine> BrushTool::lines() const {
    std::vector<SkyLine> lines;
    const std::vector<MaskStroke> all = brush_.strokes(layer_);
    size_t first = maskShown_ ? std::min(all.size(), brush_.shownStrokes(layer_)) : 0;
    if (all.size() - first > kMostDrawn) first = all.size() - kMostDrawn;
    for (size_t i = first; i < all.size(); ++i) lines.push_back(lineOf(all[i]));
    for (const MaskStroke& stroke : held_) lines.push_back(lineOf(stroke));
    if (stroke_) lines.push_back(lineOf(*stroke_));
    const bool good = stroke_ ? stroke_->good : erases_;
    if (under_ && takesPointer())
        lines.push_back({good ? SkyLine::Ink::Restore : SkyLine::Ink::Cut,
                         under_->frame,
                         circleAround(under_->direction, radius_),
                         {},
                         {},
                         0.0});
    return lines;
}

bool BrushTool::press(const Place& at) {
    if (!takesPointer()) return false;
    MaskStroke stroke;
    stroke.good = erases_ != at.modifiers.testFlag(Qt::AltModifier);
    stroke.frame = at.frame;
    stroke.radius = radius_;
    stroke.path = {lonLat(at.direction)};
    stroke_ = std::move(stroke);
    under_ = at;
    emit linesChanged();
    return true;
}

void BrushTool::drag(const Place& at) {
    if (!stroke_) return;
    under_ = at;
    const double moved = angularDistance(direction(stroke_->path.back()), at.direction);
    if (moved >= std::max(kPointShare * radius_, 2.0 * at.pixel))
        stroke_->path.push_back(lonLat(at.direction));
    emit linesChanged();
}

void BrushTool::release() {
    if (!stroke_) return;
    const MaskStroke made = *stroke_;
    stroke_.reset();
    if (layer_.isValid())
        brush_.paint(layer_, made);
    else
        held_.push_back(made);
    emit linesChanged();
}

void BrushTool::hover(const std::optional<Place>& at) {
    under_ = at;
    emit linesChanged();
}

bool BrushTool::finish(const Place& /*at*/) {
    return takesPointer();  // two dabs
}

bool BrushTool::key(int key) {
    switch (key) {
        case Qt::Key_BracketLeft: setRadius(radius_ / kStep); return true;
        case Qt::Key_BracketRight: setRadius(radius_ * kStep); return true;
        case Qt::Key_Escape:
            if (!stroke_) return false;
            stroke_.reset();
            emit linesChanged();
            return true;
        default: return false;
    }
}

}  // namespace armilla
