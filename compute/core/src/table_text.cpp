// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/table_text.h"

namespace armilla {

namespace {

std::string (*translation)(const std::string&) = nullptr;

}  // namespace

std::string tableText(std::string_view text) {
    std::string plain(text);
    if (translation == nullptr || plain.empty()) return plain;
    std::string translated = translation(plain);
    return translated.empty() ? plain : translated;
}

void setTableTranslation(std::string (*translate)(const std::string&)) {
    translation = translate;
}

}  // namespace armilla
