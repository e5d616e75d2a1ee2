// SPDX-License-Identifier: GPL-3.0-or-later
#include "yaml_header.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "armilla/core/error.h"
#include "fits_header.h"
#include "text_file.h"

namespace armilla {

namespace {

constexpr int kMaxDepth = 32;

struct Line {
    size_t indent = 0;
    std::string text;  // without its indent
};

[[noreturn]] void fail(const std::string& expected, std::string_view found) {
    throw InvalidArgument("expected " + expected + ", found " + inQuotes(found));
}

// Tags (!!omap) and anchors (&id001) are ignored.
void skipTag(std::string& text) {
    while (text.starts_with('!') || text.starts_with('&'))
        text = trimmed(text.substr(std::min(text.find(' '), text.size())));
}

// Parser of a collection or scalar in flow style, with its lines joined.
class Flow {
public:
    explicit Flow(std::string_view text) : text_(text) {}

    YamlNode value(int depth, bool inside) {
        if (depth > kMaxDepth) fail("YAML nested at most 32 times", text_);
        skipBlanks();
        while (at_ < text_.size() && (text_[at_] == '!' || text_[at_] == '&')) {
            while (at_ < text_.size() && text_[at_] != ' ' && text_[at_] != ',') ++at_;
            skipBlanks();
        }
        if (peek() == '{') return mapping(depth);
        if (peek() == '[') return sequence(depth);
        YamlNode node;
        node.scalar = peek() == '"' || peek() == '\'' ? quoted() : plain(inside);
        return node;
    }
    void skipBlanks() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    }
    bool atEnd() const { return at_ >= text_.size(); }

private:
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    YamlNode mapping(int depth) {
        YamlNode node;
        node.kind = YamlNode::Kind::Mapping;
        ++at_;
        for (skipBlanks(); peek() != '}'; skipBlanks()) {
            if (atEnd()) fail("a mapping that ends with }", text_);
            const std::string key = peek() == '"' || peek() == '\'' ? quoted() : plainKey();
            skipBlanks();
            if (peek() != ':') fail("a colon after the key " + inQuotes(key), text_.substr(at_));
            ++at_;
            node.keys.push_back(key);
            node.items.push_back(value(depth + 1, true));
            skipBlanks();
            if (peek() == ',') ++at_;
        }
        ++at_;
        return node;
    }
    YamlNode sequence(int depth) {
        YamlNode node;
        node.kind = YamlNode::Kind::Sequence;
        ++at_;
        for (skipBlanks(); peek() != ']'; skipBlanks()) {
            if (atEnd()) fail("a sequence that ends with ]", text_);
            const size_t before = at_;
            node.items.push_back(value(depth + 1, true));
            skipBlanks();
            if (peek() == ',') ++at_;
            if (at_ == before) fail("items of a sequence", text_.substr(at_));
        }
        ++at_;
        return node;
    }
    std::string plainKey() {
        const size_t begin = at_;
        while (!atEnd() && text_[at_] != ':' && text_[at_] != ',' && text_[at_] != '}') ++at_;
        return trimmed(text_.substr(begin, at_ - begin));
    }
    std::string plain(bool inside) {
        const size_t begin = at_;
        while (!atEnd()) {
            const char c = text_[at_];
            if (inside && (c == ',' || c == '}' || c == ']')) break;
            if (c == '#' && at_ > begin && text_[at_ - 1] == ' ') break;
            ++at_;
        }
        const std::string text = trimmed(text_.substr(begin, at_ - begin));
        if (!inside) at_ = text_.size();
        return text == "null" || text == "~" ? std::string() : text;
    }
    std::string quoted() {
        const char quote = text_[at_++];
        std::string result;
        for (; !atEnd(); ++at_) {
            const char c = text_[at_];
            if (c == quote) {
                ++at_;
                if (quote == '"' || peek() != '\'') return result;
                result += '\'';
            } else if (c == '\\' && quote == '"') {
                escape(result);
            } else {
                result += c;
            }
        }
        fail("a text that ends with its quote", text_);
    }
    void escape(std::string& result) {
        ++at_;
        const char c = peek();
        const size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : 0;
        if (digits > 0) {
            uint32_t code = 0;
            for (size_t i = 1; i <= digits && at_ + i < text_.size(); ++i) {
                const char digit = text_[at_ + i];
                const auto at = std::string_view("0123456789abcdef").find(digit | 0x20);
                const auto decimal = std::string_view("0123456789").find(digit);
                const size_t value = decimal != std::string_view::npos ? decimal : at;
                if (value == std::string_view::npos)
                    fail("a hexadecimal escape", text_.substr(at_));
                code = code << 4 | static_cast<uint32_t>(value);
            }
            at_ += digits;
            appendUtf8(result, code);
            return;
        }
        result += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c == '0' ? '\0' : c;
    }

    std::string_view text_;
    size_t at_ = 0;
};

class Block {
public:
    explicit Block(std::vector<Line> lines) : lines_(std::move(lines)) {}

    YamlNode node(size_t indent, int depth) {
        if (depth > kMaxDepth) fail("YAML nested at most 32 times", "more");
        if (at_ >= lines_.size() || lines_[at_].indent < indent) return {};
        const size_t here = lines_[at_].indent;
        if (isItem(lines_[at_].text)) return sequence(here, depth);
        if (keyEnd(lines_[at_].text) != std::string::npos) return mapping(here, depth);
        return scalar(lines_[at_++].text, here);
    }
    bool atEnd() const { return at_ >= lines_.size(); }
    const Line& line() const { return lines_[at_]; }

private:
    static bool isItem(const std::string& text) { return text == "-" || text.starts_with("- "); }

    // Position of the colon of "key: value"; npos without a key.
    static size_t keyEnd(const std::string& text) {
        if (text.starts_with('{') || text.starts_with('[')) return std::string::npos;
        size_t at = 0;
        if (text.starts_with('"') || text.starts_with('\'')) at = text.find(text[0], 1);
        for (; at < text.size(); ++at)
            if (text[at] == ':' && (at + 1 == text.size() || text[at + 1] == ' ')) return at;
        return std::string::npos;
    }

    YamlNode sequence(size_t indent, int depth) {
        YamlNode result;
        result.kind = YamlNode::Kind::Sequence;
        while (!atEnd() && line().indent == indent && isItem(line().text)) {
            std::string rest = trimmed(std::string_view(line().text).substr(1));
            const size_t inner = indent + (line().text.size() - rest.size());
            skipTag(rest);
            if (rest.empty()) {
                ++at_;
                result.items.push_back(node(indent + 1, depth + 1));
            } else if (keyEnd(rest) != std::string::npos || isItem(rest)) {
                // "- key: value": a mapping that begins on the line of its item.
                lines_[at_] = {inner, rest};
                result.items.push_back(node(inner, depth + 1));
            } else {
                ++at_;
                result.items.push_back(scalar(rest, indent + 1));
            }
        }
        return result;
    }

    YamlNode mapping(size_t indent, int depth) {
        YamlNode result;
        result.kind = YamlNode::Kind::Mapping;
        while (!atEnd() && line().indent == indent) {
            const std::string text = line().text;
            const size_t colon = keyEnd(text);
            if (colon == std::string::npos) fail("a key with a colon", text);
            const std::string key =
                Flow(std::string_view(text).substr(0, colon)).value(0, false).scalar;
            std::string rest = trimmed(std::string_view(text).substr(colon + 1));
            skipTag(rest);
            ++at_;
            if (rest.empty()) {
                // A sequence may be indented as little as its key.
                const bool item = !atEnd() && line().indent == indent && isItem(line().text);
                result.keys.push_back(key);
                result.items.push_back(node(item ? indent : indent + 1, depth + 1));
            } else {
                result.keys.push_back(key);
                result.items.push_back(scalar(rest, indent + 1));
            }
        }
        return result;
    }

    // A value that begins with `text` and continues on lines with more indentation.
    YamlNode scalar(std::string text, size_t indent) {
        if (text.starts_with('|') || text.starts_with('>')) {
            YamlNode result;
            const char* between = text[0] == '|' ? "\n" : " ";
            for (; !atEnd() && line().indent >= indent; ++at_)
                result.scalar += (result.scalar.empty() ? "" : between) + line().text;
            return result;
        }
        for (; !atEnd() && line().indent >= indent; ++at_) text += " " + line().text;
        Flow flow(text);
        return flow.value(0, false);
    }

    std::vector<Line> lines_;
    size_t at_ = 0;
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

YamlNode parseYaml(std::string_view text) {
    std::vector<Line> lines;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        std::string_view raw = text.substr(at, end - at);
        at = end + 1;
        const size_t indent = std::min(raw.find_first_not_of(' '), raw.size());
        Line line{indent, trimmed(raw)};
        if (!line.text.empty() && line.text[0] != '#') lines.push_back(std::move(line));
    }
    Block block(std::move(lines));
    YamlNode node = block.node(0, 0);
    if (!block.atEnd()) fail("one YAML document", block.line().text);
    return node;
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
