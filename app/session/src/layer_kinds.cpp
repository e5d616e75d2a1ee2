// SPDX-License-Identifier: GPL-3.0-or-later
// The four kinds of layers, one entry each.
#include <QCoreApplication>
#include <QStringList>

#include "armilla/figure/unit_text.h"
#include "armilla/operations/map_beam.h"
#include "armilla/session/english_plurals.h"
#include "armilla/session/layer.h"
#include "armilla/session/shown_text.h"
#include "map_work.h"

namespace armilla {

namespace {

QString translated(const char* text) {
    return QCoreApplication::translate("Layer", text);
}

// "I, Q and 3 more" of many names.
QString namesText(const QStringList& names) {
    return names.size() <= 3 ? names.join(QStringLiteral(", "))
                             : QCoreApplication::translate("Layer", "%1 and %n more", nullptr,
                                                           static_cast<int>(names.size() - 1))
                                   .arg(names.front());
}

// Information that requires an action comes first, because narrow lists show the beginning.
QStringList unknownFrame(Frame frame) {
    return frame == Frame::Unknown ? QStringList{unknownFrameText()} : QStringList();
}
QStringList knownFrame(Frame frame) {
    return frame == Frame::Unknown ? QStringList() : QStringList{shownText(frameName(frame))};
}

// "nside 2048 · Galactic · µK · RING · I": the most distinctive parts come first, for narrow lists.
QString mapDetail(const LayerValue& value) {
    const HealpixMap& map = *value.map;
    QStringList names, units;
    for (const Field& field : map.fields()) {
        if (!field.name.empty()) names << QString::fromStdString(field.name);
        const QString unit = unitText(QString::fromStdString(field.unit));
        if (!unit.isEmpty() && !units.contains(unit)) units << unit;
    }
    QStringList parts = unknownFrame(map.frame());
    parts << QStringLiteral("nside %1").arg(map.nside()) << knownFrame(map.frame());
    if (!units.isEmpty()) parts << units.join(QStringLiteral(", "));
    if (const std::string beam = perBeamText(map); !beam.empty())
        parts << translated("beam %1").arg(sizesTypeset(QString::fromStdString(beam)));
    if (map.coverage() == Coverage::MultiOrder)
        parts << translated("multi-order");
    else
        parts << (map.ordering() == Ordering::Ring ? QStringLiteral("RING")
                                                   : QStringLiteral("NESTED"));
    if (map.coverage() == Coverage::Partial) parts << translated("partial");
    if (!names.isEmpty()) parts << namesText(names);
    return parts.join(QStringLiteral(" · "));
}

// "43 182 rows · 12 columns · equatorial (ICRS)"
QString catalogDetail(const LayerValue& value) {
    const Catalog& catalog = *value.catalog;
    QStringList parts = unknownFrame(catalog.frame());
    parts << QCoreApplication::translate("Layer", "%1 row(s)", nullptr, pluralOf(catalog.rows()))
                 .arg(groupedDigits(catalog.rows()))
          << QCoreApplication::translate("Layer", "%n column(s)", nullptr,
                                         static_cast<int>(catalog.table.columns.size()))
          << knownFrame(catalog.frame());
    return parts.join(QStringLiteral(" · "));
}

// "1024 × 768 · 50 planes · Galactic · K"
QString imageDetail(const LayerValue& value) {
    const Image& image = *value.image;
    QStringList parts = unknownFrame(image.frame);
    parts << QStringLiteral("%1 × %2").arg(image.width).arg(image.height);
    if (image.planes.size() > 1)
        parts << QCoreApplication::translate("Layer", "%n plane(s)", nullptr,
                                             static_cast<int>(image.planes.size()));
    parts << knownFrame(image.frame);
    if (!image.unit.empty()) parts << unitText(QString::fromStdString(image.unit));
    return parts.join(QStringLiteral(" · "));
}

// "Cₗ, errors · 30 points · µK²"
QString curveDetail(const LayerValue& value) {
    const Curve& curve = *value.curve;
    QStringList names, units;
    for (const CurveSeries& series : curve.series) {
        if (!series.name.empty()) names << nameText(QString::fromStdString(series.name));
        const QString unit = unitText(QString::fromStdString(series.unit));
        if (!unit.isEmpty() && !units.contains(unit)) units << unit;
    }
    QStringList parts;
    if (!names.isEmpty()) parts << namesText(names);
    parts << QCoreApplication::translate("Layer", "%n point(s)", nullptr,
                                         static_cast<int>(curve.size()));
    if (!curve.covariance.empty()) parts << translated("covariance");
    if (!units.isEmpty()) parts << units.join(QStringLiteral(", "));
    return parts.join(QStringLiteral(" · "));
}

LayerValue mapInFrame(const LayerValue& value, Frame frame) {
    HealpixMap map = *value.map;
    map.setFrame(frame);
    return std::shared_ptr<const HealpixMap>(sharedAndFreedAside(std::move(map)));
}

LayerValue catalogInFrame(const LayerValue& value, Frame frame) {
    Catalog catalog = *value.catalog;
    catalog.position.frame = catalog.table.frame = frame;
    return std::shared_ptr<const Catalog>(sharedAndFreedAside(std::move(catalog)));
}

LayerValue imageInFrame(const LayerValue& value, Frame frame) {
    Image image = *value.image;
    image.frame = frame;
    return std::shared_ptr<const Image>(sharedAndFreedAside(std::move(image)));
}

// In the order of LayerKind.
const LayerKindFacts kFacts[] = {
    {LayerKind::Map, "map", [] { return translated("map"); }, mapDetail,
     [](const LayerValue& value) { return value.map->memoryBytes(); },
     [](const LayerValue& value) { return value.map->frame(); }, mapInFrame, DataKind::Map, "fits"},
    {LayerKind::Catalog, "catalog", [] { return translated("catalog"); }, catalogDetail,
     [](const LayerValue& value) { return value.catalog->memoryBytes(); },
     [](const LayerValue& value) { return value.catalog->frame(); }, catalogInFrame,
     DataKind::Catalog, "fits"},
    {LayerKind::Image, "image", [] { return translated("image"); }, imageDetail,
     [](const LayerValue& value) { return value.image->memoryBytes(); },
     [](const LayerValue& value) { return value.image->frame; }, imageInFrame, DataKind::Image,
     "fits"},
    {LayerKind::Curve, "curve", [] { return translated("curve"); }, curveDetail,
     [](const LayerValue& value) { return value.curve->memoryBytes(); },
     [](const LayerValue&) { return Frame::Unknown; }, nullptr, DataKind::Curve, "csv"}};

}  // namespace

QString unknownFrameText() {
    return translated("frame unknown");
}

const LayerKindFacts& factsOf(LayerKind kind) {
    return kFacts[static_cast<size_t>(kind)];
}

}  // namespace armilla
