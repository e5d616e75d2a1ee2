// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/picture.h"

#include <QElapsedTimer>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "armilla/core/error.h"
#include "armilla/draw/image_renderer.h"
#include "armilla/session/same_scale.h"

namespace armilla {
namespace {

constexpr double kEdge = 0.93;

// Converts to the display format directly. QImage's own conversion waits for threads of Qt's pool,
// for ever if the system grants no more threads. Translucent `pixels` are premultiplied.
QImage toImage(const std::vector<Rgba>& pixels, int width, int height, QImage::Format format) {
    QImage image(width, height, format);
    if (image.isNull()) throw OutOfMemory("expected enough memory for a picture, found too little");
    for (int row = 0; row < height; ++row) {
        const Rgba* from = pixels.data() + static_cast<size_t>(row) * static_cast<size_t>(width);
        auto* to = reinterpret_cast<QRgb*>(image.scanLine(row));
        for (int column = 0; column < width; ++column)
            to[column] = qRgba(from[column].r, from[column].g, from[column].b,
                               format == QImage::Format_RGB32 ? 255 : from[column].a);
    }
    return image;
}

bool isSameOwner(const std::weak_ptr<const void>& a, const std::weak_ptr<const void>& b) {
    return !a.owner_before(b) && !b.owner_before(a);
}

bool isOf(const Picture::Laid& laid, const PictureImage& part) {
    return isSameOwner(laid.what, part.mesh) && laid.panel == part.panel;
}

bool isOf(const Picture::Laid& laid, const PictureMarkers& part) {
    return isSameOwner(laid.what, part.set) && laid.panel == part.panel &&
           laid.style == part.style && laid.opacity == part.opacity;
}

}  // namespace

void addMarkers(PictureRequest& request, const Document& document, const QRect& panel) {
    for (const Layer& layer : document.entries()) {
        if (!layer.image || !layer.style.visible || layer.style.opacity <= 0.0) continue;
        if (auto mesh = document.drawings().imageMesh(layer.id))
            request.images.push_back({std::move(mesh),
                                      document.drawings().colorScale(Shown{layer.id}),
                                      layer.style.opacity, panel});
    }
    for (const Layer& layer : document.entries()) {
        if (!layer.catalog || !layer.style.visible || layer.style.opacity <= 0.0) continue;
        for (MarkerGroup& group : document.drawings().markerGroups(layer.id))
            request.markers.push_back(
                {std::move(group.set), group.style, layer.style.opacity, panel});
    }
}

ViewGeometry geometryFor(const Camera& camera, QSize panel, Frame mapFrame) {
    const bool known = mapFrame != Frame::Unknown && camera.frame != Frame::Unknown;
    return camera.geometry(panel.width(), panel.height(), known ? mapFrame : camera.frame);
}

ViewGeometry coarser(const ViewGeometry& view, double share) {
    ViewGeometry v = view;
    v.width = std::max(1, static_cast<int>(std::lround(view.width * share)));
    const double step = static_cast<double>(view.width) / v.width;
    v.height = std::max(1, static_cast<int>(std::ceil(view.height / step)));
    v.radiansPerPixel = view.radiansPerPixel * step;
    return v;
}

ViewGeometry columnsOf(const ViewGeometry& view, int first, int end) {
    ViewGeometry v = view;
    v.width = end - first;
    v.offset.x += (0.5 * (first + end) - 0.5 * view.width) * view.radiansPerPixel;
    return v;
}

ColorScale onBackground(ColorScale scale, const QColor& background) {
    if (scale.outside.a == 0)
        scale.outside = {static_cast<uint8_t>(background.red()),
                         static_cast<uint8_t>(background.green()),
                         static_cast<uint8_t>(background.blue()), 255};
    return scale;
}

bool looksSame(const Camera& a, const Camera& b) {
    return a.projection == b.projection && a.frame == b.frame &&
           std::abs(a.zoom - b.zoom) <= 1e-12 * a.zoom && a.offset.x == b.offset.x &&
           a.offset.y == b.offset.y && a.flip == b.flip &&
           std::equal(std::begin(a.orientation.m), std::end(a.orientation.m),
                      std::begin(b.orientation.m));
}

Camera withEdge(const Camera& camera) {
    Camera seen = camera;
    seen.zoom *= kEdge;
    return seen;
}

Camera withoutEdge(const Camera& camera) {
    Camera own = camera;
    own.zoom = std::clamp(own.zoom / kEdge, Camera::kMinZoom, Camera::kMaxZoom);
    return own;
}

bool sameImages(const PictureRequest& a, const PictureRequest& b) {
    return std::equal(a.images.begin(), a.images.end(), b.images.begin(), b.images.end(),
                      [](const PictureImage& x, const PictureImage& y) {
                          return x.mesh == y.mesh && x.panel == y.panel && x.opacity == y.opacity &&
                                 sameScale(x.scale, y.scale);
                      });
}

bool hasMarkersOf(const Picture& over, const PictureRequest& request) {
    return std::equal(
        over.markers.begin(), over.markers.end(), request.markers.begin(), request.markers.end(),
        [](const Picture::Laid& laid, const PictureMarkers& part) { return isOf(laid, part); });
}

Picture shownOf(const Picture& over, const PictureRequest& request) {
    Picture shown;
    auto tile = over.tiles.begin();
    for (const Picture::Laid& laid : over.images) {
        if (std::any_of(request.images.begin(), request.images.end(),
                        [&](const PictureImage& part) { return isOf(laid, part); }))
            shown.tiles.push_back(*tile);
        ++tile;
    }
    if (hasMarkersOf(over, request)) shown.tiles.insert(shown.tiles.end(), tile, over.tiles.end());
    return shown;
}

bool needsThreads(const PictureRequest& request) {
    return std::any_of(request.parts.begin(), request.parts.end(),
                       [](const PicturePart& part) { return part.field->cells != nullptr; });
}

Picture paintPicture(const PictureRequest& request, double share, JobContext& job) {
    QElapsedTimer timer;
    timer.start();
    Picture picture;
    picture.size = request.size;
    picture.camera = request.camera;
    picture.coarse = share < 1.0;
    for (const PicturePart& part : request.parts) {
        const QRect& panel = part.panel;
        const int first = static_cast<int>(std::lround(part.clipLeft * panel.width()));
        const int end = static_cast<int>(std::lround(part.clipRight * panel.width()));
        if (first >= end || panel.height() <= 0) continue;
        const ViewGeometry fine =
            columnsOf(geometryFor(request.camera, panel.size(), part.field->frame()), first, end);
        const ViewGeometry view = share < 1.0 ? coarser(fine, share) : fine;
        const ColorScale scale = onBackground(part.scale, request.background);
        const std::vector<Rgba> pixels = part.field->cells
                                             ? renderImage(*part.field->cells, view, scale, job)
                                             : renderImage(*part.field->pyramid, view, scale, job);
        const double step = static_cast<double>(fine.width) / view.width;
        const QRectF clip(panel.left() + first, panel.top(), fine.width, fine.height);
        QRectF target(0, 0, fine.width, view.height * step);
        target.moveCenter(clip.center());
        picture.tiles.push_back(
            {toImage(pixels, view.width, view.height, QImage::Format_RGB32), target, clip});
    }
    const auto lay = [&picture](const MarkerImage& image, const QRect& panel) {
        picture.tiles.push_back(
            {toImage(image.pixels, image.width, image.height, QImage::Format_ARGB32_Premultiplied),
             panel, panel, true});
    };
    for (const PictureImage& part : request.images) {
        MarkerImage image;
        paintImage(*part.mesh, part.scale, part.opacity,
                   geometryFor(request.camera, part.panel.size(), part.mesh->frame()), image, job);
        lay(image, part.panel);
        picture.images.push_back({part.mesh, {}, part.opacity, part.panel});
    }
    for (const PictureMarkers& markers : request.markers) {
        const QRect& panel = markers.panel;
        MarkerImage image;
        paintMarkers(*markers.set, markers.style, markers.opacity,
                     geometryFor(request.camera, panel.size(), markers.set->frame()),
                     request.pixelRatio, request.moving ? kMovingMarkers : 0, image, job);
        lay(image, panel);
        picture.markers.push_back({markers.set, markers.style, markers.opacity, panel});
    }
    picture.milliseconds = static_cast<double>(timer.nsecsElapsed()) * 1e-6;
    return picture;
}

}  // namespace armilla
