// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of tables (operations, parameters, projections, frames) in the user's language. The tables
// hold plain English; code that displays a text looks up its translation here.
#pragma once

#include <string>
#include <string_view>

namespace armilla {

// The context in which translators find the texts of tables.
inline constexpr const char* kTableContext = "Table";

// The translation of `text`, or `text` itself without one.
std::string tableText(std::string_view text);
// Sets the function that translates a text; the function returns an empty string for an unknown
// text. Null removes translation. Must be called before threads start.
void setTableTranslation(std::string (*translate)(const std::string& text));

}  // namespace armilla
