// SPDX-License-Identifier: GPL-3.0-or-later
// A translucent veil over the pixels that a mask cuts, in the colors of the brush.
#include <algorithm>
#include <cmath>
#include <utility>

#include "armilla/core/job_context.h"
#include "view/picture.h"
#include "view/sky_veil.h"

namespace armilla {
namespace {

// Opacity over pixels of weight 0, as of the strokes of the brush.
constexpr double kOpacity = 0.45;
// Directions of one veil. Each takes about 0.1 us, so that a moving sky waits about 5 ms.
constexpr double kMovingPlaces = 5e4, kRestingPlaces = 2.5e5;

bool isSameView(const Camera& a, const Camera& b) {
    return a.projection == b.projection && a.frame == b.frame && a.zoom == b.zoom &&
           a.flip == b.flip && a.offset.x == b.offset.x && a.offset.y == b.offset.y &&
           std::equal(std::begin(a.orientation.m), std::end(a.orientation.m),
                      std::begin(b.orientation.m));
}

// The veil of a view in an image of this size. The sky outside of the projection stays clear.
// `absent`: weight of pixels that a partial mask does not list.
QImage veilOf(const HealpixMap& mask, double absent, const ViewGeometry& view, QSize size,
              const QColor& color) {
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    if (image.isNull()) return image;
    // Detached once: threads write to lines of their own.
    uchar* const bits = image.bits();
    const bool isPartial = mask.coverage() == Coverage::Partial;
    const double wide = static_cast<double>(view.width) / size.width();
    const double high = static_cast<double>(view.height) / size.height();
    const auto drawLine = [&](int y) {
        auto* line = reinterpret_cast<QRgb*>(bits + y * image.bytesPerLine());
        for (int x = 0; x < size.width(); ++x) {
            Vec3 place;
            double cut = 0.0;
            if (skyFromImage(view, (x + 0.5) * wide, (y + 0.5) * high, place)) {
                const int64_t pixel = mask.pixelAt(place);
                const auto element = isPartial ? mask.elementOf(pixel) : std::optional(pixel);
                const double weight = element ? mask.field(0).at(*element) : absent;
                cut = std::isfinite(weight) ? std::clamp(1.0 - weight, 0.0, 1.0) : 1.0;
            }
            const int alpha = static_cast<int>(std::lround(255.0 * kOpacity * cut));
            line[x] = qPremultiply(qRgba(color.red(), color.green(), color.blue(), alpha));
        }
    };
    JobContext job;
    parallelFor(job, size.height(), 8, [&](long long begin, long long end) {
        for (long long y = begin; y < end; ++y) drawLine(static_cast<int>(y));
    });
    return image;
}

}  // namespace

void SkyVeil::addTo(OverlayScene& scene, const ViewContents& view, const SkyDecorations::Veil& veil,
                    const QColor& color) {
    const auto& mask = veil.mask;
    if (!mask) drawn_ = {};
    if (!mask || mask->fieldCount() == 0) return;
    // No rotation leads from an unknown frame to a known one.
    if ((mask->frame() == Frame::Unknown) != (view.camera.frame == Frame::Unknown)) return;
    view.forEachPanel([&](const PanelContent& content) {
        const QSize panel = content.rectangle.size();
        if (panel.isEmpty()) return;
        const double places = view.isMoving ? kMovingPlaces : kRestingPlaces;
        const double share = std::min(
            1.0, std::sqrt(places / (static_cast<double>(panel.width()) * panel.height())));
        const QSize size(std::max(1, static_cast<int>(panel.width() * share)),
                         std::max(1, static_cast<int>(panel.height() * share)));
        Drawn& known = drawn_[static_cast<size_t>(content.side)];
        if (known.mask != mask || known.image.size() != size || known.panel != panel ||
            known.color != color || !isSameView(known.camera, view.camera))
            known = {mask, view.camera, panel, color,
                     veilOf(*mask, veil.isOfView ? 1.0 : 0.0,
                            geometryFor(view.camera, panel, mask->frame()), size, color)};
        scene.shades.push_back({content.panel, 0.0, 1.0, known.image});
    });
}

}  // namespace armilla
