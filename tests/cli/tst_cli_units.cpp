// SPDX-License-Identifier: GPL-3.0-or-later
// Values per beam through gridding and smoothing, and kelvins of an unknown temperature scale.
#include <fitsio.h>

#include <QTest>
#include <cmath>

#include "armilla/core/pixel_geometry.h"
#include "armilla/io/image_file.h"
#include "armilla/io/table_io.h"
#include "cli/cli_fixture.h"
#include "support/image_cards.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr double kCmbAt143 = 379.931973947546, kRjAt143 = 628.266564;
const double kGaussian = kPi / (4.0 * std::log(2.0));  // area of a Gaussian over FWHM^2

std::optional<double> cardOf(const QString& path, const char* key, int hdu) {
    fitsfile* file = nullptr;
    int status = 0;
    double value = 0.0;
    fits_open_diskfile(&file, path.toLocal8Bit().constData(), READONLY, &status);
    fits_movabs_hdu(file, hdu, nullptr, &status);
    fits_read_key(file, TDOUBLE, key, &value, nullptr, &status);
    int closing = 0;
    fits_close_file(file, &closing);
    return status == 0 ? std::optional(value) : std::nullopt;
}

}  // namespace

class tst_cli_units : public QObject {
    Q_OBJECT

    // Samples every arc minute of a source of 3 Jy at (40, 10), convolved with the beam; degrees.
    void writeSamples(const QString& unit, std::optional<LonLat> beamInHeader) const {
        Table table;
        std::vector<double> ra, dec, values;
        const double major = 10.0 / 60.0, minor = 8.0 / 60.0, k = -4.0 * std::log(2.0);
        for (int j = -45; j <= 45; ++j)
            for (int i = -45; i <= 45; ++i) {
                const double y = j / 60.0, x = i / 60.0;
                dec.push_back(10.0 + y);
                ra.push_back(40.0 + x / std::cos(dec.back() * kDegree));
                // The major axis to the north.
                values.push_back(3.0 *
                                 std::exp(k * (y * y / (major * major) + x * x / (minor * minor))));
            }
        for (auto& [name, column] : {std::pair{"RA", &ra}, {"DEC", &dec}, {"FLUX", &values}}) {
            TableColumn made;
            made.name = name;
            made.unit = std::string(name) == "FLUX" ? unit.toStdString() : "deg";
            made.values = *column;
            table.columns.push_back(std::move(made));
        }
        if (beamInHeader) {
            table.cards = {imageCard("BMAJ", beamInHeader->lon),
                           imageCard("BMIN", beamInHeader->lat), imageCard("BPA", 0.0)};
        }
        JobContext job;
        writeTable(table, cli_.path("samples.fits").toStdString(), {true, {}, {}}, job);
    }
    Outcome grid(const QString& options) const {
        return cli_.run(
            "grid {samples.fits} {image.fits} --value FLUX --center 40deg,10deg --size "
            "101x101 --resolution 1arcmin --device cpu --overwrite " +
            options);
    }
    // Sum of the image's good values times the area of a pixel, square degrees.
    double integral() const {
        JobContext job;
        const Image image = readImage(cli_.path("image.fits").toStdString(), job);
        double sum = 0.0;
        for (int64_t y = 0; y < image.height; ++y)
            for (int64_t x = 0; x < image.width; ++x)
                if (std::isfinite(image.at(x, y))) sum += image.at(x, y);
        return sum / 3600.0;
    }

private slots:
    // The flux density of a point source is preserved: the integral over the solid angle of the new
    // beam.
    void griddingKeepsFlux_data() {
        QTest::addColumn<QString>("unit");
        QTest::addColumn<QString>("options");
        QTest::addColumn<bool>("inHeader");
        QTest::newRow("header") << "Jy/beam"
                                << "--kernel-fwhm 6arcmin" << true;
        QTest::newRow("astropy's spelling") << "beam-1 Jy"
                                            << "--kernel-fwhm 6arcmin" << true;
        QTest::newRow("AIPS' spelling") << "JY/BEAM"
                                        << "--kernel-fwhm 6arcmin" << true;
        QTest::newRow("option") << "Jy/beam"
                                << "--beam 8.94427190999916arcmin --kernel-fwhm 6arcmin" << false;
        QTest::newRow("ellipse across")
            << "Jy beam-1"
            << "--kernel gaussian2d --kernel-axes 9arcmin,5arcmin,90deg" << true;
        QTest::newRow("bessel-gauss") << "Jy/beam"
                                      << "--kernel bessel-gauss --beam 9arcmin" << true;
    }
    void griddingKeepsFlux() {
        QFETCH(QString, unit);
        QFETCH(QString, options);
        QFETCH(bool, inHeader);
        writeSamples(unit,
                     inHeader ? std::optional(LonLat{10.0 / 60.0, 8.0 / 60.0}) : std::nullopt);
        const Outcome outcome = grid(options);
        QVERIFY2(outcome.status == 0, outcome.error);
        QVERIFY2(outcome.error.contains("are multiplied by") && outcome.error.count('\n') <= 3,
                 outcome.error);
        const QString image = cli_.path("image.fits");
        const double area =
            kGaussian * cardOf(image, "BMAJ", 1).value() * cardOf(image, "BMIN", 1).value();
        // The integral is a sum over pixels of a smooth kernel; the limit guards against a wrong
        // area.
        QVERIFY(std::abs(integral() / area / 3.0 - 1.0) < 1e-3);
        if (!options.startsWith("--kernel-fwhm") || !inHeader) return;
        // Squares of Gaussian widths add up.
        QVERIFY(std::abs(*cardOf(image, "BMAJ", 1) - std::hypot(10.0, 6.0) / 60.0) < 1e-9);
        QVERIFY(std::abs(*cardOf(image, "BMIN", 1) - 10.0 / 60.0) < 1e-9);
        QVERIFY(std::abs(*cardOf(image, "BPA", 1)) < 1e-9);
    }
    // Values in other units are weighted means, to the bit, for any beam.
    void otherUnitsAreMeans() {
        double first = 0.0;
        for (const char* unit : {"K", "Jy/sr", "", "mJy/pix", "beam"}) {
            writeSamples(unit, LonLat{10.0 / 60.0, 8.0 / 60.0});
            const Outcome outcome = grid("--kernel-fwhm 6arcmin");
            const bool isPower = std::string(unit) == "beam";
            QVERIFY2(outcome.status == 0, outcome.error);
            QCOMPARE(outcome.error.contains("multiplied"), isPower);
            if (isPower) continue;
            if (first == 0.0) first = integral();
            QCOMPARE(integral(), first);
            QVERIFY(cardOf(cli_.path("image.fits"), "BMAJ", 1).value() > 0.19);
        }
    }
    void unknownBeam() {
        writeSamples("Jy/beam", {});
        const Outcome outcome = grid("--kernel-fwhm 6arcmin");
        QVERIFY2(outcome.status == 0, outcome.error);
        QVERIFY2(outcome.error.contains("left as they are, without BMAJ"), outcome.error);
        QVERIFY(!cardOf(cli_.path("image.fits"), "BMAJ", 1));
        writeSamples("K", {});
        QVERIFY(!grid("--kernel-fwhm 6arcmin").error.contains("beam"));
    }
    void unitsOfPositions() {
        cli_.write("rad.csv", "RA [m],DEC [deg],TA\n1,2,3\n");
        JobContext job;
        Table table;
        for (const char* name : {"RA", "DEC", "TA"}) {
            TableColumn column;
            column.name = name;
            column.unit = "m";
            column.values = std::vector<double>{0.5};
            table.columns.push_back(std::move(column));
        }
        writeTable(table, cli_.path("m.fits").toStdString(), {true, {}, {}}, job);
        const Outcome outcome =
            cli_.run("grid {m.fits} {x.fits} --kernel-fwhm 10arcmin --nside 64");
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.error.contains("expected a unit of angle"), outcome.error);
    }

    // A map of a source of 3 Jy in two units, convolved with another beam.
    void smoothing_data() {
        QTest::addColumn<QString>("options");
        QTest::addColumn<double>("major");
        QTest::addColumn<double>("minor");
        QTest::newRow("gaussian") << "--fwhm 4deg" << 5.0 << 5.0;
        QTest::newRow("direct") << "--fwhm 4deg --method direct" << 5.0 << 5.0;
        QTest::newRow("B_l") << "--beam {beam.txt}" << 5.0 << 5.0;
        QTest::newRow("ellipse") << "--fwhm 4deg --fwhm-minor 3deg" << 5.0 << std::sqrt(18.0);
    }
    void smoothing() {
        QFETCH(QString, options);
        QFETCH(double, major);
        QFETCH(double, minor);
        constexpr int64_t kNside = 64;
        const Vec3 source = direction({1.0, 0.4});
        std::vector<double> values;
        for (int64_t p = 0; p < pixelCount(kNside); ++p) {
            const double r =
                angularDistance(source, directionFromRing(kNside, p)) / (3.0 * kDegree);
            values.push_back(3.0 * std::exp(-4.0 * std::log(2.0) * r * r));
        }
        HealpixMap map(kNside, Ordering::Ring, Frame::Galactic,
                       {{"FLUX", "beam-1 Jy", DiskType::Float64, values},
                        {"T", "K", DiskType::Float64, values}});
        map.metadata().cards = {imageCard("BMAJ", 3.0), imageCard("BMIN", 3.0)};
        cli_.write("map.fits", map);
        // exp(-l (l+1) sigma^2 / 2) of 4 degrees
        QByteArray beam;
        const double sigma = 4.0 * kDegree / std::sqrt(8.0 * std::log(2.0));
        for (int l = 0; l < 192; ++l)
            beam += QByteArray::number(l) + " " +
                    QByteArray::number(std::exp(-0.5 * l * (l + 1) * sigma * sigma), 'g', 17) +
                    "\n";
        cli_.write("beam.txt", beam);
        const Outcome outcome = cli_.run(
            "smooth {map.fits} {smooth.fits} --field all --device cpu --overwrite " + options);
        QVERIFY2(outcome.status == 0, outcome.error);
        QVERIFY2(outcome.error.contains("values in beam-1 Jy are multiplied by"), outcome.error);
        const QString path = cli_.path("smooth.fits");
        const double bmaj = cardOf(path, "BMAJ", 2).value(), bmin = cardOf(path, "BMIN", 2).value();
        // The beam on the sphere compared with the plane: sigma^2 / 3 of 2 degrees, 4e-4.
        QVERIFY(std::abs(bmaj / major - 1.0) < 5e-4 && std::abs(bmin / minor - 1.0) < 5e-4);
        const HealpixMap smoothed = cli_.read("smooth.fits");
        double sum = 0.0, ofOther = 0.0;
        for (const double v : valuesOf(smoothed, 0)) sum += v;
        for (const double v : valuesOf(smoothed, 1)) ofOther += v;
        const double pixel = 4.0 * kPi / static_cast<double>(smoothed.pixelCount());
        const double flux = sum * pixel / (kGaussian * bmaj * bmin * kDegree * kDegree);
        QVERIFY(std::abs(flux / 3.0 - 1.0) < 1e-3);
        // Values in kelvin keep the mean of the map: 9 square degrees of beam.
        QVERIFY(std::abs(ofOther * pixel / (3.0 * kGaussian * 9.0 * kDegree * kDegree) - 1.0) <
                1e-3);
    }
    void smoothingWithoutBeam() {
        cli_.write(
            "map.fits",
            HealpixMap(16, Ordering::Ring, Frame::Galactic,
                       {{"FLUX", "Jy/beam", DiskType::Float64, std::vector<double>(3072, 1.0)}}));
        const Outcome outcome =
            cli_.run("smooth {map.fits} {smooth.fits} --fwhm 20deg --overwrite");
        QVERIFY2(outcome.error.contains("left as they are, without BMAJ"), outcome.error);
    }
    void smoothingImages() {
        Image image;
        image.width = 90;
        image.height = 44;
        image.planes.resize(1);
        image.frame = Frame::Galactic;
        image.unit = "Jy/beam";
        image.wcsCards = {imageCard("CTYPE1", "'GLON-CAR'"), imageCard("CTYPE2", "'GLAT-CAR'"),
                          imageCard("CUNIT1", "'deg     '"), imageCard("CUNIT2", "'deg     '"),
                          imageCard("CRPIX1", 45.5),         imageCard("CRPIX2", 22.5),
                          imageCard("CRVAL1", 0.0),          imageCard("CRVAL2", 0.0),
                          imageCard("CDELT1", -4.0),         imageCard("CDELT2", 4.0)};
        image.cards = {imageCard("BMAJ", 12.0), imageCard("BMIN", 12.0)};
        image.values = std::vector<double>(static_cast<size_t>(image.width * image.height), 1.0);
        JobContext job;
        FileWriteOptions options;
        options.overwrite = true;
        writeImage(image, cli_.path("car.fits").toStdString(), options, job);
        const Outcome outcome =
            cli_.run("smooth {car.fits} {out.fits} --fwhm 16deg --device cpu --overwrite");
        QVERIFY2(outcome.status == 0, outcome.error);
        QVERIFY2(outcome.error.contains("multiplied by 2.77778"), outcome.error);
        QVERIFY(std::abs(cardOf(cli_.path("out.fits"), "BMAJ", 1).value() - 20.0) < 1e-9);
    }

    // A kelvin at 345 GHz is 11.7 times as bright on one temperature scale as on the other.
    void plainKelvins() {
        HealpixMap map(32, Ordering::Ring, Frame::Galactic,
                       {{"T", "K", DiskType::Float64, std::vector<double>(12288)}});
        auto& values = std::get<1>(map.field(0).values);
        for (size_t i = 0; i < values.size(); ++i) values[i] = std::sin(0.37 * double(i * i % 997));
        for (const auto& [unit, isSaid] : {std::pair{"K", true}, {"mK", true}, {"K_CMB", false}}) {
            map.field(0).unit = unit;
            cli_.write("k.fits", map);
            const Outcome outcome = cli_.run(
                "filter {k.fits} {f.fits} --fwhm 6deg --flux --frequency 345GHz --overwrite");
            QVERIFY2(outcome.status == 0, outcome.error);
            QCOMPARE(outcome.error.contains("taken as K_CMB"), isSaid);
            QCOMPARE(outcome.error.contains("11.6") || outcome.error.contains("11.7"), isSaid);
        }
    }

    // A kelvin of CMB temperature changes the intensity at 143 GHz by 379.93 MJy/sr; 2 k nu^2 / c^2
    // is 628.27. astropy: (1*u.K).to(u.MJy/u.sr,
    // equivalencies=u.thermodynamic_temperature(143*u.GHz)),
    // ...u.brightness_temperature(143*u.GHz)
    void convertUnits_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("options");
        QTest::addColumn<double>("factor");
        QTest::addColumn<QString>("says");
        QTest::newRow("prefix") << "mK"
                                << "--unit uK" << 1e3 << "";
        QTest::newRow("stated") << "mK"
                                << "--unit K_RJ" << 1e-3 << "";
        QTest::newRow("thermodynamic") << "K_CMB"
                                       << "--unit MJy/sr --frequency 143GHz" << kCmbAt143 << "";
        QTest::newRow("Rayleigh-Jeans") << "K_RJ"
                                        << "--unit MJy/sr --frequency 143GHz" << kRjAt143 << "";
        QTest::newRow("scales") << "uK_RJ"
                                << "--unit mK_CMB --frequency 143GHz" << 1e-3 * kRjAt143 / kCmbAt143
                                << "";
        QTest::newRow("beam") << "MJy/sr"
                              << "--unit mJy/beam" << 1e9 * kGaussian * kDegree * kDegree << "";
        // x = (h*nu/(k_B*2.7255*u.K)).to_value(''), f = 2.7255*(x/np.tanh(x/2) - 4), with the
        // constants of astropy; f*u.K to MJy/sr as above.
        QTest::newRow("Compton y")
            << "y"
            << "--unit K_CMB --frequency 143GHz" << -2.8355113754028314 << "";
        QTest::newRow("Compton y, intensity")
            << "y_SZ"
            << "--unit MJy/sr --frequency 353GHz" << 1811.6936309309617 << "";
        QTest::newRow("to Compton y")
            << "uK_CMB"
            << "--unit y --frequency 353GHz" << 1e-6 / 6.1071440006864055 << "";
        QTest::newRow("stated Compton y") << ""
                                          << "--unit y" << 1.0 << "";
        QTest::newRow("Compton y without frequency")
            << "y"
            << "--unit K_CMB" << 0.0 << "expected --frequency";
        QTest::newRow("ambiguous")
            << "K"
            << "--unit MJy/sr --frequency 143GHz" << 0.0 << "expected K_CMB or K_RJ";
        QTest::newRow("no frequency") << "K_CMB"
                                      << "--unit MJy/sr" << 0.0 << "expected --frequency";
        QTest::newRow("kind") << "K_CMB"
                              << "--unit m" << 0.0 << "found T in 'K_CMB'";
        QTest::newRow("no unit") << "K_CMB"
                                 << "--unit Kelvinish" << 0.0 << "--unit: expected";
    }
    void convertUnits() {
        QFETCH(QString, from);
        QFETCH(QString, options);
        QFETCH(double, factor);
        QFETCH(QString, says);
        HealpixMap map(
            2, Ordering::Ring, Frame::Galactic,
            {{"T", from.toStdString(), DiskType::Float64, std::vector<double>(48, 2.0)}});
        map.metadata().cards = {imageCard("BMAJ", 1.0), imageCard("BMIN", 1.0)};
        cli_.write("u.fits", map);
        const Outcome outcome = cli_.run("convert {u.fits} {v.fits} --overwrite " + options);
        if (factor == 0.0) {
            QCOMPARE(outcome.status, says.startsWith("--") ? 2 : 1);
            QVERIFY2(outcome.error.contains(says.toUtf8()), outcome.error);
            return;
        }
        QVERIFY2(outcome.status == 0, outcome.error);
        const HealpixMap made = cli_.read("v.fits");
        QCOMPARE(QString::fromStdString(made.field(0).unit), options.split(' ').at(1));
        // The references have ten digits.
        QVERIFY(std::abs(made.value(0, 0) / (2.0 * factor) - 1.0) < 1e-9);
    }

    // astropy: (1*u.Jy/u.beam).to(u.Jy/u.sr, u.beam_angular_area(pi/(4 ln 2)*(1*u.deg)**2))
    void aBeamIsStated() {
        HealpixMap map(2, Ordering::Ring, Frame::Galactic,
                       {{"T", "Jy/beam", DiskType::Float64, std::vector<double>(48, 2.0)}});
        cli_.write("b.fits", map);
        Outcome outcome = cli_.run("convert {b.fits} {c.fits} --overwrite --unit Jy/sr");
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.error.contains("expected --map-beam"), outcome.error);
        outcome =
            cli_.run("convert {b.fits} {c.fits} --overwrite --unit Jy/sr --map-beam 60arcmin");
        QVERIFY2(outcome.status == 0, outcome.error);
        const HealpixMap made = cli_.read("c.fits");
        // The factor is the quotient of a few doubles; the reference has 16 digits.
        QVERIFY(std::abs(made.value(0, 0) / (2.0 * 2897.215796879106) - 1.0) < 1e-12);
        // The result names the beam, which another one contradicts.
        outcome =
            cli_.run("convert {c.fits} {d.fits} --overwrite --unit Jy/beam --map-beam 30arcmin");
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.error.contains("without another beam"), outcome.error);
        outcome = cli_.run("convert {c.fits} {d.fits} --overwrite --unit Jy/beam");
        QVERIFY2(outcome.status == 0, outcome.error);
        // The card has twelve digits.
        QVERIFY(std::abs(cli_.read("d.fits").value(0, 0) / 2.0 - 1.0) < 1e-11);
    }

private:
    CliFixture cli_;
};

QTEST_GUILESS_MAIN(tst_cli_units)
#include "tst_cli_units.moc"
