// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <optional>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/core/nan.h"
#include "armilla/ops/frame_turn.h"
#include "armilla/session/shown.h"

namespace armilla {

namespace {

// The Q, U pair that contains or gives the shown quantity; none for other quantities.
std::optional<std::pair<int, int>> pairOf(const HealpixMap& map, const Shown& shown) {
    if (shown.quantity != Quantity::Field) return map.polarizationPair();
    for (const auto& pair : map.polarizationPairs())
        if (shown.field == pair.first || shown.field == pair.second) return pair;
    return std::nullopt;
}

bool isElsewhere(const HealpixMap& map, Frame view) {
    return view != map.frame() && view != Frame::Unknown && map.frame() != Frame::Unknown;
}

}  // namespace

Frame turnedTo(const HealpixMap& map, const Shown& shown, Frame view) {
    if (shown.quantity == Quantity::PolarizedAmplitude || !isElsewhere(map, view))
        return Frame::Unknown;
    return pairOf(map, shown) ? view : Frame::Unknown;
}

bool cannotTurn(const HealpixMap& map, const Shown& shown, Frame view) {
    return shown.quantity == Quantity::Field && isElsewhere(map, view) &&
           isHalfOfPolarization(map.field(shown.field)) && !pairOf(map, shown);
}

double shownValueIn(const HealpixMap& map, const Shown& shown, int64_t pixel, Frame view) {
    const Frame turned = turnedTo(map, shown, view);
    if (turned == Frame::Unknown) return shownValue(map, shown, pixel);
    const auto element = map.elementOf(pixel);
    if (!element) return kNan;
    const auto pair = *pairOf(map, shown);
    auto [q, u] = polarizationReferredTo(map, pair, *element, turned);
    // Rounds to the precision in which the rotated field is stored.
    const auto stored = [](const Field& field, double value) {
        return field.isSingle() ? static_cast<double>(static_cast<float>(value)) : value;
    };
    q = stored(map.field(pair.first), q);
    u = stored(map.field(pair.second), u);
    if (shown.quantity == Quantity::PolarizationAngle) return polarizationAngle(q, u);
    return shown.field == pair.first ? q : u;
}

double polarizedAmplitude(double q, double u) {
    return std::sqrt(q * q + u * u);
}

double polarizationAngle(double q, double u) {
    // -0.0 in U would give -90 for an angle of 90 degrees.
    return 0.5 * std::atan2(u == 0.0 ? 0.0 : u, q) / kDegree;
}

double shownValue(const HealpixMap& map, const Shown& shown, int64_t pixel) {
    if (shown.quantity == Quantity::Field) return map.value(shown.field, pixel);
    const auto pair = map.polarizationPair();
    if (!pair) throw InvalidArgument("expected a map with fields Q and U, found none");
    const double q = map.value(pair->first, pixel), u = map.value(pair->second, pixel);
    return shown.quantity == Quantity::PolarizedAmplitude ? polarizedAmplitude(q, u)
                                                          : polarizationAngle(q, u);
}

int counterpartField(const HealpixMap& source, int field, const HealpixMap& result) {
    if (field < 0 || field >= source.fieldCount()) return 0;
    for (int i = 0; i < result.fieldCount(); ++i)
        if (result.field(i).name == source.field(field).name) return i;
    return 0;
}

HealpixMap quantityMap(const HealpixMap& map, int field, Quantity quantity, JobContext& job) {
    if (field < 0 || field >= map.fieldCount())
        throw InvalidArgument("expected a field from 1 to " + std::to_string(map.fieldCount()) +
                              ", found " + std::to_string(field + 1));
    const auto pair = map.polarizationPair();
    if (quantity != Quantity::Field && !pair)
        throw InvalidArgument("expected a map with fields Q and U, found none");
    Field result = quantity == Quantity::Field ? map.field(field) : Field{};
    if (quantity != Quantity::Field) {
        const Field& q = map.field(pair->first);
        const Field& u = map.field(pair->second);
        const bool isAngle = quantity == Quantity::PolarizationAngle;
        result.name = isAngle ? "POLARIZATION_ANGLE" : "POLARIZED_AMPLITUDE";
        result.unit = isAngle ? "deg" : q.unit;
        result.diskType = DiskType::Float64;
        std::vector<double> values(static_cast<size_t>(q.size()));
        parallelFor(job, q.size(), kPixelGrain, [&](long long begin, long long end) {
            for (long long i = begin; i < end; ++i)
                values[static_cast<size_t>(i)] = isAngle ? polarizationAngle(q.at(i), u.at(i))
                                                         : polarizedAmplitude(q.at(i), u.at(i));
        });
        result.values = std::move(values);
    }
    std::vector<Field> fields;
    fields.push_back(std::move(result));
    const auto pixels = map.pixels();
    std::vector<int64_t> list(pixels.begin(), pixels.end());
    HealpixMap made;
    switch (map.coverage()) {
        case Coverage::Full:
            made = HealpixMap(map.nside(), map.ordering(), map.frame(), std::move(fields));
            break;
        case Coverage::Partial:
            made = HealpixMap::partial(map.nside(), map.ordering(), map.frame(), std::move(list),
                                       std::move(fields));
            break;
        case Coverage::MultiOrder: {
            const auto orders = map.cellOrders();
            made = HealpixMap::multiOrder(map.nside(), map.frame(), std::move(list),
                                          {orders.begin(), orders.end()}, std::move(fields));
            break;
        }
    }
    made.metadata() = map.metadata();
    return made;
}

}  // namespace armilla
