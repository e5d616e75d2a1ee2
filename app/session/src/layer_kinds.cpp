// SPDX-License-Identifier: GPL-3.0-or-later
// The four kinds of layers, one entry each.
#include <QCoreApplication>
#include <QStringList>

#include "layer_files.h"
#include "session/layer.h"
#include "session/unit_text.h"

namespace armilla {

namespace {

QString translated(const char* text) {
    return QCoreApplication::translate("Layer", text);
}

QString frameText(Frame frame) {
    const std::string_view name = frameName(frame);
    return QString::fromUtf8(name.data(), static_cast<int>(name.size()));
}

// "I, Q and 3 more" of many names.
QString namesText(const QStringList& names) {
    return names.size() <= 3 ? names.join(QStringLiteral(", "))
                             : QCoreApplication::translate("Layer", "%1 and %n more", nullptr,
                                                           static_cast<int>(names.size() - 1))
                                   .arg(names.front());
}

QString grouped(int64_t number) {
    QString digits = QString::number(number);
    for (qsizetype i = digits.size() - 3; i > 0; i -= 3) digits.insert(i, QChar(0x202F));
    return digits;
}

// "I · nside 2048 · RING · Galactic · µK"
QString mapDetail(const LayerValue& value) {
    const HealpixMap& map = *value.map;
    QStringList names, units;
    for (const Field& field : map.fields()) {
        if (!field.name.empty()) names << QString::fromStdString(field.name);
        const QString unit = unitText(QString::fromStdString(field.unit));
        if (!unit.isEmpty() && !units.contains(unit)) units << unit;
    }
    QStringList parts;
    if (!names.isEmpty()) parts << namesText(names);
    parts << QStringLiteral("nside %1").arg(map.nside());
    if (map.coverage() == Coverage::MultiOrder)
        parts << translated("multi-order");
    else
        parts << (map.ordering() == Ordering::Ring ? QStringLiteral("RING")
                                                   : QStringLiteral("NESTED"));
    if (map.coverage() == Coverage::Partial) parts << translated("partial");
    parts << frameText(map.frame());
    if (!units.isEmpty()) parts << units.join(QStringLiteral(", "));
    return parts.join(QStringLiteral(" · "));
}

// "43 182 rows · 12 columns · equatorial (ICRS)"
QString catalogDetail(const LayerValue& value) {
    const Catalog& catalog = *value.catalog;
    return QStringList{QCoreApplication::translate("Layer", "%1 rows").arg(grouped(catalog.rows())),
                       QCoreApplication::translate("Layer", "%n columns", nullptr,
                                                   static_cast<int>(catalog.table.columns.size())),
                       frameText(catalog.frame())}
        .join(QStringLiteral(" · "));
}

// "1024 × 768 · 50 planes · Galactic · K"
QString imageDetail(const LayerValue& value) {
    const Image& image = *value.image;
    QStringList parts{QStringLiteral("%1 × %2").arg(image.width).arg(image.height)};
    if (image.planes.size() > 1)
        parts << QCoreApplication::translate("Layer", "%n planes", nullptr,
                                             static_cast<int>(image.planes.size()));
    parts << frameText(image.frame);
    if (!image.unit.empty()) parts << unitText(QString::fromStdString(image.unit));
    return parts.join(QStringLiteral(" · "));
}

// "C_l, errors · 30 points · uK^2"
QString curveDetail(const LayerValue& value) {
    const Curve& curve = *value.curve;
    QStringList names, units;
    for (const CurveSeries& series : curve.series) {
        if (!series.name.empty()) names << QString::fromStdString(series.name);
        const QString unit = unitText(QString::fromStdString(series.unit));
        if (!unit.isEmpty() && !units.contains(unit)) units << unit;
    }
    QStringList parts;
    if (!names.isEmpty()) parts << namesText(names);
    parts << QCoreApplication::translate("Layer", "%n points", nullptr,
                                         static_cast<int>(curve.size()));
    if (!curve.covariance.empty()) parts << translated("covariance");
    if (!units.isEmpty()) parts << units.join(QStringLiteral(", "));
    return parts.join(QStringLiteral(" · "));
}

// In the order of LayerKind.
const LayerKindFacts kFacts[] = {
    {LayerKind::Map, "map", [] { return translated("map"); }, mapDetail,
     [](const LayerValue& value) { return value.map->memoryBytes(); },
     [](const LayerValue& value) { return value.map->frame(); }, "fits", writeMapLayer},
    {LayerKind::Catalog, "catalog", [] { return translated("catalog"); }, catalogDetail,
     [](const LayerValue& value) { return value.catalog->memoryBytes(); },
     [](const LayerValue& value) { return value.catalog->frame(); }, "fits vot csv ecsv",
     writeCatalogLayer},
    {LayerKind::Image, "image", [] { return translated("image"); }, imageDetail,
     [](const LayerValue& value) { return value.image->memoryBytes(); },
     [](const LayerValue& value) { return value.image->frame; }, "fits", writeImageLayer},
    {LayerKind::Curve, "curve", [] { return translated("curve"); }, curveDetail,
     [](const LayerValue& value) { return value.curve->memoryBytes(); },
     [](const LayerValue&) { return Frame::Unknown; }, "csv fits ecsv vot", writeCurveLayer}};

}  // namespace

const LayerKindFacts& factsOf(LayerKind kind) {
    return kFacts[static_cast<size_t>(kind)];
}

}  // namespace armilla
