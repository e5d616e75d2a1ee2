// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers with the counted noun in plain English: "1 row", "3 rows".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace armilla {

// `one` is the singular of a noun whose plural has an s.
inline std::string counted(int64_t count, std::string_view one) {
    return std::to_string(count) + ' ' + std::string(one) + (count == 1 ? "" : "s");
}
inline std::string counted(size_t count, std::string_view one) {
    return counted(static_cast<int64_t>(count), one);
}
inline std::string counted(int count, std::string_view one) {
    return counted(int64_t{count}, one);
}

}  // namespace armilla
