// SPDX-License-Identifier: GPL-3.0-or-later
// Header cards of small images.
#pragma once

#include <cstdio>
#include <string>

namespace armilla::test {

// The 80 characters of a card; a text includes its quotes.
inline std::string imageCard(std::string key, const std::string& value) {
    key.resize(8, ' ');
    std::string card = key + "= " + value;
    card.resize(80, ' ');
    return card;
}
inline std::string imageCard(const std::string& key, double value) {
    char text[64];
    std::snprintf(text, sizeof text, "%20.12f", value);
    return imageCard(key, std::string(text));
}

}  // namespace armilla::test
