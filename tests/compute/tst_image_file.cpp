// SPDX-License-Identifier: GPL-3.0-or-later
// Images in files: pixel positions by wcslib, and written images read by cfitsio.
#include <fitsio.h>

#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <fstream>

#include "armilla/core/error.h"
#include "armilla/io/image_file.h"

using namespace armilla;

namespace {

ViewGeometry viewOf(Projection projection, LonLat center, double turn) {
    ViewGeometry view;
    view.projection = projection;
    view.width = 61;
    view.height = 47;
    view.radiansPerPixel = 2.0 * kDegree;
    view.skyFromView = skyFromViewRotation(center, turn);
    return view;
}

std::string thrown(const std::string& path) {
    JobContext job;
    try {
        readImageGrid(path, job);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

// A file of one empty image with these cards.
void writeCards(const std::string& path, const std::vector<std::string>& cards) {
    std::string header;
    const auto add = [&](std::string card) {
        card.resize(80, ' ');
        header += card;
    };
    for (const char* card : {"SIMPLE  =                    T", "BITPIX  =                    8",
                             "NAXIS   =                    2", "NAXIS1  =                    4",
                             "NAXIS2  =                    3"})
        add(card);
    for (const std::string& card : cards) add(card);
    add("END");
    header.resize((header.size() + 2879) / 2880 * 2880, ' ');
    std::ofstream(path, std::ios::binary) << header << std::string(2880, '\0');
}

}  // namespace

class ImageFileTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        QVERIFY(folder_->isValid());
    }

    // wcslib's positions compared with the program's own projections.
    void places_data() {
        QTest::addColumn<int>("projection");
        for (const ProjectionFacts& facts : kProjectionTable)
            QTest::newRow(facts.word) << static_cast<int>(facts.projection);
    }
    void places() {
        QFETCH(int, projection);
        JobContext job;
        for (const LonLat center : {LonLat{0.0, 0.0}, LonLat{6.2, 0.9}, LonLat{1.0, -kHalfPi}}) {
            const ViewGeometry view = viewOf(static_cast<Projection>(projection), center, 0.3);
            const ImageGrid grid = imageGrid(view, Frame::Equatorial);
            const std::vector<Vec3> cells = pixelDirections(grid, job);
            QCOMPARE(cells.size(), static_cast<size_t>(view.width * view.height));
            int onSky = 0;
            for (int y = 0; y < view.height; ++y)
                for (int x = 0; x < view.width; ++x) {
                    Vec3 sky;
                    const bool inside = skyFromImage(view, x + 0.5, view.height - 1 - y + 0.5, sky);
                    const Vec3 found = cells[static_cast<size_t>(y * view.width + x)];
                    QCOMPARE(std::isnan(found.z), !inside);
                    if (!inside) continue;
                    ++onSky;
                    // Accuracy of positions in headers: 1e-6 of a pixel (tst_image_io).
                    QVERIFY(angularDistance(found, sky) < 1e-6 * view.radiansPerPixel);
                }
            QVERIFY(onSky > 100);
            QVERIFY(std::abs(pixelSize(grid) / view.radiansPerPixel - 1.0) < 1e-12);
        }
    }

    void writtenAndRead() {
        JobContext job;
        const ImageGrid grid =
            imageGrid(viewOf(Projection::Orthographic, {1.0, 0.5}, 0.0), Frame::Galactic);
        Image cube;
        cube.width = grid.width;
        cube.height = grid.height;
        cube.unit = "K";
        cube.axisName = "VELO";
        cube.axisUnit = "km/s";
        cube.wcsCards = grid.wcsCards;
        cube.frame = grid.frame;
        for (int i = 0; i < 3; ++i) cube.planes.push_back({"", 100.0 + 2.5 * i});
        std::vector<double> values;
        for (int64_t i = 0; i < 3 * cube.planeSize(); ++i)
            values.push_back(i % 5 == 0 ? NAN : 0.1 * static_cast<double>(i));
        cube.values = values;
        Image counts = cube;
        counts.name = "COUNTS";
        counts.unit = "";
        counts.planes.resize(1);
        counts.values = std::vector<float>(static_cast<size_t>(cube.planeSize()), 7.0F);
        const std::string path = folder_->filePath("a.fits").toStdString();
        const ImageHdu hdus[] = {{&cube, DiskType::Float64}, {&counts, DiskType::Int32}};
        FileWriteOptions options;
        options.history = {"made by a test"};
        writeImages(hdus, path, options, job);
        QVERIFY_EXCEPTION_THROWN(writeImages(hdus, path, options, job), IoError);

        const ImageGrid again = readImageGrid(path, job);
        QCOMPARE(again.width, grid.width);
        QCOMPARE(again.height, grid.height);
        QVERIFY(again.frame == Frame::Galactic);
        const auto before = pixelDirections(grid, job), after = pixelDirections(again, job);
        // The header stores the numbers of the grid exactly; unit vectors may differ by a few units
        // in the last place.
        for (size_t i = 0; i < before.size(); ++i)
            QVERIFY(std::isnan(before[i].z) ? std::isnan(after[i].z)
                                            : norm(before[i] - after[i]) < 1e-15);
        QCOMPARE(readImageGrid(path + "[COUNTS]", job).width, grid.width);

        fitsfile* file = nullptr;
        int status = 0, any = 0, dataOk = 0, hduOk = 0, type = 0;
        fits_open_diskfile(&file, path.c_str(), READONLY, &status);
        std::vector<double> found(values.size());
        fits_read_img(file, TDOUBLE, 1, static_cast<long>(found.size()), nullptr, found.data(),
                      &any, &status);
        for (size_t i = 0; i < values.size(); ++i)
            QVERIFY(std::isnan(values[i]) ? std::isnan(found[i]) : values[i] == found[i]);
        double start = 0.0, step = 0.0;
        char text[80] = {};
        fits_read_key(file, TDOUBLE, "CRVAL3", &start, nullptr, &status);
        fits_read_key(file, TDOUBLE, "CDELT3", &step, nullptr, &status);
        fits_read_key(file, TSTRING, "BUNIT", text, nullptr, &status);
        QCOMPARE(start, 100.0);
        QCOMPARE(step, 2.5);
        QCOMPARE(QByteArray(text), QByteArray("K"));
        fits_verify_chksum(file, &dataOk, &hduOk, &status);
        QVERIFY(dataOk == 1 && hduOk == 1);
        char name[] = "COUNTS";
        fits_movnam_hdu(file, IMAGE_HDU, name, 0, &status);
        fits_get_img_type(file, &type, &status);
        QCOMPARE(type, LONG_IMG);
        fits_verify_chksum(file, &dataOk, &hduOk, &status);
        QVERIFY(dataOk == 1 && hduOk == 1);
        fits_close_file(file, &status);
        QCOMPARE(status, 0);
    }

    // An image with a stated frame that its header does not name: the written file names the frame,
    // and the pixels keep their positions.
    void statedFrames_data() {
        QTest::addColumn<QStringList>("frameCards");
        QTest::newRow("none of ours")
            << QStringList{"CTYPE1  = 'SLON-TAN'", "CTYPE2  = 'SLAT-TAN'"};
        QTest::newRow("latitude first")
            << QStringList{"CTYPE1  = 'XYLT-TAN'", "CTYPE2  = 'XYLN-TAN'"};
        QTest::newRow("apparent places")
            << QStringList{"CTYPE1  = 'RA---TAN'", "CTYPE2  = 'DEC--TAN'", "RADECSYS= 'GAPPT   '",
                           "EQUINOX = 1950.0"};
    }
    void statedFrames() {
        QFETCH(QStringList, frameCards);
        JobContext job;
        const std::string path = folder_->filePath("u.fits").toStdString();
        std::vector<std::string> cards{"CRVAL1  = 30.0", "CRVAL2  = 60.0", "CRPIX1  = 2.0",
                                       "CRPIX2  = 2.0",  "CDELT1  = -0.5", "CDELT2  = 0.5"};
        for (const QString& card : frameCards) cards.push_back(card.toStdString());
        writeCards(path, cards);
        Image image = readImage(path, job);
        QCOMPARE(image.frame, Frame::Unknown);
        const std::vector<double> x{0.0, 3.0, 1.5}, y{0.0, 1.0, 2.0};
        std::vector<Vec3> before(3), after(3);
        ImageWcs(image).directions(x, y, before);
        const std::string out = folder_->filePath("stated.fits").toStdString();
        FileWriteOptions options;
        options.overwrite = true;
        for (const Frame frame :
             {Frame::Galactic, Frame::Equatorial, Frame::Ecliptic, Frame::Unknown}) {
            image.frame = frame;
            writeImage(image, out, options, job);
            const Image again = readImage(out, job);
            QCOMPARE(again.frame, frame);
            ImageWcs(again).directions(x, y, after);
            // The header cards are the same; unit vectors may differ by a few units in the last
            // place.
            for (size_t i = 0; i < 3; ++i) QVERIFY(norm(before[i] - after[i]) < 1e-15);
            if (frame == Frame::Unknown) QCOMPARE(again.wcsCards, image.wcsCards);
        }
    }

    // astropy: w.wcs_pix2world(x, y, 0), then
    //     SkyCoord(r * u.deg, d * u.deg, frame=FK4(equinox='B1950',
    //              obstime=Time('1984-07-02', scale='tt'))).icrs
    void imagesOfFk4() {
        JobContext job;
        const std::string path = folder_->filePath("fk4.fits").toStdString();
        writeCards(path, {"CTYPE1  = 'RA---TAN'", "CTYPE2  = 'DEC--TAN'", "CRVAL1  = 30.0",
                          "CRVAL2  = 60.0", "CRPIX1  = 2.0", "CRPIX2  = 2.0", "CDELT1  = -0.5",
                          "CDELT2  = 0.5", "RADESYS = 'FK4     '", "EQUINOX = 1950.0",
                          "DATE-OBS= '1984-07-02'"});
        const Image image = readImage(path, job);
        QCOMPARE(image.frame, Frame::Equatorial);
        const std::vector<double> x{0.0, 3.0, 1.5}, y{0.0, 1.0, 2.0};
        std::vector<Vec3> found(3);
        const ImageWcs wcs(image);
        wcs.directions(x, y, found);
        const LonLat truth[] = {{31.8731781332, 59.7337622658},
                                {28.8720152554, 60.2295965070},
                                {30.3796822287, 60.7401756869}};
        for (size_t i = 0; i < 3; ++i) {
            const Vec3 at = direction({truth[i].lon * kDegree, truth[i].lat * kDegree});
            // The reference is printed to 1e-10 degrees, so its error is up to 2e-7 arcsec in each
            // coordinate.
            QVERIFY(angularDistance(found[i], at) < 1e-6 * kArcsec);
        }
        std::vector<double> backX(3), backY(3);
        wcs.copy().pixels(found, backX, backY);
        for (size_t i = 0; i < 3; ++i)
            // Rounding of angles, 1e-16 rad, in pixels of the image; the inverse iterates where
            // distortions are present.
            QVERIFY(std::abs(backX[i] - x[i]) < 1e-9 && std::abs(backY[i] - y[i]) < 1e-9);
        std::vector<Vec3> own(1);
        const std::vector<double> one{1.0};
        wcs.asWritten().directions(one, one, own);
        // The reference pixel has the direction of the header up to the rounding of a few
        // rotations.
        QVERIFY(norm(own[0] - direction({30 * kDegree, 60 * kDegree})) < 1e-14);
        // The target of a grid, and the image written again, have the same directions.
        const ImageGrid grid = readImageGrid(path, job);
        QVERIFY(norm(pixelDirections(grid, job)[0] - found[0]) < 1e-14);
        const std::string copy = folder_->filePath("fk4copy.fits").toStdString();
        writeImage(image, copy, {}, job);
        std::vector<Vec3> again(3);
        ImageWcs(readImage(copy, job)).directions(x, y, again);
        for (size_t i = 0; i < 3; ++i) QVERIFY(norm(again[i] - found[i]) < 1e-14);
    }
    void statedFk4() {
        JobContext job;
        const std::string path = folder_->filePath("said.fits").toStdString();
        std::vector<std::string> cards{
            "CTYPE1  = 'RA---TAN'", "CTYPE2  = 'DEC--TAN'", "CRVAL1  = 30.0", "CRVAL2  = 60.0",
            "CRPIX1  = 2.0",        "CRPIX2  = 2.0",        "CDELT1  = -0.5", "CDELT2  = 0.5"};
        writeCards(path, cards);
        const EquatorialFrame fk4{EquatorialSystem::Fk4, 1950.0, {}};
        Image image = readImage(path, job);
        stateEquatorialFrame(image, fk4);
        QVERIFY(ImageWcs(image).equatorial() == fk4);
        cards.push_back("RADESYS = 'ICRS    '");
        writeCards(path, cards);
        image = readImage(path, job);
        QVERIFY_EXCEPTION_THROWN(stateEquatorialFrame(image, fk4), InvalidArgument);
    }
    void foreignHeaders() {
        JobContext job;
        const std::string path = folder_->filePath("b.fits").toStdString();
        // A CD matrix, declination first, FK5 by its old name.
        writeCards(path, {"CTYPE1  = 'DEC--TAN'", "CTYPE2  = 'RA---TAN'", "CRVAL1  = 30.0",
                          "CRVAL2  = 60.0", "CRPIX1  = 2.0", "CRPIX2  = 2.0", "CD1_1   = 0.5",
                          "CD2_2   = -0.5", "RADECSYS= 'FK5     '", "EQUINOX = 2000.0"});
        const ImageGrid grid = readImageGrid(path, job);
        QVERIFY(grid.frame == Frame::Equatorial);
        QVERIFY(std::abs(pixelSize(grid) - 0.5 * kDegree) < 1e-15);
        const std::vector<Vec3> cells = pixelDirections(grid, job);
        // SkyCoord(60 * u.deg, 30 * u.deg, frame='fk5').icrs of astropy, to 1e-10 degrees.
        const Vec3 center = direction({59.9999907793 * kDegree, 30.0000035233 * kDegree});
        QVERIFY(norm(cells[5] - center) < 3e-12);
        QVERIFY(lonLat(cells[6]).lat > 30.4 * kDegree);  // along the first axis
        QVERIFY(lonLat(cells[9]).lon < 59.6 * kDegree);  // along the second

        writeCards(path, {"CTYPE1  = 'RA---TAN'", "CTYPE2  = 'DEC--TAN'", "CDELT1  = -1.0",
                          "CDELT2  = 1.0", "RADESYS = 'GAPPT   '"});
        QVERIFY(thrown(path).find("GAPPT") != std::string::npos);
        writeCards(path, {"CTYPE1  = 'HPLN-TAN'", "CTYPE2  = 'HPLT-TAN'"});
        QVERIFY(thrown(path).find("HPLN") != std::string::npos);
        writeCards(path, {});
        QVERIFY(thrown(path).find("world coordinates") != std::string::npos);
        writeCards(path, {"CTYPE1  = 'RA---TAN'", "CTYPE2  = 'GLAT-TAN'"});
        QVERIFY(thrown(path).find("wcslib") != std::string::npos);
        QVERIFY(thrown(path + "[7]").find("expected") != std::string::npos);
    }

    // SCAMP's polynomial of distortion under the name TAN, and TPV itself. Truth: the longitude and
    // latitude of the first and the last pixel by astropy 8.0 with CTYPE TPV, TAN or TAN-SIP.
    void scamp_data() {
        QTest::addColumn<QString>("types");
        QTest::addColumn<QStringList>("cards");
        QTest::addColumn<QList<double>>("truth");
        const QStringList all = {"PV1_0   = 0.0",  "PV1_1   = 1.0",   "PV1_2   = 0.0",
                                 "PV1_4   = 0.02", "PV1_7   = 0.005", "PV2_0   = 0.0",
                                 "PV2_1   = 1.0",  "PV2_2   = 0.0",   "PV2_4   = -0.01"};
        const QList<double> bent = {150.580884135565, 29.496250936366, 148.857041029591,
                                    30.492502273881};
        QTest::newRow("TPV") << "TPV" << all << bent;
        QTest::newRow("TAN") << "TAN" << all << bent;
        QTest::newRow("without linear terms")
            << "TAN" << QStringList{"PV2_4   = -0.01"}
            << QList<double>{150.574422324759, 29.496278856345, 148.839640286175, 30.492349322536};
        QTest::newRow("no distortion")
            << "TAN" << QStringList{"PV1_1   = 1.0", "PV2_1   = 1.0"}
            << QList<double>{150.574436721902, 29.498778538446, 148.8396109148, 30.494848624376};
        QTest::newRow("beside SIP")
            << "TAN"
            << all + QStringList{"A_ORDER = 2", "B_ORDER = 2", "A_2_0   = 0.01", "B_0_2   = 0.02"}
            << QList<double>{150.568749753806, 29.508801853978, 148.816289821818, 30.504638182566};
    }
    void scamp() {
        QFETCH(QString, types);
        QFETCH(QStringList, cards);
        QFETCH(QList<double>, truth);
        const std::string path = folder_->filePath("scamp.fits").toStdString();
        std::vector<std::string> header = {"CTYPE1  = 'RA---" + types.toStdString() + "'",
                                           "CTYPE2  = 'DEC--" + types.toStdString() + "'",
                                           "CRVAL1  = 150.0",
                                           "CRVAL2  = 30.0",
                                           "CRPIX1  = 2.0",
                                           "CRPIX2  = 2.0",
                                           "CD1_1   = -0.5",
                                           "CD2_2   = 0.5"};
        for (const QString& card : cards) header.push_back(card.toStdString());
        writeCards(path, header);
        JobContext job;
        const std::vector<Vec3> cells = pixelDirections(readImageGrid(path, job), job);
        const Vec3 first = direction({truth[0] * kDegree, truth[1] * kDegree}),
                   last = direction({truth[2] * kDegree, truth[3] * kDegree});
        // The truth has 12 decimal places.
        QVERIFY(norm(cells.front() - first) < 1e-13);
        QVERIFY(norm(cells.back() - last) < 1e-13);
    }

private:
    std::unique_ptr<QTemporaryDir> folder_;
};

QTEST_GUILESS_MAIN(ImageFileTest)
#include "tst_image_file.moc"
