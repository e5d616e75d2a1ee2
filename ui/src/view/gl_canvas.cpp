// SPDX-License-Identifier: GPL-3.0-or-later
#include "src/view/gl_canvas.h"

#include <QGuiApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLExtraFunctions>
#include <QOpenGLFunctions>
#include <QPainter>
#include <QSurfaceFormat>
#include <QTimer>
#include <algorithm>
#include <chrono>

#include "core/error.h"
#include "src/view/cpu_canvas.h"

namespace armilla {
namespace {

// Maps kept on the card. Beyond what is drawn, small ones stay for blinking and undo.
constexpr size_t kResidents = 4;
constexpr size_t kLargeResidents = 2;
constexpr int64_t kLargeNside = 4096;
// What was closed leaves the card once no picture came for this long.
constexpr int kSweepMilliseconds = 1000;
// Of an upload at a time: half a frame of a screen with 60 Hz.
constexpr double kUploadSeconds = 8e-3;

bool same(const std::weak_ptr<const MapPyramid>& a, const std::shared_ptr<const MapPyramid>& b) {
    return !a.owner_before(b) && !b.owner_before(a);
}

// "NVIDIA H200/PCIe/SSE2" and "llvmpipe (LLVM 15.0.6, 256 bits)" without their tails.
QString shortName(const std::string& device) {
    QString name = QString::fromStdString(device);
    for (const QLatin1String tail : {QLatin1String("/PCIe"), QLatin1String(" (")})
        if (const qsizetype at = name.indexOf(tail); at > 0) name.truncate(at);
    return name;
}

QSurfaceFormat neededFormat() {
    QSurfaceFormat format;
    format.setRenderableType(QSurfaceFormat::OpenGL);
    format.setVersion(3, 3);
    format.setProfile(QSurfaceFormat::CoreProfile);
    return format;
}

}  // namespace

bool GlCanvas::isPossible() {
    // These platforms make contexts at best, but cannot compose an OpenGL widget.
    const QString platform = QGuiApplication::platformName();
    return platform != QLatin1String("offscreen") && platform != QLatin1String("minimal") &&
           platform != QLatin1String("linuxfb") && platform != QLatin1String("vnc");
}

std::optional<QString> GlCanvas::softwareName() {
    static const std::optional<QString> name = []() -> std::optional<QString> {
        QOffscreenSurface surface;
        surface.setFormat(neededFormat());
        surface.create();
        QOpenGLContext context;
        context.setFormat(neededFormat());
        if (!context.create() || !context.makeCurrent(&surface)) return std::nullopt;
        const auto* text =
            reinterpret_cast<const char*>(context.functions()->glGetString(GL_RENDERER));
        const std::string device = text ? text : "";
        context.doneCurrent();
        if (!SkyRenderer::isSoftware(device)) return std::nullopt;
        return shortName(device);
    }();
    return name;
}

GlCanvas::GlCanvas(CanvasEvents events, GlPreference preference, QWidget* parent)
    : QOpenGLWidget(parent), SkyCanvas(std::move(events)), preference_(preference) {
    setFormat(neededFormat());
    fenceTimer_.setSingleShot(true);
    fenceTimer_.setTimerType(Qt::PreciseTimer);
    connect(&fenceTimer_, &QTimer::timeout, this, &GlCanvas::pollFence);
    sweepTimer_.setSingleShot(true);
    sweepTimer_.setInterval(kSweepMilliseconds);
    connect(&sweepTimer_, &QTimer::timeout, this, &GlCanvas::sweep);
    connect(this, &QOpenGLWidget::frameSwapped, this, &GlCanvas::watchFrame);
    connect(&imageWorker_, &PictureWorker::pictureReady, this, [this](const Picture& picture) {
        images_ = picture;
        update();
    });
}

GlCanvas::~GlCanvas() {
    release();
}

void GlCanvas::release() {
    if (!renderer_) return;
    makeCurrent();
    forgetFence();
    liveMap_.reset();
    residents_.clear();
    markers_.clear();
    renderer_.reset();
    doneCurrent();
}

void GlCanvas::giveUp(const QString& line) {
    if (broken_) return;
    broken_ = true;
    // Later: the receiver replaces this widget, which may be in the middle of painting.
    QMetaObject::invokeMethod(
        this, [this, line] { events_.broken(line); }, Qt::QueuedConnection);
}

void GlCanvas::showEvent(QShowEvent* event) {
    QOpenGLWidget::showEvent(event);
    // A window system without OpenGL never calls initializeGL. By the time this runs, the first
    // resize has tried.
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (isVisible() && !isValid()) giveUp(tr("OpenGL 3.3 is not available here"));
        },
        Qt::QueuedConnection);
}

void GlCanvas::initializeGL() {
    connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, &GlCanvas::release,
            Qt::UniqueConnection);
    try {
        renderer_ = std::make_unique<SkyRenderer>();
        renderer_->initialize();
        choosePath();
    } catch (const Error& error) {
        giveUp(QString::fromUtf8(error.what()));
    }
}

void GlCanvas::choosePath() {
    if (preference_ != GlPreference::OpenGl) {
        const auto paths = renderer_->availablePaths();
        if (std::find(paths.begin(), paths.end(), DrawPath::Cuda) != paths.end())
            renderer_->setPath(DrawPath::Cuda);
        else if (preference_ == GlPreference::Cuda)
            events_.warned(tr("CUDA cannot draw here: %1")
                               .arg(QString::fromStdString(renderer_->whyNot(DrawPath::Cuda))));
    }
    const QString device = shortName(renderer_->deviceName());
    const QString way =
        renderer_->path() == DrawPath::Cuda ? QStringLiteral("CUDA") : QStringLiteral("OpenGL");
    pathName_ = SkyRenderer::isSoftware(renderer_->deviceName())
                    ? tr("%1 · %2 (software)").arg(way, device)
                    : QStringLiteral("%1 · %2").arg(way, device);
    QMetaObject::invokeMethod(
        this,
        [this] {
            events_.pathKnown();
            events_.pictureDevice(renderer_ ? renderer_->pictureDevice() : std::nullopt);
        },
        Qt::QueuedConnection);
}

void GlCanvas::draw(const PictureRequest& request) {
    sweepTimer_.start();
    request_ = request;
    share_ = request.moving ? motion_.scale() : 1.0;
    if (!request.images.empty() && !request.moving) {
        PictureRequest images;
        images.size = request.size;
        images.camera = request.camera;
        images.images = request.images;
        images.pixelRatio = request.pixelRatio;
        imageWorker_.request(std::move(images));
    }
    update();
    events_.shown(request.camera, share_ < 1.0);
}

void GlCanvas::paintGL() {
    QOpenGLFunctions* gl = context()->functions();
    const QColor& background = request_.background;
    gl->glClearColor(background.redF(), background.greenF(), background.blueF(), 1.0F);
    gl->glClear(GL_COLOR_BUFFER_BIT);
    if (!renderer_ || broken_ ||
        (request_.parts.empty() && request_.markers.empty() && request_.images.empty()))
        return;
    stops_.painted = std::chrono::steady_clock::now();
    uploaded_ = showsLive_ = false;
    ++paintCount_;
    try {
        paintParts();
        paintImages();
        paintMarkers();
    } catch (const OutOfMemory& error) {
        giveUp(tr("The map does not fit on the graphics card (%1)").arg(error.what()));
        return;
    } catch (const Error& error) {
        giveUp(QString::fromUtf8(error.what()));
        return;
    }
    if (std::any_of(residents_.begin(), residents_.end(),
                    [this](const Resident& r) { return r.lastUse == paintCount_ && !r.whole; }))
        QTimer::singleShot(0, this, &GlCanvas::refine);
    painted_ = true;
    stops_.drawn = std::chrono::steady_clock::now();
}

void GlCanvas::watchFrame() {
    if (!std::exchange(painted_, false) || !renderer_) return;
    stops_.swapped = std::chrono::steady_clock::now();
    makeCurrent();
    forgetFence();
    QOpenGLExtraFunctions* gl = context()->extraFunctions();
    fence_ = gl->glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl->glFlush();
    pollFence();  // every change of the context takes the window's time
}

void GlCanvas::pollFence() {
    if (!fence_ || !renderer_) return;
    makeCurrent();
    const GLenum state =
        context()->extraFunctions()->glClientWaitSync(static_cast<GLsync>(fence_), 0, 0);
    const bool waits = state == GL_TIMEOUT_EXPIRED;
    if (!waits) forgetFence();
    doneCurrent();
    if (waits) {
        fenceTimer_.start(1);
        return;
    }
    stops_.shown = std::chrono::steady_clock::now();
    const double milliseconds =
        std::chrono::duration<double, std::milli>(stops_.shown - stops_.painted).count();
    if (!uploaded_) {  // an upload says nothing about drawing
        motion_.drawn(share_, 1e-3 * milliseconds);
        events_.timed(milliseconds);
    }
    if (showsLive_) events_.presented(stops_);
}

// With the context current.
void GlCanvas::forgetFence() {
    fenceTimer_.stop();
    if (fence_)
        context()->extraFunctions()->glDeleteSync(
            static_cast<GLsync>(std::exchange(fence_, nullptr)));
}

std::optional<MapHandle> GlCanvas::adopted(const std::shared_ptr<DevicePicture>& picture) {
    try {
        if (liveMap_)
            renderer_->adopt(*liveMap_, picture);
        else
            liveMap_ = renderer_->adopt(picture);
        showsLive_ = true;
        return liveMap_;
    } catch (const OutOfMemory& error) {
        dropLiveMap();
        // Later: the receiver asks for another picture, which cannot begin within this one.
        QMetaObject::invokeMethod(
            this, [this, line = QString::fromUtf8(error.what())] { events_.liveFailed(line); },
            Qt::QueuedConnection);
        return std::nullopt;
    }
}

void GlCanvas::dropLiveMap() {
    if (liveMap_) renderer_->remove(*std::exchange(liveMap_, std::nullopt));
}

void GlCanvas::refine() {
    const auto drawn =
        std::find_if(residents_.begin(), residents_.end(),
                     [this](const Resident& r) { return r.lastUse == paintCount_ && !r.whole; });
    if (!renderer_ || broken_ || drawn == residents_.end()) return;
    makeCurrent();
    try {
        const int64_t before = renderer_->drawnNside(drawn->handle);
        drawn->whole = renderer_->advanceUpload(drawn->handle, kUploadSeconds);
        // A finer picture is worth a frame, which comes back here.
        if (renderer_->drawnNside(drawn->handle) != before)
            update();
        else
            QTimer::singleShot(0, this, &GlCanvas::refine);
    } catch (const OutOfMemory& error) {
        giveUp(tr("The map does not fit on the graphics card (%1)").arg(error.what()));
    } catch (const Error& error) {
        giveUp(QString::fromUtf8(error.what()));
    }
    doneCurrent();
}

void GlCanvas::paintParts() {
    // A picture that nobody shows is given back.
    if (std::none_of(request_.parts.begin(), request_.parts.end(),
                     [](const PicturePart& part) { return part.live != nullptr; }))
        dropLiveMap();
    for (const PicturePart& part : request_.parts) {
        const auto live = part.live ? adopted(part.live) : std::nullopt;
        const MapHandle map = live ? *live : resident(part.field->pyramid);
        const QRect& panel = part.panel;
        const ViewGeometry fine =
            geometryFor(request_.camera, panel.size(), part.field->pyramid->frame());
        SkyRenderer::Viewport viewport;
        viewport.x = panel.left();
        viewport.y = request_.size.height() - panel.top() - panel.height();
        viewport.width = panel.width();
        viewport.height = panel.height();
        viewport.clipLeft = part.clipLeft;
        viewport.clipRight = part.clipRight;
        renderer_->draw(map, share_ < 1.0 ? coarser(fine, share_) : fine,
                        onBackground(part.scale, request_.background), viewport);
    }
}

// CPU threads make them; while they are behind the hand they are not shown.
void GlCanvas::paintImages() {
    if (request_.images.empty() || !looksSame(images_.camera, request_.camera) ||
        images_.size != request_.size)
        return;
    QPainter painter(this);
    painter.scale(1.0 / request_.pixelRatio, 1.0 / request_.pixelRatio);
    paintTiles(painter, images_);
}

void GlCanvas::paintMarkers() {
    // What no layer holds any more goes from the card, too.
    std::erase_if(markers_, [this](const ResidentMarkers& r) {
        if (!r.set.expired()) return false;
        renderer_->removeMarkers(r.handle);
        return true;
    });
    for (const PictureMarkers& part : request_.markers) {
        auto held = std::find_if(markers_.begin(), markers_.end(), [&](const ResidentMarkers& r) {
            return !r.set.owner_before(part.set) && !part.set.owner_before(r.set);
        });
        if (held == markers_.end()) {
            uploaded_ = true;
            held = markers_.insert(held, {part.set, renderer_->uploadMarkers(*part.set)});
        }
        const QRect& panel = part.panel;
        SkyRenderer::Viewport viewport;
        viewport.x = panel.left();
        viewport.y = request_.size.height() - panel.top() - panel.height();
        viewport.width = panel.width();
        viewport.height = panel.height();
        renderer_->drawMarkers(held->handle, *part.set,
                               geometryFor(request_.camera, panel.size(), part.set->frame()),
                               part.style, part.opacity, request_.pixelRatio, viewport);
    }
}

int64_t GlCanvas::deviceBytes(const std::shared_ptr<const MapPyramid>& pyramid) const {
    for (const Resident& r : residents_)
        if (same(r.pyramid, pyramid)) {
            // Single precision, and a third more for the coarser levels.
            const int64_t nside = renderer_->drawnNside(r.handle);
            return 12 * nside * nside * static_cast<int64_t>(sizeof(float)) * 4 / 3;
        }
    return 0;
}

void GlCanvas::sweep() {
    if (!renderer_ || !context()) return;
    const auto isGone = [](const Resident& r) { return r.pyramid.expired(); };
    if (std::none_of(residents_.begin(), residents_.end(), isGone)) return;
    makeCurrent();
    for (const Resident& r : residents_)
        if (isGone(r)) renderer_->remove(r.handle);
    std::erase_if(residents_, isGone);
    doneCurrent();
}

MapHandle GlCanvas::resident(const std::shared_ptr<const MapPyramid>& pyramid) {
    for (Resident& r : residents_)
        if (same(r.pyramid, pyramid)) {
            r.lastUse = paintCount_;
            return r.handle;
        }
    uploaded_ = true;
    const size_t room = pyramid->nside() >= kLargeNside ? kLargeResidents : kResidents;
    while (residents_.size() > room) {
        const auto oldest = std::min_element(
            residents_.begin(), residents_.end(),
            [](const Resident& a, const Resident& b) { return a.lastUse < b.lastUse; });
        if (oldest->lastUse == paintCount_) break;
        renderer_->remove(oldest->handle);
        residents_.erase(oldest);
    }
    if (residents_.size() >= room) {
        // The storage of the map that was not drawn for longest is used again.
        const auto oldest = std::min_element(
            residents_.begin(), residents_.end(),
            [](const Resident& a, const Resident& b) { return a.lastUse < b.lastUse; });
        if (oldest->lastUse != paintCount_) {
            try {
                renderer_->replace(oldest->handle, *pyramid, UploadPace::InPieces);
                oldest->pyramid = pyramid;
                oldest->whole = false;
                oldest->lastUse = paintCount_;
                return oldest->handle;
            } catch (const OutOfMemory&) {
                // The two do not fit beside each other; below, the old one makes room first.
            }
        }
    }
    const MapHandle handle = uploaded(*pyramid);
    residents_.push_back({pyramid, handle, paintCount_});
    return handle;
}

MapHandle GlCanvas::uploaded(const MapPyramid& pyramid) {
    try {
        return renderer_->upload(pyramid, UploadPace::InPieces);
    } catch (const OutOfMemory&) {
        for (const Resident& r : residents_)
            if (r.lastUse != paintCount_) renderer_->remove(r.handle);
        std::erase_if(residents_, [this](const Resident& r) { return r.lastUse != paintCount_; });
    }
    const SkyRenderer::Fitted fitted = renderer_->uploadWhatFits(pyramid, UploadPace::InPieces);
    if (fitted.nside < pyramid.nside())
        events_.warned(tr("The graphics card cannot hold nside %1: the picture is drawn from means "
                          "at nside %2; values read out stay exact")
                           .arg(pyramid.nside())
                           .arg(fitted.nside));
    return fitted.map;
}

}  // namespace armilla

#include "moc_gl_canvas.cpp"
