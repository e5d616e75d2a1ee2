// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace armilla {

// "armilla 1.0.0"
inline QString programVersion() {
    return QStringLiteral("armilla " ARMILLA_VERSION);
}

}  // namespace armilla
