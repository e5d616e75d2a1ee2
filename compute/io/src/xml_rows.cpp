// SPDX-License-Identifier: GPL-3.0-or-later
#include "xml_rows.h"

#include <optional>

namespace armilla {

namespace {

// Elements of a piece take some megabytes.
constexpr size_t kPiece = size_t{1} << 19;

struct Tag {
    size_t begin = 0, end = 0;  // from '<' to behind '>'
    std::string_view name;      // without the prefix of a namespace
    bool isStart = false, isEnd = false;
};

// The position behind `mark`, or the end of the text.
size_t behind(std::string_view text, std::string_view mark, size_t from) {
    const size_t at = text.find(mark, from);
    return at == std::string_view::npos ? text.size() : at + mark.size();
}

// The position behind the '>' of a tag. A value in quotes may contain '>'.
size_t endOfTag(std::string_view text, size_t at) {
    for (;;) {
        at = text.find_first_of(">\"'", at);
        if (at == std::string_view::npos) return text.size();
        if (text[at] == '>') return at + 1;
        at = behind(text, text.substr(at, 1), at + 1);
    }
}

// The next tag that is in no comment, character data or instruction.
std::optional<Tag> nextTag(std::string_view text, size_t at) {
    while ((at = text.find('<', at)) < text.size()) {
        const std::string_view rest = text.substr(at);
        if (rest.starts_with("<!--")) {
            at = behind(text, "-->", at);
        } else if (rest.starts_with("<![CDATA[")) {
            at = behind(text, "]]>", at);
        } else if (rest.starts_with("<?")) {
            at = behind(text, "?>", at);
        } else {
            Tag tag;
            tag.begin = at;
            tag.end = endOfTag(text, at);
            tag.isEnd = rest.starts_with("</");
            tag.isStart = !tag.isEnd && !text.substr(at, tag.end - at).ends_with("/>");
            const size_t name = at + (tag.isEnd ? 2 : 1);
            tag.name = text.substr(name, text.find_first_of(" \t\r\n/>", name) - name);
            if (const size_t colon = tag.name.find(':'); colon != std::string_view::npos)
                tag.name.remove_prefix(colon + 1);
            return tag;
        }
    }
    return std::nullopt;
}

}  // namespace

size_t XmlRows::inWhole(size_t position) const {
    size_t shift = 0;
    for (const Cut& cut : cuts_)
        if (position >= cut.before) shift = cut.after - cut.before;
    return position + shift;
}

XmlRows rowsApart(std::string_view text) {
    if (text.find("<!DOCTYPE") != std::string_view::npos) return {};
    XmlRows apart;
    size_t copied = 0;
    bool isInside = false;
    for (auto tag = nextTag(text, 0); tag; tag = nextTag(text, tag->end)) {
        if (!isInside) {
            if (!tag->isStart || tag->name != "TABLEDATA") continue;
            isInside = true;
            apart.rest += text.substr(copied, tag->end - copied);
            apart.rest += std::to_string(apart.tables.size());
            apart.tables.push_back({{tag->end, tag->end}});
            continue;
        }
        if (!tag->isEnd) continue;
        std::vector<XmlPiece>& pieces = apart.tables.back();
        if (tag->name == "TABLEDATA") {
            pieces.back().end = copied = tag->begin;
            apart.cuts_.push_back({apart.rest.size(), copied});
            isInside = false;
        } else if (tag->name == "TR" && tag->end - pieces.back().begin >= kPiece) {
            pieces.back().end = tag->end;
            pieces.push_back({tag->end, tag->end});
        }
    }
    if (isInside || apart.tables.empty()) return {};
    apart.rest += text.substr(copied);
    return apart;
}

}  // namespace armilla
