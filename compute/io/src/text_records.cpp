// SPDX-License-Identifier: GPL-3.0-or-later
#include "text_records.h"

#include <algorithm>
#include <span>
#include <utility>

#include "armilla/core/ascii_text.h"
#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "table_formats.h"
#include "text_file.h"

namespace armilla {

namespace {

constexpr size_t kPiece = size_t{1} << 20;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

size_t readInto(ByteSource& source, int64_t offset, std::span<char> out) {
    return source.readAt(offset, std::as_writable_bytes(out));
}

}  // namespace

LineEnd lineEndOf(ByteSource& source) {
    std::string piece(kPiece, '\0');
    for (int64_t offset = 0;; offset += static_cast<int64_t>(kPiece)) {
        const size_t got = readInto(source, offset, piece);
        if (std::string_view(piece).substr(0, got).find('\n') != std::string_view::npos)
            return LineEnd::Feed;
        if (got < kPiece) return LineEnd::Return;
    }
}

TextRecords::TextRecords(ByteSource& source, std::string path, LineEnd lineEnd, int64_t offset)
    : source_(source), path_(std::move(path)), lineEnd_(lineEnd), start_(offset) {
    if (offset > 0) return;
    readMore();
    if (piece_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
}

// Drops the text before the current line. A record that does not fit doubles the piece, so that
// parsing it again costs as much as its length.
bool TextRecords::readMore() {
    if (isAtEnd_) return false;
    piece_.erase(0, at_);
    start_ += static_cast<int64_t>(at_);
    at_ = 0;
    const size_t before = piece_.size(), step = std::max(kPiece, before);
    if (before > kPiece) requireMemory(path_, static_cast<int64_t>(before + step));
    piece_.resize(before + step);
    const size_t got =
        readInto(source_, start_ + static_cast<int64_t>(before), std::span(piece_).subspan(before));
    piece_.resize(before + got);
    isAtEnd_ = got < step;
    if (lineEnd_ == LineEnd::Return)
        std::replace(piece_.begin() + static_cast<std::ptrdiff_t>(before), piece_.end(), '\r',
                     '\n');
    return got > 0;
}

// Finds the end of the line at the current position; false at the end of the file.
bool TextRecords::findLine() {
    size_t end = piece_.find('\n', at_);
    while (end == std::string::npos) {
        const size_t seen = piece_.size() - at_;
        if (!readMore()) break;
        end = piece_.find('\n', seen);
    }
    if (at_ >= piece_.size()) return false;
    line_ = std::string_view(piece_).substr(at_, std::min(end, piece_.size()) - at_);
    return true;
}

bool TextRecords::next(std::string* comment) {
    while (findLine()) {
        const bool isEmpty = trimmedView(line_).empty();
        if (!isEmpty && (isBlank(line_.front()) || !isCommentLine(line_))) return true;
        if (!isEmpty && comment != nullptr) *comment = line_.substr(1);
        skip();
    }
    return false;
}

void TextRecords::skip() {
    at_ = std::min(at_ + line_.size() + 1, piece_.size());
}

std::vector<std::string> TextRecords::take(char delimiter) {
    for (;;) {
        size_t end = at_;
        bool isOpen = false;
        std::vector<std::string> cells = takeRecord(piece_, end, delimiter, &isOpen);
        // A record that ends with the piece may continue behind it.
        const bool isWhole = end < piece_.size() || (!isOpen && piece_.back() == '\n');
        if (!isWhole && readMore()) continue;
        if (isOpen) refuse(path_, "a quote that ends its text", "the end of the file");
        at_ = end;
        return cells;
    }
}

}  // namespace armilla
