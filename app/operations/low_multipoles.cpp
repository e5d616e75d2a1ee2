// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/operations/low_multipoles.h"

#include <cmath>
#include <variant>

#include "armilla/core/error.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/number_text.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/pixel_loop.h"
#include "armilla/core/sky_vector.h"
#include "armilla/operations/map_values.h"
#include "armilla/ops/frame_turn.h"
#include "armilla/ops/resample.h"

namespace armilla {

namespace {

LowMultipoles fitted(const HealpixMap& map, int field, Remove how, std::span<const double> weights,
                     JobContext& job) {
    const HealpixMap ring = fullRing(withFields(map, {field}), job);
    const SampleRun all{0, ring.pixelCount()};
    const auto reach =
        how == Remove::Dipole ? RingMoments::Reach::Dipole : RingMoments::Reach::Mean;
    return RingMoments(map.nside(), reach, samplesOf(ring.field(0)), {&all, 1}, weights, job)
        .fit(how);
}

void subtractFrom(HealpixMap& map, int field, const LowMultipoles& low, JobContext& job) {
    const bool isFull = map.coverage() == Coverage::Full;
    const int64_t nside = map.nside();
    std::visit(
        [&](auto& values) {
            using Sample = typename std::decay_t<decltype(values)>::value_type;
            parallelFor(job, map.elementCount(), kPixelGrain, [&](long long begin, long long end) {
                for (long long e = begin; e < end; ++e) {
                    const auto i = static_cast<size_t>(e);
                    const int64_t pixel = isFull ? e : map.pixels()[i];
                    const Vec3 at = map.ordering() == Ordering::Ring
                                        ? directionFromRing(nside, pixel)
                                        : directionFromNested(nside, pixel);
                    values[i] = static_cast<Sample>(static_cast<double>(values[i]) - low.monopole -
                                                    dot(low.dipole, at));
                }
            });
        },
        map.field(field).values);
}

}  // namespace

Json removeFitted(HealpixMap& map, Remove how, std::span<const double> weights, JobContext& job) {
    Json all = Json::array();
    bool any = false;
    for (int i = 0; i < map.fieldCount(); ++i) {
        if (isHalfOfPolarization(map.field(i))) continue;
        any = true;
        const LowMultipoles low = fitted(map, i, how, weights, job);
        subtractFrom(map, i, low, job);
        Json each = Json::object();
        each.set("field", map.field(i).name);
        setFitted(each, how, low);
        all.add(std::move(each));
    }
    if (!any)
        throw InvalidArgument("expected a scalar field to subtract a monopole from, found Q and U");
    return all;
}

void setFitted(Json& figures, Remove how, const LowMultipoles& fitted) {
    if (how == Remove::None) return;
    figures.set("monopole", fitted.monopole);
    if (how != Remove::Dipole) return;
    const Vec3& d = fitted.dipole;
    const LonLat at = lonLat(d);
    Json vector = Json::array();
    for (const double part : {d.x, d.y, d.z}) vector.add(Json(part));
    Json dipole = Json::object();
    dipole.set("amplitude", std::sqrt(dot(d, d)));
    dipole.set("lon_deg", at.lon / kDegree);
    dipole.set("lat_deg", at.lat / kDegree);
    dipole.set("vector", std::move(vector));
    figures.set("dipole", std::move(dipole));
}

std::optional<std::string> meanLine(double mean, double rms, const std::string& unit) {
    // With a quarter of the sky cut, a mean of 0.1 rms changes C_2 of a sky of power 1 / (l (l +
    // 1)) by 2 %.
    constexpr double kShown = 0.1;
    if (!(std::abs(mean) > kShown * rms)) return {};
    return "the good pixels have a mean of " + numberText(mean) + (unit.empty() ? "" : " " + unit) +
           (rms > 0.0 ? ", " + numberText(std::abs(mean) / rms) + " times their rms" : "");
}

}  // namespace armilla
