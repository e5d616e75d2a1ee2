// SPDX-License-Identifier: GPL-3.0-or-later
#include "hats.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

#include "armilla/core/ascii_text.h"
#include "armilla/core/counted.h"
#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "map_table.h"
#include "parquet/read_parquet.h"
#include "parquet_folder.h"
#include "table_formats.h"

namespace armilla {

namespace {

namespace fs = std::filesystem;
using Properties = HatsCatalog::Properties;

// Properties are a page of text; a list of partitions has a line of some 30 bytes for each.
constexpr std::streamsize kMostBytes = 1 << 20;
constexpr std::streamsize kMostListBytes = 1 << 28;
constexpr int kMostOrder = 29;

std::string startOf(const fs::path& path, std::streamsize most) {
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) return {};
    const auto size = static_cast<std::streamsize>(fs::file_size(path, ignored));
    std::string text(static_cast<size_t>(std::clamp<std::streamsize>(size, 0, most)), '\0');
    std::ifstream in(path, std::ios::binary);
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<size_t>(std::max<std::streamsize>(0, in.gcount())));
    return text;
}

template <typename Take>
void forLines(const std::string& text, const Take& take) {
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        take(trimmed(text.substr(at, end - at)));
        at = end + 1;
    }
}

Properties propertiesIn(const fs::path& file) {
    Properties all;
    forLines(startOf(file, kMostBytes), [&](const std::string& line) {
        const size_t equals = line.find('=');
        if (line.starts_with('#') || equals == std::string::npos) return;
        all.emplace(trimmed(line.substr(0, equals)), trimmed(line.substr(equals + 1)));
    });
    return all;
}

std::string valueOf(const Properties& properties, const char* key) {
    const auto found = properties.find(key);
    return found == properties.end() ? std::string() : found->second;
}

// The properties of a catalog; empty for another folder.
Properties catalogProperties(const fs::path& folder) {
    for (const char* name : {"hats.properties", "properties"}) {
        Properties properties = propertiesIn(folder / name);
        const bool isHats =
            std::any_of(properties.begin(), properties.end(),
                        [](const auto& property) { return property.first.starts_with("hats_"); });
        if (isHats) return properties;
    }
    return {};
}

std::string primaryOf(const fs::path& folder) {
    return valueOf(propertiesIn(folder / "collection.properties"), "hats_primary_table_url");
}

template <typename Integer>
std::optional<Integer> integerIn(std::string_view text) {
    Integer number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
    return number;
}

void addPartition(HatsCatalog& catalog, std::optional<int> order, std::optional<int64_t> pixel,
                  const std::string& found) {
    if (!order || !pixel || *order < 0 || *order > kMostOrder || *pixel < 0 ||
        *pixel >= pixelCount(int64_t{1} << *order))
        refuse(catalog.folder.string(), "partitions with an Norder from 0 to 29 and its Npix",
               inQuotes(found));
    catalog.partitions.push_back({*order, *pixel});
}

// The partitions of partition_info.csv.
void takeList(HatsCatalog& catalog, const std::string& text) {
    std::optional<size_t> order, pixel;
    bool isFirst = true;
    forLines(text, [&](const std::string& line) {
        if (line.empty()) return;
        size_t at = 0;
        const std::vector<std::string> cells = takeRecord(line, at, ',');
        if (isFirst) {
            isFirst = false;
            for (size_t i = 0; i < cells.size(); ++i) {
                if (trimmed(cells[i]) == "Norder") order = i;
                if (trimmed(cells[i]) == "Npix") pixel = i;
            }
            if (!order || !pixel)
                refuse(catalog.folder.string(), "columns Norder and Npix in partition_info.csv",
                       inQuotes(line));
            return;
        }
        if (cells.size() <= std::max(*order, *pixel))
            refuse(catalog.folder.string(), "lines of one length in partition_info.csv",
                   inQuotes(line));
        addPartition(catalog, integerIn<int>(trimmed(cells[*order])),
                     integerIn<int64_t>(trimmed(cells[*pixel])), line);
    });
}

std::string numberAfter(const std::string& name, std::string_view key) {
    return name.starts_with(key) ? name.substr(key.size()) : std::string();
}

// The partitions whose files are in the folders Norder=*/Dir=*. A folder that cannot be listed is
// an error: its rows would be missing without a word.
void takeFolders(HatsCatalog& catalog, JobContext& job) {
    for (const auto& order : fs::directory_iterator(catalog.data)) {
        const std::string orderText = numberAfter(order.path().filename().string(), "Norder=");
        if (orderText.empty()) continue;
        for (const auto& group : fs::directory_iterator(order.path())) {
            if (numberAfter(group.path().filename().string(), "Dir=").empty()) continue;
            for (const auto& file : fs::directory_iterator(group.path())) {
                job.poll();
                const std::string name = file.path().stem().string();
                const std::string pixel = numberAfter(name, "Npix=");
                if (pixel.empty()) continue;
                addPartition(catalog, integerIn<int>(orderText), integerIn<int64_t>(pixel), name);
            }
        }
    }
}

// Throws IoError for folders that the system does not list.
template <typename Body>
auto listing(const std::string& path, const Body& body) {
    try {
        return body();
    } catch (const fs::filesystem_error& error) {
        refuse(path, "folders that can be read", error.code().message());
    }
}

// The file with the schema of all partitions; none without one. A margin cache without rows has a
// list without partitions, and a schema.
std::optional<std::string> schemaOf(const HatsCatalog& catalog) {
    for (const char* name : {"_common_metadata", "_metadata"}) {
        const fs::path file = catalog.data / name;
        std::error_code ignored;
        if (fs::is_regular_file(file, ignored)) return file.string();
    }
    return std::nullopt;
}

}  // namespace

HatsCatalog openHats(const std::string& path, JobContext& job) {
    HatsCatalog catalog;
    catalog.folder = path;
    catalog.properties = catalogProperties(path);
    if (catalog.properties.empty()) {
        const std::string primary = primaryOf(path);
        const fs::path inside(primary);
        const bool isPlain =
            inside.is_relative() && std::none_of(inside.begin(), inside.end(),
                                                 [](const auto& part) { return part == ".."; });
        if (!isPlain)
            refuse(path, "a folder within the collection as hats_primary_table_url",
                   inQuotes(primary));
        catalog.folder /= inside;
        catalog.properties = catalogProperties(catalog.folder);
        if (catalog.properties.empty())
            refuse(path, "a HATS catalog in " + inQuotes(primary), "none");
    }
    std::error_code ignored;
    catalog.data = catalog.folder / "dataset";
    if (!fs::is_directory(catalog.data, ignored)) catalog.data = catalog.folder;
    const std::string list = startOf(catalog.folder / "partition_info.csv", kMostListBytes);
    if (!list.empty())
        takeList(catalog, list);
    else
        listing(path, [&] { takeFolders(catalog, job); });
    if (catalog.partitions.empty() && (list.empty() || !schemaOf(catalog)))
        refuse(path, "a HATS catalog with partitions (Norder=*/Dir=*/Npix=*.parquet)", "none");
    std::sort(catalog.partitions.begin(), catalog.partitions.end(),
              [](const HatsPartition& a, const HatsPartition& b) {
                  const auto first = [](const HatsPartition& p) {
                      return p.pixel << (2 * (kMostOrder - p.order));
                  };
                  return first(a) != first(b) ? first(a) < first(b) : a.order < b.order;
              });
    for (size_t i = 1; i < catalog.partitions.size(); ++i)
        if (catalog.partitions[i].order == catalog.partitions[i - 1].order &&
            catalog.partitions[i].pixel == catalog.partitions[i - 1].pixel)
            refuse(path, "each partition once",
                   "Npix=" + std::to_string(catalog.partitions[i].pixel) + " of order " +
                       std::to_string(catalog.partitions[i].order) + " twice");
    return catalog;
}

std::vector<std::string> filesOf(const HatsCatalog& catalog, const HatsPartition& partition) {
    return listing(catalog.folder.string(), [&] {
        constexpr int64_t kPixelsInFolder = 10000;
        const fs::path stem =
            catalog.data / ("Norder=" + std::to_string(partition.order)) /
            ("Dir=" + std::to_string(partition.pixel / kPixelsInFolder * kPixelsInFolder)) /
            ("Npix=" + std::to_string(partition.pixel));
        const std::string suffix = valueOf(catalog.properties, "hats_npix_suffix");
        const bool isSuffix = suffix.starts_with('.') && suffix.find('/') == std::string::npos;
        const fs::path file = stem.string() + (isSuffix ? suffix : ".parquet");
        std::error_code ignored;
        if (fs::is_regular_file(file, ignored)) return std::vector{file.string()};
        std::vector<std::string> files;
        for (const auto& each : fs::directory_iterator(stem, ignored))
            if (each.is_regular_file(ignored) && !each.path().filename().string().starts_with('.'))
                files.push_back(each.path().string());
        std::sort(files.begin(), files.end());
        if (files.empty())
            refuse(catalog.folder.string(),
                   "the file of each partition, such as " + inQuotes(file.string()), "none");
        return files;
    });
}

void markPositions(const HatsCatalog& catalog, Table& table) {
    const auto mark = [&](const char* key, const char* ucd) {
        const auto at = table.find(valueOf(catalog.properties, key));
        if (!at) return;
        TableColumn& column = table.columns[static_cast<size_t>(*at)];
        column.ucd = ucd;
        if (column.unit.empty()) column.unit = "deg";
    };
    mark("hats_col_ra", "pos.eq.ra;meta.main");
    mark("hats_col_dec", "pos.eq.dec;meta.main");
    table.frame = Frame::Equatorial;
}

ParquetFolder hatsColumns(const HatsCatalog& catalog, JobContext& job) {
    const std::optional<std::string> schema = schemaOf(catalog);
    std::vector<std::string> files;
    if (schema) files.push_back(*schema);
    for (const HatsPartition& partition : catalog.partitions) {
        job.poll();
        const std::vector<std::string> own = filesOf(catalog, partition);
        files.insert(files.end(), own.begin(), own.end());
        if (schema) break;
    }
    ParquetFolder columns = joinedFolder(catalog.folder.string(), std::move(files), job);
    markPositions(catalog, columns.outline);
    return columns;
}

namespace {

// The collection of a catalog, and the folder of the collection; none for a catalog alone.
std::optional<std::pair<fs::path, Properties>> collectionOf(const fs::path& path,
                                                            const HatsCatalog& catalog) {
    for (const fs::path& folder : {path, catalog.folder.parent_path()}) {
        std::error_code ignored;
        Properties properties = propertiesIn(folder / "collection.properties");
        const std::string primary = valueOf(properties, "hats_primary_table_url");
        if (!primary.empty() && fs::equivalent(folder / primary, catalog.folder, ignored))
            return std::pair(folder, std::move(properties));
    }
    return std::nullopt;
}

bool isMapName(const std::string& name) {
    if (name == "point_map.fits" || name == "skymap.fits") return true;
    constexpr std::string_view kStart = "skymap.", kEnd = ".fits";
    return name.starts_with(kStart) && name.ends_with(kEnd) &&
           name.size() > kStart.size() + kEnd.size() &&
           integerIn<int>(name.substr(kStart.size(), name.size() - kStart.size() - kEnd.size()));
}

std::vector<std::string> mapsOf(const HatsCatalog& catalog) {
    std::vector<std::string> maps;
    listing(catalog.folder.string(), [&] {
        for (const auto& file : fs::directory_iterator(catalog.folder))
            if (isMapName(file.path().filename().string())) maps.push_back(file.path().string());
    });
    std::sort(maps.begin(), maps.end());
    return maps;
}

// A margin cache of a collection in one line.
std::string lineOnMargin(const fs::path& folder, JobContext& job) {
    const HatsCatalog margin = openHats(folder.string(), job);
    const std::string arcsec = valueOf(margin.properties, "hats_margin_threshold");
    return counted(hatsRows(margin, job), "row") +
           (arcsec.empty() ? "" : " within " + arcsec + " arcsec of a partition");
}

}  // namespace

bool isHatsMap(const std::string& path) {
    const fs::path file(path);
    return isMapName(file.filename().string()) &&
           !catalogProperties(file.has_parent_path() ? file.parent_path() : fs::path(".")).empty();
}

void refuseHatsAsMap(const std::string& path) {
    JobContext job;
    std::string maps;
    for (const std::string& map : mapsOf(openHats(path, job)))
        maps += (maps.empty() ? "; numbers of its rows in pixels are in " : " and ") + map;
    refuse(path, "a map", "a HATS catalog" + maps);
}

bool isHatsFolder(const std::string& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored) &&
           (!catalogProperties(path).empty() || !primaryOf(path).empty());
}

std::vector<HatsPartition> partitionsWithin(const HatsCatalog& catalog,
                                            std::span<const DiscUnion> within, JobContext& job) {
    const std::optional<double> margin = hatsMargin(catalog);
    if (within.empty() || !margin) return catalog.partitions;
    std::vector<HatsPartition> kept;
    for (const HatsPartition& partition : catalog.partitions) {
        job.poll();
        SkyCap disc = discOfPixel(partition.order, partition.pixel);
        disc.radius += *margin;
        const auto meets = [&](const DiscUnion& part) {
            return std::any_of(part.begin(), part.end(),
                               [&](const SkyCap& each) { return each.meets(disc); });
        };
        if (std::all_of(within.begin(), within.end(), meets)) kept.push_back(partition);
    }
    return kept;
}

Table readHats(const std::string& path, const TableReadOptions& options, JobContext& job) {
    const HatsCatalog catalog = openHats(path, job);
    const std::vector<HatsPartition> partitions = partitionsWithin(catalog, options.within, job);
    std::vector<std::string> files;
    for (const HatsPartition& partition : partitions)
        for (const std::string& file : filesOf(catalog, partition)) files.push_back(file);
    const ParquetFolder columns = hatsColumns(catalog, job);
    // Without a partition to read, one file gives the columns without rows.
    const bool isEmpty = files.empty();
    if (isEmpty) files.push_back(columns.files.front());
    const PartReader read = [&](const std::string& file, const TableReadOptions& wanted,
                                JobContext& part, const RowRange& rows) {
        return readParquetPart(columns, file, wanted, part, isEmpty ? RowRange{} : rows);
    };
    Table table = joinFiles(files, options, job, read);
    markPositions(catalog, table);
    return table;
}

int64_t hatsRows(const HatsCatalog& catalog, JobContext& job) {
    if (const auto stated = integerIn<int64_t>(valueOf(catalog.properties, "hats_nrows"));
        stated && *stated >= 0)
        return *stated;
    int64_t rows = 0;
    for (const HatsPartition& partition : catalog.partitions)
        for (const std::string& file : filesOf(catalog, partition)) {
            int64_t own = 0;
            parquetOutline(file, own, job);
            rows += own;
        }
    return rows;
}

std::optional<double> hatsMargin(const HatsCatalog& catalog) {
    if (valueOf(catalog.properties, "dataproduct_type") != "margin") return 0.0;
    const auto arcsec = parseReal(valueOf(catalog.properties, "hats_margin_threshold"));
    return arcsec && *arcsec >= 0.0 ? std::optional(*arcsec * kArcsec) : std::nullopt;
}

FileSummary inspectHats(const std::string& path) {
    JobContext job;
    const HatsCatalog catalog = openHats(path, job);
    const Table outline = hatsColumns(catalog, job).outline;
    FileSummary summary;
    summary.kind = FileKind::Catalog;
    summary.hdu = 0;
    summary.frame = Frame::Equatorial;
    summary.rows = hatsRows(catalog, job);
    for (const TableColumn& column : outline.columns)
        summary.columns.push_back({column.name, column.unit,
                                   column.isInteger() ? DiskType::Int64 : DiskType::Float64, 1});
    if (const auto collection = collectionOf(path, catalog)) {
        std::string names = valueOf(collection->second, "all_margins");
        std::replace_if(
            names.begin(), names.end(), [](char c) { return c == ',' || c == ';'; }, ' ');
        std::istringstream words(names);
        for (std::string name; words >> name;) {
            const fs::path folder = collection->first / name;
            if (isHatsFolder(folder.string()))
                summary.parts.push_back(
                    {FolderPart::Kind::Margin, folder.string(), lineOnMargin(folder, job)});
        }
    }
    for (const std::string& map : mapsOf(catalog))
        summary.parts.push_back({FolderPart::Kind::Map, map, "number of rows in each pixel"});
    return summary;
}

}  // namespace armilla
