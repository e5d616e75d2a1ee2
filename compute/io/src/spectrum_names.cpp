// SPDX-License-Identifier: GPL-3.0-or-later
#include "spectrum_names.h"

#include <array>
#include <cctype>
#include <string>
#include <utility>

namespace armilla {

namespace {

std::optional<SpectrumKind> kindOf(std::string_view word) {
    // G and C (gradient, curl) are HEALPix's older names of E and B.
    static constexpr std::array<std::pair<std::string_view, SpectrumKind>, 26> kNames = {{
        {"TT", SpectrumKind::TT},       {"TEMPERATURE", SpectrumKind::TT},
        {"EE", SpectrumKind::EE},       {"GG", SpectrumKind::EE},
        {"GRADIENT", SpectrumKind::EE}, {"ELECTRIC", SpectrumKind::EE},
        {"EMODE", SpectrumKind::EE},    {"BMODE", SpectrumKind::BB},
        {"BB", SpectrumKind::BB},       {"CC", SpectrumKind::BB},
        {"CURL", SpectrumKind::BB},     {"MAGNETIC", SpectrumKind::BB},
        {"TE", SpectrumKind::TE},       {"ET", SpectrumKind::TE},
        {"TG", SpectrumKind::TE},       {"GT", SpectrumKind::TE},
        {"TB", SpectrumKind::TB},       {"TC", SpectrumKind::TB},
        {"CT", SpectrumKind::TB},       {"BT", SpectrumKind::TB},
        {"EB", SpectrumKind::EB},       {"GC", SpectrumKind::EB},
        {"CG", SpectrumKind::EB},       {"BE", SpectrumKind::EB},
        {"", SpectrumKind::TT},         {"T", SpectrumKind::TT},
    }};
    for (const auto& [name, kind] : kNames)
        if (word == name) return kind;
    return std::nullopt;
}

}  // namespace

std::optional<SpectrumColumn> spectrumColumnOf(std::string_view columnName) {
    std::string word;
    for (const char c : columnName)
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            word += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    if (const size_t cross = word.find("CROSSCORR"); cross != std::string::npos) word.resize(cross);
    if (word.empty()) return std::nullopt;
    // A plain name first: "CT" is no C_l of T.
    if (word != "T")
        if (const auto kind = kindOf(word)) return SpectrumColumn{*kind, false};
    for (const auto& [mark, isDl] :
         {std::pair{"CELL", false}, {"CL", false}, {"DELL", true}, {"DL", true}, {"D", true}}) {
        std::string rest = word;
        if (rest.starts_with(mark))
            rest.erase(0, std::string_view(mark).size());
        else if (rest.ends_with(mark) && std::string_view(mark) != "D")
            rest.resize(rest.size() - std::string_view(mark).size());
        else
            continue;
        // "D" alone, and words that begin with D, mean nothing.
        if (std::string_view(mark) == "D" && rest.size() != 2) continue;
        if (const auto kind = kindOf(rest)) return SpectrumColumn{*kind, isDl};
    }
    return std::nullopt;
}

}  // namespace armilla
