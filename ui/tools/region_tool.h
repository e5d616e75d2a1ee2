// SPDX-License-Identifier: GPL-3.0-or-later
// Regions drawn and changed by the hand on the sky.
#pragma once

#include <QObject>
#include <functional>
#include <optional>
#include <vector>

#include "core/region.h"
#include "ui/sky_drawing.h"

namespace armilla {

class RegionBook;

// Without a shape: a press takes hold of a handle of the current region, or of the region under the
// hand; elsewhere the sky turns. With one: a press begins a region, the drag makes it; a polygon
// takes a corner a click, and ends with a double click, Return, or a click on its first corner.
// Escape lets go, Backspace takes a corner back, Delete removes the current region.
class RegionTool : public QObject, public SkyTool {
    Q_OBJECT
public:
    // The book must outlive the tool.
    explicit RegionTool(RegionBook& book, QObject* parent = nullptr);

    void setShape(std::optional<RegionShape> shape);
    std::optional<RegionShape> shapeToDraw() const { return shape_; }
    // All regions, the current one with its handles, and the one that is being drawn.
    std::vector<SkyLine> lines() const;

    bool press(const Place& at) override;
    void drag(const Place& at) override;
    void release() override;
    void hover(const std::optional<Place>& at) override;
    bool finish(const Place& at) override;
    bool key(int key) override;
    Qt::CursorShape shape() const override;

signals:
    void linesChanged();
    // Drawing has ended; the next press changes what is there.
    void shapeChanged();

private:
    bool takeHandle(const Place& at);
    bool pressCorner(const Place& at);
    bool endPolygon();
    void add(const Region& region);

    RegionBook& book_;
    std::optional<RegionShape> shape_;
    std::optional<Region> drawing_;  // not in the book yet
    Vec3 from_;                      // where the press was, in the frame of the region
    Frame frame_ = Frame::Unknown;   // of the view
    std::optional<Vec3> under_;      // the hand, while corners are laid
    int held_ = -1;                  // region of the book
    std::optional<size_t> handle_;   // of held_; none: all of it
    Region atPress_;
    bool onHandle_ = false;
};

}  // namespace armilla
