// SPDX-License-Identifier: GPL-3.0-or-later
// Spectra outside a mask by `armilla anafast`: numbers of another program, and refusals.
#include <QTest>
#include <cmath>
#include <limits>

#include "armilla/core/pixel_geometry.h"
#include "armilla/io/curve_io.h"
#include "armilla/io/harmonic_io.h"
#include "armilla/io/table_io.h"
#include "cli/cli_fixture.h"
#include "support/table_columns.h"

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
        return columnOf(table, column).number(row);
    }
    void refused(const QString& options, int status, const QByteArray& text) const {
        const Outcome outcome = cli_.run("anafast {sky.fits} {no.fits} " + options);
        QCOMPARE(outcome.status, status);
        QVERIFY(says(outcome, text));
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
        cli_.write("other.fits", HealpixMap(8, Ordering::Ring, Frame::Galactic,
                                            {field("TEMPERATURE", u), field("Q_POLARISATION", t),
                                             field("U_POLARISATION", q)}));
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

    // The numbers of decoupled() for T alone, with iter=0, lmax 7 and bins of 3. A single pass
    // needs the mask to 2 lmax; iterations use it to 3 nside - 1.
    // Pixels that a finer mask marks as bad, or does not list, weigh 0 like those that it sets to
    // 0. hp.anafast(t * hp.ud_grade(w, 8), iter=0)[[1, 5, 20]] with the map of initTestCase and w =
    // np.where((z > -0.3) & (np.arange(3072) % 3 > 0), 1, 0), of z at nside 16
    void badPixelsOfFinerMasks() {
        std::vector<double> zeros, bad, good;
        std::vector<int64_t> pixels;
        for (int64_t p = 0; p < pixelCount(16); ++p) {
            const bool isGood = directionFromRing(16, p).z > -0.3 && p % 3 > 0;
            zeros.push_back(isGood ? 1.0 : 0.0);
            bad.push_back(isGood ? 1.0 : std::numeric_limits<double>::quiet_NaN());
            if (!isGood) continue;
            pixels.push_back(p);
            good.push_back(1.0);
        }
        cli_.write("zeros.fits",
                   HealpixMap(16, Ordering::Ring, Frame::Galactic, {field("MASK", zeros)}));
        cli_.write("bad.fits",
                   HealpixMap(16, Ordering::Ring, Frame::Galactic, {field("MASK", bad)}));
        cli_.write("part.fits", HealpixMap::partial(16, Ordering::Ring, Frame::Galactic,
                                                    std::move(pixels), {field("MASK", good)}));
        for (const char* name : {"zeros", "bad", "part"}) {
            const Outcome done = cli_.run(
                QString("anafast {sky.fits} {cl.fits} --mask {%1.fits} --overwrite").arg(name));
            QVERIFY2(done.status == 0, done.error.constData());
            const Spectra found = readSpectra(cli_.path("cl.fits").toStdString());
            const std::vector<double>& tt = found[SpectrumKind::TT];
            for (const auto& [l, expected] : {std::pair{1, 7.35369941700630e-02},
                                              {5, 2.95690154351866e-02},
                                              {20, 1.91038301221937e-04}})
                // The reference has 15 digits; sums over 768 pixels lose up to 4 of them.
                QVERIFY2(std::abs(tt[static_cast<size_t>(l)] / expected - 1.0) < 1e-10, name);
        }
    }

    void multipolesOfTheMask() {
        const QString line =
            "anafast {sky.fits} {cl.fits} --mask {mask.fits} --decouple --bins 3 --lmax 7 "
            "--overwrite --json ";
        const Outcome outcome = cli_.run(line);
        QCOMPARE(outcome.status, 0);
        QCOMPARE(outcome.json()["lmax_mask"].toInt(), 14);
        const Table found = table("cl.fits");
        QCOMPARE(found.rows(), int64_t{2});
        // Sums of 768 pixels and a condition number below 10.
        QVERIFY(std::abs(at(found, "TT", 0) - 1.784695325034316e-01) < 1e-13);
        QVERIFY(std::abs(at(found, "TT", 1) - 6.185006466436549e-02) < 1e-13);
        QCOMPARE(cli_.run(line + "--iterations 3").json()["lmax_mask"].toInt(), 23);
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

    // hp.map2alm([m * w for m in sky], lmax=16, iter=3)[0] by its spectrum, the numbers of
    // pseudoSpectra(). E and B by that of anafast with the same mask.
    void maskedCoefficients() {
        const QString options = "--mask {mask.fits} --lmax 16 --iterations 3 --overwrite ";
        const double truth[] = {1.33846187101687e-03, 4.66572859003099e-02, 4.63961162792069e-02};
        for (const QString& with : {QString(), QStringLiteral("--polarization")}) {
            QCOMPARE(cli_.run("map2alm {sky.fits} {alm.fits} " + options + with).status, 0);
            QCOMPARE(cli_.run("anafast {alm.fits} {cl.fits} --overwrite").status, 0);
            const Spectra found = readSpectra(cli_.path("cl.fits").toStdString());
            for (size_t i = 0; i < 3; ++i)
                // 15 printed digits of 0.05, and sums of 768 pixels.
                QVERIFY(std::abs(found[SpectrumKind::TT][2 + i] - truth[i]) < 1e-13);
            if (with.isEmpty()) continue;
            QCOMPARE(cli_.run("anafast {sky.fits} {cl.fits} --polarization " + options).status, 0);
            const Spectra direct = readSpectra(cli_.path("cl.fits").toStdString());
            for (const SpectrumKind kind : {SpectrumKind::EE, SpectrumKind::BB, SpectrumKind::TE})
                for (size_t l = 0; l <= 16; ++l)
                    // The same sums in another order: 1e-15 of the largest, 0.2.
                    QVERIFY(std::abs(found[kind][l] - direct[kind][l]) < 1e-14);
        }
        const auto line = [&](const QString& with) {
            return cli_.run("map2alm {sky.fits} {no.fits} --mask {mask.fits} " + with);
        };
        QCOMPARE(line("--qu").status, 2);
        QVERIFY(line("--qu").error.contains("found --qu"));
        QCOMPARE(line("--tolerance 1e-6").status, 2);
        cli_.write("negative.fits", HealpixMap(8, Ordering::Ring, Frame::Galactic,
                                               {field("MASK", std::vector<double>(768, -1.0))}));
        const Outcome wrong = cli_.run("map2alm {sky.fits} {no.fits} --mask {negative.fits}");
        QCOMPARE(wrong.status, 1);
        QVERIFY(wrong.error.contains("negative.fits: expected a mask with values from 0 to 1"));
    }

    // Bad pixels where the mask is above 0 are noted, as without a mask: 40 of 768 are 5.21 %.
    void badPixelsAreNoted() {
        std::vector<double> values(768);
        for (size_t p = 0; p < values.size(); ++p) values[p] = std::sin(0.1 * double(p));
        for (size_t p = 100; p < 140; ++p) values[p] = std::nan("");
        values[700] = std::nan("");  // in the south, where the mask is 0
        cli_.write("bad.fits", HealpixMap(8, Ordering::Ring, Frame::Galactic,
                                          {field("TEMPERATURE", std::move(values))}));
        const Outcome outcome =
            cli_.run("map2alm {bad.fits} {alm.fits} --mask {hard.fits} --overwrite");
        QCOMPARE(outcome.status, 0);
        QVERIFY2(outcome.error.contains(
                     "bad.fits: 40 bad or missing pixels (5.21 % of the sky) count as zero"),
                 outcome.error.constData());
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
        // --beam2 is the whole beam of the second map: b_l is divided out once.
        QByteArray flat;
        for (int l = 0; l <= 16; ++l) flat += QByteArray::number(l) + " 1\n";
        cli_.write("flat.txt", flat);
        const QString cross =
            "anafast {sky.fits} {sky.fits} {c.fits} --lmax 16 --bins 1 "
            "--fwhm 5deg --beam2 {flat.txt} --overwrite";
        QCOMPARE(cli_.run(cross).status, 0);
        const Table c = table("c.fits");
        for (int64_t q = 0; q < c.rows(); ++q) {
            const double l = at(c, "L_EFF", q);
            const double ratio = at(c, "TT", q) / at(a, "TT", q);
            QVERIFY(std::abs(ratio / std::exp(0.5 * l * (l + 1.0) * sigma * sigma) - 1.0) < 1e-12);
        }
    }

    // A map is its own noise, in its own unit and in another: nothing is left.
    void ownNoise() {
        const QString line =
            "anafast {sky.fits} {cl.fits} --mask {mask.fits} --lmax 16 --overwrite ";
        QCOMPARE(cli_.run(line + "--noise {sky.fits}").status, 0);
        const auto spectra = readSpectra(cli_.path("cl.fits").toStdString());
        for (const double cl : spectra[SpectrumKind::TT]) QCOMPARE(cl, 0.0);
        QCOMPARE(cli_.run("convert {sky.fits} {mk.fits} --unit mK --overwrite").status, 0);
        QCOMPARE(cli_.run(line + "--noise {mk.fits}").status, 0);
        const auto left = readSpectra(cli_.path("cl.fits").toStdString());
        // Factors 1e3 and 1e-6 of a C_l of 0.05: some epsilon.
        for (const double cl : left[SpectrumKind::TT]) QVERIFY(std::abs(cl) < 1e-15);
        // Kelvins of unknown scale, in the map or in the noise, with a line.
        const auto inUnit = [&](const char* name, const char* unit) {
            std::vector<double> values(768);
            for (size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<double>(i));
            cli_.write(name, HealpixMap(8, Ordering::Ring, Frame::Galactic,
                                        {{"I", unit, DiskType::Float64, std::move(values)}}));
        };
        inUnit("cmb.fits", "K_CMB");
        inUnit("plain.fits", "K");
        for (const char* maps : {"{cmb.fits} {no.fits} --noise {plain.fits}",
                                 "{plain.fits} {no.fits} --noise {cmb.fits}"}) {
            const Outcome outcome = cli_.run(QString("anafast --lmax 16 --overwrite ") + maps);
            QVERIFY2(outcome.error.contains("assumed to have one scale"), outcome.error);
            const auto none = readSpectra(cli_.path("no.fits").toStdString());
            for (const double cl : none[SpectrumKind::TT]) QCOMPARE(cl, 0.0);
        }
        QVERIFY(QFile::remove(cli_.path("no.fits")));
    }

    // a, b = (hp.map2alm([f*w for f in s], lmax=16, iter=3) for s in (m, [m[2], m[0], m[1]]))
    // hp.alm2cl(a[i]) - hp.alm2cl(b[i]), and the same for pairs, at l = 3
    void noiseMap() {
        QCOMPARE(cli_.run("anafast {sky.fits} {cl.fits} --mask {mask.fits} --lmax 16 "
                          "--iterations 3 --polarization --noise {other.fits} --overwrite")
                     .status,
                 0);
        const auto found = readSpectra(cli_.path("cl.fits").toStdString());
        const std::pair<SpectrumKind, double> truth[] = {
            {SpectrumKind::TT, 3.26419024360412e-02}, {SpectrumKind::EE, -2.03671968260553e-02},
            {SpectrumKind::BB, 6.57807629230945e-02}, {SpectrumKind::TE, 9.26071301629953e-04},
            {SpectrumKind::TB, 8.66085156676298e-03}, {SpectrumKind::EB, -3.44445874473026e-02}};
        // 15 printed digits of 0.07, and sums of 768 pixels.
        for (const auto& [kind, value] : truth) QVERIFY(std::abs(found[kind][3] - value) < 1e-13);
    }

    // C_l of noise N_l = 1 / (l + 1)^2 go through the mask:
    // W = hp.anafast(w, lmax=23, iter=3); x, g = leggauss(64); P = Legendre polynomials at x
    // M[l,k] = (2k+1)/2 * sum(g * P[l] * P[k] * sum((2L+1)/(4*pi) * W[L] * P[L])); M @ N
    void noiseSpectrum() {
        QByteArray text;
        for (int l = 0; l <= 16; ++l)
            text += QByteArray::number(l) + ' ' +
                    QByteArray::number(1.0 / (l + 1.0) / (l + 1.0), 'g', 17) + '\n';
        cli_.write("noise.txt", text);
        const QString line = "anafast {sky.fits} {cl.fits} --lmax 16 --iterations 3 --overwrite ";
        const auto difference = [&](const QString& options, const QString& noise) {
            [&] { QCOMPARE(cli_.run(line + options).status, 0); }();
            std::vector<double> cl =
                readSpectra(cli_.path("cl.fits").toStdString())[SpectrumKind::TT];
            [&] { QCOMPARE(cli_.run(line + options + noise).status, 0); }();
            const auto left = readSpectra(cli_.path("cl.fits").toStdString());
            for (size_t l = 0; l < cl.size(); ++l) cl[l] -= left[SpectrumKind::TT][l];
            return cl;
        };
        const std::vector<double> masked = difference("--mask {mask.fits} ", "--noise {noise.txt}");
        const std::pair<size_t, double> truth[] = {{0, 1.32542860199963e-01},
                                                   {2, 2.51993244619570e-02},
                                                   {9, 2.01945266734395e-03},
                                                   {16, 5.55704936556308e-04}};
        // 15 printed digits of 0.1, and differences of spectra of up to 1.
        for (const auto& [l, value] : truth) QVERIFY(std::abs(masked[l] - value) < 1e-13);
        const std::vector<double> whole = difference("", "--noise {noise.txt}");
        for (size_t l = 0; l <= 16; ++l)
            QVERIFY(std::abs(whole[l] - 1.0 / ((l + 1.0) * (l + 1.0))) < 1e-13);
    }

    // Independent noise adds nothing to a cross spectrum: a map of noise is refused there. C_l of
    // common noise are subtracted.
    void noiseOfTwoMaps() {
        const QString line =
            "anafast {sky.fits} {other.fits} {cl.fits} --mask {mask.fits} --lmax 16 --overwrite ";
        const Outcome outcome = cli_.run(line + "--noise {sky.fits}");
        QCOMPARE(outcome.status, 2);
        QVERIFY2(outcome.error.contains("--noise: expected C_l of the noise that both maps share"),
                 outcome.error);
        cli_.write("zero.txt", "0 0\n1 0\n2 0\n");
        QVERIFY(cli_.run(line + "--noise {zero.txt}").error.contains("expected C_l up to l = 16"));
        QCOMPARE(cli_.run("anafast {sky.fits} {other.fits} {cl.fits} --lmax 2 --noise {zero.txt} "
                          "--overwrite")
                     .status,
                 0);
    }
    // A function of l = 0 to 3, sampled in two frames: rotated coefficients give the same noise.
    void noiseElsewhere() {
        const Mat3 turn = frameRotation(Frame::Galactic, Frame::Ecliptic);
        std::vector<double> here, there;
        for (int64_t p = 0; p < pixelCount(8); ++p) {
            const auto value = [](const Vec3& v) {
                return v.x * v.y * v.z + 0.3 * v.x - v.z * v.z;
            };
            const Vec3 at = directionFromRing(8, p);
            here.push_back(value(at));
            there.push_back(value(turn * at));
        }
        cli_.write("here.fits",
                   HealpixMap(8, Ordering::Ring, Frame::Galactic, {field("TEMPERATURE", here)}));
        cli_.write("there.fits",
                   HealpixMap(8, Ordering::Ring, Frame::Ecliptic, {field("TEMPERATURE", there)}));
        cli_.write("nowhere.fits",
                   HealpixMap(8, Ordering::Ring, Frame::Unknown, {field("TEMPERATURE", there)}));
        const QString line =
            "anafast {sky.fits} {cl.fits} --mask {mask.fits} --lmax 10 --overwrite ";
        QCOMPARE(cli_.run(line + "--noise {here.fits}").status, 0);
        const auto expected = readSpectra(cli_.path("cl.fits").toStdString());
        const Outcome outcome = cli_.run(line + "--noise {there.fits}");
        QVERIFY2(outcome.status == 0, outcome.error);
        QVERIFY2(outcome.error.contains("there.fits: rotated from ecliptic to Galactic"),
                 outcome.error);
        const auto found = readSpectra(cli_.path("cl.fits").toStdString());
        const auto largest = [&] {
            double most = 0.0;
            for (size_t l = 0; l <= 10; ++l)
                most = std::max(
                    most, std::abs(found[SpectrumKind::TT][l] - expected[SpectrumKind::TT][l]));
            return most;
        }();
        // Three iterations of healpy 1.20 to l = 23, then rotate_alm, leave 1.3e-6. The spectrum
        // of noise that is not rotated is off by 0.08.
        QVERIFY2(largest < 2e-6, qPrintable(QString::number(largest)));
        refused("--mask {mask.fits} --noise {nowhere.fits}", 1, "--input-frame");
        cli_.write("jansky.fits",
                   HealpixMap(8, Ordering::Ring, Frame::Galactic,
                              {{"I", "Jy", DiskType::Float64, std::vector<double>(768, 1.0)}}));
        refused("--mask {mask.fits} --noise {jansky.fits}", 1, "expected a unit of the kind of K");
    }

    // The pairs of two maps, in the order of the maps: hp.alm2cl(a[i], b[j]) at l = 3 and 9 for the
    // coefficients a, b of noiseMap().
    void allPairs() {
        QCOMPARE(cli_.run("anafast {sky.fits} {other.fits} {cl.fits} --mask {mask.fits} --lmax 16 "
                          "--iterations 3 --polarization --all-pairs --overwrite")
                     .status,
                 0);
        struct Row {
            const char* name;
            double third, ninth;
        };
        const Row truth[] = {{"TT", 1.59763906830378e-18, 3.33121068721572e-20},
                             {"EE", 4.20024326959527e-03, 5.58083547086937e-05},
                             {"BB", -2.29632357766472e-02, 2.54107564284622e-04},
                             {"TE", -7.94351329366687e-03, -3.22027295436855e-04},
                             {"TB", -9.31037506554546e-03, -1.61349325836361e-04},
                             {"EB", 1.00699781191270e-02, 1.74470288162650e-03},
                             {"ET", -8.66085156676296e-03, -7.08254636694654e-06},
                             {"BT", 3.42166317487719e-02, 2.12553467156033e-06},
                             {"BE", -7.39757201839483e-03, -3.50002983301193e-04}};
        const Table found = table("cl.fits");
        QCOMPARE(found.rows(), int64_t{17});
        QCOMPARE(found.columns.size(), size_t{10});
        // 15 printed digits of 0.03, and sums of 768 pixels.
        for (const Row& row : truth) {
            QVERIFY2(std::abs(at(found, row.name, 3) - row.third) < 1e-13, row.name);
            QVERIFY2(std::abs(at(found, row.name, 9) - row.ninth) < 1e-13, row.name);
        }
    }

    // Errors of a fiducial spectrum C_TT = 1 / l, C_EE = C_BB = 2 / l, C_TE = 1 / (2 l) on the
    // whole sky. Gaussian: the variance of the mean of n multipoles is the sum of (C_aa C_bb +
    // C_ab^2) / (2l + 1), over n^2. Knox: the means of C_l over all modes of the bin.
    void fiducial_data() {
        QTest::addColumn<QString>("errors");
        QTest::newRow("gaussian") << "gaussian";
        QTest::newRow("knox") << "knox";
    }
    void fiducial() {
        QFETCH(QString, errors);
        QByteArray text = "# l C_TT C_EE C_BB C_TE\n";
        for (int l = 0; l <= 16; ++l) {
            const double c = l == 0 ? 0.0 : 1.0 / l;
            for (const double value : {1.0 * l, c, 2.0 * c, 2.0 * c, 0.5 * c})
                text += QByteArray::number(value, 'g', 17) + ' ';
            text += '\n';
        }
        cli_.write("fiducial.txt", text);
        const Outcome outcome = cli_.run(
            "anafast {sky.fits} {cl.fits} --polarization --bins 5 --lmax 16 --fiducial "
            "{fiducial.txt} --overwrite --errors " +
            errors);
        QVERIFY2(outcome.status == 0, outcome.error);
        const Table found = table("cl.fits");
        const std::pair<const char*, double> truth[] = {{"TT_ERR", 2.0}, {"EE_ERR", 8.0},
                                                        {"BB_ERR", 8.0}, {"TE_ERR", 2.25},
                                                        {"TB_ERR", 2.0}, {"EB_ERR", 4.0}};
        for (int64_t q = 0; q < 3; ++q) {
            double squares = 0.0, mean = 0.0, modes = 0.0;
            for (int64_t l = 2 + 5 * q; l < 7 + 5 * q; ++l) {
                const auto x = static_cast<double>(l);
                squares += 1.0 / (x * x * (2.0 * x + 1.0)) / 25.0;
                mean += 1.0 / x / 5.0;
                modes += 2.0 * x + 1.0;
            }
            const double one = errors == "knox" ? mean * mean / modes : squares;
            // Some 20 products and a root: 20 epsilon, with a margin of 20.
            for (const auto& [name, factor] : truth)
                QVERIFY2(std::abs(at(found, name, q) / std::sqrt(factor * one) - 1.0) < 1e-13,
                         name);
        }
    }

    // Tables of band powers are curves over L_EFF, whose first one has the covariance.
    void bandsAsCurves() {
        const QString line =
            "anafast {sky.fits} {cl.fits} --lmax 16 --bins 5 --polarization --overwrite --errors ";
        for (const char* errors : {"knox", "none"}) {
            const bool hasErrors = QString(errors) != "none";
            QCOMPARE(cli_.run(line + errors).status, 0);
            const QJsonObject info = cli_.run("info {cl.fits} --json").json();
            QCOMPARE(info["curve"].toString(), QString("curve"));
            QCOMPARE(info["points"].toInt(), 3);
            QCOMPARE(info["covariance"].toBool(), hasErrors);
            const Outcome drawn = cli_.run("render {cl.fits} {cl.png} --overwrite");
            QVERIFY2(drawn.status == 0, drawn.error);
            JobContext job;
            const Curve curve = readCurve(cli_.path("cl.fits").toStdString(), job);
            QCOMPARE(curve.x, (std::vector<double>{4.0, 9.0, 14.0}));
            QCOMPARE(curve.xLow, (std::vector<double>{2.0, 7.0, 12.0}));
            QCOMPARE(curve.xHigh, (std::vector<double>{6.0, 11.0, 16.0}));
            QCOMPARE(curve.series.size(), size_t{6});
            QCOMPARE(curve.series[0].name, std::string("TT"));
            for (size_t q = 0; hasErrors && q < 3; ++q)
                QCOMPARE(std::sqrt(curve.covariance.at(4 * q)), curve.series[0].errors.at(q));
        }
    }

    void refusals() {
        refused("--mask2 {mask.fits}", 2, "mask2: expected --mask beside it");
        refused("--purify b --mask {mask.fits}", 2, "purify: expected --polarization beside it");
        refused("--errors knox", 2, "errors: expected --bins or --decouple beside it");
        refused("--mask {hard.fits} --polarization --purify b --decouple", 1,
                "expected a mask that falls smoothly to 0 for --purify");
        // The multipoles of a point do not fall, which makes all rows of its matrix alike.
        refused("--mask {point.fits} --decouple --lmax 11", 1, "condition number");
        for (const QByteArray width : {"0", "-3", "99999999999"})
            refused("--bins=" + width, 2,
                    "--bins: expected from 1 to 999999 multipoles in a bin, found " + width);
        refused("--bins 40 --lmax 16", 2, "--bins: expected a bin from l = 2 up to lmax 16");
        refused("--bins 1 --lmax 1", 2, "--bins: expected a bin from l = 2 up to lmax 1");
        refused("--decouple --mask {mask.fits} --lmax 1", 2, "--bins: expected a bin");
        QCOMPARE(cli_.run("anafast {sky.fits} {low.fits} --mask {mask.fits} --lmax 1").status, 0);
        QCOMPARE(readSpectra(cli_.path("low.fits").toStdString())[SpectrumKind::TT].size(),
                 size_t{2});
        refused("--mask {sky.fits}", 1, "expected a mask with values from 0 to 1");
    }
};

QTEST_GUILESS_MAIN(tst_cli_masked_spectra)
#include "tst_cli_masked_spectra.moc"
