// SPDX-License-Identifier: GPL-3.0-or-later
// A surface that shows pictures of the sky, drawn by OpenGL (or CUDA into OpenGL) or by CPU
// threads.
#pragma once

#include <QObject>
#include <QString>
#include <QWidget>
#include <functional>
#include <optional>

#include "armilla/session/latency_marks.h"
#include "view/picture.h"

namespace armilla {

// Callbacks of a canvas to its view.
struct CanvasEvents {
    // The picture of this camera is on the screen (or will be with the next refresh).
    std::function<void(const Camera& camera, bool coarse)> shown;
    std::function<void(double milliseconds)> timed;
    // The drawing method became known or changed.
    std::function<void()> pathKnown;
    // This canvas cannot draw any more, with the reason.
    std::function<void(const QString& line)> broken;
    // The CUDA device whose pictures this canvas can draw from device memory.
    std::function<void(std::optional<int> device)> pictureDevice;
    // The last request with a live picture is completely drawn and swapped.
    std::function<void(const FrameLatencyMarks& marks)> presented;
    // The live picture cannot be drawn from device memory; other drawing continues.
    std::function<void(const QString& line)> liveFailed;
    // A warning that does not stop the drawing.
    std::function<void(const QString& line)> warned;
};

class SkyCanvas {
public:
    explicit SkyCanvas(CanvasEvents events) : events_(std::move(events)) {}
    virtual ~SkyCanvas() = default;
    SkyCanvas(const SkyCanvas&) = delete;
    SkyCanvas& operator=(const SkyCanvas&) = delete;

    virtual QWidget* widget() = 0;
    virtual void draw(const PictureRequest& request) = 0;
    // "OpenGL · llvmpipe (software)"; empty until known.
    virtual QString pathName() const = 0;
    // Graphics memory that holds this pyramid.
    virtual int64_t deviceBytes(const std::shared_ptr<const MapPyramid>& pyramid) const {
        Q_UNUSED(pyramid)
        return 0;
    }

protected:
    CanvasEvents events_;
};

}  // namespace armilla
