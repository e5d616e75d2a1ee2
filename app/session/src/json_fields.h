// SPDX-License-Identifier: GPL-3.0-or-later
// Reads JSON that may be damaged or hostile: every access checks the value and throws
// InvalidArgument with the expected and found content.
#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <QString>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "armilla/session/layer_id.h"

namespace armilla::json {

[[noreturn]] void fail(const QString& key, const QString& expected, const QJsonValue& found);

double number(const QJsonObject& object, const char* key, double low, double high);
int64_t integer(const QJsonObject& object, const char* key, int64_t low, int64_t high);
bool boolean(const QJsonObject& object, const char* key);
LayerId layerId(const QJsonObject& object, const char* key);
LayerId layerIdOrNone(const QJsonObject& object, const char* key);  // -1 in the file: none
QString text(const QJsonObject& object, const char* key, qsizetype longest);
QJsonObject child(const QJsonObject& object, const char* key);
QJsonArray array(const QJsonObject& object, const char* key, qsizetype longest);
// Finite numbers.
std::vector<double> numbers(const QJsonObject& object, const char* key, qsizetype longest);
QJsonArray fromNumbers(const std::vector<double>& values);

// An enum by its name in the file. `names` is the full table.
template <typename Enum, size_t N>
using Names = std::array<std::pair<Enum, std::string_view>, N>;

template <typename Enum, size_t N>
QString nameOf(const Names<Enum, N>& names, Enum value) {
    for (const auto& [each, name] : names)
        if (each == value) return QString::fromLatin1(name.data(), static_cast<int>(name.size()));
    return {};
}
template <typename Enum, size_t N>
Enum enumeration(const Names<Enum, N>& names, const QJsonObject& object, const char* key) {
    const QString found = text(object, key, 64);
    QStringList known;
    for (const auto& [each, name] : names) {
        const QString word = QString::fromLatin1(name.data(), static_cast<int>(name.size()));
        if (word == found) return each;
        known << word;
    }
    fail(QString::fromLatin1(key), QStringLiteral("one of ") + known.join(QStringLiteral(", ")),
         object[QLatin1String(key)]);
}

// Elements of a list that are unreadable and left out.
struct LeftOut {
    int count = 0;
    QString first;  // reason for the first one
    void add(const QString& why) {
        if (count++ == 0) first = why;
    }
};

}  // namespace armilla::json
