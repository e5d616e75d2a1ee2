// SPDX-License-Identifier: GPL-3.0-or-later
#include "by_rows.h"

#include <algorithm>
#include <memory>

#include "armilla/core/counted.h"
#include "armilla/core/error.h"
#include "armilla/core/table_rows.h"
#include "armilla/io/table_blocks.h"
#include "armilla/io/table_io.h"
#include "armilla/operations/common_frame.h"
#include "catalog_files.h"
#include "row_operations.h"

namespace armilla {

namespace {

// A catalog on disk, of which blocks of rows are read with their positions.
class CatalogOnDisk {
public:
    // Null for a catalog that is read as a whole.
    static std::unique_ptr<CatalogOnDisk> open(const BlockCall& call, JobContext& job) {
        for (const auto& [slot, text] : call.inputs) {
            if (slot->name != "CATALOG") continue;
            const Columns columns = slot->columns ? slot->columns(call.parameters) : Columns{};
            std::unique_ptr<CatalogOnDisk> catalog;
            try {
                auto blocks = openRows(text, columns, job);
                if (!blocks) return nullptr;
                catalog.reset(new CatalogOnDisk(std::move(*blocks), *slot, text, columns, call));
                if (!catalog->isPlacedByRow() || catalog->hasDegreesBesideText()) return nullptr;
            } catch (const Error&) {
                return nullptr;  // the reader of whole files describes the error
            }
            return catalog;
        }
        return nullptr;
    }

    // Whether positions in text stand beside columns named as those of their degrees. All rows
    // decide whether these are the same.
    bool hasDegreesBesideText() const {
        const Table& outline = file_.outline();
        const auto found = findTextPositions(outline);
        if (!found) return false;
        const auto stands = [&](int index) {
            const TableColumn& column = outline.columns[static_cast<size_t>(index)];
            return column.isText() && outline.find(column.name + "_DEG");
        };
        return stands(found->lon) || stands(found->lat);
    }

    const TableBlocks& file() const { return file_; }
    const std::string& name() const { return name_; }
    // The columns of positions and these, in the order of the file.
    std::vector<std::string> withPlaces(const std::vector<std::string>& names) const {
        return columnsToRead(file_.outline(), columns_, names);
    }
    std::vector<std::string> allColumns() const {
        std::vector<std::string> names;
        for (const TableColumn& column : file_.outline().columns) names.push_back(column.name);
        return names;
    }
    // The input without rows, with these columns. Notes what a reader notes.
    Input outline(const std::vector<std::string>& names, JobContext& job) {
        ReadRequest request = request_;
        MissingPlaces none;
        Catalog catalog =
            placedRows(file_.outlineOf(names, job), name_, columns_, request, none, job);
        noteTurned(catalog.table, name_, request);
        return inputOf(std::move(catalog));
    }
    // Rows without a place are counted once, in the first pass.
    enum class Count { Rows, None };
    Input block(const TableBlocks::Block& block, const std::vector<std::string>& names, Count count,
                JobContext& job) {
        MissingPlaces ignored;
        const bool isNew = count == Count::Rows && !isCounted_;
        return inputOf(placedRows(file_.read(block, names, job), name_, columns_, request_,
                                  isNew ? missing_ : ignored, job));
    }
    // Ends the count of rows without a place, after the first pass over the blocks. Notes them.
    void endFirstPass() {
        if (isCounted_) return;
        isCounted_ = true;
        const std::string line = missing_.line();
        if (!line.empty() && request_.note) request_.note(name_ + ": " + line);
    }

private:
    CatalogOnDisk(TableBlocks file, const InputSlot& slot, std::string name, Columns columns,
                  const BlockCall& call)
        : file_(std::move(file)),
          slot_(slot.name),
          name_(std::move(name)),
          columns_(std::move(columns)),
          request_(call.reading) {
        request_.isBeside = slot.isOption || call.inputs.size() > 1;
    }
    // False where the frames of rows differ, or positions are those of Gaia's identifiers.
    bool isPlacedByRow() const {
        const Table& outline = file_.outline();
        for (const char* key : {"RADESYS", "RADECSYS", "EQUINOX"})
            if (outline.find(key)) return false;
        return !columns_.places.empty() || findPositions(outline) || findTextPositions(outline);
    }
    Input inputOf(Catalog catalog) const {
        Input input;
        input.slot = slot_;
        input.name = name_;
        input.data = std::make_shared<const Catalog>(std::move(catalog));
        input.isShared = false;
        return input;
    }

    TableBlocks file_;
    std::string_view slot_;
    std::string name_;
    Columns columns_;
    ReadRequest request_;
    MissingPlaces missing_;
    bool isCounted_ = false;
};

// Rows of a block, whose columns together have about 64 MB.
int64_t rowsOfBlock(const BlockCall& call, const CatalogOnDisk& catalog) {
    constexpr int64_t kLeast = 1 << 10, kMost = 1 << 20, kBytes = int64_t{1} << 26;
    if (call.blockRows > 0) return call.blockRows;
    return std::clamp(kBytes / std::max<int64_t>(1, catalog.file().rowBytes()), kLeast, kMost);
}

template <typename Body>
void forBlocks(CatalogOnDisk& catalog, const std::vector<TableBlocks::Block>& blocks,
               JobContext& job, const Body& body) {
    JobContext silent(job.stopToken(), {}, job.threads());
    for (size_t i = 0; i < blocks.size(); ++i) {
        body(i, silent);
        job.report(static_cast<double>(i + 1) / static_cast<double>(blocks.size()), "rows");
    }
    catalog.endFirstPass();
}

const Table& tableOf(const Data& data) {
    if (const auto* table = std::get_if<std::shared_ptr<const Table>>(&data)) return **table;
    return std::get<std::shared_ptr<const Catalog>>(data)->table;
}

// These columns of a table.
Table columnsOf(Table table, const std::vector<std::string>& names) {
    std::vector<TableColumn> columns;
    for (const std::string& name : names)
        columns.push_back(std::move(table.columns[static_cast<size_t>(*table.find(name))]));
    table.columns = std::move(columns);
    return table;
}

// The output of a stream, which is written block by block. Formats of catalogs that are no tables
// take all rows.
Output streamedOutput(std::shared_ptr<TableStream> stream, std::string summary) {
    Output output{"OUT", std::make_shared<const Table>(stream->outline), std::move(summary)};
    output.write = [stream = std::move(stream)](const std::string& path,
                                                const FileWriteOptions& options, JobContext& job) {
        if (!tableFormatOf(path))
            throw IoError(path +
                          ": expected a catalog in .fits, .csv or .parquet for this many rows, "
                          "found another name");
        writeTable(*stream, path, {options.overwrite, options.history}, job);
    };
    return output;
}

Outputs countByRows(const BlockCall& call, std::shared_ptr<CatalogOnDisk> catalog,
                    JobContext& job) {
    const auto& options = call.parameters.as<CountOptions>();
    std::vector<std::string> names;
    if (!options.weight.empty()) {
        const Table& outline = catalog->file().outline();
        const int index = outline.columnIndex(options.weight);
        names.push_back(outline.columns[static_cast<size_t>(index)].name);
    }
    CountOptions named = options;
    if (!names.empty()) named.weight = names.front();
    const std::vector<std::string> columns = catalog->withPlaces(names);
    RowCounts counts(named, job);
    counts.add(catalog->outline(columns, job), job);
    const auto blocks = catalog->file().blocks(rowsOfBlock(call, *catalog), {}, job);
    forBlocks(*catalog, blocks, job, [&](size_t i, JobContext& part) {
        counts.add(catalog->block(blocks[i], columns, CatalogOnDisk::Count::Rows, part), part);
    });
    return counts.finish(call.context);
}

// The rows that are kept, by block and number within it.
struct Kept {
    std::vector<TableBlocks::Block> blocks;
    std::vector<std::vector<bool>> rows;  // marks for each block; empty: none
};

std::vector<int64_t> rowsIn(const std::vector<bool>& marks) {
    std::vector<int64_t> rows;
    for (size_t i = 0; i < marks.size(); ++i)
        if (marks[i]) rows.push_back(static_cast<int64_t>(i));
    return rows;
}

// The columns of the file that the output needs.
std::vector<std::string> outputColumns(const CatalogOnDisk& catalog,
                                       const std::vector<std::string>& named) {
    const Table& outline = catalog.file().outline();
    if (named.empty()) return catalog.allColumns();
    std::vector<std::string> columns = catalog.withPlaces(named);
    // A converted position has a name that the file does not have, and a number is no name.
    const bool areAll = std::all_of(named.begin(), named.end(), [&](const std::string& name) {
        return outline.find(name).has_value();
    });
    return areAll ? columns : catalog.allColumns();
}

Outputs selectByRows(const BlockCall& call, std::shared_ptr<CatalogOnDisk> catalog, Inputs others,
                     JobContext& job) {
    const auto& options = call.parameters.as<SelectOptions>();
    SelectedRows select(options, others, call.context, job);
    const std::vector<std::string> output = outputColumns(*catalog, options.columns);
    const Input all = catalog->outline(catalog->allColumns(), job);
    const std::vector<std::string> condition = catalog->withPlaces(select.columns(all.table()));
    const Data nothing = selectedRows(catalog->outline(output, job), {}, options.columns);
    const Table& outline = tableOf(nothing);
    std::vector<DiscUnion> parts;
    // Partitions are cells in ICRS.
    if (catalog->file().hasPartitions() && !statedEquatorial(call.reading) &&
        all.catalog().position.frame == Frame::Equatorial)
        parts = select.parts(job);
    const auto kept = std::make_shared<Kept>();
    kept->blocks = catalog->file().blocks(rowsOfBlock(call, *catalog), parts, job);
    kept->rows.resize(kept->blocks.size());
    // Few rows are kept in memory; many are read again while they are written.
    std::optional<Table> few = outline;
    int64_t count = 0, read = 0;
    forBlocks(*catalog, kept->blocks, job, [&](size_t i, JobContext& part) {
        const Input block =
            catalog->block(kept->blocks[i], condition, CatalogOnDisk::Count::Rows, part);
        const std::vector<int64_t> rows = select(block, part);
        read += kept->blocks[i].count;
        count += static_cast<int64_t>(rows.size());
        if (rows.empty()) return;
        kept->rows[i].resize(static_cast<size_t>(kept->blocks[i].count));
        for (const int64_t row : rows) kept->rows[i][static_cast<size_t>(row)] = true;
        if (!few) return;
        const Input whole =
            catalog->block(kept->blocks[i], output, CatalogOnDisk::Count::None, part);
        const Data chosen = selectedRows(whole, rows, options.columns);
        appendRows(*few, tableOf(chosen), 0, tableOf(chosen).rows());
        if (few->memoryBytes() > call.catalogBytes) few.reset();
    });
    const std::string summary = setSelected(call.context, count, read);
    Outputs outputs;
    if (few) {
        const auto* like = std::get_if<std::shared_ptr<const Catalog>>(&nothing);
        Data data;
        if (like != nullptr)
            data = std::make_shared<const Catalog>(Catalog{std::move(*few), (*like)->position});
        else
            data = std::make_shared<const Table>(std::move(*few));
        outputs.push_back({"OUT", std::move(data), summary});
        return outputs;
    }
    const auto stream = std::make_shared<TableStream>();
    stream->outline = outline;
    stream->rows = count;
    stream->findsMissing = catalog->file().findsMissing();
    stream->forBlocks = [catalog, kept, output, columns = options.columns](
                            const std::function<void(const Table&)>& take, JobContext& writing) {
        forBlocks(*catalog, kept->blocks, writing, [&](size_t i, JobContext& part) {
            if (kept->rows[i].empty()) return;
            const Input block = naming(catalog->name(), [&] {
                return catalog->block(kept->blocks[i], output, CatalogOnDisk::Count::None, part);
            });
            const std::vector<int64_t> rows = rowsIn(kept->rows[i]);
            take(tableOf(selectedRows(block, rows, columns)));
        });
    };
    stream->forColumns = [catalog, kept](const std::vector<std::string>& columns,
                                         const std::function<void(const Table&)>& take,
                                         JobContext& writing) {
        const std::vector<std::string> needed = catalog->withPlaces(columns);
        forBlocks(*catalog, kept->blocks, writing, [&](size_t i, JobContext& part) {
            if (kept->rows[i].empty()) return;
            const Input block =
                catalog->block(kept->blocks[i], needed, CatalogOnDisk::Count::None, part);
            take(tableOf(selectedRows(block, rowsIn(kept->rows[i]), columns)));
        });
    };
    outputs.push_back(streamedOutput(stream, summary));
    return outputs;
}

Outputs lookupByRows(const BlockCall& call, std::shared_ptr<CatalogOnDisk> catalog, Inputs others,
                     JobContext& job) {
    const auto& options = call.parameters.as<LookupOptions>();
    const auto inputs = std::make_shared<Inputs>(std::move(others));
    const auto values = std::make_shared<LookedUp>(options, (*inputs)["MAP"], call.context, job);
    const std::vector<std::string> columns = catalog->allColumns();
    const auto stream = std::make_shared<TableStream>();
    const Input whole = catalog->outline(columns, job);
    stream->outline = whole.table();
    values->addTo(stream->outline, whole.catalog(), job);
    stream->findsMissing = catalog->file().findsMissing();
    const auto blocks = std::make_shared<std::vector<TableBlocks::Block>>(
        catalog->file().blocks(rowsOfBlock(call, *catalog), {}, job));
    stream->rows = 0;
    for (const TableBlocks::Block& block : *blocks) stream->rows += block.count;
    const auto without = std::make_shared<int64_t>(0);
    stream->forBlocks = [catalog, inputs, values, blocks, columns, without](
                            const std::function<void(const Table&)>& take, JobContext& writing) {
        *without = 0;
        forBlocks(*catalog, *blocks, writing, [&](size_t i, JobContext& part) {
            const Input block = naming(catalog->name(), [&] {
                return catalog->block((*blocks)[i], columns, CatalogOnDisk::Count::Rows, part);
            });
            Table table = block.table();
            values->addTo(table, block.catalog(), part);
            *without += rowsWithoutPlace(block.catalog());
            take(table);
        });
    };
    stream->forColumns = [catalog, inputs, values, blocks, columns](
                             const std::vector<std::string>& names,
                             const std::function<void(const Table&)>& take, JobContext& writing) {
        const Table& outline = catalog->file().outline();
        // Names of added columns depend on all columns of the file.
        const bool areOfFile = std::all_of(names.begin(), names.end(), [&](const auto& name) {
            return outline.find(name).has_value();
        });
        const std::vector<std::string> needed = areOfFile ? catalog->withPlaces(names) : columns;
        forBlocks(*catalog, *blocks, writing, [&](size_t i, JobContext& part) {
            const Input block =
                catalog->block((*blocks)[i], needed, CatalogOnDisk::Count::Rows, part);
            Table table = block.table();
            if (!areOfFile) values->addTo(table, block.catalog(), part);
            take(columnsOf(std::move(table), names));
        });
    };
    const std::string summary =
        setLookedUp(call.context, stream->outline, whole.table().columns.size(), stream->rows);
    Output output = streamedOutput(stream, summary);
    output.write = [write = output.write, without, note = call.context.note](
                       const std::string& path, const FileWriteOptions& options_,
                       JobContext& writing) {
        write(path, options_, writing);
        if (*without > 0 && note) note(counted(*without, "row") + " without a position");
    };
    Outputs outputs;
    outputs.push_back(std::move(output));
    return outputs;
}

}  // namespace

std::optional<Outputs> runByRows(BlockCall& call) {
    const std::string_view id = call.operation.id;
    if (id != "select" && id != "lookup" && id != "count") return std::nullopt;
    JobContext silent(call.context.job.stopToken(), {}, call.context.job.threads());
    std::shared_ptr<CatalogOnDisk> catalog = CatalogOnDisk::open(call, silent);
    if (!catalog) return std::nullopt;
    // A selection on the sky reads few partitions, and one of some columns decodes only these.
    const bool readsLess = id == "select" && (catalog->file().hasPartitions() ||
                                              !call.parameters.as<SelectOptions>().columns.empty());
    const bool isLarge =
        readsLess || catalog->file().rows() >
                         call.catalogBytes / std::max<int64_t>(1, catalog->file().rowBytes());
    if (!isLarge) return std::nullopt;
    Inputs inputs;
    for (const auto& [slot, text] : call.inputs) {
        if (slot->name == "CATALOG") continue;
        ReadRequest request = call.reading;
        request.isBeside = slot->isOption || call.inputs.size() > 1;
        inputs.all.push_back(readInput(*slot, call.parameters, text, request, silent));
    }
    GivenSlots given = call.context.wanted;
    for (const auto& [slot, text] : call.inputs) given.emplace(slot->name);
    requireNoProblem(call.operation, call.parameters, given);
    inputs.all.push_back(catalog->outline(catalog->withPlaces({}), silent));
    bringToOneFrame(call.operation, call.context, inputs);
    inputs.all.pop_back();
    JobContext& job = call.context.job;
    return naming(catalog->name(), [&] {
        if (id == "count") return countByRows(call, catalog, job);
        return id == "select" ? selectByRows(call, catalog, std::move(inputs), job)
                              : lookupByRows(call, catalog, std::move(inputs), job);
    });
}

}  // namespace armilla
