// SPDX-License-Identifier: GPL-3.0-or-later
// HealSparse maps in Parquet folders, as healsparse writes them, whole and damaged.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QtEndian>
#include <cmath>
#include <random>

#include "armilla/core/error.h"
#include "armilla/io/map_io.h"
#include "healsparse_samples.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// Names and contents of the files of a sample.
std::vector<std::pair<QString, QByteArray>> filesOf(const char* sample) {
    const QByteArray all = qUncompress(QByteArray::fromBase64(sample));
    std::vector<std::pair<QString, QByteArray>> files;
    qsizetype at = 0;
    const auto take = [&] {
        const auto size = static_cast<qsizetype>(qFromBigEndian<quint32>(all.constData() + at));
        const QByteArray bytes = all.mid(at + 4, size);
        at += 4 + size;
        return bytes;
    };
    while (at < all.size()) {
        const QString name = QString::fromUtf8(take());
        files.emplace_back(name, take());
    }
    return files;
}

MapReadOptions fieldsNamed(const char* name) {
    MapReadOptions options;
    options.fields = {name};
    return options;
}

constexpr int64_t kTile = 64;
bool hasData(int64_t pixel) {
    return (pixel / kTile == 3 || pixel / kTile == 10) && pixel % 3 == 0;
}

struct Sample {
    const char* name;
    const char* parquet;
};
constexpr Sample kSamples[] = {{"f4", kF4Parquet},     {"i4", kI4Parquet},
                               {"flag", kFlagParquet}, {"packed", kPackedParquet},
                               {"wide", kWideParquet}, {"rec", kRecParquet}};

}  // namespace

class tst_healsparse_tiles : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    JobContext job_;

    // Writes the files of a sample; returns the path of the map.
    std::string write(const std::vector<std::pair<QString, QByteArray>>& files) {
        const QString path = folder_.filePath("map.pq");
        QDir(path).removeRecursively();
        QDir().mkpath(path);
        for (const auto& [name, bytes] : files) {
            QDir(path).mkpath(QFileInfo(path + '/' + name).path());
            QFile file(path + '/' + name);
            if (!file.open(QIODevice::WriteOnly)) qFatal("no file");
            file.write(bytes);
        }
        return (files.size() == 1 ? path + '/' + files.front().first : path).toStdString();
    }
    static void addSamples() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("sample");
        for (const Sample& sample : kSamples) {
            QTest::addRow("%s parquet", sample.name) << sample.name << QByteArray(sample.parquet);
        }
    }
    static void compare(const HealpixMap& map, const QString& name) {
        QCOMPARE(map.nside(), 8);
        QCOMPARE(map.ordering(), Ordering::Nested);
        std::vector<int64_t> expected;
        for (int64_t p = 0; p < map.pixelCount(); ++p)
            if (hasData(p)) expected.push_back(p);
        QVERIFY(std::ranges::equal(map.pixels(), expected));
        for (size_t i = 0; i < expected.size(); ++i) {
            const auto element = static_cast<int64_t>(i);
            const int64_t p = expected[i];
            const auto number = static_cast<double>(p);
            const auto value = [&](int field) { return map.field(field).at(element); };
            if (name == "f4") QCOMPARE(value(0), number * 0.5 - 3.0);
            if (name == "i4") QCOMPARE(value(0), number - 250.0);
            if (name == "flag" || name == "packed") QCOMPARE(value(0), 1.0);
            if (name == "wide")
                for (int bit = 0; bit < map.fieldCount(); ++bit)
                    QCOMPARE(value(bit), bit == 1 || (bit == 9 && p % 2 == 0) ? 1.0 : 0.0);
            if (name == "rec") {
                QCOMPARE(value(0), number / 7.0);
                QCOMPARE(value(1), -number);
            }
        }
    }

private slots:
    void readsWhatHealsparseWrites_data() { addSamples(); }
    void readsWhatHealsparseWrites() {
        QFETCH(QString, name);
        QFETCH(QByteArray, sample);
        const std::string path = write(filesOf(sample.constData()));
        const FileSummary summary = inspectFile(path);
        QCOMPARE(summary.kind, FileKind::PartialMap);
        QCOMPARE(summary.nside, 8);
        QVERIFY(claimsPixels(path));
        const HealpixMap map = readMap(path, {}, job_);
        QCOMPARE(std::ssize(summary.columns), map.fieldCount());
        for (int i = 0; i < map.fieldCount(); ++i) {
            QCOMPARE(summary.columns[static_cast<size_t>(i)].name, map.field(i).name);
            QCOMPARE(summary.columns[static_cast<size_t>(i)].type, map.field(i).diskType);
        }
        compare(map, name);
    }

    void readsNamedFields() {
        for (const char* sample : {kRecParquet}) {
            const std::string path = write(filesOf(sample));
            const HealpixMap map = readMap(path, fieldsNamed("B"), job_);
            QCOMPARE(map.fieldCount(), 1);
            QCOMPARE(map.field(0).name, std::string("b"));
            QCOMPARE(map.field(0).at(0), -static_cast<double>(map.pixels()[0]));
            QVERIFY_EXCEPTION_THROWN(readMap(path, fieldsNamed("absent"), job_), IoError);
        }
        const HealpixMap bit = readMap(write(filesOf(kWideParquet)), fieldsNamed("BIT9"), job_);
        QCOMPARE(bit.fieldCount(), 1);
        QCOMPARE(bit.field(0).at(0), 1.0);  // pixel 192
    }

    // Files that are missing, or come from another map.
    void refusesOtherFiles() {
        const auto whole = filesOf(kF4Parquet);
        QVERIFY(whole.size() >= 4);
        for (size_t left = 0; left < whole.size(); ++left) {
            auto files = whole;
            if (files[left].first == "_coverage.parquet") continue;  // the tiles name their places
            files.erase(files.begin() + static_cast<long>(left));
            QVERIFY_EXCEPTION_THROWN(readMap(write(files), {}, job_), IoError);
        }
        auto swapped = whole;
        for (auto& [name, bytes] : swapped)
            for (const auto& [other, content] : filesOf(kRecParquet))
                if (name.startsWith("iopix") && other == name) bytes = content;
        QVERIFY_EXCEPTION_THROWN(readMap(write(swapped), {}, job_), IoError);
    }

    // Each damaged file is read, with some values, or refused in one line.
    void endsAtDamage_data() { addSamples(); }
    void endsAtDamage() {
        QFETCH(QByteArray, sample);
        const auto whole = filesOf(sample.constData());
        std::mt19937 random(20261128);
        int refused = 0;
        int trials = qEnvironmentVariableIntValue("ARMILLA_MUTATIONS");
        if (trials <= 0) trials = 60;
        for (int trial = 0; trial < trials; ++trial) {
            auto files = whole;
            QByteArray& bytes = files[random() % files.size()].second;
            const auto size = static_cast<uint32_t>(bytes.size());
            if (trial % 4 == 0)
                bytes.truncate(static_cast<qsizetype>(random() % size));
            else
                for (uint32_t k = 0; k <= random() % 8; ++k)
                    bytes[static_cast<qsizetype>(random() % size)] =
                        static_cast<char>(random() & 0xff);
            try {
                const HealpixMap map = readMap(write(files), {}, job_);
                QVERIFY(map.elementCount() > 0);
            } catch (const Error& error) {
                ++refused;
                QVERIFY(QByteArray(error.what()).count('\n') == 0);
                QVERIFY2(QByteArray(error.what()).contains("expected"), error.what());
            }
        }
        QVERIFY2(refused > trials / 4, qPrintable(QString::number(refused)));
    }
};

QTEST_APPLESS_MAIN(tst_healsparse_tiles)
#include "tst_healsparse_tiles.moc"
