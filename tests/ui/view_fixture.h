// SPDX-License-Identifier: GPL-3.0-or-later
// Documents with small synthetic skies, ready to draw, for widget tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "armilla/core/map_statistics.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/session/document.h"

namespace armilla::test {

// A pattern of waves and a bright plane; the value has a closed form in the direction.
inline double waveValue(Vec3 v) {
    const LonLat p = lonLat(v);
    const double plane = 900.0 * std::exp(-std::abs(p.lat) / 0.035) * (1.2 + std::cos(p.lon));
    return 90.0 * std::sin(7.0 * v.x + 5.0 * v.y) * std::cos(9.0 * v.z - 4.0 * v.y) +
           45.0 * std::sin(31.0 * v.x * v.y + 23.0 * v.z) + plane;
}

inline std::shared_ptr<const HealpixMap> waveMap(int64_t nside, Frame frame = Frame::Galactic,
                                                 double factor = 1.0) {
    std::vector<float> values(static_cast<size_t>(pixelCount(nside)));
    for (size_t p = 0; p < values.size(); ++p)
        values[p] = static_cast<float>(
            factor * waveValue(directionFromRing(nside, static_cast<int64_t>(p))));
    return std::make_shared<HealpixMap>(
        nside, Ordering::Ring, frame,
        std::vector<Field>{{"TEMPERATURE", "uK", DiskType::Float32, std::move(values)}});
}

// T as in waveMap, and Q and U of a direction that follows the waves, stronger in the plane.
inline std::shared_ptr<const HealpixMap> polarizedWaveMap(int64_t nside) {
    HealpixMap map = *waveMap(nside);
    const auto size = static_cast<size_t>(pixelCount(nside));
    std::vector<float> q(size), u(size);
    for (size_t p = 0; p < size; ++p) {
        const Vec3 v = directionFromRing(nside, static_cast<int64_t>(p));
        const double amplitude = 3.0 + 0.02 * std::abs(waveValue(v));
        const double twice = 4.0 * v.x - 3.0 * v.z + 2.0 * v.x * v.y;
        q[p] = static_cast<float>(amplitude * std::cos(twice));
        u[p] = static_cast<float>(amplitude * std::sin(twice));
    }
    const Field& t = map.field(0);
    return std::make_shared<HealpixMap>(
        nside, Ordering::Ring, Frame::Galactic,
        std::vector<Field>{t,
                           {"Q_POLARISATION", "uK", DiskType::Float32, std::move(q)},
                           {"U_POLARISATION", "uK", DiskType::Float32, std::move(u)}});
}

inline std::shared_ptr<const DrawableField> drawableOf(const HealpixMap& map, int field,
                                                       uint64_t revision) {
    JobContext job;
    auto drawable = std::make_shared<DrawableField>();
    drawable->pyramid =
        std::make_shared<const MapPyramid>(MapPyramid::build(map, field, kMaxNside, job));
    drawable->statistics = fieldStatistics(map, field, job);
    const Field& f = map.field(field);
    const int64_t step = std::max<int64_t>(1, f.size() / 65536);
    for (int64_t i = 0; i < f.size(); i += step)
        if (const double v = f.at(i); std::isfinite(v))
            drawable->sortedSample.push_back(static_cast<float>(v));
    std::sort(drawable->sortedSample.begin(), drawable->sortedSample.end());
    drawable->revision = revision;
    return drawable;
}

// Adds the map with the drawing data of its first field. Returns the id of the layer.
inline LayerId addReady(Document& document, std::shared_ptr<const HealpixMap> map,
                        const QString& name) {
    const LayerId id = document.addLayer(map, name, Recipe{});
    document.drawings().setDrawable({id, 0, Quantity::Field},
                                    drawableOf(*map, 0, document.entry(id)->revision));
    return id;
}

}  // namespace armilla::test
