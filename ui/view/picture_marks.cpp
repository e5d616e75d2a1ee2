// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/picture_marks.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "armilla/core/pixel_geometry.h"
#include "armilla/session/data_extent.h"
#include "armilla/session/shown_text.h"
#include "armilla/ui/sky_view_widget.h"

namespace armilla {
namespace {

constexpr double kMarkerReach = 4.0;  // logical pixels around a marker

// Note for a map without a frame in a view with one, or the reverse, and for overlays: their
// relative position is undefined. Empty if all frames are linked.
QString elsewhereNote(const Document& document, const Layer& shown) {
    const Frame frame = document.view().camera().frame;
    // A table may have no positions.
    const auto hasPlaces = [](const Layer& layer) {
        return layer.image || (layer.catalog && layer.catalog->position.lon >= 0);
    };
    const auto isElsewhere = [&](const Layer& layer) {
        return (factsOf(layer.kind()).frame(layer) == Frame::Unknown) != (frame == Frame::Unknown);
    };
    if (shown.map && isElsewhere(shown))
        return shown.map->frame() == Frame::Unknown
                   ? SkyViewWidget::tr("Not aligned: frame unknown")
                   : SkyViewWidget::tr("Not aligned: the view has no frame");
    QStringList names;
    for (const Layer& layer : document.entries())
        if (layer.style.visible && hasPlaces(layer) && isElsewhere(layer)) names << layer.name;
    if (names.isEmpty()) return {};
    return names.size() == 1
               ? SkyViewWidget::tr("Not at its place on this sky: %1").arg(names.front())
               : SkyViewWidget::tr("%n layer(s) elsewhere than on this sky", nullptr,
                                   static_cast<int>(names.size()));
}

}  // namespace

void addNames(OverlayScene& scene, const ViewContents& view, const LastPictures& pictures) {
    const Document& document = view.document;
    for (const PanelContent& content : view.contents) {
        const LastPictures::Side& last = pictures.of(content);
        const Layer* entry = document.entry(content.shown.entry);
        if (!entry) continue;
        if (!last.field) continue;
        const Frame frame = document.view().camera().frame;
        const bool ready =
            last.shown == content.shown && last.field->revision == entry->revision &&
            (!entry->map || last.field->turnedTo == turnedTo(*entry->map, content.shown, frame));
        QString name = entry->name;
        if (entry->map &&
            (entry->map->fieldCount() > 1 || content.shown.quantity != Quantity::Field))
            name += QStringLiteral(" · ") + titleOf(*entry->map, content.shown);
        const bool right = content.side == 1 && content.panel == 0 &&
                           document.view().comparison() == Comparison::Swipe;
        scene.chips.push_back({content.panel, right, name, !ready});
        if (const QString note = elsewhereNote(document, *entry); !note.isEmpty())
            scene.chips.push_back({content.panel, right, note, false, 1});
        // The bar describes the picture on the screen, which may be the last good one.
        const Layer* drawn = document.entry(last.shown.entry);
        if (!drawn || !drawn->map) continue;
        const QString unit = unitOf(*drawn->map, last.shown);
        QString title = titleIn(*drawn->map, last.shown, last.field->turnedTo, frame);
        if (!unit.isEmpty())
            title = title.isEmpty() ? unit : QStringLiteral("%1, %2").arg(title, unit);
        const ColorBarText text{title, scaleName(last.scale.mapping.scale)};
        const bool isPresent =
            std::any_of(scene.bars.begin(), scene.bars.end(), [&](const OverlayScene::Bar& bar) {
                return bar.panel == content.panel && bar.text.title == text.title &&
                       bar.text.note == text.note &&
                       bar.scale.mapping.low == last.scale.mapping.low &&
                       bar.scale.mapping.high == last.scale.mapping.high &&
                       bar.scale.mapping.middle == last.scale.mapping.middle &&
                       bar.scale.colorMap == last.scale.colorMap &&
                       bar.scale.reversed == last.scale.reversed;
            });
        if (!isPresent) scene.bars.push_back({content.panel, last.scale, text});
    }
}

void addCross(OverlayScene& scene, const ViewContents& view, const LastPictures& last,
              const SkyCursor& place, int leftOut) {
    int done = leftOut;  // panels are in ascending order
    for (const PanelContent& content : view.contents) {
        if (content.panel == leftOut || content.panel == done) continue;
        const auto& drawn = last.of(content).field;
        if (!drawn) continue;
        done = content.panel;
        // Equal positions of two unlinked frames are not comparable.
        if ((drawn->frame() == Frame::Unknown) != (place.frame == Frame::Unknown)) continue;
        const ViewGeometry geometry =
            geometryFor(view.camera, content.rectangle.size(), place.frame);
        double column = 0.0, row = 0.0;
        if (imageFromSky(geometry, place.direction, column, row))
            scene.crosses.push_back({content.panel, QPointF(column, row)});
    }
}

void addRing(OverlayScene& scene, const ViewContents& view, const RowSelection& marker) {
    const Layer* layer = view.document.entry(marker.layer);
    if (!layer || !layer->catalog || !layer->style.visible || marker.row >= layer->catalog->rows())
        return;
    const LonLat at = layer->catalog->at(marker.row);
    if (!std::isfinite(at.lon) || !std::isfinite(at.lat)) return;
    view.forEachPanel([&](const PanelContent& content) {
        const ViewGeometry geometry =
            geometryFor(view.camera, content.rectangle.size(), layer->catalog->frame());
        double column = 0.0, row = 0.0;
        if (!imageFromSky(geometry, direction(at), column, row)) return;
        scene.rings.push_back({content.panel, QPointF(column, row),
                               0.5 * layer->style.marker.size + 4.0,
                               rowTitle(*layer->catalog, marker.row)});
    });
}

RowSelection markerAt(const ViewContents& view, const PanelContent& content, QPointF device) {
    const Document& document = view.document;
    const QPointF at = device - QPointF(content.rectangle.topLeft());
    const auto& layers = document.entries();
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
        if (!layer->catalog || !layer->style.visible || layer->style.opacity <= 0.0) continue;
        const auto groups = document.drawings().markerGroups(layer->id);
        for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
            const double reach = (0.5 * group->style.size + kMarkerReach) * view.pixelRatio;
            const ViewGeometry geometry =
                geometryFor(view.camera, content.rectangle.size(), group->set->frame());
            if (const auto row = pickMarker(*group->set, geometry, at.x(), at.y(), reach))
                return {layer->id, *row};
        }
    }
    return {};
}

bool hasMarkers(const Document& document) {
    const auto& layers = document.entries();
    return std::any_of(layers.begin(), layers.end(), [&](const Layer& layer) {
        return layer.style.visible &&
               (document.drawings().markers(layer.id) || document.drawings().imageMesh(layer.id));
    });
}

void DataPlace::moveToData(const Document& document, SkyCursor& place) {
    const Layer* layer = document.entry(place.shown.entry);
    if (!layer || !layer->map || place.shown.quantity != Quantity::Field) return;
    const HealpixMap& map = *layer->map;
    const int field = place.shown.field;
    const auto hasValue = [&](const Vec3& at) {
        return std::isfinite(map.value(field, map.pixelAt(at)));
    };
    const Vec3 middle = place.direction;
    if (hasValue(middle)) return;
    const bool isThere = layer_ == layer->id && field_ == field && from_.x == middle.x &&
                         from_.y == middle.y && from_.z == middle.z;
    // A live map changes with each slider step, so any position with a value is kept.
    const bool isKept =
        isThere && (revision_ == layer->revision || (layer->live && place_ && hasValue(*place_)));
    if (!isKept) {
        layer_ = layer->id;
        field_ = field;
        revision_ = layer->revision;
        from_ = middle;
        place_ = goodPlaceNear(map, field, middle);
    }
    if (place_) place.direction = *place_;
}

bool moveToPeak(const ViewContents& view, const LastPictures& pictures, SkyCursor& place) {
    const LastPictures::Side& last = pictures.front();
    if (!last.field || last.shown != place.shown || !last.field->peak) return false;
    const QRect& panel = view.contents.front().rectangle;
    const ViewGeometry geometry = geometryFor(view.camera, panel.size(), place.frame);
    double column = 0.0, row = 0.0;
    if (!imageFromSky(geometry, *last.field->peak, column, row) || column < 0.0 || row < 0.0 ||
        column > panel.width() || row > panel.height())
        return false;
    place.direction = *last.field->peak;
    return true;
}

}  // namespace armilla
