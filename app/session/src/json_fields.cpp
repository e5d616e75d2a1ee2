// SPDX-License-Identifier: GPL-3.0-or-later
#include "json_fields.h"

#include <QJsonDocument>
#include <cmath>

#include "armilla/core/error.h"

namespace armilla::json {

namespace {

constexpr int64_t kMaxLayer = 1 << 30;

QString shortened(const QJsonValue& value) {
    switch (value.type()) {
        case QJsonValue::Undefined: return QStringLiteral("nothing");
        case QJsonValue::Null: return QStringLiteral("null");
        case QJsonValue::Bool:
            return value.toBool() ? QStringLiteral("true") : QStringLiteral("false");
        case QJsonValue::Double: return QString::number(value.toDouble());
        case QJsonValue::String:
            return QLatin1Char('"') + value.toString().left(40).simplified() + QLatin1Char('"');
        case QJsonValue::Array: return QStringLiteral("a list of %1").arg(value.toArray().size());
        case QJsonValue::Object: return QStringLiteral("an object");
    }
    return {};
}

}  // namespace

void fail(const QString& key, const QString& expected, const QJsonValue& found) {
    throw InvalidArgument(QStringLiteral("\"%1\": expected %2, found %3")
                              .arg(key, expected, shortened(found))
                              .toStdString());
}

double number(const QJsonObject& object, const char* key, double low, double high) {
    const QJsonValue value = object[QLatin1String(key)];
    // NaN fails this form of the comparison.
    if (!value.isDouble() || !(value.toDouble() >= low && value.toDouble() <= high))
        fail(QLatin1String(key), QStringLiteral("a number from %1 to %2").arg(low).arg(high),
             value);
    return value.toDouble();
}

int64_t integer(const QJsonObject& object, const char* key, int64_t low, int64_t high) {
    const QJsonValue value = object[QLatin1String(key)];
    const double number = value.toDouble(NAN);
    if (!(number >= static_cast<double>(low) && number <= static_cast<double>(high)) ||
        number != std::floor(number))
        fail(QLatin1String(key), QStringLiteral("a whole number from %1 to %2").arg(low).arg(high),
             value);
    return static_cast<int64_t>(number);
}

LayerId layerId(const QJsonObject& object, const char* key) {
    return LayerId(static_cast<int>(integer(object, key, 1, kMaxLayer)));
}

LayerId layerIdOrNone(const QJsonObject& object, const char* key) {
    return LayerId(static_cast<int>(integer(object, key, -1, kMaxLayer)));
}

bool boolean(const QJsonObject& object, const char* key) {
    const QJsonValue value = object[QLatin1String(key)];
    if (!value.isBool()) fail(QLatin1String(key), QStringLiteral("true or false"), value);
    return value.toBool();
}

QString text(const QJsonObject& object, const char* key, qsizetype longest) {
    const QJsonValue value = object[QLatin1String(key)];
    if (!value.isString() || value.toString().size() > longest ||
        value.toString().contains(QChar(0)))
        fail(QLatin1String(key), QStringLiteral("a text of at most %1 characters").arg(longest),
             value);
    return value.toString();
}

QJsonObject child(const QJsonObject& object, const char* key) {
    const QJsonValue value = object[QLatin1String(key)];
    if (!value.isObject()) fail(QLatin1String(key), QStringLiteral("an object"), value);
    return value.toObject();
}

QJsonArray array(const QJsonObject& object, const char* key, qsizetype longest) {
    const QJsonValue value = object[QLatin1String(key)];
    if (!value.isArray() || value.toArray().size() > longest)
        fail(QLatin1String(key), QStringLiteral("a list of at most %1").arg(longest), value);
    return value.toArray();
}

std::vector<double> numbers(const QJsonObject& object, const char* key, qsizetype longest) {
    std::vector<double> values;
    for (const QJsonValue value : array(object, key, longest)) {
        if (!value.isDouble() || !std::isfinite(value.toDouble()))
            fail(QLatin1String(key), QStringLiteral("finite numbers"), value);
        values.push_back(value.toDouble());
    }
    return values;
}

QJsonArray fromNumbers(const std::vector<double>& values) {
    QJsonArray array;
    for (const double value : values) array.append(value);
    return array;
}

}  // namespace armilla::json
