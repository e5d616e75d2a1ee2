// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>
#include <random>

#include "armilla/core/error.h"
#include "armilla/core/units.h"

using namespace armilla;

namespace {

constexpr double kEpsilon = 2.220446049250313e-16;

template <class Call>
QString refusal(Call call) {
    try {
        call();
    } catch (const InvalidArgument& error) {
        return QString::fromStdString(error.message());
    }
    return {};
}

}  // namespace

class UnitsTest : public QObject {
    Q_OBJECT
private slots:
    void angles_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("radians");
        const auto row = [](const char* text, double radians) {
            QTest::newRow(text) << QString::fromUtf8(text) << radians;
        };
        const double pi = 3.141592653589793;
        row("4.7arcmin", 4.7 * pi / 10800.0);
        row("1deg", pi / 180.0);
        row("30arcsec", pi / 21600.0);
        row("0.01rad", 0.01);
        row("30'", pi / 360.0);
        row("30\"", pi / 21600.0);
        row("30′", pi / 360.0);
        row("30″", pi / 21600.0);
        row("-90°", -pi / 2.0);
        row(" 5 deg ", pi / 36.0);
        row("+1e1mas", pi / 64800000.0);
        row("1.5E-3rad", 1.5e-3);
        row(".5deg", pi / 360.0);
    }
    void angles() {
        QFETCH(QString, text);
        QFETCH(double, radians);
        // Unit and product are rounded here and in the program.
        QVERIFY(std::fabs(parseAngle(text.toStdString()) - radians) <=
                4.0 * kEpsilon * std::fabs(radians));
    }
    void notAnAngle() {
        for (const char* text : {"5", "", "deg", "5parsec", "nandeg", "infdeg", "1e999deg",
                                 "5 deg 3", "1,5deg", "+-1deg", "--1deg", "0x10deg", "5DEG"}) {
            const QString message = refusal([&] { parseAngle(text); });
            QVERIFY2(message.contains("deg, arcmin, arcsec, mas or rad"), text);
            QVERIFY(message.contains(QString("'%1'").arg(text)));
        }
    }
    void positions() {
        const LonLat p = parsePosition("120.5deg,-30deg");
        QCOMPARE(p.lon, 120.5 * kDegree);
        QCOMPARE(p.lat, -30.0 * kDegree);
        const LonLat wrapped = parsePosition("-10deg, 90deg");
        QVERIFY(std::fabs(wrapped.lon - 350.0 * kDegree) < 4.0 * kEpsilon * kTwoPi);
        QCOMPARE(wrapped.lat, kHalfPi);
        QCOMPARE(parsePosition("360deg,0rad").lon, 0.0);
        for (const char* text : {"120.5deg", "120.5,-30", "1deg,91deg", "1deg,2deg,3deg", ",", ""})
            QVERIFY2(!refusal([&] { parsePosition(text); }).isEmpty(), text);
    }
    void typedPositions_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("lonDegrees");
        QTest::addColumn<double>("latDegrees");
        const double ra = (12.0 + 34.0 / 60.0 + 56.0 / 3600.0) * 15.0;
        const double dec = -(1.0 + 2.0 / 60.0 + 3.0 / 3600.0);
        for (const char* text :
             {"12:34:56 -01:02:03", "12h34m56s -1d2m3s", "12 34 56 -01 02 03",
              "12h 34m 56s -1d 2m 3s", "12:34:56,-1:2:3", "12h34m56s -1°2′3″", "12:34:56 -1d2'3\""})
            QTest::newRow(text) << QString::fromUtf8(text) << ra << dec;
        QTest::newRow("fraction") << "00:00:01.5 +00:00:00.25" << 1.5 / 240.0 << 0.25 / 3600.0;
        QTest::newRow("minus zero") << "0:0:0 -00:30:00" << 0.0 << -0.5;
        QTest::newRow("two parts") << "6h30m +10d30m" << 97.5 << 10.5;
        QTest::newRow("no sign") << "06 30 00 10 30 00" << 97.5 << 10.5;
        QTest::newRow("mixed") << "6h30m 10.5" << 97.5 << 10.5;
    }
    void typedPositions() {
        QFETCH(QString, text);
        QFETCH(double, lonDegrees);
        QFETCH(double, latDegrees);
        const LonLat p = parseTypedPosition(text.toStdString(), Frame::Equatorial);
        QVERIFY(std::fabs(p.lon - lonDegrees * kDegree) < 4.0 * kEpsilon * kTwoPi);
        QVERIFY(std::fabs(p.lat - latDegrees * kDegree) < 4.0 * kEpsilon);
        // In another frame the same direction is rotated: 10 epsilon for two rotations.
        const LonLat g = parseTypedPosition(text.toStdString(), Frame::Galactic);
        const Vec3 back = frameRotation(Frame::Equatorial, Frame::Galactic) * direction(g);
        QVERIFY(angularDistance(back, direction(p)) < 10.0 * kEpsilon);
    }
    void typedDegreesAreInTheFrame() {
        for (const char* text : {"120.5 -30", "120.5,-30", " 120.5 , -30 ", "120.5d -30d",
                                 "120.5° -30°", "120.5deg -30deg", "-239.5 -30"})
            for (const Frame frame : {Frame::Galactic, Frame::Equatorial, Frame::Unknown}) {
                const LonLat p = parseTypedPosition(text, frame);
                QVERIFY2(std::fabs(p.lon - 120.5 * kDegree) < 4.0 * kEpsilon * kTwoPi, text);
                QCOMPARE(p.lat, -30.0 * kDegree);
            }
    }
    void notAPosition() {
        for (const char* text :
             {"", "12", "1 2 3", "a b", "12:34:56", "12:60:00 1:2:3", "12:34:56: 1:2:3",
              "12.5:30:00 1:2:3", "12h34m56s 1h2m3s", "10 95", "1 2 3 4 5 6 7 8", "1e2 3", "12m 5d",
              "1:-2:3 4:5:6", "nan 1", "1 inf", "12 34,", "1:2:3:4 5:6:7"})
            QVERIFY2(!refusal([&] { parseTypedPosition(text, Frame::Equatorial); }).isEmpty(),
                     text);
    }
    void equatorialText() {
        const LonLat orion{(5.0 + 35.0 / 60.0 + 17.3 / 3600.0) * 15.0 * kDegree,
                           -(5.0 + 23.0 / 60.0 + 28.0 / 3600.0) * kDegree};
        QCOMPARE(formatEquatorial(orion, kArcsec), std::string("05h35m17.3s -05d23m28s"));
        QCOMPARE(formatEquatorial(orion, kArcmin), std::string("05h35m17s -05d23m28s"));
        QCOMPARE(formatEquatorial(orion, 0.1 * kArcsec), std::string("05h35m17.30s -05d23m28.0s"));
        // Rounding carries through minutes and hours, and past 24 h.
        QCOMPARE(formatEquatorial({kTwoPi - 1e-9, 1e-9}, kArcsec),
                 std::string("00h00m00.0s +00d00m00s"));
        QCOMPARE(formatEquatorial({0.0, 60.0 * kDegree - 1e-9}, kArcsec),
                 std::string("00h00m00.0s +60d00m00s"));
        // Read back, the error is at most half the last digit in each coordinate.
        std::mt19937_64 random(1);
        std::uniform_real_distribution<double> lon(0.0, kTwoPi), lat(-kHalfPi, kHalfPi);
        for (int i = 0; i < 500; ++i)
            for (const double resolution : {kArcmin, kArcsec, 1e-3 * kArcsec}) {
                const LonLat p{lon(random), lat(random)};
                const LonLat q =
                    parseTypedPosition(formatEquatorial(p, resolution), Frame::Equatorial);
                QVERIFY(angularDistance(direction(p), direction(q)) <
                        std::min(resolution, 15.0 * kArcsec));
            }
    }
    void degreesText() {
        QCOMPARE(formatDegrees(209.0134 * kDegree, 1e-3 * kDegree), std::string("209.013"));
        QCOMPARE(formatDegrees(209.0134 * kDegree, kDegree), std::string("209"));
        QCOMPARE(formatDegrees(-1e-6 * kDegree, 1e-2 * kDegree), std::string("0.00"));
        QCOMPARE(formatDegrees(-0.5 * kDegree, 0.1 * kDegree), std::string("-0.5"));
    }
    void angleText() {
        const auto text = [](double radians) {
            return QString::fromStdString(formatAngle(radians));
        };
        QCOMPARE(text(4.7 * kArcmin), QString("4.7′"));
        QCOMPARE(text(1.2 * kDegree), QString("1.2°"));
        QCOMPARE(text(30.0 * kArcsec), QString("30″"));
        QCOMPARE(text(kDegree), QString("1°"));
        QCOMPARE(text(60.0 * kArcmin), QString("1°"));
        QCOMPARE(text(59.94 * kArcmin), QString("59.9′"));
        QCOMPARE(text(60.0 * kArcsec), QString("1′"));
        QCOMPARE(text(359.9 * kDegree), QString("359.9°"));
        QCOMPARE(text(0.5 * kArcsec), QString("0.5″"));
        QCOMPARE(text(5e-3 * kArcsec), QString("5 mas"));
        QCOMPARE(text(-2.0 * kArcmin), QString("-2′"));
        QCOMPARE(text(0.0), QString("0°"));
    }
    void argumentReadsBackExactly() {
        QCOMPARE(angleArgument(parseAngle("4.7arcmin")), std::string("4.7arcmin"));
        QCOMPARE(angleArgument(parseAngle("60arcmin")), std::string("1deg"));
        QCOMPARE(angleArgument(0.01), std::string("0.01rad"));
        QCOMPARE(angleArgument(parseAngle("30deg")), std::string("30deg"));
        QCOMPARE(angleArgument(parseAngle("420arcmin")), std::string("420arcmin"));
        QCOMPARE(angleArgument(parseAngle("20arcmin")), std::string("20arcmin"));
        std::mt19937_64 random(2);
        std::uniform_real_distribution<double> power(-12.0, 1.0), sign(-1.0, 1.0);
        for (int i = 0; i < 2000; ++i) {
            const double x = std::copysign(std::pow(10.0, power(random)), sign(random));
            QCOMPARE(parseAngle(angleArgument(x)) - x, 0.0);
        }
        QCOMPARE(parseAngle(angleArgument(0.0)), 0.0);
    }
};

QTEST_APPLESS_MAIN(UnitsTest)
#include "tst_units.moc"
