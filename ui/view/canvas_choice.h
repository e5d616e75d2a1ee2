// SPDX-License-Identifier: GPL-3.0-or-later
// The canvas of a sky view: the method that draws, and the next one if that fails.
#pragma once

#include <QString>
#include <functional>
#include <memory>

#include "armilla/ui/sky_view_widget.h"
#include "view/sky_canvas.h"
#include "view/sky_overlay.h"

namespace armilla {

class CanvasChoice {
public:
    // The view and the overlay must outlive this object. `events` makes the callbacks of a new
    // canvas; `replaced` is called with each new canvas.
    CanvasChoice(SkyViewWidget& view, SkyOverlay& overlay, std::function<CanvasEvents()> events,
                 std::function<void()> replaced);

    // Null until make().
    SkyCanvas* canvas() const { return canvas_.get(); }
    void make();
    // Makes another canvas if there is one.
    void choose(DrawChoice choice);
    // The CPU draws from now on, for this reason.
    void fallBack(const QString& line);
    // Reason why the preferred method is not used; empty if there is none to report.
    const QString& fallBackLine() const { return fallBackLine_; }

private:
    void replace(std::unique_ptr<SkyCanvas> made);

    SkyViewWidget& view_;
    SkyOverlay& overlay_;
    std::function<CanvasEvents()> events_;
    std::function<void()> replaced_;
    std::unique_ptr<SkyCanvas> canvas_;
    DrawChoice choice_ = DrawChoice::Automatic;
    QString fallBackLine_;
};

}  // namespace armilla
