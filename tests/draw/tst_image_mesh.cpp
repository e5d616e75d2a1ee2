// SPDX-License-Identifier: GPL-3.0-or-later
// Planes of images on the sky, compared with their projection.
#include <QtTest>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/draw/camera.h"
#include "armilla/draw/image_mesh.h"
#include "support/projections.h"

using namespace armilla;

namespace {

// A gnomonic image: positions of its pixels in closed form.
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

// Pixels of a picture of a view, in closed form.
class ViewPlaces : public ImagePlaces {
public:
    explicit ViewPlaces(const ViewGeometry& view) : view_(view) {}
    Frame frame() const override { return Frame::Galactic; }
    void pixels(std::span<const Vec3> directions, std::span<double> x,
                std::span<double> y) const override {
        for (size_t i = 0; i < directions.size(); ++i) {
            double column = 0.0, row = 0.0;
            const bool isSeen = imageFromSky(view_, directions[i], column, row);
            x[i] = isSeen ? column - 0.5 : std::nan("");
            y[i] = isSeen ? view_.height - row - 0.5 : std::nan("");
        }
    }
    void directions(std::span<const double> x, std::span<const double> y,
                    std::span<Vec3> out) const override {
        for (size_t i = 0; i < out.size(); ++i)
            if (!skyFromImage(view_, x[i] + 0.5, view_.height - y[i] - 0.5, out[i]))
                out[i] = {std::nan(""), 0.0, 0.0};
    }
    bool hasFacets() const override { return false; }

private:
    ViewGeometry view_;
};

std::shared_ptr<const ImagePlaces> placesOf(const ViewGeometry& view) {
    return std::make_shared<ViewPlaces>(view);
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
        const auto mesh = ImageMesh::build(numberedImage(), 0, placesOf(places), job);
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
                // The drawn area and the inside of the image agree to 0.1 pixel of the picture;
                // `slack` is that in pixels of the image.
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
    // No gap between large pixels is transparent, up to the border of the sky, where the image's
    // own seam may be.
    void coarseImageHasNoGaps_data() { pixelsLieWhereTheyBelong_data(); }
    void coarseImageHasNoGaps() {
        QFETCH(Projection, projection);
        constexpr int kWidth = 1200, kHeight = 700;
        Image image;
        image.width = 72;
        image.height = 36;
        image.planes = {{"", 0.0}};
        image.values = std::vector<float>(72 * 36, 1.0F);
        ViewGeometry places;
        places.projection = Projection::Cartesian;
        places.width = 72;
        places.height = 36;
        places.radiansPerPixel = 5.0 * kDegree;
        JobContext job;
        const auto mesh = ImageMesh::build(image, 0, placesOf(places), job);
        for (const LonLat towards : {LonLat{0.0, 0.0}, LonLat{1.0, 0.6}, LonLat{3.1, 1.5}}) {
            Camera camera;
            camera.projection = projection;
            camera.orientation = skyFromViewRotation(towards, 0.3);
            const ViewGeometry view = camera.geometry(kWidth, kHeight, Frame::Galactic);
            MarkerImage picture;
            paintImage(*mesh, ColorScale{}, 1.0, view, picture, job);
            int wrong = 0;
            for (int row = 0; row < kHeight; ++row)
                for (int column = 0; column < kWidth; ++column) {
                    Vec3 at;
                    const bool isOnSky = skyFromImage(view, column + 0.5, row + 0.5, at);
                    const auto alpha = picture.pixels[static_cast<size_t>(row * kWidth + column)].a;
                    if (isOnSky != (alpha > 0)) ++wrong;
                }
            // A direction half a turn from the image's center may round to beyond it.
            QVERIFY2(wrong < 5, qPrintable(QString::number(wrong)));
        }
    }
    // Pixels without a sky position are bad, whatever their value; adjacent pixels fill the sky's
    // border.
    void offTheSky() {
        constexpr int kSide = 41;  // the border passes through pixels
        ViewGeometry places;
        places.projection = Projection::Orthographic;
        places.width = places.height = kSide;
        places.radiansPerPixel = 2.0 / kSide;
        Image image;
        image.width = image.height = kSide;
        image.planes = {{"", 0.0}};
        std::vector<float> values(kSide * kSide, 1.0F);
        for (int y = 0; y < kSide; ++y)
            for (int x = 0; x < kSide; ++x)
                if (std::hypot(x - 20, y - 20) > 0.5 * kSide)
                    values[static_cast<size_t>(y * kSide + x)] = -7.0F;
        image.values = values;
        JobContext job;
        const auto mesh = ImageMesh::build(image, 0, placesOf(places), job);
        QVERIFY(!mesh->hasPlace(0, 0) && mesh->hasPlace(20, 20));
        QCOMPARE(mesh->sortedSample().front(), 1.0F);
        QVERIFY(mesh->extent() && angularDistance(mesh->extent()->center, {1, 0, 0}) < 0.1);
        Camera camera;
        camera.projection = Projection::Orthographic;
        const ViewGeometry view = camera.geometry(500, 500, Frame::Galactic);
        MarkerImage picture;
        ColorScale scale;
        scale.ownBelow = true;
        scale.below = {1, 2, 3, 255};
        scale.mapping.low = 0.0F;
        scale.mapping.high = 2.0F;
        paintImage(*mesh, scale, 1.0, view, picture, job);
        const Rgba one = colorOf(scale, colorTable(scale.colorMap, false), 1.0F);
        for (int row = 0; row < 500; ++row)
            for (int column = 0; column < 500; ++column) {
                Vec3 at;
                const Rgba found = picture.pixels[static_cast<size_t>(row * 500 + column)];
                if (skyFromImage(view, column + 0.5, row + 0.5, at))
                    QVERIFY(found == one);
                else
                    QCOMPARE(found.a, uint8_t{0});
            }
    }
    // Pixels that are smaller in one direction are averaged in that direction only, under each
    // picture pixel.
    void longPixels() {
        ViewGeometry places = imageView(0.1 * kDegree, {1.0, 0.3});
        Image image;
        image.width = 120;
        image.height = 80;
        image.planes = {{"", 0.0}};
        std::vector<float> values;
        for (int y = 0; y < 80; ++y)
            for (int x = 0; x < 120; ++x) values.push_back(x % 2 == 0 ? 0.0F : 1.0F);
        image.values = values;
        // Eight columns in place of one, so the whole image is an eighth as wide.
        class Narrow : public ViewPlaces {
        public:
            using ViewPlaces::ViewPlaces;
            void pixels(std::span<const Vec3> directions, std::span<double> x,
                        std::span<double> y) const override {
                ViewPlaces::pixels(directions, x, y);
                for (double& each : x) each = 59.5 + 8.0 * (each - 59.5);
            }
            void directions(std::span<const double> x, std::span<const double> y,
                            std::span<Vec3> out) const override {
                std::vector<double> wide(x.begin(), x.end());
                for (double& each : wide) each = 59.5 + (each - 59.5) / 8.0;
                ViewPlaces::directions(wide, y, out);
            }
        };
        JobContext job;
        const auto mesh = ImageMesh::build(image, 0, std::make_shared<Narrow>(places), job);
        ColorScale scale;
        scale.colorMap = "#000000,#ffffff";
        scale.mapping.low = 0.0F;
        scale.mapping.high = 1.0F;
        MarkerImage picture;
        paintImage(*mesh, scale, 1.0, places, picture, job);
        int painted = 0;
        for (int row = 0; row < 80; ++row)
            for (int column = 54; column < 66; ++column) {
                const Rgba found = picture.pixels[static_cast<size_t>(row * 120 + column)];
                QVERIFY(std::abs(found.r - 128) <= 1);
                painted += found.a > 0 ? 1 : 0;
            }
        QCOMPARE(painted, 80 * 12);
    }
    void planesAndLevels() {
        JobContext job;
        const auto places = placesOf(imageView(0.1 * kDegree, {1.0, 0.3}));
        const auto mesh = ImageMesh::build(numberedImage(), 1, places, job);
        QCOMPARE(mesh->plane(), 1);
        QCOMPARE(mesh->level(0).values[0], 100000.0F);
        QCOMPARE(mesh->level(1).width, int64_t{60});
        // The mean of (0, 0), (1, 0), (0, 1) and (1, 1).
        QCOMPARE(mesh->level(1).values[0], 100500.5F);
        QCOMPARE(mesh->level(mesh->levels() - 1).values.size(), size_t{1});
        QVERIFY_EXCEPTION_THROWN(ImageMesh::build(numberedImage(), 2, places, job),
                                 InvalidArgument);
        QVERIFY(mesh->memoryBytes() >= 120 * 80 * 4);
    }
};

QTEST_GUILESS_MAIN(ImageMeshTest)
#include "tst_image_mesh.moc"
