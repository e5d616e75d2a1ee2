// SPDX-License-Identifier: GPL-3.0-or-later
// Markers: their spatial index, picking compared with all rows, pictures by the CPU and by OpenGL.
#include <QOpenGLExtraFunctions>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "armilla/draw/camera.h"
#include "armilla/draw/markers.h"
#include "armilla/render/sky_renderer.h"
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

// Uniform over the sphere, fixed seed, within `radius` of the north pole.
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

// Center of the drawn pixels, weighted by alpha.
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

// OpenGL picture of a set on an empty background, in a panel with a border around it.
std::vector<Rgba> drawnByGl(GlFixture& gl, SkyRenderer& renderer, const MarkerSet& set,
                            const ViewGeometry& view, const MarkerStyle& style, double opacity,
                            double pixelRatio = 1.0, int border = 0) {
    const MarkerHandle handle = renderer.uploadMarkers(set);
    const SkyRenderer::Viewport viewport{border, 2 * border, view.width, view.height};
    gl.bindFramebuffer(view.width + 2 * border, view.height + 4 * border, {0, 0, 0, 0});
    renderer.drawMarkers(handle, set, view, style, opacity, pixelRatio, viewport);
    renderer.removeMarkers(handle);
    return gl.picture();
}

}  // namespace

Q_DECLARE_METATYPE(armilla::Projection)

class MarkersTest : public QObject {
    Q_OBJECT

    static void pathsOfDensity() {
        QTest::addColumn<bool>("byGl");
        QTest::newRow("CPU") << false;
        QTest::newRow("OpenGL") << true;
    }

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
        // Six floats and a row number each; 12 * 8^2 cells and their end.
        QCOMPARE(set->memoryBytes(), int64_t{4999 * 28 + 769 * 8});
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
    // Every row in the picture is in the runs.
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
                // A close view visits only a small part.
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
            // Stamps lie on integer pixels: at most half a pixel off on each axis.
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
    // Rims end where pictures become densities.
    void rimsOfFew() {
        QCOMPARE(rimShare(5000), 1.0);
        QCOMPARE(rimShare(kMostSingleMarkers), 0.0);
    }
    // Two equal areas, one with nine times as many markers: the denser one is more opaque, both are
    // visible, and the picture has the color of the style alone.
    void densityShowsNumbers_data() { pathsOfDensity(); }
    void densityShowsNumbers() {
        QFETCH(bool, byGl);
        GlFixture gl;
        if (byGl && !gl.valid()) QSKIP("no OpenGL here");
        SkyRenderer renderer;
        if (byGl) renderer.initialize();
        const ViewGeometry view = Camera().geometry(300, 150, Frame::Galactic);
        const MarkerStyle style{MarkerShape::Disc, 3.0, {250, 120, 60, 255}};
        std::vector<LonLat> places = randomPlaces(100000);
        const auto sparse = std::stable_partition(places.begin(), places.end(),
                                                  [](LonLat place) { return place.lon < kPi; });
        places.erase(sparse + std::distance(sparse, places.end()) / 9, places.end());
        const auto set = setOf(catalogOf(places));
        const auto picture = byGl ? drawnByGl(gl, renderer, *set, view, style, 1.0)
                                  : painted(*set, style, view).pixels;
        double alpha[2] = {}, pixels[2] = {};
        for (int y = 30; y < 120; ++y)
            for (int x = 80; x < 220; ++x) {
                const Rgba found = picture[static_cast<size_t>(y * 300 + x)];
                alpha[x < 150] += found.a;
                pixels[x < 150] += 1.0;
                // Both are rounded to bytes.
                QVERIFY(std::abs(found.r - 250.0 * found.a / 255.0) <= 1.0);
            }
        // By the formula of DensityTone: about 11 and 1.2 markers in a disc of 7 pixels, averages 6
        // over pixels and 10 over markers. That gives alphas of 0.68 and 0.24; the limits leave the
        // scatter of counts.
        const double dense = alpha[1] / pixels[1] / 255.0, few = alpha[0] / pixels[0] / 255.0;
        QVERIFY2(dense > 0.5 && dense < 0.85 && few > 0.12 && few < 0.4,
                 qPrintable(QStringLiteral("%1 %2").arg(dense).arg(few)));
    }
    // OpenGL and CPU count in the same pixels. Positions in single precision move a few markers to
    // the next pixel, which changes the alpha there by a part of it.
    void densityByOpenGlAgrees_data() { runsHoldTheWholePicture_data(); }
    void densityByOpenGlAgrees() {
        QFETCH(Projection, projection);
        GlFixture gl;
        if (!gl.valid()) QSKIP("no OpenGL here");
        SkyRenderer renderer;
        renderer.initialize();
        constexpr int kWidth = 150, kHeight = 90, kBorder = 20;
        const auto set = setOf(catalogOf(randomPlaces(200000)));
        for (const double zoom : {0.8, 2.0})
            for (const double size : {1.0, 2.5, 15.0}) {
                Camera camera;
                camera.projection = projection;
                camera.zoom = zoom;
                camera.orientation = skyFromViewRotation({0.4 * size, 0.3}, 0.4);
                ViewGeometry view = camera.geometry(kWidth, kHeight, Frame::Galactic);
                view.flip = size > 2.0;
                const MarkerStyle style{MarkerShape::Circle, size, {250, 120, 60, 255}};
                const auto wanted = painted(*set, style, view).pixels;
                const auto found = drawnByGl(gl, renderer, *set, view, style, 1.0, 1.0, kBorder);
                const int columns = kWidth + 2 * kBorder;
                double off = 0.0, ink = 0.0;
                for (int y = 0; y < kHeight + 4 * kBorder; ++y)
                    for (int x = 0; x < columns; ++x) {
                        const int a = found[static_cast<size_t>(y * columns + x)].a;
                        const int column = x - kBorder, row = y - 2 * kBorder;
                        // Nothing is drawn outside of the panel.
                        if (column < 0 || row < 0 || column >= kWidth || row >= kHeight) {
                            QCOMPARE(a, 0);
                            continue;
                        }
                        const int b = wanted[static_cast<size_t>(row * kWidth + column)].a;
                        off += std::abs(a - b);
                        ink += b;
                    }
                QVERIFY2(off < 0.01 * ink, qPrintable(QString::number(off / ink)));
            }
    }
    // A marker next to the picture counts in it, one farther away does not.
    void densityReachesIn_data() { pathsOfDensity(); }
    void densityReachesIn() {
        QFETCH(bool, byGl);
        GlFixture gl;
        if (byGl && !gl.valid()) QSKIP("no OpenGL here");
        SkyRenderer renderer;
        if (byGl) renderer.initialize();
        constexpr int kWidth = 64, kHeight = 40;
        Camera camera;
        camera.projection = Projection::Gnomonic;
        camera.zoom = 20.0;
        const ViewGeometry view = camera.geometry(kWidth, kHeight, Frame::Galactic);
        const MarkerStyle style{MarkerShape::Disc, 12.0, {200, 100, 50, 255}};
        for (const int out : {1, 4})
            for (const auto& [column, row] : {std::pair{-out, 20},
                                              {kWidth - 1 + out, 20},
                                              {30, -out},
                                              {30, kHeight - 1 + out}}) {
                Vec3 at;
                QVERIFY(skyFromImage(view, column + 0.5, row + 0.5, at));
                const auto set = setOf(catalogOf(
                    std::vector<LonLat>(static_cast<size_t>(kMostSingleMarkers) + 1, lonLat(at))));
                const auto picture = byGl ? drawnByGl(gl, renderer, *set, view, style, 1.0)
                                          : painted(*set, style, view).pixels;
                const bool isSeen = std::any_of(picture.begin(), picture.end(),
                                                [](Rgba pixel) { return pixel.a > 0; });
                QCOMPARE(isSeen, out == 1);
            }
    }
    // OpenGL and CPU draw markers at the same positions to a tenth of a pixel: 5 mas at the largest
    // zoom, where a pixel is 0.05".
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
    // Pixel by pixel an OpenGL marker equals the formula that CPU threads stamp.
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
                // A hundredth of a pixel from the single-precision position, and rounding to bytes.
                const double limit = 0.01 + 1.0 / 255.0;
                for (int y = 0; y < height; ++y)
                    for (int x = 0; x < width; ++x) {
                        const MarkerInk ink = markerInk(style, ratio, x - column, y - row);
                        const double fill = ink.fill * opacity, edge = ink.edge * opacity;
                        const Rgba found = picture[static_cast<size_t>(y * width + x)];
                        const double wanted[] = {fill * 200.0 / 255.0, fill + edge * (1.0 - fill)};
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
    // A marker whose center is off the picture still extends into it.
    void markersReachIn() {
        GlFixture gl;
        if (!gl.valid()) QSKIP("no OpenGL here");
        SkyRenderer renderer;
        renderer.initialize();
        constexpr int kWidth = 64, kHeight = 40, kOut = 3;
        Camera camera;
        camera.projection = Projection::Gnomonic;
        camera.zoom = 20.0;
        const ViewGeometry view = camera.geometry(kWidth, kHeight, Frame::Galactic);
        for (const auto& [column, row] : {std::pair{-kOut, 20},
                                          {kWidth - 1 + kOut, 20},
                                          {30, -kOut},
                                          {30, kHeight - 1 + kOut}}) {
            Vec3 at;
            QVERIFY(skyFromImage(view, column + 0.5, row + 0.5, at));
            const auto set = setOf(catalogOf({lonLat(at)}));
            const MarkerStyle style{MarkerShape::Disc, 12.0, {200, 100, 50, 255}};
            const auto picture = drawnByGl(gl, renderer, *set, view, style, 1.0);
            for (int y = 0; y < kHeight; ++y)
                for (int x = 0; x < kWidth; ++x) {
                    const double wanted = markerInk(style, 1.0, x - column, y - row).fill;
                    const int found = picture[static_cast<size_t>(y * kWidth + x)].r;
                    QVERIFY(std::abs(found / 255.0 - wanted * 200.0 / 255.0) < 0.015);
                }
        }
    }
    void stateIsKept() {
        GlFixture gl;
        if (!gl.valid()) QSKIP("no OpenGL here");
        SkyRenderer renderer;
        renderer.initialize();
        QOpenGLExtraFunctions* const f = gl.extraFunctions();
        GLuint texture = 0;
        f->glGenTextures(1, &texture);
        f->glActiveTexture(GL_TEXTURE0);
        f->glBindTexture(GL_TEXTURE_2D, texture);
        f->glBlendFunc(GL_DST_ALPHA, GL_ZERO);
        const auto all = [&] {
            QList<GLint> state;
            GLint value = 0;
            for (const GLenum name :
                 {GL_TEXTURE_BINDING_2D, GL_CURRENT_PROGRAM, GL_VERTEX_ARRAY_BINDING,
                  GL_DRAW_FRAMEBUFFER_BINDING, GL_PROGRAM_POINT_SIZE, GL_BLEND, GL_BLEND_SRC_RGB}) {
                f->glGetIntegerv(name, &value);
                state << value;
            }
            return state;
        };
        gl.bindFramebuffer(40, 30);
        for (const size_t count : {size_t{5000}, size_t{50000}}) {
            const auto set = setOf(catalogOf(randomPlaces(count)));
            const MarkerHandle handle = renderer.uploadMarkers(*set);
            const QList<GLint> before = all();
            renderer.drawMarkers(handle, *set, Camera().geometry(40, 30, Frame::Galactic), {}, 1.0,
                                 1.0, {0, 0, 40, 30});
            QCOMPARE(all(), before);
            QCOMPARE(f->glGetError(), GLenum{GL_NO_ERROR});
            renderer.removeMarkers(handle);
        }
        f->glDeleteTextures(1, &texture);
    }
    // An even sample of the markers, as used while the view moves.
    void sharesAreDrawn() {
        GlFixture gl;
        if (!gl.valid()) QSKIP("no OpenGL 3.3 context here");
        SkyRenderer renderer;
        renderer.initialize();
        const auto set = setOf(catalogOf(randomPlaces(4000)));
        SkyRenderer::Viewport viewport;
        viewport.width = 800;
        viewport.height = 400;
        const ViewGeometry view = Camera().geometry(800, 400, Frame::Galactic);
        const auto pixels = [&](int64_t most) {
            gl.bindFramebuffer(800, 400, {0, 0, 0, 0});
            renderer.drawSomeMarkers(*set, view, {MarkerShape::Disc, 2.0, {255, 255, 255, 255}},
                                     1.0, 1.0, viewport, most);
            const auto picture = gl.picture();
            return static_cast<double>(std::count_if(
                picture.begin(), picture.end(), [](const Rgba& pixel) { return pixel.a > 0; }));
        };
        const MarkerHandle handle = renderer.uploadMarkers(*set);
        gl.bindFramebuffer(800, 400, {0, 0, 0, 0});
        renderer.drawMarkers(handle, *set, view, {MarkerShape::Disc, 2.0, {255, 255, 255, 255}},
                             1.0, 1.0, viewport);
        const auto picture = gl.picture();
        renderer.removeMarkers(handle);
        const auto all = static_cast<double>(std::count_if(
            picture.begin(), picture.end(), [](const Rgba& pixel) { return pixel.a > 0; }));
        QVERIFY(all > 4000.0);
        QCOMPARE(pixels(4000), all);
        // A quarter of the markers, which overlap less.
        const double quarter = pixels(1000);
        QVERIFY2(quarter > 0.24 * all && quarter < 0.4 * all,
                 qPrintable(QString::number(quarter / all)));
        // A set of any size takes as many markers, here one of 250.
        const auto large = setOf(catalogOf(randomPlaces(1'000'000)));
        gl.bindFramebuffer(800, 400, {0, 0, 0, 0});
        renderer.drawSomeMarkers(*large, view, {MarkerShape::Disc, 1.0, {255, 255, 255, 255}}, 1.0,
                                 1.0, viewport, 4000);
        const auto few = gl.picture();
        const auto inked = static_cast<double>(
            std::count_if(few.begin(), few.end(), [](const Rgba& pixel) { return pixel.a > 0; }));
        // In a density, a disc of 1 pixel is one pixel. The ellipse has 250,000 pixels; 32 of 4000
        // random places share theirs with another one.
        QVERIFY2(inked > 3900.0 && inked <= 4000.0, qPrintable(QString::number(inked)));
    }
};

QTEST_MAIN(MarkersTest)
#include "tst_markers.moc"
