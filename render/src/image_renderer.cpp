// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/image_renderer.h"

#include "core/face_values.h"
#include "core/pixel_queries.h"
#include "image_rows.h"
#include "render/drawn_values.h"

namespace armilla {

namespace {

size_t pixelsOf(const ViewGeometry& view) {
    return static_cast<size_t>(view.width) * static_cast<size_t>(view.height);
}

FacePixel cellOf(const MapPyramid& pyramid, Vec3 sky) {
    return faceFromDirection(pyramid.nside(), sky);
}
float valueAt(const MapPyramid& pyramid, FacePixel at, int level) {
    const int64_t n = pyramid.nside() >> level;
    return pyramid.level(
        level)[static_cast<size_t>((at.face * n + (at.y >> level)) * n + (at.x >> level))];
}
int64_t cellOf(const SparsePyramid& pyramid, Vec3 sky) {
    return nestedFromFace(pyramid.nside(), faceFromDirection(pyramid.nside(), sky));
}
float valueAt(const SparsePyramid& pyramid, int64_t nested, int level) {
    return pyramid.value(nested, level);
}

// Calls `take(index, value)` for each image pixel on the sky.
template <class Pyramid, class Take>
void forEachValue(const Pyramid& pyramid, const ViewGeometry& view, JobContext& job,
                  const Take& take) {
    checkView(view);
    const auto nside = static_cast<double>(pyramid.nside());
    forEachSkyPixel(view, job, [&](size_t index, const PlaneRow& row, double x, Vec3 inView) {
        const auto at = cellOf(pyramid, view.skyFromView * inView);
        const double footprint =
            view.radiansPerPixel * footprintScale(view.projection, row, x, inView);
        const PyramidLevel drawn = pyramidLevel(footprint, nside, pyramid.levels());
        float value = valueAt(pyramid, at, drawn.level);
        if (drawn.blend > 0.0F)
            value = blendedValue(value, valueAt(pyramid, at, drawn.level + 1), drawn.blend);
        take(index, value);
    });
}

template <class Pyramid>
std::vector<Rgba> picture(const Pyramid& pyramid, const ViewGeometry& view, const ColorScale& scale,
                          JobContext& job) {
    const ColorTable table = colorTable(scale.colorMap, scale.reversed);
    const ColorPicker color(scale, table);
    std::vector<Rgba> picture(pixelsOf(view), scale.outside);
    forEachValue(pyramid, view, job,
                 [&](size_t index, float value) { picture[index] = color(value); });
    return picture;
}

template <class Pyramid>
std::vector<float> valuesOf(const Pyramid& pyramid, const ViewGeometry& view, JobContext& job) {
    std::vector<float> values(pixelsOf(view), badFaceValue());
    forEachValue(pyramid, view, job, [&](size_t index, float value) { values[index] = value; });
    return values;
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
    return picture(pyramid, view, scale, job);
}

std::vector<Rgba> renderImage(const SparsePyramid& pyramid, const ViewGeometry& view,
                              const ColorScale& scale, JobContext& job) {
    return picture(pyramid, view, scale, job);
}

std::vector<float> drawnValues(const MapPyramid& pyramid, const ViewGeometry& view,
                               JobContext& job) {
    return valuesOf(pyramid, view, job);
}

std::vector<float> drawnValues(const SparsePyramid& pyramid, const ViewGeometry& view,
                               JobContext& job) {
    return valuesOf(pyramid, view, job);
}

}  // namespace armilla
