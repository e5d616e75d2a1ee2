// SPDX-License-Identifier: GPL-3.0-or-later
// Pair counts of real catalogs and of published inputs against counts by other programs.
#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <fstream>

#include "armilla/io/table_io.h"
#include "armilla/ops/pairs.h"
#include "support/real_data.h"

using namespace armilla;

class RealPairsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        const auto folder = test::realDataFolder();
        if (!folder) QSKIP("no folder of real data");
        data_ = QDir(*folder);
    }

    // DD by scipy's cKDTree in double precision: none of these pairs lies on an edge.
    void catalogs_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("galaxies") << "galaxies_2mrs_43k";
        QTest::newRow("stars") << "stars_xhip_gaia_118k";
    }
    void catalogs() {
        QFETCH(QString, name);
        const std::vector<SkyPoints> sets{
            skyPoints(readCatalog(path("catalogs/" + name + ".fits"), job_))};
        const std::vector<PairTask> tasks{{0, 0}};
        const auto pairs =
            countPairs(sets, tasks, angularBins("0.01deg,10deg,15", BinSpacing::Log), {}, job_)[0]
                .pairs;
        std::ifstream in(path("tpacf/ref_scipy_DD_" + name + ".txt"));
        std::string comment;
        std::getline(in, comment);
        for (const int64_t found : pairs) {
            double low = 0.0, high = 0.0;
            int64_t expected = -1;
            in >> low >> high >> expected;
            QCOMPARE(found, expected);
        }
    }

    // The inputs and outputs of the benchmark "tpacf" of Parboil. Its program reads degrees into
    // single precision (up to 1.5e-5 deg off at 360 deg) and compares dot products of single
    // precision. Each of its counts differs from this project's by at most the number of pairs that
    // lie so near to an edge of the bin.
    //
    // In its largest input, which is not used here, the last count of DR is 2^32 too small because
    // of 32-bit overflow. All other counts there differ by rounding only.
    void parboil_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("small") << "small";
        QTest::newRow("medium") << "medium";
    }
    void parboil() {
        QFETCH(QString, name);
        QTemporaryDir folder;
        QCOMPARE(QProcess::execute(
                     "tar", {"xzf", data_.filePath("tpacf/parboil_tpacf_" + name + ".tar.gz"), "-C",
                             folder.path()}),
                 0);
        std::vector<SkyPoints> sets{points(folder.filePath("input/Datapnts.1"))};
        std::vector<PairTask> tasks{{0, 0}};
        for (int s = 1; s <= 100; ++s) {
            sets.push_back(points(folder.filePath("input/Randompnts.%1").arg(s)));
            tasks.push_back({0, s});
            tasks.push_back({s, s});
        }
        const AngularBins bins = angularBins("1arcmin,10000arcmin,20", BinSpacing::Log);
        const auto kinds = summed(sets, tasks, bins);
        // Positions: twice 1.5e-5 deg along each of two axes. Dot products: 2^-24 for each of six
        // coordinates, three products and two sums, and as much for sine and cosine.
        std::vector<ExactAngle> edges;
        for (const ExactAngle& edge : bins.edges) {
            const double dot = 17.0 * 0x1p-24;
            const double band = 2.0 * std::sqrt(2.0) * 1.53e-5 * kDegree +
                                std::min(dot / std::sin(edge.high), std::sqrt(2.0 * dot));
            edges.push_back({std::max(1e-9, edge.high - band), 0.0});
            edges.push_back({edge.high + band, 0.0});
        }
        // Bands of the lowest edges overlap: each edge is counted on its own.
        std::vector<std::vector<int64_t>> near(3);
        for (size_t k = 0; k < edges.size(); k += 2) {
            const auto counts =
                summed(sets, tasks, angularBins({edges[k], edges[k + 1]}, BinSpacing::Linear));
            for (size_t kind = 0; kind < 3; ++kind) near[kind].push_back(counts[kind][0]);
        }
        std::ifstream in(folder.filePath("output/tpacf.out").toStdString());
        int64_t differences = 0;
        for (size_t k = 0; k < 20; ++k)
            for (size_t kind = 0; kind < 3; ++kind) {
                int64_t published = -1;
                in >> published;
                const int64_t difference = std::abs(published - kinds[kind][k]);
                differences += difference;
                QVERIFY2(difference <= near[kind][k] + near[kind][k + 1],
                         qPrintable(QString("kind %1, bin %2: published %3, found %4")
                                        .arg(kind)
                                        .arg(k)
                                        .arg(published)
                                        .arg(kinds[kind][k])));
            }
        qInfo("%lld pairs in other bins than published", static_cast<long long>(differences));
    }

private:
    std::string path(const QString& name) const { return data_.filePath(name).toStdString(); }
    static SkyPoints points(const QString& file) {
        SkyPoints points;
        std::ifstream in(file.toStdString());
        for (double lon = 0.0, lat = 0.0; in >> lon >> lat;) {
            points.lon.push_back(lon);
            points.lat.push_back(lat);
        }
        return points;
    }
    // DD, DR, RR.
    std::vector<std::vector<int64_t>> summed(const std::vector<SkyPoints>& sets,
                                             const std::vector<PairTask>& tasks,
                                             const AngularBins& bins) {
        std::vector<std::vector<int64_t>> kinds(
            3, std::vector<int64_t>(static_cast<size_t>(bins.count())));
        const auto counts = countPairs(sets, tasks, bins, {}, job_);
        for (size_t t = 0; t < tasks.size(); ++t) {
            auto& kind = kinds[t == 0 ? 0 : t % 2 == 1 ? 1 : 2];
            for (size_t k = 0; k < kind.size(); ++k) kind[k] += counts[t].pairs[k];
        }
        return kinds;
    }

    QDir data_;
    JobContext job_;
};

QTEST_GUILESS_MAIN(RealPairsTest)
#include "tst_real_pairs.moc"
