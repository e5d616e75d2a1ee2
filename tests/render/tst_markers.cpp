// SPDX-License-Identifier: GPL-3.0-or-later
// Markers: their spatial index, picking compared with all rows, pictures by the CPU and by OpenGL.
#include <QOpenGLExtraFunctions>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "armilla/render/camera.h"
#include "armilla/render/markers.h"
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
                            double pixelRatio = 1.0, int64_t most = 0, int border = 0) {
    const MarkerHandle handle = renderer.uploadMarkers(set);
    const SkyRenderer::Viewport viewport{border, 2 * border, view.width, view.height};
    gl.bindFramebuffer(view.width + 2 * border, view.height + 4 * border, {0, 0, 0, 0});
    renderer.drawMarkers(handle, set, view, style, opacity, pixelRatio, viewport, most);
    renderer.removeMarkers(handle);
    return gl.picture();
}

int farthest(const std::vector<Rgba>& a, const std::vector<Rgba>& b) {
    int most = 0;
    for (size_t i = 0; i < a.size(); ++i)
        for (const auto part : {&Rgba::r, &Rgba::g, &Rgba::b, &Rgba::a})
            most = std::max(most, std::abs(int{a[i].*part} - int{b[i].*part}));
    return most;
}

}  // namespace

Q_DECLARE_METATYPE(armilla::CrowdPath)
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
    // A crowd shows no order of drawing: each pixel has the color of the markers, without dark
    // edges over other markers. A few markers keep their edges.
    void crowdsHaveOneColor() {
        const ViewGeometry view = Camera().geometry(300, 150, Frame::Galactic);
        const MarkerStyle style{MarkerShape::Disc, 3.0, {250, 120, 60, 255}};
        // Darkest pixel relative to the color of the markers, among opaque pixels.
        const auto darkest = [&](const std::vector<Rgba>& pixels) {
            double least = 1.0;
            for (const Rgba& pixel : pixels)
                if (pixel.a > 100) least = std::min(least, pixel.r * 255.0 / (pixel.a * 250.0));
            return least;
        };
        const auto many = setOf(catalogOf(randomPlaces(30000)));
        const auto few = setOf(catalogOf(randomPlaces(1000)));
        // Bytes round after each marker, at most half a step of 250 divided by the alpha.
        QVERIFY(darkest(painted(*many, style, view).pixels) > 0.95);
        QVERIFY(darkest(painted(*few, style, view).pixels) < 0.8);
        QCOMPARE(rimShare(5000), 1.0);
        QCOMPARE(rimShare(10000), 0.0);
        GlFixture gl;
        if (!gl.valid()) QSKIP("no OpenGL here");
        SkyRenderer renderer;
        renderer.initialize();
        QVERIFY(darkest(drawnByGl(gl, renderer, *many, view, style, 1.0)) > 0.95);
        QVERIFY(darkest(drawnByGl(gl, renderer, *few, view, style, 1.0)) < 0.8);
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
    // If there are more markers than pixels, only the last one in each pixel is drawn.
    void crowdsAreThoseOnTop_data() {
        QTest::addColumn<CrowdPath>("path");
        QTest::newRow("points") << CrowdPath::Points;
        QTest::newRow("compute") << CrowdPath::Compute;
    }
    void crowdsAreThoseOnTop() {
        QFETCH(CrowdPath, path);
        GlFixture gl;
        if (!gl.valid()) QSKIP("no OpenGL here");
        SkyRenderer renderer;
        renderer.initialize();
        if (!renderer.whyNot(path).empty()) QSKIP(renderer.whyNot(path).c_str());
        renderer.setCrowdPath(path);
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
            return drawnByGl(gl, renderer, set, view, {MarkerShape::Disc, 2.5, {255, 200, 90, 255}},
                             0.9);
        };
        const std::vector<Rgba> found = drawn(*all), wanted = drawn(*top);
        QVERIFY(std::count_if(found.begin(), found.end(), [](Rgba c) { return c.a > 0; }) > 200);
        // The few top markers are points in both paths; the other path rounds a pixel once, not
        // after each marker.
        QVERIFY(farthest(found, wanted) <= (path == CrowdPath::Points ? 0 : 1));
        QCOMPARE(renderer.crowdPath(), path);
    }
    // Compute shaders draw the markers of all points in order.
    void crowdsByComputeAgree_data() { runsHoldTheWholePicture_data(); }
    void crowdsByComputeAgree() {
        QFETCH(Projection, projection);
        GlFixture gl;
        if (!gl.valid()) QSKIP("no OpenGL here");
        SkyRenderer renderer;
        renderer.initialize();
        if (!renderer.whyNot(CrowdPath::Compute).empty())
            QSKIP(renderer.whyNot(CrowdPath::Compute).c_str());
        constexpr int kWidth = 150, kHeight = 90;  // no multiple of a square
        const auto set = setOf(catalogOf(randomPlaces(200000)));
        int round = 0;
        for (const double zoom : {0.8, 2.0})
            for (const MarkerShape shape :
                 {MarkerShape::Circle, MarkerShape::Disc, MarkerShape::Square, MarkerShape::Diamond,
                  MarkerShape::Cross, MarkerShape::Plus}) {
                const bool isEven = round++ % 2 == 0;
                Camera camera;
                camera.projection = projection;
                camera.zoom = zoom;
                camera.orientation = skyFromViewRotation({0.4 * round, 0.3}, 0.4);
                ViewGeometry view = camera.geometry(kWidth, kHeight, Frame::Galactic);
                view.flip = isEven;
                const MarkerStyle style{shape, isEven ? 7.0 : 15.0, {250, 120, 60, 255}};
                const double opacity = isEven ? 1.0 : 0.3, ratio = isEven ? 1.0 : 1.5;
                const int64_t most = isEven ? 0 : 100000;
                const int border = isEven ? 0 : 20;
                const auto drawn = [&](CrowdPath path) {
                    renderer.setCrowdPath(path);
                    return drawnByGl(gl, renderer, *set, view, style, opacity, ratio, most, border);
                };
                const auto points = drawn(CrowdPath::Points), once = drawn(CrowdPath::Compute);
                const int far = farthest(points, once);
                // Points round to bytes after each marker, of which the next one leaves 1 - alpha.
                // The error is half a step divided by the smallest frequent alpha. Crowds have no
                // dark edge, so that is a third of the opacity of 0.3 at the border of a stroke.
                QVERIFY2(far <= 5, qPrintable(QString::number(far)));
                // Nothing is drawn outside the panel.
                const auto columns = static_cast<size_t>(kWidth + 2 * border);
                for (size_t i = 0; i < once.size(); ++i)
                    if (i % columns < static_cast<size_t>(border) ||
                        i / columns < static_cast<size_t>(2 * border))
                        QCOMPARE(once[i].a, uint8_t{0});
                // The same in every run.
                QCOMPARE(farthest(once, drawn(CrowdPath::Compute)), 0);
                QCOMPARE(renderer.crowdPath(), CrowdPath::Compute);
            }
    }
    // A marker whose center is off the picture still extends into it.
    void markersReachIn_data() { crowdsAreThoseOnTop_data(); }
    void markersReachIn() {
        QFETCH(CrowdPath, path);
        GlFixture gl;
        if (!gl.valid()) QSKIP("no OpenGL here");
        SkyRenderer renderer;
        renderer.initialize();
        if (!renderer.whyNot(path).empty()) QSKIP(renderer.whyNot(path).c_str());
        renderer.setCrowdPath(path);
        constexpr int kWidth = 64, kHeight = 40, kOut = 3;
        Camera camera;
        camera.projection = Projection::Gnomonic;
        camera.zoom = 20.0;
        const ViewGeometry view = camera.geometry(kWidth, kHeight, Frame::Galactic);
        for (const auto& [column, row] :
             {std::pair{-kOut, 20}, {kWidth - 1 + kOut, 20}, {30, -kOut}, {30, kHeight - 1 + kOut}})
            // One marker, and as many markers at one position as make a crowd.
            for (const size_t count : {size_t{1}, size_t{kWidth * kHeight}}) {
                Vec3 at;
                QVERIFY(skyFromImage(view, column + 0.5, row + 0.5, at));
                const auto set = setOf(catalogOf(std::vector<LonLat>(count, lonLat(at))));
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
        if (!renderer.whyNot(CrowdPath::Compute).empty())
            QSKIP(renderer.whyNot(CrowdPath::Compute).c_str());
        renderer.setCrowdPath(CrowdPath::Compute);
        QOpenGLExtraFunctions* const f = gl.extraFunctions();
        GLuint buffers[2], texture = 0;
        f->glGenBuffers(2, buffers);
        f->glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffers[0]);
        f->glBufferData(GL_SHADER_STORAGE_BUFFER, 4096, nullptr, GL_STATIC_DRAW);
        f->glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, buffers[0], 1024, 512);
        f->glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffers[1]);
        f->glGenTextures(1, &texture);
        f->glActiveTexture(GL_TEXTURE0);
        f->glBindTexture(GL_TEXTURE_2D, texture);
        f->glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, 4, 4, 0, GL_RED, GL_FLOAT, nullptr);
        f->glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_ONLY, GL_R32F);
        const auto all = [&] {
            QList<GLint> state;
            GLint value = 0;
            for (const GLenum name :
                 {GL_SHADER_STORAGE_BUFFER_BINDING, GL_TEXTURE_BINDING_2D, GL_CURRENT_PROGRAM,
                  GL_VERTEX_ARRAY_BINDING, GL_DRAW_FRAMEBUFFER_BINDING, GL_PROGRAM_POINT_SIZE}) {
                f->glGetIntegerv(name, &value);
                state << value;
            }
            for (const GLenum name :
                 {GL_SHADER_STORAGE_BUFFER_BINDING, GL_SHADER_STORAGE_BUFFER_START,
                  GL_SHADER_STORAGE_BUFFER_SIZE, GL_IMAGE_BINDING_NAME, GL_IMAGE_BINDING_ACCESS,
                  GL_IMAGE_BINDING_FORMAT}) {
                f->glGetIntegeri_v(name, 0, &value);
                state << value;
            }
            return state;
        };
        const auto set = setOf(catalogOf(randomPlaces(5000)));
        const MarkerHandle handle = renderer.uploadMarkers(*set);
        gl.bindFramebuffer(40, 30);
        const QList<GLint> before = all();
        renderer.drawMarkers(handle, *set, Camera().geometry(40, 30, Frame::Galactic), {}, 1.0, 1.0,
                             {0, 0, 40, 30});
        QCOMPARE(all(), before);
        QCOMPARE(f->glGetError(), GLenum{GL_NO_ERROR});
        QCOMPARE(renderer.crowdPath(), CrowdPath::Compute);
        renderer.removeMarkers(handle);
        f->glDeleteTextures(1, &texture);
        f->glDeleteBuffers(2, buffers);
    }
    // An even sample of the markers, as used while the view moves.
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
        // A quarter of the markers, which overlap less.
        const double quarter = pixels(1000);
        QVERIFY2(quarter > 0.24 * all && quarter < 0.4 * all,
                 qPrintable(QString::number(quarter / all)));
        renderer.removeMarkers(handle);
    }
};

QTEST_MAIN(MarkersTest)
#include "tst_markers.moc"
