// SPDX-License-Identifier: GPL-3.0-or-later
// Which options of a command have another value than at first, for files of a kind that only some
// of them are for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "operations/parameter.h"

namespace armilla::cli {

class GivenOptions {
public:
    // Of rows with their defaults.
    void remember(const std::vector<Parameter>& rows);
    // "--center, --frame" of those given; empty: none but `allowed` ones.
    std::string besides(const std::vector<std::string_view>& allowed) const;
    // The same of those given among `names`.
    std::string among(const std::vector<std::string_view>& names) const;

private:
    std::vector<Parameter> rows_;
    std::vector<std::string> defaults_;
};

}  // namespace armilla::cli
