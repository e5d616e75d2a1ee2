// SPDX-License-Identifier: GPL-3.0-or-later
// Interactive sky view: shows a document with its camera, and turns pointer input into new cameras.
#pragma once

#include <QPointF>
#include <QRect>
#include <QString>
#include <QWidget>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "armilla/session/document.h"
#include "armilla/session/latency_marks.h"
#include "armilla/session/live_region.h"
#include "armilla/ui/cursor_readout.h"
#include "armilla/ui/sky_decorations.h"

namespace armilla {

class InspectorWidget;
class SkyTool;

// Drawing method. Automatic: CUDA, else OpenGL, else the CPU, whichever works first.
enum class DrawChoice { Automatic, OpenGl, Cuda, Cpu };

// Pointer: a drag rotates the sphere, the wheel zooms towards the cursor, a double click centers,
// Shift-drag measures an angle.
//
// Keys: arrows rotate, + and - zoom, [ and ] rotate around the line of sight, Home resets, Space
// blinks, Escape ends measuring.
//
// Every new camera goes to Document::setCamera; a camera that follows a selection goes to
// Document::glance.
class SkyViewWidget : public QWidget {
    Q_OBJECT
public:
    // The document must outlive the widget.
    explicit SkyViewWidget(Document& document, QWidget* parent = nullptr);
    ~SkyViewWidget() override;

    // The card in the lower right corner; belongs to this widget.
    InspectorWidget* inspector() const;
    void setInspectorVisible(bool visible);

    // If the chosen method does not work here, messageRaised reports the reason and the next one is
    // used.
    void setDrawChoice(DrawChoice choice);
    // Drawing method in use and its device: "OpenGL · llvmpipe (software)", "CPU · 2 threads".
    QString pathName() const;
    // Why no faster method is used; empty if there is no reason to report.
    QString whyThisPath() const;
    // Time of the latest frame, milliseconds.
    double frameTime() const;

    // Graphics memory used by each layer.
    std::map<LayerId, int64_t> deviceBytes() const;

    // Gliding of the sphere after a drag.
    void setInertia(bool on);

    // The sky position at a point of this widget; none off the sky or without a picture.
    std::optional<SkyCursor> cursorAt(QPointF position) const;
    // The visible disc of the sky, in the camera's frame; none if the view shows more than a part
    // of it.
    std::optional<LookedAt> lookedAt() const;
    // Content of tools over the maps; belongs to this widget.
    SkyDecorations& decorations() const;
    // Length of the shown ruler, radians.
    std::optional<double> measuredAngle() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    // Sends pointer input to the tool; null: the sky rotates again. With Ctrl the sky always
    // rotates. The tool must be unset before its destruction.
    void setTool(SkyTool* tool);
    SkyTool* tool() const;

public slots:
    // Returns to the home position.
    void resetView();
    // Rotates and zooms to the disc of good pixels of the shown map. Returns false if good pixels
    // surround the whole sphere. A small disc is shown in gnomonic projection.
    bool zoomToData();
    void zoomIn();
    void zoomOut();
    // Rotates the view around the line of sight.
    void turn(double radians);
    // Moves the camera to a position (camera's frame) in a quarter of a second.
    void centerOn(armilla::LonLat position);
    // Pins the inspector at a position (camera's frame) and marks it with a cross.
    void mark(armilla::LonLat position);
    // Rotates and zooms to a disc around a direction of `frame`; radius in radians.
    void showDisc(Vec3 center, double radius, Frame frame);
    // Rotates the view, if necessary, until this direction of `frame` is visible. Adds no history
    // step, like a selection.
    void showPlace(Vec3 towards, Frame frame);
    // Centers the view on a cursor position.
    void centerOnCursor(const armilla::SkyCursor& place);
    // Removes the ruler.
    void clearMeasurement();

signals:
    // Empty when the cursor leaves the sky.
    void cursorMoved(const std::optional<armilla::SkyCursor>& cursor);
    void pathChanged(const QString& name);
    // A frame was drawn in this time.
    void frameTimeChanged(double milliseconds);
    // The CUDA device whose live pictures this view can draw; none for all other drawing methods.
    void pictureDeviceChanged(std::optional<int> device);
    // A live picture is on the screen.
    void livePresented(const FrameLatencyMarks& marks);
    // A live picture cannot be drawn from device memory for lack of memory; another method is
    // necessary.
    void liveFailed(const QString& line);
    // The areas of the names of maps over the picture, logical pixels, have changed.
    void namesMoved(const std::vector<QRect>& plates);
    // A message for the user.
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
