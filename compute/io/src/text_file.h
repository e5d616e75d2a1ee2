// SPDX-License-Identifier: GPL-3.0-or-later
// Text files: tables of numbers, and detection of other content.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "armilla/io/map_io.h"

namespace armilla {

struct TextTable {
    std::vector<std::string> comments;         // without the mark
    size_t leading = 0;                        // number of comments before the first row
    std::vector<std::vector<double>> columns;  // all of the same length
};

// True for the first bytes of a text, which contains no control characters except line breaks.
bool isTextStart(std::string_view start);
// True if the file starts as text and not as FITS, gzip, HDF5 or other binary data.
bool looksLikeText(const std::string& path);
// True for text that starts as XML.
bool isXml(const std::string& path);
// The first bytes of a file, without a byte order mark.
std::string startOfTextFile(const std::string& path, size_t bytes = 512);
// Appends a character of the basic multilingual plane.
void appendUtf8(std::string& text, uint32_t code);
// The whole file, decompressed from gzip if necessary. Throws IoError.
std::string readTextFile(const std::string& path);
// True for a line of comments: '#', or the marks of TeX, Matlab and Fortran, '%' and '!', before a
// blank, the mark again or the end of the line.
bool isCommentLine(std::string_view line);
// Numbers in columns, separated by blanks or commas. '#' starts a comment anywhere in a line. Empty
// lines and lines of comments (isCommentLine) are skipped.
// Throws IoError with the first invalid line.
TextTable readTextTable(const std::string& path);
// True if the first line that is no comment contains anything but numbers.
bool hasLineOfNames(const std::string& path);
// The content of a text file; none for other files. Throws IoError, also for columns that may be a
// curve.
// - Catalog: a VOTable, a table with a line of names, or a comment that names positions.
// - Spectrum or Beam: columns of numbers whose first one is l, as stated by a comment.
// - Without a comment, l must be integers that rise by one from 0 or 2 (with more than two columns
//   also from 1). With a comment that names l, ascending values suffice.
std::optional<FileSummary> inspectTextFile(const std::string& path);

}  // namespace armilla
