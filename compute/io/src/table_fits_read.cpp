// SPDX-License-Identifier: GPL-3.0-or-later
// Reading of FITS binary and ASCII tables.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/new_vector.h"
#include "astropy_header.h"
#include "big_endian.h"
#include "fits_equatorial.h"
#include "map_cards.h"
#include "pixel_vectors.h"
#include "table_formats.h"

namespace armilla {

namespace {

constexpr int64_t kUndefined = -1;  // a logical that is neither true nor false

enum class Held { Double, Float, Integer, Text };

bool isVariable(const FitsColumn& column) {
    return column.code == 'P' || column.code == 'Q';
}

// True if nothing but the offset of an unsigned type is added to the integers.
bool staysInteger(const FitsColumn& column) {
    return column.isInteger() && column.scale == 1.0 && column.zero == std::floor(column.zero) &&
           std::abs(column.zero) <= 9223372036854775808.0;
}

Held heldAs(const TableLayout& layout, const FitsColumn& column) {
    if (column.code == 'A') return Held::Text;
    if (layout.ascii)
        return column.code == 'I' && !column.isScaled() ? Held::Integer : Held::Double;
    if (column.code == 'L' || column.code == 'X' || staysInteger(column)) return Held::Integer;
    return (column.code == 'E' || column.code == 'C') && !column.isScaled() ? Held::Float
                                                                            : Held::Double;
}

int64_t widthOf(const TableLayout& layout, const FitsColumn& column) {
    if (column.code == 'A') return textsPerRow(layout, column);
    if (column.code == 'X') return column.bits;
    return column.repeat * (isComplex(column) ? 2 : 1);
}

template <class T>
void decodeComplex(const TableLayout& layout, const FitsColumn& column, const std::byte* rows,
                   int64_t count, std::vector<T>& values, int64_t first) {
    // A complex number is stored as two real numbers.
    FitsColumn parts = column;
    parts.code = column.code == 'C' ? 'E' : 'D';
    parts.repeat = 2 * column.repeat;
    parts.width = column.width / 2;
    decodeColumn(layout, parts, rows, count, {}, values.data() + first * parts.repeat);
}

int64_t storedInteger(const FitsColumn& column, const std::byte* at) {
    switch (column.code) {
        case 'B': return static_cast<int64_t>(*at);
        case 'I': return static_cast<int16_t>(bigEndian<uint16_t>(at));
        case 'J': return static_cast<int32_t>(bigEndian<uint32_t>(at));
        default: return static_cast<int64_t>(bigEndian<uint64_t>(at));
    }
}

bool isUnsigned64(const FitsColumn& column) {
    return column.code == 'K' && column.zero == 9223372036854775808.0;
}

// An unsigned integer stored less 2^63, with its bits in a signed one.
int64_t withTopBit(int64_t stored) {
    return stored ^ std::numeric_limits<int64_t>::min();
}

// TNULL after the offset: the marker of no value in the column.
std::optional<int64_t> nullOf(const FitsColumn& column) {
    if (column.code == 'L') return kUndefined;
    if (!column.null) return std::nullopt;
    if (isUnsigned64(column)) return withTopBit(*column.null);
    int64_t null = 0;
    return __builtin_add_overflow(*column.null, static_cast<int64_t>(column.zero), &null)
               ? std::nullopt
               : std::optional(null);
}

void decodeWhole(const TableLayout& layout, const FitsColumn& column, const std::byte* rows,
                 int64_t count, int64_t* out) {
    const bool isUnsigned = isUnsigned64(column);
    const int64_t zero = isUnsigned ? 0 : static_cast<int64_t>(column.zero);
    for (int64_t r = 0; r < count; ++r) {
        const std::byte* in = rows + r * layout.rowBytes + column.offset;
        for (int64_t k = 0; k < column.repeat; ++k, in += column.width) {
            const int64_t stored = storedInteger(column, in);
            int64_t value = stored;
            if (isUnsigned) {
                value = withTopBit(stored);  // textsIfAbove63Bits follows
            } else if (__builtin_add_overflow(stored, zero, &value)) {
                throw IoError("expected whole numbers of 64 bits in column " +
                              inQuotes(column.name) + ", found larger ones");
            }
            *out++ = value;
        }
    }
}

void decodeLogicals(const TableLayout& layout, const FitsColumn& column, const std::byte* rows,
                    int64_t count, int64_t* out) {
    for (int64_t r = 0; r < count; ++r)
        for (int64_t k = 0; k < column.repeat; ++k) {
            const auto c = static_cast<char>(rows[r * layout.rowBytes + column.offset + k]);
            *out++ = c == 'T' || c == 't' || c == 1 ? 1 : c == 0 ? kUndefined : 0;
        }
}

void decodeBits(const TableLayout& layout, const FitsColumn& column, const std::byte* rows,
                int64_t count, int64_t* out) {
    for (int64_t r = 0; r < count; ++r)
        for (int64_t k = 0; k < column.bits; ++k) {
            const auto byte =
                static_cast<unsigned>(rows[r * layout.rowBytes + column.offset + k / 8]);
            *out++ = byte >> (7 - k % 8) & 1;  // the first bit is the highest (FITS 4.0, 7.3.3.1)
        }
}

// Integers of an ASCII table; TNULL becomes `null`.
void decodeAsciiIntegers(const TableLayout& layout, const FitsColumn& column, const std::byte* rows,
                         int64_t count, int64_t null, int64_t* out) {
    for (int64_t r = 0; r < count; ++r) {
        const auto* at = reinterpret_cast<const char*>(rows + r * layout.rowBytes + column.offset);
        const std::string text = trimmed({at, static_cast<size_t>(column.width)});
        const auto value = parseInteger(text);
        if (column.nullText == text)
            out[r] = null;
        else if (!value && !text.empty())
            throw IoError("expected whole numbers in column " + inQuotes(column.name) + ", found " +
                          inQuotes(text));
        else
            out[r] = value.value_or(0);
    }
}

void decodePiece(const TableLayout& layout, const FitsColumn& column, TableColumn& into,
                 int64_t first, int64_t count, const std::byte* rows) {
    const int64_t begin = first * into.width;
    if (auto* texts = std::get_if<std::vector<std::string>>(&into.values)) {
        for (int64_t r = 0; r < count; ++r)
            for (int64_t k = 0; k < into.width; ++k)
                (*texts)[static_cast<size_t>(begin + r * into.width + k)] =
                    decodeText(layout, column, rows + r * layout.rowBytes, k);
        return;
    }
    if (auto* integers = std::get_if<std::vector<int64_t>>(&into.values)) {
        int64_t* out = integers->data() + begin;
        if (layout.ascii)
            decodeAsciiIntegers(layout, column, rows, count, into.null.value_or(0), out);
        else if (column.code == 'L')
            decodeLogicals(layout, column, rows, count, out);
        else if (column.code == 'X')
            decodeBits(layout, column, rows, count, out);
        else
            decodeWhole(layout, column, rows, count, out);
        return;
    }
    const auto decodeReals = [&](auto& values) {
        if (isComplex(column))
            decodeComplex(layout, column, rows, count, values, first);
        else
            decodeColumn(layout, column, rows, count, {}, values.data() + begin);
    };
    if (auto* singles = std::get_if<std::vector<float>>(&into.values))
        decodeReals(*singles);
    else
        decodeReals(std::get<std::vector<double>>(into.values));
}

TableColumn emptyColumn(const TableLayout& layout, const FitsColumn& source) {
    TableColumn column;
    column.name = source.name.empty() ? "col" + std::to_string(source.number) : source.name;
    column.unit = source.unit;
    column.ucd = source.ucd;
    column.description = source.description;
    column.width = widthOf(layout, source);
    switch (heldAs(layout, source)) {
        case Held::Double: column.values = std::vector<double>(); break;
        case Held::Float: column.values = std::vector<float>(); break;
        case Held::Integer: column.values = std::vector<int64_t>(); break;
        case Held::Text: column.values = std::vector<std::string>(); break;
    }
    if (!column.isInteger()) return column;
    if (!layout.ascii)
        column.null = nullOf(source);
    else if (source.nullText)
        column.null = std::numeric_limits<int64_t>::min();
    return column;
}

// Memory per row of the column, bytes.
int64_t bytesPerRow(const TableColumn& column, const FitsColumn& source) {
    if (column.isText()) {
        const int64_t letters = source.repeat * source.width;
        // Short texts are stored inside the string object.
        return column.width * static_cast<int64_t>(sizeof(std::string)) +
               (letters > 15 * column.width ? letters : 0);
    }
    return column.width * (std::holds_alternative<std::vector<float>>(column.values) ? 4 : 8);
}

void takeCards(const FitsHdu& hdu, Table& table) {
    bool kept = false;
    for (const std::string& card : hdu.header.cards()) {
        const std::string key = cardKeyword(card);
        if (key == "HISTORY") {
            table.history.push_back(card.substr(8));
            while (!table.history.back().empty() && table.history.back().back() == ' ')
                table.history.back().pop_back();
        }
        if (key == "CONTINUE" ? !kept : isTableCard(card)) {
            kept = false;
            continue;
        }
        kept = key != "HISTORY" && !trimmed(card).empty();
        if (kept) table.cards.push_back(card);
    }
}

// The columns to read: the named ones, or all of supported types.
std::vector<int> columnsToRead(const FitsFile& file, const TableLayout& layout,
                               const TableReadOptions& options, Table& table) {
    std::vector<std::string> names;
    for (const FitsColumn& column : layout.columns)
        names.push_back(column.name.empty() ? "col" + std::to_string(column.number) : column.name);
    const bool leaveOut = options.columns.empty() &&
                          options.variableLength == TableReadOptions::VariableLength::LeaveOut;
    std::vector<int> chosen;
    for (const int index : chosenColumns(file.path(), names, options)) {
        const FitsColumn& column = layout.columns[static_cast<size_t>(index)];
        const bool isEmpty = widthOf(layout, column) < 1;
        if (!isVariable(column) && !isEmpty) {
            chosen.push_back(index);
        } else if (leaveOut || (isEmpty && options.columns.empty())) {
            table.leftOut.push_back(names[static_cast<size_t>(index)]);
        } else {
            refuse(file.path(), "columns with the same number of values in every row",
                   "column " + inQuotes(names[static_cast<size_t>(index)]) +
                       (isEmpty ? " without values" : " of variable length"));
        }
    }
    return chosen;
}

}  // namespace

Table tableOutline(const TableLayout& layout) {
    Table table;
    for (const FitsColumn& column : layout.columns)
        if (!isVariable(column) && widthOf(layout, column) > 0)
            table.columns.push_back(emptyColumn(layout, column));
    return table;
}

Table readFitsTable(FitsFile& file, const FitsHdu& hdu, const TableReadOptions& options,
                    JobContext& job, const OptionalRows& rows) {
    const TableLayout layout = tableLayout(file, hdu);
    file.requireData(hdu);
    const RowRange range = rows.value_or(RowRange{0, layout.rows});
    Table table;
    table.name = hdu.name();
    table.frame = frameFromText(hdu.header.text("COORDSYS").value_or(""));
    if (table.frame == Frame::Unknown) {
        const auto system = hdu.header.text("RADESYS");
        table.frame = frameFromText(system ? *system : hdu.header.text("RADECSYS").value_or(""));
    }
    table.equatorial = equatorialOf(hdu.header);
    const std::vector<int> chosen = columnsToRead(file, layout, options, table);
    std::vector<const FitsColumn*> sources;
    int64_t rowBytes = 0;
    for (const int index : chosen) {
        sources.push_back(&layout.columns[static_cast<size_t>(index)]);
        table.columns.push_back(emptyColumn(layout, *sources.back()));
        rowBytes += bytesPerRow(table.columns.back(), *sources.back());
    }
    int64_t bytes = 0;
    if (__builtin_mul_overflow(rowBytes, range.count, &bytes))
        bytes = std::numeric_limits<int64_t>::max();
    requireMemory(file.path(), bytes);
    for (TableColumn& column : table.columns)
        std::visit(
            [&](auto& values) {
                using T = typename std::decay_t<decltype(values)>::value_type;
                values = newVector<T>(range.count * column.width, job);
            },
            column.values);
    forTableRows(file, hdu, layout, range.first, range.count, job, "reading",
                 [&](int64_t first, int64_t count, const std::byte* bytesRead) {
                     for (size_t c = 0; c < sources.size(); ++c)
                         decodePiece(layout, *sources[c], table.columns[c], first - range.first,
                                     count, bytesRead);
                 });
    for (size_t c = 0; c < sources.size(); ++c)
        if (isUnsigned64(*sources[c])) textsIfAbove63Bits(table.columns[c], rows);
    if (!rows) file.verifyRest(job);
    takeFitsComments(hdu.header, table);
    takeCards(hdu, table);
    // Shapes of vector columns, by the numbers of the columns in the table.
    for (size_t c = 0; c < sources.size(); ++c)
        if (const auto shape = hdu.header.text("TDIM" + std::to_string(sources[c]->number));
            shape && !table.columns[c].isText()) {
            std::string key = "TDIM" + std::to_string(c + 1);
            key.resize(8, ' ');
            table.cards.push_back(key + "= '" + *shape + "'");
        }
    return table;
}

}  // namespace armilla
