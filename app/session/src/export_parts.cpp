// SPDX-License-Identifier: GPL-3.0-or-later
#include "export_parts.h"

#include "armilla/core/units.h"
#include "enum_names.h"

namespace armilla {

QString angleWord(double radians) {
    return QString::fromStdString(angleArgument(radians));
}

QString describeView(const Camera& camera) {
    const LonLat center = camera.center();
    const std::string_view frame = frameName(camera.frame);
    return QStringLiteral("%1 about %2,%3, rotated %4, %5, zoom %6%7")
        .arg(json::nameOf(kProjections, camera.projection), angleWord(center.lon),
             angleWord(center.lat), angleWord(camera.rotation()),
             QString::fromUtf8(frame.data(), static_cast<int>(frame.size())))
        .arg(camera.zoom)
        .arg(camera.flip ? QStringLiteral(", east to the right") : QString());
}

DrawnField oneField(const MapPointer& map, const Shown& shown, Frame view, JobContext& job) {
    if (shown.quantity == Quantity::Field) return drawnField(map, shown.field, view, job);
    const DrawnField drawn = drawnOf(map, shown, view, job);
    DrawnField made{std::make_shared<const HealpixMap>(
                        quantityMap(*drawn.map, drawn.field, shown.quantity, job)),
                    0,
                    drawn.isTurned,
                    {}};
    made.name = made.map->field(0).name;
    if (drawn.isTurned) made.name += " in " + std::string(frameName(view));
    return made;
}

const Layer& shownEntry(const Document& document) {
    const Layer* entry = document.entry(document.shown().entry);
    if (!entry || !entry->map) throw InvalidArgument("expected a map that is shown, found none");
    return *entry;
}

}  // namespace armilla
