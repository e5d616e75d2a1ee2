// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/sky_vector.h"

using namespace armilla;

namespace {

constexpr Frame kFrames[] = {Frame::Galactic, Frame::Ecliptic, Frame::Equatorial};

Vec3 fromDegrees(double lon, double lat) {
    return direction({lon * kDegree, lat * kDegree});
}

}  // namespace

class FramesTest : public QObject {
    Q_OBJECT
private slots:
    void rotationsAreProper() {
        for (const Frame to : kFrames)
            for (const Frame from : kFrames) {
                const Mat3 r = frameRotation(to, from);
                const Mat3 unit = transposed(r) * r;
                // The constants have 16 digits or more, so their products are accurate to 1e-15.
                for (int i = 0; i < 9; ++i)
                    QVERIFY(std::fabs(unit.m[i] - (i % 4 == 0 ? 1.0 : 0.0)) < 1e-15);
                const Vec3 x{r.m[0], r.m[3], r.m[6]}, y{r.m[1], r.m[4], r.m[7]},
                    z{r.m[2], r.m[5], r.m[8]};
                QVERIFY(std::fabs(dot(cross(x, y), z) - 1.0) < 1e-15);
                const Mat3 back = frameRotation(from, to);
                for (int i = 0; i < 9; ++i)
                    QVERIFY(std::fabs(back.m[i] - transposed(r).m[i]) < 1e-15);
            }
    }
    void galacticFrame() {
        // ESA SP-1200 (Hipparcos), vol. 1, section 1.5.3: pole at 192.85948, 27.12825 degrees, the
        // node at l = 32.93192. Given to 1e-5 degrees.
        const double limit = 1e-5 * kDegree;
        const Mat3 r = frameRotation(Frame::Galactic, Frame::Equatorial);
        QVERIFY(angularDistance(r * fromDegrees(192.85948, 27.12825), {0, 0, 1}) < limit);
        const LonLat northPole = lonLat(r * Vec3{0, 0, 1});
        QVERIFY(std::fabs(northPole.lon - 122.93192 * kDegree) < limit);
        QVERIFY(std::fabs(northPole.lat - 27.12825 * kDegree) < limit);
        // The Galactic center, 17h45m37.199s -28d56m10.22s (Reid & Brunthaler 2004, l = b = 0).
        const Vec3 center = direction({(17 + 45 / 60.0 + 37.199 / 3600.0) * 15 * kDegree,
                                       -(28 + 56 / 60.0 + 10.22 / 3600.0) * kDegree});
        QVERIFY(angularDistance(r * center, {1, 0, 0}) < 0.03 * kArcsec);
    }
    void eclipticFrame() {
        // IAU 2006 obliquity of J2000.0: 84381.406 arcsec. The frame bias of ICRS is 17 mas (pole)
        // and 15 mas (equinox) from the mean equator and equinox.
        const double obliquity = 84381.406 * kArcsec, limit = 0.03 * kArcsec;
        const Mat3 r = frameRotation(Frame::Ecliptic, Frame::Equatorial);
        const Vec3 pole{0.0, -std::sin(obliquity), std::cos(obliquity)};
        QVERIFY(angularDistance(r * pole, {0, 0, 1}) < limit);
        QVERIFY(angularDistance(r * Vec3{1, 0, 0}, {1, 0, 0}) < limit);
        // The sun at the June solstice is at longitude 90 degrees and declination +obliquity.
        QVERIFY(angularDistance(r * Vec3{0, std::cos(obliquity), std::sin(obliquity)}, {0, 1, 0}) <
                limit);
    }
    void galacticFromEcliptic() {
        // The north Galactic pole in J2000 ecliptic coordinates: 180.0232, 29.8114 degrees.
        const Mat3 r = frameRotation(Frame::Ecliptic, Frame::Galactic);
        QVERIFY(angularDistance(r * Vec3{0, 0, 1}, fromDegrees(180.0232, 29.8114)) <
                1e-4 * kDegree);
        const Mat3 chained = frameRotation(Frame::Ecliptic, Frame::Equatorial) *
                             frameRotation(Frame::Equatorial, Frame::Galactic);
        for (int i = 0; i < 9; ++i) QVERIFY(std::fabs(chained.m[i] - r.m[i]) < 1e-15);
    }
    void unknownFrame() {
        const Mat3 same = frameRotation(Frame::Unknown, Frame::Unknown);
        QCOMPARE(same.m[0] + same.m[4] + same.m[8], 3.0);
        QVERIFY_EXCEPTION_THROWN(frameRotation(Frame::Galactic, Frame::Unknown), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(frameRotation(Frame::Unknown, Frame::Galactic), InvalidArgument);
    }
    void names() {
        for (const Frame frame : kFrames) {
            QVERIFY(frameFromText(std::string(1, frameLetter(frame))) == frame);
            QVERIFY(!frameName(frame).empty());
        }
        for (const char* text : {"G", " g ", "Galactic", "GALACTIC", "GAL"})
            QVERIFY(frameFromText(text) == Frame::Galactic);
        for (const char* text :
             {"C", "Q", "Equatorial", "celestial", "ICRS", "FK5", "CEL", "J2000"})
            QVERIFY(frameFromText(text) == Frame::Equatorial);
        for (const char* text : {"E", "ecliptic"}) QVERIFY(frameFromText(text) == Frame::Ecliptic);
        for (const char* text : {"", "X", "unknown", "GE", "galax"})
            QVERIFY(frameFromText(text) == Frame::Unknown);
        QCOMPARE(frameLetter(Frame::Unknown), char{0});
        // "E" is often taken for equatorial, so the display names must differ clearly.
        QVERIFY(frameName(Frame::Ecliptic) != frameName(Frame::Equatorial));
        QVERIFY(frameName(Frame::Unknown) == "frame unknown");
    }
    void anglesBetweenDirections() {
        // Accurate where the arc cosine of the dot product is not.
        const double small = 1e-12;
        const double found = angularDistance({1, 0, 0}, {std::cos(small), std::sin(small), 0});
        QVERIFY(std::fabs(found - small) < 1e-15 * small + 1e-26);
        QCOMPARE(angularDistance({1, 0, 0}, {-1, 0, 0}), kPi);
        const LonLat p = lonLat({1.0, -1e-300, 0.0});
        QVERIFY(p.lon >= 0.0 && p.lon < kTwoPi);
    }
};

QTEST_APPLESS_MAIN(FramesTest)
#include "tst_frames.moc"
