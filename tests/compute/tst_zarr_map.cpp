// SPDX-License-Identifier: GPL-3.0-or-later
// Maps in folders of Zarr. Chunks in zstd and LZ4 are those that zarr 3.1.6 and numcodecs 0.16.6
// wrote for (np.arange(48) // 7).astype('<f4') + 0.5; the others are made here.
#include <QtTest>
#include <filesystem>

#include "compute/map_files.h"
#include "compute/mutations.h"

using namespace armilla;
using namespace armilla::testing;

namespace {

const char* const kZstd =
    "28b52ffd20c0ed0000580000003fc020406090b0d00700e013101e08190805b011846cdb6501";
const char* const kLz4 =
    "c00000004f0000003f0400071fc00400082f20400400071f600400081f900400081fb00400081cd0040050400000"
    "d040";

// numcodecs.Blosc: the default (LZ4, shuffled bytes), zstd, shuffled bits and BloscLZ.
const char* const kShuffled =
    "02013104c0000000c000000044000000140000002c0000001f0001005312c0010012200100126001001290010012b0"
    "010011d00100193f01001f40010009504040404040";
const char* const kZstdBlosc =
    "02019004c0000000c00000003d000000140000002500000028b52ffd20c0e50000580000003fc020406090b0d00720"
    "c0c3019f8417b2a1b0d1906def2c";
const char* const kBits =
    "02013404c0000000c00000006000000014000000480000001f00010067f020f0ffff00c0ff0ff803803fe00f00fc80"
    "3f00f0ffffff3f00000000ff3f00000000ff3f00000000ff3f00000000ff3fa900021800c000c0ffffffff00000000"
    "0000";
const char* const kBloscLz =
    "02011104c0000000c000000045000000140000002d0000002300000000e05a0300c080000020800000608000009080"
    "0000b0800000d06000003fe004000040e01600014040";
// (np.arange(3072) % 97).astype('<f4') in blocks of 4096 bytes, each in four parts.
const char* const kParts =
    "020121040030000000300000f200000014000000160000001f000100fffffffffffffffffffffff250000000000016"
    "0000001f000100fffffffffffffffffffffff250000000000077000000ff520080004080a0c0e00010203040506070"
    "80889098a0a8b0b8c0c8d0d8e0e8f0f80004080c1014181c2024282c3034383c4044484c5054585c6064686c707478"
    "7c80828486888a8c8e90929496989a9c9ea0a2a4a6a8aaacaeb0b2b4b6b8babcbec06100ffffffffffffffffffffff"
    "92507074787c802b000000df003f40404040404041414141410500001f4201002d0f6100ffffffffffffffffffffff"
    "92504242424242";

// zarr.create_array(FILE, shape=(48,), chunks=(12,), shards=(24,), compressors=[ZstdCodec()]) with
// the same values: the files c/0 and c/1.
const char* const kShard0 =
    "28b52ffd20306d0000280000003fc002006016db8e0828b52ffd20308d0000380000c03f2040600300a010c0e23147"
    "040000000000000000160000000000000016000000000000001a000000000000009f384df9";
const char* const kShard1 =
    "28b52ffd20307d0000380000604090b04002002014cb8e0828b52ffd20306d0000280000b040d00200e0132b8e0800"
    "000000000000001800000000000000180000000000000016000000000000009bfdc967";
const char* const kShardCodec =
    R"({"name": "sharding_indexed", "configuration": {"chunk_shape": [12], "codecs": [{"name": "bytes",
        "configuration": {"endian": "little"}}, {"name": "zstd"}], "index_codecs": [{"name": "bytes",
        "configuration": {"endian": "little"}}, {"name": "crc32c"}], "index_location": "end"}})";
// Chunks of compressors=[ZstdCodec(), Crc32cCodec()].
const char* const kSummed =
    "28b52ffd20c0ed0000580000003fc020406090b0d00700e013101e08190805b011846cdb6501193507c3";

std::string fromHex(const char* text) {
    const QByteArray bytes = QByteArray::fromHex(text);
    return {bytes.data(), static_cast<size_t>(bytes.size())};
}

std::string version2(const std::string& shape, const std::string& chunks, const std::string& type,
                     const std::string& compressor, const std::string& fill = "0.0") {
    return "{\"shape\": [" + shape + "], \"chunks\": [" + chunks + "],\n \"dtype\": \"" + type +
           "\", \"fill_value\": " + fill +
           ", \"order\": \"C\", \"filters\": null, \"dimension_separator\": \".\", "
           "\"compressor\": " +
           compressor + ", \"zarr_format\": 2}";
}

std::string version3(const std::string& codecs, const std::string& attributes = "{}") {
    return "{\"shape\": [48], \"data_type\": \"float32\", \"chunk_grid\": {\"name\": \"regular\", "
           "\"configuration\": {\"chunk_shape\": [48]}},\n\"chunk_key_encoding\": {\"name\": "
           "\"default\", \"configuration\": {\"separator\": \"/\"}}, \"fill_value\": 0.0, "
           "\"codecs\": [" +
           codecs + "], \"attributes\": " + attributes +
           ", \"zarr_format\": 3, \"node_type\": \"array\"}";
}

const std::string kBytes = R"({"name": "bytes", "configuration": {"endian": "little"}})";

}  // namespace

class tst_zarr_map : public MapFileTest {
    Q_OBJECT

    // A folder with these files.
    std::string made(const std::string& name,
                     const std::vector<std::pair<std::string, std::string>>& files) const {
        const std::filesystem::path folder = path(name.c_str());
        std::filesystem::remove_all(folder);
        for (const auto& [file, bytes] : files) {
            std::filesystem::create_directories((folder / file).parent_path());
            writeBytes((folder / file).string(), bytes);
        }
        return folder.string();
    }
    static void checkSteps(const HealpixMap& map, int field) {
        QCOMPARE(map.nside(), int64_t{2});
        for (int64_t p = 0; p < 48; ++p)
            QCOMPARE(map.field(field).at(p), static_cast<double>(p / 7) + 0.5);
    }

private slots:
    void codecs() {
        const std::string zstd = made(
            "zstd.zarr",
            {{"zarr.json", version3(kBytes + R"(, {"name": "zstd"})")}, {"c/0", fromHex(kZstd)}});
        QVERIFY(claimsPixels(zstd));
        QVERIFY(listHdus(zstd).empty());
        QCOMPARE(inspectFile(zstd).nside, int64_t{2});
        QVERIFY(!inspectFile(zstd).assumed.empty());
        checkSteps(read(zstd), 0);
        checkSteps(
            read(made("lz4.zarr", {{".zarray", version2("48", "48", "<f4", R"({"id": "lz4"})")},
                                   {"0", fromHex(kLz4)}})),
            0);
    }
    void bloscChunks() {
        const auto packed = [&](const char* shape, const char* hex) {
            return read(made("blosc.zarr",
                             {{".zarray", version2(shape, shape, "<f4", R"({"id": "blosc"})")},
                              {"0", fromHex(hex)}}));
        };
        for (const char* hex : {kShuffled, kZstdBlosc, kBits, kBloscLz})
            checkSteps(packed("48", hex), 0);
        const HealpixMap map = packed("3072", kParts);
        for (int p = 0; p < 3072; ++p) QCOMPARE(map.field(0).at(p), double(p % 97));
        checkSteps(
            read(made("blosc3.zarr", {{"zarr.json", version3(kBytes + R"(, {"name": "blosc"})")},
                                      {"c/0", fromHex(kShuffled)}})),
            0);
    }
    // Several chunks in a file, and checksums.
    void shards() {
        std::string metadata = version3(kShardCodec);
        const std::string whole = "\"chunk_shape\": [48]";
        metadata.replace(metadata.find(whole), whole.size(), "\"chunk_shape\": [24]");
        const auto folder = [&](std::string first, const std::string& second) {
            std::vector<std::pair<std::string, std::string>> files = {{"zarr.json", metadata},
                                                                      {"c/0", std::move(first)}};
            if (!second.empty()) files.emplace_back("c/1", second);
            return made("shards.zarr", files);
        };
        const std::string one = fromHex(kShard0), two = fromHex(kShard1);
        checkSteps(read(folder(one, two)), 0);
        // A shard and a chunk that are not stored hold the fill value.
        QCOMPARE(read(folder(one, {})).field(0).at(47), 0.0);
        const auto refused = [&](std::string shard, const char* says) {
            const std::string why = refusal([&] { read(folder(std::move(shard), two)); });
            QVERIFY2(why.find(says) != std::string::npos, why.c_str());
        };
        std::string damaged = one;
        damaged[damaged.size() - 20] = static_cast<char>(damaged[damaged.size() - 20] ^ 1);
        refused(damaged, "found a damaged one");
        refused(one.substr(0, 30), "an index of 2 chunks");
        metadata.replace(metadata.find("\"end\""), 5, "\"start\"");
        const size_t index = one.size() - 36;
        std::string moved = one.substr(index) + one.substr(0, index);
        refused(moved, "a damaged chunk");  // the offsets count from the start of the file
        const std::string summed = fromHex(kSummed);
        const std::string codecs = kBytes + R"(, {"name": "zstd"}, {"name": "crc32c"})";
        checkSteps(read(made("sums.zarr", {{"zarr.json", version3(codecs)}, {"c/0", summed}})), 0);
        std::string other = summed;
        other[10] = static_cast<char>(other[10] ^ 1);
        const std::string why = refusal([&] {
            read(made("sums.zarr", {{"zarr.json", version3(codecs)}, {"c/0", other}}));
        });
        QVERIFY2(why.find("a chunk with its checksum") != std::string::npos, why.c_str());
    }
    // Arrays of a group that are not read do not hide the others, and each is named with its
    // reason.
    void unsuitableArrays() {
        const std::string packed = version3(kBytes + R"(, {"name": "zstd"})");
        const std::vector<std::pair<std::string, std::string>> files = {
            {".zgroup", R"({"zarr_format": 2})"},
            {"T/zarr.json", packed},
            {"T/c/0", fromHex(kZstd)},
            {"cube/.zarray", version2("2, 2, 48", "2, 2, 48", "<f4", "null")},
            {"names/.zarray", version2("48", "48", "<U5", "null")},
            {"old/.zarray", version2("48", "48", "<f4", R"({"id": "bz2"})")}};
        std::vector<std::string> notes;
        JobContext job;
        const std::string folder = made("mixed.zarr", files);
        checkSteps(readMap(folder, {{}, {}, &notes}, job), 0);
        QCOMPARE(notes.size(), size_t{3});
        const char* const says[] = {"cube: expected shape of one or two axes", "the type '<U5'",
                                    "'bz2'"};
        for (size_t i = 0; i < notes.size(); ++i)
            QVERIFY2(notes[i].find(says[i]) != std::string::npos, notes[i].c_str());
        QCOMPARE(inspectFile(folder).columns.size(), size_t{1});
        const std::string why = refusal([&] { read(folder, {"old"}); });
        QVERIFY2(why.find("'bz2'") != std::string::npos, why.c_str());
        std::filesystem::remove_all(std::filesystem::path(folder) / "T");
        QVERIFY(refusal([&] { read(folder); }).find("one or two axes") != std::string::npos);
    }
    // Chunks beyond the ends of both axes, and a chunk of the fill value that is not stored.
    void chunksOfFields() {
        std::vector<std::pair<std::string, std::string>> files = {
            {".zarray", version2("3, 48", "2, 20", ">i4", "null", "-7")},
            {".zattrs", R"({"nside": 2, "ORDERING": "NESTED", "COORDSYS": "G", "units": "K"})"}};
        for (int row = 0; row < 2; ++row)
            for (int column = 0; column < 3; ++column) {
                if (row == 1 && column == 1) continue;
                std::string chunk;
                for (int y = 0; y < 2; ++y)
                    for (int x = 0; x < 20; ++x)
                        append(chunk, int32_t{1000 * (2 * row + y) + 20 * column + x});
                files.emplace_back(std::to_string(row) + "." + std::to_string(column), chunk);
            }
        const std::string folder = made("fields.zarr", files);
        const HealpixMap map = read(folder);
        QCOMPARE(map.fieldCount(), 3);
        QCOMPARE(map.ordering(), Ordering::Nested);
        QCOMPARE(map.frame(), Frame::Galactic);
        QCOMPARE(map.field(0).unit, std::string("K"));
        QCOMPARE(map.field(0).diskType, DiskType::Int32);
        for (int f = 0; f < 3; ++f)
            for (int p = 0; p < 48; ++p)
                QCOMPARE(map.field(f).at(p), f == 2 && p >= 20 && p < 40 ? -7.0 : 1000.0 * f + p);
        const HealpixMap one = read(folder, {"VALUE[2]"});
        QCOMPARE(one.fieldCount(), 1);
        QCOMPARE(one.field(0).at(47), 1047.0);
    }
    // Pixels along the first axis: the fields of a pixel lie side by side.
    void pixelsFirst() {
        std::string chunk;
        for (int p = 0; p < 48; ++p)
            for (int f = 0; f < 2; ++f) append(chunk, double{10.0 * p + f});
        const HealpixMap map =
            read(made("pixels.zarr",
                      {{".zarray", version2("48, 2", "48, 2", ">f8", "null")}, {"0.0", chunk}}));
        QCOMPARE(map.fieldCount(), 2);
        for (int p = 0; p < 48; ++p) QCOMPARE(map.field(1).at(p), 10.0 * p + 1.0);
    }
    // Arrays of one group. Another array is named.
    void groups() {
        const std::string packed = version3(kBytes + R"(, {"name": "zstd"})", R"({"units": "mK"})");
        const std::string folder = made(
            "group.zarr",
            {{"zarr.json",
              R"({"attributes": {"indexing_scheme": "nested"}, "zarr_format": 3, "node_type": "group"})"},
             {"T/zarr.json", packed},
             {"T/c/0", fromHex(kZstd)},
             {"U/zarr.json", packed},
             {"U/c/0", fromHex(kZstd)},
             {"axis/.zarray", version2("5", "5", "<f4", "null")}});
        std::vector<std::string> notes;
        JobContext job;
        const HealpixMap map = readMap(folder, {{}, {}, &notes}, job);
        QCOMPARE(map.fieldCount(), 2);
        QCOMPARE(map.field(1).name, std::string("U"));
        QCOMPARE(map.field(1).unit, std::string("mK"));
        QCOMPARE(map.ordering(), Ordering::Nested);
        checkSteps(map, 1);
        QCOMPARE(notes.size(), size_t{1});
        QVERIFY2(notes[0].find("axis") != std::string::npos, notes[0].c_str());
    }
    void damagedChunks() {
        Random random(20261130);
        int refused = 0;
        for (int round = 0; round < 1000; ++round) {
            const bool isLarge = round % 2 == 0;
            std::string chunk = fromHex(isLarge ? kParts : kShuffled);
            for (int i = 0; i < 3; ++i) {
                // Half of the damage lies in the header and the offsets.
                const size_t end = below(random, 2) == 0 ? 32 : chunk.size();
                chunk[below(random, end)] = static_cast<char>(below(random, 256));
            }
            if (round % 5 == 0) chunk.resize(below(random, chunk.size()));
            const char* const shape = isLarge ? "3072" : "48";
            const std::string folder = made(
                "damaged.zarr",
                {{".zarray", version2(shape, shape, "<f4", R"({"id": "blosc"})")}, {"0", chunk}});
            const std::string line = refusal([&] { read(folder); });
            refused += line.empty() ? 0 : 1;
            QVERIFY2(line.find('\n') == std::string::npos, line.c_str());
        }
        QVERIFY(refused > 500);
    }
    void refuses_data() {
        QTest::addColumn<QByteArray>("metadata");
        QTest::addColumn<QByteArray>("chunk");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const std::string& metadata, const char* says,
                            const std::string& chunk = std::string(192, '?')) {
            QTest::newRow(name) << QByteArray::fromStdString(metadata)
                                << QByteArray::fromStdString(chunk) << QString::fromLatin1(says);
        };
        const std::string blosc = version2("48", "48", "<f4", R"({"id": "blosc"})");
        row("damaged Blosc", blosc, "Blosc");
        row("truncated Blosc", blosc, "Blosc", fromHex(kShuffled).substr(0, 30));
        row("other codec", version2("48", "48", "<f4", R"({"id": "bz2"})"), "'bz2'");
        row("no pixels", version2("47", "47", "<f4", "null"), "12 NSIDE^2");
        row("three axes", version2("2, 2, 48", "2, 2, 48", "<f4", "null"), "one or two axes");
        row("complex", version2("48", "48", "<c8", "null"), "the type");
        row("no chunks", version2("48", "0", "<f4", "null"), "of 1 or more");
        row("huge chunks", version2("48", "9000000000000000000", "<f4", "null"), "memory");
        row("no JSON", "{\"shape\": [48", "JSON");
        // yaml-cpp finds an empty document before the second brace, without end.
        row("two braces", version2("48", "48", "<f4", "null") + "}", "JSON");
        row("short chunk", version2("48", "48", "<f4", "null"), "a damaged chunk", "????");
        row("damaged chunk", version2("48", "48", "<f4", R"({"id": "zstd"})"), "a damaged chunk");
        row("long chunk", version2("48", "48", "<f4", "null"), "a chunk of at most",
            std::string(2000000, '?'));
    }
    void refuses() {
        QFETCH(QByteArray, metadata);
        QFETCH(QByteArray, chunk);
        QFETCH(QString, says);
        const std::string folder =
            made("refused.zarr", {{".zarray", metadata.toStdString()}, {"0", chunk.toStdString()}});
        const std::string why = refusal([&] { read(folder); });
        QVERIFY2(QString::fromStdString(why).contains(says), why.c_str());
        QVERIFY(why.find('\n') == std::string::npos);
    }
};

QTEST_GUILESS_MAIN(tst_zarr_map)
#include "tst_zarr_map.moc"
