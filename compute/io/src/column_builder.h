// SPDX-License-Identifier: GPL-3.0-or-later
// A typed column that grows cell by cell, from text or from binary values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "armilla/core/table.h"

namespace armilla {

class ColumnBuilder {
public:
    enum class Type { Double, Float, Integer, Logical, Text };
    // `column`: name, unit, width, ... and optionally the integer for "no value".
    ColumnBuilder(TableColumn column, Type type);

    Type type() const { return type_; }
    const TableColumn& column() const { return column_; }
    // Checks memory for one more row before the column grows. Throws OutOfMemory "WHAT: ...".
    void growFor(const std::string& what);
    void addNumber(double value);
    void addInteger(int64_t value);
    void addText(std::string text);
    // Adds NaN, an empty text, or the integer for "no value"; `finish` chooses that integer if none
    // is given.
    void addMissing();
    // Parses a cell of a text file. Throws IoError "expected ..., found ...".
    void addCell(std::string_view text);
    TableColumn finish();

private:
    TableColumn column_;
    Type type_;
    std::vector<size_t> missing_;
};

}  // namespace armilla
