// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/document_json.h"

#include <QDir>
#include <QHash>
#include <QJsonArray>
#include <QList>
#include <QSet>
#include <algorithm>
#include <cmath>
#include <limits>

#include "armilla/core/error.h"
#include "armilla/draw/own_colors.h"
#include "document_access.h"
#include "enum_names.h"

namespace armilla {

namespace {

constexpr qsizetype kMostLayers = 10000, kMostScales = 10000, kLongestName = 1000,
                    kLongestPath = 8192;
constexpr int kMaxPlane = 1 << 30, kMaxField = 10000;
constexpr double kMaxFloat = std::numeric_limits<float>::max();

QJsonObject toJson(const Shown& shown) {
    return {{"map", shown.entry.number()},
            {"field", shown.field},
            {"quantity", json::nameOf(kQuantities, shown.quantity)}};
}

Shown shownFromJson(const QJsonObject& json) {
    return {json::layerIdOrNone(json, "map"),
            static_cast<int>(json::integer(json, "field", 0, kMaxField)),
            json::enumeration(kQuantities, json, "quantity")};
}

QJsonObject toJson(const Camera& camera) {
    return {{"projection", json::nameOf(kProjections, camera.projection)},
            {"frame", json::nameOf(kFrames, camera.frame)},
            {"orientation",
             json::fromNumbers({std::begin(camera.orientation.m), std::end(camera.orientation.m)})},
            {"zoom", camera.zoom},
            {"offsetX", camera.offset.x},
            {"offsetY", camera.offset.y},
            {"flip", camera.flip}};
}

Camera cameraFromJson(const QJsonObject& json) {
    Camera camera;
    camera.projection = json::enumeration(kProjections, json, "projection");
    camera.frame = json::enumeration(kFrames, json, "frame");
    camera.zoom = json::number(json, "zoom", Camera::kMinZoom, Camera::kMaxZoom);
    // Far beyond the extent of any projection's plane (pi, or 2 sqrt 2 of Mollweide).
    camera.offset = {json::number(json, "offsetX", -10.0, 10.0),
                     json::number(json, "offsetY", -10.0, 10.0)};
    camera.flip = json::boolean(json, "flip");
    const auto values = json::numbers(json, "orientation", 9);
    bool isRotation = values.size() == 9;
    if (isRotation) {
        std::copy(values.begin(), values.end(), std::begin(camera.orientation.m));
        const Mat3 unit = camera.orientation * transposed(camera.orientation);
        // Even after many drags the product stays orthonormal far within this tolerance.
        for (int i = 0; i < 9; ++i)
            isRotation = isRotation && std::abs(unit.m[i] - (i % 4 == 0 ? 1.0 : 0.0)) < 1e-6;
        const double* m = camera.orientation.m;
        isRotation = isRotation &&
                     dot(cross({m[0], m[1], m[2]}, {m[3], m[4], m[5]}), {m[6], m[7], m[8]}) > 0;
    }
    if (!isRotation)
        json::fail(QStringLiteral("orientation"), QStringLiteral("the nine values of a rotation"),
                   json["orientation"]);
    return camera;
}

QString toText(Rgba color) {
    return QStringLiteral("#%1%2%3%4")
        .arg(color.r, 2, 16, QLatin1Char('0'))
        .arg(color.g, 2, 16, QLatin1Char('0'))
        .arg(color.b, 2, 16, QLatin1Char('0'))
        .arg(color.a, 2, 16, QLatin1Char('0'));
}

Rgba colorFromJson(const QJsonObject& json, const char* key) {
    const QString word = json::text(json, key, 9);
    bool isNumber = false;
    const quint32 value = word.mid(1).toUInt(&isNumber, 16);
    if (!isNumber || word.size() != 9 || word[0] != QLatin1Char('#'))
        json::fail(QLatin1String(key), QStringLiteral("a color #rrggbbaa"),
                   json[QLatin1String(key)]);
    return {static_cast<uint8_t>(value >> 24), static_cast<uint8_t>(value >> 16),
            static_cast<uint8_t>(value >> 8), static_cast<uint8_t>(value)};
}

QJsonObject toJson(const ColorScale& scale) {
    // The cumulative table is left out, because the map provides it.
    return {{"colorMap", QString::fromStdString(scale.colorMap)},
            {"reversed", scale.reversed},
            {"scale", json::nameOf(kScales, scale.mapping.scale)},
            {"low", static_cast<double>(scale.mapping.low)},
            {"high", static_cast<double>(scale.mapping.high)},
            {"middle", static_cast<double>(scale.mapping.middle)},
            {"linear", static_cast<double>(scale.mapping.linear)},
            {"bad", toText(scale.bad)},
            {"outside", toText(scale.outside)},
            {"ownBelow", scale.ownBelow},
            {"ownAbove", scale.ownAbove},
            {"below", toText(scale.below)},
            {"above", toText(scale.above)}};
}

ColorScale scaleFromJson(const QJsonObject& json) {
    ColorScale scale;
    constexpr int kLongest = 2048;  // 256 user-defined colors
    scale.colorMap = json::text(json, "colorMap", kLongest).toStdString();
    if (!isColorMap(scale.colorMap))
        json::fail(QStringLiteral("colorMap"), QStringLiteral("a color map of the program"),
                   json["colorMap"]);
    scale.reversed = json::boolean(json, "reversed");
    scale.mapping.scale = json::enumeration(kScales, json, "scale");
    const auto single = [&](const char* key, double low, double high) {
        return static_cast<float>(json::number(json, key, low, high));
    };
    scale.mapping.low = single("low", -kMaxFloat, kMaxFloat);
    scale.mapping.high = single("high", -kMaxFloat, kMaxFloat);
    scale.mapping.middle = single("middle", 0.0, 1.0);
    scale.mapping.linear = single("linear", 0.0, kMaxFloat);
    scale.bad = colorFromJson(json, "bad");
    scale.outside = colorFromJson(json, "outside");
    scale.ownBelow = json::boolean(json, "ownBelow");
    scale.ownAbove = json::boolean(json, "ownAbove");
    scale.below = colorFromJson(json, "below");
    scale.above = colorFromJson(json, "above");
    return scale;
}

QJsonObject toJson(const ViewState& view, const OverlayState& overlays) {
    return {
        {"shown", toJson(view.shown)},
        {"compared", toJson(view.compared)},
        {"comparison", json::nameOf(kComparisons, view.comparison)},
        {"swipe", view.swipe},
        {"camera", toJson(view.camera)},
        {"graticuleStep", overlays.graticuleStep},
        {"graticuleVisible", overlays.graticuleVisible},
        {"rodsVisible", overlays.rodsVisible},
        {"polarization",
         QJsonObject{{"drapery", overlays.polarization.lic},
                     {"leastSnr", overlays.polarization.leastSnr},
                     {"lengthLayer", overlays.polarization.lengthLayer.number()},
                     {"lengthField", overlays.polarization.lengthField},
                     {"iau", overlays.polarization.convention == PolarizationConvention::Iau}}}};
}

// Files of earlier versions may name the difference, which is now a separate map.
Comparison comparisonFromJson(const QJsonObject& json) {
    return json["comparison"] == QStringLiteral("difference")
               ? Comparison::Single
               : json::enumeration(kComparisons, json, "comparison");
}

ViewState viewFromJson(const QJsonObject& json) {
    ViewState view;
    view.shown = shownFromJson(json::child(json, "shown"));
    view.compared = shownFromJson(json::child(json, "compared"));
    view.comparison = comparisonFromJson(json);
    view.swipe = json::number(json, "swipe", 0.0, 1.0);
    view.camera = cameraFromJson(json::child(json, "camera"));
    return view;
}

OverlayState overlaysFromJson(const QJsonObject& json) {
    OverlayState overlays;
    overlays.graticuleStep = json::number(json, "graticuleStep", 0.0, kPi);
    overlays.graticuleVisible = json::boolean(json, "graticuleVisible");
    overlays.rodsVisible = json::boolean(json, "rodsVisible");
    // Files of earlier versions lack this key.
    if (json.contains("polarization")) {
        const QJsonObject look = json::child(json, "polarization");
        overlays.polarization.lic = json::boolean(look, "drapery");
        overlays.polarization.leastSnr = json::number(look, "leastSnr", 0.0, 1e6);
        if (look.contains("lengthLayer")) {
            constexpr int kMost = 1 << 30;
            overlays.polarization.lengthLayer = json::layerIdOrNone(look, "lengthLayer");
            overlays.polarization.lengthField =
                static_cast<int>(json::integer(look, "lengthField", 0, kMost));
        }
        if (json::boolean(look, "iau"))
            overlays.polarization.convention = PolarizationConvention::Iau;
    }
    return overlays;
}

QJsonObject toJson(const LayerStyle& style) {
    return {{"visible", style.visible},
            {"opacity", style.opacity},
            {"shape", json::nameOf(kMarkerShapes, style.marker.shape)},
            {"size", style.marker.size},
            {"color", toText(style.marker.color)},
            {"plane", style.plane}};
}

LayerStyle styleFromJson(const QJsonObject& json) {
    LayerStyle style;
    style.visible = json::boolean(json, "visible");
    style.opacity = json::number(json, "opacity", 0.0, 1.0);
    style.marker.shape = json::enumeration(kMarkerShapes, json, "shape");
    style.marker.size = json::number(json, "size", kLeastMarker, kMostMarker);
    style.marker.color = colorFromJson(json, "color");
    style.plane = static_cast<int>(json::integer(json, "plane", 0, kMaxPlane));
    return style;
}

QJsonObject toJson(const AwaitedLayer& layer, const QString& folder) {
    QJsonObject json{{"id", layer.id.number()},
                     {"kind", json::nameOf(kLayerKindNames, layer.kind)},
                     {"name", layer.name},
                     {"parent", layer.parent.number()},
                     {"hidden", layer.hidden},
                     {"style", toJson(layer.style)},
                     {"recipe", layer.recipe.toJson()}};
    if (layer.recipe.kind != RecipeKind::Open) return json;
    if (!folder.isEmpty()) json["relativePath"] = QDir(folder).relativeFilePath(layer.recipe.path);
    if (layer.mark.bytes >= 0)
        json["file"] = QJsonObject{{"bytes", static_cast<qint64>(layer.mark.bytes)},
                                   {"blake2b", layer.mark.checksum}};
    return json;
}

// Throws if a layer depends on itself, directly or indirectly.
void refuseRings(const std::vector<AwaitedLayer>& layers) {
    QHash<LayerId, const AwaitedLayer*> waiting;
    for (const AwaitedLayer& layer : layers) waiting[layer.id] = &layer;
    QHash<LayerId, QList<LayerId>> resultsOf;
    QHash<LayerId, int> sources;  // inputs not yet visited
    QList<LayerId> ready;
    for (const AwaitedLayer& layer : layers) {
        std::vector<LayerId> from = layer.recipe.inputs();
        from.push_back(layer.parent);
        for (const LayerId source : from)
            if (waiting.contains(source)) {
                resultsOf[source] << layer.id;
                ++sources[layer.id];
            }
        if (!sources.contains(layer.id)) ready << layer.id;
    }
    while (!ready.isEmpty()) {
        const LayerId id = ready.takeLast();
        waiting.remove(id);
        for (const LayerId result : resultsOf.value(id))
            if (--sources[result] == 0) ready << result;
    }
    if (!waiting.isEmpty())
        json::fail(QStringLiteral("input"), QStringLiteral("layers made from others"),
                   waiting.begin().key().number());
}

std::vector<AwaitedLayer> layersFromJson(const QJsonArray& array) {
    std::vector<AwaitedLayer> layers;
    QSet<LayerId> ids;
    for (const QJsonValue value : array) {
        const QJsonObject json = value.toObject();
        AwaitedLayer layer;
        layer.id = json::layerId(json, "id");
        layer.name = json::text(json, "name", kLongestName);
        layer.parent = json::layerIdOrNone(json, "parent");
        layer.hidden = json::boolean(json, "hidden");
        // The first version had only maps, whose style was only their colors.
        if (json.contains("kind")) layer.kind = json::enumeration(kLayerKindNames, json, "kind");
        if (json.contains("style")) layer.style = styleFromJson(json::child(json, "style"));
        layer.recipe = Recipe::fromJson(json::child(json, "recipe"));
        if (json.contains("relativePath"))
            layer.relativePath = json::text(json, "relativePath", kLongestPath);
        if (json.contains("file")) {
            const QJsonObject file = json::child(json, "file");
            layer.mark.bytes = json::integer(file, "bytes", 0, qint64{1} << 53);
            layer.mark.checksum = json::text(file, "blake2b", 64);
        }
        if (ids.contains(layer.id))
            json::fail(QStringLiteral("id"), QStringLiteral("a number used once"), json["id"]);
        ids.insert(layer.id);
        layers.push_back(std::move(layer));
    }
    for (const AwaitedLayer& layer : layers)
        for (const LayerId input : layer.recipe.inputs())
            if (!ids.contains(input))
                json::fail(QStringLiteral("input"), QStringLiteral("a layer of the session"),
                           input.number());
    refuseRings(layers);
    return layers;
}

}  // namespace

std::function<QJsonObject()> jsonWriter(const Document& document, const QString& folder) {
    const auto& parts = DocumentAccess::partsOf(document);
    const auto& known = parts.layers.known();
    std::vector<AwaitedLayer> layers;
    QSet<LayerId> ids;
    for (const Layer& entry : parts.layers.entries()) {
        if (entry.live) continue;
        layers.push_back({entry.id,
                          entry.kind(),
                          entry.name,
                          entry.recipe,
                          entry.style,
                          entry.parent,
                          false,
                          {},
                          parts.recovery.fileMark(entry.id)});
        ids.insert(entry.id);
    }
    const auto add = [&](const AwaitedLayer& layer) {
        if (ids.contains(layer.id)) return;
        layers.push_back(layer);
        ids.insert(layer.id);
    };
    for (const AwaitedLayer& layer : parts.recovery.awaited()) add(layer);
    for (const MissingLayer& missing : parts.recovery.missing()) add(missing.layer);
    std::unordered_map<LayerId, size_t> rank;
    for (const LayerId id : parts.layers.order()) rank.emplace(id, rank.size());
    std::stable_sort(layers.begin(), layers.end(),
                     [&](const auto& a, const auto& b) { return rank[a.id] < rank[b.id]; });
    for (size_t i = 0; i < layers.size(); ++i) {
        for (const LayerId input : layers[i].recipe.inputs()) {
            const auto closed = known.find(input);
            if (closed == known.end() || ids.contains(input)) continue;
            layers.push_back(closed->second);
            layers.back().hidden = true;
            ids.insert(input);
        }
    }
    std::vector<std::pair<Shown, ColorScale>> scales;
    for (const auto& each : parts.drawings.scales())
        if (ids.contains(each.first.entry)) scales.push_back(each);
    const ViewState view = parts.recovery.completed(parts.live.viewWithout());
    const OverlayState overlays = parts.overlays.state();
    const Layer* live = document.live();
    const LayerId present =
        live && live->id == document.active() ? live->parent : document.active();
    const LayerId active =
        parts.recovery.awaitedActive().isValid() ? parts.recovery.awaitedActive() : present;
    return
        [layers = std::move(layers), scales = std::move(scales), view, overlays, active, folder] {
            QJsonArray layerArray, scaleArray;
            for (const AwaitedLayer& layer : layers)
                layerArray.append(armilla::toJson(layer, folder));
            for (const auto& [shown, scale] : scales)
                scaleArray.append(QJsonObject{{"of", armilla::toJson(shown)},
                                              {"colors", armilla::toJson(scale)}});
            return QJsonObject{{"layers", layerArray},
                               {"view", armilla::toJson(view, overlays)},
                               {"active", active.number()},
                               {"scales", scaleArray}};
        };
}

void restoreDocument(Document& document, const QJsonObject& json) {
    // The first version named this key "maps".
    const auto layers =
        layersFromJson(json::array(json, json.contains("maps") ? "maps" : "layers", kMostLayers));
    const ViewState view = viewFromJson(json::child(json, "view"));
    const OverlayState overlays = overlaysFromJson(json::child(json, "view"));
    std::map<Shown, ColorScale> scales;
    for (const QJsonValue value : json::array(json, "scales", kMostScales)) {
        const QJsonObject each = value.toObject();
        const Shown of = shownFromJson(json::child(each, "of"));
        scales[of] = scaleFromJson(json::child(each, "colors"));
    }
    const LayerId active =
        json.contains("active") ? json::layerIdOrNone(json, "active") : LayerId();
    // No exception can follow from here on.
    auto& parts = DocumentAccess::partsOf(document);
    parts.history.stack()->clear();
    const ViewState oldView = parts.view.state();
    const OverlayState oldOverlays = parts.overlays.state();
    parts.live.forgetView();
    parts.layers.reset(layers);
    parts.drawings.reset(std::move(scales));
    const bool hadMissing = parts.recovery.reset(layers, view, active);
    ViewState next = view;
    next.shown = next.compared = {};
    emit document.entriesChanged();
    if (hadMissing) emit parts.recovery.missingChanged();
    parts.view.apply(oldView, next);
    parts.overlays.apply(oldOverlays, overlays);
}

}  // namespace armilla
