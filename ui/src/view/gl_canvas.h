// SPDX-License-Identifier: GPL-3.0-or-later
// Shows pictures that the graphics card draws, by OpenGL or by CUDA into OpenGL.
#pragma once

#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QSurfaceFormat>
#include <QTimer>
#include <QWindow>
#include <memory>
#include <optional>
#include <vector>

#include "render/motion_scale.h"
#include "render/sky_renderer.h"
#include "src/view/glass_layer.h"
#include "src/view/picture_worker.h"
#include "src/view/sky_canvas.h"
#include "src/view/sky_glass.h"

namespace armilla {

// Preferred: CUDA if it works, else OpenGL. Required CUDA: OpenGL instead is told with `warned`.
enum class GlPreference { Fastest, OpenGl, Cuda };

// A window within the window, swapped by itself. A QOpenGLWidget would have Qt compose the whole
// window at every frame, and paint, copy and upload all that lies over the sky whenever anything in
// a panel is new, too: while a slider moves that is each frame. The window takes no input, so that
// the widgets below meet the hand as if it were not there; what lies over the sky is drawn by the
// glass.
class GlCanvas : public QWindow, public SkyCanvas {
    Q_OBJECT
public:
    // `parent` and `overlay` must outlive it.
    GlCanvas(CanvasEvents events, GlPreference preference, SkyOverlay& overlay, QWidget* parent);
    ~GlCanvas() override;

    // Of the contexts that it draws with.
    static QSurfaceFormat neededFormat();
    // False where the platform is known to have no windows of OpenGL, without trying.
    static bool isPossible();
    // Why CPU threads draw better than OpenGL would here, in a line; none where a card draws. Asked
    // of a context of its own, once.
    static std::optional<QString> drawback();

    QWidget* widget() override { return container_; }
    void draw(const PictureRequest& request) override;
    QString pathName() const override;
    // How crowds of markers are drawn; to be set for measurements. Points where nothing is drawn
    // yet.
    CrowdPath crowdPath() const;
    void setCrowdPath(CrowdPath path);
    int64_t deviceBytes(const std::shared_ptr<const MapPyramid>& pyramid) const override;

signals:
    void frameSwapped();

protected:
    bool event(QEvent* event) override;
    // A grab of the view finds no window, so the container paints the picture into it.
    bool eventFilter(QObject* watched, QEvent* event) override;
    void exposeEvent(QExposeEvent* event) override;

private:
    // A map on the card. The host copy may be gone; the weak pointer still tells whose it was.
    struct Resident {
        std::weak_ptr<const MapPyramid> pyramid;
        MapHandle handle = 0;
        uint64_t lastUse = 0;
        bool whole = false;  // all of it is on the card
    };
    // A catalog's places on the card.
    struct ResidentMarkers {
        std::weak_ptr<const MarkerSet> set;
        MarkerHandle handle = 0;
    };
    // False, and the view is told, where there is no context.
    bool initialize();
    bool makeCurrent();
    // A frame with the next turn of the event loop.
    void update();
    // For what changed beside a live picture: with the next one where they follow each other, else
    // a frame of its own.
    void updateBesideLive();
    void paintNow();
    // With the context current, into the framebuffer that is bound. False where that failed.
    bool paintPicture(QSize size);
    QImage grabbed();
    void choosePath();
    // Pictures by CPU threads, shown by the graphics card, from now on or no longer.
    void setByThreads(bool on);
    bool byThreads() const { return threads_ != nullptr; }
    void paintParts();
    bool isSoftware() const;
    // What CPU threads lay over the maps: asked for once the view rests, images also while their
    // colors change, and whether there is one of this view.
    void askOver();
    bool overFits() const;
    void paintOver(QSize size);
    void paintMarkers();
    MapHandle resident(const std::shared_ptr<const MapPyramid>& pyramid);
    // The map, or its coarser levels where the card cannot hold it, which the user is told.
    MapHandle uploaded(const MapPyramid& pyramid);
    // Of a live picture, which is drawn from where it was made; none where there is no room for it,
    // which is told.
    std::optional<MapHandle> adopted(const std::shared_ptr<DevicePicture>& picture);
    void dropLiveMap();
    // Behind each swapped frame, which tells its time once the card is done: nobody waits for it.
    void watchFrame();
    void pollFence();
    void forgetFence();
    // Brings the maps that are drawn to the card, between frames.
    void refine();
    void release();
    // Maps that are open no more leave the card. Not at once: a live result replaces its pyramid
    // many times a second, and the next one takes the place.
    void sweep();
    void giveUp(const QString& line);

    GlPreference preference_;
    bool broken_ = false;
    bool wantsFrame_ = false, updatePosted_ = false;
    QWidget* container_;
    GlassLayer glassLayer_;
    QOpenGLContext context_;
    QOffscreenSurface offscreen_;  // where the window has none (any more)
    std::unique_ptr<SkyRenderer> renderer_;
    std::vector<Resident> residents_;
    std::vector<ResidentMarkers> markers_;
    PictureWorker overWorker_;
    Picture over_;
    bool asksOver_ = false;
    // While a map is drawn by its own cells, which the card cannot.
    std::unique_ptr<PictureWorker> threads_;
    Picture made_;
    uint64_t paintCount_ = 0;
    bool uploaded_ = false;  // during the present paint
    std::optional<MapHandle> liveMap_;
    FrameStops stops_;  // of the latest paint
    QTimer fenceTimer_, sweepTimer_, besideTimer_;
    void* fence_ = nullptr;  // a GLsync
    bool showsLive_ = false;
    PictureRequest request_;
    double share_ = 1.0;
    MotionScale motion_;
    QString pathName_;
    // Last: it asks for a frame as it is made, which reads the others.
    std::unique_ptr<SkyGlass> glass_;
};

}  // namespace armilla
