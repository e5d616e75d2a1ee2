// SPDX-License-Identifier: GPL-3.0-or-later
// Folders of Parquet files that healsparse writes: a file for each pixel of nside_io, a row group
// for each covered tile, and the facts of the map among the keys of the metadata.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>

#include "armilla/core/ascii_text.h"
#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "healsparse_tiles.h"
#include "map_facts.h"
#include "parquet/metadata.h"
#include "parquet/read_parquet.h"

namespace armilla {

namespace {

namespace fs = std::filesystem;
using Kind = PixelTiles::Kind;
using parquet::Physical;
using parquet::SchemaNode;

constexpr const char* kCoverColumn = "cov_pix";

// The metadata of the folder; none for another folder.
std::optional<parquet::Metadata> metadataOf(const std::string& path) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) return std::nullopt;
    for (const char* name : {"_common_metadata", "_metadata"}) {
        const std::string file = (fs::path(path) / name).string();
        if (!fs::is_regular_file(file, ignored) || !isParquet(file)) continue;
        const auto source = openByteSource(file);
        try {
            return parquet::readMetadata(*source);
        } catch (Error& error) {
            error.addContext(file);
            throw;
        }
    }
    return std::nullopt;
}

std::string keyOf(const parquet::Metadata& metadata, const std::string& name) {
    for (const auto& [key, value] : metadata.keys)
        if (key == "healsparse::" + name) return value;
    return {};
}

// Unsigned integers take the next wider signed type, as in FITS.
DiskType typeOf(const SchemaNode& node) {
    switch (node.physical) {
        case Physical::Boolean: return DiskType::Logical;
        case Physical::Int64: return DiskType::Int64;
        case Physical::Int32:
            if (node.bitWidth == 8) return node.isUnsigned ? DiskType::UInt8 : DiskType::Int16;
            if (node.bitWidth == 16) return node.isUnsigned ? DiskType::Int32 : DiskType::Int16;
            return node.isUnsigned ? DiskType::Int64 : DiskType::Int32;
        case Physical::Double: return DiskType::Float64;
        default: return DiskType::Float32;
    }
}

bool isNumber(const SchemaNode& node) {
    return node.physical == Physical::Boolean || node.physical == Physical::Int32 ||
           node.physical == Physical::Int64 || node.physical == Physical::Float ||
           node.physical == Physical::Double || node.logical == parquet::Logical::Float16;
}

int64_t integerKey(const std::string& path, const parquet::Metadata& metadata, const char* name) {
    const std::string text = keyOf(metadata, name);
    const auto number = parseInteger(text);
    if (!number)
        refuse(path, std::string("a whole number as healsparse::") + name,
               text.empty() ? "none" : inQuotes(text));
    return *number;
}

double sentinelOf(const std::string& path, const std::string& text, DiskType type) {
    const std::string upper = upperTrimmed(text);
    double value = kUnseen;
    if (upper == "TRUE" || upper == "FALSE")
        value = upper == "TRUE" ? 1.0 : 0.0;
    else if (upper == "NAN")
        value = std::numeric_limits<double>::quiet_NaN();
    else if (const auto number = parseReal(upper))
        value = *number;
    else if (upper != "UNSEEN")
        refuse(path, "healsparse::sentinel, the value of pixels without data", inQuotes(text));
    return type == DiskType::Float32 ? static_cast<double>(static_cast<float>(value)) : value;
}

// The facts of the map, without covers and values.
SparseTiles factsOf(const std::string& path, const parquet::Metadata& metadata) {
    SparseTiles tiles;
    tiles.nside = integerKey(path, metadata, "nside_sparse");
    tiles.coverNside = integerKey(path, metadata, "nside_coverage");
    tiles.primary = keyOf(metadata, "primary");
    for (const SchemaNode& node : metadata.schema)
        if (node.children == 0 && node.name != kCoverColumn && isNumber(node))
            tiles.columns.push_back({node.name, typeOf(node), {}});
    const bool isWide = keyOf(metadata, "widemask") == "True";
    if (!tiles.primary.empty()) {
        tiles.kind = Kind::Records;
    } else if (isWide) {
        tiles.kind = Kind::Bits;
        tiles.width = integerKey(path, metadata, "wwidth");
    } else if (keyOf(metadata, "bitpacked") == "True") {
        tiles.kind = Kind::Packed;
    } else if (!tiles.columns.empty() && tiles.columns.front().type == DiskType::Logical) {
        tiles.kind = Kind::Flags;
    }
    checkTiles(path, tiles);
    const std::string sentinel = keyOf(metadata, "sentinel");
    for (const SparseColumn& column : tiles.columns)
        if (tiles.kind != Kind::Bits && tiles.kind != Kind::Packed &&
            (tiles.primary.empty() || column.name == tiles.primary))
            tiles.sentinel = sentinelOf(path, sentinel, column.type);
    if (tiles.primary.empty())
        tiles.columns.front().name = tiles.kind == Kind::Bits      ? "BITS"
                                     : tiles.kind == Kind::Numbers ? "VALUE"
                                                                   : "MASK";
    if (tiles.kind == Kind::Packed) tiles.columns.front().type = DiskType::Logical;
    return tiles;
}

// Name of a column in the files.
std::string storedName(const SparseTiles& tiles, const std::string& name) {
    return tiles.kind == Kind::Records ? name : "sparse";
}

// The files of the tiles, in the order of the sky.
std::vector<std::string> filesIn(const std::string& path) {
    std::map<int64_t, std::vector<std::string>> files;
    try {
        for (const fs::directory_entry& folder : fs::directory_iterator(path)) {
            const std::string name = folder.path().filename().string();
            if (!name.starts_with("iopix=") || !folder.is_directory()) continue;
            const auto number = parseInteger(name.substr(6));
            if (!number) refuse(path, "folders iopix=NUMBER", inQuotes(name));
            for (const fs::directory_entry& file : fs::directory_iterator(folder.path()))
                if (file.path().extension() == ".parquet")
                    files[*number].push_back(file.path().string());
        }
    } catch (const fs::filesystem_error& error) {
        refuse(path, "a folder that can be listed", error.code().message());
    }
    std::vector<std::string> all;
    for (auto& [number, names] : files) {
        std::sort(names.begin(), names.end());
        all.insert(all.end(), names.begin(), names.end());
    }
    return all;
}

// The covered pixels that the folder lists; empty without a list.
std::vector<int64_t> listedCovers(const std::string& path, JobContext& job) {
    const std::string file = (fs::path(path) / "_coverage.parquet").string();
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) return {};
    TableReadOptions options;
    options.columns = {kCoverColumn};
    const Table table = readParquet(file, options, job);
    std::vector<int64_t> covers;
    for (int64_t row = 0; row < table.columns.front().size(); ++row)
        covers.push_back(static_cast<int64_t>(table.columns.front().number(row)));
    return covers;
}

// Adds the tiles of a file: rows of one coverage pixel after the other.
void takeTiles(const std::string& file, const Table& table, const std::vector<size_t>& columns,
               SparseTiles& tiles) {
    const int64_t each = tiles.tileValues(), rows = table.columns.front().size();
    if (rows % each != 0)
        refuse(file, "whole tiles of " + std::to_string(each) + " rows",
               std::to_string(rows) + " rows");
    for (int64_t first = 0; first < rows; first += each) {
        const double cover = table.columns.front().number(first);
        for (const int64_t row : {first + each / 2, first + each - 1})
            if (table.columns.front().number(row) != cover)
                refuse(file, "rows of one " + std::string(kCoverColumn) + " in each tile",
                       "two in the tile at row " + std::to_string(first + 1));
        const auto pixel = static_cast<int64_t>(cover);
        if (!(cover >= 0.0) || pixel >= pixelCount(tiles.coverNside) ||
            (!tiles.covers.empty() && pixel <= tiles.covers.back()))
            refuse(file,
                   "ascending pixels of the coverage below " +
                       std::to_string(pixelCount(tiles.coverNside)),
                   std::to_string(pixel));
        tiles.covers.push_back(pixel);
    }
    for (size_t c = 0; c < columns.size(); ++c) {
        std::vector<double>& values = tiles.columns[columns[c]].values;
        const TableColumn& column = table.columns[c + 1];
        if (const auto* numbers = std::get_if<std::vector<double>>(&column.values))
            values.insert(values.end(), numbers->begin(), numbers->end());
        else
            for (int64_t row = 0; row < rows; ++row) values.push_back(column.number(row));
    }
}

}  // namespace

bool isHealSparseFolder(const std::string& path) {
    try {
        const auto metadata = metadataOf(path);
        return metadata && keyOf(*metadata, "filetype") == "healsparse";
    } catch (const IoError&) {
        return false;
    }
}

FileSummary inspectHealSparseFolder(const std::string& path, const StatedPixels& stated) {
    JobContext job;
    SparseTiles tiles = factsOf(path, *metadataOf(path));
    agreedNside(tiles.nside, stated);
    tiles.covers = listedCovers(path, job);
    return summaryOfTiles(tiles);
}

HealpixMap readHealSparseFolder(const std::string& path, const MapReadOptions& options,
                                JobContext& job) {
    SparseTiles tiles = factsOf(path, *metadataOf(path));
    const std::vector<std::string> names = columnsToRead(path, tiles, options);
    TableReadOptions wanted;
    wanted.columns = {kCoverColumn};
    std::vector<size_t> columns;
    for (const std::string& name : names)
        for (size_t c = 0; c < tiles.columns.size(); ++c)
            if (tiles.columns[c].name == name) {
                columns.push_back(c);
                wanted.columns.push_back(storedName(tiles, name));
            }
    JobContext reading = job.part(0.0, 0.7), selecting = job.part(0.7, 1.0);
    const std::vector<int64_t> listed = listedCovers(path, reading);
    requireMemory(path, std::ssize(listed) * tiles.tileValues() * 8 * (std::ssize(columns) + 1));
    const std::vector<std::string> files = filesIn(path);
    for (size_t i = 0; i < files.size(); ++i) {
        const auto count = static_cast<double>(files.size());
        JobContext part =
            reading.part(static_cast<double>(i) / count, static_cast<double>(i + 1) / count);
        const Table table = readParquet(files[i], wanted, part);
        if (std::ssize(table.columns) != std::ssize(wanted.columns))
            refuse(files[i], "columns of numbers", "others");
        takeTiles(files[i], table, columns, tiles);
    }
    if (!listed.empty() && listed != tiles.covers)
        refuse(path, "the " + std::to_string(listed.size()) + " tiles that _coverage.parquet lists",
               std::to_string(tiles.covers.size()) +
                   (listed.size() == tiles.covers.size() ? " others" : ""));
    return mapOfTiles(path, std::move(tiles), options, selecting);
}

}  // namespace armilla
