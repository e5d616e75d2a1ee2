// SPDX-License-Identifier: GPL-3.0-or-later
// The program's line icons, drawn in the color of the surrounding text at any scale factor.
#pragma once

#include <QIcon>
#include <QString>

namespace armilla {

// Icon `name` of resources/icons (":/icons/NAME.svg"), which follows the palette: dark and light,
// enabled and disabled. Unknown names give an empty icon.
QIcon lineIcon(const QString& name);
// The logo of the program in its own colors.
QIcon applicationIcon();

}  // namespace armilla
