// SPDX-License-Identifier: GPL-3.0-or-later
// Options of a command whose values differ from their defaults, to refuse those that do not apply
// to a kind of file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "armilla/operations/parameter.h"

namespace armilla::cli {

class GivenOptions {
public:
    // Stores the defaults of the rows.
    void remember(const std::vector<Parameter>& rows);
    // Given options such as "--center, --frame"; empty if all are among `allowed`.
    std::string besides(const std::vector<std::string_view>& allowed) const;
    // Given options among `names`.
    std::string among(const std::vector<std::string_view>& names) const;

private:
    std::vector<Parameter> rows_;
    std::vector<std::string> defaults_;
};

}  // namespace armilla::cli
