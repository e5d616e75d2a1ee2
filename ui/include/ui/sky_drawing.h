// SPDX-License-Identifier: GPL-3.0-or-later
// Lines over the picture of the sky, and tools that take the hand.
#pragma once

#include <QString>
#include <Qt>
#include <optional>
#include <vector>

#include "core/sky_vector.h"

namespace armilla {

// A line on the sphere; neighbors among its points lie so near that a straight line serves.
struct SkyLine {
    enum class Ink { Region, Chosen, Excluded, Link, Orphan, Cut, Restore };
    Ink ink = Ink::Region;
    Frame frame = Frame::Unknown;  // unknown: that of the view
    std::vector<Vec3> points;
    std::vector<Vec3> handles;  // what the hand can take
    QString text;               // beside the first point
    double width = 0.0;         // of a brush, radians; 0: a thin line
};

// Takes presses and drags in place of the hand that turns the sky. All in the window's thread.
class SkyTool {
public:
    struct Place {
        Vec3 direction;
        Frame frame = Frame::Unknown;  // that of the view
        double pixel = 0.0;            // angle of a logical pixel there, radians
        Qt::KeyboardModifiers modifiers;
    };
    SkyTool() = default;
    virtual ~SkyTool() = default;
    SkyTool(const SkyTool&) = delete;
    SkyTool& operator=(const SkyTool&) = delete;

    // False: not wanted, and the sky turns. After true come drag and release.
    virtual bool press(const Place& at) = 0;
    virtual void drag(const Place& at) = 0;
    virtual void release() = 0;
    virtual void hover(const std::optional<Place>& at) = 0;
    // A double click; false: the view centers.
    virtual bool finish(const Place& at) = 0;
    // Delete, Return, Escape; false: the key is the view's.
    virtual bool key(int key) = 0;
    virtual Qt::CursorShape shape() const { return Qt::CrossCursor; }
};

}  // namespace armilla
