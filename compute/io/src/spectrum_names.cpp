// SPDX-License-Identifier: GPL-3.0-or-later
#include "spectrum_names.h"

#include <array>
#include <cctype>
#include <string>
#include <utility>

namespace armilla {

std::optional<SpectrumKind> spectrumKindOf(std::string_view columnName) {
    std::string word;
    for (const char c : columnName)
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            word += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    if (word.starts_with("CL")) word.erase(0, 2);
    // G and C (gradient, curl) are HEALPix's older names of E and B.
    static constexpr std::array<std::pair<std::string_view, SpectrumKind>, 20> kNames = {{
        {"TT", SpectrumKind::TT},       {"TEMPERATURE", SpectrumKind::TT},
        {"EE", SpectrumKind::EE},       {"GG", SpectrumKind::EE},
        {"GRADIENT", SpectrumKind::EE}, {"ELECTRIC", SpectrumKind::EE},
        {"BB", SpectrumKind::BB},       {"CC", SpectrumKind::BB},
        {"CURL", SpectrumKind::BB},     {"MAGNETIC", SpectrumKind::BB},
        {"TE", SpectrumKind::TE},       {"ET", SpectrumKind::TE},
        {"TG", SpectrumKind::TE},       {"GT", SpectrumKind::TE},
        {"TB", SpectrumKind::TB},       {"TC", SpectrumKind::TB},
        {"CT", SpectrumKind::TB},       {"EB", SpectrumKind::EB},
        {"GC", SpectrumKind::EB},       {"CG", SpectrumKind::EB},
    }};
    for (const auto& [name, kind] : kNames)
        if (word == name) return kind;
    return std::nullopt;
}

}  // namespace armilla
