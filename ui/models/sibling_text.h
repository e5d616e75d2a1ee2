// SPDX-License-Identifier: GPL-3.0-or-later
// Names elided where they equal the names beside them.
#pragma once

#include <QFontMetrics>
#include <QString>
#include <QStringList>

namespace armilla {

// The name, elided to `width` in the beginning that it shares with another of `siblings`, then in
// the shared end: the part that differs stays visible, elided in its middle if it is too long. A
// name that shares neither is elided in the middle. `siblings` may contain the name itself.
QString elidedAmong(const QString& name, const QStringList& siblings, const QFontMetrics& metrics,
                    int width);

}  // namespace armilla
