// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of numbers in text files, and what else is not FITS.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/map_io.h"

namespace armilla {

struct TextTable {
    std::vector<std::string> comments;         // lines that start with '#', without it
    size_t leading = 0;                        // of these in front of the first row
    std::vector<std::vector<double>> columns;  // all of the same length
};

// True for the first bytes of a text, which has no control characters but those of lines.
bool isTextStart(std::string_view start);
// True if the file starts as text rather than as FITS, gzip, HDF5 or other binary data.
bool looksLikeText(const std::string& path);
// True for text that starts as XML.
bool isXml(const std::string& path);
// Its first bytes, without a byte order mark.
std::string startOfTextFile(const std::string& path, size_t bytes = 512);
// Appends a character of the basic multilingual plane.
void appendUtf8(std::string& text, uint32_t code);
// The whole file, unpacked if it is gzip. Throws IoError.
std::string readTextFile(const std::string& path);
// Numbers in columns, blanks or commas between; '#' starts a comment, empty lines are skipped.
// Throws IoError naming the line that does not fit.
TextTable readTextTable(const std::string& path);
// True if the first line that is no comment holds anything but numbers.
bool hasLineOfNames(const std::string& path);
// What a text file holds: Catalog for a VOTable or a table with a line of names, or a comment that
// names positions; Spectrum or Beam for columns of numbers whose first one is l, as a comment says
// or, where none says what it is, as whole numbers that rise by one from 0 or 2 (of more than two
// columns also from 1; ascending where a comment says l). None if it is no text file. Throws
// IoError, also for what a curve may be made of.
std::optional<FileSummary> inspectTextFile(const std::string& path);

}  // namespace armilla
