// SPDX-License-Identifier: GPL-3.0-or-later
#include "spectrum_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>

#include "armilla/core/ascii_text.h"
#include "fits_header.h"

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

// "TT" of "2:TT", as CLASS numbers its columns.
std::string withoutColumnNumber(const std::string& word) {
    const size_t colon = word.find(':');
    const bool isNumbered =
        colon != std::string::npos && colon > 0 &&
        word.find_first_not_of("0123456789") == colon;  // only digits before the colon
    return isNumbered ? word.substr(colon + 1) : word;
}

// Removes the factor of D_l from a name in plain letters and digits: "C_TT" of "l(l+1)C_TT/2pi".
bool takeFactor(std::string& word) {
    constexpr std::string_view kBefore = "LL1", kBehind = "2PI";
    if (!word.starts_with(kBefore) || !word.ends_with(kBehind)) return false;
    word = word.substr(kBefore.size(), word.size() - kBefore.size() - kBehind.size());
    return true;
}

}  // namespace

bool isMultipoleName(const std::string& name) {
    std::string word = upperTrimmed(name);
    std::erase_if(word, [](char c) { return c == '$' || c == '\\'; });
    return word == "L" || word == "ELL" || word == "MULTIPOLE" || word == "\u2113";
}

bool isLensingName(const std::string& name) {
    static const std::vector<std::string> kNames = {"PP",     "PT",   "PE",   "TP",   "EP",
                                                    "PHIPHI", "TPHI", "PHIT", "EPHI", "PHIE",
                                                    "DD",     "DT",   "DE",   "KK",   "KAPPAKAPPA"};
    return std::find(kNames.begin(), kNames.end(), upperTrimmed(name)) != kNames.end();
}

std::vector<std::string> namesOfComment(const std::string& comment) {
    std::vector<std::string> words(1);
    int brackets = 0;
    for (size_t i = 0; i < comment.size(); ++i) {
        const char c = comment[i];
        // Parentheses of the factor of D_l are part of a name, "l(l+1)C_TT/(2pi)"; others contain a
        // unit.
        const bool isFactor = brackets == 0 && c == '(' &&
                              (comment.compare(i, 5, "(l+1)") == 0 || words.back().ends_with('/'));
        if (isFactor) {
            const size_t end = std::min(comment.find(')', i), comment.size() - 1);
            words.back() += comment.substr(i, end - i + 1);
            i = end;
            continue;
        }
        brackets += c == '[' || c == '(' ? 1 : 0;
        if (brackets == 0 && (isBlank(c) || c == ',' || c == ';' || c == '|'))
            words.emplace_back();
        else if (brackets == 0)
            words.back() += c;
        brackets -= c == ']' || c == ')' ? 1 : 0;
    }
    for (std::string& word : words) word = withoutColumnNumber(word);
    std::erase(words, std::string());
    return words;
}

std::optional<SpectrumColumn> spectrumColumnOf(std::string_view columnName) {
    std::string word;
    for (const char c : columnName)
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) word += upperCase(c);
    // "TxE" in covariances of CAMB.
    if (word.size() == 3 && word[1] == 'X') word.erase(1, 1);
    if (const size_t cross = word.find("CROSSCORR"); cross != std::string::npos) word.resize(cross);
    if (word.empty()) return std::nullopt;
    if (takeFactor(word)) {
        auto found = spectrumColumnOf(word);
        if (found) found->isDl = true;
        return found;
    }
    // Plain names come first: "CT" does not mean C_l of T.
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
        // A bare "D" or "C", and other words with this initial, have no meaning.
        if (std::string_view(mark).size() == 1 && rest.size() != 2) continue;
        if (const auto kind = kindOf(rest)) return SpectrumColumn{*kind, isDl};
    }
    return std::nullopt;
}

namespace {

// A word of a header in plain letters: "C_{\\ell}^{TT}" becomes "C_L", "(D_l's)" becomes "D_L".
std::string plainWord(std::string_view typed) {
    std::string word;
    for (const char c : typed) {
        if (c == '^' || c == '\'') break;
        if (std::string_view("{}\\$*:.[]").find(c) == std::string_view::npos) word += upperCase(c);
    }
    for (size_t at = 0; (at = word.find("ELL")) != std::string::npos;) word.replace(at, 3, "L");
    return word;
}

// Statements about a file's values in one comment.
struct Said {
    bool cl = false, dl = false;
};

Said saidIn(const std::string& comment) {
    static const std::vector<std::string> kCl = {"C_L", "CL", "C(L)", "CLS"};
    static const std::vector<std::string> kDl = {"D_L", "DL", "D(L)", "DLS"};
    const auto isOneOf = [](const std::vector<std::string>& words, std::string word) {
        if (word.starts_with('(') && word.find(')') == word.size() - 1)
            word = word.substr(1, word.size() - 2);
        return std::find(words.begin(), words.end(), word) != words.end();
    };
    Said said;
    std::string typed, dense;  // without blanks: "l (l + 1) C_l / 2 pi" in any spacing
    // Words end only at blanks, so that file names do not match. "95% CL" is a level of confidence.
    for (const char c : comment + " ") {
        if (!isBlank(c) && c != ',' && c != ';') {
            typed += c;
            continue;
        }
        const std::string word = plainWord(typed);
        said.cl = said.cl || (isOneOf(kCl, word) && !dense.ends_with('%'));
        said.dl = said.dl || isOneOf(kDl, word);
        dense += word;
        typed.clear();
    }
    said.dl = said.dl || dense.find("L(L+1)") != std::string::npos;
    return said;
}

}  // namespace

std::optional<bool> saysDl(const std::vector<std::string>& comments) {
    for (const std::string& comment : comments) {
        const std::string whole = upperTrimmed(comment);
        if (whole == "C_L" || whole == "D_L") return whole == "D_L";
    }
    Said all;
    for (const std::string& comment : comments) {
        const Said said = saidIn(comment);
        all.cl = all.cl || said.cl;
        all.dl = all.dl || said.dl;
    }
    if (!all.cl && !all.dl) return std::nullopt;
    return all.dl;
}

}  // namespace armilla
