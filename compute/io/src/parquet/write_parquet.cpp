// SPDX-License-Identifier: GPL-3.0-or-later
#include "parquet/write_parquet.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/free_name.h"
#include "armilla/core/table_rows.h"
#include "armilla/io/atomic_file.h"
#include "astropy_header.h"
#include "parquet/codecs.h"
#include "parquet/compact_thrift.h"
#include "table_formats.h"
#include "utf8_text.h"

namespace armilla {

namespace parquet {
namespace {

// A group of rows and its pages are about as large as those of other writers.
constexpr int64_t kRowsOfGroup = 1 << 20, kRowsOfPage = 1 << 17;
constexpr size_t kTextBytesOfPage = size_t{16} << 20U;
constexpr std::string_view kMark = "PAR1";

// A column of the file: element `element` of each row of `from`.
struct OutColumn {
    const TableColumn* from = nullptr;
    size_t column = 0;  // index of `from`
    int64_t element = 0;
    std::string name;
    Physical physical = Physical::Double;
    bool isOptional = false;
    bool isUtf8 = false;

    size_t at(int64_t row) const { return static_cast<size_t>(row * from->width + element); }
};

// The pages of a column in one row group.
struct OutChunk {
    std::string bytes;
    int64_t unpackedBytes = 0;  // with page headers
};

// Facts of a column that its values decide.
struct ColumnFacts {
    std::ptrdiff_t longest = 1;  // letters of the longest text; numpy has no texts of no letters
    bool isUtf8 = true;
    bool isMissing = false;  // some integer is missing

    void add(const TableColumn& column) {
        const auto letters = [](const std::string& text) {
            return std::count_if(text.begin(), text.end(),
                                 [](char c) { return (c & 0xc0) != 0x80; });
        };
        if (const auto* texts = std::get_if<std::vector<std::string>>(&column.values))
            for (const std::string& text : *texts) {
                longest = std::max(longest, letters(text));
                isUtf8 = isUtf8 && armilla::isUtf8(text);
            }
        if (const auto* values = std::get_if<std::vector<int64_t>>(&column.values);
            values && column.null && !isMissing)
            isMissing = std::find(values->begin(), values->end(), *column.null) != values->end();
    }
};

std::vector<OutColumn> planColumns(const Table& table, const std::vector<ColumnFacts>& facts) {
    std::vector<OutColumn> plans;
    for (size_t c = 0; c < table.columns.size(); ++c) {
        const TableColumn& column = table.columns[c];
        for (int64_t k = 0; k < column.width; ++k) {
            OutColumn plan{&column, c, k, column.name};
            if (column.width > 1) plan.name += "_" + std::to_string(k + 1);
            // An element of a vector does not take the name of another column.
            plan.name = freeName(plan.name, [&](const std::string& word) {
                return (column.width > 1 && table.find(word)) ||
                       std::any_of(plans.begin(), plans.end(),
                                   [&](const OutColumn& other) { return other.name == word; });
            });
            if (column.isText()) {
                plan.physical = Physical::ByteArray;
                plan.isUtf8 = facts[c].isUtf8;
            }
            if (std::holds_alternative<std::vector<float>>(column.values))
                plan.physical = Physical::Float;
            if (column.isInteger()) {
                plan.physical = Physical::Int64;
                plan.isOptional = facts[c].isMissing;
            }
            plans.push_back(std::move(plan));
        }
    }
    return plans;
}

template <class T>
void append(std::string& bytes, const T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Levels 0 (missing) and 1 as one run of packed bits, after the number of bytes.
void appendLevels(std::string& bytes, const OutColumn& plan, int64_t first, int64_t count) {
    const auto& values = std::get<std::vector<int64_t>>(plan.from->values);
    const auto groups = static_cast<uint64_t>((count + 7) / 8);
    std::string runs;
    uint64_t head = groups * 2 + 1;
    for (; head >= 0x80; head >>= 7U) runs += static_cast<char>((head & 0x7fU) | 0x80U);
    runs += static_cast<char>(head);
    const size_t start = runs.size();
    runs.resize(start + groups, '\0');
    for (int64_t i = 0; i < count; ++i)
        if (values[plan.at(first + i)] != *plan.from->null) {
            char& byte = runs[start + static_cast<size_t>(i / 8)];
            byte = static_cast<char>(static_cast<unsigned char>(byte) | 1U << i % 8);
        }
    append(bytes, static_cast<uint32_t>(runs.size()));
    bytes += runs;
}

// Appends values from row `first` on, at most `count`; returns the number of rows.
int64_t appendValues(std::string& bytes, const OutColumn& plan, int64_t first, int64_t count) {
    if (const auto* texts = std::get_if<std::vector<std::string>>(&plan.from->values)) {
        for (int64_t i = 0; i < count; ++i) {
            const std::string& text = (*texts)[plan.at(first + i)];
            if (i > 0 && bytes.size() + text.size() > kTextBytesOfPage) return i;
            append(bytes, static_cast<uint32_t>(text.size()));
            bytes += text;
        }
        return count;
    }
    std::visit(
        [&](const auto& values) {
            using T = typename std::decay_t<decltype(values)>::value_type;
            if constexpr (!std::is_same_v<T, std::string>) {
                bytes.reserve(bytes.size() + static_cast<size_t>(count) * sizeof(T));
                for (int64_t i = 0; i < count; ++i) {
                    const T value = values[plan.at(first + i)];
                    if constexpr (std::is_same_v<T, int64_t>)
                        if (plan.isOptional && value == *plan.from->null) continue;
                    append(bytes, value);
                }
            }
        },
        plan.from->values);
    return count;
}

void appendPage(OutChunk& chunk, const std::string& page, int64_t rows, Codec codec) {
    constexpr size_t kMost = std::numeric_limits<int32_t>::max();
    if (page.size() > kMost)
        throw IoError("expected texts of less than 2 GB, found a text of " +
                      std::to_string(page.size()) + " bytes");
    const std::vector<std::byte> packed = packPage(codec, std::as_bytes(std::span(page)));
    ThriftWriter header;
    header.integer32(1, static_cast<int32_t>(PageHeader::Kind::Data));
    header.integer32(2, static_cast<int32_t>(page.size()));
    header.integer32(3, static_cast<int32_t>(packed.size()));
    header.integer32(4, static_cast<int32_t>(crc32_z(
                            0, reinterpret_cast<const Bytef*>(packed.data()), packed.size())));
    header.beginStruct(5);
    header.integer32(1, static_cast<int32_t>(rows));
    header.integer32(2, static_cast<int32_t>(Encoding::Plain));
    header.integer32(3, static_cast<int32_t>(Encoding::Rle));
    header.integer32(4, static_cast<int32_t>(Encoding::Rle));
    header.endStruct();
    const std::string head = header.finish();
    chunk.bytes += head;
    chunk.bytes.append(reinterpret_cast<const char*>(packed.data()), packed.size());
    chunk.unpackedBytes += static_cast<int64_t>(head.size() + page.size());
}

OutChunk packChunk(const OutColumn& plan, int64_t first, int64_t rows, Codec codec,
                   const JobContext& job) {
    OutChunk chunk;
    for (const int64_t end = first + rows; first < end;) {
        job.poll();
        std::string page;
        int64_t count = std::min(kRowsOfPage, end - first);
        if (plan.isOptional) appendLevels(page, plan, first, count);
        count = appendValues(page, plan, first, count);
        try {
            appendPage(chunk, page, count, codec);
        } catch (IoError& error) {
            error.addContext("column " + plan.name);
            throw;
        }
        first += count;
    }
    return chunk;
}

using Keys = std::vector<std::pair<std::string, std::string>>;

// The metadata at the end of a file, which grow with the row groups.
struct WrittenGroup {
    int64_t rows = 0;
    std::vector<int64_t> offsets, packedBytes, unpackedBytes;
};

void addSchema(ThriftWriter& out, const std::vector<OutColumn>& plans) {
    constexpr int32_t kUtf8 = 0;  // a number of ConvertedType
    out.beginList(2, ThriftType::Struct, plans.size() + 1);
    out.beginItem();
    out.text(4, "schema");
    out.integer32(5, static_cast<int32_t>(plans.size()));
    out.endStruct();
    for (const OutColumn& plan : plans) {
        out.beginItem();
        out.integer32(1, static_cast<int32_t>(plan.physical));
        out.integer32(
            3, static_cast<int32_t>(plan.isOptional ? Repetition::Optional : Repetition::Required));
        out.text(4, plan.name);
        if (plan.isUtf8) {  // other bytes stay bytes
            out.integer32(6, kUtf8);
            out.beginStruct(10);
            out.beginStruct(static_cast<int>(Logical::String));
            out.endStruct();
            out.endStruct();
        }
        out.endStruct();
    }
}

void addChunk(ThriftWriter& out, const OutColumn& plan, const WrittenGroup& group, size_t c,
              Codec codec) {
    out.beginItem();
    out.integer64(2, 0);  // superseded; offsets are in the structure below
    out.beginStruct(3);
    out.integer32(1, static_cast<int32_t>(plan.physical));
    out.beginList(2, ThriftType::Int32, 2);
    out.itemInteger32(static_cast<int32_t>(Encoding::Plain));
    out.itemInteger32(static_cast<int32_t>(Encoding::Rle));
    out.beginList(3, ThriftType::Binary, 1);
    out.itemText(plan.name);
    out.integer32(4, static_cast<int32_t>(codec));
    out.integer64(5, group.rows);
    out.integer64(6, group.unpackedBytes[c]);
    out.integer64(7, group.packedBytes[c]);
    out.integer64(9, group.offsets[c]);
    out.endStruct();
    out.endStruct();
}

std::string metadataOf(int64_t rows, const std::vector<OutColumn>& plans,
                       const std::vector<WrittenGroup>& groups, const Keys& keys, Codec codec) {
    ThriftWriter out;
    out.integer32(1, 2);  // version of the format
    addSchema(out, plans);
    out.integer64(3, rows);
    out.beginList(4, ThriftType::Struct, groups.size());
    for (const WrittenGroup& group : groups) {
        out.beginItem();
        out.beginList(1, ThriftType::Struct, plans.size());
        int64_t bytes = 0;
        for (size_t c = 0; c < plans.size(); ++c) {
            addChunk(out, plans[c], group, c, codec);
            bytes += group.unpackedBytes[c];
        }
        out.integer64(2, bytes);
        out.integer64(3, group.rows);
        out.endStruct();
    }
    out.beginList(5, ThriftType::Struct, keys.size());
    for (const auto& [key, value] : keys) {
        out.beginItem();
        out.text(1, key);
        out.text(2, value);
        out.endStruct();
    }
    out.text(6, "armilla");
    return out.finish();
}

// The description of the columns as they are in the file.
std::string descriptionOf(const Table& table, const std::vector<OutColumn>& plans,
                          const TableWriteOptions& options) {
    Table outline;
    outline.name = table.name;
    outline.frame = table.frame;
    outline.history = table.history;
    for (const OutColumn& plan : plans) {
        TableColumn column;
        column.name = plan.name;
        column.unit = plan.from->unit;
        column.ucd = plan.from->ucd;
        column.description = plan.from->description;
        std::visit([&](const auto& values) { column.values = std::decay_t<decltype(values)>(); },
                   plan.from->values);
        outline.columns.push_back(std::move(column));
    }
    return astropyHeader(outline, options);
}

// The metadata that astropy reads: the description, and the number of letters of the longest text.
Keys keysOf(const Table& table, const std::vector<OutColumn>& plans,
            const std::vector<ColumnFacts>& facts, const TableWriteOptions& options) {
    Keys keys{{"table_meta_yaml", descriptionOf(table, plans, options)}};
    for (const OutColumn& plan : plans)
        if (plan.from->isText())
            keys.emplace_back("table::len::" + plan.name,
                              std::to_string(facts[plan.column].longest));
    return keys;
}

// A file whose row groups come one after another.
class ParquetOut {
public:
    ParquetOut(const Table& outline, std::vector<ColumnFacts> facts, const std::string& path,
               const TableWriteOptions& options)
        : facts_(std::move(facts)),
          plans_(planColumns(outline, facts_)),
          keys_(keysOf(outline, plans_, facts_, options)),
          path_(path),
          sink_(path, options.overwrite) {
        sink_.add(kMark);
    }
    // One row group; the table has the columns of the outline.
    void addGroup(const Table& table, int64_t first, int64_t rows, JobContext& job) {
        WrittenGroup group;
        group.rows = rows;
        rows_ += rows;
        for (OutColumn& plan : plans_) plan.from = &table.columns[plan.column];
        std::vector<OutChunk> chunks(plans_.size());
        parallelFor(
            job, static_cast<long long>(plans_.size()), 1,
            [&](long long begin, long long end) {
                for (auto c = static_cast<size_t>(begin); c < static_cast<size_t>(end); ++c)
                    chunks[c] = packChunk(plans_[c], first, rows, codec_, job);
            },
            "writing");
        for (const OutChunk& chunk : chunks) {
            group.offsets.push_back(offset_);
            group.packedBytes.push_back(static_cast<int64_t>(chunk.bytes.size()));
            group.unpackedBytes.push_back(chunk.unpackedBytes);
            sink_.add(chunk.bytes);
            offset_ += group.packedBytes.back();
        }
        groups_.push_back(std::move(group));
    }
    void commit() {
        std::string metadata = metadataOf(rows_, plans_, groups_, keys_, codec_);
        if (metadata.size() > std::numeric_limits<uint32_t>::max())
            throw IoError(path_ + ": expected metadata of less than 4 GB, found more columns");
        append(metadata, static_cast<uint32_t>(metadata.size()));
        sink_.add(metadata);
        sink_.add(kMark);
        sink_.commit();
    }

private:
    std::vector<ColumnFacts> facts_;
    std::vector<OutColumn> plans_;
    Keys keys_;
    Codec codec_ = codecForWriting();
    std::string path_;
    TextSink sink_;
    int64_t rows_ = 0, offset_ = static_cast<int64_t>(kMark.size());
    std::vector<WrittenGroup> groups_;
};

}  // namespace
}  // namespace parquet

void writeParquet(const Table& table, const std::string& path, const TableWriteOptions& options,
                  JobContext& job) {
    using namespace parquet;
    std::vector<ColumnFacts> facts(table.columns.size());
    for (size_t c = 0; c < facts.size(); ++c) {
        job.poll();
        facts[c].add(table.columns[c]);
    }
    ParquetOut out(table, std::move(facts), path, options);
    const auto rows = static_cast<double>(table.rows());
    for (int64_t first = 0; first < table.rows(); first += kRowsOfGroup) {
        const int64_t count = std::min(kRowsOfGroup, table.rows() - first);
        JobContext part =
            job.part(static_cast<double>(first) / rows, static_cast<double>(first + count) / rows);
        out.addGroup(table, first, count, part);
    }
    out.commit();
}

void writeParquet(const TableStream& stream, const std::string& path,
                  const TableWriteOptions& options, JobContext& job) {
    using namespace parquet;
    Table outline = stream.outline;
    std::vector<ColumnFacts> facts(outline.columns.size());
    scanStream(
        stream, outline, [&](size_t c, const TableColumn& column) { facts[c].add(column); }, job);
    ParquetOut out(outline, std::move(facts), path, options);
    // Row groups have the size that writeParquet of a whole table gives them.
    Table group = outline;
    const auto addGroup = [&] {
        JobContext silent(job.stopToken(), {}, job.threads());
        if (group.rows() > 0) out.addGroup(group, 0, group.rows(), silent);
        for (TableColumn& column : group.columns)
            std::visit([](auto& values) { values.clear(); }, column.values);
    };
    stream.forBlocks(
        [&](const Table& block) {
            requireNoMark(block, outline);
            for (int64_t first = 0; first < block.rows();) {
                const int64_t count = std::min(block.rows() - first, kRowsOfGroup - group.rows());
                appendRows(group, block, first, count);
                first += count;
                if (group.rows() == kRowsOfGroup) addGroup();
            }
        },
        job);
    addGroup();
    out.commit();
}

}  // namespace armilla
