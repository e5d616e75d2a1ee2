// SPDX-License-Identifier: GPL-3.0-or-later
// Markers: their order on the sky, picking against all rows, pictures by the CPU and by OpenGL.
#include <QElapsedTimer>
#include <QOpenGLFunctions>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "render/camera.h"
#include "render/markers.h"
#include "render/sky_renderer.h"
#include "support/gl_fixture.h"
#include "support/projections.h"

using namespace armilla;
using namespace armilla::test;

namespace {

Catalog catalogOf(const std::vector<LonLat>& places, Frame frame = Frame::Galactic) {
    TableColumn lon, lat;
    lon.name = "GLON";
    lat.name = "GLAT";
    lon.unit = lat.unit = "rad";
    std::vector<double> lons, lats;
    for (const LonLat& place : places) {
        lons.push_back(place.lon);
        lats.push_back(place.lat);
    }
    lon.values = std::move(lons);
    lat.values = std::move(lats);
    Catalog catalog;
    catalog.table.columns = {std::move(lon), std::move(lat)};
    catalog.position = {0, 1, frame, 1.0, 1.0};
    return catalog;
}

// Even over the sphere, fixed seed, within `radius` of the north pole.
std::vector<LonLat> randomPlaces(size_t count, double radius = kPi, unsigned seed = 3) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> height(std::cos(radius), 1.0), around(0.0, kTwoPi);
    std::vector<LonLat> places;
    for (size_t i = 0; i < count; ++i)
        places.push_back({around(random), std::asin(height(random))});
    return places;
}

std::shared_ptr<const MarkerSet> setOf(const Catalog& catalog) {
    JobContext job;
    return MarkerSet::build(catalog, job);
}

MarkerImage painted(const MarkerSet& set, const MarkerStyle& style, const ViewGeometry& view,
                    int64_t most = 0) {
    JobContext job;
    MarkerImage image;
    paintMarkers(set, style, 1.0, view, 1.0, most, image, job);
    return image;
}

// Middle of what is inked, weighed by alpha.
struct Spot {
    double column = 0.0, row = 0.0, weight = 0.0;
};
Spot spotOf(const std::vector<Rgba>& pixels, int width) {
    Spot spot;
    for (size_t i = 0; i < pixels.size(); ++i) {
        const double a = pixels[i].a;
        spot.weight += a;
        spot.column += a * (static_cast<double>(i % static_cast<size_t>(width)) + 0.5);
        spot.row += a * (static_cast<double>(i / static_cast<size_t>(width)) + 0.5);
    }
    if (spot.weight > 0.0) {
        spot.column /= spot.weight;
        spot.row /= spot.weight;
    }
    return spot;
}

}  // namespace

Q_DECLARE_METATYPE(armilla::Projection)

class MarkersTest : public QObject {
    Q_OBJECT
private slots:
    void everyRowHasItsPlace() {
        auto places = randomPlaces(5000);
        places[17].lon = std::numeric_limits<double>::quiet_NaN();
        const Catalog catalog = catalogOf(places);
        const auto set = setOf(catalog);
        QCOMPARE(set->size(), int64_t{4999});
        std::vector<bool> seen(places.size());
        for (int64_t place = 0; place < set->size(); ++place) {
            const auto row = static_cast<size_t>(set->row(place));
            QVERIFY(!seen[row]);
            seen[row] = true;
            // Two single precision numbers hold 48 bits: 2^-48 of a part, three parts.
            QVERIFY(angularDistance(set->direction(place), direction(places[row])) < 1.1e-14);
        }
        QVERIFY(!seen[17]);
        QVERIFY(set->memoryBytes() >= 5000 * 32);
    }
    void nearestIsThatOfAllRows() {
        const auto places = randomPlaces(20000);
        const auto set = setOf(catalogOf(places));
        for (const LonLat& from : randomPlaces(300, kPi, 11)) {
            const Vec3 towards = direction(from);
            for (const double radius : {0.003, 0.02, 0.3}) {
                double least = radius;
                std::optional<int64_t> wanted;
                for (size_t i = 0; i < places.size(); ++i)
                    if (const double d = angularDistance(towards, direction(places[i]));
                        d <= least) {
                        least = d;
                        wanted = static_cast<int64_t>(i);
                    }
                QCOMPARE(set->nearest(towards, radius), wanted);
            }
        }
        QVERIFY(!setOf(catalogOf({}))->nearest({1, 0, 0}, 1.0));
    }
    // No row that lies in the picture is left out of the runs.
    void runsHoldTheWholePicture_data() {
        QTest::addColumn<Projection>("projection");
        for (const auto& [name, projection] : kProjections) QTest::newRow(name) << projection;
    }
    void runsHoldTheWholePicture() {
        QFETCH(Projection, projection);
        const auto places = randomPlaces(30000);
        const auto set = setOf(catalogOf(places));
        for (const double zoom : {0.5, 1.0, 3.0, 20.0, 300.0})
            for (const LonLat center : {LonLat{0, 0}, LonLat{2.0, 1.5}, LonLat{4.0, -0.7}}) {
                Camera camera;
                camera.projection = projection;
                camera.zoom = zoom;
                camera.orientation = skyFromViewRotation(center, 0.4);
                const ViewGeometry view = camera.geometry(320, 180, Frame::Galactic);
                std::vector<bool> covered(static_cast<size_t>(set->size()));
                int64_t total = 0;
                for (const auto& run : set->runsIn(view, 6.0)) {
                    total += run.end - run.begin;
                    for (int64_t i = run.begin; i < run.end; ++i)
                        covered[static_cast<size_t>(i)] = true;
                }
                for (int64_t place = 0; place < set->size(); ++place) {
                    double column = 0.0, row = 0.0;
                    if (covered[static_cast<size_t>(place)] ||
                        !imageFromSky(view, set->direction(place), column, row))
                        continue;
                    QVERIFY(column < -6.0 || column > 326.0 || row < -6.0 || row > 186.0);
                }
                // A close view looks at a small part only.
                if (zoom >= 20.0) QVERIFY(total < set->size() / 20);
            }
    }
    void paintsWhereTheProjectionPuts_data() { runsHoldTheWholePicture_data(); }
    void paintsWhereTheProjectionPuts() {
        QFETCH(Projection, projection);
        const LonLat place{0.31, 0.52};
        const auto set = setOf(catalogOf({place}));
        Camera camera;
        camera.projection = projection;
        camera.orientation = skyFromViewRotation({0.1, 0.2}, 0.3);
        const ViewGeometry view = camera.geometry(400, 300, Frame::Galactic);
        double column = 0.0, row = 0.0;
        QVERIFY(imageFromSky(view, direction(place), column, row));
        for (const MarkerShape shape :
             {MarkerShape::Circle, MarkerShape::Disc, MarkerShape::Square, MarkerShape::Diamond,
              MarkerShape::Cross, MarkerShape::Plus}) {
            const MarkerStyle style{shape, 9.0, {255, 0, 0, 255}};
            const Spot spot = spotOf(painted(*set, style, view).pixels, 400);
            QVERIFY(spot.weight > 0.0);
            // Stamps lie on whole pixels: at most half a pixel each way.
            QVERIFY(std::abs(spot.column - column) <= 0.51 && std::abs(spot.row - row) <= 0.51);
            QCOMPARE(pickMarker(*set, view, column + 3.0, row - 2.0, 8.0),
                     std::optional<int64_t>(0));
            QVERIFY(!pickMarker(*set, view, column + 40.0, row, 8.0));
        }
    }
    void fewerMarkersAreSomeOfAll() {
        const auto set = setOf(catalogOf(randomPlaces(4000)));
        const Camera camera;
        const ViewGeometry view = camera.geometry(900, 500, Frame::Galactic);
        const MarkerStyle style{MarkerShape::Disc, 1.0, {255, 255, 255, 255}};
        const auto inked = [](const MarkerImage& image) {
            return std::count_if(image.pixels.begin(), image.pixels.end(),
                                 [](Rgba c) { return c.r > 100; });
        };
        const auto all = inked(painted(*set, style, view)),
                   some = inked(painted(*set, style, view, 1000));
        QVERIFY(all > 3 * some && some > 500);
    }
    // The picture of OpenGL has its markers where the CPU's has, to a tenth of a pixel: at the last
    // zoom, where a pixel is 0.05", that is 5 mas.
    void openGlAgrees_data() { runsHoldTheWholePicture_data(); }
    void openGlAgrees() {
        QFETCH(Projection, projection);
        GlFixture gl;
        if (!gl.valid()) QSKIP("no OpenGL here");
        SkyRenderer renderer;
        renderer.initialize();
        const int width = 400, height = 300;
        for (const double zoom : {1.0, 40.0, 2e3, 2e4})
            for (const LonLat center : {LonLat{0.1, 0.2}, LonLat{3.0, -1.2}, LonLat{5.5, 0.9}}) {
                Camera camera;
                camera.projection = projection;
                camera.zoom = zoom;
                camera.orientation = skyFromViewRotation(center, 0.3);
                const ViewGeometry view = camera.geometry(width, height, Frame::Galactic);
                Vec3 at;
                QVERIFY(skyFromImage(view, 230.3, 120.9, at));
                const auto set = setOf(catalogOf({lonLat(at)}));
                double column = 0.0, row = 0.0;
                QVERIFY(imageFromSky(view, set->direction(0), column, row));
                const MarkerHandle handle = renderer.uploadMarkers(*set);
                gl.bindFramebuffer(width, height, {0, 0, 0, 0});
                SkyRenderer::Viewport viewport;
                viewport.width = width;
                viewport.height = height;
                renderer.drawMarkers(handle, *set, view,
                                     {MarkerShape::Disc, 12.0, {255, 255, 255, 255}}, 1.0, 1.0,
                                     viewport);
                const Spot spot = spotOf(gl.picture(), width);
                renderer.removeMarkers(handle);
                QVERIFY2(std::abs(spot.column - column) < 0.1 && std::abs(spot.row - row) < 0.1,
                         qPrintable(QStringLiteral("zoom %1: %2 %3 for %4 %5")
                                        .arg(zoom)
                                        .arg(spot.column)
                                        .arg(spot.row)
                                        .arg(column)
                                        .arg(row)));
            }
    }
    // Pixel by pixel a marker of OpenGL is that of the formula, which CPU threads stamp.
    void openGlLooksTheSame() {
        GlFixture gl;
        if (!gl.valid()) QSKIP("no OpenGL here");
        SkyRenderer renderer;
        renderer.initialize();
        const int width = 240, height = 220, column = 120, row = 110;
        const ViewGeometry view = Camera().geometry(width, height, Frame::Galactic);
        Vec3 at;
        QVERIFY(skyFromImage(view, column + 0.5, row + 0.5, at));
        const auto set = setOf(catalogOf({lonLat(at)}));
        const MarkerHandle handle = renderer.uploadMarkers(*set);
        SkyRenderer::Viewport viewport;
        viewport.width = width;
        viewport.height = height;
        for (const MarkerShape shape :
             {MarkerShape::Circle, MarkerShape::Disc, MarkerShape::Square, MarkerShape::Diamond,
              MarkerShape::Cross, MarkerShape::Plus})
            for (const auto& [size, ratio] :
                 {std::pair{1.0, 1.0}, {7.0, 1.0}, {7.5, 1.5}, {12.0, 2.0}, {40.0, 2.0}}) {
                const MarkerStyle style{shape, size, {200, 100, 50, 255}};
                const double opacity = 0.8;
                gl.bindFramebuffer(width, height, {0, 0, 0, 0});
                renderer.drawMarkers(handle, *set, view, style, opacity, ratio, viewport);
                const std::vector<Rgba> picture = gl.picture();
                // A hundredth of a pixel of the place in single precision, and rounding to bytes.
                const double limit = 0.01 + 1.0 / 255.0;
                for (int y = 0; y < height; ++y)
                    for (int x = 0; x < width; ++x) {
                        const MarkerInk ink = markerInk(style, ratio, x - column, y - row);
                        // A point ends so far from its middle, which cuts the tips of diamonds.
                        const double end = 0.5 * std::ceil((size + 3.0) * ratio);
                        const int far = std::max(std::abs(x - column), std::abs(y - row));
                        if (far > end - 0.6 && far < end + 0.6) continue;
                        const bool isIn = far < end;
                        const double fill = isIn ? ink.fill * opacity : 0.0,
                                     rim = isIn ? ink.rim * opacity : 0.0;
                        const Rgba found = picture[static_cast<size_t>(y * width + x)];
                        const double wanted[] = {fill * 200.0 / 255.0, fill + rim * (1.0 - fill)};
                        const double seen[] = {found.r / 255.0, found.a / 255.0};
                        for (int part = 0; part < 2; ++part)
                            QVERIFY2(std::abs(seen[part] - wanted[part]) <= limit,
                                     qPrintable(QStringLiteral("shape %1 size %2 at %3, %4: %5, %6")
                                                    .arg(static_cast<int>(shape))
                                                    .arg(size)
                                                    .arg(x - column)
                                                    .arg(y - row)
                                                    .arg(seen[part])
                                                    .arg(wanted[part])));
                    }
            }
        renderer.removeMarkers(handle);
    }
    // Where there are more markers than pixels, the last one in each pixel is drawn alone.
    void crowdsAreThoseOnTop() {
        GlFixture gl;
        if (!gl.valid()) QSKIP("no OpenGL here");
        SkyRenderer renderer;
        renderer.initialize();
        constexpr int kWidth = 64, kHeight = 40, kApart = 8, kRows = 4000;
        Camera camera;
        camera.projection = Projection::Gnomonic;
        camera.zoom = 20.0;
        const ViewGeometry view = camera.geometry(kWidth, kHeight, Frame::Galactic);
        // In pixels whose markers do not touch, away from their borders.
        std::mt19937_64 random(5);
        std::uniform_real_distribution<double> within(0.1, 0.9);
        std::vector<LonLat> places;
        for (int i = 0; i < kRows; ++i) {
            const auto middle = [&](int cells) {
                return kApart * static_cast<int>(random() % static_cast<unsigned>(cells)) +
                       kApart / 2;
            };
            Vec3 at;
            QVERIFY(skyFromImage(view, middle(kWidth / kApart) + within(random),
                                 middle(kHeight / kApart) + within(random), at));
            places.push_back(lonLat(at));
        }
        const Catalog catalog = catalogOf(places);
        const auto all = setOf(catalog);
        std::map<std::pair<int, int>, int64_t> owners;
        for (int64_t place = 0; place < all->size(); ++place) {
            double column = 0.0, row = 0.0;
            QVERIFY(imageFromSky(view, all->direction(place), column, row));
            owners[{static_cast<int>(column), static_cast<int>(row)}] = all->row(place);
        }
        QCOMPARE(owners.size(), size_t{kWidth / kApart * kHeight / kApart});
        std::vector<int64_t> rows;
        for (const auto& [pixel, row] : owners) rows.push_back(row);
        JobContext job;
        const auto top = MarkerSet::build(catalog, rows, job);
        const auto drawn = [&](const MarkerSet& set) {
            const MarkerHandle handle = renderer.uploadMarkers(set);
            SkyRenderer::Viewport viewport;
            viewport.width = kWidth;
            viewport.height = kHeight;
            gl.bindFramebuffer(kWidth, kHeight, {0, 0, 0, 0});
            renderer.drawMarkers(handle, set, view, {MarkerShape::Disc, 2.5, {255, 200, 90, 255}},
                                 0.9, 1.0, viewport);
            renderer.removeMarkers(handle);
            return gl.picture();
        };
        const std::vector<Rgba> found = drawn(*all), wanted = drawn(*top);
        QVERIFY(std::count_if(found.begin(), found.end(), [](Rgba c) { return c.a > 0; }) > 200);
        for (size_t i = 0; i < found.size(); ++i)
            QVERIFY(found[i].r == wanted[i].r && found[i].a == wanted[i].a);
    }
    // An even share of them, as while the hand moves.
    void sharesAreDrawn() {
        GlFixture gl;
        if (!gl.valid()) QSKIP("no OpenGL 3.3 context here");
        SkyRenderer renderer;
        renderer.initialize();
        const auto set = setOf(catalogOf(randomPlaces(4000)));
        const MarkerHandle handle = renderer.uploadMarkers(*set);
        SkyRenderer::Viewport viewport;
        viewport.width = 800;
        viewport.height = 400;
        const ViewGeometry view = Camera().geometry(800, 400, Frame::Galactic);
        const auto pixels = [&](int64_t most) {
            gl.bindFramebuffer(800, 400, {0, 0, 0, 0});
            renderer.drawMarkers(handle, *set, view, {MarkerShape::Disc, 2.0, {255, 255, 255, 255}},
                                 1.0, 1.0, viewport, most);
            const auto picture = gl.picture();
            return static_cast<double>(std::count_if(
                picture.begin(), picture.end(), [](const Rgba& pixel) { return pixel.a > 0; }));
        };
        const double all = pixels(0);
        QVERIFY(all > 4000.0);
        QCOMPARE(pixels(4000), all);
        // A quarter of them, whose markers overlap less.
        const double quarter = pixels(1000);
        QVERIFY2(quarter > 0.24 * all && quarter < 0.4 * all,
                 qPrintable(QString::number(quarter / all)));
        renderer.removeMarkers(handle);
    }
    // What a million rows cost here; told, not judged.
    void millionRows() {
        const Catalog catalog = catalogOf(randomPlaces(1000000));
        QElapsedTimer timer;
        const auto lap = [&timer](const char* what) {
            qInfo("%s: %.1f ms", what, static_cast<double>(timer.nsecsElapsed()) * 1e-6);
            timer.start();
        };
        timer.start();
        const auto set = setOf(catalog);
        lap("build");
        Camera camera;
        const ViewGeometry view = camera.geometry(1600, 900, Frame::Galactic);
        const MarkerStyle style;
        painted(*set, style, view, 30000);
        lap("paint while moving");
        painted(*set, style, view);
        lap("paint all");
        for (int i = 0; i < 1000; ++i) pickMarker(*set, view, 300.0 + i, 200.0 + 0.4 * i, 8.0);
        lap("1000 picks");
        GlFixture gl;
        if (!gl.valid()) return;
        SkyRenderer renderer;
        renderer.initialize();
        if (SkyRenderer::isSoftware(renderer.deviceName())) return;  // seconds a frame
        timer.start();
        const MarkerHandle handle = renderer.uploadMarkers(*set);
        lap("upload");
        for (const auto& [width, height] : {std::pair(1600, 900), std::pair(835, 500)}) {
            SkyRenderer::Viewport viewport;
            viewport.width = width;
            viewport.height = height;
            gl.bindFramebuffer(width, height, {0, 0, 0, 0});
            for (const double size : {1.5, 7.0}) {
                MarkerStyle dot;
                dot.shape = MarkerShape::Disc;
                dot.size = size;
                std::vector<double> times;
                for (int i = 0; i < 21; ++i) {
                    const ViewGeometry turned =
                        camera.centeredOn({0.05 * i, 0.3}).geometry(width, height, Frame::Galactic);
                    gl.finish();
                    timer.start();
                    renderer.drawMarkers(handle, *set, turned, dot, 1.0, 1.0, viewport);
                    gl.finish();
                    times.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
                }
                std::nth_element(times.begin(), times.begin() + 10, times.end());
                qInfo("a frame of OpenGL, %d x %d, dots of %.1f pixels: %.2f ms", width, height,
                      size, times[10]);
            }
        }
        renderer.removeMarkers(handle);
    }
};

QTEST_MAIN(MarkersTest)
#include "tst_markers.moc"
