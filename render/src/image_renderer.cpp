// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/image_renderer.h"

#include "core/pixel_queries.h"
#include "image_rows.h"

namespace armilla {

namespace {

size_t pixelsOf(const ViewGeometry& view) {
    return static_cast<size_t>(view.width) * static_cast<size_t>(view.height);
}

float valueAt(const MapPyramid& pyramid, FacePixel at, int level) {
    const int64_t n = pyramid.nside() >> level;
    return pyramid.level(
        level)[static_cast<size_t>((at.face * n + (at.y >> level)) * n + (at.x >> level))];
}

}  // namespace

std::vector<int64_t> renderIndices(int64_t nside, Ordering ordering, const ViewGeometry& view,
                                   JobContext& job) {
    checkView(view);
    checkNside(nside, ordering);
    std::vector<int64_t> pixels(pixelsOf(view), -1);
    forEachSkyPixel(view, job, [&](size_t index, const PlaneRow&, double, Vec3 inView) {
        const Vec3 sky = view.skyFromView * inView;
        pixels[index] = pixelFromDirection(nside, ordering, sky);
    });
    return pixels;
}

std::vector<Rgba> renderImage(const MapPyramid& pyramid, const ViewGeometry& view,
                              const ColorScale& scale, JobContext& job) {
    checkView(view);
    const ColorTable table = colorTable(scale.colorMap, scale.reversed);
    const ColorPicker color(scale, table);
    const auto nside = static_cast<double>(pyramid.nside());
    std::vector<Rgba> picture(pixelsOf(view), scale.outside);
    forEachSkyPixel(view, job, [&](size_t index, const PlaneRow& row, double x, Vec3 inView) {
        const FacePixel at = faceFromDirection(pyramid.nside(), view.skyFromView * inView);
        const double footprint =
            view.radiansPerPixel * footprintScale(view.projection, row, x, inView);
        const PyramidLevel drawn = pyramidLevel(footprint, nside, pyramid.levels());
        float value = valueAt(pyramid, at, drawn.level);
        if (drawn.blend > 0.0F)
            value = blendedValue(value, valueAt(pyramid, at, drawn.level + 1), drawn.blend);
        picture[index] = color(value);
    });
    return picture;
}

}  // namespace armilla
