// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <string_view>

#include "armilla/core/pixel_queries.h"
#include "armilla/ops/frame_turn.h"
#include "resample/polarization_turn.h"
#include "resample/resample_detail.h"

namespace armilla {

namespace {

using namespace resample;

Vec3 centerOf(const HealpixMap& map, int64_t element) {
    const auto index = static_cast<size_t>(element);
    if (map.coverage() == Coverage::MultiOrder) {
        const int order = map.cellOrders()[index];
        const int64_t cell = map.pixels()[index] >> (2 * (orderOf(map.nside()) - order));
        return directionFromNested(int64_t{1} << order, cell);
    }
    const int64_t pixel = map.coverage() == Coverage::Full ? element : map.pixels()[index];
    return directionFromPixel(map.nside(), map.ordering(), pixel);
}

// Rotation from the meridians of the map to the meridians of another frame, at one position.
class Referral {
public:
    Referral(Frame map, Frame other)
        : there_(frameRotation(other, map)), back_(transposed(there_)) {}
    Turn at(Vec3 place) const {
        const Vec3 turned = there_ * place;
        return turnBetween(place, place, back_ * toSouth(turned), back_ * toEast(turned));
    }

private:
    Mat3 there_, back_;
};

void set(Field& field, int64_t element, double value) {
    const auto index = static_cast<size_t>(element);
    if (auto* single = std::get_if<0>(&field.values))
        (*single)[index] = static_cast<float>(value);
    else
        std::get<1>(field.values)[index] = value;
}

}  // namespace

HealpixMap polarizationReferredTo(HealpixMap map, Frame frame, JobContext& job) {
    const auto pairs = map.polarizationPairs();
    if (frame == map.frame() || pairs.empty()) return map;
    const Referral referral(map.frame(), frame);
    for (const auto& [q, u] : pairs) {
        Field& fieldQ = map.field(q);
        Field& fieldU = map.field(u);
        fieldQ.diskType = diskTypeOf(fieldQ, Numbers::Averaged);
        fieldU.diskType = diskTypeOf(fieldU, Numbers::Averaged);
        parallelFor(
            job, map.elementCount(), kPixelGrain / 8,
            [&](long long begin, long long end) {
                for (long long i = begin; i < end; ++i) {
                    const Turn turn = referral.at(centerOf(map, i));
                    const double oldQ = fieldQ.at(i), oldU = fieldU.at(i);
                    set(fieldQ, i, turn.q(oldQ, oldU));
                    set(fieldU, i, turn.u(oldQ, oldU));
                }
            },
            "turning");
    }
    return map;
}

std::pair<double, double> polarizationReferredTo(const HealpixMap& map, std::pair<int, int> fields,
                                                 int64_t element, Frame frame) {
    const double q = map.field(fields.first).at(element), u = map.field(fields.second).at(element);
    if (frame == map.frame()) return {q, u};
    const Turn turn = Referral(map.frame(), frame).at(centerOf(map, element));
    return {turn.q(q, u), turn.u(q, u)};
}

bool isHalfOfPolarization(const Field& field) {
    const std::string_view name = field.name;
    constexpr std::array<std::string_view, 6> kHalves{"Q", "U", "Q_", "U_", "Q-", "U-"};
    return std::find(kHalves.begin(), kHalves.end(), name.substr(0, 2)) != kHalves.end();
}

}  // namespace armilla
