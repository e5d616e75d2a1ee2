// SPDX-License-Identifier: GPL-3.0-or-later
// Planes of images on the sky, against the projection they were made with.
#include <QtTest>
#include <cmath>

#include "core/error.h"
#include "render/camera.h"
#include "render/image_mesh.h"
#include "support/projections.h"

using namespace armilla;

namespace {

// A gnomonic image: places of its pixels in closed form.
ViewGeometry imageView(double pixel, LonLat center) {
    ViewGeometry view;
    view.projection = Projection::Gnomonic;
    view.width = 120;
    view.height = 80;
    view.radiansPerPixel = pixel;
    view.skyFromView = skyFromViewRotation(center, 0.4);
    return view;
}

// Pixel (x, y) has the value 1000 y + x; the bottom row first.
Image numberedImage() {
    Image image;
    image.width = 120;
    image.height = 80;
    image.planes = {{"", 0.0}, {"", 1.0}};
    std::vector<float> values;
    for (int plane = 0; plane < 2; ++plane)
        for (int y = 0; y < 80; ++y)
            for (int x = 0; x < 120; ++x)
                values.push_back(static_cast<float>(1000 * y + x + 100000 * plane));
    image.values = std::move(values);
    return image;
}

std::shared_ptr<const ImageNet> netOf(const ViewGeometry& places, int columns, int rows) {
    auto net = std::make_shared<ImageNet>();
    net->columns = columns;
    net->rows = rows;
    net->frame = Frame::Galactic;
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < columns; ++i) {
            Vec3 at;
            skyFromImage(places, places.width * static_cast<double>(i) / (columns - 1),
                         places.height * (1.0 - static_cast<double>(j) / (rows - 1)), at);
            net->directions.push_back(at);
        }
    return net;
}

}  // namespace

Q_DECLARE_METATYPE(armilla::Projection)

class ImageMeshTest : public QObject {
    Q_OBJECT
private slots:
    void pixelsLieWhereTheyBelong_data() {
        QTest::addColumn<Projection>("projection");
        for (const auto& [name, projection] : kProjections) QTest::newRow(name) << projection;
    }
    void pixelsLieWhereTheyBelong() {
        QFETCH(Projection, projection);
        const LonLat center{1.0, 0.3};
        const double pixel = 0.1 * kDegree;
        const ViewGeometry places = imageView(pixel, center);
        JobContext job;
        // Cells of 2 pixels: between their corners a gnomonic image is linear to far below a
        // pixel.
        const auto mesh = ImageMesh::build(numberedImage(), 0, netOf(places, 61, 41), job);
        ColorScale scale;
        scale.colorMap = "gray";
        scale.mapping.low = 0.0F;
        scale.mapping.high = 80000.0F;
        int painted = 0;
        for (const double zoom : {1.0, 6.0, 60.0})
            for (const LonLat towards : {center, LonLat{1.05, 0.26}}) {
                Camera camera;
                camera.projection = projection;
                camera.zoom = zoom;
                camera.orientation = skyFromViewRotation(towards, -0.2);
                const ViewGeometry view = camera.geometry(300, 200, Frame::Galactic);
                MarkerImage image;
                paintImage(*mesh, scale, 1.0, view, image, job);
                // Where the picture is inked and the inside of the image agree to 0.1 pixel of the
                // picture; `slack` is that in pixels of the image.
                const double slack = 0.1 * view.radiansPerPixel / pixel * 1.5 + 0.02;
                for (int row = 0; row < 200; ++row)
                    for (int column = 0; column < 300; ++column) {
                        Vec3 at;
                        double x = -1e9, y = -1e9;
                        const bool isIn = skyFromImage(view, column + 0.5, row + 0.5, at) &&
                                          imageFromSky(places, at, x, y);
                        const bool isInked =
                            image.pixels[static_cast<size_t>(row * 300 + column)].a > 0;
                        const double inside = isIn ? std::min({x, 120.0 - x, y, 80.0 - y}) : -1e9;
                        if (std::abs(inside) > slack) QCOMPARE(isInked, inside > 0.0);
                        painted += isInked ? 1 : 0;
                    }
            }
        QVERIFY(painted > 10000);
    }
    // Large pixels are divided, their neighbors of another shape differently: no picture pixel
    // between them is left clear. Two pixels from the border of the sky, where the image's own
    // seam may be.
    void coarseImageHasNoGaps_data() { pixelsLieWhereTheyBelong_data(); }
    void coarseImageHasNoGaps() {
        QFETCH(Projection, projection);
        constexpr int kColumns = 72, kRows = 36, kWidth = 1200, kHeight = 700;
        Image image;
        image.width = kColumns;
        image.height = kRows;
        image.planes = {{"", 0.0}};
        image.values = std::vector<float>(kColumns * kRows, 1.0F);
        auto net = std::make_shared<ImageNet>();
        net->columns = kColumns + 1;
        net->rows = kRows + 1;
        net->frame = Frame::Galactic;
        for (int j = 0; j <= kRows; ++j)
            for (int i = 0; i <= kColumns; ++i)
                net->directions.push_back(
                    direction({kPi - kTwoPi * i / kColumns, kPi * j / kRows - kHalfPi}));
        JobContext job;
        const auto mesh = ImageMesh::build(image, 0, net, job);
        for (const LonLat towards : {LonLat{0.0, 0.0}, LonLat{1.0, 0.6}, LonLat{3.1, 1.5}}) {
            Camera camera;
            camera.projection = projection;
            camera.orientation = skyFromViewRotation(towards, 0.3);
            const ViewGeometry view = camera.geometry(kWidth, kHeight, Frame::Galactic);
            MarkerImage picture;
            paintImage(*mesh, ColorScale{}, 1.0, view, picture, job);
            int clear = 0;
            for (int row = 0; row < kHeight; ++row)
                for (int column = 0; column < kWidth; ++column) {
                    const auto isOnSky = [&](double right, double down) {
                        Vec3 at;
                        return skyFromImage(view, column + 0.5 + right, row + 0.5 + down, at);
                    };
                    const bool isInside =
                        isOnSky(-2, -2) && isOnSky(2, -2) && isOnSky(-2, 2) && isOnSky(2, 2);
                    if (isInside &&
                        picture.pixels[static_cast<size_t>(row * kWidth + column)].a == 0)
                        ++clear;
                }
            QCOMPARE(clear, 0);
        }
    }
    void planesAndLevels() {
        JobContext job;
        const auto net = netOf(imageView(0.1 * kDegree, {1.0, 0.3}), 5, 5);
        const auto mesh = ImageMesh::build(numberedImage(), 1, net, job);
        QCOMPARE(mesh->plane(), 1);
        QCOMPARE(mesh->level(0).values[0], 100000.0F);
        QCOMPARE(mesh->level(1).width, int64_t{60});
        // The mean of (0, 0), (1, 0), (0, 1) and (1, 1).
        QCOMPARE(mesh->level(1).values[0], 100500.5F);
        QCOMPARE(mesh->level(mesh->levels() - 1).values.size(), size_t{1});
        QVERIFY_EXCEPTION_THROWN(ImageMesh::build(numberedImage(), 2, net, job), InvalidArgument);
        QVERIFY(mesh->memoryBytes() >= 120 * 80 * 4);
    }
};

QTEST_GUILESS_MAIN(ImageMeshTest)
#include "tst_image_mesh.moc"
