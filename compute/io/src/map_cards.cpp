// SPDX-License-Identifier: GPL-3.0-or-later
#include "map_cards.h"

#include <algorithm>
#include <array>

#include "armilla/core/ascii_text.h"

namespace armilla {

namespace {

// Keywords of any table; written from its columns and its position in the file.
constexpr std::array<std::string_view, 19> kTableKeywords = {
    "SIMPLE",  "XTENSION", "BITPIX",  "NAXIS",    "NAXIS1",  "NAXIS2", "PCOUNT",
    "GCOUNT",  "TFIELDS",  "EXTEND",  "THEAP",    "END",     "GROUPS", "EXTNAME",
    "HISTORY", "DATE",     "DATASUM", "CHECKSUM", "COORDSYS"};
constexpr std::array<std::string_view, 21> kMapKeywords = {
    "PIXTYPE",  "ORDERING", "NSIDE",    "FIRSTPIX", "LASTPIX", "INDXSCHM", "GRAIN",
    "OBJECT",   "COORD",    "BAD_DATA", "POLCCONV", "POLAR",   "MOCORDER", "MOCORD_S",
    "OBS_NPIX", "NEST",     "BLANK",    "BSCALE",   "BZERO",   "HPXNSIDE", "HPXNEST"};

// Keywords followed by a column number.
constexpr std::array<std::string_view, 21> kColumnKeywords = {
    "TTYPE", "TFORM", "TUNIT", "TSCAL", "TZERO", "TNULL", "TDISP",
    "TDIM",  "TBCOL", "TCOMM", "TDMIN", "TDMAX", "TLMIN", "TLMAX",
    "TUCD",  "ZFORM", "TCTYP", "TCUNI", "TCRVL", "TCDLT", "TCRPX"};

// Keywords of the tiles of a HealSparse file.
constexpr std::array<std::string_view, 7> kTileKeywords = {
    "SENTINEL", "WIDEMASK", "WWIDTH", "BITPACK", "RESHAPED", "PRIMARY", "INHERIT"};

bool isNumber(std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return isDigit(c); });
}

template <size_t N>
bool isOneOf(const std::array<std::string_view, N>& words, const std::string& key) {
    return std::find(words.begin(), words.end(), key) != words.end();
}

}  // namespace

bool isOwnCard(std::string_view card) {
    return isTableCard(card) || isOneOf(kMapKeywords, cardKeyword(card));
}

bool isTileCard(std::string_view card) {
    return isOneOf(kTileKeywords, cardKeyword(card));
}

bool isTableCard(std::string_view card) {
    const std::string key = cardKeyword(card);
    if (isOneOf(kTableKeywords, key)) return true;
    return std::any_of(kColumnKeywords.begin(), kColumnKeywords.end(), [&](std::string_view stem) {
        return key.starts_with(stem) && isNumber(std::string_view(key).substr(stem.size()));
    });
}

MapMetadata readMetadata(const MapTable& map) {
    MapMetadata metadata;
    metadata.object = mapKeyword(*map.hdu, *map.primary, "OBJECT").value_or("");
    if (!map.tiles) metadata.extensionName = map.hdu->name();
    metadata.iauOnDisk = map.iau;
    metadata.badData = map.badData;
    const auto take = [&](const FitsHeader& header, bool primary) {
        // CONTINUE cards extend a long text and are meaningless without its first card.
        bool kept = false;
        for (const std::string& card : header.cards()) {
            const std::string key = cardKeyword(card);
            if (key == "CONTINUE") {
                if (kept) metadata.cards.push_back(card);
                continue;
            }
            kept = false;
            if (key == "HISTORY") {
                metadata.history.push_back(card.substr(8));
                std::string& text = metadata.history.back();
                while (!text.empty() && text.back() == ' ') text.pop_back();
                continue;
            }
            if (isOwnCard(card) || (map.tiles && isTileCard(card))) continue;
            // Comments of the primary header and blank cards do not describe the map.
            const bool commentary = key == "COMMENT" || key.empty();
            if (key.empty() && trimmed(card).empty()) continue;
            if (primary && (commentary || map.hdu->header.has(key))) continue;
            metadata.cards.push_back(card);
            kept = true;
        }
    };
    take(map.primary->header, true);
    take(map.hdu->header, false);
    return metadata;
}

std::vector<int> stokesUFields(const HealpixMap& map) {
    std::vector<int> found;
    for (int i = 0; i < map.fieldCount(); ++i)
        if (stokesParameter(map.field(i).name) == 'U') found.push_back(i);
    return found;
}

}  // namespace armilla
