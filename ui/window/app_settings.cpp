// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ui/app_settings.h"

#include <QSettings>
#include <algorithm>

namespace armilla {
namespace {

const QStringList& themeNames() {
    static const QStringList names{QStringLiteral("system"), QStringLiteral("dark"),
                                   QStringLiteral("light")};
    return names;
}
const QStringList& drawNames() {
    static const QStringList names{QStringLiteral("auto"), QStringLiteral("opengl"),
                                   QStringLiteral("cuda"), QStringLiteral("cpu")};
    return names;
}
constexpr int kMostThreads = 1024;

}  // namespace

std::optional<ThemeKind> themeFromText(const QString& text) {
    const auto index = themeNames().indexOf(text.toLower());
    if (index < 0) return std::nullopt;
    return static_cast<ThemeKind>(index);
}

AppSettings AppSettings::load() {
    const QSettings stored;
    AppSettings result;
    result.theme =
        themeFromText(stored.value(QStringLiteral("theme")).toString()).value_or(ThemeKind::System);
    const auto draw = drawNames().indexOf(stored.value(QStringLiteral("draw")).toString());
    if (draw >= 0) result.draw = static_cast<DrawChoice>(draw);
    result.device = stored.value(QStringLiteral("device"), result.device).toString();
    result.threads =
        std::clamp(stored.value(QStringLiteral("threads"), 0).toInt(), 0, kMostThreads);
    result.interop = stored.value(QStringLiteral("interop"), false).toBool();
    return result;
}

void AppSettings::save() const {
    QSettings stored;
    stored.setValue(QStringLiteral("theme"), themeNames()[static_cast<int>(theme)]);
    stored.setValue(QStringLiteral("draw"), drawNames()[static_cast<int>(draw)]);
    stored.setValue(QStringLiteral("device"), device);
    stored.setValue(QStringLiteral("threads"), threads);
    stored.setValue(QStringLiteral("interop"), interop);
}

}  // namespace armilla
