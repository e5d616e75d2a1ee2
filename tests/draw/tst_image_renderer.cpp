// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <algorithm>
#include <bit>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/draw/camera.h"
#include "armilla/draw/drawn_values.h"
#include "armilla/draw/image_renderer.h"
#include "row_cells.h"
#include "support/pictures.h"
#include "support/projections.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr int kWidth = 210, kHeight = 130;

ViewGeometry viewOf(Projection projection, double zoom, LonLat center = {0.6, 0.4}) {
    Camera camera;
    camera.projection = projection;
    camera.zoom = zoom;
    camera.orientation = skyFromViewRotation(center, 0.2);
    return camera.geometry(kWidth, kHeight, Frame::Galactic);
}

bool same(float a, float b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

// A scale on which the red channel of a gray picture encodes the value, 0 .. 1 in 255 steps.
ColorScale grayScale() {
    ColorScale scale;
    scale.colorMap = "gray";
    scale.bad = {255, 0, 0, 255};
    return scale;
}

}  // namespace

Q_DECLARE_METATYPE(armilla::Projection)

class ImageRendererTest : public QObject {
    Q_OBJECT
private slots:
    // Exactly the pixel index for the direction of each image pixel.
    void indices_data() {
        QTest::addColumn<Projection>("projection");
        QTest::addColumn<qint64>("nside");
        for (const auto& [name, projection] : kProjections)
            for (const qint64 nside : {1, 2, 7, 64, 1000, 1024, 8192, 1 << 29})
                QTest::addRow("%s, nside %d", name, static_cast<int>(nside)) << projection << nside;
    }
    void indices() {
        QFETCH(Projection, projection);
        QFETCH(qint64, nside);
        JobContext job;
        for (const double zoom : {0.7, 40.0})
            for (const Ordering ordering : {Ordering::Ring, Ordering::Nested}) {
                if (ordering == Ordering::Nested && !isPowerOfTwoNside(nside)) continue;
                const ViewGeometry view = viewOf(projection, zoom);
                const auto picture = renderIndices(nside, ordering, view, job);
                QCOMPARE(picture.size(), static_cast<size_t>(kWidth * kHeight));
                int onSky = 0;
                for (int j = 0; j < kHeight; ++j)
                    for (int i = 0; i < kWidth; ++i) {
                        Vec3 d;
                        int64_t expected = -1;
                        if (skyFromImage(view, i + 0.5, j + 0.5, d)) {
                            ++onSky;
                            expected = ordering == Ordering::Ring ? ringFromDirection(nside, d)
                                                                  : nestedFromDirection(nside, d);
                        }
                        QCOMPARE(picture[static_cast<size_t>(j * kWidth + i)], expected);
                    }
                QVERIFY(onSky > kWidth * kHeight / 8);
            }
    }

    void threadsDoNotMatter() {
        JobContext one({}, {}, 1), five({}, {}, 5);
        const MapPyramid pyramid = MapPyramid::build(noiseMap(64, Ordering::Ring, 0.2), 0, 64, one);
        const ViewGeometry view = viewOf(Projection::Mollweide, 1.0);
        QVERIFY(renderImage(pyramid, view, grayScale(), one) ==
                renderImage(pyramid, view, grayScale(), five));
    }

    // The colors of a picture are those of its values one by one: bad ones, ends and beyond, with
    // and without own colors, on every scale.
    void colors() {
        JobContext job;
        const MapPyramid pyramid = MapPyramid::build(noiseMap(64, Ordering::Ring, 0.2), 0, 64, job);
        const ViewGeometry view = viewOf(Projection::Mollweide, 1.0);
        const std::vector<float> values = drawnValues(pyramid, view, job);
        const auto pixels = renderIndices(1, Ordering::Nested, view, job);
        std::vector<float> sorted;
        for (const float value : values)
            if (!std::isnan(value)) sorted.push_back(value);
        std::sort(sorted.begin(), sorted.end());
        ColorScale scale = grayScale();
        scale.below = {0, 0, 255, 255};
        scale.above = {0, 255, 0, 255};
        for (size_t i = 0; i < 256; ++i)
            scale.cumulative[i] = sorted[i * (sorted.size() - 1) / 255];
        const ColorTable table = colorTable(scale.colorMap, scale.reversed);
        for (const Scale kind :
             {Scale::Linear, Scale::Log, Scale::SymLog, Scale::Asinh, Scale::Histogram})
            for (const float middle : {0.5F, 0.3F})
                for (const bool own : {false, true})
                    for (const bool isEmpty : {false, true}) {
                        scale.mapping.scale = kind;
                        scale.mapping.middle = middle;
                        scale.ownBelow = scale.ownAbove = own;
                        scale.mapping.low = sorted[sorted.size() / 3];
                        scale.mapping.high =
                            isEmpty ? scale.mapping.low : sorted[sorted.size() / 2];
                        const auto picture = renderImage(pyramid, view, scale, job);
                        for (size_t i = 0; i < picture.size(); ++i)
                            QVERIFY(
                                picture[i] ==
                                (pixels[i] < 0 ? scale.outside : colorOf(scale, table, values[i])));
                    }
    }

    void nearestValues() {
        JobContext job;
        for (const Ordering ordering : {Ordering::Ring, Ordering::Nested}) {
            const HealpixMap map = noiseMap(32, ordering, 0.2);
            const ViewGeometry view = viewOf(Projection::Lambert, 1.0);
            const auto values = renderValues(map, 0, view, PixelInterpolation::Nearest, job);
            const auto pixels = renderIndices(32, ordering, view, job);
            for (size_t i = 0; i < values.size(); ++i)
                QVERIFY(same(values[i], pixels[i] < 0
                                            ? std::nanf("")
                                            : static_cast<float>(map.value(0, pixels[i]))));
        }
    }

    // Compared with a sum written out here; bad pixels among the four are left out, a bad one under
    // the center gives bad.
    void bilinearValues() {
        JobContext job;
        const HealpixMap map = noiseMap(32, Ordering::Ring, 0.2);
        const ViewGeometry view = viewOf(Projection::Gnomonic, 2.0);
        const auto values = renderValues(map, 0, view, PixelInterpolation::Bilinear, job);
        int mixed = 0;
        for (int j = 0; j < kHeight; ++j)
            for (int i = 0; i < kWidth; ++i) {
                Vec3 d;
                QVERIFY(skyFromImage(view, i + 0.5, j + 0.5, d));
                const Interpolation four = interpolation(32, Ordering::Ring, d);
                double sum = 0.0, weight = 0.0;
                for (size_t k = 0; k < 4; ++k) {
                    const double value = map.value(0, four.pixels[k]);
                    if (std::isnan(value)) continue;
                    sum += four.weights[k] * value;
                    weight += four.weights[k];
                }
                if (weight < 0.999) ++mixed;
                const float found = values[static_cast<size_t>(j * kWidth + i)];
                // The picture has single precision: values below 2 round by at most 6e-8.
                if (std::isnan(map.value(0, ringFromDirection(32, d))))
                    QVERIFY(std::isnan(found));
                else
                    QVERIFY(std::fabs(static_cast<double>(found) - sum / weight) < 1e-7);
            }
        QVERIFY(mixed > 1000);
        // A constant stays constant, whatever is missing.
        std::vector<float> threes(static_cast<size_t>(pixelCount(32)), 3.0F);
        for (size_t i = 0; i < threes.size(); i += 3) threes[i] = std::nanf("");
        Field field;
        field.name = "C";
        field.values = threes;
        const HealpixMap constant(32, Ordering::Ring, Frame::Galactic, {field});
        for (const float value : renderValues(constant, 0, view, PixelInterpolation::Bilinear, job))
            QVERIFY(std::isnan(value) || std::fabs(value - 3.0F) < 1e-6F);
    }

    // Close up, each image pixel has the color of the map pixel under it: sharp cells, no means.
    void closeUpIsCrisp_data() { projections(); }
    void closeUpIsCrisp() {
        QFETCH(Projection, projection);
        JobContext job;
        const HealpixMap map = noiseMap(64, Ordering::Nested, 0.1);
        const MapPyramid pyramid = MapPyramid::build(map, 0, 64, job);
        const ViewGeometry view = viewOf(projection, 12.0);
        const auto picture = renderImage(pyramid, view, grayScale(), job);
        const auto pixels = renderIndices(64, Ordering::Nested, view, job);
        const ColorTable table = colorTable("gray", false);
        for (size_t i = 0; i < picture.size(); ++i) {
            Rgba expected{0, 0, 0, 0};
            if (pixels[i] >= 0)
                expected = colorOf(grayScale(), table, static_cast<float>(map.value(0, pixels[i])));
            QCOMPARE(picture[i], expected);
        }
    }

    // Zoomed out, no pixel is lost. A single bright pixel among zeros is visible wherever it lies,
    // and the picture contains the full mean of the map.
    void farOutNothingIsLost_data() { projections(); }
    void farOutNothingIsLost() {
        QFETCH(Projection, projection);
        JobContext job;
        std::mt19937 random(12);
        constexpr int64_t nside = 128;  // 130 pixels across for 512 cells
        ColorScale scale = grayScale();
        scale.mapping.high = 1e-4F;  // any share of a pixel is visible
        const ViewGeometry view = viewOf(projection, 1.0);
        for (int trial = 0; trial < 60; ++trial) {
            std::vector<float> values(static_cast<size_t>(pixelCount(nside)), 0.0F);
            const int64_t bright = static_cast<int64_t>(random() % values.size());
            double column = 0.0, row = 0.0;
            const Vec3 d = directionFromNested(nside, bright);
            if (!imageFromSky(view, d, column, row) || column < 3 || row < 3 ||
                column > kWidth - 3 || row > kHeight - 3)
                continue;
            // The last pixel before the edge may have its neighbor's center off the sky.
            Vec3 ignored;
            if (!skyFromImage(view, column + 2, row + 2, ignored) ||
                !skyFromImage(view, column - 2, row - 2, ignored) ||
                !skyFromImage(view, column + 2, row - 2, ignored) ||
                !skyFromImage(view, column - 2, row + 2, ignored))
                continue;
            values[static_cast<size_t>(bright)] = 1.0F;
            Field field;
            field.name = "P";
            field.values = std::move(values);
            const HealpixMap map(nside, Ordering::Nested, Frame::Galactic, {field});
            const auto picture =
                renderImage(MapPyramid::build(map, 0, nside, job), view, scale, job);
            const auto lit = std::count_if(picture.begin(), picture.end(),
                                           [](Rgba c) { return c.a == 255 && c.r > 0; });
            QVERIFY2(lit > 0,
                     qPrintable(QString("pixel %1 at %2 %3").arg(bright).arg(column).arg(row)));
        }
    }

    // Cells and levels of vectors of directions are those of one direction at a time.
    void batchesAreThePixelsOfOneByOne() {
        std::mt19937 random(5);
        std::normal_distribution<double> normal;
        const Mat3 turn = skyFromViewRotation({1.0, 0.4}, 0.3);
        for (const int64_t nside : {int64_t{1}, int64_t{2}, int64_t{64}, kMostBatchNside})
            for (int trial = 0; trial < 300; ++trial) {
                RowBatch batch;
                batch.count = 1 + static_cast<int>(random() % RowBatch::kMost);
                for (int i = 0; i < batch.count; ++i) {
                    Vec3 d = normalized({normal(random), normal(random), normal(random)});
                    // On axes, and on the circles that divide belt and caps, too.
                    if (i % 7 == 0) d = {i % 2 == 0 ? 1.0 : -1.0, 0.0, 0.0};
                    if (i % 11 == 0) d = normalized({normal(random), 0.0, normal(random)});
                    if (i % 13 == 0) d = {0.0, 0.0, i % 2 == 0 ? 1.0 : -1.0};
                    batch.x[i] = d.x;
                    batch.y[i] = d.y;
                    batch.z[i] = d.z;
                    batch.footprint[i] = std::exp(3.0 * normal(random)) / 100.0;
                }
                const RowBatch given = batch;
                cellsUnder(turn, nside, batch);
                for (int i = 0; i < batch.count; ++i) {
                    const Vec3 d = turn * Vec3{given.x[i], given.y[i], given.z[i]};
                    const FacePixel at = faceFromDirection(nside, d);
                    QCOMPARE(int64_t{batch.cell[i]}, (at.face * nside + at.y) * nside + at.x);
                    const double exact =
                        std::log2(given.footprint[i] * static_cast<double>(nside) * kPixelsPerCell);
                    // Two units of the last place of single precision below 16, and rounding of
                    // the argument.
                    QVERIFY(std::fabs(static_cast<double>(batch.level[i]) - exact) < 2e-6);
                }
            }
    }

    // The same bits as footprintScale(), from the equator to the last rows of the sky.
    void footprintsOfRows() {
        for (const double y : {0.0, 0.3, -0.9, 1.3, 1.414213, std::sqrt(2.0)}) {
            const PlaneRow row = planeRow(Projection::Mollweide, y);
            for (const int count : {1, 5, 64, RowBatch::kMost}) {
                RowBatch batch;
                batch.count = count;
                std::vector<double> expected;
                for (int i = 0; i < count; ++i) {
                    const double x = row.halfWidth * (2.0 * i / count - 1.0);
                    batch.footprint[i] = x;
                    Vec3 direction;
                    QVERIFY(directionFromRow(Projection::Mollweide, false, row, x, direction));
                    expected.push_back(0.003 *
                                       footprintScale(Projection::Mollweide, row, x, direction));
                }
                mollweideFootprints(row, 0.003, batch);
                for (int i = 0; i < count; ++i)
                    QCOMPARE(std::bit_cast<uint64_t>(batch.footprint[i]),
                             std::bit_cast<uint64_t>(expected[static_cast<size_t>(i)]));
            }
        }
    }

    // A pyramid whose finest levels show nowhere gives the same picture without them: to a step of
    // color where the logarithm of the level rounds differently.
    void levelsThatDoNotShow_data() { projections(); }
    void levelsThatDoNotShow() {
        QFETCH(Projection, projection);
        JobContext job;
        const HealpixMap map = noiseMap(256, Ordering::Ring, 0.1);
        const MapPyramid whole = MapPyramid::build(map, 0, 256, job);
        bool isReduced = false;
        for (const double zoom : {0.8, 1.0, 4.0}) {
            const ViewGeometry view = viewOf(projection, zoom);
            const int64_t nside = finestNsideDrawn(256, view);
            isReduced = isReduced || nside < 256;
            const auto expected = renderImage(whole, view, grayScale(), job);
            const auto found =
                renderImage(MapPyramid::build(map, 0, nside, job), view, grayScale(), job);
            int others = 0;
            for (size_t i = 0; i < found.size(); ++i) {
                if (found[i] == expected[i]) continue;
                ++others;
                QVERIFY(std::abs(found[i].r - expected[i].r) <= 1);
            }
            QVERIFY(others < 5);
        }
        QVERIFY(isReduced);
    }

    void badPixelsAndOutside() {
        JobContext job;
        const HealpixMap map = smoothMap(64, direction({0.6, 0.4}), 0.3);
        ColorScale scale = grayScale();
        scale.outside = {1, 2, 3, 4};
        const ViewGeometry view = viewOf(Projection::Mollweide, 1.0);
        const auto picture = renderImage(MapPyramid::build(map, 0, 64, job), view, scale, job);
        QCOMPARE(picture[0], scale.outside);
        QCOMPARE(picture[static_cast<size_t>(kHeight / 2 * kWidth + kWidth / 2)], scale.bad);
    }

    // Color and composition as approved by eye. 2 of 255: rounding of the mathematical library; 30
    // pixels: those at borders of cells and of the bad disc.
    void golden_data() {
        QTest::addColumn<Projection>("projection");
        QTest::addColumn<QString>("colorMap");
        QTest::addColumn<double>("zoom");
        QTest::newRow("planck-mollweide") << Projection::Mollweide << "planck" << 1.0;
        QTest::newRow("magma-globe") << Projection::Orthographic << "magma" << 0.95;
        QTest::newRow("viridis-gnomonic-close") << Projection::Gnomonic << "viridis" << 8.0;
    }
    void golden() {
        QFETCH(Projection, projection);
        QFETCH(QString, colorMap);
        QFETCH(double, zoom);
        constexpr int side = 256;
        JobContext job;
        Camera camera;
        camera.projection = projection;
        camera.zoom = zoom;
        camera.orientation = skyFromViewRotation({0.6, 0.4}, 0.0);
        ColorScale scale;
        scale.colorMap = colorMap.toStdString();
        scale.mapping.low = -1.5F;
        scale.mapping.high = 2.0F;
        scale.outside = {13, 17, 23, 255};
        const HealpixMap map = smoothMap(64, direction({0.5, 0.3}), 0.08);
        const auto picture = renderImage(MapPyramid::build(map, 0, 64, job),
                                         camera.geometry(side, side, Frame::Galactic), scale, job);
        const QString path = QString(ARMILLA_GOLDEN "/%1.png").arg(QTest::currentDataTag());
        const QImage stored = QImage(path).convertToFormat(QImage::Format_RGBA8888);
        std::vector<Rgba> expected(static_cast<size_t>(side * side));
        if (stored.width() == side && stored.height() == side)
            for (int y = 0; y < side; ++y)
                std::copy_n(stored.constScanLine(y), 4 * side,
                            reinterpret_cast<uchar*>(expected.data() + y * side));
        const long different =
            comparePictures(picture, expected, side, side, 2, 30, QTest::currentDataTag());
        QVERIFY2(different <= 30, qPrintable(QString::number(different)));
    }

    void refuses() {
        JobContext job;
        ViewGeometry view = viewOf(Projection::Mollweide, 1.0);
        QVERIFY_EXCEPTION_THROWN(renderIndices(3, Ordering::Nested, view, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(renderIndices(0, Ordering::Ring, view, job), InvalidArgument);
        const HealpixMap map = noiseMap(2, Ordering::Ring);
        QVERIFY_EXCEPTION_THROWN(renderValues(map, 3, view, PixelInterpolation::Nearest, job),
                                 InvalidArgument);
        view.width = 0;
        QVERIFY_EXCEPTION_THROWN(renderIndices(2, Ordering::Ring, view, job), InvalidArgument);
        std::stop_source source;
        source.request_stop();
        JobContext stopped(source.get_token(), {}, 1);
        view.width = 10;
        QVERIFY_EXCEPTION_THROWN(renderIndices(2, Ordering::Ring, view, stopped), Cancelled);
    }

private:
    static void projections() {
        QTest::addColumn<Projection>("projection");
        for (const auto& [name, projection] : kProjections) QTest::newRow(name) << projection;
    }
};

QTEST_GUILESS_MAIN(ImageRendererTest)
#include "tst_image_renderer.moc"
