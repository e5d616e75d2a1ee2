// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <set>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/draw/camera.h"
#include "armilla/draw/graticule.h"
#include "armilla/draw/graticule_edges.h"
#include "armilla/draw/motion_scale.h"
#include "support/projections.h"

using namespace armilla;

namespace {

constexpr int kWidth = 900, kHeight = 500;
constexpr LongitudeUnit kDegrees = LongitudeUnit::Degrees, kHours = LongitudeUnit::Hours;

ViewGeometry viewOf(Projection projection, double zoom, LonLat center) {
    Camera camera;
    camera.projection = projection;
    camera.zoom = zoom;
    return camera.centeredOn(center).geometry(kWidth, kHeight, Frame::Galactic);
}

double offGrid(double angle, double step) {
    return std::fabs(std::remainder(angle, step));
}

// Q = 1, U = 0 in COSMO everywhere, or the given values.
HealpixMap polarizedMap(int64_t nside, float q, float u) {
    std::vector<Field> fields(2);
    fields[0].name = "Q_POLARISATION";
    fields[0].values = std::vector<float>(static_cast<size_t>(pixelCount(nside)), q);
    fields[1].name = "U_POLARISATION";
    fields[1].values = std::vector<float>(static_cast<size_t>(pixelCount(nside)), u);
    return HealpixMap(nside, Ordering::Ring, Frame::Galactic, std::move(fields));
}

}  // namespace

Q_DECLARE_METATYPE(armilla::Projection)

class GraticuleTest : public QObject {
    Q_OBJECT
private slots:
    // Each line that meets the border has one label, at a point of the border where the line ends.
    void edgesCarryTheirLines_data() {
        QTest::addColumn<double>("lat");
        QTest::newRow("equator") << 0.0;
        QTest::newRow("slanted") << 0.7;
        QTest::newRow("pole") << kHalfPi - 0.02;
    }
    void edgesCarryTheirLines() {
        QFETCH(double, lat);
        const ViewGeometry view = viewOf(Projection::Gnomonic, 2.0, {1.0, lat});
        QVERIFY(!edgeIsInView(view));
        const double step = 5.0 * kDegree;
        const auto labels = graticuleEdges(view, step, step, kDegrees);
        QVERIFY(labels.size() > 6);
        std::set<std::pair<bool, std::string>> seen;
        for (const EdgeLabel& label : labels) {
            QVERIFY2(seen.insert({label.isLatitude, label.text}).second, label.text.c_str());
            const bool onBorder = std::min({label.at.column, label.at.row, kWidth - label.at.column,
                                            kHeight - label.at.row}) < 1e-9;
            QVERIFY(onBorder);
            Vec3 sky;
            QVERIFY(skyFromImage(view, std::clamp(label.at.column, 0.0, double(kWidth)),
                                 std::clamp(label.at.row, 0.0, double(kHeight)), sky));
            const LonLat at = lonLat(sky);
            // Linear between points a pixel apart: far below a hundredth of the step.
            QVERIFY(offGrid(label.isLatitude ? at.lat : at.lon, step) < 1e-2 * step);
        }
        // Around a pole meridians leave on every side, and each has a label.
        if (lat > 1.5) QVERIFY(labels.size() >= 72);
    }
    void edgeCarriesParallels() {
        const ViewGeometry view = viewOf(Projection::Mollweide, 0.8, {0.0, 0.0});
        QVERIFY(edgeIsInView(view));
        const auto labels = graticuleEdges(view, 30.0 * kDegree, 30.0 * kDegree, kDegrees);
        QCOMPARE(labels.size(), size_t{5});
        for (const EdgeLabel& label : labels) {
            QVERIFY(label.isLatitude && label.side == PictureSide::Left);
            QVERIFY(label.at.column < 0.5 * kWidth);
        }
    }

    // Every point of every line lies on a meridian or parallel of the grid, and no segment crosses
    // the picture (seams are cut).
    void linesLieOnTheGrid_data() {
        QTest::addColumn<Projection>("projection");
        QTest::addColumn<double>("zoom");
        QTest::addColumn<double>("lat");
        for (const auto& [name, projection] : kProjections)
            for (const double zoom : {1.0, 8.0, 5000.0})
                for (const double lat : {0.0, 0.7, 1.5})
                    QTest::addRow("%s, zoom %g, latitude %g", name, zoom, lat)
                        << projection << zoom << lat;
    }
    void linesLieOnTheGrid() {
        QFETCH(Projection, projection);
        QFETCH(double, zoom);
        QFETCH(double, lat);
        const ViewGeometry view = viewOf(projection, zoom, {2.5, lat});
        const Graticule grid = graticule(view, 0.0, kDegrees);
        QVERIFY(grid.step > 0.0 && !grid.lines.empty());
        for (const Polyline& line : grid.lines)
            for (size_t i = 0; i < line.size(); ++i) {
                Vec3 d;
                // On the border itself, rounding may put a point off the sky.
                if (!skyFromImage(view, line[i].column, line[i].row, d)) continue;
                const LonLat at = lonLat(d);
                const double across =
                    std::min(offGrid(at.lat, grid.step),
                             offGrid(at.lon, grid.longitudeStep) * std::cos(at.lat));
                // The globe's limb magnifies rounding to its square root.
                QVERIFY2(across < 2e-8 + 1e-9 / zoom, qPrintable(QString::number(across)));
                if (i > 0)
                    QVERIFY(std::hypot(line[i].column - line[i - 1].column,
                                       line[i].row - line[i - 1].row) <= 41.0);
            }
    }

    // Towards the poles meridians end, the less round ones first. The continuing ones are at least
    // a quarter of the parallels' distance apart. On the last step before their end, a sixth (cos
    // 80 degrees, where a line is drawn on to the next parallel).
    void meridiansThinTowardsThePoles_data() {
        QTest::addColumn<double>("step");
        for (const double step : {0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0})
            QTest::addRow("%g degrees", step) << step;
    }
    void meridiansThinTowardsThePoles() {
        QFETCH(double, step);
        // The northern half of the sky with the pole in the center.
        const ViewGeometry view = viewOf(Projection::Orthographic, 1.0, {0.0, kHalfPi});
        const Graticule grid = graticule(view, step * kDegree, kDegrees);
        for (double lat = 0.5 * grid.step; lat < kHalfPi - grid.step; lat += grid.step) {
            std::vector<double> longitudes;
            for (const Polyline& line : grid.lines)
                for (size_t i = 0; i + 1 < line.size(); ++i) {
                    Vec3 a, b;
                    if (!skyFromImage(view, line[i].column, line[i].row, a) ||
                        !skyFromImage(view, line[i + 1].column, line[i + 1].row, b))
                        continue;
                    const LonLat from = lonLat(a), to = lonLat(b);
                    if ((from.lat - lat) * (to.lat - lat) < 0.0) longitudes.push_back(from.lon);
                }
            std::sort(longitudes.begin(), longitudes.end());
            QVERIFY(longitudes.size() >= 4);
            for (size_t i = 0; i < longitudes.size(); ++i) {
                const double next =
                    i + 1 < longitudes.size() ? longitudes[i + 1] : longitudes.front() + kTwoPi;
                const double apart = (next - longitudes[i]) * std::cos(lat);
                QVERIFY2(apart > grid.step / 6.0, qPrintable(QString::number(lat / kDegree)));
            }
        }
    }

    void labelsDoNotOverlap_data() { linesLieOnTheGrid_data(); }
    void labelsDoNotOverlap() {
        QFETCH(Projection, projection);
        QFETCH(double, zoom);
        QFETCH(double, lat);
        // Cards at the bottom, where the labels of meridians stand in close views.
        const ImageBox bar{0.0, 400.0, 400.0, 500.0}, card{620.0, 250.0, 900.0, 500.0};
        const Graticule grid =
            graticule(viewOf(projection, zoom, {2.5, lat}), 0.0, kDegrees, 14.0, {bar, card});
        QVERIFY(grid.labels.size() >= 2);
        for (const GraticuleLabel& label : grid.labels)
            for (const ImageBox& box : {bar, card})
                QVERIFY(label.at.column < box.left || label.at.column > box.right ||
                        label.at.row < box.top);
        for (size_t i = 0; i < grid.labels.size(); ++i) {
            const ImagePoint a = grid.labels[i].at;
            QVERIFY(a.column > 0 && a.row > 0 && a.column < kWidth && a.row < kHeight);
            for (size_t j = 0; j < i; ++j) {
                const ImagePoint b = grid.labels[j].at;
                QVERIFY(std::fabs(a.column - b.column) > 14.0 || std::fabs(a.row - b.row) > 14.0);
            }
        }
    }

    void labelsAreNamedAsPeopleWrite() {
        const Graticule whole =
            graticule(viewOf(Projection::Mollweide, 1.0, {0, 0}), 30 * kDegree, kDegrees);
        QStringList found;
        for (const GraticuleLabel& label : whole.labels)
            found << QString::fromStdString(label.text);
        for (const char* text : {"+60°", "+30°", "−30°", "−60°", "0°", "30°", "330°"})
            QVERIFY2(found.contains(QString::fromUtf8(text)), text);
        QCOMPARE(whole.step, 30 * kDegree);
        // If there are many lines, the round ones carry the labels.
        const Graticule many =
            graticule(viewOf(Projection::Mollweide, 1.0, {0, 0}), 1 * kDegree, kDegrees);
        QStringList few;
        for (const GraticuleLabel& label : many.labels) few << QString::fromStdString(label.text);
        for (const char* text : {"+60°", "+30°", "−30°", "−60°"})
            QVERIFY2(few.contains(QString::fromUtf8(text)), text);
        // Minutes in a close view.
        const Graticule close =
            graticule(viewOf(Projection::Gnomonic, 200.0, {1.0, 0.5}), 0.0, kDegrees);
        QVERIFY(close.step < kDegree);
        for (const GraticuleLabel& label : close.labels)
            QVERIFY(QString::fromStdString(label.text).contains(QString::fromUtf8("′")));
        // A step far too fine for the whole sky is made coarser, and the result reports this.
        const Graticule fine =
            graticule(viewOf(Projection::Mollweide, 1.0, {0, 0}), 0.01 * kDegree, kDegrees);
        QVERIFY(fine.step >= 0.5 * kDegree);
    }

    // Right ascension in hours as far as the step requires: 15 degrees are an hour, 0.25 degrees a
    // minute, 15 arcsec a second.
    void rightAscensionIsInHours() {
        const auto texts = [](double step, LonLat center, double zoom) {
            const Graticule grid =
                graticule(viewOf(Projection::Cartesian, zoom, center), step, kHours);
            QStringList found;
            for (const GraticuleLabel& label : grid.labels)
                if (!label.isLatitude) found << QString::fromStdString(label.text);
            return found;
        };
        const QStringList whole = texts(30 * kDegree, {0, 0}, 1.0);
        for (const char* text : {"0h", "2h", "22h"}) QVERIFY2(whole.contains(text), text);
        QVERIFY(texts(10 * kDegree, {20 * kDegree, 0}, 4.0).contains("1h20m"));
        QVERIFY(texts(10 * kArcmin, {20 * kArcmin, 0}, 200.0).contains("0h01m20s"));
        // 20 arcsec are 4/3 s; 0 h comes after 23 h 59 m 58.7 s.
        const QStringList close = texts(20 * kArcsec, {0, 0}, 16000.0);
        for (const char* text : {"0h00m00.0s", "0h00m01.3s", "23h59m58.7s"})
            QVERIFY2(close.contains(text), qPrintable(close.join(' ')));
        QVERIFY(longitudeUnitOf(Frame::Equatorial) == kHours);
        QVERIFY(longitudeUnitOf(Frame::Galactic) == kDegrees);
    }

    void outline() {
        const ViewGeometry globe = viewOf(Projection::Orthographic, 0.9, {0, 0});
        const auto lines = skyOutline(globe);
        QVERIFY(!lines.empty());
        const double radius = 1.0 / globe.radiansPerPixel;
        for (const Polyline& line : lines)
            for (const ImagePoint& p : line)
                // The radius is a few hundred pixels, which rounds by about 1e-13 pixels.
                QVERIFY(std::fabs(std::hypot(p.column - 450, p.row - 250) - radius) < 1e-9);
        QVERIFY(skyOutline(viewOf(Projection::Gnomonic, 1.0, {0, 0})).empty());
        QVERIFY(skyOutline(viewOf(Projection::Mollweide, 50.0, {0, 0})).empty());
        QVERIFY(!skyOutline(viewOf(Projection::Cartesian, 0.8, {0, 0})).empty());
    }

    // COSMO: Q > 0 is along the meridian, U > 0 lies 45 degrees from south towards east. East is to
    // the left, rows count downward.
    void rodsHaveTheRightSense_data() {
        QTest::addColumn<float>("q");
        QTest::addColumn<float>("u");
        QTest::addColumn<double>("dx");
        QTest::addColumn<double>("dy");
        const double half = std::sqrt(0.5);
        QTest::newRow("Q") << 1.0F << 0.0F << 0.0 << 1.0;
        QTest::newRow("-Q") << -1.0F << 0.0F << 1.0 << 0.0;
        QTest::newRow("U: south to east") << 0.0F << 1.0F << -half << half;
        QTest::newRow("-U: south to west") << 0.0F << -1.0F << half << half;
    }
    void rodsHaveTheRightSense() {
        QFETCH(float, q);
        QFETCH(float, u);
        QFETCH(double, dx);
        QFETCH(double, dy);
        const ViewGeometry view = viewOf(Projection::Gnomonic, 30.0, {1.0, 0.0});
        const auto rods = polarizationRods(polarizedMap(64, q, u), 0, 1, view, 20.0, 10.0, 2.0);
        QVERIFY(rods.size() > 1000);
        for (const Rod& rod : rods) {
            const double x = rod.to.column - rod.from.column, y = rod.to.row - rod.from.row;
            // Half of the largest amplitude: half of the length; 3 degrees of field rotate by 1e-3.
            QVERIFY(std::fabs(std::hypot(x, y) - 5.0) < 0.02);
            QVERIFY(std::fabs(std::fabs(x * dx + y * dy) - 5.0) < 0.02);
        }
    }
    void rodsLeaveOutBadPixels() {
        HealpixMap map = polarizedMap(8, 1.0F, 0.0F);
        std::get<std::vector<float>>(map.field(1).values).assign(768, std::nanf(""));
        const ViewGeometry view = viewOf(Projection::Mollweide, 1.0, {0, 0});
        QVERIFY(polarizationRods(map, 0, 1, view, 20.0, 10.0, 2.0).empty());
        QVERIFY_EXCEPTION_THROWN(polarizationRods(map, 0, 1, view, 20.0, 10.0, 0.0),
                                 InvalidArgument);
    }

    void motionScaleFollowsTheClock() {
        MotionScale scale(1.0 / 40.0);
        QCOMPARE(scale.scale(), 0.5);
        for (int i = 0; i < 30; ++i)
            scale.drawn(scale.scale(), 0.15 * scale.scale() * scale.scale());
        QCOMPARE(scale.scale(), 1.0 / 3.0);  // 150 ms in full: 17 ms at a third, 38 at a half
        for (int i = 0; i < 30; ++i)
            scale.drawn(scale.scale(), 0.002 * scale.scale() * scale.scale());
        QCOMPARE(scale.scale(), 1.0);
        for (int i = 0; i < 30; ++i)
            scale.drawn(scale.scale(), 3.0 * scale.scale() * scale.scale());
        QCOMPARE(scale.scale(), 0.25);
    }
};

QTEST_GUILESS_MAIN(GraticuleTest)
#include "tst_graticule.moc"
