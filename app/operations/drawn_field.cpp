// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/operations/drawn_field.h"

#include <optional>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/ops/frame_turn.h"
#include "armilla/ops/resample.h"

namespace armilla {

namespace {

// Indices of Q and U that a picture in this frame shows rotated, with the field among them; none if
// the field is drawn unchanged.
std::optional<std::pair<int, int>> turnedPair(const HealpixMap& map, int field, Frame frame) {
    if (frame == map.frame() || frame == Frame::Unknown || map.frame() == Frame::Unknown)
        return std::nullopt;
    for (const auto& [q, u] : map.polarizationPairs())
        if (field == q || field == u) return std::pair{q, u};
    return std::nullopt;
}

}  // namespace

std::string drawnFieldName(const HealpixMap& map, int field, Frame frame) {
    const std::string& name = map.field(field).name;
    return turnedPair(map, field, frame) ? name + " in " + std::string(frameName(frame)) : name;
}

DrawnField drawnField(std::shared_ptr<const HealpixMap> map, int field, Frame frame,
                      JobContext& job) {
    DrawnField drawn{std::move(map), field, false, {}};
    const HealpixMap& source = *drawn.map;
    drawn.name = drawnFieldName(source, field, frame);
    if (frame == source.frame() || frame == Frame::Unknown || source.frame() == Frame::Unknown)
        return drawn;
    if (const auto pair = turnedPair(source, field, frame)) {
        const auto [q, u] = *pair;
        drawn.field = field == q ? 0 : 1;
        drawn.isTurned = true;
        drawn.map = std::make_shared<const HealpixMap>(
            polarizationReferredTo(withFields(source, {q, u}), frame, job));
        return drawn;
    }
    if (isHalfOfPolarization(source.field(field)))
        throw InvalidArgument("expected both Q and U, which rotate together, found " + drawn.name +
                              " alone");
    return drawn;
}

}  // namespace armilla
