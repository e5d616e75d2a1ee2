// SPDX-License-Identifier: GPL-3.0-or-later
// `match` on the partitions of HATS catalogs: the pairs of a double loop over all rows, also across
// the borders of partitions, from the partitions near the rows alone.
#include <QDir>
#include <QTest>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/io/table_io.h"
#include "support/block_bench.h"

using namespace armilla;

namespace {

constexpr double kRadius = 60.0 * kArcsec;

struct Source {
    int64_t id;
    Vec3 at;
};

}  // namespace

class tst_match_partitions : public QObject {
    Q_OBJECT

    BlockBench bench_;
    JobContext job_;
    std::vector<Source> first_, second_, near_;

    std::string path(const std::string& name) const { return bench_.path(name); }
    static Table tableOf(const std::vector<Source>& places) {
        std::vector<double> lon, lat;
        std::vector<int64_t> ids;
        for (const Source& place : places) {
            const LonLat at = lonLat(place.at);
            lon.push_back(at.lon / kDegree);
            lat.push_back(at.lat / kDegree);
            ids.push_back(place.id);
        }
        Table table;
        const auto add = [&](const char* name, auto values) {
            table.columns.emplace_back();
            table.columns.back().name = name;
            table.columns.back().values = std::move(values);
        };
        add("id", std::move(ids));
        add("ra", std::move(lon));
        add("dec", std::move(lat));
        table.columns[1].unit = table.columns[2].unit = "deg";
        table.columns[1].ucd = "pos.eq.ra;meta.main";
        table.columns[2].ucd = "pos.eq.dec;meta.main";
        table.frame = Frame::Equatorial;
        return table;
    }
    void writeText(const std::string& name, const std::string& text) {
        QFile file(QString::fromStdString(path(name)));
        QVERIFY(QDir().mkpath(QFileInfo(file.fileName()).path()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.data(), static_cast<qint64>(text.size()));
    }
    std::string partition(const std::string& root, int64_t pixel) const {
        return path(root + "/dataset/Norder=2/Dir=0/Npix=" + std::to_string(pixel) + ".parquet");
    }
    // A catalog in partitions of order 2, and the same rows in one file, in the same order.
    void writeCatalog(const std::string& root, std::vector<Source> places) {
        std::map<int64_t, std::vector<Source>> parts;
        for (const Source& place : places) parts[nestedFromDirection(4, place.at)].push_back(place);
        std::string list = "Norder,Npix\n";
        std::vector<Source> all;
        for (const auto& [pixel, part] : parts) {
            list += "2," + std::to_string(pixel) + "\n";
            const std::string file = partition(root, pixel);
            QVERIFY(QDir().mkpath(QFileInfo(QString::fromStdString(file)).path()));
            writeTable(tableOf(part), file, {true, {}}, job_);
            all.insert(all.end(), part.begin(), part.end());
        }
        writeText(root + "/hats.properties",
                  "dataproduct_type=object\nhats_nrows=" + std::to_string(places.size()) +
                      "\nhats_col_ra=ra\nhats_col_dec=dec\n");
        writeText(root + "/partition_info.csv", list);
        // With the schema, the metadata of partitions that are not needed stays unread.
        const std::string schema = path(root + "/dataset/schema.parquet");
        writeTable(tableOf({}), schema, {true, {}}, job_);
        QVERIFY(QFile::rename(QString::fromStdString(schema),
                              QString::fromStdString(path(root + "/dataset/_common_metadata"))));
        writeTable(tableOf(all), path(root + ".fits"), {true, {}}, job_);
    }
    // `inParts`: by partitions; otherwise the operation on whole catalogs.
    BlockResult call(const BlockBench::Pairs& options, const std::string& first,
                     const std::string& second, bool inParts) {
        BlockBench::Pairs all{{"radius", "60arcsec"}};
        all.insert(all.end(), options.begin(), options.end());
        return bench_.run(
            "match", all, {{"CATALOG", path(first)}, {"CATALOG2", path(second)}}, "out.fits",
            {inParts ? BlockBench::Strategy::ByBlocks : BlockBench::Strategy::Declined,
             [](BlockCall& blocks) { blocks.reading.note = blocks.context.note; }});
    }
    std::vector<double> column(const char* name) {
        const Table table = readTable(path("out.fits"), {}, job_);
        const TableColumn& column = table.columns[static_cast<size_t>(table.columnIndex(name))];
        std::vector<double> values;
        for (int64_t row = 0; row < table.rows(); ++row) values.push_back(column.number(row));
        return values;
    }
    std::set<std::pair<int64_t, int64_t>> foundPairs() {
        std::set<std::pair<int64_t, int64_t>> pairs;
        const std::vector<double> first = column("id"), second = column("id_2");
        for (size_t i = 0; i < first.size(); ++i)
            pairs.emplace(static_cast<int64_t>(first[i]), static_cast<int64_t>(second[i]));
        return pairs;
    }
    static std::set<std::pair<int64_t, int64_t>> allPairs(const std::vector<Source>& first,
                                                          const std::vector<Source>& second) {
        std::set<std::pair<int64_t, int64_t>> pairs;
        for (const Source& a : first)
            for (const Source& b : second)
                if (std::abs(a.at.z - b.at.z) < 1.01 * kRadius &&
                    angularDistance(a.at, b.at) <= kRadius)
                    pairs.emplace(a.id, b.id);
        return pairs;
    }

private slots:
    void initTestCase() {
        std::mt19937_64 random(11);
        std::uniform_real_distribution<double> uniform(-1.0, 1.0);
        const auto shifted = [&](Vec3 at, double by) {
            const Vec3 moved{at.x + by * uniform(random), at.y + by * uniform(random),
                             at.z + by * uniform(random)};
            return (1.0 / std::sqrt(dot(moved, moved))) * moved;
        };
        // Rows of both catalogs on the borders of partitions: between neighbors of a fine grid that
        // lie in different pixels of nside 4. The rest covers the sky.
        constexpr int64_t kFine = 256;
        for (int64_t pixel = 0; pixel < pixelCount(kFine); pixel += 7) {
            const Vec3 at = directionFromNested(kFine, pixel);
            const Vec3 other = shifted(at, 0.004);
            if (nestedFromDirection(4, at) == nestedFromDirection(4, other)) continue;
            // The point of the border on the arc between both.
            Vec3 low = at, high = other;
            for (int i = 0; i < 40; ++i) {
                const Vec3 sum = low + high;
                const Vec3 middle = (1.0 / std::sqrt(dot(sum, sum))) * sum;
                (nestedFromDirection(4, middle) == nestedFromDirection(4, at) ? low : high) =
                    middle;
            }
            first_.push_back({std::ssize(first_), shifted(low, 0.3 * kRadius)});
            second_.push_back({std::ssize(second_), shifted(high, 0.3 * kRadius)});
        }
        QVERIFY(first_.size() > 200);
        for (int i = 0; i < 20000; ++i) {
            const Vec3 at = directionFromNested(1024, static_cast<int64_t>(random() % 12582912));
            second_.push_back({std::ssize(second_), shifted(at, 0.001)});
            if (i % 4 == 0)
                first_.push_back({std::ssize(first_), shifted(second_.back().at, 0.5 * kRadius)});
        }
        // Rows within 20 degrees of the center of a base pixel: more than a hundred.
        for (const Source& place : first_)
            if (angularDistance(place.at, {1.0, 0.0, 0.0}) < 20.0 * kDegree) near_.push_back(place);
        QVERIFY(near_.size() > 110);
        writeCatalog("first", first_);
        writeCatalog("second", second_);
        writeCatalog("near", near_);
        writeCatalog("few", {near_.begin(), near_.begin() + 30});
    }
    void pairsAcrossBorders() {
        const auto expected = allPairs(first_, second_);
        int64_t across = 0;
        for (const auto& [a, b] : expected)
            across += nestedFromDirection(4, first_[static_cast<size_t>(a)].at) !=
                      nestedFromDirection(4, second_[static_cast<size_t>(b)].at);
        QVERIFY(across > 100);
        call({{"find", "all"}}, "first", "second", true);
        QCOMPARE(foundPairs(), expected);
        const std::vector<double> chances = column("P_CHANCE");
        // The whole sky is read: the same table as from files without partitions.
        call({{"find", "all"}}, "first.fits", "second.fits", false);
        QCOMPARE(column("P_CHANCE"), chances);
        QCOMPARE(foundPairs(), expected);
        // A HATS catalog with another file.
        for (const bool isFirst : {true, false}) {
            call({{"find", "all"}}, isFirst ? "first" : "first.fits",
                 isFirst ? "second.fits" : "second", true);
            QCOMPARE(foundPairs(), expected);
        }
    }
    // Rows without a partner, and rows of the first catalog with and without.
    void otherJoins() {
        std::set<int64_t> with1, with2;
        for (const auto& [a, b] : allPairs(near_, second_)) {
            with1.insert(a);
            with2.insert(b);
        }
        call({{"find", "all"}, {"join", "1not2"}}, "near", "second", true);
        QCOMPARE(column("id").size(), near_.size() - with1.size());
        call({{"find", "all"}, {"join", "2not1"}}, "near", "second", true);
        QCOMPARE(column("id").size(), second_.size() - with2.size());
        call({{"find", "best1"}, {"join", "all1"}}, "near", "second", true);
        QCOMPARE(column("id").size(), near_.size());
    }
    // Far partitions are damaged: reading one would fail.
    void partitionsThatAreNotRead() {
        const auto expected = allPairs(near_, second_);
        QVERIFY(expected.size() > 10);
        const BlockResult whole = call({{"find", "all"}}, "near.fits", "second.fits", false);
        const std::vector<double> wholeChances = column("P_CHANCE");
        const BlockResult wholeFew = call({{"find", "all"}}, "second.fits", "few.fits", false);
        const std::vector<double> fewChances = column("P_CHANCE");
        const Vec3 center{1.0, 0.0, 0.0};
        int damaged = 0;
        for (int64_t pixel = 0; pixel < pixelCount(4); ++pixel)
            if (angularDistance(directionFromNested(4, pixel), center) > 75.0 * kDegree) {
                QFile file(QString::fromStdString(partition("second", pixel)));
                QVERIFY(file.open(QIODevice::WriteOnly));
                file.write("nothing");
                ++damaged;
            }
        QVERIFY(damaged > 50);
        for (const char* near : {"near", "near.fits"}) {
            const BlockResult part = call({{"find", "all"}}, near, "second", true);
            QCOMPARE(foundPairs(), expected);
            QCOMPARE(part.notes.size(), size_t{1});
            QVERIFY(part.notes[0].find(" of 192 partitions read") != std::string::npos);
            // Figures are those of the whole catalogs.
            for (const char* key : {"rows", "pairs", "rows1", "rows2"})
                QCOMPARE(*part.figures.find(key)->integer(), *whole.figures.find(key)->integer());
            // The density of rows is the same; the disc in which they are counted may differ, and
            // with some 100 rows its number by three times 10 %.
            const std::vector<double> chances = column("P_CHANCE");
            QCOMPARE(chances.size(), wholeChances.size());
            double sum = 0.0, wholeSum = 0.0;
            for (size_t i = 0; i < chances.size(); ++i) {
                sum += chances[i];
                wholeSum += wholeChances[i];
            }
            QVERIFY2(std::abs(sum / wholeSum - 1.0) < 0.3,
                     qPrintable(QString::number(sum / wholeSum)));
        }
        // The first catalog is read around the rows of the second one, too.
        call({{"find", "all"}}, "second", "near.fits", true);
        QCOMPARE(foundPairs().size(), expected.size());
        // Fewer than a hundred rows count for P_CHANCE from all the sky; those of the first catalog
        // are not needed for it.
        const BlockResult few = call({{"find", "all"}}, "second", "few.fits", true);
        QCOMPARE(column("P_CHANCE"), fewChances);
        QCOMPARE(few.summary, wholeFew.summary);
        const double byChance = wholeFew.figures.find("expected_by_chance")->number();
        // Sums of 2e4 equal numbers, which round by at most 1.1e-16 each: 2e-12.
        QVERIFY(std::abs(few.figures.find("expected_by_chance")->number() / byChance - 1.0) <
                1e-11);
        // Without a reach, and for all rows of the second catalog, all partitions are read.
        QVERIFY_THROWS_EXCEPTION(
            IoError, call({{"find", "all"}, {"join", "2not1"}}, "near", "second", true));
    }
};

QTEST_GUILESS_MAIN(tst_match_partitions)
#include "tst_match_partitions.moc"
