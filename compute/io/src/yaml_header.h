// SPDX-License-Identifier: GPL-3.0-or-later
// The part of YAML that headers of ECSV files use.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace armilla {

// A scalar, a sequence, or a mapping in its order. Tags and anchors are passed over.
struct YamlNode {
    enum class Kind { Scalar, Sequence, Mapping } kind = Kind::Scalar;
    std::string scalar;
    // Of a sequence; of a mapping the values of `keys`, in the same order.
    std::vector<YamlNode> items;
    std::vector<std::string> keys;

    const YamlNode* find(std::string_view key) const;
    // The scalar of that key; empty if there is none.
    std::string text(std::string_view key) const;
};

// Block and flow collections, plain and quoted scalars (also over several lines), literal and
// folded blocks. Throws InvalidArgument for anything else, for nesting beyond 32 levels.
YamlNode parseYaml(std::string_view text);
// A scalar in quotes, for one line of YAML.
std::string yamlQuoted(std::string_view text);

}  // namespace armilla
