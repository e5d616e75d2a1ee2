// SPDX-License-Identifier: GPL-3.0-or-later
// Masks of images in their own pixels, and spectra of masked images on rings.
#include <QJsonArray>
#include <QtTest>
#include <cmath>

#include "armilla/core/units.h"
#include "armilla/io/image_file.h"
#include "armilla/io/spectrum_io.h"
#include "armilla/io/table_io.h"
#include "image_cli.h"
#include "support/car_image.h"

using namespace armilla;
using namespace armilla::test;

class tst_cli_image_masks : public QObject, private ImageCli {
    Q_OBJECT

    // 0.5 + 0.5 sin(0.4 y) cos(2 pi x / 36) in columns and rows of the whole sky.
    static Image weights(bool isPart) {
        Image image = carImage(true, isPart, 1);
        image.unit.clear();
        for (int64_t j = 0; j < image.height; ++j)
            for (int64_t i = 0; i < image.width; ++i) {
                const auto x = static_cast<double>(i + (isPart ? 20 : 0));
                const auto y = static_cast<double>(j + (isPart ? 4 : 0));
                valuesOf(image)[static_cast<size_t>(j * image.width + i)] =
                    0.5 + 0.5 * std::sin(0.4 * y) * std::cos(kTwoPi * x / 36.0);
            }
        return image;
    }
    static int64_t goodPixels(const Image& image) {
        int64_t good = 0;
        for (int64_t y = 0; y < image.height; ++y)
            for (int64_t x = 0; x < image.width; ++x) good += image.at(x, y) > 0.5 ? 1 : 0;
        return good;
    }
    Image masked(const QString& options) {
        writeImageAs(carImage(true, true, 1), "part.fits");
        if (must("mask {part.fits} {mask.fits} --precision double " + options).status != 0)
            return {};
        return readBack("mask.fits");
    }

private slots:
    void initTestCase() {
        for (const bool isPart : {false, true}) {
            const QString name = isPart ? "part" : "whole";
            writeImageAs(carImage(true, isPart, 3), name + "-tqu.fits");
            writeImageAs(weights(isPart), name + "-w.fits");
        }
    }

    // References: pixell's map2alm of weight times I, Q and U up to l = 16, and alm2cl of healpy.
    // Bands: sums of 3j symbols (sympy) with the spectrum of the weights up to l = 17, averages of
    // 3 multipoles, and numpy's solve.
    void spectraOfMaskedImages_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QList<double>>("spectrum");  // TT, EE, BB, TE, EB at l = 9
        QTest::addColumn<QList<double>>("bands");     // TT, EE, BB of the bins 2-4 and 8-10
        QTest::newRow("whole sky")
            << "whole"
            << QList<double>{0.00481115798708051, 0.00538380956401815, 0.00480795586656393,
                             -0.000376930104220654, -8.22690213256792e-05}
            << QList<double>{-0.000292641421458, 0.000863714454011, 0.00091563535479,
                             0.0133400982191,    0.0219514117629,   0.0190885607841};
        QTest::newRow("part") << "part"
                              << QList<double>{0.00153801978343833, 0.00190569876468157,
                                               0.00184030259053967, -0.000382630229325702,
                                               -0.000142781477663274}
                              << QList<double>{-0.0166352911915,  -0.0029756201738,
                                               -0.00757828979166, 0.058115958565,
                                               0.0748887983665,   0.0698365137608};
    }
    void spectraOfMaskedImages() {
        QFETCH(QString, name);
        QFETCH(QList<double>, spectrum);
        QFETCH(QList<double>, bands);
        const QString line = "anafast {" + name +
                             "-tqu.fits} {%1} --polarization --lmax 16 "
                             "--mask {" +
                             name + "-w.fits} ";
        QCOMPARE(must(line.arg("cl.fits")).status, 0);
        const Spectra found = readSpectra(cli_.path("cl.fits").toStdString());
        const int order[5] = {0, 1, 2, 3, 5};  // TB is before EB
        for (int i = 0; i < 5; ++i)
            // Rounding of sums of values below 1: epsilon times 16 of 0.1.
            QVERIFY(std::abs(found.cl[static_cast<size_t>(order[i] == 5 ? 5 : order[i])][9] -
                             spectrum[i]) < 1e-15);
        const Outcome done = must(line.arg("b.fits") + "--bins 3 --decouple --json");
        QCOMPARE(done.json()["bins"].toInt(), 5);
        const Table table = readTable(cli_.path("b.fits").toStdString(), {}, job_);
        const auto at = [&](const char* column, int64_t row) {
            return table.columns[static_cast<size_t>(*table.find(column))].number(row);
        };
        const char* names[3] = {"TT", "EE", "BB"};
        for (int i = 0; i < 6; ++i)
            // Twelve digits of the reference, and the matrix' condition, 14, times epsilon.
            QVERIFY(std::abs(at(names[i % 3], i < 3 ? 0 : 2) - bands[i]) < 1e-12);
    }

    // The spectrum of two images is that of one where they are equal; noise of itself leaves zero.
    void crossSpectraAndNoise() {
        const QString both = " --polarization --lmax 16 --mask {part-w.fits}";
        QCOMPARE(must("anafast {part-tqu.fits} {a.fits}" + both).status, 0);
        QCOMPARE(must("anafast {part-tqu.fits} {part-tqu.fits} {b.fits}" + both).status, 0);
        QCOMPARE(must("anafast {part-tqu.fits} {c.fits} --noise {part-tqu.fits}" + both).status, 0);
        const Spectra a = readSpectra(cli_.path("a.fits").toStdString());
        const Spectra b = readSpectra(cli_.path("b.fits").toStdString());
        const Spectra c = readSpectra(cli_.path("c.fits").toStdString());
        for (size_t l = 0; l <= 16; ++l) {
            QCOMPARE(b.cl[0][l], a.cl[0][l]);
            QCOMPARE(c.cl[1][l], 0.0);
        }
    }

    // A Gaussian beam of FWHM 10 degrees divides C_l by exp(-l (l + 1) s^2).
    void beamsAreDividedOut() {
        QCOMPARE(must("anafast {whole-tqu.fits} {a.fits} --lmax 16 --mask {whole-w.fits}").status,
                 0);
        QCOMPARE(must("anafast {whole-tqu.fits} {b.fits} --lmax 16 --mask {whole-w.fits} "
                      "--fwhm 10deg")
                     .status,
                 0);
        const double s = 10.0 * kDegree / std::sqrt(8.0 * std::log(2.0));
        const double beam = std::exp(-9.0 * 10.0 * s * s);
        const double a = readSpectra(cli_.path("a.fits").toStdString()).cl[0][9];
        const double b = readSpectra(cli_.path("b.fits").toStdString()).cl[0][9];
        QVERIFY(std::abs(b * beam / a - 1.0) < 1e-13);  // some roundings
    }

    // Pure B of a field that is E alone: the leakage of the standard estimator falls by a factor
    // that grows with resolution; 10 at these 10 degrees.
    void purification() {
        Image mask = carImage(true, false, 1);
        mask.unit.clear();
        for (int64_t j = 0; j < 19; ++j)
            std::fill_n(valuesOf(mask).begin() + j * 36, 36,
                        std::pow(std::cos(kPi * static_cast<double>(j) / 36.0), 8));
        writeImageAs(mask, "smooth.fits");
        Alm t(8, 8), e(8, 8), b(8, 8);
        for (int m = 0; m <= 8; ++m)
            for (int l = std::max(2, m); l <= 8; ++l)
                e(l, m) = {std::cos(l + 3 * m), m > 0 ? std::sin(2 * l - m) : 0.0};
        writeAlm({t, e, b}, cli_.path("e.fits").toStdString(), {true, StoredPrecision::Double, {}},
                 job_, {Frame::Equatorial, "uK", 0});
        QCOMPARE(must("alm2map {e.fits} {sky.fits} --like {whole-w.fits}").status, 0);
        const QString line =
            "anafast {sky.fits} {%1} --polarization --lmax 12 --mask "
            "{smooth.fits} ";
        QCOMPARE(must(line.arg("std.fits")).status, 0);
        QCOMPARE(must(line.arg("pure.fits") + "--purify b").status, 0);
        const double plain = readSpectra(cli_.path("std.fits").toStdString()).cl[2][3];
        const double pure = readSpectra(cli_.path("pure.fits").toStdString()).cl[2][3];
        QVERIFY2(std::abs(pure) < 0.1 * plain, qPrintable(QString::number(pure / plain)));
    }

    // A mask in HEALPix gives the weight of the pixel that holds a center: 1 everywhere.
    void healpixMaskOfAnImage() {
        QCOMPARE(must("mask {one.fits} --nside 4 --frame C").status, 0);
        QCOMPARE(must("anafast {whole-tqu.fits} {a.fits} --lmax 16 --mask {one.fits}").status, 0);
        QCOMPARE(must("anafast {whole-tqu.fits} {b.fits} --lmax 16").status, 0);
        QCOMPARE(readSpectra(cli_.path("a.fits").toStdString()).cl[0][9],
                 readSpectra(cli_.path("b.fits").toStdString()).cl[0][9]);
        const auto refuses = [&](const QString& line, int status, const QByteArray& words) {
            const Outcome outcome = cli_.run(line);
            QVERIFY2(outcome.status == status && outcome.error.contains(words), outcome.error);
        };
        refuses("anafast {one.fits} {x.fits} --mask {whole-w.fits}", 2, "expected a HEALPix mask");
        refuses("anafast {whole-tqu.fits} {one.fits} {x.fits} --bins 3", 2, "which is an image");
        refuses("anafast {whole-tqu.fits} {part-tqu.fits} {x.fits} --bins 3", 1,
                "expected the pixels and the frame");
        QVERIFY(!QFile::exists(cli_.path("x.fits")));
    }

    // References: numpy sums over all pairs of the 77 pixels of carImage(true, true, 1), whose
    // centers are 10 degrees apart in right ascension and declination.
    void masksOfImages() {
        const Image plain = masked("--above 0.8");
        QCOMPARE(plain.name, std::string("MASK"));
        QCOMPARE(goodPixels(plain), 59);
        QCOMPARE(goodPixels(masked("--above 0.8 --invert")), 18);
        const Image grown = masked("--above 0.8 --grow 12deg");
        QCOMPARE(goodPixels(grown), 21);
        for (const int64_t at : {0, 4, 8, 9, 10, 15, 19, 20, 29, 34})
            QCOMPARE(grown.at(at % 11, at / 11), 1.0);
        QCOMPARE(goodPixels(masked("--above 0.8 --shrink 9deg")), 66);
        const Image apodized = masked("--above 0.8 --apodize 25deg");
        double sum = 0.0;
        for (int64_t y = 0; y < 7; ++y)
            for (int64_t x = 0; x < 11; ++x) sum += apodized.at(x, y);
        // Angles have the rounding of an arc cosine of numpy, 1e-8 near 0 and 1e-15 here.
        QVERIFY(std::abs(sum - 26.5934650009075) < 1e-11);
        QVERIFY(std::abs(apodized.at(5, 0) - 0.156397298261698) < 1e-13);
        // Good pixels lie 6 degrees and more from bad ones, beyond three times the angle.
        const Image hard = masked("--above 0.8");
        const Image gaussian = masked("--above 0.8 --apodize 1deg --apodization gaussian");
        for (int64_t y = 0; y < 7; ++y)
            for (int64_t x = 0; x < 11; ++x) QCOMPARE(gaussian.at(x, y), hard.at(x, y));
        QCOMPARE(goodPixels(masked("--above 0.8 --latitude 20deg")), 32);
        QCOMPARE(goodPixels(masked("--above 0.8 --region circle(240,10,17)")), 57);
        QCOMPARE(goodPixels(masked("--above 0.8 --region circle(240,10,17) --inside keep")), 2);
        const Outcome done = must("mask {part.fits} {mask.fits} --above 0.8 --json");
        QVERIFY(std::abs(done.json()["good_share"].toDouble() - 0.125460326940392) < 1e-14);
    }

    // sin(1.3 x + 0.7 y^2 + 0.9 k) in uK minus half of it in mK, by hand; U of an image in the
    // other convention changes its sign.
    void arithmeticOnImages() {
        const auto at = [&](const QString& name) { return cli_.path(name); };
        Image a = carImage(true, true, 3), b = carImage(true, true, 3);
        b.unit = "mK";
        b.cards = {imageCard("POLCCONV", "'IAU     '")};
        valuesOf(a)[7] = std::nan("");
        valuesOf(a)[8] = 0.0;
        writeImageAs(a, "a.fits");
        writeImageAs(b, "b.fits");
        QCOMPARE(must("calc A-0.5*B {c.fits} --let A=" + at("a.fits") + " --let B=" + at("b.fits"))
                     .status,
                 0);
        const Image made = readBack("c.fits");
        QCOMPARE(made.unit, std::string("uK"));
        QCOMPARE(made.planes.size(), size_t{3});
        QCOMPARE(made.planes[1].name, std::string("Q"));
        QCOMPARE(made.wcsCards, readBack("a.fits").wcsCards);
        for (int k = 0; k < 3; ++k) {
            const double value = std::sin(1.3 * 23.0 + 0.7 * 6.0 * 6.0 + 0.9 * k);
            const double expected = value - (k == 2 ? -500.0 : 500.0) * value;
            // Four roundings of at most 501, epsilon 2.2e-16 each.
            QVERIFY(std::abs(made.at(3, 2, k) - expected) < 4.5e-13);
        }
        QVERIFY(std::isnan(made.at(7, 0, 0)));
        QVERIFY(std::isfinite(made.at(7, 0, 1)));
        // Without a result: 0 / 0 of pixel 8. The bad pixel 7 has none to lose.
        const Outcome done = must("calc A/A {d.fits} --let A=" + at("a.fits") + "#I --json");
        QCOMPARE(done.json()["infinite"].toInt(), 1);
        const Image ratio = readBack("d.fits");
        QCOMPARE(ratio.planes.size(), size_t{1});
        QCOMPARE(ratio.at(2, 3), 1.0);
        QVERIFY(std::isnan(ratio.at(8, 0)));
        // A plane U keeps its name beside its convention: its sign changes in the next sum, too.
        must("calc B {u.fits} --let B=" + at("b.fits") + "#U");
        must("calc A+B {s.fits} --let A=" + at("a.fits") + "#U --let B=" + at("u.fits") + "#U");
        const double u = std::sin(1.3 * 23.0 + 0.7 * 6.0 * 6.0 + 0.9 * 2.0);
        QVERIFY(std::abs(readBack("s.fits").at(3, 2) + 999.0 * u) < 4.5e-13);
        const auto refuses = [&](const QString& line, const QByteArray& words) {
            const Outcome outcome = cli_.run(line);
            QVERIFY2(outcome.status == 2 && outcome.error.contains(words), outcome.error);
        };
        refuses("calc A+B {x.fits} --let A=" + at("a.fits") + " --let B=" + at("whole-w.fits"),
                "expected the pixels of");
        refuses(
            "calc A+B {x.fits} --let A=" + at("a.fits") + " --let B=" + at("a.fits") + " --match",
            "--match: expected maps");
        QCOMPARE(must("mask {one.fits} --nside 4 --frame C").status, 0);
        refuses("calc A+B {x.fits} --let A=" + at("a.fits") + " --let B=" + at("one.fits"),
                "expected an image, as the first operand is");
        refuses("calc A+B {x.fits} --let A=" + at("one.fits") + " --let B=" + at("a.fits"),
                "expected a map, as the first operand is");
    }

    void masksJoin() {
        const Image weights = masked("--above 0.8");
        writeImageAs(weights, "with.fits");
        QCOMPARE(goodPixels(masked("--above 0.9 --with {with.fits}")), 59);
        QVERIFY(goodPixels(masked("--above -0.5 --combine or --with {with.fits}")) >= 59);
        QCOMPARE(goodPixels(masked("--above 0.8 --fill-holes 5000deg2")), 77);
        QCOMPARE(must("mask {hole.fits} --nside 256 --frame C --region circle(240,10,17)").status,
                 0);
        QCOMPARE(must("moc {hole.fits} {moc.fits}").status, 0);
        QCOMPARE(goodPixels(masked("--above 0.8 --moc {moc.fits} --inside keep")), 57);
        QCOMPARE(goodPixels(masked("--above 0.8 --with {hole.fits}")), 57);
        const Outcome refused = cli_.run("mask {part.fits} {x.fits} --nside 8");
        QVERIFY2(refused.status == 2 && refused.error.contains("expected a HEALPix map beside it"),
                 refused.error);
    }
};

QTEST_GUILESS_MAIN(tst_cli_image_masks)
#include "tst_cli_image_masks.moc"
