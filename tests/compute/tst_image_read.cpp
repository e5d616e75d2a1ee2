// SPDX-License-Identifier: GPL-3.0-or-later
// Reading of images and cubes, including tile-compressed ones, and sky positions of their pixels.
#include <fitsio.h>
#include <sys/resource.h>

#include <QTemporaryDir>
#include <QtTest>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/io/image_file.h"
#include "armilla/io/map_io.h"
#include "armilla/io/table_io.h"
#include "compute/fits_bytes.h"
#include "support/image_cards.h"

using namespace armilla;
using namespace armilla::testing;

namespace {

// A plane or cube with a tangent projection at lon 30, lat 60, pixels of 0.5 degrees.
HduBytes imageHdu(int bitpix, int planes, const char* lon = "RA---TAN",
                  const char* lat = "DEC--TAN") {
    HduBytes hdu;
    hdu.set("SIMPLE", "T").set("BITPIX", bitpix).set("NAXIS", planes > 0 ? 3 : 2);
    hdu.set("NAXIS1", 5).set("NAXIS2", 4);
    if (planes > 0) hdu.set("NAXIS3", planes);
    hdu.setText("CTYPE1", lon).setText("CTYPE2", lat);
    hdu.set("CRVAL1", 30.0).set("CRVAL2", 60.0).set("CRPIX1", 3.0).set("CRPIX2", 2.0);
    hdu.set("CDELT1", -0.5).set("CDELT2", 0.5);
    return hdu;
}

}  // namespace

class tst_image_read : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    JobContext job_;
    std::string path(const char* name) const { return (folder_.path() + '/' + name).toStdString(); }
    std::string packed(const std::string& bytes, bool table);
    std::string refusal(const std::string& file);

private slots:
    void types_data();
    void types();
    void cubes();
    void beamOfAips();
    void stokesProducts();
    void places();
    void wholeTurns_data();
    void wholeTurns();
    void swappedAxes();
    void wholeTurnsElsewhere_data();
    void wholeTurnsElsewhere();
    void facets();
    void notchesOfHpx();
    void tileCompressed();
    void hostileTiles_data();
    void hostileTiles();
    void damagedTilesEnd();
    void roundTrip();
    void refusals();
};

std::string tst_image_read::packed(const std::string& bytes, bool table) {
    writeBytes(path("plain.fits"), bytes);
    QFile::remove(QString::fromStdString(path("packed.fits")));
    fitsfile *in = nullptr, *out = nullptr;
    int status = 0;
    fits_open_diskfile(&in, path("plain.fits").c_str(), READONLY, &status);
    fits_create_diskfile(&out, path("packed.fits").c_str(), &status);
    if (table) {
        fits_copy_hdu(in, out, 0, &status);
        fits_movabs_hdu(in, 2, nullptr, &status);
        fits_compress_table(in, out, &status);
    } else {
        fits_set_compression_type(out, RICE_1, &status);
        fits_img_compress(in, out, &status);
    }
    fits_close_file(in, &status);
    fits_close_file(out, &status);
    return status == 0 ? readBytes(path("packed.fits")) : std::string();
}

std::string tst_image_read::refusal(const std::string& file) {
    try {
        readImage(file, job_);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

void tst_image_read::types_data() {
    QTest::addColumn<int>("bitpix");
    for (const int bitpix : {8, 16, 32, 64, -32, -64})
        QTest::newRow(QByteArray::number(bitpix)) << bitpix;
}

void tst_image_read::types() {
    QFETCH(int, bitpix);
    HduBytes hdu = imageHdu(bitpix, 0);
    hdu.setText("BUNIT", "K").setText("OBJECT", "M 33").card("HISTORY made here");
    if (bitpix > 0) hdu.set("BLANK", 7).set("BSCALE", 0.5).set("BZERO", 10.0);
    for (int i = 0; i < 20; ++i) {
        switch (bitpix) {
            case 8: append(hdu.data, static_cast<uint8_t>(i)); break;
            case 16: append(hdu.data, static_cast<int16_t>(i)); break;
            case 32: append(hdu.data, static_cast<int32_t>(i)); break;
            case 64: append(hdu.data, static_cast<int64_t>(i)); break;
            case -32: append(hdu.data, i == 7 ? std::nanf("") : static_cast<float>(i)); break;
            default: append(hdu.data, i == 7 ? std::nan("") : static_cast<double>(i)); break;
        }
    }
    writeBytes(path("image.fits"), hdu.bytes());
    const Image image = readImage(path("image.fits"), job_);
    QCOMPARE(image.width, int64_t{5});
    QCOMPARE(image.height, int64_t{4});
    QCOMPARE(image.frame, Frame::Equatorial);
    QCOMPARE(image.unit, std::string("K"));
    QCOMPARE(image.name, std::string("M 33"));
    QCOMPARE(image.history, std::vector<std::string>{"made here"});
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 5; ++x) {
            const int i = 5 * y + x;
            if (i == 7)
                QVERIFY(std::isnan(image.at(x, y)));
            else
                QCOMPARE(image.at(x, y), bitpix > 0 ? 10.0 + 0.5 * i : 1.0 * i);
        }
}

void tst_image_read::cubes() {
    HduBytes hdu = imageHdu(-32, 3, "GLON-CAR", "GLAT-CAR");
    hdu.set("CRVAL2", 0.0).setText("CTYPE3", "FREQ").setText("CUNIT3", "Hz");
    hdu.set("CRPIX3", 1.0).set("CRVAL3", 1.4e9).set("CDELT3", 1e6);
    for (int i = 0; i < 60; ++i) append(hdu.data, static_cast<float>(i));
    writeBytes(path("cube.fits"), hdu.bytes());
    const Image cube = readImage(path("cube.fits"), job_);
    QCOMPARE(cube.frame, Frame::Galactic);
    QCOMPARE(cube.planes.size(), size_t{3});
    QCOMPARE(cube.axisName, std::string("FREQ"));
    QCOMPARE(cube.planes[2].axisValue, 1.402e9);
    QCOMPARE(cube.at(1, 2, 2), 51.0);
    ImageWcs wcs(cube);
    const double x[] = {2.0}, y[] = {1.0};
    Vec3 at[1];
    wcs.directions(x, y, at);
    // The rotations of the projection round by a few machine epsilons in radians.
    QVERIFY(angularDistance(at[0], direction({30.0 * kDegree, 0.0})) < 1e-12);
}

// The last line of AIPS' task IMAGR, unless cards state a beam or this program wrote the file.
void tst_image_read::beamOfAips() {
    const auto beamOf = [&](const char* extra) {
        HduBytes hdu = imageHdu(-32, 0);
        hdu.card("HISTORY AIPS   CLEAN BMAJ=  9.0000E-03 BMIN=  9.0000E-03 BPA=   0.00");
        hdu.card("HISTORY AIPS   CLEAN BMAJ=  1.3889E-03 BMIN=  1.2222E-03 BPA= -30.00");
        hdu.card(extra);
        for (int i = 0; i < 20; ++i) append(hdu.data, static_cast<float>(i));
        writeBytes(path("aips.fits"), hdu.bytes());
        std::vector<double> beam;
        for (const std::string& card : readImage(path("aips.fits"), job_).cards)
            if (card.starts_with("BMAJ") || card.starts_with("BMIN") || card.starts_with("BPA"))
                beam.push_back(std::stod(card.substr(9)));
        return beam;
    };
    QCOMPARE(beamOf("COMMENT none"), (std::vector<double>{1.3889e-3, 1.2222e-3, -30.0}));
    QCOMPARE(beamOf("BMAJ    =               0.0042"), std::vector<double>{0.0042});
    QVERIFY(beamOf("HISTORY armilla 1.0: armilla smooth a.fits b.fits").empty());
}

// Numbers of FITS 4.0, table 29.
void tst_image_read::stokesProducts() {
    HduBytes hdu = imageHdu(-32, 3);
    hdu.setText("CTYPE3", "STOKES").set("CRPIX3", 1.0).set("CRVAL3", -1.0).set("CDELT3", -1.0);
    for (int i = 0; i < 60; ++i) append(hdu.data, static_cast<float>(i));
    writeBytes(path("stokes.fits"), hdu.bytes());
    const Image image = readImage(path("stokes.fits"), job_);
    QCOMPARE(image.planes[0].name, std::string("RR"));
    QCOMPARE(image.planes[1].name, std::string("LL"));
    QCOMPARE(image.planes[2].name, std::string("RL"));
}

// The tangent projection in closed form (paper II, equation 54).
void tst_image_read::places() {
    HduBytes hdu = imageHdu(-32, 0);
    hdu.data.resize(80);
    writeBytes(path("tan.fits"), hdu.bytes());
    const Image image = readImage(path("tan.fits"), job_);
    const ImageWcs wcs(image);
    std::vector<double> x, y;
    for (double i = -3.0; i < 8.0; i += 0.7)
        for (double j = -3.0; j < 8.0; j += 0.9) x.push_back(i), y.push_back(j);
    std::vector<Vec3> at(x.size());
    wcs.directions(x, y, at);
    const Vec3 center = direction({30.0 * kDegree, 60.0 * kDegree});
    const Vec3 north = direction({210.0 * kDegree, 30.0 * kDegree});
    const Vec3 east = cross(north, center);
    for (size_t i = 0; i < x.size(); ++i) {
        const Vec3 wanted = normalized(center + (-0.5 * kDegree * (x[i] - 2.0)) * east +
                                       (0.5 * kDegree * (y[i] - 1.0)) * north);
        // The rotations of the projection round by a few machine epsilons in radians.
        QVERIFY(angularDistance(at[i], wanted) < 1e-13);
    }
    std::vector<double> backX(x.size()), backY(x.size());
    wcs.pixels(at, backX, backY);
    for (size_t i = 0; i < x.size(); ++i)
        // Rounding of 1e-15 rad in pixels of 0.5 degrees is 1e-13 pixels.
        QVERIFY(std::hypot(backX[i] - x[i], backY[i] - y[i]) < 1e-9);
    // The far side of the sky is not on a tangent plane.
    const Vec3 behind[] = {-1.0 * center};
    wcs.pixels(behind, std::span(backX).first(1), std::span(backY).first(1));
    QVERIFY(std::isnan(backX[0]));
    QVERIFY(std::abs(wcs.pixelSize() / (0.5 * kDegree) - 1.0) < 1e-3);
}

// From 0 to 360 degrees with the reference at one end: all pixels are on the sky, in both
// directions.
void tst_image_read::wholeTurns_data() {
    QTest::addColumn<QByteArray>("projection");
    QTest::addColumn<double>("reference");
    QTest::addColumn<double>("step");
    for (const char* projection : {"CAR", "CEA", "MER"})
        for (const double reference : {1.0, 36.0, 36.5, 72.0})
            for (const double step : {-5.0, 5.0})
                QTest::addRow("%s, %g, %g", projection, reference, step)
                    << QByteArray(projection) << reference << step;
}
void tst_image_read::wholeTurns() {
    QFETCH(QByteArray, projection);
    QFETCH(double, reference);
    QFETCH(double, step);
    Image image;
    image.width = 72;
    image.height = 5;
    image.wcsCards = {test::imageCard("CTYPE1", ("'GLON-" + projection + "'").toStdString()),
                      test::imageCard("CTYPE2", ("'GLAT-" + projection + "'").toStdString()),
                      test::imageCard("CRPIX1", reference),
                      test::imageCard("CRPIX2", 3.0),
                      test::imageCard("CRVAL1", 30.0),
                      test::imageCard("CRVAL2", 0.0),
                      test::imageCard("CDELT1", step),
                      test::imageCard("CDELT2", 5.0)};
    const ImageWcs wcs(image);
    std::vector<double> x, y(72, 2.0);
    for (int i = 0; i < 72; ++i) x.push_back(i);
    std::vector<Vec3> at(x.size());
    wcs.directions(x, y, at);
    for (size_t i = 0; i < x.size(); ++i) {
        const double longitude = 30.0 + step * (x[i] + 1.0 - reference);
        // The rotations of the projection round by a few machine epsilons; longitudes of hundreds
        // of degrees add as much.
        QVERIFY(angularDistance(at[i], direction({longitude * kDegree, 0.0})) < 1e-12);
    }
    std::vector<double> backX(x.size()), backY(x.size());
    wcs.pixels(at, backX, backY);
    for (size_t i = 0; i < x.size(); ++i) {
        // The two ends are adjacent; half a turn from the center either result is valid.
        const double apart = std::remainder(backX[i] - x[i], 72.0);
        QVERIFY(std::abs(apart) < 1e-9 && std::abs(backY[i] - 2.0) < 1e-9);
        QVERIFY(backX[i] > -0.6 && backX[i] < 71.6);
    }
}

// The same with the equator of the projection off that of the sky, and with the image rotated
// against its projection.
void tst_image_read::wholeTurnsElsewhere_data() {
    QTest::addColumn<double>("latitude");  // latitude of the reference
    QTest::addColumn<double>("turn");  // angle from axes of the projection to those of the image
    QTest::addColumn<double>("step");
    for (const double step : {-5.0, 5.0}) {
        QTest::addRow("oblique, %g", step) << 40.0 << 0.0 << step;
        QTest::addRow("turned, %g", step) << 0.0 << 90.0 << step;
        QTest::addRow("oblique, turned, %g", step) << -40.0 << 90.0 << step;
    }
}
void tst_image_read::wholeTurnsElsewhere() {
    QFETCH(double, latitude);
    QFETCH(double, turn);
    QFETCH(double, step);
    const bool isTurned = turn != 0.0;
    Image image;
    image.width = isTurned ? 5 : 72;
    image.height = isTurned ? 72 : 5;
    image.wcsCards = {test::imageCard("CTYPE1", "'GLON-CAR'"),
                      test::imageCard("CTYPE2", "'GLAT-CAR'"),
                      test::imageCard("CRPIX1", isTurned ? 3.0 : 1.0),
                      test::imageCard("CRPIX2", isTurned ? 1.0 : 3.0),
                      test::imageCard("CRVAL1", 30.0),
                      test::imageCard("CRVAL2", latitude),
                      test::imageCard("LONPOLE", latitude < 0.0 ? 180.0 : 0.0),
                      test::imageCard("CDELT1", step),
                      test::imageCard("CDELT2", 5.0),
                      test::imageCard("PC1_1", std::cos(turn * kDegree)),
                      test::imageCard("PC1_2", std::sin(turn * kDegree)),
                      test::imageCard("PC2_1", -std::sin(turn * kDegree)),
                      test::imageCard("PC2_2", std::cos(turn * kDegree))};
    const ImageWcs wcs(image);
    // North is up at the reference; in the south the direction to the pole passes the native pole.
    const Mat3 skyFromNative = skyFromViewRotation({30.0 * kDegree, latitude * kDegree}, 0.0);
    std::vector<double> along, across(72, 2.0);
    for (int i = 0; i < 72; ++i) along.push_back(i);
    const auto& x = isTurned ? across : along;
    const auto& y = isTurned ? along : across;
    std::vector<Vec3> at(72);
    wcs.directions(x, y, at);
    for (size_t i = 0; i < at.size(); ++i) {
        const Vec3 truth = skyFromNative * direction({step * along[i] * kDegree, 0.0});
        // The rotations of the projection round by a few machine epsilons; longitudes of hundreds
        // of degrees add as much.
        QVERIFY(angularDistance(at[i], truth) < 1e-12);
    }
    std::vector<double> backX(72), backY(72);
    wcs.copy().pixels(at, backX, backY);
    const auto& back = isTurned ? backY : backX;
    for (size_t i = 0; i < at.size(); ++i) {
        // The rounding of the directions, divided by the pixel's angle, is below 1e-12 pixels.
        QVERIFY(std::abs(std::remainder(back[i] - along[i], 72.0)) < 1e-9);
        QVERIFY(back[i] > -0.6 && back[i] < 71.6);
    }
    // Beyond the pole there is no sky.
    const double beyondX[] = {isTurned ? 22.0 : 0.0}, beyondY[] = {isTurned ? 0.0 : 22.0};
    wcs.directions(beyondX, beyondY, {at.data(), 1});
    QVERIFY(std::isnan(at[0].x));
}

// Rows of HPX cross notches between its polar facets, which are triangles. Each of the four is 2
// (90 - y) degrees wide at the height y > 45 (Calabretta & Roukema 2007, section 2).
void tst_image_read::notchesOfHpx() {
    Image image;
    image.width = 360;
    image.height = 180;
    image.wcsCards = {
        test::imageCard("CTYPE1", "'GLON-HPX'"), test::imageCard("CTYPE2", "'GLAT-HPX'"),
        test::imageCard("CRPIX1", 180.5),        test::imageCard("CRPIX2", 90.5),
        test::imageCard("CRVAL1", 0.0),          test::imageCard("CRVAL2", 0.0),
        test::imageCard("CDELT1", -1.0),         test::imageCard("CDELT2", 1.0)};
    const ImageWcs wcs(image);
    std::vector<double> x(360), y(360);
    std::vector<Vec3> at(360);
    for (int row = 0; row < 180; ++row) {
        for (int i = 0; i < 360; ++i) {
            x[static_cast<size_t>(i)] = i;
            y[static_cast<size_t>(i)] = row;
        }
        wcs.directions(x, y, at);
        const auto found =
            std::count_if(at.begin(), at.end(), [](Vec3 d) { return std::isfinite(d.x); });
        const double height = std::abs(row - 89.5);
        const double wanted = height > 45.0 ? 8.0 * (90.0 - height) : 360.0;
        // The ends of four runs may lie on pixel centers.
        QVERIFY2(std::abs(static_cast<double>(found) - wanted) <= 8.0,
                 qPrintable(QString("row %1: %2, not %3").arg(row).arg(found).arg(wanted)));
    }
}

// Cubes and HEALPix's own projection may begin anywhere, too.
void tst_image_read::facets() {
    for (const char* projection : {"TSC", "CSC", "QSC", "HPX"})
        for (const double reference : {1.0, 46.0, 181.0}) {
            Image image;
            image.width = 360;
            image.height = 1;
            image.wcsCards = {test::imageCard("CTYPE1", std::string("'GLON-") + projection + "'"),
                              test::imageCard("CTYPE2", std::string("'GLAT-") + projection + "'"),
                              test::imageCard("CRPIX1", reference),
                              test::imageCard("CRPIX2", 1.0),
                              test::imageCard("CRVAL1", 30.0),
                              test::imageCard("CRVAL2", 0.0),
                              test::imageCard("CDELT1", -1.0),
                              test::imageCard("CDELT2", 1.0)};
            const ImageWcs wcs(image);
            QVERIFY(wcs.hasFacets());
            std::vector<double> x, y(8, 0.0);
            // The centers of facets, and the corners between them.
            for (int i = 0; i < 8; ++i) x.push_back(std::fmod(reference - 1.0 + 45.0 * i, 360.0));
            std::vector<Vec3> at(x.size());
            wcs.directions(x, y, at);
            std::vector<double> backX(x.size()), backY(x.size());
            wcs.pixels(at, backX, backY);
            for (size_t i = 0; i < x.size(); ++i) {
                const double longitude = (30.0 - (x[i] + 1.0 - reference)) * kDegree;
                // CSC is a polynomial that is good to some seconds of arc.
                QVERIFY(angularDistance(at[i], direction({longitude, 0.0})) < 1e-4);
                QVERIFY(std::abs(std::remainder(backX[i] - x[i], 360.0)) < 0.01);
                QVERIFY(backX[i] >= -0.5 && backX[i] < 359.5);
            }
        }
}

void tst_image_read::swappedAxes() {
    HduBytes hdu = imageHdu(-32, 0, "DEC--TAN", "RA---TAN");
    hdu.set("CRVAL1", 60.0).set("CRVAL2", 30.0).set("CDELT1", 0.5).set("CDELT2", -0.5);
    hdu.data.resize(80);
    writeBytes(path("swapped.fits"), hdu.bytes());
    const Image image = readImage(path("swapped.fits"), job_);
    const ImageWcs wcs(image);
    const double x[] = {4.0}, y[] = {1.0};  // two pixels along the first axis: one degree north
    Vec3 at[1];
    wcs.directions(x, y, at);
    QVERIFY(std::abs(lonLat(at[0]).lat / kDegree - 61.0) < 1e-3);
    double backX[1], backY[1];
    wcs.pixels(at, backX, backY);
    QVERIFY(std::abs(backX[0] - 4.0) < 1e-9 && std::abs(backY[0] - 1.0) < 1e-9);
}

void tst_image_read::tileCompressed() {
    HduBytes hdu = imageHdu(16, 0);
    for (int i = 0; i < 20; ++i) append(hdu.data, static_cast<int16_t>(100 * i - 900));
    const std::string bytes = packed(hdu.bytes(), false);
    QVERIFY(!bytes.empty());
    writeBytes(path("image.fits.fz"), bytes);
    const std::string why = refusal(path("image.fits.fz"));
    QVERIFY2(why.empty(), why.c_str());
    const Image image = readImage(path("image.fits.fz"), job_);
    for (int i = 0; i < 20; ++i) QCOMPARE(image.at(i % 5, i / 5), 100.0 * i - 900.0);
}

void tst_image_read::hostileTiles_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    const auto row = [](const char* key, const char* value) {
        QTest::newRow(qPrintable(QString("%1 %2").arg(key, value))) << key << value;
    };
    row("ZFORM1", "'1024E   '");
    row("ZFORM2", "'0E      '");
    row("ZFORM1", "'99999999999E'");
    row("ZNAXIS2", "9223372036854775807");
    row("ZNAXIS2", "1000000000");
    row("ZPCOUNT", "1000000000");
    row("ZNAXIS2", "-5");
    row("ZNAXIS1", "9223372036854775807");
    row("ZNAXIS1", "0");
    row("ZTILELEN", "0");
    row("ZTILELEN", "-1");
    row("ZPCOUNT", "9223372036854775807");
    row("ZCTYP1", "'NONSENSE'");
    row("TFORM1", "'1E      '");
    row("NAXIS2", "1000000");
    row("PCOUNT", "9000000000000");
    row("TFIELDS", "999");
}

// Refused in one line, without allocating the size stated in a card.
void tst_image_read::hostileTiles() {
    QFETCH(QString, key);
    QFETCH(QString, value);
    HduBytes table = tableHdu({{"RA", "D"}, {"DEC", "D"}}, 16, 300);
    for (int i = 0; i < 300; ++i) {
        append(table.data, 1.0 * i);
        append(table.data, 0.25 * i);
    }
    std::string bytes = packed(primaryHdu().bytes() + table.bytes(), true);
    writeBytes(path("good.fits.fz"), bytes);
    QCOMPARE(readCatalog(path("good.fits.fz"), job_).rows(), int64_t{300});
    QString card = key.leftJustified(8) + "= " + value.rightJustified(20);
    const size_t at = bytes.find(key.leftJustified(8).toStdString() + "=");
    QVERIFY2(at != std::string::npos, qPrintable(key));
    bytes.replace(at, 80, card.leftJustified(80).toStdString());
    writeBytes(path("bad.fits.fz"), bytes);
    // No allocation of the size stated in a card (gigabytes), and no loop over as many rows.
    struct rusage before {
    }, after{};
    getrusage(RUSAGE_SELF, &before);
    try {
        readCatalog(path("bad.fits.fz"), job_);
        QFAIL("was read");
    } catch (const Error& error) {
        QVERIFY2(std::string(error.what()).find('\n') == std::string::npos, error.what());
    }
    getrusage(RUSAGE_SELF, &after);
    QVERIFY(after.ru_maxrss - before.ru_maxrss < 64 * 1024);  // KiB; the file has 6
}

// Damage that the card checks do not find ends a child process, not this one.
void tst_image_read::damagedTilesEnd() {
    HduBytes table = tableHdu({{"RA", "D"}, {"DEC", "D"}}, 16, 300);
    for (int i = 0; i < 300; ++i) {
        append(table.data, std::sqrt(1.0 * i));
        append(table.data, 0.25 * i);
    }
    const std::string good = packed(primaryHdu().bytes() + table.bytes(), true);
    const QStringList before = QDir::temp().entryList({"armilla-*"}, QDir::AllEntries);
    int read = 0;
    for (size_t i = 0; i < 60; ++i) {
        std::string bytes = good;
        const size_t at = 2880 + (bytes.size() - 2880) * i / 60;
        bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
        writeBytes(path("damaged.fits.fz"), bytes);
        try {
            readCatalog(path("damaged.fits.fz"), job_);
            ++read;
        } catch (const Error& error) {
            QVERIFY(error.code() != ErrorCode::Internal);
        }
    }
    QVERIFY(read < 60);
    QCOMPARE(QDir::temp().entryList({"armilla-*"}, QDir::AllEntries), before);
}

void tst_image_read::roundTrip() {
    HduBytes hdu = imageHdu(-64, 0);
    hdu.card("TELESCOP= 'FAST    '");
    for (int i = 0; i < 20; ++i) append(hdu.data, 1.0 / (i + 1));
    writeBytes(path("first.fits"), hdu.bytes());
    const Image before = readImage(path("first.fits"), job_);
    FileWriteOptions options;
    options.precision = StoredPrecision::AsRead;
    writeImage(before, path("second.fits"), options, job_);
    const Image after = readImage(path("second.fits"), job_);
    QVERIFY(after.values == before.values);
    QCOMPARE(after.wcsCards, before.wcsCards);
    QCOMPARE(after.cards, before.cards);
}

void tst_image_read::refusals() {
    HduBytes none = imageHdu(-32, 0);
    none.remove("CTYPE1").remove("CTYPE2").data.resize(80);
    writeBytes(path("none.fits"), none.bytes());
    QVERIFY(refusal(path("none.fits")).find("world coordinates") != std::string::npos);
    HduBytes other = imageHdu(-32, 0, "XPOS", "YPOS");
    other.data.resize(80);
    writeBytes(path("other.fits"), other.bytes());
    QVERIFY(refusal(path("other.fits")).find("celestial") != std::string::npos);
    HduBytes cut = imageHdu(-64, 0);
    writeBytes(path("cut.fits"), cut.bytes());
    QVERIFY(refusal(path("cut.fits")).find("truncated") != std::string::npos);
    HduBytes half = imageHdu(-32, 0, "RA---TAN", "DEC--SIN");
    half.data.resize(80);
    writeBytes(path("half.fits"), half.bytes());
    QVERIFY(!refusal(path("half.fits")).empty());
}

QTEST_GUILESS_MAIN(tst_image_read)
#include "tst_image_read.moc"
