// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ui/sky_decorations.h"

#include <utility>

namespace armilla {

void SkyDecorations::setLiveRegion(const LiveRegion& region) {
    region_ = region;
    emit pictureChanged();
}

void SkyDecorations::setPreview(const std::optional<SkyPreview>& preview) {
    if (!preview && !preview_) return;
    preview_ = preview;
    emit pictureChanged();
    emit changed();
}

void SkyDecorations::setContours(const std::optional<SkyContours>& contours) {
    if (!contours && !contours_) return;
    contours_ = contours;
    emit changed();
}

void SkyDecorations::setVeil(std::shared_ptr<const HealpixMap> mask, bool isOfView) {
    if (mask == veil_.mask) return;
    veil_ = {std::move(mask), isOfView};
    emit changed();
}

void SkyDecorations::setLines(const QString& name, std::vector<SkyLine> lines) {
    if (lines.empty() && !lines_.contains(name)) return;
    if (lines.empty())
        lines_.erase(name);
    else
        lines_[name] = std::move(lines);
    emit changed();
}

}  // namespace armilla

#include "armilla/ui/moc_sky_decorations.cpp"
