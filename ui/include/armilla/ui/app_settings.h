// SPDX-License-Identifier: GPL-3.0-or-later
// Permanent settings of the user, stored by QSettings.
#pragma once

#include <QString>

#include "armilla/ui/sky_view_widget.h"
#include "armilla/ui/theme.h"

namespace armilla {

// Values of the settings dialog.
struct AppSettings {
    ThemeKind theme = ThemeKind::System;
    DrawChoice draw = DrawChoice::Automatic;
    QString device = QStringLiteral("auto");  // in the syntax of Device::fromText
    int threads = 0;                          // 0: as many as the machine has
    bool interop = false;                     // connects to other programs at the start

    // Missing or unreadable values have the defaults above.
    static AppSettings load();
    // Writes all values.
    void save() const;
    bool operator==(const AppSettings&) const = default;
};

// "system", "dark", "light"; none for other text.
std::optional<ThemeKind> themeFromText(const QString& text);

}  // namespace armilla
