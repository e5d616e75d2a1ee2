// SPDX-License-Identifier: GPL-3.0-or-later
#include "image_axes.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace armilla {

namespace {

constexpr int kMostAxes = 9;

// Names of FITS WCS paper II: "RA---TAN", "GLON-CAR", "SOLN-...".
bool isLongitude(std::string_view type) {
    return type.starts_with("RA--") || type == "RA" || type.substr(0, 4).ends_with("LON") ||
           type.substr(0, 4).ends_with("LN");
}
bool isLatitude(std::string_view type) {
    return type.starts_with("DEC-") || type == "DEC" || type.substr(0, 4).ends_with("LAT") ||
           type.substr(0, 4).ends_with("LT");
}

// The number of the axis that `old` becomes.
int newAxis(const std::vector<int>& order, int old) {
    const auto at = std::find(order.begin(), order.end(), old);
    return at == order.end() ? old : static_cast<int>(at - order.begin()) + 1;
}

// The number that begins at `at`, which then is behind it; 0 for none.
int takeNumber(std::string_view text, size_t& at) {
    int number = 0;
    for (; at < text.size() && isDigit(text[at]) && number < 1000; ++at)
        number = 10 * number + (text[at] - '0');
    return number;
}

// A keyword with its axes renumbered: CTYPE1, PC1_2, PV2_1, PC001002, CRVAL3A.
std::string renumbered(const std::string& key, const std::vector<int>& order) {
    static constexpr std::array<std::string_view, 11> kStems = {"NAXIS", "CTYPE", "CUNIT", "CRPIX",
                                                                "CRVAL", "CDELT", "CROTA", "CNAME",
                                                                "CRDER", "CSYER", "PV"};
    for (const char* stem : {"PC00", "CD00"})
        if (key.size() == 8 && key.starts_with(stem)) {
            size_t row = 2, column = 5;
            const std::string_view text = key;
            const int i = takeNumber(text.substr(0, 5), row), k = takeNumber(text, column);
            if (i < 1 || i > kMostAxes || k < 1 || k > kMostAxes || column != 8) return key;
            return std::string(stem) + std::to_string(newAxis(order, i)) + "00" +
                   std::to_string(newAxis(order, k));
        }
    const bool isMatrix = key.starts_with("PC") || key.starts_with("CD");
    size_t at = key.find_first_of("0123456789");
    if (at == std::string::npos) return key;
    const std::string stem = key.substr(0, at);
    const bool isElement = isMatrix && stem.size() == 2;
    if (!isElement && stem != "PS" && std::find(kStems.begin(), kStems.end(), stem) == kStems.end())
        return key;
    const int axis = takeNumber(key, at);
    if (axis < 1 || axis > kMostAxes) return key;
    std::string made = stem + std::to_string(newAxis(order, axis));
    if (isElement && at < key.size() && key[at] == '_') {
        ++at;
        const int column = takeNumber(key, at);
        if (column < 1 || column > kMostAxes) return key;
        made += "_" + std::to_string(newAxis(order, column));
    }
    return made + key.substr(at);
}

}  // namespace

std::vector<int> axesWithSkyFirst(const FitsHeader& header) {
    const auto axes =
        static_cast<int>(std::clamp<int64_t>(header.integer("NAXIS").value_or(0), 0, kMostAxes));
    std::vector<int> order;
    int longitudes = 0, latitudes = 0;
    for (int axis = 1; axis <= axes; ++axis) {
        const std::string type =
            upperTrimmed(header.text("CTYPE" + std::to_string(axis)).value_or(""));
        longitudes += isLongitude(type) ? 1 : 0;
        latitudes += isLatitude(type) ? 1 : 0;
        if (isLongitude(type) || isLatitude(type)) order.push_back(axis);
    }
    if (longitudes != 1 || latitudes != 1 || order[1] == 2) return {};
    for (int axis = 1; axis <= axes; ++axis)
        if (std::find(order.begin(), order.begin() + 2, axis) == order.begin() + 2)
            order.push_back(axis);
    return order;
}

FitsHeader withAxes(const FitsHeader& header, const std::vector<int>& order) {
    std::vector<std::string> cards = header.cards();
    for (std::string& card : cards) {
        if (card.size() < 10 || card[8] != '=') continue;
        std::string key = renumbered(cardKeyword(card), order);
        key.resize(8, ' ');
        card.replace(0, 8, key);
    }
    return FitsHeader(std::move(cards));
}

AxisOrder::AxisOrder(const std::vector<int64_t>& sizes, const std::vector<int>& order)
    : sizes_(sizes), steps_(sizes.size(), 0), index_(sizes.size(), 0) {
    int64_t step = 1;
    for (const int axis : order) {
        steps_[static_cast<size_t>(axis - 1)] = step;
        step *= sizes[static_cast<size_t>(axis - 1)];
    }
}

}  // namespace armilla
