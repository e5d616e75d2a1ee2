// SPDX-License-Identifier: GPL-3.0-or-later
// Text and color of verdicts, in the list, on stamps and in counts.
#pragma once

#include <QColor>
#include <QString>

#include "armilla/session/verdicts.h"

namespace armilla {

QString verdictText(Verdict verdict);
// Legible on dark and on light panels.
QColor verdictColor(Verdict verdict);

}  // namespace armilla
