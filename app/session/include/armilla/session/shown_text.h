// SPDX-License-Identifier: GPL-3.0-or-later
// Display texts of tables.
#pragma once

#include <QString>
#include <string_view>

#include "armilla/core/sky_vector.h"
#include "armilla/core/table_text.h"

namespace armilla {

// A text that is no text of a table, such as an id.
inline QString textOf(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

// A text of a table in the user's language.
inline QString shownText(std::string_view text) {
    return QString::fromStdString(tableText(text));
}

// "Galactic", capitalized for the beginning of a line.
inline QString frameTitle(Frame frame) {
    QString text = shownText(frameName(frame));
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    return text;
}

}  // namespace armilla
