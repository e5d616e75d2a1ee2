// SPDX-License-Identifier: GPL-3.0-or-later
// YAML in headers of ECSV files and of astropy's tables in HDF5.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace armilla {

// A scalar, a sequence, or an ordered mapping. Tags and anchors are ignored.
struct YamlNode {
    enum class Kind { Scalar, Sequence, Mapping } kind = Kind::Scalar;
    std::string scalar;
    // Items of a sequence, or values of a mapping in the order of `keys`.
    std::vector<YamlNode> items;
    std::vector<std::string> keys;

    const YamlNode* find(std::string_view key) const;
    // The scalar of a key; empty if absent.
    std::string text(std::string_view key) const;
};

// Throws InvalidArgument for what is not one document of YAML, and beyond 32 levels of nesting.
YamlNode parseYaml(std::string_view text);
// A scalar in quotes, for one line of YAML.
std::string yamlQuoted(std::string_view text);

}  // namespace armilla
