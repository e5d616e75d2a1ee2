// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a VOTable apart from the rest of its XML. A parsed element takes 64 bytes of memory,
// so that rows are parsed in pieces.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace armilla {

struct XmlPiece {
    size_t begin = 0, end = 0;  // in the whole text
};

struct XmlRows {
    // The text with a number in place of the content of each TABLEDATA: its index in `tables`.
    std::string rest;
    // Pieces of whole TR elements that together are the content of a TABLEDATA.
    std::vector<std::vector<XmlPiece>> tables;

    // The position in the whole text of a position in `rest`.
    size_t inWhole(size_t position) const;

private:
    friend XmlRows rowsApart(std::string_view text);
    struct Cut {
        size_t before = 0, after = 0;  // positions in `rest`, behind the number, and in the text
    };
    std::vector<Cut> cuts_;
};

// Nothing for text without TABLEDATA, with a document type, or whose TABLEDATA has no end.
XmlRows rowsApart(std::string_view text);

}  // namespace armilla
