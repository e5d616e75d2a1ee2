// SPDX-License-Identifier: GPL-3.0-or-later
#include "operations/drawn_field.h"

#include "core/error.h"
#include "ops/frame_turn.h"
#include "ops/resample.h"

namespace armilla {

DrawnField drawnField(std::shared_ptr<const HealpixMap> map, int field, Frame frame,
                      JobContext& job) {
    DrawnField drawn{std::move(map), field, false, {}};
    const HealpixMap& source = *drawn.map;
    drawn.name = source.field(field).name;
    if (frame == source.frame() || frame == Frame::Unknown || source.frame() == Frame::Unknown)
        return drawn;
    for (const auto& [q, u] : source.polarizationPairs()) {
        if (field != q && field != u) continue;
        drawn.map = std::make_shared<const HealpixMap>(
            polarizationReferredTo(withFields(source, {q, u}), frame, job));
        drawn.field = field == q ? 0 : 1;
        drawn.isTurned = true;
        drawn.name += " in " + std::string(frameName(frame));
        return drawn;
    }
    if (isHalfOfPolarization(source.field(field)))
        throw InvalidArgument("expected Q and U both, which turn together, found " + drawn.name +
                              " alone");
    return drawn;
}

}  // namespace armilla
