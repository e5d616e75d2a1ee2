// SPDX-License-Identifier: GPL-3.0-or-later
#include "zarr_map.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/frames.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/new_vector.h"
#include "blosc_chunk.h"
#include "fits_file.h"
#include "map_facts.h"
#include "map_planes.h"
#include "npy_map.h"
#include "parquet/codecs.h"
#include "yaml_header.h"

namespace armilla {

namespace {

using parquet::Codec;

// Far above the metadata of any array of pixels.
constexpr uintmax_t kMostMetadata = 1 << 22;
constexpr size_t kMostArrays = 4096;

struct ZarrArray {
    std::string folder, name;
    std::vector<int64_t> sizes, chunk;
    NumberType type;
    double fill = 0.0;
    Codec codec = Codec::Uncompressed;
    bool isBlosc = false;         // each chunk names its own codec
    bool beginsWithSize = false;  // LZ4 of numcodecs: the number of bytes before each chunk
    bool hasPrefix = false;       // keys "c/0/1" instead of "0/1"
    char separator = '.';
    bool arePixelsFirst = false;
    int64_t fields = 1, pixels = 0;
    std::string unit;
};

// A map: arrays of the same pixels, and their facts.
struct ZarrMap {
    std::vector<ZarrArray> arrays;
    int64_t nside = 0;
    std::optional<Ordering> ordering;
    Frame frame = Frame::Unknown;
    std::string omitted;
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

std::vector<int64_t> numbersOf(const std::string& folder, const YamlNode* node, const char* key) {
    std::vector<int64_t> numbers;
    for (const YamlNode& item : node != nullptr ? node->items : std::vector<YamlNode>()) {
        const auto number = parseInteger(item.scalar);
        if (!number || *number < 1)
            refuse(folder, std::string(key) + " of 1 or more", inQuotes(item.scalar));
        numbers.push_back(*number);
    }
    if (numbers.empty() || numbers.size() > 2)
        refuse(folder, std::string(key) + " of one or two axes", std::to_string(numbers.size()));
    return numbers;
}

[[noreturn]] void refuseCodec(const std::string& folder, const std::string& name) {
    refuse(
        folder, "chunks without compression, or in Blosc, gzip, zlib, zstd or LZ4",
        inQuotes(name) + " (in Python, numpy.save writes the array to an .npy file, which opens)");
}

void takeCodec(const std::string& name, ZarrArray& array) {
    if (name == "blosc")
        array.isBlosc = true;
    else if (name == "zlib" || name == "gzip")
        array.codec = Codec::Gzip;
    else if (name == "zstd")
        array.codec = Codec::Zstd;
    else if (name == "lz4")
        array.codec = Codec::Lz4Raw;
    else
        refuseCodec(array.folder, name);
    array.beginsWithSize = name == "lz4";
}

// "float32" of version 3 as "<f4" of version 2.
std::string shortType(const std::string& name) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kNames = {
        {{"bool", "|b1"},
         {"int8", "|i1"},
         {"uint8", "|u1"},
         {"int16", "<i2"},
         {"uint16", "<u2"},
         {"int32", "<i4"},
         {"uint32", "<u4"},
         {"int64", "<i8"},
         {"uint64", "<u8"},
         {"float16", "<f2"},
         {"float32", "<f4"},
         {"float64", "<f8"}}};
    for (const auto& [word, code] : kNames)
        if (word == name) return std::string(code);
    return name;
}

void takeType(const std::string& name, ZarrArray& array) {
    const auto type = numberType(name);
    if (!type) refuse(array.folder, "an array of real numbers", "the type " + inQuotes(name));
    array.type = *type;
}

double fillOf(const std::string& text) {
    const std::string word = upperTrimmed(text);
    if (word == "TRUE") return 1.0;
    if (word.empty() || word == "NULL" || word == "~" || word == "FALSE") return 0.0;
    return parseReal(text).value_or(std::numeric_limits<double>::quiet_NaN());
}

// Metadata of version 2.
void takeVersion2(const YamlNode& data, ZarrArray& array) {
    array.sizes = numbersOf(array.folder, data.find("shape"), "shape");
    array.chunk = numbersOf(array.folder, data.find("chunks"), "chunks");
    takeType(data.text("dtype"), array);
    array.fill = fillOf(data.text("fill_value"));
    if (array.sizes.size() > 1 && data.text("order") != "C")
        refuse(array.folder, "values in the order C", inQuotes(data.text("order")));
    if (const YamlNode* filters = data.find("filters");
        filters != nullptr && !filters->items.empty())
        refuseCodec(array.folder, filters->items.front().text("id"));
    if (const YamlNode* packing = data.find("compressor");
        packing != nullptr && packing->kind == YamlNode::Kind::Mapping)
        takeCodec(packing->text("id"), array);
    if (data.text("dimension_separator") == "/") array.separator = '/';
}

const YamlNode* configurationOf(const YamlNode* node) {
    return node != nullptr ? node->find("configuration") : nullptr;
}

// Metadata of version 3.
void takeVersion3(const YamlNode& data, ZarrArray& array) {
    array.sizes = numbersOf(array.folder, data.find("shape"), "shape");
    const YamlNode* grid = configurationOf(data.find("chunk_grid"));
    array.chunk = numbersOf(array.folder, grid != nullptr ? grid->find("chunk_shape") : nullptr,
                            "chunk_shape");
    takeType(shortType(data.text("data_type")), array);
    array.fill = fillOf(data.text("fill_value"));
    const YamlNode* codecs = data.find("codecs");
    for (const YamlNode& codec : codecs != nullptr ? codecs->items : std::vector<YamlNode>()) {
        const std::string name = codec.text("name");
        const YamlNode* configuration = configurationOf(&codec);
        if (name == "bytes")
            array.type.bigEndian =
                configuration != nullptr && configuration->text("endian") == "big";
        else if (array.codec == Codec::Uncompressed && !array.isBlosc)
            takeCodec(name, array);
        else
            refuseCodec(array.folder, name);
    }
    const YamlNode* keys = data.find("chunk_key_encoding");
    array.hasPrefix = keys == nullptr || keys->text("name") != "v2";
    const YamlNode* configuration = configurationOf(keys);
    const std::string separator = configuration != nullptr ? configuration->text("separator") : "";
    array.separator = separator.empty() ? (array.hasPrefix ? '/' : '.') : separator.front();
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
        for (const std::string& each : names)
            if (!takeArray((std::filesystem::path(path) / each).string(), each, map))
                map.omitted += (map.omitted.empty() ? "" : ", ") + each;
        int64_t nside = 0;
        const YamlNode* attributes = group ? group->find("attributes") : nullptr;
        const auto old = group ? std::nullopt : metadataIn(path, ".zattrs");
        takeFacts(old ? &*old : attributes, map, nside, nullptr, path);
    }
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

std::vector<ZarrField> chosenFields(const std::string& path, const std::vector<ZarrField>& all,
                                    const std::vector<std::string>& names) {
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
        if (found == all.end())
            refuse(path,
                   "a field from " + all.front().name + " to " + all.back().name +
                       ", or a number from 1 to " + std::to_string(all.size()),
                   inQuotes(text));
        chosen.push_back(*found);
    }
    return chosen;
}

// Reads the chunk at these places along the axes into `bytes`; false for a chunk of fill values.
bool readChunk(const ZarrArray& array, const std::vector<int64_t>& places,
               std::vector<std::byte>& bytes) {
    std::string key = array.hasPrefix ? "c" : "";
    for (const int64_t place : places) {
        if (!key.empty()) key += array.separator;
        key += std::to_string(place);
    }
    const std::filesystem::path file = std::filesystem::path(array.folder) / key;
    std::error_code failure;
    const uintmax_t size = std::filesystem::file_size(file, failure);
    if (failure == std::errc::no_such_file_or_directory) return false;
    if (failure) refuse(file.string(), "a chunk that can be read", failure.message());
    constexpr uintmax_t kMoreBytes = 1 << 20;  // Headers of codecs.
    if (size > bytes.size() + bytes.size() / 8 + kMoreBytes)
        refuse(file.string(), "a chunk of at most " + std::to_string(bytes.size()) + " bytes",
               std::to_string(size));
    std::ifstream in(file, std::ios::binary);
    std::vector<std::byte> packed(static_cast<size_t>(size));
    in.read(reinterpret_cast<char*>(packed.data()), static_cast<std::streamsize>(size));
    if (!in) refuse(file.string(), std::to_string(size) + " bytes", "the end of the file");
    const size_t before = array.beginsWithSize ? std::min<size_t>(4, packed.size()) : 0;
    try {
        if (array.isBlosc)
            unpackBlosc(packed, bytes);
        else
            parquet::unpackPage(array.codec, std::span(packed).subspan(before), bytes);
    } catch (const IoError& error) {
        if (array.isBlosc) throw IoError(file.string() + ": " + error.message());
        refuse(file.string(), "a chunk of " + std::to_string(bytes.size()) + " bytes",
               "a damaged chunk, or one of another size");
    }
    return true;
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
            const bool isThere = readChunk(array, places, bytes);
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
    const std::vector<ZarrField> chosen = chosenFields(path, fieldsOf(map), options.fields);
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
    return {map.nside, map.ordering.value_or(options.stated.ordering.value_or(Ordering::Ring)),
            map.frame, std::move(fields)};
}

}  // namespace armilla
