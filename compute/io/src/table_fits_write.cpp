// SPDX-License-Identifier: GPL-3.0-or-later
// Writing of FITS binary tables.
#include <algorithm>

#include "armilla/core/error.h"
#include "fits_writer.h"
#include "map_cards.h"
#include "table_formats.h"

namespace armilla {

namespace {

struct OutColumn {
    const TableColumn* column = nullptr;
    char code = 'D';
    int64_t letters = 0;  // length of each text
    int64_t bytes = 0;    // in a row
};

OutColumn planColumn(const TableColumn& column) {
    OutColumn plan{&column, 'D', 0, 8 * column.width};
    if (column.isInteger()) plan.code = 'K';
    if (std::holds_alternative<std::vector<float>>(column.values)) {
        plan.code = 'E';
        plan.bytes = 4 * column.width;
    }
    if (const auto* texts = std::get_if<std::vector<std::string>>(&column.values)) {
        plan.code = 'A';
        for (const std::string& text : *texts)
            plan.letters = std::max(plan.letters, static_cast<int64_t>(fitsText(text).size()));
        // Some readers reject columns of zero width.
        plan.letters = std::max<int64_t>(plan.letters, 1);
        plan.bytes = plan.letters * column.width;
    }
    return plan;
}

void addColumnCards(FitsCards& cards, const OutColumn& plan, int number) {
    const TableColumn& column = *plan.column;
    const std::string n = std::to_string(number);
    cards.text("TTYPE" + n, column.name);
    const int64_t repeat = plan.code == 'A' ? plan.bytes : column.width;
    cards.text("TFORM" + n, std::to_string(repeat) + plan.code);
    if (plan.code == 'A' && column.width > 1)
        cards.text("TDIM" + n,
                   "(" + std::to_string(plan.letters) + "," + std::to_string(column.width) + ")");
    if (!column.unit.empty()) cards.text("TUNIT" + n, column.unit);
    if (column.null) cards.integer("TNULL" + n, *column.null, "no value");
    if (!column.ucd.empty()) cards.text("TUCD" + n, column.ucd);
    if (!column.description.empty()) cards.text("TCOMM" + n, column.description);
}

FitsCards tableCards(const Table& table, const std::vector<OutColumn>& plans, int64_t rowBytes,
                     const TableWriteOptions& options) {
    FitsCards cards;
    cards.table(rowBytes, table.rows(), plans.size());
    for (size_t i = 0; i < plans.size(); ++i)
        addColumnCards(cards, plans[i], static_cast<int>(i) + 1);
    if (!table.name.empty()) cards.text("EXTNAME", table.name);
    if (const char letter = frameLetter(table.frame); letter != 0)
        cards.text("COORDSYS", std::string(1, letter), "G Galactic, E ecliptic, C equatorial");
    cards.date();
    for (const std::string& card : table.cards)
        if (!isTableCard(card)) cards.raw(card);
    for (const std::string& line : table.history) cards.commentary("HISTORY", line);
    for (const std::string& line : options.history) cards.commentary("HISTORY", line);
    return cards;
}

void encodeRow(const OutColumn& plan, int64_t row, std::byte* at) {
    const int64_t width = plan.column->width;
    std::visit(
        [&](const auto& values) {
            using T = typename std::decay_t<decltype(values)>::value_type;
            const T* from = values.data() + row * width;
            if constexpr (std::is_same_v<T, std::string>) {
                for (int64_t k = 0; k < width; ++k, at += plan.letters) {
                    const std::string text = fitsText(from[k]);
                    std::fill_n(at, plan.letters, std::byte{' '});
                    std::memcpy(at, text.data(), text.size());
                }
            } else {
                for (int64_t k = 0; k < width; ++k, at += sizeof(T)) putBigEndian(from[k], at);
            }
        },
        plan.column->values);
}

void writeOne(FitsWriter& writer, const Table& table, const TableWriteOptions& options,
              JobContext& job) {
    constexpr size_t kMostColumns = 999;
    if (table.columns.size() > kMostColumns)
        throw InvalidArgument("expected at most 999 columns for a FITS table, found " +
                              std::to_string(table.columns.size()));
    std::vector<OutColumn> plans;
    int64_t rowBytes = 0;
    for (const TableColumn& column : table.columns) {
        job.poll();
        plans.push_back(planColumn(column));
        rowBytes += plans.back().bytes;
    }
    writer.beginHdu(tableCards(table, plans, rowBytes, options), rowBytes * table.rows());
    constexpr int64_t kPieceBytes = 1 << 20;
    parallelFor(
        job, table.rows(), std::max<int64_t>(1, kPieceBytes / std::max<int64_t>(1, rowBytes)),
        [&](long long begin, long long end) {
            thread_local std::vector<std::byte> buffer;
            buffer.resize(static_cast<size_t>((end - begin) * rowBytes));
            std::byte* at = buffer.data();
            for (long long row = begin; row < end; ++row)
                for (const OutColumn& plan : plans) {
                    encodeRow(plan, row, at);
                    at += plan.bytes;
                }
            writer.writeData(begin * rowBytes, buffer);
        },
        "writing");
    writer.endHdu();
}

void writeMatrix(FitsWriter& writer, const TableMatrix& matrix) {
    FitsCards cards;
    cards.text("XTENSION", "IMAGE", "image extension");
    cards.integer("BITPIX", -64);
    cards.integer("NAXIS", 2);
    cards.integer("NAXIS1", matrix.columns);
    cards.integer("NAXIS2", matrix.rows);
    cards.integer("PCOUNT", 0);
    cards.integer("GCOUNT", 1);
    cards.text("EXTNAME", matrix.name);
    std::vector<std::byte> bytes(matrix.values.size() * sizeof(double));
    for (size_t i = 0; i < matrix.values.size(); ++i)
        putBigEndian(matrix.values[i], bytes.data() + i * sizeof(double));
    writer.beginHdu(cards, static_cast<int64_t>(bytes.size()));
    writer.writeData(0, bytes);
    writer.endHdu();
}

}  // namespace

void writeFitsTables(std::span<const Table> tables, const std::string& path,
                     const TableWriteOptions& options, JobContext& job) {
    FitsWriter writer(path, options.overwrite);
    writer.writeEmptyPrimary();
    for (size_t i = 0; i < tables.size(); ++i) {
        JobContext part = job.part(static_cast<double>(i) / static_cast<double>(tables.size()),
                                   static_cast<double>(i + 1) / static_cast<double>(tables.size()));
        writeOne(writer, tables[i], options, part);
    }
    for (const TableMatrix& matrix : options.matrices) writeMatrix(writer, matrix);
    writer.commit(job);
}

}  // namespace armilla
