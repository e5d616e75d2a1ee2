// SPDX-License-Identifier: GPL-3.0-or-later
// The program's own line icons, drawn in the color of the text around them at any scale factor.
#pragma once

#include <QIcon>
#include <QString>

namespace armilla {

// Icon `name` of resources/icons (":/icons/NAME.svg"). It follows the palette: dark and light,
// enabled and disabled. Unknown names give an icon that draws nothing.
QIcon lineIcon(const QString& name);
// The mark of the program in its own colors.
QIcon applicationIcon();

}  // namespace armilla
