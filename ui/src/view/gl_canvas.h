// SPDX-License-Identifier: GPL-3.0-or-later
// Shows pictures that the graphics card draws, by OpenGL or by CUDA into OpenGL.
#pragma once

#include <QOpenGLWidget>
#include <QTimer>
#include <memory>
#include <optional>
#include <vector>

#include "render/motion_scale.h"
#include "render/sky_renderer.h"
#include "src/view/picture_worker.h"
#include "src/view/sky_canvas.h"

namespace armilla {

// Preferred: CUDA if it works, else OpenGL. Required CUDA: OpenGL instead is told with `warned`.
enum class GlPreference { Fastest, OpenGl, Cuda };

class GlCanvas : public QOpenGLWidget, public SkyCanvas {
    Q_OBJECT
public:
    GlCanvas(CanvasEvents events, GlPreference preference, QWidget* parent);
    ~GlCanvas() override;

    // False where the platform is known to have no OpenGL widgets, without trying.
    static bool isPossible();
    // The name of the rasterizer if OpenGL runs in software here. Asked of a context of its own: a
    // window that has once held an OpenGL widget is composed by OpenGL from then on.
    static std::optional<QString> softwareName();

    QWidget* widget() override { return this; }
    void draw(const PictureRequest& request) override;
    QString pathName() const override { return pathName_; }
    int64_t deviceBytes(const std::shared_ptr<const MapPyramid>& pyramid) const override;

protected:
    void initializeGL() override;
    void paintGL() override;
    void showEvent(QShowEvent* event) override;

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
    void choosePath();
    void paintParts();
    void paintImages();
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
    std::unique_ptr<SkyRenderer> renderer_;
    std::vector<Resident> residents_;
    std::vector<ResidentMarkers> markers_;
    PictureWorker imageWorker_;
    Picture images_;
    uint64_t paintCount_ = 0;
    bool uploaded_ = false;  // during the present paint
    std::optional<MapHandle> liveMap_;
    FrameStops stops_;  // of the latest paint
    QTimer fenceTimer_, sweepTimer_;
    void* fence_ = nullptr;  // a GLsync
    bool painted_ = false, showsLive_ = false;
    PictureRequest request_;
    double share_ = 1.0;
    MotionScale motion_;
    QString pathName_;
};

}  // namespace armilla
