// SPDX-License-Identifier: GPL-3.0-or-later
// Cubes whose spectral axis comes before longitude and latitude. Files are made byte by byte here.
#include <QtTest>
#include <array>

#include "armilla/io/image_file.h"
#include "compute/map_files.h"

using namespace armilla;
using namespace armilla::testing;

namespace {

constexpr std::array<long long, 3> kSizes = {5, 4, 3};  // longitude, latitude, frequency

// `axes`: the number of each axis in the file, of longitude, latitude and frequency.
std::string cube(const std::array<int, 3>& axes) {
    struct Axis {
        const char *type, *unit;
        double value, pixel, step;
    };
    static constexpr std::array<Axis, 3> kAxes = {{{"RA---TAN", "deg", 30.0, 2.0, -0.1},
                                                   {"DEC--TAN", "deg", 60.0, 3.0, 0.1},
                                                   {"FREQ", "Hz", 1.4e9, 1.0, 1e6}}};
    HduBytes hdu;
    hdu.set("SIMPLE", "T").set("BITPIX", 16).set("NAXIS", 3);
    std::array<size_t, 3> at{};  // the axis of each number in the file
    for (size_t i = 0; i < 3; ++i) at[static_cast<size_t>(axes[i] - 1)] = i;
    for (size_t i = 0; i < 3; ++i) hdu.set("NAXIS" + std::to_string(i + 1), kSizes[at[i]]);
    for (size_t i = 0; i < 3; ++i) {
        const std::string n = std::to_string(i + 1);
        const Axis& axis = kAxes[at[i]];
        hdu.setText("CTYPE" + n, axis.type).setText("CUNIT" + n, axis.unit);
        hdu.set("CRVAL" + n, axis.value).set("CRPIX" + n, axis.pixel).set("CDELT" + n, axis.step);
    }
    // A turned image, by elements off the diagonal.
    const auto element = [&](int row, int column) {
        return "PC" + std::to_string(axes[static_cast<size_t>(row)]) + "_" +
               std::to_string(axes[static_cast<size_t>(column)]);
    };
    hdu.set(element(0, 0), 0.8).set(element(0, 1), -0.6);
    hdu.set(element(1, 0), 0.6).set(element(1, 1), 0.8);
    std::array<long long, 3> index{};
    for (index[at[2]] = 0; index[at[2]] < kSizes[at[2]]; ++index[at[2]])
        for (index[at[1]] = 0; index[at[1]] < kSizes[at[1]]; ++index[at[1]])
            for (index[at[0]] = 0; index[at[0]] < kSizes[at[0]]; ++index[at[0]])
                append(hdu.data, static_cast<int16_t>(index[0] + 10 * index[1] + 100 * index[2]));
    return hdu.bytes();
}

}  // namespace

class tst_image_axes : public MapFileTest {
    Q_OBJECT

    Image readCube(const std::array<int, 3>& axes) const {
        writeBytes(path("cube.fits"), cube(axes));
        JobContext job;
        return readImage(path("cube.fits"), job);
    }

private slots:
    void anyOrder_data() {
        QTest::addColumn<int>("lon");
        QTest::addColumn<int>("lat");
        QTest::newRow("usual") << 1 << 2;
        QTest::newRow("frequency first") << 2 << 3;
        QTest::newRow("frequency between") << 1 << 3;
    }
    void anyOrder() {
        QFETCH(int, lon);
        QFETCH(int, lat);
        const Image image = readCube({lon, lat, 6 - lon - lat});
        QCOMPARE(image.width, int64_t{5});
        QCOMPARE(image.height, int64_t{4});
        QCOMPARE(image.planes.size(), size_t{3});
        QCOMPARE(image.axisName, std::string("FREQ"));
        QCOMPARE(image.axisUnit, std::string("Hz"));
        const auto& values = std::get<std::vector<float>>(image.values);
        for (size_t plane = 0; plane < 3; ++plane) {
            QCOMPARE(image.planes[plane].axisValue, 1.4e9 + 1e6 * static_cast<double>(plane));
            for (size_t y = 0; y < 4; ++y)
                for (size_t x = 0; x < 5; ++x)
                    QCOMPARE(values[(plane * 4 + y) * 5 + x],
                             static_cast<float>(x + 10 * y + 100 * plane));
        }
        // astropy 8.0: WCS(header).all_pix2world(4, 0, 0, 0) of the usual order.
        const double x[] = {4.0, 1.0}, y[] = {0.0, 2.0};
        Vec3 to[2];
        const ImageWcs wcs(image);
        wcs.directions(x, y, to);
        const LonLat corner = lonLat(to[0]);
        // Degrees of 30 and 60 have steps of 7e-15; a projection takes some ten operations.
        QVERIFY(std::abs(corner.lon / kDegree - kCornerLon) < 1e-10);
        QVERIFY(std::abs(corner.lat / kDegree - kCornerLat) < 1e-10);
        JobContext job;
        QCOMPARE(readImageGrid(path("cube.fits"), job).width, int64_t{5});
    }

private:
    static constexpr double kCornerLon = 29.279602389308362, kCornerLat = 60.018039632200804;
};

QTEST_GUILESS_MAIN(tst_image_axes)
#include "tst_image_axes.moc"
