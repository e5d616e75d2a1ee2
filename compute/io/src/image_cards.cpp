// SPDX-License-Identifier: GPL-3.0-or-later
#include "image_cards.h"

#include <algorithm>
#include <array>

#include "armilla/core/ascii_text.h"
#include "fits_header.h"

namespace armilla {

namespace {

// A keyword without trailing digits and without the underscore between two numbers.
std::string_view stemOf(std::string_view key) {
    while (!key.empty() && (isDigit(key.back()) || key.back() == '_')) key.remove_suffix(1);
    return key;
}

template <size_t N>
bool isOneOf(const std::array<std::string_view, N>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

bool isWcsCard(std::string_view card) {
    static constexpr std::array<std::string_view, 7> kWords = {
        "LONPOLE", "LATPOLE", "RADESYS", "RADECSYS", "EQUINOX", "EPOCH", "PC001001"};
    static constexpr std::array<std::string_view, 8> kNumbered = {
        "CTYPE", "CUNIT", "CRPIX", "CRVAL", "CDELT", "CROTA", "PV", "PS"};
    const std::string key = cardKeyword(card);
    if (isOneOf(kWords, key)) return true;
    for (const char* distortion : {"A_", "B_", "AP_", "BP_"})
        if (key.starts_with(distortion)) return true;
    for (const char* matrix : {"PC", "CD"})
        for (const char* element : {"1_1", "1_2", "2_1", "2_2"})
            if (key == std::string(matrix) + element) return true;
    if (key.starts_with("PC00") && key.size() == 8) return true;
    const std::string_view stem = stemOf(key);
    if (!isOneOf(kNumbered, stem)) return false;
    const std::string_view axis = std::string_view(key).substr(stem.size());
    return axis == "1" || axis == "2" ||
           ((stem == "PV" || stem == "PS") && (axis.starts_with("1_") || axis.starts_with("2_")));
}

bool isObservationCard(std::string_view card) {
    const std::string key = cardKeyword(card);
    return key == "DATE-OBS" || key == "MJD-OBS";
}

bool isImageCard(std::string_view card) {
    static constexpr std::array<std::string_view, 24> kWords = {
        "SIMPLE",   "XTENSION", "BITPIX", "NAXIS",   "PCOUNT",  "GCOUNT",   "EXTEND",  "END",
        "GROUPS",   "BSCALE",   "BZERO",  "BLANK",   "BUNIT",   "OBJECT",   "EXTNAME", "HISTORY",
        "CHECKSUM", "DATASUM",  "DATE",   "DATAMIN", "DATAMAX", "COORDSYS", "ZIMAGE",  "WCSAXES"};
    // Cards of any axis: cards of axes beyond the second are written from the planes.
    static constexpr std::array<std::string_view, 9> kAxes = {
        "NAXIS", "CTYPE", "CUNIT", "CRPIX", "CRVAL", "CDELT", "CROTA", "PC", "CD"};
    const std::string key = cardKeyword(card);
    const std::string_view stem = stemOf(key);
    return isOneOf(kWords, key) || isWcsCard(card) ||
           (stem.size() < key.size() && (isOneOf(kAxes, stem) || stem == "PLANE"));
}

std::mutex& wcsParserLock() {
    static std::mutex lock;
    return lock;
}

}  // namespace armilla
