// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/data_extent.h"

#include <algorithm>
#include <cmath>

#include "core/pixel_geometry.h"

namespace armilla {

namespace {

constexpr int64_t kSample = 1 << 16;

// A good pixel, or cell of a map of several orders, and the length of its side.
struct GoodPlace {
    Vec3 center;
    double side;
};
std::vector<GoodPlace> goodPlaces(const HealpixMap& map, int field) {
    std::vector<GoodPlace> places;
    if (field < 0 || field >= map.fieldCount()) return places;
    const auto pixels = map.pixels();
    const auto orders = map.cellOrders();
    const int64_t count = map.elementCount();
    const int64_t stride = std::max<int64_t>(1, count / kSample);
    for (int64_t i = 0; i < count; i += stride) {
        if (!std::isfinite(map.field(field).at(i))) continue;
        const auto at = static_cast<size_t>(i);
        int64_t nside = map.nside(), pixel = map.coverage() == Coverage::Full ? i : pixels[at];
        if (map.coverage() == Coverage::MultiOrder) {
            pixel >>= 2 * (orderOf(nside) - orders[at]);
            nside = int64_t{1} << orders[at];
        }
        places.push_back({map.ordering() == Ordering::Ring ? directionFromRing(nside, pixel)
                                                           : directionFromNested(nside, pixel),
                          std::sqrt(4.0 * kPi / static_cast<double>(pixelCount(nside)))});
    }
    return places;
}

}  // namespace

std::optional<DataExtent> dataExtent(const HealpixMap& map, int field) {
    const std::vector<GoodPlace> places = goodPlaces(map, field);
    Vec3 sum{0.0, 0.0, 0.0};
    for (const GoodPlace& place : places) sum = sum + place.center;
    if (places.empty() || norm(sum) < 1e-9) return std::nullopt;
    DataExtent extent{normalized(sum), 0.0};
    for (const GoodPlace& place : places) {
        const double distance = angularDistance(extent.center, place.center);
        if (distance >= kHalfPi) return std::nullopt;
        extent.radius = std::max(extent.radius, distance + 2.0 * place.side);
    }
    return extent;
}

std::optional<Vec3> goodPlaceNear(const HealpixMap& map, int field, const Vec3& place) {
    const std::vector<GoodPlace> places = goodPlaces(map, field);
    const auto nearest =
        std::max_element(places.begin(), places.end(), [&](const GoodPlace& a, const GoodPlace& b) {
            return dot(a.center, place) < dot(b.center, place);
        });
    if (nearest == places.end()) return std::nullopt;
    return nearest->center;
}

}  // namespace armilla
