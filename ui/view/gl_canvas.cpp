// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/gl_canvas.h"

#include <QGuiApplication>
#include <QOpenGLExtraFunctions>
#include <QOpenGLFramebufferObject>
#include <QOpenGLFunctions>
#include <QOpenGLPaintDevice>
#include <QPainter>
#include <QPlatformSurfaceEvent>
#include <QTimer>
#include <algorithm>
#include <chrono>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/ui/opengl_question.h"
#include "view/cpu_canvas.h"

namespace armilla {
namespace {

// Limits of maps in graphics memory. Besides the drawn maps, small ones stay for blinking and undo.
constexpr size_t kResidents = 4;
constexpr size_t kLargeResidents = 2;
constexpr int64_t kLargeNside = 4096;
// Time without a new picture before closed maps leave the card.
constexpr int kSweepMilliseconds = 1000;
// Overlay changes wait for a live picture within kLiveDistance, at most kBesideMilliseconds.
constexpr std::chrono::milliseconds kLiveDistance{60};
constexpr int kBesideMilliseconds = 30;
// Duration of one upload step: half a frame at 60 Hz.
constexpr double kUploadSeconds = 8e-3;

bool same(const std::weak_ptr<const MapPyramid>& a, const std::shared_ptr<const MapPyramid>& b) {
    return !a.owner_before(b) && !b.owner_before(a);
}

// Buffers of live pictures alternate, so another buffer means another picture.
const DevicePicture* liveOf(const PictureRequest& request) {
    for (const PicturePart& part : request.parts)
        if (part.live) return part.live.get();
    return nullptr;
}

// "NVIDIA H200/PCIe/SSE2" and "llvmpipe (LLVM 15.0.6, 256 bits)" without their suffixes.
QString shortName(const std::string& device) {
    QString name = QString::fromStdString(device);
    for (const QLatin1String tail : {QLatin1String("/PCIe"), QLatin1String(" (")})
        if (const qsizetype at = name.indexOf(tail); at > 0) name.truncate(at);
    return name;
}

}  // namespace

QSurfaceFormat GlCanvas::neededFormat() {
    QSurfaceFormat format = QSurfaceFormat::defaultFormat();
    format.setStencilBufferSize(8);  // for QPainter
    format.setRenderableType(QSurfaceFormat::OpenGL);
    format.setVersion(3, 3);
    format.setProfile(QSurfaceFormat::CoreProfile);
    return format;
}

bool GlCanvas::isPossible() {
    // These platforms may create contexts, but have no windows for OpenGL.
    const QString platform = QGuiApplication::platformName();
    return platform != QLatin1String("offscreen") && platform != QLatin1String("minimal") &&
           platform != QLatin1String("linuxfb") && platform != QLatin1String("vnc");
}

std::optional<QString> GlCanvas::drawback() {
    static const std::optional<QString> line = []() -> std::optional<QString> {
        const auto answer = OpenGlQuestion::answer();
        // A driver that crashed another process is not used in this one.
        if (answer && !answer->isEnded) return tr("OpenGL does not answer here");
        const std::string device = answer ? answer->renderer : openGlRenderer();
        if (!SkyRenderer::isSoftware(device)) return std::nullopt;
        return tr("OpenGL runs in software here (%1)").arg(shortName(device));
    }();
    return line;
}

GlCanvas::GlCanvas(CanvasEvents events, GlPreference preference, SkyOverlay& overlay,
                   QWidget* parent)
    : SkyCanvas(std::move(events)),
      preference_(preference),
      container_(QWidget::createWindowContainer(this, parent)),
      overlayImage_(
          std::make_unique<OverlayImage>(*container_, overlay, [this] { updateBesideLive(); })) {
    setSurfaceType(QSurface::OpenGLSurface);
    setFormat(neededFormat());
    setFlags(flags() | Qt::WindowTransparentForInput | Qt::WindowDoesNotAcceptFocus);
    container_->setAcceptDrops(false);  // the view handles drops
    container_->installEventFilter(this);
    fenceTimer_.setSingleShot(true);
    fenceTimer_.setTimerType(Qt::PreciseTimer);
    connect(&fenceTimer_, &QTimer::timeout, this, &GlCanvas::pollFence);
    besideTimer_.setSingleShot(true);
    besideTimer_.setInterval(kBesideMilliseconds);
    connect(&besideTimer_, &QTimer::timeout, this, &GlCanvas::update);
    sweepTimer_.setSingleShot(true);
    sweepTimer_.setInterval(kSweepMilliseconds);
    connect(&sweepTimer_, &QTimer::timeout, this, &GlCanvas::sweep);
    connect(&overWorker_, &PictureWorker::pictureReady, this, [this](const Picture& picture) {
        over_ = picture;
        update();
    });
    connect(&overWorker_, &PictureWorker::failed, this,
            [this](const QString& line) { events_.warned(line); });
}

GlCanvas::~GlCanvas() {
    release();
    overlayImage_.reset();  // while the container exists
    destroy();
    setParent(nullptr);  // otherwise the container would delete it
    delete container_;
}

bool GlCanvas::makeCurrent() {
    return context_.makeCurrent(handle() ? static_cast<QSurface*>(this) : &offscreen_);
}

void GlCanvas::release() {
    if (!context_.isValid()) return;
    if (!makeCurrent() && !context_.makeCurrent(&offscreen_)) {
        // Without a context, OpenGL calls would crash; the renderer's resources end with it.
        fenceTimer_.stop();
        return static_cast<void>(renderer_.release());
    }
    forgetFence();
    liveMap_.reset();
    residents_.clear();
    markers_.clear();
    overlayLayer_.release();
    renderer_.reset();
    context_.doneCurrent();
}

void GlCanvas::giveUp(const QString& line) {
    if (broken_) return;
    broken_ = true;
    // Queued: the receiver replaces this canvas, which may be painting.
    QMetaObject::invokeMethod(
        this, [this, line] { events_.broken(line); }, Qt::QueuedConnection);
}

bool GlCanvas::initialize() {
    if (renderer_) return true;
    context_.setFormat(neededFormat());
    offscreen_.setFormat(neededFormat());
    offscreen_.create();
    if (!context_.create() || !makeCurrent()) {
        giveUp(tr("OpenGL 3.3 is not available here"));
        return false;
    }
    try {
        renderer_ = std::make_unique<SkyRenderer>();
        renderer_->initialize();
        choosePath();
    } catch (const Error& error) {
        giveUp(QString::fromUtf8(error.what()));
    }
    context_.doneCurrent();
    return !broken_;
}

bool GlCanvas::event(QEvent* event) {
    if (event->type() == QEvent::UpdateRequest) {
        updatePosted_ = false;
        if (wantsFrame_) paintNow();
        return true;
    }
    if (event->type() == QEvent::PlatformSurface &&
        static_cast<QPlatformSurfaceEvent*>(event)->surfaceEventType() ==
            QPlatformSurfaceEvent::SurfaceAboutToBeDestroyed &&
        QOpenGLContext::currentContext() == &context_)
        context_.doneCurrent();
    return QWindow::event(event);
}

bool GlCanvas::eventFilter(QObject* watched, QEvent* event) {
    if (watched != container_ || event->type() != QEvent::Paint) return false;
    QPainter painter(container_);
    if (isOnScreen(*container_)) return false;
    if (const QImage picture = grabbed(); !picture.isNull()) painter.drawImage(QPointF(), picture);
    return false;
}

void GlCanvas::exposeEvent(QExposeEvent*) {
    if (isExposed()) paintNow();
}

void GlCanvas::update() {
    wantsFrame_ = true;
    // Low priority, as for a widget: after the events that change the content.
    if (!std::exchange(updatePosted_, true))
        QCoreApplication::postEvent(this, new QEvent(QEvent::UpdateRequest), Qt::LowEventPriority);
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
            events_.pictureDevice(renderer_ && !byThreads() ? renderer_->pictureDevice()
                                                            : std::nullopt);
        },
        Qt::QueuedConnection);
}

QString GlCanvas::pathName() const {
    if (!byThreads()) return pathName_;
    return tr("CPU · %n thread(s), shown by OpenGL", nullptr, PictureWorker::threads());
}

void GlCanvas::setByThreads(bool on) {
    if (on == byThreads()) return;
    made_ = {};
    threads_.reset();
    if (on) {
        threads_ = std::make_unique<PictureWorker>();
        connect(threads_.get(), &PictureWorker::pictureReady, this, [this](const Picture& picture) {
            made_ = picture;
            events_.shown(picture.camera, picture.coarse);
            events_.timed(picture.milliseconds);
            update();
        });
        connect(threads_.get(), &PictureWorker::failed, this,
                [this](const QString& line) { events_.warned(line); });
    }
    events_.pathKnown();
    events_.pictureDevice(on || !renderer_ ? std::nullopt : renderer_->pictureDevice());
}

void GlCanvas::draw(const PictureRequest& request) {
    sweepTimer_.start();
    const bool isStill =
        request.size == request_.size && looksSame(request.camera, request_.camera);
    const bool hasNewLive = liveOf(request) && liveOf(request) != liveOf(request_);
    // Images are redrawn while their colors change; markers when the view rests.
    asksOver_ = !request.moving || (isStill && (asksOver_ || !sameImages(request, request_)));
    request_ = request;
    setByThreads(needsThreads(request));
    if (byThreads()) return threads_->request(request);
    share_ = request.moving ? motion_.scale() : 1.0;
    if (request.moving) overWorker_.giveUp();
    events_.shown(request.camera, share_ < 1.0);
    // A live picture is painted at once, before panels update. Other changes since the last one
    // join the next one.
    if (hasNewLive)
        paintNow();
    else if (isStill)
        updateBesideLive();
    else
        update();
}

void GlCanvas::updateBesideLive() {
    const bool isLive =
        showsLive_ && std::chrono::steady_clock::now() - marks_.painted < kLiveDistance;
    if (!isLive)
        update();
    else if (!besideTimer_.isActive())
        besideTimer_.start();
}

void GlCanvas::paintNow() {
    wantsFrame_ = false;
    besideTimer_.stop();
    if (!isExposed() || broken_ || !initialize()) return;
    marks_.painted = std::chrono::steady_clock::now();
    const QRegion renewed = overlayImage_->renew();
    if (!makeCurrent()) return giveUp(tr("OpenGL 3.3 is not available here"));
    const QSize size = (QSizeF(this->size()) * devicePixelRatio()).toSize();
    uploaded_ = showsLive_ = false;
    ++paintCount_;
    const bool hasPicture = paintPicture(size);
    if (broken_) return context_.doneCurrent();
    overlayLayer_.draw(overlayImage_->image(), renewed, size);
    if (std::any_of(residents_.begin(), residents_.end(),
                    [this](const Resident& r) { return r.lastUse == paintCount_ && !r.whole; }))
        QTimer::singleShot(0, this, &GlCanvas::refine);
    marks_.drawn = std::chrono::steady_clock::now();
    context_.swapBuffers(this);
    marks_.swapped = std::chrono::steady_clock::now();
    if (hasPicture)
        watchFrame();
    else
        context_.doneCurrent();
    emit frameSwapped();
}

bool GlCanvas::paintPicture(QSize size) {
    QOpenGLFunctions* gl = context_.functions();
    gl->glViewport(0, 0, size.width(), size.height());
    const QColor& background = request_.background;
    gl->glClearColor(background.redF(), background.greenF(), background.blueF(), 1.0F);
    gl->glClear(GL_COLOR_BUFFER_BIT);
    if (request_.parts.empty() && request_.markers.empty() && request_.images.empty()) return false;
    if (byThreads()) {
        QOpenGLPaintDevice device(size);
        QPainter painter(&device);
        paintTiles(painter, made_);
        return false;  // no graphics card to time
    }
    try {
        if (std::exchange(asksOver_, false)) askOver();
        paintParts();
        paintOver(size);
        paintMarkers();
    } catch (const OutOfMemory& error) {
        giveUp(tr("The map does not fit on the graphics card (%1)").arg(error.what()));
    } catch (const Error& error) {
        giveUp(QString::fromUtf8(error.what()));
    }
    return !broken_;
}

QImage GlCanvas::grabbed() {
    if (!renderer_ || broken_ || request_.size.isEmpty() || !makeCurrent()) return {};
    QImage image;
    {
        QOpenGLFramebufferObject target(request_.size,
                                        QOpenGLFramebufferObject::CombinedDepthStencil);
        target.bind();
        paintPicture(request_.size);
        target.release();
        image = target.toImage();
    }
    context_.doneCurrent();
    image.setDevicePixelRatio(devicePixelRatio());
    return image;
}

// Needs the current context, and releases it at its end.
void GlCanvas::watchFrame() {
    forgetFence();
    QOpenGLExtraFunctions* gl = context_.extraFunctions();
    fence_ = gl->glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl->glFlush();
    pollFence();  // every switch of contexts costs time of the window's thread
}

void GlCanvas::pollFence() {
    if (!fence_ || !renderer_ || !makeCurrent()) return;
    const GLenum state =
        context_.extraFunctions()->glClientWaitSync(static_cast<GLsync>(fence_), 0, 0);
    const bool waits = state == GL_TIMEOUT_EXPIRED;
    if (!waits) forgetFence();
    context_.doneCurrent();
    if (waits) {
        fenceTimer_.start(1);
        return;
    }
    marks_.shown = std::chrono::steady_clock::now();
    const double milliseconds =
        std::chrono::duration<double, std::milli>(marks_.shown - marks_.painted).count();
    if (!uploaded_) {  // an upload is no measure of drawing speed
        motion_.drawn(share_, 1e-3 * milliseconds);
        events_.timed(milliseconds);
    }
    if (showsLive_) events_.presented(marks_);
}

// Needs the current context.
void GlCanvas::forgetFence() {
    fenceTimer_.stop();
    if (fence_)
        context_.extraFunctions()->glDeleteSync(
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
        // Deferred: the receiver requests another picture, which cannot begin within this one.
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
    if (!renderer_ || broken_ || drawn == residents_.end() || !makeCurrent()) return;
    try {
        const int64_t before = renderer_->drawnNside(drawn->handle);
        drawn->whole = renderer_->advanceUpload(drawn->handle, kUploadSeconds);
        // A finer level needs a frame, which calls this function again.
        if (renderer_->drawnNside(drawn->handle) != before)
            update();
        else
            QTimer::singleShot(0, this, &GlCanvas::refine);
    } catch (const OutOfMemory& error) {
        giveUp(tr("The map does not fit on the graphics card (%1)").arg(error.what()));
    } catch (const Error& error) {
        giveUp(QString::fromUtf8(error.what()));
    }
    context_.doneCurrent();
}

void GlCanvas::paintParts() {
    // A picture that is not shown is released.
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

bool GlCanvas::isSoftware() const {
    return SkyRenderer::isSoftware(renderer_->deviceName());
}

// Requests images and, in software OpenGL, all markers, which would block the window.
void GlCanvas::askOver() {
    PictureRequest over;
    over.images = request_.images;
    over.moving = request_.moving;
    if (isSoftware() && !over.moving) over.markers = request_.markers;
    if (over.images.empty() && over.markers.empty()) return;
    over.size = request_.size;
    over.camera = request_.camera;
    over.pixelRatio = request_.pixelRatio;
    overWorker_.request(std::move(over));
}

bool GlCanvas::overFits() const {
    return looksSame(over_.camera, request_.camera) && over_.size == request_.size;
}

// Overlays of an earlier view are not drawn; but images are while only their colors lag.
void GlCanvas::paintOver(QSize size) {
    if (!overFits()) return;
    const Picture shown = shownOf(over_, request_);
    if (shown.tiles.empty()) return;
    QOpenGLPaintDevice device(size);
    QPainter painter(&device);
    paintTiles(painter, shown);
}

void GlCanvas::paintMarkers() {
    // Marker sets that no layer holds leave the card.
    std::erase_if(markers_, [this](const ResidentMarkers& r) {
        if (!r.set.expired()) return false;
        renderer_->removeMarkers(r.handle);
        return true;
    });
    if (isSoftware() && overFits() && hasMarkersOf(over_, request_)) return;
    for (const PictureMarkers& part : request_.markers) {
        const QRect& panel = part.panel;
        SkyRenderer::Viewport viewport;
        viewport.x = panel.left();
        viewport.y = request_.size.height() - panel.top() - panel.height();
        viewport.width = panel.width();
        viewport.height = panel.height();
        const ViewGeometry view = geometryFor(request_.camera, panel.size(), part.set->frame());
        if (isSoftware()) {
            renderer_->drawSomeMarkers(*part.set, view, part.style, part.opacity,
                                       request_.pixelRatio, viewport, kSoftwareMarkers);
            continue;
        }
        auto held = std::find_if(markers_.begin(), markers_.end(), [&](const ResidentMarkers& r) {
            return !r.set.owner_before(part.set) && !part.set.owner_before(r.set);
        });
        if (held == markers_.end()) {
            uploaded_ = true;
            held = markers_.insert(held, {part.set, renderer_->uploadMarkers(*part.set)});
        }
        renderer_->drawMarkers(held->handle, *part.set, view, part.style, part.opacity,
                               request_.pixelRatio, viewport);
    }
}

int64_t GlCanvas::deviceBytes(const std::shared_ptr<const MapPyramid>& pyramid) const {
    for (const Resident& r : residents_)
        if (same(r.pyramid, pyramid)) {
            // Single precision, plus a third for the coarser levels.
            const int64_t nside = renderer_->drawnNside(r.handle);
            return 12 * nside * nside * static_cast<int64_t>(sizeof(float)) * 4 / 3;
        }
    return 0;
}

void GlCanvas::sweep() {
    if (!renderer_) return;
    const auto isGone = [](const Resident& r) { return r.pyramid.expired(); };
    if (std::none_of(residents_.begin(), residents_.end(), isGone) || !makeCurrent()) return;
    for (const Resident& r : residents_)
        if (isGone(r)) renderer_->remove(r.handle);
    std::erase_if(residents_, isGone);
    context_.doneCurrent();
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
        // The storage of the least recently drawn map is reused.
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
                // Both do not fit into memory; below, the old one is released first.
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
