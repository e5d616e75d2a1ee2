// SPDX-License-Identifier: GPL-3.0-or-later

#include "armilla/core/nan.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/draw/drawn_values.h"
#include "armilla/draw/image_renderer.h"
#include "image_rows.h"

namespace armilla {

namespace {

double interpolated(const HealpixMap& map, int field, Vec3 direction) {
    const double under = map.value(field, map.pixelAt(direction));
    if (under != under) return under;
    const Interpolation four = interpolation(map.nside(), map.ordering(), direction);
    double sum = 0.0, weight = 0.0;
    for (size_t i = 0; i < four.pixels.size(); ++i) {
        const double value = map.value(field, four.pixels[i]);
        if (value != value) continue;
        sum += four.weights[i] * value;
        weight += four.weights[i];
    }
    // The pixel under the center is good, but may have weight 0 where the center of a neighbor is
    // hit.
    return weight > 0.0 ? sum / weight : under;
}

}  // namespace

std::vector<double> renderValues(const HealpixMap& map, int field, const ViewGeometry& view,
                                 PixelInterpolation interpolationKind, JobContext& job) {
    checkView(view);
    if (field < 0 || field >= map.fieldCount())
        throw InvalidArgument("expected a field from 0 to " + std::to_string(map.fieldCount() - 1) +
                              ", found " + std::to_string(field));
    std::vector<double> values(static_cast<size_t>(view.width) * static_cast<size_t>(view.height),
                               kNan);
    const bool nearest = interpolationKind == PixelInterpolation::Nearest;
    forEachSkyPixel(view, job, [&](size_t index, const PlaneRow&, double, Vec3 inView) {
        const Vec3 sky = view.skyFromView * inView;
        values[index] =
            nearest ? map.value(field, map.pixelAt(sky)) : interpolated(map, field, sky);
    });
    return values;
}

void interpolateValues(std::vector<float>& values, const HealpixMap& map, int field,
                       const ViewGeometry& view, JobContext& job) {
    checkView(view);
    const auto nside = static_cast<double>(map.nside());
    forEachSkyPixel(view, job, [&](size_t index, const PlaneRow& row, double x, Vec3 inView) {
        const double footprint =
            view.radiansPerPixel * footprintScale(view.projection, row, x, inView);
        const PyramidLevel drawn = pyramidLevel(footprint, nside, 2);
        if (drawn.level > 0 || drawn.blend > 0.0F || values[index] != values[index]) return;
        values[index] = static_cast<float>(interpolated(map, field, view.skyFromView * inView));
    });
}

}  // namespace armilla
