// SPDX-License-Identifier: GPL-3.0-or-later
// Draws and edits regions on the sky by pointer.
#pragma once

#include <QObject>
#include <functional>
#include <optional>
#include <vector>

#include "armilla/core/region.h"
#include "armilla/ui/sky_drawing.h"

namespace armilla {

class RegionBook;

// Without a shape, a press grabs a handle of the current region or the region under the pointer;
// elsewhere the sky rotates. With a shape, a drag makes a region. For a polygon each click adds a
// corner; a double click, Return, or a click on the first corner closes the polygon. Escape
// cancels, Backspace removes the last corner, Delete removes the current region.
class RegionTool : public QObject, public SkyTool {
    Q_OBJECT
public:
    // The book must outlive the tool.
    explicit RegionTool(RegionBook& book, QObject* parent = nullptr);

    void setShape(std::optional<RegionShape> shape);
    std::optional<RegionShape> shapeToDraw() const { return shape_; }
    // All regions, the current one with its handles, and the region being drawn.
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
    // Drawing has ended; the next press edits existing regions.
    void shapeChanged();

private:
    bool takeHandle(const Place& at);
    bool pressCorner(const Place& at);
    bool endPolygon();
    void add(const Region& region);

    RegionBook& book_;
    std::optional<RegionShape> shape_;
    std::optional<Region> drawing_;  // not in the book yet
    Vec3 from_;                      // position of the press, in the frame of the region
    Frame frame_ = Frame::Unknown;   // frame of the view
    std::optional<Vec3> under_;      // pointer position while corners are added
    int held_ = -1;                  // region of the book
    std::optional<size_t> handle_;   // grabbed handle of held_; none: the whole region
    Region atPress_;
    bool onHandle_ = false;
};

}  // namespace armilla
