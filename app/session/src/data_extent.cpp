// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/data_extent.h"

#include <algorithm>
#include <cmath>

#include "core/pixel_geometry.h"

namespace armilla {

namespace {

constexpr int64_t kSample = 1 << 16;

}  // namespace

std::optional<DataExtent> dataExtent(const HealpixMap& map, int field) {
    if (field < 0 || field >= map.fieldCount() || map.elementCount() == 0) return std::nullopt;
    const auto pixels = map.pixels();
    const int64_t count = map.elementCount();
    const int64_t stride = std::max<int64_t>(1, count / kSample);
    std::vector<Vec3> places;
    Vec3 sum{0.0, 0.0, 0.0};
    for (int64_t i = 0; i < count; i += stride) {
        if (!std::isfinite(map.field(field).at(i))) continue;
        const int64_t pixel = map.coverage() == Coverage::Full ? i : pixels[static_cast<size_t>(i)];
        const Vec3 v = map.ordering() == Ordering::Ring ? directionFromRing(map.nside(), pixel)
                                                        : directionFromNested(map.nside(), pixel);
        places.push_back(v);
        sum = sum + v;
    }
    if (places.empty() || norm(sum) < 1e-9) return std::nullopt;
    DataExtent extent{normalized(sum), 0.0};
    for (const Vec3& v : places)
        extent.radius = std::max(extent.radius, angularDistance(extent.center, v));
    if (extent.radius >= kHalfPi) return std::nullopt;
    extent.radius += 2.0 * std::sqrt(4.0 * kPi / static_cast<double>(map.pixelCount()));
    return extent;
}

}  // namespace armilla
