// SPDX-License-Identifier: GPL-3.0-or-later
#include "xml_reader.h"

#include <algorithm>
#include <cctype>

#include "fits_file.h"

namespace armilla {

namespace {

std::string utf8(int64_t code) {
    std::string text;
    if (code < 0x80) {
        text += static_cast<char>(code);
    } else if (code < 0x800) {
        text += static_cast<char>(0xC0 | (code >> 6));
        text += static_cast<char>(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        text += static_cast<char>(0xE0 | (code >> 12));
        text += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
        text += static_cast<char>(0x80 | (code & 0x3F));
    } else {
        text += static_cast<char>(0xF0 | (code >> 18));
        text += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
        text += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
        text += static_cast<char>(0x80 | (code & 0x3F));
    }
    return text;
}

std::string localName(const std::string& name) {
    const size_t colon = name.rfind(':');
    return colon == std::string::npos ? name : name.substr(colon + 1);
}

}  // namespace

XmlReader::XmlReader(std::string_view document, std::string path)
    : document_(document), path_(std::move(path)) {
    if (document_.starts_with("\xEF\xBB\xBF")) at_ = 3;
}

double XmlReader::fractionRead() const {
    return document_.empty() ? 1.0
                             : static_cast<double>(at_) / static_cast<double>(document_.size());
}

void XmlReader::fail(const std::string& found) const {
    const auto lines =
        std::count(document_.begin(),
                   document_.begin() + static_cast<long>(std::min(at_, document_.size())), '\n');
    refuse(path_, "well-formed XML", found + " in line " + std::to_string(lines + 1));
}

void XmlReader::skipBlanks() {
    while (at_ < document_.size() && std::isspace(static_cast<unsigned char>(document_[at_])))
        ++at_;
}

std::string XmlReader::readName() {
    const size_t start = at_;
    while (at_ < document_.size()) {
        const auto c = static_cast<unsigned char>(document_[at_]);
        if (std::isalnum(c) == 0 && c < 128 && c != '_' && c != '-' && c != '.' && c != ':') break;
        ++at_;
    }
    if (at_ == start) fail("no name");
    return std::string(document_.substr(start, at_ - start));
}

void XmlReader::skipTo(std::string_view end) {
    const size_t found = document_.find(end, at_);
    if (found == std::string_view::npos) fail("no " + std::string(end));
    at_ = found + end.size();
}

std::string XmlReader::decoded(std::string_view raw) const {
    std::string text;
    for (size_t i = 0; i < raw.size(); ++i) {
        if (raw[i] != '&') {
            text += raw[i];
            continue;
        }
        const size_t end = raw.find(';', i);
        if (end == std::string_view::npos || end - i > 12) fail("an open entity");
        const std::string entity(raw.substr(i + 1, end - i - 1));
        if (entity == "lt")
            text += '<';
        else if (entity == "gt")
            text += '>';
        else if (entity == "amp")
            text += '&';
        else if (entity == "quot")
            text += '"';
        else if (entity == "apos")
            text += '\'';
        else if (entity.size() > 1 && entity[0] == '#') {
            const bool hex = entity[1] == 'x';
            char* stop = nullptr;
            const std::string digits = entity.substr(hex ? 2 : 1);
            const long code = std::strtol(digits.c_str(), &stop, hex ? 16 : 10);
            if (digits.empty() || *stop != 0 || code <= 0 || code > 0x10FFFF)
                fail("a wrong character number");
            text += utf8(code);
        } else {
            fail("an unknown entity " + inQuotes(entity));
        }
        i = end;
    }
    return text;
}

void XmlReader::readStart() {
    attributes_.clear();
    const std::string full = readName();
    for (;;) {
        skipBlanks();
        if (at_ >= document_.size()) fail("an open tag");
        if (document_[at_] == '>') {
            ++at_;
            break;
        }
        if (document_.substr(at_, 2) == "/>") {
            at_ += 2;
            emptyElement_ = true;
            break;
        }
        const std::string key = localName(readName());
        skipBlanks();
        if (at_ >= document_.size() || document_[at_] != '=') fail("an attribute without a value");
        ++at_;
        skipBlanks();
        const char quote = at_ < document_.size() ? document_[at_] : ' ';
        if (quote != '"' && quote != '\'') fail("an attribute value without quotes");
        const size_t start = ++at_;
        skipTo(std::string_view(&quote, 1));
        attributes_.emplace_back(key, decoded(document_.substr(start, at_ - 1 - start)));
    }
    open_.push_back(full);
    name_ = localName(full);
}

void XmlReader::readEnd() {
    const std::string full = readName();
    skipBlanks();
    if (at_ >= document_.size() || document_[at_] != '>') fail("an open end tag");
    ++at_;
    if (open_.empty() || open_.back() != full) fail("an end tag " + inQuotes(full) + " of nothing");
    open_.pop_back();
    name_ = localName(full);
}

XmlReader::Token XmlReader::next() {
    if (emptyElement_) {
        emptyElement_ = false;
        open_.pop_back();
        return Token::End;
    }
    while (at_ < document_.size()) {
        if (document_[at_] != '<') {
            const size_t end = std::min(document_.find('<', at_), document_.size());
            text_ = decoded(document_.substr(at_, end - at_));
            at_ = end;
            return Token::Text;
        }
        const std::string_view rest = document_.substr(at_);
        if (rest.starts_with("<!--")) {
            skipTo("-->");
        } else if (rest.starts_with("<![CDATA[")) {
            const size_t start = at_ + 9;
            skipTo("]]>");
            text_ = document_.substr(start, at_ - 3 - start);
            return Token::Text;
        } else if (rest.starts_with("<?")) {
            skipTo("?>");
        } else if (rest.starts_with("<!")) {
            const size_t start = at_;
            skipTo(">");
            if (document_.substr(start, at_ - start).find('[') != std::string_view::npos)
                fail("a DOCTYPE with definitions");
        } else if (rest.starts_with("</")) {
            at_ += 2;
            readEnd();
            return Token::End;
        } else {
            ++at_;
            readStart();
            return Token::Start;
        }
    }
    if (!open_.empty()) fail("no end of " + inQuotes(open_.back()));
    return Token::Finished;
}

std::string XmlReader::attribute(std::string_view name) const {
    for (const auto& [key, value] : attributes_)
        if (key == name) return value;
    return {};
}

}  // namespace armilla
