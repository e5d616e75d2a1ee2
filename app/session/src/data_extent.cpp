// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/data_extent.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/pixel_geometry.h"

namespace armilla {

namespace {

constexpr int64_t kSample = 1 << 16;

// A good pixel, or a cell of a multi-order map, with the length of its side.
struct GoodPlace {
    Vec3 center;
    double side;
};
GoodPlace placeOf(const HealpixMap& map, int64_t element) {
    const auto at = static_cast<size_t>(element);
    int64_t nside = map.nside();
    int64_t pixel = map.coverage() == Coverage::Full ? element : map.pixels()[at];
    if (map.coverage() == Coverage::MultiOrder) {
        const uint8_t order = map.cellOrders()[at];
        pixel >>= 2 * (orderOf(nside) - order);
        nside = int64_t{1} << order;
    }
    return {map.ordering() == Ordering::Ring ? directionFromRing(nside, pixel)
                                             : directionFromNested(nside, pixel),
            std::sqrt(4.0 * kPi / static_cast<double>(pixelCount(nside)))};
}
std::vector<GoodPlace> goodPlaces(const HealpixMap& map, int field) {
    std::vector<GoodPlace> places;
    if (field < 0 || field >= map.fieldCount()) return places;
    const int64_t count = map.elementCount();
    const int64_t stride = std::max<int64_t>(1, count / kSample);
    for (int64_t i = 0; i < count; i += stride)
        if (std::isfinite(map.field(field).at(i))) places.push_back(placeOf(map, i));
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

std::optional<Vec3> peakOf(const HealpixMap& map, int field, JobContext& job) {
    if (field < 0 || field >= map.fieldCount()) return std::nullopt;
    const Field& values = map.field(field);
    std::optional<int64_t> highest;
    bool isFlat = true;
    for (int64_t i = 0; i < map.elementCount(); ++i) {
        if ((i & 0xfffff) == 0) job.poll();
        const double value = values.at(i);
        if (!std::isfinite(value)) continue;
        if (highest && value != values.at(*highest)) isFlat = false;
        if (!highest || value > values.at(*highest)) highest = i;
    }
    if (isFlat) return std::nullopt;
    return placeOf(map, *highest).center;
}

}  // namespace armilla
