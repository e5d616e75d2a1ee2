// SPDX-License-Identifier: GPL-3.0-or-later
// Spectra outside a mask by `armilla anafast`: numbers of another program, and refusals.
#include <QTest>
#include <cmath>

#include "armilla/core/pixel_geometry.h"
#include "armilla/io/harmonic_io.h"
#include "armilla/io/table_io.h"
#include "cli/cli_fixture.h"

using namespace armilla;
using namespace armilla::test;

class tst_cli_masked_spectra : public QObject {
    Q_OBJECT

    CliFixture cli_;

    static Field field(const char* name, std::vector<double> values) {
        return {name, "K", DiskType::Float64, std::move(values)};
    }
    Table table(const QString& name) const {
        JobContext job;
        return readTable(cli_.path(name).toStdString(), {}, job);
    }
    static double at(const Table& table, const char* column, int64_t row) {
        return table.columns[static_cast<size_t>(table.columnIndex(column))].number(row);
    }
    void refused(const QString& options, int status, const QByteArray& text) const {
        const Outcome outcome = cli_.run("anafast {sky.fits} {no.fits} " + options);
        QCOMPARE(outcome.status, status);
        if (!outcome.error.contains(text)) qWarning("found: %s", outcome.error.constData());
        QVERIFY(outcome.error.contains(text));
        QVERIFY(!QFile::exists(cli_.path("no.fits")));
    }

private slots:
    // x, y, z = hp.pix2vec(8, np.arange(768))
    // m = [np.sin(5*x + 3*y*z), np.cos(4*y + 2*x*z), np.sin(3*z + 2*x*y)]; w = ((1 + z)/2)**2
    void initTestCase() {
        std::vector<double> t, q, u, w, hard, point;
        for (int64_t p = 0; p < pixelCount(8); ++p) {
            const auto [x, y, z] = directionFromRing(8, p);
            t.push_back(std::sin(5.0 * x + 3.0 * y * z));
            q.push_back(std::cos(4.0 * y + 2.0 * x * z));
            u.push_back(std::sin(3.0 * z + 2.0 * x * y));
            w.push_back(0.25 * (1.0 + z) * (1.0 + z));
            hard.push_back(z > 0.3 ? 1.0 : 0.0);
            point.push_back(p == 300 ? 1.0 : 0.0);
        }
        cli_.write("sky.fits", HealpixMap(8, Ordering::Ring, Frame::Galactic,
                                          {field("TEMPERATURE", t), field("Q_POLARISATION", q),
                                           field("U_POLARISATION", u)}));
        cli_.write("mask.fits", HealpixMap(8, Ordering::Ring, Frame::Galactic, {field("MASK", w)}));
        cli_.write("point.fits",
                   HealpixMap(8, Ordering::Ring, Frame::Galactic, {field("MASK", point)}));
        cli_.write("hard.fits",
                   HealpixMap(8, Ordering::Ring, Frame::Galactic, {field("MASK", hard)}));
    }

    // MASTER in numpy: healpy 1.20's map2alm (iter=3) of the weighted map, coupling matrices of the
    // mask's alm2cl to 3 nside - 1 by products of matrices of d^l at Gauss-Legendre nodes, solved
    // in bins of 5 from l = 2. With --purify b, K. M. Smith's terms from alm2map_spin of the mask.
    void decoupled_data() {
        QTest::addColumn<QString>("options");
        QTest::addColumn<QList<double>>("ee");
        QTest::addColumn<QList<double>>("bb");
        QTest::addColumn<QList<double>>("eb");
        QTest::newRow("as it is")
            << "" << QList<double>{9.29985007592039e-02, 7.09123612738291e-03, 1.51465667104950e-03}
            << QList<double>{2.36274919187463e-01, -6.91151485296023e-03, 4.32828241436091e-04}
            << QList<double>{-9.04481483135359e-02, 5.35759105235384e-03, -2.29275282499065e-05};
        QTest::newRow("pure B")
            << "--purify b"
            << QList<double>{5.64419363772713e-02, 8.54476807008421e-03, 1.44693515132483e-03}
            << QList<double>{4.64978474210876e-01, -7.41637372413239e-03, 3.61039780891663e-04}
            << QList<double>{-1.49272079910951e-01, 6.18204519735007e-03, -2.12383801225565e-05};
    }
    void decoupled() {
        QFETCH(QString, options);
        QFETCH(QList<double>, ee);
        QFETCH(QList<double>, bb);
        QFETCH(QList<double>, eb);
        const Outcome outcome = cli_.run(
            "anafast {sky.fits} {cl.fits} --mask {mask.fits} --polarization --decouple --bins 5 "
            "--lmax 16 --iterations 3 --overwrite --json " +
            options);
        QCOMPARE(outcome.status, 0);
        QCOMPARE(outcome.json()["f_sky"].toDouble(), 1.0);
        // A mean of 768 squares: at most some 50 epsilon of 0.2.
        QVERIFY(std::abs(outcome.json()["mean_w2"].toDouble() - 0.19977477175248748) < 1e-14);
        QCOMPARE(outcome.json()["bins"].toInt(), 3);
        const Table found = table("cl.fits");
        QCOMPARE(found.rows(), int64_t{3});
        QCOMPARE(at(found, "L_MIN", 1), 7.0);
        QCOMPARE(at(found, "L_MAX", 1), 11.0);
        QCOMPARE(at(found, "L_EFF", 1), 9.0);
        const double tt[] = {1.41838451810350e-01, -1.66597721212148e-03, 8.11559977527515e-05};
        for (int64_t q = 0; q < 3; ++q) {
            // 1e-12 of the largest band power: sums of 768 pixels, and a condition number of 10.
            QVERIFY(std::abs(at(found, "TT", q) - tt[q]) < 1.4e-13);
            QVERIFY(std::abs(at(found, "EE", q) - ee[q]) < 5e-13);
            QVERIFY(std::abs(at(found, "BB", q) - bb[q]) < 5e-13);
            QVERIFY(std::abs(at(found, "EB", q) - eb[q]) < 5e-13);
        }
    }

    // hp.anafast([m*w for m in sky], lmax=16, iter=3)[0][2:5]; divided by np.mean(w**2).
    void pseudoSpectra() {
        const QString line =
            "anafast {sky.fits} {cl.fits} --mask {mask.fits} --lmax 16 --iterations 3 "
            "--overwrite ";
        const double truth[] = {1.33846187101687e-03, 4.66572859003099e-02, 4.63961162792069e-02};
        for (const QString& divide : {QStringLiteral("none"), QStringLiteral("w2")}) {
            QCOMPARE(cli_.run(line + "--divide " + divide).status, 0);
            const std::vector<double> cl =
                readSpectra(cli_.path("cl.fits").toStdString())[SpectrumKind::TT];
            const double by = divide == "w2" ? 0.19977477175248748 : 1.0;
            for (size_t i = 0; i < 3; ++i)
                // 15 printed digits of 0.05, and sums of 768 pixels.
                QVERIFY(std::abs(cl[2 + i] - truth[i] / by) < 1e-13 / by);
        }
    }

    // The windows of band powers sum to 1 over the bins' multipoles; without a mask each is the
    // average itself.
    void windowsAndErrors() {
        QCOMPARE(cli_.run("anafast {sky.fits} {cl.fits} --mask {mask.fits} --decouple --bins 5 "
                          "--lmax 16 --errors gaussian --overwrite")
                     .status,
                 0);
        const Table found = table("cl.fits");
        for (int64_t q = 0; q < 3; ++q) QVERIFY(at(found, "TT_ERR", q) > 0.0);
        // Knox without a mask: C_l sqrt(2 / sum(2l + 1)).
        QCOMPARE(cli_.run("anafast {sky.fits} {cl.fits} --bins 5 --lmax 16 --errors knox "
                          "--overwrite")
                     .status,
                 0);
        const Table whole = table("cl.fits");
        const double modes = 2.0 * (2 + 3 + 4 + 5 + 6) + 5.0;
        QVERIFY(at(whole, "TT_ERR", 0) > 0.0);
        // The spectrum between the bins is a line: its mean over the first bin is at least
        // C_2..4's.
        QVERIFY(at(whole, "TT_ERR", 0) <= at(whole, "TT", 0) * std::sqrt(2.0 / modes) * 1.0000001);
    }

    // A beam that is divided out is that of the map: b_l^2 of a Gaussian, exp(-l(l+1) sigma^2).
    void beams() {
        QCOMPARE(cli_.run("anafast {sky.fits} {a.fits} --lmax 16 --bins 1 --overwrite").status, 0);
        QCOMPARE(cli_.run("anafast {sky.fits} {b.fits} --lmax 16 --bins 1 --fwhm 5deg --overwrite")
                     .status,
                 0);
        const Table a = table("a.fits"), b = table("b.fits");
        const double sigma = 5.0 * kDegree / std::sqrt(8.0 * std::log(2.0));
        for (int64_t q = 0; q < a.rows(); ++q) {
            const double l = at(a, "L_EFF", q);
            const double ratio = at(b, "TT", q) / at(a, "TT", q);
            // Two exponentials of arguments below 1: some 10 epsilon, with a margin of 500.
            QVERIFY(std::abs(ratio / std::exp(l * (l + 1.0) * sigma * sigma) - 1.0) < 1e-12);
        }
    }

    // A map is its own noise: nothing is left. Noise of another frame is refused.
    void noise() {
        const QString line =
            "anafast {sky.fits} {cl.fits} --mask {mask.fits} --lmax 16 --overwrite ";
        QCOMPARE(cli_.run(line + "--noise {sky.fits}").status, 0);
        const auto spectra = readSpectra(cli_.path("cl.fits").toStdString());
        for (const double cl : spectra[SpectrumKind::TT])
            QCOMPARE(cl, 0.0);
        cli_.write("ecliptic.fits",
                   HealpixMap(8, Ordering::Ring, Frame::Ecliptic,
                              {field("TEMPERATURE", std::vector<double>(768, 1.0))}));
        refused("--mask {mask.fits} --noise {ecliptic.fits}", 1, "noise in the frame of the map");
    }

    void refusals() {
        refused("--mask2 {mask.fits}", 2, "mask2: expected --mask beside it");
        refused("--purify b --mask {mask.fits}", 2, "purify: expected --polarization beside it");
        refused("--errors knox", 2, "errors: expected --bins or --decouple beside it");
        refused("--mask {hard.fits} --polarization --purify b --decouple", 1,
                "expected a mask that falls smoothly to 0 for --purify");
        // The multipoles of a point do not fall, which makes all rows of its matrix alike.
        refused("--mask {point.fits} --decouple --lmax 11", 1, "condition number");
        refused("--bins 40 --lmax 16", 2, "--bins: expected a bin from l = 2 up to lmax 16");
        refused("--mask {sky.fits}", 1, "expected a mask with values from 0 to 1");
    }
};

QTEST_GUILESS_MAIN(tst_cli_masked_spectra)
#include "tst_cli_masked_spectra.moc"
