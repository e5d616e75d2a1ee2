// SPDX-License-Identifier: GPL-3.0-or-later
// Content of tools over the maps of a sky view; not part of the document.
#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/session/live_region.h"
#include "armilla/ui/sky_drawing.h"
#include "armilla/ui/sky_preview.h"

namespace armilla {

// Used in the window's thread.
class SkyDecorations : public QObject {
    Q_OBJECT
public:
    // The mask of a veil. `isOfView`: a partial mask holds the pixels of a view alone, and the sky
    // beyond stays clear; else a partial mask cuts the pixels that it does not list.
    struct Veil {
        std::shared_ptr<const HealpixMap> mask;
        bool isOfView = false;
    };
    explicit SkyDecorations(QObject* parent = nullptr) : QObject(parent) {}

    // Draws the region over the live result, or over its source map while there is no result.
    void setLiveRegion(const armilla::LiveRegion& region);
    const LiveRegion& liveRegion() const { return region_; }
    // Shows the preview of a tool over the maps; none: no preview.
    void setPreview(const std::optional<armilla::SkyPreview>& preview);
    const std::optional<SkyPreview>& preview() const { return preview_; }
    // Contours that are drawn while their field is shown; none: no contours.
    void setContours(const std::optional<SkyContours>& contours);
    const std::optional<SkyContours>& contours() const { return contours_; }
    // Covers the sky that a mask cuts (its first field, weights from 0 to 1) by a translucent veil;
    // null: no veil.
    void setVeil(std::shared_ptr<const HealpixMap> mask, bool isOfView = false);
    const Veil& veil() const { return veil_; }
    // Lines over the picture; replaces the earlier lines of the same name.
    void setLines(const QString& name, std::vector<SkyLine> lines);
    const std::map<QString, std::vector<SkyLine>>& lines() const { return lines_; }

signals:
    // The content over the picture has changed.
    void changed();
    // Content that belongs to the picture itself has changed.
    void pictureChanged();

private:
    LiveRegion region_;
    std::optional<SkyPreview> preview_;
    std::optional<SkyContours> contours_;
    Veil veil_;
    std::map<QString, std::vector<SkyLine>> lines_;
};

}  // namespace armilla
