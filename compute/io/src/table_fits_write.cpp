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

int64_t lettersOf(const std::string& text) {
    return static_cast<int64_t>(fitsText(text).size());
}

// `letters`: length of the longest text.
OutColumn planColumn(const TableColumn& column, int64_t letters) {
    OutColumn plan{&column, 'D', 0, 8 * column.width};
    if (column.isInteger()) plan.code = 'K';
    if (std::holds_alternative<std::vector<float>>(column.values)) {
        plan.code = 'E';
        plan.bytes = 4 * column.width;
    }
    if (column.isText()) {
        plan.code = 'A';
        // Some readers reject columns of zero width.
        plan.letters = std::max<int64_t>(letters, 1);
        plan.bytes = plan.letters * column.width;
    }
    return plan;
}

int64_t longestText(const TableColumn& column) {
    int64_t longest = 0;
    if (const auto* texts = std::get_if<std::vector<std::string>>(&column.values))
        for (const std::string& text : *texts) longest = std::max(longest, lettersOf(text));
    return longest;
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

FitsCards tableCards(const Table& table, int64_t rows, const std::vector<OutColumn>& plans,
                     int64_t rowBytes, const TableWriteOptions& options) {
    FitsCards cards;
    cards.table(rowBytes, rows, plans.size());
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

void encodeRow(const OutColumn& plan, const TableColumn& column, int64_t row, std::byte* at) {
    const int64_t width = column.width;
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
        column.values);
}

// The HDU of a table whose rows come block by block.
class FitsTableOut {
public:
    // `letters`: length of the longest text of each column.
    FitsTableOut(FitsWriter& writer, const Table& outline, int64_t rows,
                 const std::vector<int64_t>& letters, const TableWriteOptions& options)
        : writer_(writer) {
        constexpr size_t kMostColumns = 999;
        if (outline.columns.size() > kMostColumns)
            throw InvalidArgument("expected at most 999 columns for a FITS table, found " +
                                  std::to_string(outline.columns.size()));
        for (size_t c = 0; c < outline.columns.size(); ++c) {
            plans_.push_back(planColumn(outline.columns[c], letters[c]));
            rowBytes_ += plans_.back().bytes;
        }
        writer.beginHdu(tableCards(outline, rows, plans_, rowBytes_, options), rowBytes_ * rows);
    }
    void add(const Table& block, JobContext& job, std::string_view stage) {
        constexpr int64_t kPieceBytes = 1 << 20;
        parallelFor(
            job, block.rows(), std::max<int64_t>(1, kPieceBytes / std::max<int64_t>(1, rowBytes_)),
            [&](long long begin, long long end) {
                thread_local std::vector<std::byte> buffer;
                buffer.resize(static_cast<size_t>((end - begin) * rowBytes_));
                std::byte* at = buffer.data();
                for (long long row = begin; row < end; ++row)
                    for (size_t c = 0; c < plans_.size(); ++c) {
                        encodeRow(plans_[c], block.columns[c], row, at);
                        at += plans_[c].bytes;
                    }
                writer_.writeData((written_ + begin) * rowBytes_, buffer);
            },
            stage);
        written_ += block.rows();
    }

private:
    FitsWriter& writer_;
    std::vector<OutColumn> plans_;
    int64_t rowBytes_ = 0, written_ = 0;
};

void writeOne(FitsWriter& writer, const Table& table, const TableWriteOptions& options,
              JobContext& job) {
    std::vector<int64_t> letters;
    for (const TableColumn& column : table.columns) {
        job.poll();
        letters.push_back(longestText(column));
    }
    FitsTableOut(writer, table, table.rows(), letters, options).add(table, job, "writing");
    writer.endHdu();
}

void writeMatrix(FitsWriter& writer, const TableMatrix& matrix, JobContext& job) {
    FitsCards cards;
    cards.text("XTENSION", "IMAGE", "image extension");
    cards.integer("BITPIX", -64);
    cards.integer("NAXIS", 2);
    cards.integer("NAXIS1", matrix.columns);
    cards.integer("NAXIS2", matrix.rows);
    cards.integer("PCOUNT", 0);
    cards.integer("GCOUNT", 1);
    cards.text("EXTNAME", matrix.name);
    constexpr int64_t kBytes = sizeof(double), kPieceBytes = 1 << 20;
    writer.beginHdu(cards, kBytes * std::ssize(matrix.values));
    JobContext silent(job.stopToken(), {}, job.threads());
    parallelFor(silent, std::ssize(matrix.values), kPieceBytes / kBytes,
                [&](long long begin, long long end) {
                    thread_local std::vector<std::byte> buffer;
                    buffer.resize(static_cast<size_t>((end - begin) * kBytes));
                    for (long long i = begin; i < end; ++i)
                        putBigEndian(matrix.values[static_cast<size_t>(i)],
                                     buffer.data() + (i - begin) * kBytes);
                    writer.writeData(begin * kBytes, buffer);
                });
    writer.endHdu();
}

}  // namespace

void writeFitsTable(const TableStream& stream, const std::string& path,
                    const TableWriteOptions& options, JobContext& job) {
    Table outline = stream.outline;
    std::vector<int64_t> letters(outline.columns.size());
    const bool hasTexts = std::any_of(outline.columns.begin(), outline.columns.end(),
                                      [](const TableColumn& column) { return column.isText(); });
    if (hasTexts || stream.findsMissing)
        scanStream(
            stream, outline,
            [&](size_t c, const TableColumn& column) {
                letters[c] = std::max(letters[c], longestText(column));
            },
            job);
    FitsWriter writer(path, options.overwrite);
    writer.writeEmptyPrimary();
    FitsTableOut out(writer, outline, stream.rows, letters, options);
    stream.forBlocks(
        [&](const Table& block) {
            requireNoMark(block, outline);
            JobContext silent(job.stopToken(), {}, job.threads());
            out.add(block, silent, "writing");
        },
        job);
    writer.endHdu();
    writer.commit(job);
}

void writeFitsTables(std::span<const Table> tables, const std::string& path,
                     const TableWriteOptions& options, JobContext& job) {
    FitsWriter writer(path, options.overwrite);
    writer.writeEmptyPrimary();
    for (size_t i = 0; i < tables.size(); ++i) {
        JobContext part = job.part(static_cast<double>(i) / static_cast<double>(tables.size()),
                                   static_cast<double>(i + 1) / static_cast<double>(tables.size()));
        writeOne(writer, tables[i], options, part);
    }
    for (const TableMatrix& matrix : options.matrices) writeMatrix(writer, matrix, job);
    writer.commit(job);
}

}  // namespace armilla
