// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of numbers in text files, and what else is not FITS.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/map_io.h"

namespace armilla {

struct TextTable {
    std::vector<std::string> comments;         // lines that start with '#', without it
    std::vector<std::vector<double>> columns;  // all of the same length
};

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
// What a text file holds: Catalog for a VOTable or a table with a line of names; Spectrum or Beam
// for columns of numbers whose first one counts up from 0, 1 or 2. None if it is no text file.
// Throws IoError.
std::optional<FileSummary> inspectTextFile(const std::string& path);

}  // namespace armilla
