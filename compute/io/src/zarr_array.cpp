// SPDX-License-Identifier: GPL-3.0-or-later
#include "zarr_array.h"

#include <array>
#include <limits>
#include <string_view>

#include "armilla/core/ascii_text.h"
#include "armilla/core/error.h"
#include "fits_file.h"

namespace armilla {

namespace {

using parquet::Codec;

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

}  // namespace

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

namespace {

const YamlNode* configurationOf(const YamlNode* node) {
    return node != nullptr ? node->find("configuration") : nullptr;
}

// Codecs of the index of a shard: bytes with the lowest one first, and a checksum.
void takeIndexCodecs(const YamlNode* codecs, ZarrArray& array) {
    for (const YamlNode& codec : codecs != nullptr ? codecs->items : std::vector<YamlNode>()) {
        const std::string name = codec.text("name");
        const YamlNode* configuration = configurationOf(&codec);
        if (name == "crc32c")
            array.isShardIndexSummed = true;
        else if (name != "bytes" ||
                 (configuration != nullptr && configuration->text("endian") == "big"))
            refuse(array.folder, "a shard's index in plain numbers, the lowest byte first",
                   "the codec " + inQuotes(name));
    }
}

// Codecs of version 3: how each chunk is made from its values. `sharding_indexed` stands alone and
// has codecs of its own.
void takeCodecs(const YamlNode* codecs, ZarrArray& array) {
    const auto& all = codecs != nullptr ? codecs->items : std::vector<YamlNode>();
    for (const YamlNode& codec : all) {
        const std::string name = codec.text("name");
        const YamlNode* configuration = configurationOf(&codec);
        const bool isPacked = array.codec != Codec::Uncompressed || array.isBlosc;
        if (name == "bytes") {
            array.type.bigEndian =
                configuration != nullptr && configuration->text("endian") == "big";
        } else if (name == "crc32c" && &codec == &all.back()) {
            array.hasChecksum = true;
        } else if (name == "sharding_indexed" && all.size() == 1 && array.shard.empty() &&
                   configuration != nullptr) {
            array.shard = std::exchange(
                array.chunk,
                numbersOf(array.folder, configuration->find("chunk_shape"), "chunk_shape"));
            array.isShardIndexFirst = configuration->text("index_location") == "start";
            takeIndexCodecs(configuration->find("index_codecs"), array);
            takeCodecs(configuration->find("codecs"), array);
        } else if (!isPacked) {
            takeCodec(name, array);
        } else {
            refuseCodec(array.folder, name);
        }
    }
}

}  // namespace

void takeVersion3(const YamlNode& data, ZarrArray& array) {
    array.sizes = numbersOf(array.folder, data.find("shape"), "shape");
    const YamlNode* grid = configurationOf(data.find("chunk_grid"));
    array.chunk = numbersOf(array.folder, grid != nullptr ? grid->find("chunk_shape") : nullptr,
                            "chunk_shape");
    takeType(shortType(data.text("data_type")), array);
    array.fill = fillOf(data.text("fill_value"));
    takeCodecs(data.find("codecs"), array);
    const YamlNode* keys = data.find("chunk_key_encoding");
    array.hasPrefix = keys == nullptr || keys->text("name") != "v2";
    const YamlNode* configuration = configurationOf(keys);
    const std::string separator = configuration != nullptr ? configuration->text("separator") : "";
    array.separator = separator.empty() ? (array.hasPrefix ? '/' : '.') : separator.front();
}

}  // namespace armilla
