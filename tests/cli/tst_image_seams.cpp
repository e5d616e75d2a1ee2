// SPDX-License-Identifier: GPL-3.0-or-later
// Full-sky images compared with a HEALPix map of the same function in the same view: seams, poles
// and facets of images and views.
#include <wcslib/wcs.h>

#include <QtTest>
#include <cmath>
#include <cstring>

#include "armilla/core/healpix_map.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/draw/camera.h"
#include "armilla/draw/image_mesh.h"
#include "armilla/draw/image_renderer.h"
#include "armilla/figure/image_places.h"
#include "support/image_cards.h"
#include "support/projections.h"

using namespace armilla;

namespace {

// A field of unit slope: no two places differ by more than their distance in radians.
double valueOf(Vec3 direction) {
    return dot(direction, normalized(Vec3{0.5, -0.7, 0.6}));
}

// A full-sky image with pixels of about a degree.
struct Sky {
    const char* projection = "CAR";
    int width = 360, height = 180;
    double crpix1 = 180.5, crpix2 = 90.5, cdelt1 = -1.0, cdelt2 = 1.0;
    double crval1 = 0.0, crval2 = 0.0, lonpole = 999.0;  // 999: by default
    // rotation of the image relative to its projection
    double turn = 0.0;
    float blank = std::numeric_limits<float>::quiet_NaN();
    double pixel = 1.0;     // the longest side of a pixel on the sky, degrees, but for pixelAt
    double covered = 90.0;  // latitudes that the image reaches
};

void fill(wcsprm& wcs, const Sky& sky) {
    wcs.flag = -1;
    wcsini(1, 2, &wcs);
    std::snprintf(wcs.ctype[0], sizeof wcs.ctype[0], "GLON-%s", sky.projection);
    std::snprintf(wcs.ctype[1], sizeof wcs.ctype[1], "GLAT-%s", sky.projection);
    wcs.crpix[0] = sky.crpix1;
    wcs.crpix[1] = sky.crpix2;
    wcs.cdelt[0] = sky.cdelt1;
    wcs.cdelt[1] = sky.cdelt2;
    wcs.crval[0] = sky.crval1;
    wcs.crval[1] = sky.crval2;
    if (sky.lonpole != 999.0) wcs.lonpole = sky.lonpole;
    wcs.pc[0] = wcs.pc[3] = std::cos(sky.turn * kDegree);
    wcs.pc[1] = std::sin(sky.turn * kDegree);
    wcs.pc[2] = -wcs.pc[1];
    QCOMPARE(wcsset(&wcs), 0);
    // Longitudes more than half a turn from the reference are valid positions, too.
    if (sky.width >= 360 && sky.crpix1 < 10.0) wcs.cel.prj.bounds &= ~4;
}

// Each pixel has the value at its center.
Image imageOf(const Sky& sky) {
    Image image;
    image.width = sky.width;
    image.height = sky.height;
    image.planes = {{"", 0.0}};
    image.frame = Frame::Galactic;
    wcsprm wcs{};
    fill(wcs, sky);
    std::vector<float> values;
    for (int y = 0; y < sky.height; ++y)
        for (int x = 0; x < sky.width; ++x) {
            const double pixel[] = {x + 1.0, y + 1.0};
            double plane[2], phi = 0.0, theta = 0.0, world[2];
            int status = 0;
            const bool isOnSky =
                wcsp2s(&wcs, 1, 2, pixel, plane, &phi, &theta, world, &status) == 0 &&
                std::abs(theta) <= 90.0 + 1e-9;
            values.push_back(isOnSky ? static_cast<float>(valueOf(
                                           direction({world[0] * kDegree, world[1] * kDegree})))
                                     : sky.blank);
        }
    image.values = std::move(values);
    const auto text = [](const char* value) { return '\'' + std::string(value) + '\''; };
    image.wcsCards = {test::imageCard("CTYPE1", text(wcs.ctype[0])),
                      test::imageCard("CTYPE2", text(wcs.ctype[1])),
                      test::imageCard("CRPIX1", sky.crpix1),
                      test::imageCard("CRPIX2", sky.crpix2),
                      test::imageCard("CDELT1", sky.cdelt1),
                      test::imageCard("CDELT2", sky.cdelt2),
                      test::imageCard("CRVAL1", sky.crval1),
                      test::imageCard("CRVAL2", sky.crval2),
                      test::imageCard("PC1_1", wcs.pc[0]),
                      test::imageCard("PC1_2", wcs.pc[1]),
                      test::imageCard("PC2_1", wcs.pc[2]),
                      test::imageCard("PC2_2", wcs.pc[3])};
    if (sky.lonpole != 999.0) image.wcsCards.push_back(test::imageCard("LONPOLE", sky.lonpole));
    wcsfree(&wcs);
    return image;
}

// The longest side of a pixel at a position, degrees. Rows of CEA are 1/cos(b) degrees high, and
// the last one begins 10.8 degrees from the pole (1 - sin(b) = 1/57). Rings of ZEA are 1/sin(a/2)
// degrees wide at the distance a from the antipode, and the last one begins 15 degrees from it.
// Twice this holds within a pixel of a position, too.
double pixelAt(const Sky& sky, Vec3 place) {
    const double latitude = lonLat(place).lat;
    if (std::strcmp(sky.projection, "CEA") == 0) return std::min(10.8, 2.0 / std::cos(latitude));
    if (std::strcmp(sky.projection, "ZEA") == 0)
        return std::min(15.0, 2.0 / std::sin(0.5 * (latitude + kHalfPi)));
    return sky.pixel;
}

constexpr int64_t kNside = 256;

MapPyramid truthPyramid() {
    std::vector<float> values;
    for (int64_t pixel = 0; pixel < pixelCount(kNside); ++pixel)
        values.push_back(
            static_cast<float>(valueOf(directionFromPixel(kNside, Ordering::Nested, pixel))));
    const HealpixMap map(kNside, Ordering::Nested, Frame::Galactic,
                         {{"f", "", DiskType::Float32, std::move(values)}});
    JobContext job;
    return MapPyramid::build(map, 0, kNside, job);
}

std::vector<std::pair<const char*, Sky>> skies() {
    constexpr float kZero = 0.0F;
    // Facets of 90 pixels: in the middle of one of TSC a pixel is 4/pi degrees wide, in CSC 1.0
    // to 1.3, in QSC up to 1.5 long.
    const Sky cube{
        .projection = "TSC", .height = 270, .crpix1 = 315.5, .crpix2 = 135.5, .pixel = 1.5};
    const auto with = [](Sky sky, const auto& change) {
        change(sky);
        return sky;
    };
    return {
        {"CAR", {}},
        {"CAR, longitudes to the right", {.cdelt1 = 1.0}},
        {"CAR, latitudes down", {.cdelt2 = -1.0}},
        {"CAR, at 180", {.crval1 = 180.0}},
        {"CAR, at -75", {.crval1 = -75.0}},
        {"CAR, from its first pixel", {.crpix1 = 1.0, .cdelt1 = 1.0, .crval1 = 0.0}},
        {"CAR, from its first pixel, down", {.crpix1 = 1.0, .crval1 = 359.5}},
        {"CAR, rows on the poles, one column twice",
         {.width = 361, .height = 181, .crpix1 = 181.0, .crpix2 = 91.0}},
        {"CAR, rows on the poles", {.height = 181, .crpix1 = 180.0, .crpix2 = 91.0}},
        {"CAR, rows beyond the poles", {.height = 190, .crpix2 = 95.5, .blank = kZero}},
        {"CAR, oblique", {.crval1 = 70.0, .crval2 = 35.0, .lonpole = 20.0}},
        {"CAR, oblique, from its first pixel",
         {.crpix1 = 1.0, .crval1 = 70.0, .crval2 = -35.0, .lonpole = 180.0}},
        {"CAR, on its side",
         {.width = 180, .height = 360, .crpix1 = 90.5, .crpix2 = 180.5, .turn = 90.0}},
        {"CEA",  // rows of equal area: the last ones reach 8 degrees from the poles
         {.projection = "CEA", .height = 114, .crpix2 = 57.5, .cdelt2 = 360.0 / kPi / 114.0}},
        {"MER", {.projection = "MER", .height = 360, .crpix2 = 180.5, .covered = 85.0}},
        {"MOL",
         {.projection = "MOL",
          .width = 326,
          .height = 164,
          .crpix1 = 163.5,
          .crpix2 = 82.5,
          .pixel = 3.3}},
        {"MOL, zeros around",
         {.projection = "MOL",
          .width = 326,
          .height = 164,
          .crpix1 = 163.5,
          .crpix2 = 82.5,
          .crval1 = 100.0,
          .blank = kZero,
          .pixel = 3.3}},
        {"AIT",
         {.projection = "AIT",
          .width = 326,
          .height = 164,
          .crpix1 = 163.5,
          .crpix2 = 82.5,
          .pixel = 3.3}},
        {"SFL", {.projection = "SFL", .pixel = 3.3}},
        {"ZEA",
         {.projection = "ZEA",
          .width = 232,
          .height = 232,
          .crpix1 = 116.5,
          .crpix2 = 116.5,
          .crval2 = 90.0,
          .blank = kZero}},
        {"TSC", cube},
        {"TSC, facets begin between pixels", with(cube,
                                                  [](Sky& sky) {
                                                      sky.crpix1 -= 0.3;
                                                      sky.crpix2 += 0.4;
                                                      sky.width = 362;
                                                      sky.height = 272;
                                                  })},
        {"CSC", with(cube, [](Sky& sky) { sky.projection = "CSC"; })},
        {"CSC, zeros around", with(cube,
                                   [](Sky& sky) {
                                       sky.projection = "CSC";
                                       sky.blank = kZero;
                                       sky.crpix1 += 0.3;
                                       sky.width = 362;
                                   })},
        {"QSC", with(cube, [](Sky& sky) { sky.projection = "QSC"; })},
        {"QSC, oblique", with(cube,
                              [](Sky& sky) {
                                  sky.projection = "QSC";
                                  sky.crval2 = 35.0;
                              })},
        {"cube in a cross around its middle", with(cube,
                                                   [](Sky& sky) {
                                                       sky.projection = "QSC";
                                                       sky.crpix1 = 225.5;
                                                   })},
        {"HPX", {.projection = "HPX", .pixel = 1.7}},
        {"HPX, zeros around",
         {.projection = "HPX",
          .width = 362,
          .height = 182,
          .crpix1 = 181.2,
          .crpix2 = 91.8,
          .crval1 = 33.0,
          .blank = kZero,
          .pixel = 1.7}},
        {"HPX, from its first pixel", {.projection = "HPX", .crpix1 = 1.0, .pixel = 1.7}},
        {"HPX, facets upright",
         {.projection = "HPX",
          .width = 370,
          .height = 370,
          .crpix1 = 185.5,
          .crpix2 = 185.5,
          .turn = 45.0,
          .blank = kZero,
          .pixel = 1.7}},
    };
}

}  // namespace

Q_DECLARE_METATYPE(armilla::Projection)

class ImageSeamsTest : public QObject {
    Q_OBJECT
    MapPyramid truth_ = truthPyramid();

private slots:
    void picturesOfOneSky_data() {
        QTest::addColumn<int>("sky");
        QTest::addColumn<Projection>("projection");
        const auto all = skies();
        for (int i = 0; i < static_cast<int>(all.size()); ++i)
            for (const auto& [name, projection] : kProjections)
                QTest::addRow("%s in %s", all[static_cast<size_t>(i)].first, name)
                    << i << projection;
    }
    void picturesOfOneSky() {
        QFETCH(int, sky);
        QFETCH(Projection, projection);
        const Sky made = skies()[static_cast<size_t>(sky)].second;
        const Image image = imageOf(made);
        JobContext job;
        const auto mesh = ImageMesh::build(image, 0, placesOf(image), job);
        for (const bool isElsewhere : {false, true}) {
            Camera camera;
            camera.projection = projection;
            camera.frame = isElsewhere ? Frame::Equatorial : Frame::Galactic;
            camera.flip = isElsewhere;
            if (isElsewhere) camera.orientation = skyFromViewRotation({1.0, 0.9}, -0.4);
            const ViewGeometry view = camera.geometry(600, 400, Frame::Galactic);
            compare(*mesh, made, view);
            if (QTest::currentTestFailed()) return;
        }
    }

private:
    void compare(const ImageMesh& mesh, const Sky& made, const ViewGeometry& view) {
        ColorScale scale;
        scale.colorMap = "#000000,#ffffff";
        scale.mapping.low = -1.0F;
        scale.mapping.high = 1.0F;
        scale.outside = {1, 2, 3, 0};
        JobContext job;
        MarkerImage picture;
        paintImage(mesh, scale, 1.0, view, picture, job);
        const std::vector<Rgba> truth = renderImage(truth_, view, scale, job);
        int clear = 0;
        double worst = 0.0;
        for (int row = 0; row < view.height; ++row)
            for (int column = 0; column < view.width; ++column) {
                const auto at = static_cast<size_t>(row * view.width + column);
                Vec3 sky;
                if (!skyFromImage(view, column + 0.5, row + 0.5, sky)) {
                    QCOMPARE(picture.pixels[at].a, uint8_t{0});
                    continue;
                }
                if (picture.pixels[at].a == 0) {
                    if (std::abs(lonLat(sky).lat) < made.covered * kDegree) ++clear;
                    continue;
                }
                const double error = std::abs(picture.pixels[at].r - truth[at].r);
                worst = std::max(worst, error - limit(made, view, column, row, sky));
            }
        QCOMPARE(clear, 0);
        QVERIFY2(worst <= 0.0, qPrintable(QString("%1 levels beyond the limit").arg(worst)));
    }
    // Limit of the difference of the pictures in gray levels.
    //
    // Image: half a diagonal from the center of the picture pixel to that of its image pixel. A
    // whole diagonal more if that center lies off the sky and a neighbor is used. In addition the
    // extent of the picture pixel, twice at the pole of an image, where its pixels are averaged
    // around the pole.
    //
    // Map: the radius of its pixel, and the extent of the picture pixel, which shows a mean. 127.5
    // levels make a radian; both colors are rounded.
    static double limit(const Sky& made, const ViewGeometry& view, int column, int row, Vec3 sky) {
        const PlanePoint plane = planeFromImage(view, column + 0.5, row + 0.5);
        const PlaneRow line = planeRow(view.projection, plane.y);
        Vec3 inView;
        directionFromRow(view.projection, view.flip, line, plane.x, inView);
        const double footprint =
            view.radiansPerPixel * footprintScale(view.projection, line, plane.x, inView);
        const double apart = 1.5 * std::sqrt(2.0) * pixelAt(made, sky) * kDegree + 3.0 * footprint +
                             maximumPixelRadius(kNside);
        return 127.5 * apart + 2.0;
    }
};

QTEST_GUILESS_MAIN(ImageSeamsTest)
#include "tst_image_seams.moc"
