// SPDX-License-Identifier: GPL-3.0-or-later
// One pair of functions for each file format of tables, and what they share.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fits_file.h"
#include "fits_table.h"
#include "io/table_io.h"

namespace armilla {

Table readFitsTable(FitsFile& file, const FitsHdu& hdu, const TableReadOptions& options,
                    JobContext& job);
Table readVoTable(const std::string& path, const TableReadOptions& options, JobContext& job);
Table readCsv(const std::string& path, const TableReadOptions& options, JobContext& job);
Table readEcsv(const std::string& path, const TableReadOptions& options, JobContext& job);
bool isEcsv(const std::string& path);
// Columns of fixed width, described byte by byte in front of them.
Table readByteTable(const std::string& path, const TableReadOptions& options, JobContext& job);
bool isByteTable(const std::string& path);
// SExtractor's ASCII_HEAD: comments number and name the columns of the rows below.
Table readSExtractorTable(const std::string& path, const TableReadOptions& options,
                          JobContext& job);
bool isSExtractorTable(const std::string& path);
// IPAC's tables: names, types and units between bars, values below them.
Table readIpacTable(const std::string& path, const TableReadOptions& options, JobContext& job);
bool isIpacTable(const std::string& path);
Table readHdf5(const std::string& path, const TableReadOptions& options, JobContext& job);
bool isHdf5(const std::string& path);

void writeFitsTables(std::span<const Table> tables, const std::string& path,
                     const TableWriteOptions& options, JobContext& job);
void writeVoTable(std::span<const Table> tables, const std::string& path,
                  const TableWriteOptions& options, JobContext& job);
void writeCsv(const Table& table, const std::string& path, const TableWriteOptions& options,
              JobContext& job);
// Columns between blanks, under a comment that names them.
void writeTextTable(const Table& table, const std::string& path, const TableWriteOptions& options,
                    JobContext& job);
void writeEcsv(const Table& table, const std::string& path, const TableWriteOptions& options,
               JobContext& job);

// A table of no rows with the columns of an HDU: what its header says about it.
Table tableOutline(const TableLayout& layout);

// Integers if every cell that is not empty is one (with leading zeros: text), doubles if every one
// is a number, else text.
TableColumn columnFromTexts(std::string name, std::string unit, std::vector<std::string> cells);
// An integer that does not occur among the values, to stand for "no value".
int64_t unusedInteger(const std::vector<int64_t>& values);
// Records of delimited text (RFC 4180: quoted cells may hold delimiters, quotes written twice, and
// line ends). '\0' stands for runs of blanks.
// `isOpen` tells that a quote did not end.
std::vector<std::string> takeRecord(std::string_view text, size_t& at, char delimiter,
                                    bool* isOpen = nullptr);
// A cell of CSV, in quotes where it has to be.
std::string csvCell(const std::string& text);
// The words of a comment that stand for so many columns, a unit in brackets with its name; empty
// where they do not.
std::vector<std::string> headingsIn(size_t count, std::string_view comment);
// The columns that `options` names, in its order. Throws IoError naming what is there.
std::vector<int> chosenColumns(const std::string& path, const std::vector<std::string>& names,
                               const TableReadOptions& options);
// Keeps the chosen columns of a table that was read whole.
void keepChosen(Table& table, const std::string& path, const TableReadOptions& options);
}  // namespace armilla
