// SPDX-License-Identifier: GPL-3.0-or-later
// Shows pictures drawn by the graphics card, with OpenGL or with CUDA into OpenGL.
#pragma once

#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QSurfaceFormat>
#include <QTimer>
#include <QWindow>
#include <memory>
#include <optional>
#include <vector>

#include "armilla/draw/motion_scale.h"
#include "armilla/render/sky_renderer.h"
#include "view/overlay_image.h"
#include "view/overlay_layer.h"
#include "view/picture_worker.h"
#include "view/sky_canvas.h"

namespace armilla {

// Fastest: CUDA if it works, else OpenGL. Cuda: a replacement by OpenGL emits `warned`.
enum class GlPreference { Fastest, OpenGl, Cuda };

// A native child window that swaps its own frames. With a QOpenGLWidget, Qt would compose the whole
// window in every frame. Qt would also repaint, copy and upload everything over the sky on each
// panel update, which is each frame while a slider moves.
//
// The window takes no input, so that pointer events reach the widgets below. OverlayImage draws the
// overlay.
class GlCanvas : public QWindow, public SkyCanvas {
    Q_OBJECT
public:
    // `parent` and `overlay` must outlive this object.
    GlCanvas(CanvasEvents events, GlPreference preference, SkyOverlay& overlay, QWidget* parent);
    ~GlCanvas() override;

    // Surface format of its contexts.
    static QSurfaceFormat neededFormat();
    // False if the platform is known to lack OpenGL windows, without a test.
    static bool isPossible();
    // The reason, in a line, why CPU threads draw better than OpenGL here; none with a graphics
    // card. Queried once from a separate context.
    static std::optional<QString> drawback();

    QWidget* widget() override { return container_; }
    void draw(const PictureRequest& request) override;
    QString pathName() const override;
    int64_t deviceBytes(const std::shared_ptr<const MapPyramid>& pyramid) const override;

signals:
    void frameSwapped();

protected:
    bool event(QEvent* event) override;
    // QWidget::grab() of the view does not capture a native window, so the container paints the
    // picture into it.
    bool eventFilter(QObject* watched, QEvent* event) override;
    void exposeEvent(QExposeEvent* event) override;

private:
    // A map in graphics memory. The weak pointer identifies its host copy, which may be gone.
    struct Resident {
        std::weak_ptr<const MapPyramid> pyramid;
        MapHandle handle = 0;
        uint64_t lastUse = 0;
        bool whole = false;  // all levels are in graphics memory
    };
    // Positions of a catalog in graphics memory.
    struct ResidentMarkers {
        std::weak_ptr<const MarkerSet> set;
        MarkerHandle handle = 0;
    };
    // Returns false, and notifies the view, if there is no context.
    bool initialize();
    bool makeCurrent();
    // Schedules a frame for the next iteration of the event loop.
    void update();
    // Shows changes other than a live picture: in its next frame while live pictures arrive, else
    // in a separate frame.
    void updateBesideLive();
    void paintNow();
    // Paints into the bound framebuffer of the current context. Returns false after a failure.
    bool paintPicture(QSize size);
    QImage grabbed();
    void choosePath();
    // Starts or stops drawing by CPU threads; the graphics card then only displays the pictures.
    void setByThreads(bool on);
    bool byThreads() const { return threads_ != nullptr; }
    void paintParts();
    bool isSoftware() const;
    // Images and markers that CPU threads draw over the maps. They are requested when the view
    // rests; images also while their colors change. overFits() is true if the present picture
    // belongs to this view.
    void askOver();
    bool overFits() const;
    void paintOver(QSize size);
    void paintMarkers();
    MapHandle resident(const std::shared_ptr<const MapPyramid>& pyramid);
    // Uploads the map, or only its coarser levels, with a message, if the card lacks memory.
    MapHandle uploaded(const MapPyramid& pyramid);
    // Handle of a live picture, which is drawn from its original device memory; none, with a
    // signal, if memory is insufficient.
    std::optional<MapHandle> adopted(const std::shared_ptr<DevicePicture>& picture);
    void dropLiveMap();
    // Sets a fence after each swap, which gives the time of completion on the card without waiting.
    void watchFrame();
    void pollFence();
    void forgetFence();
    // Uploads finer levels of the drawn maps, between frames.
    void refine();
    void release();
    // Removes closed maps from the card, with a delay. A live result replaces its pyramid many
    // times a second, and the next one reuses the memory.
    void sweep();
    void giveUp(const QString& line);

    GlPreference preference_;
    bool broken_ = false;
    bool wantsFrame_ = false, updatePosted_ = false;
    QWidget* container_;
    OverlayLayer overlayLayer_;
    QOpenGLContext context_;
    QOffscreenSurface offscreen_;  // used while the window has no surface
    std::unique_ptr<SkyRenderer> renderer_;
    std::vector<Resident> residents_;
    std::vector<ResidentMarkers> markers_;
    PictureWorker overWorker_;
    Picture over_;
    bool asksOver_ = false;
    // Used while a map is drawn from its cells, which the card cannot do.
    std::unique_ptr<PictureWorker> threads_;
    Picture made_;
    uint64_t paintCount_ = 0;
    bool uploaded_ = false;  // during the present paint
    std::optional<MapHandle> liveMap_;
    FrameLatencyMarks marks_;  // latency marks of the latest paint
    QTimer fenceTimer_, sweepTimer_, besideTimer_;
    void* fence_ = nullptr;  // a GLsync
    bool showsLive_ = false;
    PictureRequest request_;
    double share_ = 1.0;
    MotionScale motion_;
    QString pathName_;
    // Last member: its constructor requests a frame, which uses the other members.
    std::unique_ptr<OverlayImage> overlayImage_;
};

}  // namespace armilla
