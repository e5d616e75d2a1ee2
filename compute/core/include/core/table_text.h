// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of tables (operations, parameters, projections, frames) in the user's language. The tables
// hold plain English; whoever shows one asks here, and who knows of languages says what to answer.
#pragma once

#include <string>
#include <string_view>

namespace armilla {

// The context in which translators find the texts of tables.
inline constexpr const char* kTableContext = "Table";

// What is shown in the place of `text`: itself, until translations are set.
std::string tableText(std::string_view text);
// `translate` gives the text in the user's language, empty if it has none; null: none has. To be
// called before threads are.
void setTableTranslation(std::string (*translate)(const std::string& text));

}  // namespace armilla
