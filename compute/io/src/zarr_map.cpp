// SPDX-License-Identifier: GPL-3.0-or-later
#include "zarr_map.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/frames.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/new_vector.h"
#include "fits_file.h"
#include "map_facts.h"
#include "map_planes.h"
#include "yaml_header.h"
#include "zarr_array.h"

namespace armilla {

namespace {

// Far above the metadata of any array of pixels.
constexpr uintmax_t kMostMetadata = 1 << 22;
constexpr size_t kMostArrays = 4096;

// A map: arrays of the same pixels, and their facts.
struct ZarrMap {
    std::vector<ZarrArray> arrays;
    int64_t nside = 0;
    std::optional<Ordering> ordering;
    Frame frame = Frame::Unknown;
    std::string omitted;
    std::map<std::string, std::string> refused;  // arrays that are not read, and the reason
};

// A field: its array and its position on the other axis.
struct ZarrField {
    const ZarrArray* array = nullptr;
    int64_t at = 0;
    std::string name;
};

std::optional<YamlNode> metadataIn(const std::string& folder, const char* name) {
    const std::filesystem::path file = std::filesystem::path(folder) / name;
    std::error_code failure;
    const uintmax_t size = std::filesystem::file_size(file, failure);
    if (failure) return std::nullopt;
    if (size > kMostMetadata)
        refuse(file.string(), "metadata of at most 4 MB", std::to_string(size) + " bytes");
    std::ifstream in(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    try {
        return parseYaml(text);  // YAML includes JSON
    } catch (const InvalidArgument&) {
        refuse(file.string(), "metadata of Zarr in JSON", "another text");
    }
}

// Facts in attributes; an array's come before those of its group.
void takeFacts(const YamlNode* attributes, ZarrMap& map, int64_t& nside, std::string* unit,
               const std::string& path) {
    if (attributes == nullptr) return;
    for (size_t i = 0; i < attributes->keys.size() && i < attributes->items.size(); ++i) {
        const std::string key = upperTrimmed(attributes->keys[i]),
                          word = upperTrimmed(attributes->items[i].scalar);
        if (key == "NSIDE" || key == "HEALPIX_NSIDE") {
            if (nside == 0) nside = parseInteger(word).value_or(0);
        } else if (key == "ORDERING" || key == "ORDER" || key == "INDEXING_SCHEME" ||
                   key == "SCHEME") {
            if (map.ordering) continue;
            if (word == "RING")
                map.ordering = Ordering::Ring;
            else if (word == "NEST" || word == "NESTED")
                map.ordering = Ordering::Nested;
            else if (!parseInteger(word))
                refuse(path, "the ordering RING or NESTED", inQuotes(word));
        } else if (key == "NEST" || key == "NESTED") {
            if (!map.ordering)
                map.ordering = word == "TRUE" || word == "1" ? Ordering::Nested : Ordering::Ring;
        } else if (key == "COORDSYS" || key == "FRAME") {
            if (map.frame == Frame::Unknown) map.frame = frameFromText(word);
        } else if ((key == "UNIT" || key == "UNITS") && unit != nullptr && unit->empty()) {
            *unit = trimmed(attributes->items[i].scalar);
        }
    }
}

// Adds an array of the map's pixels; false for another array.
bool takeArray(const std::string& folder, const std::string& name, ZarrMap& map) {
    ZarrArray array;
    array.folder = folder;
    array.name = name;
    std::optional<YamlNode> attributes;
    if (const auto data = metadataIn(folder, "zarr.json")) {
        if (data->text("node_type") != "array") return false;
        takeVersion3(*data, array);
        if (const YamlNode* own = data->find("attributes")) attributes = *own;
    } else if (const auto old = metadataIn(folder, ".zarray")) {
        takeVersion2(*old, array);
        attributes = metadataIn(folder, ".zattrs");
    } else {
        return false;
    }
    if (array.sizes.size() != array.chunk.size())
        refuse(folder, "chunks of as many axes as the array", std::to_string(array.chunk.size()));
    if (!array.shard.empty())
        for (size_t axis = 0; axis < array.chunk.size(); ++axis)
            if (array.shard.size() != array.chunk.size() ||
                array.shard[axis] % array.chunk[axis] != 0)
                refuse(folder, "shards of whole chunks", "shards of other sides");
    const bool isFirst = array.sizes.size() == 2 && !nsideOfCount(array.sizes[1]) &&
                         nsideOfCount(array.sizes[0]).has_value();
    array.arePixelsFirst = isFirst;
    array.pixels = isFirst ? array.sizes[0] : array.sizes.back();
    array.fields = array.sizes.size() == 1 ? 1 : isFirst ? array.sizes[1] : array.sizes[0];
    const auto nside = nsideOfCount(array.pixels);
    if (!nside || (map.nside != 0 && *nside != map.nside)) return false;
    constexpr int64_t kMostFields = 1 << 16;
    if (array.fields > kMostFields)
        refuse(folder, "at most 65536 fields", std::to_string(array.fields));
    int64_t stated = 0;
    takeFacts(attributes ? &*attributes : nullptr, map, stated, &array.unit, folder);
    if (stated != 0 && stated != *nside)
        refuse(folder,
               std::to_string(pixelCount(std::clamp<int64_t>(stated, 1, kMaxNside))) +
                   " pixels for NSIDE = " + std::to_string(stated),
               std::to_string(array.pixels));
    map.nside = *nside;
    map.arrays.push_back(std::move(array));
    return true;
}

// The array in the folder, or the arrays in a group.
ZarrMap zarrMap(const std::string& path, const StatedPixels& stated) {
    ZarrMap map;
    const auto group = metadataIn(path, "zarr.json");
    const bool isArray =
        group ? group->text("node_type") == "array" : metadataIn(path, ".zarray").has_value();
    if (isArray) {
        takeArray(path, "VALUE", map);
    } else {
        std::vector<std::string> names;
        std::error_code failure;
        for (const auto& entry : std::filesystem::directory_iterator(path, failure))
            if (std::error_code ignored; entry.is_directory(ignored))
                names.push_back(entry.path().filename().string());
        if (failure || names.size() > kMostArrays)
            refuse(path, "a group of at most 4096 arrays",
                   failure ? failure.message() : std::to_string(names.size()));
        std::sort(names.begin(), names.end());
        for (const std::string& each : names) {
            ZarrMap before = map;
            try {
                if (!takeArray((std::filesystem::path(path) / each).string(), each, map))
                    map.omitted += (map.omitted.empty() ? "" : ", ") + each;
            } catch (const IoError& error) {
                map = std::move(before);
                map.refused.emplace(each, error.message());
            }
        }
        int64_t nside = 0;
        const YamlNode* attributes = group ? group->find("attributes") : nullptr;
        const auto old = group ? std::nullopt : metadataIn(path, ".zattrs");
        takeFacts(old ? &*old : attributes, map, nside, nullptr, path);
    }
    if (map.arrays.empty() && !map.refused.empty()) throw IoError(map.refused.begin()->second);
    if (map.arrays.empty())
        refuse(path, "a Zarr array with 12 NSIDE^2 values along one axis", "other arrays, or none");
    map.nside = agreedNside(map.nside, stated);
    if (map.ordering) map.ordering = agreedOrdering(*map.ordering, stated);
    if (map.ordering.value_or(stated.ordering.value_or(Ordering::Ring)) == Ordering::Nested &&
        !isPowerOfTwoNside(map.nside))
        refuse(path, "a power of two as NSIDE of a NESTED map", std::to_string(map.nside));
    return map;
}

std::vector<ZarrField> fieldsOf(const ZarrMap& map) {
    std::vector<ZarrField> fields;
    for (const ZarrArray& array : map.arrays)
        for (int64_t i = 0; i < array.fields; ++i)
            fields.push_back(
                {&array, i,
                 array.fields == 1 ? array.name : array.name + "[" + std::to_string(i + 1) + "]"});
    return fields;
}

std::vector<ZarrField> chosenFields(const std::string& path, const ZarrMap& map,
                                    const std::vector<std::string>& names) {
    const std::vector<ZarrField> all = fieldsOf(map);
    if (names.empty()) {
        requireFewFields(path, all.size());
        return all;
    }
    std::vector<ZarrField> chosen;
    for (const std::string& text : names) {
        auto found = std::find_if(all.begin(), all.end(), [&](const ZarrField& field) {
            return upperTrimmed(field.name) == upperTrimmed(text);
        });
        const auto number = parseInteger(text);
        if (found == all.end() && number && *number >= 1 && *number <= std::ssize(all))
            found = all.begin() + (*number - 1);
        if (const auto refused = map.refused.find(text);
            found == all.end() && refused != map.refused.end())
            throw IoError(refused->second);
        if (found == all.end())
            refuse(path,
                   "a field from " + all.front().name + " to " + all.back().name +
                       ", or a number from 1 to " + std::to_string(all.size()),
                   inQuotes(text));
        chosen.push_back(*found);
    }
    return chosen;
}

// Fields of one array, chunk by chunk. `out[i]` receives position `at[i]` of the other axis.
void readFields(const ZarrArray& array, const std::vector<int64_t>& at,
                const std::vector<Field*>& out, JobContext& job) {
    const size_t pixelAxis = array.arePixelsFirst ? 0 : array.sizes.size() - 1;
    const int64_t chunkPixels = array.chunk[pixelAxis];
    const int64_t chunkFields = array.sizes.size() == 1 ? 1 : array.chunk[1 - pixelAxis];
    int64_t values = 0, size = 0;
    if (__builtin_mul_overflow(chunkPixels, chunkFields, &values) ||
        __builtin_mul_overflow(values, array.type.width, &size))
        size = INT64_MAX / 2;
    requireMemory(array.folder, size + size / 8);
    std::vector<std::byte> bytes(static_cast<size_t>(size)), packed;
    ZarrChunks chunks(array);
    std::vector<int64_t> groups;  // Chunks along the other axis.
    for (const int64_t field : at) groups.push_back(field / chunkFields);
    std::sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    for (int64_t first = 0; first < array.pixels; first += chunkPixels) {
        job.report(static_cast<double>(first) / static_cast<double>(array.pixels), "reading");
        job.poll();
        const int64_t count = std::min(chunkPixels, array.pixels - first);
        for (const int64_t group : groups) {
            std::vector<int64_t> places(array.sizes.size(), group);
            places[pixelAxis] = first / chunkPixels;
            const bool isThere = chunks.read(places, bytes);
            for (size_t i = 0; i < at.size(); ++i) {
                if (at[i] / chunkFields != group) continue;
                const int64_t within = at[i] % chunkFields;
                const std::byte* from = bytes.data() + within * chunkPixels * array.type.width;
                if (isThere && array.arePixelsFirst && chunkFields > 1) {
                    packed.resize(static_cast<size_t>(count * array.type.width));
                    for (int64_t p = 0; p < count; ++p)
                        std::memcpy(packed.data() + p * array.type.width,
                                    bytes.data() + (p * chunkFields + within) * array.type.width,
                                    static_cast<size_t>(array.type.width));
                    from = packed.data();
                }
                std::visit(
                    [&](auto& field) {
                        auto* const to = field.data() + first;
                        using Value = std::remove_reference_t<decltype(*to)>;
                        if (isThere)
                            decodeNumbers(array.type, from, count, to);
                        else
                            std::fill_n(to, count,
                                        healpixBadValues(std::nullopt).isBad(array.fill)
                                            ? std::numeric_limits<Value>::quiet_NaN()
                                            : static_cast<Value>(array.fill));
                        if constexpr (std::is_same_v<Value, double>)
                            if (array.type.width == 8 && array.type.kind != 'f' &&
                                !isExact(to, count))
                                refuseInexact(array.folder, out[i]->name);
                    },
                    out[i]->values);
            }
        }
    }
}

}  // namespace

bool isZarrFolder(const std::string& path) {
    const std::filesystem::path folder(path);
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored)) return false;
    for (const char* name : {"zarr.json", ".zarray", ".zgroup"})
        if (std::filesystem::exists(folder / name, ignored)) return true;
    return false;
}

FileSummary inspectZarr(const std::string& path, const StatedPixels& stated) {
    const ZarrMap map = zarrMap(path, stated);
    FileSummary summary;
    summary.kind = FileKind::Map;
    summary.hdu = 0;
    summary.nside = map.nside;
    summary.ordering = map.ordering.value_or(stated.ordering.value_or(Ordering::Ring));
    summary.frame = map.frame;
    summary.rows = pixelCount(map.nside);
    for (const ZarrField& field : fieldsOf(map))
        summary.columns.push_back({field.name, field.array->unit, typeOf(field.array->type), 1});
    if (!map.ordering && !stated.ordering)
        summary.assumed = "RING ordering is assumed (--input-ordering nested states the other)";
    return summary;
}

HealpixMap readZarr(const std::string& path, const MapReadOptions& options, JobContext& job) {
    const ZarrMap map = zarrMap(path, options.stated);
    const std::vector<ZarrField> chosen = chosenFields(path, map, options.fields);
    double bytes = 0.0;
    for (const ZarrField& field : chosen)
        bytes += (isHeldAsFloat(typeOf(field.array->type)) ? 4.0 : 8.0) *
                 static_cast<double>(field.array->pixels);
    requireMemory(path, static_cast<int64_t>(std::min(bytes, 4e18)));
    std::vector<Field> fields;
    for (const ZarrField& field : chosen) {
        const DiskType type = typeOf(field.array->type);
        fields.push_back({field.name, field.array->unit, type, {}});
        if (isHeldAsFloat(type))
            fields.back().values = newVector<float>(field.array->pixels, job);
        else
            fields.back().values = newVector<double>(field.array->pixels, job);
    }
    for (const ZarrArray& array : map.arrays) {
        std::vector<int64_t> at;
        std::vector<Field*> out;
        for (size_t i = 0; i < chosen.size(); ++i) {
            if (chosen[i].array != &array) continue;
            at.push_back(chosen[i].at);
            out.push_back(&fields[i]);
        }
        if (!at.empty()) readFields(array, at, out, job);
    }
    if (!map.omitted.empty() && options.fields.empty())
        addNote(options, "omitted, because these hold no pixels of NSIDE " +
                             std::to_string(map.nside) + ": " + map.omitted);
    for (const auto& [name, reason] : map.refused)
        if (options.fields.empty()) addNote(options, "omitted: " + reason);
    return {map.nside, map.ordering.value_or(options.stated.ordering.value_or(Ordering::Ring)),
            map.frame, std::move(fields)};
}

}  // namespace armilla
