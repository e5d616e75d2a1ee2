// SPDX-License-Identifier: GPL-3.0-or-later
// The sky under the hand: shows what a document shows, with its camera, and turns the hand's
// movements into new cameras.
#pragma once

#include <QPointF>
#include <QString>
#include <QWidget>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "session/document.h"
#include "session/live_region.h"
#include "session/live_stops.h"
#include "ui/cursor_readout.h"
#include "ui/sky_preview.h"

namespace armilla {

class InspectorWidget;
class SkyTool;
struct SkyLine;

// How pictures are made. Automatic: CUDA, else OpenGL, else the CPU, whichever works first.
enum class DrawChoice { Automatic, OpenGl, Cuda, Cpu };

// A drag turns the sphere, the wheel zooms towards the cursor, a double click centers, Shift-drag
// measures an angle; arrow keys turn, + and - zoom, [ and ] turn about the line of sight, Home
// resets, Space blinks, Escape ends measuring. Every new camera goes to Document::setCamera, that
// which follows a selection to Document::glance.
class SkyViewWidget : public QWidget {
    Q_OBJECT
public:
    // The document must outlive the widget.
    explicit SkyViewWidget(Document& document, QWidget* parent = nullptr);
    ~SkyViewWidget() override;

    // The card in the lower right corner; belongs to this widget.
    InspectorWidget* inspector() const;
    void setInspectorVisible(bool visible);
    bool isInspectorVisible() const;

    // If the chosen way does not work here, messageRaised says why and the next one is taken.
    void setDrawChoice(DrawChoice choice);
    // The way in use and its device: "OpenGL · llvmpipe (software)", "CPU · 2 threads".
    QString pathName() const;
    // Why a faster way is not used; empty if there is nothing to tell.
    QString whyThisPath() const;
    // Latest time to draw one picture, milliseconds.
    double frameTime() const;

    // What the graphics card holds of each layer.
    std::map<int, int64_t> deviceBytes() const;

    void setInertia(bool on);
    bool inertia() const;
    // Time that each of two blinking maps is shown; 0: by key only.
    void setBlinkInterval(int milliseconds);

    // The place on the sky at a position in this widget; none off the sky or without a picture.
    std::optional<SkyCursor> cursorAt(QPointF position) const;
    // What it shows of the sky, in the camera's frame; none of more than a part of it.
    std::optional<LookedAt> lookedAt() const;
    // Over the live result, or over what it is made of while there is none.
    void setLiveRegion(const armilla::LiveRegion& region);
    // What a tool would make, over the maps; none: nothing.
    void setPreview(const std::optional<armilla::SkyPreview>& preview);
    const std::optional<SkyPreview>& preview() const;
    // Drawn while their field is shown; none: nothing.
    void setContours(const std::optional<SkyContours>& contours);
    const std::optional<SkyContours>& contours() const;
    // Of the ruler that is shown, radians.
    std::optional<double> measuredAngle() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    // Lines over the picture, those of each name in place of what it had before.
    void setLines(const QString& name, std::vector<SkyLine> lines);
    // Takes the hand from now on; null: the sky turns again. With Ctrl the sky turns all the same.
    // It must be taken back before it dies.
    void setTool(SkyTool* tool);
    SkyTool* tool() const;

public slots:
    void resetView();
    // Turns and zooms to the disc that holds the good pixels of what is shown; false where they are
    // all around. A small disc is shown gnomonic.
    bool zoomToData();
    void zoomIn();
    void zoomOut();
    void turn(double radians);
    // Moves the camera there in a quarter of a second. `position` is in the camera's frame.
    void centerOn(armilla::LonLat position);
    // Pins the inspector there; a cross marks the place. `position` is in the camera's frame.
    void mark(armilla::LonLat position);
    // Turns and zooms to a disc around a direction of `frame`, radians.
    void showDisc(Vec3 center, double radius, Frame frame);
    // Turns the sphere, where it must to see this direction of `frame`: as a selection, no step of
    // the history.
    void showPlace(Vec3 towards, Frame frame);
    void centerOnCursor(const armilla::SkyCursor& place);
    void showOtherBlink();
    void clearMeasurement();

signals:
    // Empty when the cursor leaves the sky.
    void cursorMoved(const std::optional<armilla::SkyCursor>& cursor);
    void pathChanged(const QString& name);
    void frameTimeChanged(double milliseconds);
    // The CUDA device whose live pictures this view can draw; none for all other ways of drawing.
    void pictureDeviceChanged(std::optional<int> device);
    // A live picture is on the screen.
    void livePresented(const FrameStops& stops);
    // One cannot be drawn from where it lies, for lack of memory: another way has to be taken.
    void liveFailed(const QString& line);
    void messageRaised(const QString& line, bool isError);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
