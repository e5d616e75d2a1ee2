// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla alm`: coefficients to coefficients.
#include <QJsonArray>
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

#include "armilla/io/harmonic_io.h"
#include "cli/cli_fixture.h"

using namespace armilla;
using namespace armilla::test;

class tst_cli_alm : public QObject {
    Q_OBJECT

    CliFixture cli_;
    using Truth = std::array<std::array<std::complex<double>, 3>, 3>;

    // l, m = hp.Alm.getlm(8)
    // a = [np.cos(l+2*m+k) + 1j*np.where(m > 0, np.sin(3*l-m+k), 0) for k in range(3)]
    // a[1][l < 2] = 0; a[2][l < 2] = 0
    static std::vector<Alm> coefficients() {
        std::vector<Alm> sets;
        for (int k = 0; k < 3; ++k) {
            Alm alm(8, 8);
            for (int m = 0; m <= 8; ++m)
                for (int l = std::max(m, k == 0 ? 0 : 2); l <= 8; ++l)
                    alm(l, m) = {std::cos(l + 2 * m + k), m > 0 ? std::sin(3 * l - m + k) : 0.0};
            sets.push_back(std::move(alm));
        }
        return sets;
    }
    std::vector<Alm> readSets(const QString& name) const {
        JobContext job;
        return readAlm(cli_.path(name).toStdString(), job);
    }
    std::vector<Alm> result(const QString& options, const QString& input = "{a.fits}") const {
        const Outcome outcome = cli_.run("alm " + input + " {out.fits} --overwrite " + options);
        if (outcome.status != 0) qWarning("%s", outcome.error.constData());
        return outcome.status == 0 ? readSets("out.fits") : std::vector<Alm>();
    }
    static bool isNear(std::complex<double> a, std::complex<double> b, double limit) {
        if (std::abs(a - b) < limit) return true;
        qWarning("(%.17g, %.17g), expected (%.17g, %.17g)", a.real(), a.imag(), b.real(), b.imag());
        return false;
    }
    // The coefficients (2,0), (5,3) and (8,8) of T, E and B.
    static void compare(const std::vector<Alm>& found, const Truth& truth, double limit) {
        QCOMPARE(found.size(), size_t(3));
        for (size_t i = 0; i < 3; ++i) {
            QVERIFY(isNear(found[i](2, 0), truth[i][0], limit));
            QVERIFY(isNear(found[i](5, 3), truth[i][1], limit));
            QVERIFY(isNear(found[i](8, 8), truth[i][2], limit));
        }
    }

private slots:
    void initTestCase() {
        JobContext job;
        writeAlm(coefficients(), cli_.path("a.fits").toStdString(),
                 {true, StoredPrecision::Double, {}}, job, {Frame::Galactic, "K"});
    }
    // for b in a: hp.rotate_alm(b, .3, .5, .7)
    // The coefficients below are sums of up to 17 products of order 1: 1e-13 is 450 roundings.
    void euler() {
        const Truth truth{{{-1.1054805653778201,
                            {-0.46852605158300953, 0.24181817334146624},
                            {0.08265279464663217, -0.8455562669984006}},
                           {-0.43174828200646637,
                            {0.17496677945884873, 0.707479538489316},
                            {-0.4546046539622307, -0.4179318637605371}},
                           {0.6389313807324164,
                            {0.6575959603668862, 0.5226874786591431},
                            {-0.5739006802349942, 0.39393716762722586}}}};
        compare(result("--euler 0.3rad,0.5rad,0.7rad"), truth, 1e-13);
    }
    // hp.Rotator(coord=['G', 'C']).rotate_alm(a). healpy's C is FK5 and differs from ICRS by 32 mas
    // = 1.6e-7 rad; a rotation by that changes a coefficient by l times the angle, 1.3e-6 of 2.
    void frame() {
        const Truth truth{{{-2.125868883068296,
                            {0.6066998469449635, -0.2355787815032052},
                            {-1.1070143516447803, -0.189843671296332}},
                           {-1.0415721018658994,
                            {0.11171548450285555, 0.30909940877603553},
                            {-0.704298892170839, 1.0567857560833163}},
                           {1.0003412663361553,
                            {-0.4859795791888245, 0.5695930281115462},
                            {0.34594572072421875, 1.3318112329371743}}}};
        compare(result("--frame C"), truth, 3e-6);
        JobContext job;
        QCOMPARE(cli_.run("info {out.fits} --json").json()["frame"].toString(), QString("C"));
        // The frame first, then the Euler angles within it: those of the way back.
        const std::vector<Alm> same = result("--frame C --euler 10deg,20deg,30deg");
        const std::vector<Alm> there = result("--frame C");
        writeAlm(there, cli_.path("c.fits").toStdString(), {true, StoredPrecision::Double, {}}, job,
                 {Frame::Equatorial, "K"});
        const std::vector<Alm> two = result("--euler 10deg,20deg,30deg", "{c.fits}");
        // Two rotations round twice.
        for (int l = 2; l <= 8; ++l) QVERIFY(isNear(same[1](l, 1), two[1](l, 1), 1e-13));
    }
    // hp.smoothalm(a, fwhm=np.radians(20), pol=True)
    void fwhm() {
        const Truth truth{{{-1.990249681230147,
                            {0.436344318058881, -0.16943050716392066},
                            {-0.5018874159197146, -0.08606948001537865}},
                           {-1.0189347370814477,
                            {0.08395658295987009, 0.23229484604028675},
                            {-0.33365374355027416, 0.5006404632570067}},
                           {0.9786000060677351,
                            {-0.36522407827830156, 0.4280613786962388},
                            {0.16388792608924738, 0.6309307149442553}}}};
        // The truth smooths the rotated coefficients above.
        compare(result("--frame C --fwhm 20deg"), truth, 3e-6);
        const std::vector<Alm> found = result("--fwhm 20deg"), from = coefficients();
        // hp.gauss_beam(np.radians(20), lmax=8, pol=True)[[2, 5, 8], :2], of 8 digits
        for (size_t i = 0; i < 3; ++i) {
            const std::array<double, 3> factor =
                i == 0 ? std::array{0.93620528, 0.71920954, 0.45337029}
                       : std::array{0.97826616, 0.75152145, 0.47373884};
            QVERIFY(isNear(found[i](2, 0), factor[0] * from[i](2, 0), 1e-8));
            QVERIFY(isNear(found[i](5, 3), factor[1] * from[i](5, 3), 1e-8));
            QVERIFY(isNear(found[i](8, 8), factor[2] * from[i](8, 8), 1e-8));
        }
    }
    // hp.resize_alm(a[0], 8, 8, L, L) keeps coefficients, and adds zeros.
    void limits() {
        for (const int lmax : {4, 11}) {
            const std::vector<Alm> found = result(QStringLiteral("--lmax %1").arg(lmax)),
                                   from = coefficients();
            QCOMPARE(found[0].lmax(), lmax);
            QCOMPARE(found[0].mmax(), std::min(lmax, 8));
            for (size_t i = 0; i < 3; ++i)
                for (int m = 0; m <= found[i].mmax(); ++m)
                    for (int l = m; l <= lmax; ++l)
                        QCOMPARE(found[i](l, m), l <= 8 ? from[i](l, m) : std::complex<double>());
        }
    }
    // A beam of powers of ten, of which the division uses those down to 1e-4.
    void division() {
        cli_.write("beam.txt", QByteArray("0 1 0.5\n1 0.1 0.5\n2 0.01 0.5\n3 0.001 0.5\n"
                                          "4 0.0001 0.5\n5 0.00001 0.5\n6 1e-6 0.5\n"));
        const std::vector<Alm> from = coefficients();
        std::vector<Alm> found = result("--beam {beam.txt}");
        // One multiplication by a factor of one rounding.
        QVERIFY(isNear(found[0](6, 2), 1e-6 * from[0](6, 2), 1e-20));
        QVERIFY(isNear(found[2](6, 2), 0.5 * from[2](6, 2), 1e-16));
        QCOMPARE(std::abs(found[0](7, 2)), 0.0);
        const Outcome outcome =
            cli_.run("alm {a.fits} {out.fits} --overwrite --beam {beam.txt} --divide --json");
        QVERIFY2(outcome.error.contains("T: the factor is below 1e-4 of its peak from l = 5 on; "
                                        "these coefficients are set to 0\n"),
                 outcome.error);
        QVERIFY(outcome.error.contains("E: the factor is below 1e-4 of its peak from l = 7 on"));
        const QJsonArray unused = outcome.json()["unused_multipoles"].toArray();
        QCOMPARE(unused[0].toInt(), 4);
        QCOMPARE(unused[2].toInt(), 2);
        found = readSets("out.fits");
        // Coefficients of order 1 times 1e4, of a few roundings.
        QVERIFY(isNear(found[0](4, 2), 1e4 * from[0](4, 2), 1e-11));
        QCOMPARE(std::abs(found[0](5, 2)), 0.0);
        QVERIFY(isNear(found[1](6, 2), 2.0 * from[1](6, 2), 1e-15));
        QCOMPARE(std::abs(found[1](7, 2)), 0.0);
    }
    // --field of one set takes the factor of that set.
    void oneSet() {
        const std::vector<Alm> found = result("--fwhm 20deg --field E"),
                               all = result("--fwhm 20deg");
        QCOMPARE(found.size(), size_t(1));
        QCOMPARE(found[0].values(), all[1].values());
    }
    // A cap of constant brightness: B_l = (P_{l-1}(x) - P_{l+1}(x)) / ((2l + 1) (1 - x)), x the
    // cosine of its radius. The table of its profile has an edge of 1e-9 rad.
    void kernel() {
        cli_.write("cap.txt", QByteArray("# angle deg\n0 3\n40 3\n40.0000001 0\n"));
        const std::vector<Alm> found = result("--kernel {cap.txt}"), from = coefficients();
        const double x = std::cos(40.0 * kDegree);
        const double p1 = x, p3 = 0.5 * (5.0 * x * x * x - 3.0 * x);
        const double b2 = (p1 - p3) / (5.0 * (1.0 - x));
        QVERIFY(isNear(found[0](2, 1), b2 * from[0](2, 1), 1e-8));
        QVERIFY(isNear(found[0](0, 0), from[0](0, 0), 1e-8));
    }
    // The window of alm and that of alm2map are one.
    void pixelWindow() {
        result("--pixel-window 4");
        QCOMPARE(cli_.run("alm2map {out.fits} {m1.fits} --nside 4").status, 0);
        QCOMPARE(cli_.run("alm2map {a.fits} {m2.fits} --nside 4 --pixel-window").status, 0);
        const HealpixMap one = cli_.read("m1.fits"), two = cli_.read("m2.fits");
        // Sums of 45 terms of order 1, in one order: 1e-13 is 450 roundings.
        for (int field = 0; field < 3; ++field)
            for (int64_t p = 0; p < one.elementCount(); ++p)
                QVERIFY(std::abs(one.field(field).at(p) - two.field(field).at(p)) < 1e-13);
        // Multiplied and divided, coefficients round twice.
        JobContext job;
        writeAlm(readSets("out.fits"), cli_.path("w.fits").toStdString(),
                 {true, StoredPrecision::Double, {}}, job, {Frame::Galactic, "K"});
        const std::vector<Alm> back = result("--pixel-window 4 --divide", "{w.fits}"),
                               from = coefficients();
        for (int l = 2; l <= 8; ++l) {
            QVERIFY(isNear(back[0](l, 2), from[0](l, 2), 1e-15));
            QVERIFY(isNear(back[2](l, 2), from[2](l, 2), 1e-15));
        }
    }
    void usage_data() {
        QTest::addColumn<QString>("options");
        QTest::newRow("nothing to do") << "";
        QTest::newRow("two angles") << "--euler 1deg,2deg";
        QTest::newRow("no unit") << "--euler 1,2,3";
        QTest::newRow("nothing to divide by") << "--divide --lmax 3";
    }
    void usage() {
        QFETCH(QString, options);
        const Outcome outcome = cli_.run("alm {a.fits} {no.fits} " + options);
        QCOMPARE(outcome.status, 2);
        QCOMPARE(outcome.error.count('\n'), 1);
    }
};

QTEST_GUILESS_MAIN(tst_cli_alm)
#include "tst_cli_alm.moc"
