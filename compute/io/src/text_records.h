// SPDX-License-Identifier: GPL-3.0-or-later
// Records of delimited text, read piece by piece: a file of any length takes the memory of a piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "byte_source.h"

namespace armilla {

// Old Macintosh programs end lines with only a carriage return.
enum class LineEnd { Feed, Return };
// The line ends of a text file, which is read as far as its first line feed.
LineEnd lineEndOf(ByteSource& source);

class TextRecords {
public:
    // Reads from this offset of the file on, where a line begins. `path` is for messages.
    TextRecords(ByteSource& source, std::string path, LineEnd lineEnd, int64_t offset = 0);

    // Moves to the next line that is neither empty nor a comment; false at the end of the file.
    // `comment` receives the last comment on the way, without its mark.
    bool next(std::string* comment = nullptr);
    // The current line. Valid until the next call.
    std::string_view line() const { return line_; }
    // Offset of the current line in the file.
    int64_t offset() const { return start_ + static_cast<int64_t>(at_); }
    // Moves behind the current line.
    void skip();
    // The cells of the record that starts at the current line (see takeRecord). Throws IoError for
    // a quote without an end.
    std::vector<std::string> take(char delimiter);

private:
    bool readMore();
    bool findLine();

    ByteSource& source_;
    std::string path_;
    LineEnd lineEnd_;
    int64_t start_ = 0;  // offset of the piece in the file
    std::string piece_;
    size_t at_ = 0;  // start of the current line in the piece
    std::string_view line_;
    bool isAtEnd_ = false;  // nothing follows the piece
};

}  // namespace armilla
