// SPDX-License-Identifier: GPL-3.0-or-later
// Operations on maps that exceed the memory give the values and files of the operations in memory.
#include <QTest>
#include <cmath>
#include <limits>

#include "armilla/core/pixel_geometry.h"
#include "armilla/io/map_io.h"
#include "armilla/io/pixel_blocks.h"
#include "armilla/io/table_io.h"
#include "support/block_bench.h"

using namespace armilla;

namespace {

constexpr int64_t kNside = 512,
                  kPixels = int64_t{1} << 20;  // three blocks or more of either ordering

// A value that names its pixel, whatever the ordering of the file; a few are bad.
float valueOf(int64_t nested) {
    if (nested % 1009 == 7) return std::numeric_limits<float>::quiet_NaN();
    return static_cast<float>(nested % 8191) - 4000.5F + static_cast<float>(nested / 1000000);
}

}  // namespace

class tst_by_blocks : public QObject {
    Q_OBJECT

    BlockBench bench_;
    JobContext job_;

    std::string path(const std::string& name) const { return bench_.path(name); }
    QByteArray content(const std::string& name) const { return bench_.content(name); }
    void writeMapOf(const std::string& name, Ordering ordering, double factor) {
        std::vector<float> values(static_cast<size_t>(pixelCount(kNside)));
        for (int64_t p = 0; p < pixelCount(kNside); ++p) {
            const int64_t nested = ordering == Ordering::Ring ? nestedFromRing(kNside, p) : p;
            values[static_cast<size_t>(p)] = static_cast<float>(factor) * valueOf(nested);
        }
        Field field{"T", "K", DiskType::Float32, std::move(values)};
        const HealpixMap map(kNside, ordering, Frame::Galactic, {std::move(field)});
        MapWriteOptions options;
        options.overwrite = true;
        writeMap(map, path(name), options, job_);
    }

    // `memory` 0: by blocks.
    BlockResult call(const char* id, const BlockBench::Pairs& options,
                     const BlockBench::Pairs& files, const std::string& out,
                     std::optional<int64_t> memory, const GivenSlots& wanted = {}) {
        return bench_.run(id, options, files, out,
                          {memory ? BlockBench::Strategy::ByBlocks : BlockBench::Strategy::Declined,
                           [&](BlockCall& blocks) {
                               blocks.memory = memory;
                               blocks.blockPixels = kPixels;
                           },
                           wanted});
    }

private slots:
    void initTestCase() {
        writeMapOf("ring.fits", Ordering::Ring, 1.0);
        writeMapOf("nested.fits", Ordering::Nested, 2.0);
        Catalog catalog;
        catalog.table.frame = Frame::Galactic;
        TableColumn lon, lat;
        lon.name = "GLON";
        lat.name = "GLAT";
        lon.unit = lat.unit = "deg";
        std::vector<double> x, y;
        for (int i = 0; i < 500; ++i) {
            x.push_back(std::fmod(i * 137.508, 360.0));
            y.push_back(std::asin(-1.0 + (i + 0.5) / 250.0) * 180.0 / 3.141592653589793);
        }
        lon.values = x;
        lat.values = y;
        catalog.table.columns = {lon, lat};
        writeTable(catalog.table, path("catalog.fits"), {true, {}}, job_);
    }

    void blocksCoverTheSky() {
        for (const Ordering ordering : {Ordering::Ring, Ordering::Nested}) {
            int64_t next = 0;
            for (const ElementRun& block : pixelBlocks(kNside, ordering, kPixels)) {
                QCOMPARE(block.first, next);
                QVERIFY(block.count <= kPixels);
                next += block.count;
            }
            QCOMPARE(next, pixelCount(kNside));
            QVERIFY(pixelBlocks(kNside, ordering, kPixels).size() >= 3);
        }
        // A ring longer than a block is a block.
        QCOMPARE(pixelBlocks(4, Ordering::Ring, 5).size(), size_t{15});
        QCOMPARE(pixelBlocks(4, Ordering::Nested, 5).size(), size_t{48});
    }

    // The value of each pixel names its nested number.
    void readsBlocksInTheOtherOrdering_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<bool>("toRing");
        QTest::addColumn<double>("factor");
        QTest::newRow("rings to nested") << "ring.fits" << false << 1.0;
        QTest::newRow("rings to rings") << "ring.fits" << true << 1.0;
        QTest::newRow("nested to rings") << "nested.fits" << true << 2.0;
        QTest::newRow("nested to nested") << "nested.fits" << false << 2.0;
    }
    void readsBlocksInTheOtherOrdering() {
        QFETCH(QString, file);
        QFETCH(bool, toRing);
        QFETCH(double, factor);
        MapPartReader reader(path(file.toStdString()), {}, job_);
        const Ordering ordering = toRing ? Ordering::Ring : Ordering::Nested;
        for (const int64_t most : {int64_t{10000}, int64_t{100000}, kPixels})
            for (const ElementRun& block : pixelBlocks(kNside, ordering, most)) {
                // Some of the small blocks, in caps, belt and on the line of longitude 0.
                if (most < kPixels && (block.first / block.count) % 7 != 0) continue;
                const Field field = readPixelBlock(reader, ordering, block, job_).front();
                QCOMPARE(field.size(), block.count);
                for (int64_t i = 0; i < block.count; ++i) {
                    const int64_t p = block.first + i;
                    const float expected = static_cast<float>(factor) *
                                           valueOf(toRing ? nestedFromRing(kNside, p) : p);
                    const double found = field.at(i);
                    if (std::isnan(expected) ? !std::isnan(found)
                                             : found != static_cast<double>(expected))
                        QFAIL(qPrintable(QStringLiteral("pixel %1").arg(p)));
                }
            }
    }

    void readsListedPixels() {
        MapPartReader reader(path("nested.fits"), {}, job_);
        const std::vector<int64_t> pixels{0, 1, 900, 5000, 123456, 3145726, 3145727};
        const Field field = readPixels(reader, pixels, job_).front();
        for (size_t i = 0; i < pixels.size(); ++i)
            QCOMPARE(field.at(static_cast<int64_t>(i)),
                     static_cast<double>(2.0F * valueOf(pixels[i])));
    }

    void writesTheFileOfTheOperationInMemory_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QStringList>("options");
        const auto row = [](const char* name, const char* id, const QStringList& options) {
            QTest::newRow(name) << id << options;
        };
        row("difference of two orderings", "calc", {"expression", "A - 0.25 * B"});
        row("infinite results", "calc", {"expression", "B / (A - A)"});
        row("nested", "convert", {"ordering", "nested"});
        row("ring", "convert", {"ordering", "ring"});
        row("same", "convert", {});
        row("coarser", "convert", {"nside", "128"});
        row("coarser and nested", "convert", {"nside", "256", "ordering", "nested"});
        row("pessimistic", "convert", {"nside", "256", "pessimistic", "true"});
        row("other unit", "convert", {"unit", "mK"});
    }
    void writesTheFileOfTheOperationInMemory() {
        QFETCH(QString, id);
        QFETCH(QStringList, options);
        std::vector<std::pair<std::string, std::string>> words, files;
        for (qsizetype i = 0; i + 1 < options.size(); i += 2)
            words.emplace_back(options[i].toStdString(), options[i + 1].toStdString());
        if (id == QStringLiteral("calc"))
            files = {{"let", "A=" + path("ring.fits")}, {"let", "B=" + path("nested.fits")}};
        else
            files = {{"MAP", path(QByteArray(QTest::currentDataTag()) == "ring" ? "nested.fits"
                                                                                : "ring.fits")}};
        const std::string name = id.toStdString();
        const BlockResult whole = call(name.c_str(), words, files, "whole.fits", {});
        const BlockResult blocks = call(name.c_str(), words, files, "blocks.fits", 0);
        QCOMPARE(QString::fromStdString(blocks.figures.text()),
                 QString::fromStdString(whole.figures.text()));
        QCOMPARE(blocks.notes, whole.notes);
        QCOMPARE(blocks.outputs.front().summary, whole.outputs.front().summary);
        QVERIFY(content("whole.fits").size() > 100000);
        QVERIFY(content("blocks.fits") == content("whole.fits"));
    }

    void looksUpTheSameValues_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("interpolation");
        for (const char* file : {"ring.fits", "nested.fits"})
            for (const char* how : {"nearest", "bilinear"})
                QTest::addRow("%s %s", file, how) << file << how;
    }
    void looksUpTheSameValues() {
        QFETCH(QString, file);
        QFETCH(QString, interpolation);
        const std::vector<std::pair<std::string, std::string>> files{
            {"MAP", path(file.toStdString())}, {"CATALOG", path("catalog.fits")}},
            options{{"interpolation", interpolation.toStdString()}};
        const BlockResult whole = call("lookup", options, files, "whole.fits", {});
        const BlockResult blocks = call("lookup", options, files, "blocks.fits", 0);
        QCOMPARE(blocks.outputs.front().summary, std::string("500 rows; added T"));
        QVERIFY(content("blocks.fits") == content("whole.fits"));
        QCOMPARE(blocks.notes, whole.notes);
    }

    // Sums of float values in double precision, in another order than in memory.
    void measuresTheSameStatistics() {
        const std::vector<std::pair<std::string, std::string>> files{{"MAP", path("ring.fits")}};
        for (const char* region : {"", "circle(10,0,25)", "circle(200,89,0.5)"}) {
            const std::vector<std::pair<std::string, std::string>> options{{"region", region}};
            const BlockResult whole = call("stats", options, files, "whole.csv", {}, {"histogram"});
            const BlockResult blocks =
                call("stats", options, files, "blocks.csv", 0, {"histogram"});
            const Table expected = readTable(path("whole.csv"), {}, job_);
            const Table found = readTable(path("blocks.csv"), {}, job_);
            QCOMPARE(found.columns.size(), expected.columns.size());
            for (size_t i = 0; i < expected.columns.size(); ++i) {
                if (expected.columns[i].name == "REGION") continue;
                const double a = found.columns[i].number(0), b = expected.columns[i].number(0);
                // Rounding of 3e6 additions, pairwise on one side: 22 epsilon of 1e7 / 1e5, the sum
                // of absolute values over the sum, is 5e-13.
                QVERIFY2(std::abs(a - b) <= 1e-12 * std::abs(b) || (std::isnan(a) && std::isnan(b)),
                         expected.columns[i].name.c_str());
            }
            const auto histogram = [](const BlockResult& called) {
                return std::get<std::shared_ptr<const Curve>>(called.outputs.at(1).data)
                    ->series.front()
                    .values;
            };
            QCOMPARE(histogram(blocks), histogram(whole));
        }
    }

    // By blocks only where it is right: rotations need the neighbors of a block, and maps that fit
    // are faster in memory.
    void leavesOtherCallsToWholeMaps() {
        const Operation& convert = *findOperation("convert");
        const Device device = Device::cpu();
        Context context{device, job_, {}, {}, {}};
        ParameterSet turned = convert.defaults();
        turned.set("frame", "C");
        BlockCall call{context, convert, turned, {{&convert.inputs.front(), path("ring.fits")}},
                       {},      0};
        QVERIFY(!runByBlocks(call));
        ParameterSet plain = convert.defaults();
        BlockCall fits{context, convert,
                       plain,   {{&convert.inputs.front(), path("ring.fits")}},
                       {},      int64_t{1} << 40};
        QVERIFY(!runByBlocks(fits));
    }

    void refusesTruncatedFiles() {
        QFile::copy(QString::fromStdString(path("ring.fits")),
                    QString::fromStdString(path("short.fits")));
        QFile file(QString::fromStdString(path("short.fits")));
        QVERIFY(file.resize(file.size() / 2));
        const Operation& stats = *findOperation("stats");
        const Device device = Device::cpu();
        Context context{device, job_, {}, {}, {}};
        ParameterSet parameters = stats.defaults();
        BlockCall call{context, stats, parameters, {{&stats.inputs.front(), path("short.fits")}},
                       {},      0};
        QVERIFY(!runByBlocks(call));  // the reader of whole files describes the error
    }
};

QTEST_APPLESS_MAIN(tst_by_blocks)
#include "tst_by_blocks.moc"
