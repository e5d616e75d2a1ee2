// SPDX-License-Identifier: GPL-3.0-or-later
// Lines over the picture of the sky, and tools that receive the pointer.
#pragma once

#include <QString>
#include <Qt>
#include <optional>
#include <vector>

#include "armilla/core/sky_vector.h"

namespace armilla {

// A line on the sphere; neighboring points are close enough to be joined by straight lines.
struct SkyLine {
    // Meaning of a line, which sets its color.
    enum class Ink { Region, Chosen, Excluded, Link, Orphan, Cut, Restore };
    Ink ink = Ink::Region;
    Frame frame = Frame::Unknown;  // unknown: frame of the view
    std::vector<Vec3> points;
    std::vector<Vec3> handles;  // handles that can be dragged
    QString text;               // label at the first point
    double width = 0.0;         // width of a brush, radians; 0: a thin line
};

// Receives presses and drags instead of the rotation of the sky. Used only in the window's thread.
class SkyTool {
public:
    // A pointer position on the sky.
    struct Place {
        Vec3 direction;
        Frame frame = Frame::Unknown;  // frame of the view
        double pixel = 0.0;            // angle of a logical pixel there, radians
        Qt::KeyboardModifiers modifiers;
    };
    SkyTool() = default;
    virtual ~SkyTool() = default;
    SkyTool(const SkyTool&) = delete;
    SkyTool& operator=(const SkyTool&) = delete;

    // Returns false if the tool ignores the press, and the sky rotates. After true, drag() and
    // release() follow.
    virtual bool press(const Place& at) = 0;
    virtual void drag(const Place& at) = 0;
    virtual void release() = 0;
    // The pointer moves without a press; none: off the sky.
    virtual void hover(const std::optional<Place>& at) = 0;
    // A double click; returns false to center the view.
    virtual bool finish(const Place& at) = 0;
    // Delete, Return, Escape; returns false if the view should handle the key.
    virtual bool key(int key) = 0;
    virtual Qt::CursorShape shape() const { return Qt::CrossCursor; }
};

}  // namespace armilla
