// SPDX-License-Identifier: GPL-3.0-or-later
// A pull parser for the part of XML 1.0 that VOTables use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace armilla {

// Elements, attributes, text, character data sections, the five named entities and numbered ones.
// Comments, processing instructions and a DOCTYPE without internal subset are passed over; entities
// defined by a document are refused, so that none can blow up memory. Prefixes of names are
// dropped.
class XmlReader {
public:
    enum class Token { Start, End, Text, Finished };
    // `document` must outlive the reader; `path` serves the messages.
    XmlReader(std::string_view document, std::string path);

    // Throws IoError where the document is not well-formed.
    Token next();
    // Local name of the element that has just started or ended.
    const std::string& name() const { return name_; }
    const std::string& text() const { return text_; }
    // Value of an attribute of the element that has just started; empty if it is not there.
    std::string attribute(std::string_view name) const;
    double fractionRead() const;

private:
    [[noreturn]] void fail(const std::string& found) const;
    void readStart();
    void readEnd();
    void skipTo(std::string_view end);
    std::string readName();
    void skipBlanks();
    std::string decoded(std::string_view raw) const;

    std::string_view document_;
    std::string path_;
    size_t at_ = 0;
    std::string name_, text_;
    std::vector<std::pair<std::string, std::string>> attributes_;
    std::vector<std::string> open_;
    bool emptyElement_ = false;  // "<a/>": its end is still to be reported
};

}  // namespace armilla
