// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers in messages.
#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace armilla {

// Three significant digits, "1.23e-10", where std::to_string would give "0.000000".
inline std::string numberText(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g", value);
    return text.data();
}

}  // namespace armilla
