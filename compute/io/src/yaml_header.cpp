// SPDX-License-Identifier: GPL-3.0-or-later
#include "yaml_header.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <array>
#include <cstdio>
#include <sstream>

#include "armilla/core/error.h"
#include "fits_header.h"

namespace armilla {

namespace {

constexpr int kMaxDepth = 32;
// Aliases can repeat a node many times, so that a short text describes an enormous tree.
constexpr int64_t kMaxNodes = 1000000;

class Copy {
public:
    YamlNode node(const YAML::Node& from, int depth) {
        if (depth > kMaxDepth) throw InvalidArgument("expected YAML nested at most 32 times");
        if (++nodes_ > kMaxNodes) throw InvalidArgument("expected YAML of at most 1000000 nodes");
        YamlNode to;
        if (from.IsSequence()) {
            to.kind = YamlNode::Kind::Sequence;
            for (const YAML::Node& item : from) to.items.push_back(node(item, depth + 1));
        } else if (from.IsMap()) {
            to.kind = YamlNode::Kind::Mapping;
            for (const auto& entry : from) {
                if (!entry.first.IsScalar())
                    throw InvalidArgument("expected YAML with keys that are scalars");
                to.keys.push_back(entry.first.Scalar());
                to.items.push_back(node(entry.second, depth + 1));
            }
        } else if (from.IsScalar()) {
            to.scalar = from.Scalar();
        }
        return to;
    }

private:
    int64_t nodes_ = 0;
};

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
    for (size_t k = 0; k < keys.size(); ++k)
        if (keys[k] == key) return &items[k];
    if (kind != Kind::Sequence) return nullptr;
    // An !!omap is a sequence of mappings of one entry.
    for (const YamlNode& item : items)
        if (item.keys.size() == 1 && item.keys.front() == key) return &item.items.front();
    return nullptr;
}

std::string YamlNode::text(std::string_view key) const {
    const YamlNode* node = find(key);
    return node == nullptr ? std::string() : node->scalar;
}

namespace {

struct NoEvents : YAML::EventHandler {
    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
    void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
    void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  const std::string&) override {}
    void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                         YAML::EmitterStyle::value) override {}
    void OnSequenceEnd() override {}
    void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                    YAML::EmitterStyle::value) override {}
    void OnMapEnd() override {}
};

// YAML::LoadAll would not end, and take all memory, for text such as "{a: 1}}": the parser finds an
// empty document before the second brace, again and again.
void requireOneDocument(const std::string& text) {
    std::istringstream in(text);
    YAML::Parser parser(in);
    NoEvents events;
    if (parser.HandleNextDocument(events) && parser.HandleNextDocument(events))
        throw InvalidArgument("expected one YAML document, found more");
}

}  // namespace

YamlNode parseYaml(std::string_view text) {
    try {
        requireOneDocument(std::string(text));
        const YAML::Node document = YAML::Load(std::string(text));
        return document ? Copy().node(document, 0) : YamlNode{};
    } catch (const YAML::Exception& error) {
        throw InvalidArgument("expected YAML, found an error in line " +
                              std::to_string(error.mark.line + 1) + ": " + inQuotes(error.msg));
    }
}

std::string yamlQuoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            result += '\\';
            result += c;
        } else if (static_cast<unsigned char>(c) < 32 || c == 127) {
            std::array<char, 8> escape{};
            std::snprintf(escape.data(), escape.size(), "\\x%02x", static_cast<unsigned char>(c));
            result += escape.data();
        } else {
            result += c;
        }
    }
    return result + '"';
}

}  // namespace armilla
