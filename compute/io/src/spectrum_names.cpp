// SPDX-License-Identifier: GPL-3.0-or-later
#include "spectrum_names.h"

#include <algorithm>
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
        if (const auto kind = kindOf(word)) return SpectrumColumn{*kind, std::nullopt};
    for (const auto& [mark, isDl] : {std::pair{"CELL", false},
                                     {"CL", false},
                                     {"DELL", true},
                                     {"DL", true},
                                     {"D", true},
                                     {"C", false}}) {
        std::string rest = word;
        if (rest.starts_with(mark))
            rest.erase(0, std::string_view(mark).size());
        else if (rest.ends_with(mark) && std::string_view(mark).size() > 1)
            rest.resize(rest.size() - std::string_view(mark).size());
        else
            continue;
        // "D" or "C" alone, and words that begin so, mean nothing.
        if (std::string_view(mark).size() == 1 && rest.size() != 2) continue;
        if (const auto kind = kindOf(rest)) return SpectrumColumn{*kind, isDl};
    }
    return std::nullopt;
}

std::optional<bool> saysDl(const std::vector<std::string>& comments) {
    static const std::vector<std::string> kCl = {"C_L", "CL", "C_ELL", "CELL", "C(L)"};
    static const std::vector<std::string> kDl = {"D_L", "DL", "D_ELL", "DELL", "D(L)"};
    const auto isOneOf = [](const std::vector<std::string>& words, const std::string& word) {
        return std::find(words.begin(), words.end(), word) != words.end();
    };
    bool saysCl = false, saysDl = false;
    for (const std::string& comment : comments) {
        std::string word;
        std::string dense;  // "l (l + 1) C_l / 2 pi", however spaced
        // Words end at blanks: the name of a file is none of them.
        for (const char c : comment + " ") {
            if (std::isspace(static_cast<unsigned char>(c)) == 0 && c != ',' && c != ';') {
                if (c != '*')
                    word += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
                continue;
            }
            saysCl = saysCl || isOneOf(kCl, word);
            saysDl = saysDl || isOneOf(kDl, word);
            dense += word;
            word.clear();
        }
        if (dense.find("L(L+1)") != std::string::npos) return true;
    }
    if (saysCl == saysDl) return std::nullopt;
    return saysDl;
}

}  // namespace armilla
