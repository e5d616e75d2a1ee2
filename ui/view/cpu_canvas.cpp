// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/cpu_canvas.h"

#include <QPainter>
#include <cmath>
#include <utility>

#include "view/overlay_plates.h"

namespace armilla {

void paintTiles(QPainter& painter, const Picture& picture) {
    for (const Picture::Tile& tile : picture.tiles) {
        painter.setRenderHint(QPainter::SmoothPixmapTransform, picture.coarse && !tile.over);
        const PaintedWithin part(painter, tile.clip);
        painter.drawImage(tile.target, tile.image);
    }
}

CpuCanvas::CpuCanvas(CanvasEvents events, QWidget* parent)
    : QWidget(parent), SkyCanvas(std::move(events)) {
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&worker_, &PictureWorker::pictureReady, this, [this](const Picture& picture) {
        picture_ = picture;
        isNew_ = true;
        update();
        events_.shown(picture.camera, picture.coarse);
    });
    connect(&worker_, &PictureWorker::failed, this,
            [this](const QString& line) { events_.warned(line); });
}

void CpuCanvas::draw(const PictureRequest& request) {
    background_ = request.background;
    if (!request.parts.empty() || !request.markers.empty() || !request.images.empty()) {
        worker_.request(request);
        return;
    }
    picture_ = Picture{};
    update();
    events_.shown(request.camera, false);
}

QString CpuCanvas::pathName() const {
    return tr("CPU · %n thread(s)", nullptr, PictureWorker::threads());
}

void CpuCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), background_);
    const double pixel = 1.0 / devicePixelRatioF();
    painter.scale(pixel, pixel);
    // A picture of another size stays centered until the new one is ready.
    const QSizeF size = QSizeF(width(), height()) / pixel;
    painter.translate(std::round(0.5 * (size.width() - picture_.size.width())),
                      std::round(0.5 * (size.height() - picture_.size.height())));
    paintTiles(painter, picture_);
    if (std::exchange(isNew_, false)) events_.timed(picture_.milliseconds);
}

}  // namespace armilla

#include "moc_cpu_canvas.cpp"
