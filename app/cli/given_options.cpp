// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/given_options.h"

#include <algorithm>

namespace armilla::cli {

namespace {

bool holds(const std::vector<std::string_view>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

void GivenOptions::remember(const std::vector<Parameter>& rows) {
    rows_ = rows;
    for (const Parameter& row : rows_) defaults_.push_back(row.text(row.get()));
}

std::string GivenOptions::besides(const std::vector<std::string_view>& allowed) const {
    std::string found;
    for (size_t i = 0; i < rows_.size(); ++i)
        if (!holds(allowed, rows_[i].name) && rows_[i].text(rows_[i].get()) != defaults_[i])
            found += (found.empty() ? "--" : ", --") + std::string(rows_[i].name);
    return found;
}

std::string GivenOptions::among(const std::vector<std::string_view>& names) const {
    std::vector<std::string_view> others;
    for (const Parameter& row : rows_)
        if (!holds(names, row.name)) others.push_back(row.name);
    return besides(others);
}

}  // namespace armilla::cli
