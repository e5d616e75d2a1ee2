// SPDX-License-Identifier: GPL-3.0-or-later
#include "column_builder.h"

#include <algorithm>
#include <charconv>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/nan.h"
#include "fits_header.h"
#include "table_formats.h"

namespace armilla {

namespace {

// from_chars reads "+Inf" and "-Infinity" without the plus sign; "0x1F" is hexadecimal.
std::optional<int64_t> integerOf(std::string_view text) {
    if (text.starts_with("0x") || text.starts_with("0X")) {
        uint64_t value = 0;
        const char* end = text.data() + text.size();
        const auto [stop, code] = std::from_chars(text.data() + 2, end, value, 16);
        if (code != std::errc() || stop != end) return std::nullopt;
        return static_cast<int64_t>(value);
    }
    return parseInteger(text);
}

std::optional<int64_t> logicalOf(const std::string& upper) {
    if (upper == "T" || upper == "TRUE" || upper == "1") return 1;
    if (upper == "F" || upper == "FALSE" || upper == "0") return 0;
    return std::nullopt;
}

}  // namespace

ColumnBuilder::ColumnBuilder(TableColumn column, Type type)
    : column_(std::move(column)), type_(type) {
    switch (type) {
        case Type::Double: column_.values = std::vector<double>(); break;
        case Type::Float: column_.values = std::vector<float>(); break;
        case Type::Integer:
        case Type::Logical: column_.values = std::vector<int64_t>(); break;
        case Type::Text: column_.values = std::vector<std::string>(); break;
    }
}

void ColumnBuilder::growFor(const std::string& what) {
    std::visit(
        [&](auto& values) {
            const size_t need = values.size() + static_cast<size_t>(column_.width);
            if (need <= values.capacity()) return;
            const size_t next = std::max(need, 2 * values.size());
            requireMemory(what, static_cast<int64_t>(next * sizeof(values[0])));
            values.reserve(next);
        },
        column_.values);
}

void ColumnBuilder::addNumber(double value) {
    if (type_ == Type::Float)
        std::get<std::vector<float>>(column_.values).push_back(static_cast<float>(value));
    else
        std::get<std::vector<double>>(column_.values).push_back(value);
}

void ColumnBuilder::addInteger(int64_t value) {
    std::get<std::vector<int64_t>>(column_.values).push_back(value);
}

void ColumnBuilder::addText(std::string text) {
    std::get<std::vector<std::string>>(column_.values).push_back(std::move(text));
}

void ColumnBuilder::addMissing() {
    switch (type_) {
        case Type::Double:
        case Type::Float: addNumber(kNan); break;
        case Type::Integer:
        case Type::Logical:
            missing_.push_back(static_cast<size_t>(column_.size()));
            addInteger(0);
            break;
        case Type::Text: addText({}); break;
    }
}

void ColumnBuilder::addCell(std::string_view text) {
    if (type_ == Type::Text) return addText(std::string(text));
    const std::string cell = trimmed(text);
    if (cell.empty()) return addMissing();
    const auto fail = [&](const char* expected) {
        throw IoError(std::string("expected ") + expected + " in column " + inQuotes(column_.name) +
                      ", found " + inQuotes(cell));
    };
    if (type_ == Type::Logical) {
        const auto value = logicalOf(upperTrimmed(cell));
        if (value) return addInteger(*value);
        if (cell != "?") fail("true or false");
        return addMissing();
    }
    if (type_ == Type::Integer) {
        const auto value = integerOf(cell);
        if (!value) fail("an integer");
        return addInteger(*value);
    }
    const auto value = parseReal(cell);
    if (!value) fail("a number");
    addNumber(*value);
}

TableColumn ColumnBuilder::finish() {
    if (!missing_.empty()) {
        auto& values = std::get<std::vector<int64_t>>(column_.values);
        if (!column_.null) {
            // Zeros in place of missing values must not count as values.
            std::vector<int64_t> present;
            size_t next = 0;
            for (size_t i = 0; i < values.size(); ++i) {
                if (next < missing_.size() && missing_[next] == i)
                    ++next;
                else
                    present.push_back(values[i]);
            }
            column_.null = unusedInteger(present);
        }
        for (const size_t at : missing_) values[at] = *column_.null;
    }
    return std::move(column_);
}

}  // namespace armilla
