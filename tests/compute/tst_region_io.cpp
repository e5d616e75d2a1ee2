// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/io/region_io.h"

using namespace armilla;

class RegionIoTest : public QObject {
    Q_OBJECT
private slots:
    void reads() {
        const std::vector<Region> regions = withoutTexts(parseNamedRegions(
            "# Region file format: DS9 version 4.1\n"
            "global color=green dashlist=8 3 font=\"helvetica 10\"\n"
            "fk5\n"
            "circle(05:34:31.94,+22:00:52.2,30\") # text={Crab; M1}\n"
            "galactic; ellipse(120.5, -30, 2', 0.5d, 45) ; -circle(120.5d,-30,10\")\n"
            "box(10 20 1 2 30)\n"
            "annulus(1,2,10\",20\",30\")\n"
            "polygon(0,0,10,0,10,10)\n"
            "point(1,2)\n"
            "ICRS\n"
            "circle(5h34m31.94s,22d0m52.2s,0.001r)\n"));
        QCOMPARE(regions.size(), size_t{7});
        const Region& crab = regions[0];
        QVERIFY(crab.frame == Frame::Equatorial && crab.shape == RegionShape::Circle);
        // The reference is rounded to 1e-13 degrees. Conversions between degrees, arcseconds and
        // radians round by a few machine epsilons of at most 84, about 2e-14 each.
        QVERIFY(std::abs(crab.points[0].lon / kDegree - 83.6330833333333) < 1e-11);
        QVERIFY(std::abs(crab.points[0].lat / kDegree - 22.0145) < 1e-11);
        QVERIFY(std::abs(crab.first / kArcsec - 30) < 1e-11);
        QVERIFY(regions[1].shape == RegionShape::Ellipse && regions[1].frame == Frame::Galactic);
        // Conversions of units round by a few machine epsilons of at most 45, about 1e-14 each.
        QVERIFY(std::abs(regions[1].first / kArcmin - 2) < 1e-11);
        QVERIFY(std::abs(regions[1].second / kArcmin - 30) < 1e-11);
        QVERIFY(std::abs(regions[1].angle / kDegree - 45) < 1e-11);
        QVERIFY(regions[2].exclude && !regions[1].exclude);
        // Conversions of units round by a few machine epsilons of at most 30, about 1e-14 each.
        QVERIFY(std::abs(regions[3].first / kDegree - 0.5) < 1e-12);
        QVERIFY(std::abs(regions[4].first / kArcsec - 10) < 1e-11);
        QVERIFY(std::abs(regions[4].second / kArcsec - 30) < 1e-11);
        QCOMPARE(regions[5].points.size(), size_t{3});
        // Two ways to write one position differ by a few machine epsilons of the angle in radians.
        QVERIFY(std::abs(regions[6].points[0].lon - crab.points[0].lon) < 1e-15);
        QVERIFY(std::abs(regions[6].points[0].lat - crab.points[0].lat) < 1e-15);
        QCOMPARE(regions[6].first, 0.001);
    }

    // Written and read, each is the same to the digits written: 4e-6 arcsec.
    void roundTrip() {
        const std::vector<Region> regions = withoutTexts(parseNamedRegions(
            "icrs\ncircle(83.633083333,22.0145,30\")\ngalactic\nellipse(120.5,-30,2',1',45)\n"
            "-box(10,20,1,2,30)\necliptic\nannulus(1,2,10\",20\")\npolygon(0,0,10,0,10,10)\n"));
        std::vector<NamedRegion> named;
        for (const Region& region : regions) named.push_back({region, "a {name}"});
        const std::vector<std::string> comments{"made by a test"};
        const std::string text = regionText(named, comments);
        QVERIFY(text.find("# made by a test") != std::string::npos);
        const std::vector<Region> again = withoutTexts(parseNamedRegions(text));
        // Names lose unsupported braces; a frame may be given for all before the first word.
        QCOMPARE(parseNamedRegions(text)[2].text, std::string("a name"));
        QVERIFY(parseNamedRegions("circle(1,2,3)", Frame::Galactic)[0].region.frame ==
                Frame::Galactic);
        QCOMPARE(again.size(), regions.size());
        for (size_t i = 0; i < again.size(); ++i) {
            QVERIFY(again[i].shape == regions[i].shape && again[i].frame == regions[i].frame);
            QCOMPARE(again[i].exclude, regions[i].exclude);
            // Digits are written to 4e-6 arcsec, which is below 1e-6 of the smallest radius, 10
            // arcsec.
            QVERIFY(std::abs(again[i].first - regions[i].first) <= 1e-6 * regions[i].first);
            QVERIFY(std::abs(again[i].second - regions[i].second) <= 1e-6 * regions[i].second);
            // Half a unit of the last digit written, 1e-9 degrees, is 9e-12 rad.
            QVERIFY(std::abs(again[i].angle - regions[i].angle) < 1e-10);
            QCOMPARE(again[i].points.size(), regions[i].points.size());
            for (size_t j = 0; j < again[i].points.size(); ++j) {
                // Half a unit of the last digit written, 1e-9 degrees, is 9e-12 rad.
                QVERIFY(std::abs(again[i].points[j].lon - regions[i].points[j].lon) < 1e-11);
                QVERIFY(std::abs(again[i].points[j].lat - regions[i].points[j].lat) < 1e-11);
            }
        }
        named[0].region.frame = Frame::Unknown;
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, regionText(named, comments));
    }

    void refusals_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("part");
        QTest::newRow("no frame") << "circle(1,2,3)"
                                  << "line 1: expected a frame";
        QTest::newRow("image") << "image\ncircle(1,2,3)"
                               << "line 1: expected regions in icrs";
        QTest::newRow("pixels") << "icrs\ncircle(1,2,3p)"
                                << "line 2: expected a size as an angle";
        QTest::newRow("shape") << "icrs\nbpanda(1,2,3)"
                               << "line 2: expected circle";
        QTest::newRow("number") << "icrs\ncircle(1,x,3)"
                                << "line 2: expected a number, found 'x'";
        QTest::newRow("few") << "icrs\ncircle(1,2)"
                             << "line 2: expected a circle";
        QTest::newRow("latitude") << "icrs\ncircle(1,95,3)"
                                  << "line 2: expected latitudes";
        QTest::newRow("minutes") << "icrs\ncircle(1:61:0,5,3)"
                                 << "line 2: expected minutes";
        QTest::newRow("open") << "icrs\ncircle(1,5,3"
                              << "line 2: expected a region with";
    }
    void refusals() {
        QFETCH(QString, text);
        QFETCH(QString, part);
        try {
            withoutTexts(parseNamedRegions(text.toStdString()));
            QFAIL("was taken");
        } catch (const IoError& error) {
            QVERIFY2(QString(error.what()).contains(part), error.what());
        }
    }
};

QTEST_GUILESS_MAIN(RegionIoTest)
#include "tst_region_io.moc"
