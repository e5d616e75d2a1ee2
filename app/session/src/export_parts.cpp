// SPDX-License-Identifier: GPL-3.0-or-later
#include "export_parts.h"

#include "core/units.h"
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

OneField oneField(const MapPointer& map, const Shown& shown, JobContext& job) {
    if (shown.quantity == Quantity::Field) return {map, shown.field};
    return {std::make_shared<const HealpixMap>(quantityMap(*map, shown.field, shown.quantity, job)),
            0};
}

const Layer& shownEntry(const Document& document) {
    const Layer* entry = document.entry(document.shown().entry);
    if (!entry || !entry->map) throw InvalidArgument("expected a map that is shown, found none");
    return *entry;
}

}  // namespace armilla
