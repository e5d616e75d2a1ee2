// SPDX-License-Identifier: GPL-3.0-or-later
// OpenGL pictures compared with those of the CPU. Needs an OpenGL 3.3 context.
#include <QOpenGLFunctions_3_3_Core>
#include <QOpenGLVersionFunctionsFactory>
#include <QPainter>
#include <QtTest>
#include <algorithm>

#include "armilla/core/error.h"
#include "armilla/draw/camera.h"
#include "armilla/draw/image_renderer.h"
#include "armilla/render/sky_renderer.h"
#include "sky_probe.h"
#include "support/gl_fixture.h"
#include "support/picture_rows.h"
#include "support/pictures.h"
#include "support/projections.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// Centers at ordinary positions, at both poles, at the border of belt and cap (z = 2/3), and at the
// corner of four faces.
const std::vector<LonLat> kCenters = {{0.0, 0.0},  {2.1, 0.3},          {0.7, kHalfPi},
                                      {5.0, -1.5}, {1.3, 0.7297276562}, {kHalfPi, -0.5}};

Camera cameraAt(Projection projection, size_t place, double zoom) {
    Camera camera;
    camera.projection = projection;
    camera.zoom = zoom;
    camera.flip = place == 1;
    camera.orientation = skyFromViewRotation(kCenters[place], 0.1 * static_cast<double>(place));
    return camera;
}

// True if a direction lies within `slack` pixels of the border of its pixel, so that a step of that
// length reaches a neighbor.
bool nearBorder(int64_t nside, Vec3 d, double slack) {
    const double step = slack / static_cast<double>(nside);
    const Vec3 side =
        normalized(std::fabs(d.z) < 0.9 ? cross(d, Vec3{0, 0, 1}) : cross(d, Vec3{1, 0, 0}));
    const Vec3 up = cross(side, d);
    const int64_t own = nestedFromDirection(nside, d);
    for (int i = 0; i < 16; ++i) {
        const double angle = i * kTwoPi / 16.0;
        const Vec3 moved = d + (step * std::cos(angle)) * side + (step * std::sin(angle)) * up;
        if (nestedFromDirection(nside, moved) != own) return true;
    }
    return false;
}

ColorScale unitScale() {
    ColorScale scale;
    scale.mapping.low = 0.1F;
    scale.mapping.high = 0.9F;
    scale.outside = {10, 20, 30, 255};
    scale.bad = {255, 0, 255, 255};
    return scale;
}

}  // namespace

Q_DECLARE_METATYPE(armilla::Projection)
Q_DECLARE_METATYPE(armilla::Scale)

bool sameValues(const std::vector<float>& a, const std::vector<float>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](float x, float y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

class SkyRendererTest : public QObject {
    Q_OBJECT
private slots:
    // First coarse, then finer level by level, one piece at a time if there is no time budget;
    // finally the same picture as after an immediate upload.
    void uploadsInPieces() {
        JobContext job;
        const MapPyramid pyramid =
            MapPyramid::build(noiseMap(2048, Ordering::Nested), 0, 2048, job);
        const ViewGeometry view =
            cameraAt(Projection::Gnomonic, 1, 40.0).geometry(120, 90, Frame::Galactic);
        const MapHandle map = renderer_->upload(pyramid, UploadPace::InPieces);
        QCOMPARE(renderer_->drawnNside(map), int64_t{256});
        MapPyramid part = pyramid;
        std::vector<int64_t> drawn;
        int calls = 0;
        for (bool whole = false; !whole; ++calls) {
            const int64_t nside = renderer_->drawnNside(map);
            if (drawn.empty() || drawn.back() != nside) {
                drawn.push_back(nside);
                part = pyramid;
                while (part.nside() > nside) part = part.coarser();
                const MapHandle alone = renderer_->upload(part);
                QVERIFY(sameValues(SkyProbe::values(*renderer_, map, view),
                                   SkyProbe::values(*renderer_, alone, view)));
                renderer_->remove(alone);
            }
            whole = renderer_->advanceUpload(map, 0.0);
        }
        QCOMPARE(drawn, (std::vector<int64_t>{256, 512, 1024}));
        // 12 nside^2 values of the three missing levels, 2^18 a piece.
        QCOMPARE(calls, 12 + 48 + 192);
        QCOMPARE(renderer_->drawnNside(map), int64_t{2048});
        const MapHandle atOnce = renderer_->upload(pyramid);
        QVERIFY(sameValues(SkyProbe::values(*renderer_, map, view),
                           SkyProbe::values(*renderer_, atOnce, view)));
        renderer_->remove(atOnce);
        renderer_->remove(map);
    }

    void initTestCase() {
        gl_ = std::make_unique<GlFixture>();
        if (!gl_->valid()) QSKIP("no OpenGL 3.3 context here");
        renderer_ = std::make_unique<SkyRenderer>();
        renderer_->initialize();
    }
    void cleanupTestCase() {
        renderer_.reset();
        gl_.reset();
    }

    void indices_data() {
        QTest::addColumn<Projection>("projection");
        QTest::addColumn<qint64>("nside");
        QTest::addColumn<double>("zoom");
        QTest::addColumn<double>("share");
        QTest::addColumn<double>("slack");
        // Single precision: directions accurate to about 1e-7, hence 1e-7 nside pixels across
        // either of two families of borders, each crossed with that probability. Measured: 1.3e-7
        // nside for whole skies. When zoomed in, errors shrink with the distance from the center.
        // At 1e4 times the remaining errors are 2^-24 pixels of the split anchor and the float
        // columns.
        for (const auto& [name, projection] : kProjections)
            for (const qint64 nside : {1, 64, 1024, 8192})
                for (const double zoom : {1.0, 30.0, 1e4}) {
                    const double reach = 4e-7 * static_cast<double>(nside) / std::sqrt(zoom);
                    QTest::addRow("%s, nside %d, zoom %g", name, static_cast<int>(nside), zoom)
                        << projection << nside << zoom << std::min(0.002, 0.5 * reach + 3e-5)
                        << 4.0 * reach + 1e-4;
                }
    }
    void indices() {
        QFETCH(Projection, projection);
        QFETCH(qint64, nside);
        QFETCH(double, zoom);
        QFETCH(double, share);
        QFETCH(double, slack);
        JobContext job;
        long onSky = 0, different = 0, border = 0;
        for (size_t place = 0; place < kCenters.size(); ++place) {
            const ViewGeometry view =
                cameraAt(projection, place, zoom).geometry(480, 270, Frame::Galactic);
            const auto expected = renderIndices(nside, Ordering::Nested, view, job);
            const auto actual = SkyProbe::indices(*renderer_, nside, view);
            QCOMPARE(actual.size(), expected.size());
            for (size_t i = 0; i < actual.size(); ++i) {
                if ((actual[i] < 0) != (expected[i] < 0)) ++border;
                if (actual[i] < 0 || expected[i] < 0) continue;
                ++onSky;
                if (actual[i] == expected[i]) continue;
                ++different;
                const auto column = static_cast<double>(i % 480),
                           row = static_cast<double>(i / 480);
                const PlanePoint at = planeFromImage(view, column + 0.5, row + 0.5);
                const PlaneRow line = planeRow(projection, at.y);
                Vec3 inView;
                QVERIFY(directionFromRow(projection, view.flip, line, at.x, inView));
                // Rounding in the plane grows with the stretch of the projection towards the edge.
                const double stretch =
                    std::max(1.0, footprintScale(projection, line, at.x, inView));
                QVERIFY2(nearBorder(nside, view.skyFromView * inView, stretch * slack),
                         qPrintable(QString("place %1, pixel %2").arg(place).arg(i)));
            }
        }
        QVERIFY(onSky > 50000);
        // Few image pixels have a center within 1e-7 of the sky's edge.
        QVERIFY2(border <= 4, qPrintable(QString::number(border)));
        QVERIFY2(different <= share * onSky,
                 qPrintable(QString("%1 of %2").arg(different).arg(onSky)));
    }

    // The closest realistic view: 1000 image pixels for a cell of nside 8192, 8e-8 rad each. Rows
    // and columns of the picture must change cells at the exact geometric positions, to half a
    // pixel.
    void deepViewIsCrisp_data() {
        QTest::addColumn<Projection>("projection");
        for (const auto& [name, projection] : kProjections) QTest::newRow(name) << projection;
    }
    void deepViewIsCrisp() {
        QFETCH(Projection, projection);
        JobContext job;
        for (size_t place = 0; place < kCenters.size(); ++place) {
            Camera camera = cameraAt(projection, place, 1.0);
            camera.zoom = camera.zoomFor(480, 270, kPi / 2.0 / 8192.0 / 1000.0);
            const ViewGeometry view = camera.geometry(480, 270, Frame::Galactic);
            const auto actual = SkyProbe::indices(*renderer_, 8192, view);
            const auto expected = renderIndices(8192, Ordering::Nested, view, job);
            long different = 0;
            for (size_t i = 0; i < actual.size(); ++i)
                different += actual[i] != expected[i] ? 1 : 0;
            // Half a pixel along borders, of which a window half as wide as a cell sees at most
            // four.
            QVERIFY2(different <= 2 * (480 + 270), qPrintable(QString::number(different)));
        }
    }

    // Values with levels and means, compared with the CPU's picture of a map whose color is its
    // value.
    void pictures_data() { addPictureRows({0.5, 1.0, 25.0}); }
    void pictures() {
        QFETCH(Projection, projection);
        QFETCH(Scale, scale);
        QFETCH(double, zoom);
        constexpr int width = 400, height = 300;
        JobContext job;
        const MapPyramid pyramid =
            MapPyramid::build(noiseMap(256, Ordering::Nested, 0.1), 0, 8192, job);
        const MapHandle map = renderer_->upload(pyramid);
        ColorScale colors = tellingScale(scale);
        colors.outside = unitScale().outside;
        colors.bad = unitScale().bad;
        const ViewGeometry view =
            cameraAt(projection, 1, zoom).geometry(width, height, Frame::Galactic);
        gl_->bindFramebuffer(width, height);
        renderer_->draw(map, view, colors, {0, 0, width, height});
        const auto expected = renderImage(pyramid, view, colors, job);
        // One step of the color map, at most 6 of 255 in a channel, if a position rounds to the
        // next entry. Larger differences occur only at 1e-7 of pixel borders, and where the blend
        // of levels passes 1/2 for a bad pixel.
        const long different = comparePictures(gl_->picture(), expected, width, height, 6, 60,
                                               QTest::currentDataTag());
        QVERIFY2(different >= 0 && different <= 60, qPrintable(QString::number(different)));
        renderer_->remove(map);
    }

    void valuesAreThoseOfTheMap() {
        constexpr int width = 320, height = 200;
        JobContext job;
        const HealpixMap source = noiseMap(64, Ordering::Ring, 0.2);
        const MapHandle map = renderer_->upload(MapPyramid::build(source, 0, 8192, job));
        const ViewGeometry view =
            cameraAt(Projection::Lambert, 1, 6.0).geometry(width, height, Frame::Galactic);
        const auto actual = SkyProbe::values(*renderer_, map, view);
        const auto expected = renderValues(source, 0, view, PixelInterpolation::Nearest, job);
        int different = 0;
        for (size_t i = 0; i < actual.size(); ++i)
            if (actual[i] != expected[i] && !(std::isnan(actual[i]) && std::isnan(expected[i])))
                ++different;
        QVERIFY2(different <= 2, qPrintable(QString::number(different)));  // 1e-7 * 64 of 64000
        renderer_->remove(map);
    }

    // Half the resolution, scaled up: the picture of the smaller view with each pixel doubled,
    // apart from the smoothing between neighbors.
    void coarseDrawing() {
        constexpr int width = 400, height = 200;
        JobContext job;
        const MapPyramid pyramid = MapPyramid::build(smoothMap(64, {0, 0, 1}, 0.0), 0, 8192, job);
        const MapHandle map = renderer_->upload(pyramid);
        ColorScale colors = unitScale();
        colors.mapping.low = -2.0F;
        colors.mapping.high = 2.0F;
        colors.colorMap = "gray";
        Camera camera = cameraAt(Projection::Mollweide, 0, 3.0);
        const ViewGeometry small = camera.geometry(width / 2, height / 2, Frame::Galactic);
        gl_->bindFramebuffer(width, height);
        renderer_->draw(map, small, colors, {0, 0, width, height});
        const auto drawn = gl_->picture();
        const auto expected = renderImage(pyramid, small, colors, job);
        double sum = 0.0;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                sum += std::abs(drawn[static_cast<size_t>(y * width + x)].r -
                                expected[static_cast<size_t>(y / 2 * (width / 2) + x / 2)].r);
        // Cells are 9 pixels wide and differ by some 6 gray levels; smoothing touches a quarter.
        QVERIFY2(sum / (width * height) < 2.0, qPrintable(QString::number(sum / (width * height))));
        renderer_->remove(map);
    }

    void swipeDrawsItsShareOnly() {
        constexpr int width = 200, height = 100;
        JobContext job;
        const MapHandle map =
            renderer_->upload(MapPyramid::build(noiseMap(16, Ordering::Ring), 0, 16, job));
        const Rgba ground{1, 2, 3, 255};
        gl_->bindFramebuffer(width, height, ground);
        const ViewGeometry view =
            cameraAt(Projection::Cartesian, 0, 1.0).geometry(width, height, Frame::Galactic);
        SkyRenderer::Viewport viewport{0, 0, width, height, 0.25, 0.75};
        renderer_->draw(map, view, unitScale(), viewport);
        const auto drawn = gl_->picture();
        for (int x = 0; x < width; ++x)
            QCOMPARE(drawn[static_cast<size_t>(height / 2 * width + x)] == ground,
                     x < width / 4 || x >= 3 * width / 4);
        renderer_->remove(map);
    }

    // A viewport smaller than the framebuffer, and a transparent outside.
    void viewportAndTransparency() {
        constexpr int width = 300, height = 200;
        JobContext job;
        const MapPyramid pyramid = MapPyramid::build(noiseMap(16, Ordering::Ring), 0, 16, job);
        const MapHandle map = renderer_->upload(pyramid);
        const Rgba ground{9, 8, 7, 255};
        ColorScale colors = unitScale();
        colors.outside = {0, 0, 0, 0};
        const ViewGeometry view =
            cameraAt(Projection::Mollweide, 0, 1.0).geometry(160, 100, Frame::Galactic);
        gl_->bindFramebuffer(width, height, ground);
        renderer_->draw(map, view, colors, {100, 60, 160, 100});
        const auto drawn = gl_->picture();
        const auto expected = renderImage(pyramid, view, colors, job);
        long different = 0;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                // 60 pixels up from the bottom: rows 40 .. 139 from the top.
                const bool inside = x >= 100 && x < 260 && y >= 40 && y < 140;
                Rgba want = ground;
                if (inside) {
                    const Rgba sky = expected[static_cast<size_t>((y - 40) * 160 + x - 100)];
                    if (sky.a != 0) want = sky;
                }
                different +=
                    colorDistance(drawn[static_cast<size_t>(y * width + x)], want) > 6 ? 1 : 0;
            }
        QVERIFY2(different <= 5, qPrintable(QString::number(different)));
        renderer_->remove(map);
    }

    void mapsThatDoNotFit() {
        JobContext job;
        SkyRenderer small;
        small.initialize();
        QVERIFY(small.maxNside() >= 1024);  // OpenGL 3.3 promises textures of 1024
        const MapPyramid pyramid = MapPyramid::build(noiseMap(64, Ordering::Ring), 0, 8192, job);
        const MapHandle map =
            small.upload(MapPyramid::build(noiseMap(32, Ordering::Ring), 0, 32, job));
        SkyProbe::limitNside(small, 32);
        QCOMPARE(small.maxNside(), int64_t{32});
        QVERIFY_EXCEPTION_THROWN(small.upload(pyramid), OutOfMemory);
        QVERIFY_EXCEPTION_THROWN(small.replace(map, pyramid), OutOfMemory);
        // The existing map still draws, and the smaller pyramid is uploaded.
        const ViewGeometry view =
            cameraAt(Projection::Gnomonic, 0, 1.0).geometry(20, 20, Frame::Galactic);
        QVERIFY(!std::isnan(SkyProbe::values(small, map, view)[210]));
        const MapPyramid fits =
            MapPyramid::build(noiseMap(64, Ordering::Ring), 0, small.maxNside(), job);
        QVERIFY(fits.degraded());
        small.replace(map, fits);
        // The deepest part that fits draws means of the finer levels.
        const SkyRenderer::Fitted fitted = small.uploadWhatFits(pyramid);
        QCOMPARE(fitted.nside, int64_t{32});
        const auto means = SkyProbe::values(small, map, view),
                   drawn = SkyProbe::values(small, fitted.map, view);
        for (size_t i = 0; i < means.size(); ++i)
            QVERIFY(drawn[i] == means[i] || (std::isnan(drawn[i]) && std::isnan(means[i])));
        QVERIFY_EXCEPTION_THROWN(small.draw(77, view, unitScale(), {0, 0, 20, 20}),
                                 InvalidArgument);
    }

    void stateIsRestored() {
        auto* gl = QOpenGLVersionFunctionsFactory::get<QOpenGLFunctions_3_3_Core>();
        QVERIFY(gl != nullptr);
        JobContext job;
        const MapPyramid pyramid = MapPyramid::build(noiseMap(16, Ordering::Ring), 0, 16, job);
        gl_->bindFramebuffer(100, 80);
        GLuint array = 0, texture = 0, buffer = 0;
        gl->glGenVertexArrays(1, &array);
        gl->glBindVertexArray(array);
        gl->glGenTextures(1, &texture);
        gl->glActiveTexture(GL_TEXTURE2);
        gl->glBindTexture(GL_TEXTURE_2D, texture);
        gl->glGenBuffers(1, &buffer);
        gl->glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
        gl->glEnable(GL_DEPTH_TEST);
        gl->glEnable(GL_SCISSOR_TEST);
        gl->glScissor(1, 2, 30, 40);
        gl->glViewport(3, 4, 50, 60);
        gl->glPixelStorei(GL_UNPACK_ALIGNMENT, 2);
        gl->glEnable(GL_BLEND);
        gl->glBlendFunc(GL_DST_COLOR, GL_ZERO);
        gl->glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
        const auto number = [&](GLenum name) {
            GLint value = 0;
            gl->glGetIntegerv(name, &value);
            return value;
        };
        const auto all = [&] {
            QList<GLint> state;
            for (const GLenum name :
                 {GL_CURRENT_PROGRAM, GL_VERTEX_ARRAY_BINDING, GL_ACTIVE_TEXTURE,
                  GL_TEXTURE_BINDING_2D, GL_TEXTURE_BINDING_2D_ARRAY, GL_DRAW_FRAMEBUFFER_BINDING,
                  GL_READ_FRAMEBUFFER_BINDING, GL_PIXEL_UNPACK_BUFFER_BINDING, GL_DEPTH_TEST,
                  GL_SCISSOR_TEST, GL_BLEND, GL_BLEND_SRC_RGB, GL_BLEND_DST_ALPHA,
                  GL_UNPACK_ALIGNMENT})
                state << number(name);
            GLint four[4];
            for (const GLenum name : {GL_SCISSOR_BOX, GL_VIEWPORT, GL_COLOR_WRITEMASK}) {
                gl->glGetIntegerv(name, four);
                state << four[0] << four[1] << four[2] << four[3];
            }
            return state;
        };
        const QList<GLint> before = all();
        const ViewGeometry view =
            cameraAt(Projection::Mollweide, 0, 1.0).geometry(50, 40, Frame::Galactic);
        SkyRenderer renderer;
        renderer.initialize();
        QCOMPARE(all(), before);
        const MapHandle map = renderer.upload(pyramid);
        QCOMPARE(all(), before);
        renderer.draw(map, view, unitScale(), {0, 0, 100, 80});  // coarse
        QCOMPARE(all(), before);
        renderer.draw(map, view, unitScale(), {0, 0, 50, 40});
        QCOMPARE(all(), before);
        SkyProbe::indices(renderer, 16, view);
        SkyProbe::values(renderer, map, view);
        renderer.replace(map, pyramid);
        renderer.remove(map);
        QCOMPARE(all(), before);
        QCOMPARE(gl->glGetError(), static_cast<GLenum>(GL_NO_ERROR));
        gl->glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        gl->glDisable(GL_DEPTH_TEST);
        gl->glDisable(GL_SCISSOR_TEST);
        gl->glDisable(GL_BLEND);
        gl->glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
        gl->glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
        gl->glDeleteTextures(1, &texture);
        gl->glDeleteBuffers(1, &buffer);
        gl->glBindVertexArray(0);
        gl->glDeleteVertexArrays(1, &array);
    }

    void pathsAreNamed() {
        QVERIFY(!renderer_->deviceName().empty());
        QVERIFY(renderer_->whyNot(DrawPath::OpenGl).empty());
        const auto paths = renderer_->availablePaths();
        const bool cuda = std::find(paths.begin(), paths.end(), DrawPath::Cuda) != paths.end();
        QCOMPARE(renderer_->whyNot(DrawPath::Cuda).empty(), cuda);
        if (!cuda) QVERIFY_EXCEPTION_THROWN(renderer_->setPath(DrawPath::Cuda), Unsupported);
        QCOMPARE(renderer_->path(), DrawPath::OpenGl);
    }

private:
    std::unique_ptr<GlFixture> gl_;
    std::unique_ptr<SkyRenderer> renderer_;
};

QTEST_MAIN(SkyRendererTest)
#include "tst_sky_renderer.moc"
