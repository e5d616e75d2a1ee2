// SPDX-License-Identifier: GPL-3.0-or-later
// Images on HEALPix pixels, and maps on the pixels of an image: convert IMAGE --nside, project
// --like.
#include <QTest>
#include <cmath>

#include "armilla/core/nan.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/core/units.h"
#include "armilla/io/image_file.h"
#include "cli/cli_fixture.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// A smooth function of the sky; its second derivatives along any great circle are below 4.
double scalar(Vec3 v) {
    return 1.0 + 0.5 * v.x - v.y * v.z + v.z * v.z;
}

// Polarization of strength sin^2 along the great circles to a pole p, in COSMO convention: with the
// angle a from north through east to p, Q = s^2 cos 2a and U = -s^2 sin 2a.
std::pair<double, double> towards(Vec3 pole, Vec3 at) {
    const double across = std::hypot(at.x, at.y);
    const Vec3 east = across > 0.0 ? Vec3{-at.y / across, at.x / across, 0.0} : Vec3{0.0, 1.0, 0.0};
    const Vec3 north = cross(at, east);
    const double angle = std::atan2(dot(pole, east), dot(pole, north));
    const double s2 = 1.0 - dot(pole, at) * dot(pole, at);
    return {s2 * std::cos(2.0 * angle), -s2 * std::sin(2.0 * angle)};
}

ImageGrid gridOf(Projection projection, int width, int height, double step, LonLat center,
                 Frame frame) {
    ViewGeometry view;
    view.projection = projection;
    view.width = width;
    view.height = height;
    view.radiansPerPixel = step;
    view.skyFromView = skyFromViewRotation(center, 0.0);
    return imageGrid(view, frame);
}
// The whole sky in plate carree.
ImageGrid wholeSky(int height, Frame frame) {
    return gridOf(Projection::Cartesian, 2 * height, height, kPi / height, {}, frame);
}

double worstOf(const HealpixMap& map, int field, const std::function<double(Vec3)>& expected) {
    double worst = 0.0;
    const std::vector<double> values = valuesOf(map, field);
    for (int64_t p = 0; p < map.pixelCount(); ++p)
        worst =
            std::max(worst, std::abs(values[static_cast<size_t>(p)] -
                                     expected(directionFromPixel(map.nside(), map.ordering(), p))));
    return worst;
}

}  // namespace

class tst_cli_image_maps : public QObject {
    Q_OBJECT

    CliFixture f_;
    JobContext job_;

    void writeImageOf(const QString& name, const ImageGrid& grid,
                      const std::function<double(Vec3)>& function, const std::string& unit = "K") {
        Image image;
        image.width = grid.width;
        image.height = grid.height;
        image.frame = grid.frame;
        image.wcsCards = grid.wcsCards;
        image.unit = unit;
        image.planes.emplace_back();
        std::vector<double> values;
        for (const Vec3& v : pixelDirections(grid, job_))
            values.push_back(std::isfinite(v.z) ? function(v) : kNan);
        image.values = std::move(values);
        writeImage(image, f_.path(name).toStdString(), FileWriteOptions(), job_);
    }

    void convert(const QString& line) {
        const Outcome done = f_.run(line);
        QVERIFY2(done.status == 0, done.error.constData());
    }

private slots:
    // Bilinear values of an image of pixels h: error h^2 / 8 times the sum of two second
    // derivatives, each below 4, so h^2.
    void valuesAtCenters() {
        const int height = 180;
        writeImageOf("car.fits", wholeSky(height, Frame::Galactic), scalar);
        convert("convert {car.fits} {car-map.fits} --nside 64 --overwrite");
        const HealpixMap map = f_.read("car-map.fits");
        QCOMPARE(map.nside(), int64_t{64});
        QCOMPARE(map.frame(), Frame::Galactic);
        QCOMPARE(map.ordering(), Ordering::Ring);
        QCOMPARE(map.coverage(), Coverage::Full);
        QCOMPARE(map.field(0).unit, std::string("K"));
        const double h = kPi / height;
        QVERIFY(worstOf(map, 0, scalar) < h * h);
        // Another frame: the same function of the rotated direction, not interpolated twice.
        convert("convert {car.fits} {turned.fits} --nside 64 --frame C --ordering nested");
        const Mat3 toGalactic = frameRotation(Frame::Galactic, Frame::Equatorial);
        const HealpixMap turned = f_.read("turned.fits");
        QCOMPARE(turned.frame(), Frame::Equatorial);
        QCOMPARE(turned.ordering(), Ordering::Nested);
        QVERIFY(worstOf(turned, 0, [&](Vec3 v) { return scalar(toGalactic * v); }) < h * h);
    }

    // A pixel larger than those of the image is their mean.
    void meansOfLargerPixels() {
        const int height = 180;
        writeImageOf("fine.fits", wholeSky(height, Frame::Galactic), scalar);
        convert("convert {fine.fits} {mean.fits} --nside 8");
        const double h = kPi / height;
        // The mean of 32 x 32 children of each pixel.
        const double worst = worstOf(f_.read("mean.fits"), 0, [](Vec3 v) {
            const FacePixel pixel = faceFromDirection(8, v);
            double sum = 0.0;
            for (int64_t x = 0; x < 32; ++x)
                for (int64_t y = 0; y < 32; ++y)
                    sum += scalar(
                        directionFromFace(256, {pixel.face, pixel.x * 32 + x, pixel.y * 32 + y}));
            return sum / 1024.0;
        });
        // Beside the bilinear error: the means over 8 and 32 children a side differ by the second
        // derivatives times the square of a child of nside 64 (0.016 rad) over 24.
        QVERIFY2(worst < h * h + 4.0 * 0.016 * 0.016 / 24.0, qPrintable(QString::number(worst)));
    }

    // Pixels far larger than those of the image: sums are kept exactly, means by solid angle.
    void finePixelsAreBinned() {
        const ImageGrid grid = gridOf(Projection::Gnomonic, 200, 150, 1.0 * kArcmin,
                                      {120.0 * kDegree, -40.0 * kDegree}, Frame::Galactic);
        double total = 0.0;
        for (const Vec3& v : pixelDirections(grid, job_)) total += scalar(v);
        writeImageOf("fine-counts.fits", grid, scalar, "count");
        convert("convert {fine-counts.fits} {few.fits} --nside 16 --sparse");
        double sum = 0.0;
        const HealpixMap few = f_.read("few.fits");
        for (const double value : valuesOf(few, 0)) sum += value;
        // Rounding of a sum of 30,000 values: at most 30,000 epsilon, 7e-12, and typically its
        // root.
        QVERIFY(std::abs(sum / total - 1.0) < 7e-12);
        writeImageOf("fine-mean.fits", grid, scalar);
        convert("convert {fine-mean.fits} {few-means.fits} --nside 16 --sparse");
        const HealpixMap means = f_.read("few-means.fits");
        QCOMPARE(means.elementCount(), few.elementCount());
        // The function differs by at most 3 per radian from its mean, over a pixel of 3.7 degrees.
        for (int64_t e = 0; e < means.elementCount(); ++e) {
            const Vec3 at = directionFromPixel(16, means.ordering(), means.pixels()[size_t(e)]);
            QVERIFY(std::abs(means.field(0).at(e) - scalar(at)) < 3.0 * 3.7 * kDegree);
        }
        // Pixels a million times smaller than those of the map end at once.
        const ImageGrid tiny = gridOf(Projection::Gnomonic, 30, 30, 0.01 * kArcsec,
                                      {120.0 * kDegree, -40.0 * kDegree}, Frame::Galactic);
        writeImageOf("tiny.fits", tiny, scalar);
        convert("convert {tiny.fits} {one.fits} --nside 16 --sparse");
        QCOMPARE(f_.read("one.fits").elementCount(), int64_t{1});
    }

    // Counts are summed: the total of the sky stays.
    void countsAreSummed() {
        const int height = 90;
        const double h = kPi / height;
        const ImageGrid grid = wholeSky(height, Frame::Galactic);
        // The integral over each pixel of a function with mean 4/3: scalar times the solid angle.
        const auto counts = [h](Vec3 v) {
            return scalar(v) * h * 2.0 * std::sin(h / 2.0) * std::hypot(v.x, v.y);
        };
        writeImageOf("counts.fits", grid, counts, "counts");
        const Outcome done = f_.run("convert {counts.fits} {sums.fits} --nside 8");
        QVERIFY2(done.status == 0, done.error.constData());
        QVERIFY(done.error.contains("summed"));
        double total = 0.0;
        for (const double value : valuesOf(f_.read("sums.fits"), 0)) total += value;
        // The image takes the function at pixel centers: errors of second order in its pixels.
        QVERIFY(std::abs(total - 4.0 * kPi * 4.0 / 3.0) < 4.0 * kPi * 2.0 * h * h);
        double given = 0.0;
        for (const Vec3& v : pixelDirections(grid, job_)) given += counts(v);
        // Rounding of a sum of 16,200 values: 4e-12.
        QVERIFY(std::abs(total / given - 1.0) < 4e-12);
        // One pixel of counts among empty ones: none is lost where pixels are similar, larger or
        // smaller than it.
        const std::vector<Vec3> at = pixelDirections(grid, job_);
        const Vec3 hot = at[size_t(100) + 40 * 180];
        writeImageOf(
            "one-pixel.fits", grid,
            [hot](Vec3 v) { return dot(v, hot) > 1.0 - 1e-9 ? 100.0 : 0.0; }, "counts");
        for (const char* nside : {"4", "16", "32", "64", "256"})
            for (const char* mode : {"nearest", "bilinear"}) {
                convert(QString("convert {one-pixel.fits} {shared.fits} --overwrite --nside %1 "
                                "--interpolation %2 --precision double")
                            .arg(nside, mode));
                double shared = 0.0;
                for (const double value : valuesOf(f_.read("shared.fits"), 0)) shared += value;
                // Rounding of at most a thousand shares: 100 times 1000 epsilon, 2e-11.
                QVERIFY2(std::abs(shared - 100.0) < 1e-10, nside);
            }
        convert("convert {counts.fits} {means.fits} --nside 8 --degrade mean");
        QVERIFY(valuesOf(f_.read("means.fits"), 0)[0] < 0.01);
    }

    // Part of the sky: partial where asked, full and bad elsewhere by default; image pixels without
    // a value stay bad.
    void partOfTheSky() {
        const ImageGrid grid = gridOf(Projection::Gnomonic, 60, 40, 10.0 * kArcmin,
                                      {300.0 * kDegree, 85.0 * kDegree}, Frame::Equatorial);
        writeImageOf("tan.fits", grid, [](Vec3 v) { return v.x > 0.06 ? kNan : scalar(v); });
        convert("convert {tan.fits} {part.fits} --nside 1024 --sparse");
        const HealpixMap part = f_.read("part.fits");
        QCOMPARE(part.coverage(), Coverage::Partial);
        const Image image = readImage(f_.path("tan.fits").toStdString(), job_);
        const ImageWcs wcs(image);
        // Every pixel of the map whose center lies on a good pixel of the image, and no other.
        int64_t expected = 0;
        for (int64_t p = 0; p < pixelCount(1024) / 32; ++p) {
            const Vec3 at = directionFromPixel(1024, part.ordering(), p);
            if (part.ordering() != Ordering::Ring) break;
            std::array<double, 1> x{}, y{};
            wcs.pixels(std::array{at}, x, y);
            const bool isInside = x[0] >= -0.5 && x[0] <= 59.5 && y[0] >= -0.5 && y[0] <= 39.5;
            const bool isGood =
                isInside && std::isfinite(image.at(std::min<int64_t>(std::llround(x[0]), 59),
                                                   std::min<int64_t>(std::llround(y[0]), 39)));
            QCOMPARE(part.elementOf(p).has_value(), isGood);
            expected += isGood ? 1 : 0;
            if (isGood) {
                // h = 10 arcmin = 0.0029; toward bad pixels and edges only the good of four
                // count, which costs the first derivative (below 3) times half a pixel.
                QVERIFY(std::abs(part.value(0, p) - scalar(at)) < 3.0 * 0.0029);
            }
        }
        QCOMPARE(part.ordering(), Ordering::Ring);
        QCOMPARE(part.elementCount(), expected);
        QVERIFY(expected > 1000);
    }

    // Q and U refer to the meridians of the map, whatever the frame of the image.
    void polarizationTurns() {
        const int height = 180;
        const double h = kPi / height;
        const Vec3 pole{0.0, 0.0, 1.0};
        const ImageGrid grid = wholeSky(height, Frame::Galactic);
        writeImageOf("q.fits", grid, [&](Vec3 v) { return towards(pole, v).first; });
        Image cube = readImage(f_.path("q.fits").toStdString(), job_);
        const auto first = std::get<std::vector<double>>(cube.values);
        std::vector<double> both = first;
        for (const Vec3& v : pixelDirections(grid, job_)) both.push_back(towards(pole, v).second);
        cube.values = both;
        cube.planes = {{"Q", 2.0}, {"U", 3.0}};
        cube.axisName = "STOKES";
        writeImage(cube, f_.path("qu.fits").toStdString(), FileWriteOptions(), job_);
        convert("convert {qu.fits} {qu-map.fits} --nside 64 --frame C");
        const HealpixMap map = f_.read("qu-map.fits");
        QCOMPARE(map.fieldCount(), 2);
        // The same image in IAU convention: U has the other sign, and the map the same values.
        for (size_t i = first.size(); i < both.size(); ++i) both[i] = -both[i];
        cube.values = both;
        std::string convention = "POLCCONV= 'IAU     '";
        convention.resize(80, ' ');
        cube.cards.push_back(convention);
        writeImage(cube, f_.path("iau.fits").toStdString(), FileWriteOptions(), job_);
        convert("convert {iau.fits} {iau-map.fits} --nside 64 --frame C");
        const HealpixMap iau = f_.read("iau-map.fits");
        QVERIFY(iau.metadata().iauOnDisk);
        QCOMPARE(valuesOf(iau, 1), valuesOf(map, 1));
        const Vec3 turned = frameRotation(Frame::Equatorial, Frame::Galactic) * pole;
        // Components of the tensor in the frame of the image have second derivatives up to 16 near
        // its poles, where their strength falls as sin^2.
        for (int field = 0; field < 2; ++field) {
            const double worst = worstOf(map, field, [&](Vec3 v) {
                const auto [q, u] = towards(turned, v);
                return field == 0 ? q : u;
            });
            QVERIFY2(worst < 4.0 * h * h, qPrintable(QString::number(worst)));
        }
    }

    void likeAnImage() {
        f_.writeSky("sky.fits", 64, Ordering::Nested);
        const ImageGrid grid = gridOf(Projection::Lambert, 70, 50, 30.0 * kArcmin,
                                      {10.0 * kDegree, 80.0 * kDegree}, Frame::Equatorial);
        writeImageOf("target.fits", grid, scalar);
        convert("project {sky.fits} {near.fits} --like {target.fits}");
        const Image image = readImage(f_.path("near.fits").toStdString(), job_);
        QCOMPARE(image.width, int64_t{70});
        QCOMPARE(image.frame, Frame::Equatorial);
        const HealpixMap map = f_.read("sky.fits");
        const Mat3 toMap = frameRotation(map.frame(), Frame::Equatorial);
        const std::vector<Vec3> at = pixelDirections(grid, job_);
        for (size_t i = 0; i < at.size(); ++i)
            QCOMPARE(image.at(int64_t(i) % 70, int64_t(i) / 70),
                     map.value(0, map.pixelAt(toMap * at[i])));
        // The pixels of the image are those of the target, to the bit of the header's cards.
        QCOMPARE(readImageGrid(f_.path("near.fits").toStdString(), job_).wcsCards, grid.wcsCards);
        const Outcome both =
            f_.run("project {sky.fits} {x.fits} --like {target.fits} --size 10x10");
        QCOMPARE(both.status, 2);
        QVERIFY(both.error.contains("--like"));
    }

    // Q and U on an image in B1950 refer to its meridians, and back on HEALPix to those of ICRS.
    void polarizationInB1950() {
        f_.writeSky("sky3.fits", 64, Ordering::Ring, 3);
        HealpixMap sky = f_.read("sky3.fits");
        sky.setFrame(Frame::Equatorial);
        const Vec3 pole = normalized({0.3, -0.5, 0.7});
        std::array<std::vector<double>, 2> qu;
        for (int64_t p = 0; p < sky.pixelCount(); ++p) {
            const auto [q, u] = towards(pole, directionFromRing(64, p));
            qu[0].push_back(q);
            qu[1].push_back(u);
        }
        sky.field(1).values = qu[0];
        sky.field(2).values = qu[1];
        f_.write("polarized.fits", sky);
        ImageGrid grid = wholeSky(90, Frame::Equatorial);
        for (std::string& card : grid.wcsCards)
            if (card.starts_with("RADESYS")) card = "RADESYS = 'FK4     '";
        grid.wcsCards.push_back("EQUINOX =               1950.0");
        for (std::string& card : grid.wcsCards) card.resize(80, ' ');
        writeImageOf("b1950.fits", grid, scalar);
        const ToIcrs toIcrs(*equatorialFrameOf("FK4", 1950.0));
        const Vec3 poleThen = toIcrs.inverse(pole);
        const std::vector<Vec3> at = pixelDirections(grid, job_);
        for (const auto& [field, name] : {std::pair{2, "q50.fits"}, {3, "u50.fits"}}) {
            convert(QString("project {polarized.fits} {%1} --like {b1950.fits} --field %2 "
                            "--interpolation bilinear --overwrite")
                        .arg(name)
                        .arg(field));
            const Image image = readImage(f_.path(name).toStdString(), job_);
            QVERIFY(image.name.ends_with("FK4 (B1950.0)"));
            QVERIFY(f_.content(name).contains("POLCCONV= 'COSMO"));
            double worst = 0.0;
            for (size_t i = 0; i < at.size(); ++i) {
                const auto [q, u] = towards(poleThen, toIcrs.inverse(at[i]));
                if (std::hypot(at[i].x, at[i].y) < 0.1) continue;  // Q, U turn fast at the poles
                worst = std::max(worst, std::abs(image.at(int64_t(i) % 180, int64_t(i) / 180) -
                                                 (field == 2 ? q : u)));
            }
            // HEALPix's interpolation at nside 64 (0.016 rad) of components that turn with 1 / 0.1
            // at 6 degrees from the poles: 0.016^2 / 8 * (2 / 0.1)^2 = 0.013. Meridians of 1950
            // against those of ICRS: up to 0.28 degrees / 0.1, 0.1 rad, would show.
            QVERIFY2(worst < 0.013, qPrintable(QString::number(worst)));
        }
    }

    void wordsForMistakes() {
        writeImageOf("flat.fits", wholeSky(18, Frame::Galactic), scalar);
        const Outcome noNside = f_.run("convert {flat.fits} {x.fits} --frame C");
        QCOMPARE(noNside.status, 2);
        QVERIFY2(noNside.error.contains("--nside"), noNside.error.constData());
        const Outcome harmonic =
            f_.run("convert {flat.fits} {x.fits} --nside 16 --method harmonic");
        QVERIFY(harmonic.status != 0);
        QVERIFY2(harmonic.error.contains("--method pixels"), harmonic.error.constData());
        QVERIFY(f_.run("convert {flat.fits} {any.fits} --nside 10").status == 0);
        QCOMPARE(f_.read("any.fits").nside(), int64_t{10});
    }

    // Columns of positions by name, in every command that takes a catalog.
    void positionColumnsByName() {
        f_.write("odd.csv", "id,a,b\n1,10.0,20.0\n2,100.5,-30.25\n");
        f_.write("plain.csv", "RA,DEC,m\n10.0001,20.0,1.5\n200,0,2\n");
        f_.writeSky("base.fits", 16, Ordering::Ring);
        const Outcome match = f_.run(
            "match {odd.csv} {plain.csv} {m.csv} --radius 1arcsec --lon a --lat b "
            "--input-frame C --json");
        QVERIFY2(match.status == 0, match.error.constData());
        QCOMPARE(match.json()["pairs"].toInt(), 1);
        const Outcome same = f_.run(
            "match {odd.csv} {odd.csv} {m2.csv} --radius 1arcsec --lon a --lat b "
            "--input-frame C --json");
        QVERIFY2(same.status == 0, same.error.constData());
        QCOMPARE(same.json()["pairs"].toInt(), 2);
        const Outcome second = f_.run(
            "match {plain.csv} {odd.csv} {m3.csv} --radius 1arcsec --lon2 a --lat2 b "
            "--input-frame C --json");
        QVERIFY2(second.status == 0, second.error.constData());
        QCOMPARE(second.json()["pairs"].toInt(), 1);
        const Outcome mask = f_.run(
            "mask {disc.fits} --catalog {odd.csv} --lon a --lat b --radius 2deg --nside 64 "
            "--frame C --input-frame C --json");
        QVERIFY2(mask.status == 0, mask.error.constData());
        // Two discs of 2 degrees: 2 (1 - cos 2 deg) / 2 of the sky, to a ring of pixels (0.9 deg).
        QVERIFY(std::abs(1.0 - mask.json()["good_share"].toDouble() - 6.09e-4) < 3e-4);
        const Outcome moc =
            f_.run("moc {odd.csv} {odd.moc.fits} --order 8 --lon a --lat b --input-frame C --json");
        QVERIFY2(moc.status == 0, moc.error.constData());
        QCOMPARE(moc.json()["cells"].toInt(), 2);
        const Outcome picture = f_.run(
            "render {odd.csv} {odd.png} --lon a --lat b --input-frame C --json --size 600x400");
        QVERIFY2(picture.status == 0, picture.error.constData());
        QCOMPARE(picture.json()["markers"].toInt(), 2);
        const Outcome over = f_.run(
            "render {base.fits} {over.png} --catalog {odd.csv} --lon a --lat b --json --size "
            "600x400 --input-frame C");
        QVERIFY2(over.status == 0, over.error.constData());
        QCOMPARE(over.json()["markers"].toInt(), 2);
        // Columns that one of several catalogs does not have are said; half a pair is refused.
        const Outcome said = f_.run(
            "match {odd.csv} {plain.csv} {m4.csv} --radius 1arcsec --lon a --lat b "
            "--input-frame C");
        QVERIFY2(said.error.contains("no columns a and b"), said.error.constData());
        QCOMPARE(f_.run("moc {plain.csv} {x.moc.fits} --order 8 --lon typo --lat DEC").status, 1);
        const Outcome half =
            f_.run("match {odd.csv} {plain.csv} {m5.csv} --radius 1arcsec --lon a --lat DEC");
        QCOMPARE(half.status, 1);
        const Outcome alone = f_.run("render {odd.csv} {x.png} --lon a");
        QCOMPARE(alone.status, 2);
        QVERIFY(alone.error.contains("--lat"));
        const Outcome absent =
            f_.run("match {plain.csv} {odd.csv} {x.csv} --radius 1arcsec --lon a --lat b");
        QCOMPARE(absent.status, 1);
    }
};

QTEST_GUILESS_MAIN(tst_cli_image_maps)
#include "tst_cli_image_maps.moc"
