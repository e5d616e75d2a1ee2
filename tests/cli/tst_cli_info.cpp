// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla info`: maps, curves, texts, units and the stated frame.
#include <QJsonArray>
#include <QTest>
#include <cmath>

#include "armilla/core/healpix_map.h"
#include "cli/cli_fixture.h"

using namespace armilla;
using namespace armilla::test;

class tst_cli_info : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { cli_.writeSky("map.fits", 16, Ordering::Ring, 1, true); }

    void infoOfAMap() {
        const Outcome outcome = cli_.run("info {map.fits} --json");
        QCOMPARE(outcome.status, 0);
        QCOMPARE(outcome.out.count('\n'), 1);
        QVERIFY(outcome.out.startsWith(
            R"({"kind":"map","nside":16,"ordering":"RING","frame":"G","fields":[{"name":"TEMPERATURE","unit":"mK","finite":)"));
        const std::vector<double> values = valuesOf(cli_.read("map.fits"), 0);
        double sum = 0.0;
        double least = 1e300;
        double most = -1e300;
        int64_t count = 0;
        for (const double value : values) {
            if (std::isnan(value)) continue;
            sum += value;
            least = std::min(least, value);
            most = std::max(most, value);
            ++count;
        }
        const QJsonObject field = outcome.json()["fields"].toArray()[0].toObject();
        QCOMPARE(field["min"].toDouble(), least);
        QCOMPARE(field["max"].toDouble(), most);
        QCOMPARE(field["finite"].toDouble(),
                 static_cast<double>(count) / static_cast<double>(values.size()));
        // 3072 additions: a few hundred epsilon at worst.
        QVERIFY(std::abs(field["mean"].toDouble() - sum / static_cast<double>(count)) < 1e-13);
    }

    void infoOfTextsAndUnknownUnits() {
        QFile file(cli_.path("stars.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("name,ra,dec,kind\nVega,279.2,38.8,A\nSirius,101.3,-16.7,\n");
        file.close();
        const Outcome outcome = cli_.run("info {stars.csv}");
        QCOMPARE(outcome.status, 0);
        QVERIFY2(!outcome.out.contains("nan"), outcome.out.constData());
        const QJsonArray fields = cli_.run("info {stars.csv} --json").json()["fields"].toArray();
        QCOMPARE(fields[0].toObject()["type"].toString(), QString("text"));
        QCOMPARE(fields[3].toObject()["finite"].toDouble(), 0.5);
        QVERIFY(!fields[1].toObject().contains("type"));
        // An unreadable file does not stop the others: all are described, and the status is 1.
        const Outcome some = cli_.run("info {map.fits} {gone.fits} {stars.csv}");
        QCOMPARE(some.status, 1);
        QVERIFY(some.out.contains("map.fits: map") && some.out.contains("stars.csv: catalog"));
        QCOMPARE(some.error.count('\n'), 1);
        QVERIFY(some.error.contains("gone.fits: expected a file"));
        const Outcome asJson = cli_.run("info {gone.fits} {map.fits} {gone2.fits} --json");
        QCOMPARE(asJson.status, 1);
        QCOMPARE(asJson.error.count('\n'), 2);
        const QJsonArray told = asJson.json()["files"].toArray();
        QCOMPARE(told.size(), 3);
        QVERIFY(told[0].toObject()["error"].toString().contains("gone.fits"));
        QCOMPARE(told[1].toObject()["kind"].toString(), QString("map"));
        // The word that other programs write for an unknown unit.
        cli_.write("none.fits",
                   HealpixMap(1, Ordering::Ring, Frame::Unknown,
                              {{"A", "None", DiskType::Float32, std::vector<float>(12, 1.0F)}}));
        QCOMPARE(cli_.run("info {none.fits} --json")
                     .json()["fields"]
                     .toArray()[0]
                     .toObject()["unit"]
                     .toString(),
                 QString());
    }

    void nanIsNull() {
        std::vector<float> bad(12, std::nanf(""));
        const HealpixMap map(1, Ordering::Ring, Frame::Unknown,
                             {{"A", "", DiskType::Float32, bad}});
        cli_.write("empty.fits", map);
        const QJsonObject field =
            cli_.run("info {empty.fits} --json").json()["fields"].toArray()[0].toObject();
        QVERIFY(field["mean"].isNull());
        QVERIFY(field["min"].isNull());
        QCOMPARE(field["finite"].toDouble(), 0.0);
        QVERIFY(cli_.run("info {empty.fits} --json").json()["frame"].isNull());
    }
    // Columns of numbers without names are a curve if they are y over an ascending x.
    void twoColumnsAreACurve() {
        cli_.write("xy.txt", "0 0\n0.5 1\n1 4\n1.5 9\n");
        cli_.write("xy.csv", "0,0\n0.5,1\n1,4\n");
        for (const char* name : {"xy.txt", "xy.csv"}) {
            const QJsonObject told = cli_.run(QString("info {%1} --json").arg(name)).json();
            QCOMPARE(told["kind"].toString(), QString("curve"));
            QCOMPARE(told["curve"].toString(), QString("curve"));
            QVERIFY(cli_.run(QString("info {%1}").arg(name)).out.contains(": curve\n"));
        }
        // Positions without names are none, nor are three columns.
        cli_.write("places.txt", "10.5 20.25\n3.5 -5.5\n");
        cli_.write("three.txt", "0 0 0\n0.5 1 2\n");
        for (const char* name : {"places.txt", "three.txt"}) {
            const Outcome other = cli_.run(QString("info {%1}").arg(name));
            QCOMPARE(other.status, 1);
            QVERIFY2(other.error.contains("columns of numbers without names"),
                     other.error.constData());
        }
    }
    // Spectra in bins of l, such as Planck's, are curves in any format.
    void spectraInBinsAreCurves() {
        cli_.write("bins.csv", "ELL,D_ELL,ERR\n47.7,1479.3,50\n76.5,2035.4,51\n106.5,2956.8,60\n");
        QCOMPARE(cli_.run("info {bins.csv} --json").json()["kind"].toString(), QString("curve"));
        QCOMPARE(cli_.run("convert {bins.csv} {bins.fits}").status, 0);
        const QJsonObject told = cli_.run("info {bins.fits} --json").json();
        QCOMPARE(told["curve"].toString(), QString("spectrum"));
        QCOMPARE(told["points"].toInt(), 3);
    }
    // A stated frame is used if the file names none, and refused if it names another.
    void infoTakesTheStatedFrame() {
        const HealpixMap map(1, Ordering::Ring, Frame::Unknown,
                             {{"A", "", DiskType::Float32, std::vector<float>(12, 1.0F)}});
        cli_.write("unframed.fits", map);
        cli_.write("unframed.csv", "LON,LAT\n10,20\n");
        for (const char* file : {"unframed.fits", "unframed.csv"}) {
            const QString line = QString("info {%1} --input-frame C").arg(file);
            QCOMPARE(cli_.run(line + " --json").json()["frame"].toString(), QString("C"));
            QVERIFY(QString(cli_.run(line).out).contains("equatorial"));
        }
        QCOMPARE(cli_.run("convert {unframed.fits} {framed.fits} --input-frame G").status, 0);
        const Outcome outcome = cli_.run("info {framed.fits} --input-frame C");
        QCOMPARE(outcome.status, 1);
        QVERIFY(outcome.error.contains("expected no --input-frame, or G"));
    }

private:
    CliFixture cli_;
};

QTEST_GUILESS_MAIN(tst_cli_info)
#include "tst_cli_info.moc"
