// SPDX-License-Identifier: GPL-3.0-or-later
// Views as FITS images: pixel positions as wcslib reads them from the header.
#include <fitsio.h>
#include <wcslib/wcs.h>
#include <wcslib/wcshdr.h>

#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <random>

#include "armilla/core/error.h"
#include "armilla/io/image_io.h"
#include "support/projections.h"

using namespace armilla;

namespace {

// Any rotation: Euler angles, so that special ones (poles, equator, quarter turns) can be named.
Mat3 rotation(double lon, double lat, double turn) {
    const auto aboutZ = [](double a) {
        return Mat3{{std::cos(a), -std::sin(a), 0, std::sin(a), std::cos(a), 0, 0, 0, 1}};
    };
    const auto aboutY = [](double a) {
        return Mat3{{std::cos(a), 0, std::sin(a), 0, 1, 0, -std::sin(a), 0, std::cos(a)}};
    };
    const auto aboutX = [](double a) {
        return Mat3{{1, 0, 0, 0, std::cos(a), -std::sin(a), 0, std::sin(a), std::cos(a)}};
    };
    return aboutZ(lon) * aboutY(-lat) * aboutX(turn);
}

struct Header {
    std::string text;
    int cards = 0;
    std::vector<float> values;
};

Header readHeader(const std::string& path) {
    Header header;
    fitsfile* file = nullptr;
    int status = 0;
    char* text = nullptr;
    fits_open_diskfile(&file, path.c_str(), READONLY, &status);
    fits_hdr2str(file, 0, nullptr, 0, &text, &header.cards, &status);
    if (status == 0) header.text = text;
    fits_free_memory(text, &status);
    long axes[2] = {0, 0};
    fits_get_img_size(file, 2, axes, &status);
    header.values.resize(static_cast<size_t>(axes[0] * axes[1]));
    int any = 0;
    fits_read_img(file, TFLOAT, 1, axes[0] * axes[1], nullptr, header.values.data(), &any, &status);
    int dataOk = 0, hduOk = 0;
    fits_verify_chksum(file, &dataOk, &hduOk, &status);
    if (dataOk != 1 || hduOk != 1) header.text.clear();
    fits_close_file(file, &status);
    if (status != 0) header.text.clear();
    return header;
}

// Largest distance in pixels between the positions of a direction by wcslib and by the view, over
// `samples` positions of the image. Negative if wcslib refuses the header or a direction.
double largestDeviation(const SkyImage& image, const Header& header, int samples, unsigned seed) {
    std::string text = header.text;
    int rejected = 0, count = 0;
    wcsprm* wcs = nullptr;
    if (wcspih(text.data(), header.cards, WCSHDR_all, 0, &rejected, &count, &wcs) != 0 ||
        count != 1)
        return -1.0;
    double largest = wcsset(wcs) == 0 ? 0.0 : -2.0;
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> share(0.0, 1.0);
    const ViewGeometry& view = image.view;
    for (int i = 0; i < samples && largest >= 0.0; ++i) {
        const double column = share(random) * view.width, row = share(random) * view.height;
        Vec3 sky;
        if (!skyFromImage(view, column, row, sky)) continue;
        // On the seam a rounding error picks the other side of the picture.
        const Vec3 inView = transposed(view.skyFromView) * sky;
        if (std::abs(std::atan2(inView.y, inView.x)) > kPi - 1e-9 &&
            factsOf(view.projection).kind == ProjectionClass::Other)
            continue;
        const LonLat place = lonLat(sky);
        double world[2] = {place.lon / kDegree, place.lat / kDegree};
        double phi = 0, theta = 0, plane[2], pixel[2];
        int bad = 0;
        if (wcss2p(wcs, 1, 2, world, &phi, &theta, plane, pixel, &bad) != 0) {
            largest = -3.0;
            break;
        }
        largest = std::max(
            largest, std::hypot(pixel[0] - (column + 0.5), pixel[1] - (view.height - row + 0.5)));
    }
    wcsvfree(&count, &wcs);
    return largest;
}

SkyImage imageOf(Projection projection, const Mat3& skyFromView, double radiansPerPixel) {
    SkyImage image;
    image.view.projection = projection;
    image.view.width = 61;
    image.view.height = 40;
    image.view.radiansPerPixel = radiansPerPixel;
    image.view.skyFromView = skyFromView;
    image.values.assign(61 * 40, 1.0F);
    return image;
}

}  // namespace

class tst_image_io : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::string path(const char* name) const { return (folder_.path() + '/' + name).toStdString(); }
    Header written(const SkyImage& image, StoredPrecision precision = StoredPrecision::Single) {
        JobContext job;
        writeSkyImage(image, path("image.fits"), {true, precision, {"armilla project"}}, job);
        return readHeader(path("image.fits"));
    }

private slots:
    void placesAgreeWithWcslib_data();
    void placesAgreeWithWcslib();
    void uprightViewsAreSimple();
    void rowsAndValues();
    void refusals();
};

void tst_image_io::placesAgreeWithWcslib_data() {
    QTest::addColumn<int>("projection");
    QTest::addColumn<double>("scale");  // radians per pixel
    for (const auto& [name, projection] : kProjections) {
        QTest::addRow("%s, wide", name) << static_cast<int>(projection) << 0.1;
        QTest::addRow("%s, 1 arcmin", name) << static_cast<int>(projection) << kArcmin;
        QTest::addRow("%s, 1 arcsec", name) << static_cast<int>(projection) << kArcsec;
    }
}

void tst_image_io::placesAgreeWithWcslib() {
    QFETCH(int, projection);
    QFETCH(double, scale);
    std::vector<Mat3> rotations;
    const double quarter = kHalfPi;
    const double lons[] = {0.0, 2.0, kPi, 3.0 * quarter};
    for (const double lat : {0.0, quarter, -quarter, 0.5, quarter - 1e-9, 1e-7 - quarter, 1e-12})
        for (const double turn : {0.0, quarter, -quarter, kPi, 0.3, 1e-10})
            rotations.push_back(rotation(lons[rotations.size() % 4], lat, turn));
    std::mt19937 random(7);
    std::uniform_real_distribution<double> angle(-kPi, kPi);
    for (int i = 0; i < 30; ++i)
        rotations.push_back(rotation(angle(random), 0.5 * angle(random), angle(random)));
    unsigned seed = 0;
    for (const Mat3& turn : rotations) {
        SkyImage image = imageOf(static_cast<Projection>(projection), turn, scale);
        image.view.flip = seed % 2 == 1;
        image.frame = seed % 3 == 0   ? Frame::Galactic
                      : seed % 3 == 1 ? Frame::Equatorial
                                      : Frame::Ecliptic;
        if (seed % 5 == 0) image.view.offset = {7.25 * scale, -3.5 * scale};
        const Header header = written(image);
        QVERIFY2(!header.text.empty(), "cfitsio does not read the file");
        const double deviation = largestDeviation(image, header, 60, seed++);
        QVERIFY2(deviation >= 0.0, "wcslib does not read the header");
        // Promised accuracy: 1e-6 of a pixel. Angles in degrees have a rounding error of 360 *
        // 1.1e-16 = 4e-14 deg each. At 1 arcsec per pixel that is 1.4e-10 of a pixel, so a few of
        // these stay below.
        QVERIFY2(deviation < 1e-6, qPrintable(QString("view %1: %2").arg(seed - 1).arg(deviation)));
    }
}

void tst_image_io::uprightViewsAreSimple() {
    // A view on the equator with north up: CRVAL is its center, without a shift of the reference
    // point.
    for (const auto& [name, projection] : kProjections) {
        if (factsOf(projection).kind == ProjectionClass::Zenithal) continue;
        const Header header = written(imageOf(projection, rotation(1.0, 0.0, 0.0), 0.1));
        QVERIFY(header.text.find("PV1_") == std::string::npos);
        QVERIFY(header.text.find("CTYPE1  = 'GLON-" + std::string(factsOf(projection).wcsCode) +
                                 "'") != std::string::npos);
        QVERIFY(header.text.find("CRVAL2  =                  0.0") != std::string::npos);
    }
    SkyImage image = imageOf(Projection::Gnomonic, rotation(1.0, 0.5, 0.0), 1e-4);
    image.frame = Frame::Equatorial;
    image.unit = "K";
    image.name = "Crab";
    const Header header = written(image);
    for (const char* card : {"CTYPE1  = 'RA---TAN'", "CTYPE2  = 'DEC--TAN'", "RADESYS = 'ICRS",
                             "BUNIT   = 'K ", "OBJECT  = 'Crab", "HISTORY armilla project"})
        QVERIFY2(header.text.find(card) != std::string::npos, card);
}

void tst_image_io::rowsAndValues() {
    SkyImage image = imageOf(Projection::Lambert, Mat3{}, 0.01);
    for (size_t i = 0; i < image.values.size(); ++i) image.values[i] = static_cast<float>(i);
    image.values[5] = std::nanf("");
    for (const StoredPrecision precision : {StoredPrecision::Single, StoredPrecision::Double}) {
        const Header header = written(image, precision);
        QVERIFY(header.text.find(precision == StoredPrecision::Double
                                     ? "BITPIX  =                  -64"
                                     : "BITPIX  =                  -32") != std::string::npos);
        // The top row of the image is the last one of the file.
        QVERIFY(std::isnan(header.values[39 * 61 + 5]));
        QCOMPARE(header.values[39 * 61], 0.0F);
        QCOMPARE(header.values[0], 39.0F * 61.0F);
        QCOMPARE(header.values[2 * 61 + 3], 37.0F * 61.0F + 3.0F);
    }
}

void tst_image_io::refusals() {
    JobContext job;
    SkyImage image = imageOf(Projection::Lambert, Mat3{}, 0.01);
    image.frame = Frame::Unknown;
    QVERIFY_THROWS_EXCEPTION(Unsupported, writeSkyImage(image, path("no.fits"), {}, job));
    image.frame = Frame::Galactic;
    image.values.pop_back();
    QVERIFY_THROWS_EXCEPTION(InvalidArgument, writeSkyImage(image, path("no.fits"), {}, job));
    image.values.push_back(0.0F);
    writeSkyImage(image, path("once.fits"), {}, job);
    QVERIFY_THROWS_EXCEPTION(IoError, writeSkyImage(image, path("once.fits"), {}, job));
    QVERIFY(!QFile::exists(QString::fromStdString(path("no.fits"))));
}

QTEST_GUILESS_MAIN(tst_image_io)
#include "tst_image_io.moc"
