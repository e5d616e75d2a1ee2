// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of spin 1 to 3, Q and U without T, second derivatives, spectra of coefficients.
#include <QJsonArray>
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

#include "armilla/core/pixel_geometry.h"
#include "armilla/io/harmonic_io.h"
#include "cli/cli_fixture.h"

using namespace armilla;
using namespace armilla::test;

using Pair = std::array<std::array<double, 3>, 2>;
using Coefficients = std::array<std::complex<double>, 6>;  // three of each set
Q_DECLARE_METATYPE(Pair)
Q_DECLARE_METATYPE(Coefficients)

class tst_cli_spins : public QObject {
    Q_OBJECT

    CliFixture cli_;

    // l, m = hp.Alm.getlm(8)
    // a = [np.cos(l+2*m+k) + 1j*np.where(m > 0, np.sin(3*l-m+k), 0) for k in range(3)]
    // a[1][l < 2] = 0; a[2][l < 2] = 0
    // b: the same with sin in place of cos, and np.cos(l-2*m+k) in place of np.sin(3*l-m+k)
    static std::vector<Alm> coefficients(bool second = false) {
        std::vector<Alm> sets;
        for (int k = 0; k < 3; ++k) {
            Alm alm(8, 8);
            for (int m = 0; m <= 8; ++m)
                for (int l = std::max(m, k == 0 ? 0 : 2); l <= 8; ++l) {
                    const double real = second ? std::sin(l + m + k) : std::cos(l + 2 * m + k);
                    const double imaginary =
                        second ? std::cos(l - 2 * m + k) : std::sin(3 * l - m + k);
                    alm(l, m) = {real, m > 0 ? imaginary : 0.0};
                }
            sets.push_back(std::move(alm));
        }
        return sets;
    }
    void writeSets(const QString& name, const std::vector<Alm>& sets, int spin = 0) const {
        JobContext job;
        writeAlm(sets, cli_.path(name).toStdString(), {true, StoredPrecision::Double, {}}, job,
                 {Frame::Galactic, "K", spin});
    }
    std::vector<Alm> readSets(const QString& name, int* spin = nullptr) const {
        JobContext job;
        return readAlm(cli_.path(name).toStdString(), job, spin);
    }
    void must(const QString& line) const {
        const Outcome outcome = cli_.run(line + " --overwrite");
        QVERIFY2(outcome.status == 0, outcome.error);
    }
    void refuses(const QString& line, int status, const QByteArray& words) const {
        const Outcome outcome = cli_.run(line);
        QVERIFY2(outcome.status == status && outcome.error.contains(words), outcome.error);
        QCOMPARE(outcome.error.count('\n'), 1);
    }
    static bool isNear(std::complex<double> a, std::complex<double> b, double limit) {
        if (std::abs(a - b) < limit) return true;
        qWarning("(%.17g, %.17g), expected (%.17g, %.17g)", a.real(), a.imag(), b.real(), b.imag());
        return false;
    }
    std::vector<double> spectrum(const QString& line, SpectrumKind kind) const {
        must("anafast " + line + " {cl.fits} --device cpu");
        return readSpectra(cli_.path("cl.fits").toStdString())[kind];
    }

private slots:
    void initTestCase() {
        writeSets("a.fits", coefficients());
        writeSets("b.fits", coefficients(true));
        writeSets("t.fits", {coefficients()[0]});
        std::vector<double> first, second;
        for (int64_t p = 0; p < pixelCount(8); ++p) {
            const auto [x, y, z] = directionFromRing(8, p);
            first.push_back(std::exp(x + 0.5 * y) * z);
            second.push_back(std::sin(2.0 * z + x * y + y));
        }
        cli_.write("pair.fits", HealpixMap(8, Ordering::Ring, Frame::Galactic,
                                           {{"F", "K", DiskType::Float64, std::move(first)},
                                            {"G", "K", DiskType::Float64, std::move(second)}}));
    }
    // g = [np.where(l < s, 0, a[1]), np.where(l < s, 0, a[2])]
    // np.array(hp.alm2map_spin(g, 8, s, 8))[:, [0, 100, 767]]
    // x, y, z = hp.pix2vec(8, np.arange(768))
    // f = [np.exp(x+.5*y)*z, np.sin(2*z+x*y+y)]
    // c = hp.map2alm_spin(f, s, 8) at (l, m) = (4, 0), (5, 3), (8, 8)
    // Pixels are sums of 81 terms of order 1, coefficients of 768: 1e-12 is 4500 roundings.
    void spins_data() {
        QTest::addColumn<int>("spin");
        QTest::addColumn<Pair>("pixels");
        QTest::addColumn<Coefficients>("coefficients");
        QTest::newRow("1") << 1
                           << Pair{{{0.30583195783245715, -0.2190538572902718, 4.4327804277876721},
                                    {-0.61250179208440103, 0.019756300431186147,
                                     2.9134624220209528}}}
                           << Coefficients{{{-0.50713914292385698, 0},
                                            {0.0014654801991961124, -0.011178071203054474},
                                            {-0.00051060065498353328, 1.2383097220248586e-08},
                                            {-0.42785683050696471, 0},
                                            {0.074489143892150764, 0},
                                            {3.7251106219527965e-05, 0}}};
        QTest::newRow("2") << 2
                           << Pair{{{-1.1886138466890077, 0.30134573771858447, 6.2630615071675715},
                                    {-0.054459286449814182, -0.32057736346536592,
                                     4.6167628121611379}}}
                           << Coefficients{{{0, 0},
                                            {0, 0.10852537345963395},
                                            {0, 5.7467600084270263e-05},
                                            {0, 0},
                                            {-0.016418437453984375, -0.0056248370022917438},
                                            {1.7723063729795206e-08, 0.00047144767686767817}}};
        QTest::newRow("3") << 3
                           << Pair{{{0.56243804155911026, 0.2814206666543595, 3.7920380302319172},
                                    {0.42345101106796934, -1.0819809262169744, 2.3009941417423265}}}
                           << Coefficients{{{-1.8657216273477586, 0},
                                            {0.0099649756645163855, -0.011457807410289053},
                                            {-0.00048260351304885108, -2.7949075843410143e-09},
                                            {-1.9585989537369615, 0},
                                            {0.078775099943141372, 0},
                                            {-4.718813032731492e-06, 0}}};
    }
    void spins() {
        QFETCH(int, spin);
        QFETCH(Pair, pixels);
        QFETCH(Coefficients, coefficients);
        const std::vector<Alm> all = tst_cli_spins::coefficients();
        std::vector<Alm> pair{all[1], all[2]};
        writeSets("pair_alm.fits", pair, spin);
        const QString option = " --spin " + QString::number(spin);
        must("alm2map {pair_alm.fits} {m.fits} --nside 8" + option);
        const HealpixMap map = cli_.read("m.fits");
        QCOMPARE(map.fieldCount(), 2);
        QCOMPARE(QString::fromStdString(map.field(0).name),
                 spin == 2 ? QString("Q_POLARISATION") : QString("SPIN%1_RE").arg(spin));
        QCOMPARE(QString::fromStdString(map.field(1).name),
                 spin == 2 ? QString("U_POLARISATION") : QString("SPIN%1_IM").arg(spin));
        const std::array<int64_t, 3> at{0, 100, 767};
        for (int field = 0; field < 2; ++field)
            for (size_t i = 0; i < 3; ++i)
                QVERIFY(
                    isNear(map.value(field, at[i]), pixels[static_cast<size_t>(field)][i], 1e-12));
        must("map2alm {pair.fits} {c.fits} --lmax 8 --field F,G" + option);
        int stated = 0;
        const std::vector<Alm> found = readSets("c.fits", &stated);
        QCOMPARE(stated, spin);
        QCOMPARE(found.size(), size_t(2));
        for (size_t set = 0; set < 2; ++set) {
            QVERIFY(isNear(found[set](4, 0), coefficients[3 * set], 1e-12));
            QVERIFY(isNear(found[set](5, 3), coefficients[3 * set + 1], 1e-12));
            QVERIFY(isNear(found[set](8, 8), coefficients[3 * set + 2], 1e-12));
        }
    }
    // A least-squares analysis returns the coefficients of the map to its tolerance, 1e-13 of
    // coefficients of order 1 in 45 of them. The files keep the spin, through `alm` too.
    void roundTrip_data() {
        QTest::addColumn<int>("spin");
        for (int spin = 1; spin <= 3; ++spin) QTest::addRow("%d", spin) << spin;
    }
    void roundTrip() {
        QFETCH(int, spin);
        const QString option = " --spin " + QString::number(spin);
        std::vector<Alm> pair = coefficients();
        pair.erase(pair.begin());
        for (Alm& alm : pair)
            for (int l = 0; l < spin; ++l)
                for (int m = 0; m <= l; ++m) alm(l, m) = 0.0;
        writeSets("start.fits", pair, spin);
        must("alm2map {start.fits} {m.fits} --nside 8" + option);
        must("map2alm {m.fits} {back.fits} --lmax 8 --tolerance 1e-13" + option);
        // Pixels of Q and U are rotated between frames; those of other spins would not turn.
        const Outcome rotated = cli_.run("convert {m.fits} {e.fits} --frame E --overwrite");
        QCOMPARE(rotated.status, spin == 2 ? 0 : 1);
        if (spin != 2)
            QVERIFY2(rotated.error.contains("alm2map --frame"), rotated.error.constData());
        must("alm {back.fits} {there.fits} --frame C");
        must("alm {there.fits} {again.fits} --frame G");
        const QJsonObject info = cli_.run("info {again.fits} --json").json();
        QCOMPARE(info["spin"].toInt(), spin);
        QCOMPARE(info["fields"].toArray()[0].toObject()["name"].toString(), QString("GRADIENT"));
        for (const char* name : {"back.fits", "again.fits"}) {
            const std::vector<Alm> found = readSets(name);
            QCOMPARE(found.size(), size_t(2));
            for (size_t set = 0; set < 2; ++set)
                for (int m = 0; m <= 8; ++m)
                    for (int l = m; l <= 8; ++l)
                        QVERIFY(isNear(found[set](l, m), pair[set](l, m), 1e-11));
        }
        refuses("alm2map {back.fits} {no.fits} --nside 8 --spin " + QString::number(spin % 3 + 1),
                1, "back.fits: expected gradient and curl coefficients of spin");
        refuses("map2alm {m.fits} {no.fits} --spin " + QString::number(spin % 3 + 1), 1,
                "m.fits: expected two components of spin");
        refuses("alm2map {back.fits} {no.fits} --nside 8", 1, "back.fits: expected one set");
        refuses("anafast {back.fits} {no.fits}", 1,
                "back.fits: expected coefficients of T, or of T, E, B, found spin");
    }
    // Q and U of T, E, B are those of the whole synthesis, and their coefficients E and B.
    void qAndU() {
        must("alm2map {a.fits} {tqu.fits} --nside 8 --fwhm 20deg");
        must("alm2map {a.fits} {qu.fits} --nside 8 --fwhm 20deg --qu");
        const HealpixMap whole = cli_.read("tqu.fits"), pair = cli_.read("qu.fits");
        QCOMPARE(pair.fieldCount(), 2);
        // sm = hp.smoothalm(a, fwhm=np.radians(20), pol=True)
        // np.array(hp.alm2map_spin(sm[1:], 8, 2, 8))[:, [0, 383]]
        QVERIFY(isNear(pair.value(0, 0), -0.33438376202698505, 1e-12));
        QVERIFY(isNear(pair.value(0, 383), -0.19022636705212662, 1e-12));
        QVERIFY(isNear(pair.value(1, 0), -0.33227831785129436, 1e-12));
        QVERIFY(isNear(pair.value(1, 383), -0.0646724008965256, 1e-12));
        for (int field = 0; field < 2; ++field)
            for (int64_t p = 0; p < pixelCount(8); ++p)
                QVERIFY(isNear(pair.value(field, p), whole.value(field + 1, p), 1e-12));
        refuses("map2alm {qu.fits} {no.fits} --polarization", 1, "map2alm --qu");
        must("map2alm {tqu.fits} {teb.fits} --lmax 8 --polarization");
        must("map2alm {qu.fits} {eb.fits} --lmax 8 --qu");
        must("map2alm {tqu.fits} {eb2.fits} --lmax 8 --qu");
        const std::vector<Alm> teb = readSets("teb.fits"), eb = readSets("eb.fits"),
                               eb2 = readSets("eb2.fits");
        for (size_t set = 0; set < 2; ++set)
            for (int l = 2; l <= 8; ++l) {
                QVERIFY(isNear(eb[set](l, 2), teb[set + 1](l, 2), 1e-12));
                QCOMPARE(eb2[set](l, 2), eb[set](l, 2));
            }
    }
    void refusals() {
        refuses("alm2map {a.fits} {no.fits} --nside 8 --spin 2 --field E", 2, "--spin: expected");
        refuses("alm2map {a.fits} {no.fits} --nside 8 --qu --derivatives", 2, "--derivatives");
        refuses("alm2map {a.fits} {no.fits} --nside 8 --spin 3 --pixel-window", 2,
                "--pixel-window");
        refuses("alm2map {a.fits} {no.fits} --nside 8 --spin 4", 2, "--spin");
        refuses("alm2map {a.fits} {no.fits} --nside 8 --spin 1", 1, "a.fits: expected gradient");
        refuses("map2alm {pair.fits} {no.fits} --qu --polarization", 2, "--qu");
        refuses("map2alm {pair.fits} {no.fits} --spin 1 --remove dipole", 2, "--spin");
        refuses("map2alm {pair.fits} {no.fits} --spin 1 --qu", 2, "--qu");
        refuses("map2alm {pair.fits} {no.fits} --spin 1 --field F", 1, "pair.fits: expected");
        refuses("map2alm {t.fits} {no.fits}", 1, "t.fits: expected");
        std::vector<Alm> pair{coefficients()[1], coefficients()[2]};
        writeSets("spin1.fits", pair, 1);
        refuses("alm {spin1.fits} {no.fits} --fwhm 1deg", 1, "spin1.fits: expected coefficients");
    }
    // For the pixel at theta, phi, with the sums over l and m >= 0, twice the real part for m > 0:
    // y, g, h = scipy.special.sph_harm_y(l, m, theta, phi, diff_n=2)
    // [a*y, a*g[0], a*g[1]/sin, a*h[0,0], a*h[0,1]/sin, a*h[1,1]/sin**2]
    // The largest values are 270, sums of terms that grow as l^2: 1e-11 is 170 roundings of them.
    void secondDerivatives() {
        must("alm2map {a.fits} {d.fits} --nside 8 --derivatives 2");
        const HealpixMap map = cli_.read("d.fits");
        QCOMPARE(map.fieldCount(), 6);
        const std::array<const char*, 6> names{"TEMPERATURE", "DX_T",  "DY_T",
                                               "DXX_T",       "DXY_T", "DYY_T"};
        const std::array<const char*, 6> units{"K", "K/rad", "K/rad", "K/rad2", "K/rad2", "K/rad2"};
        const std::array<int64_t, 3> at{0, 100, 767};
        const std::array<std::array<double, 6>, 3> truth{
            {{1.1412080670277949, 0.7847454574017048, -9.55569655909741, -31.220278523171622,
              -71.77873686884631, -65.61289640714465},
             {0.27048406700772554, 1.5412890801516597, 0.4714777576519009, -30.044659401836597,
              -11.192437419815768, 31.051552462909445},
             {-2.985922202125568, 22.496300751579692, 25.642502488893044, 101.44732325256156,
              -274.2418021187248, 266.6155743194766}}};
        for (size_t i = 0; i < 6; ++i) {
            const Field& field = map.field(static_cast<int>(i));
            QCOMPARE(field.name, std::string(names[i]));
            QCOMPARE(field.unit, std::string(units[i]));
            for (size_t p = 0; p < 3; ++p) QVERIFY(isNear(field.at(at[p]), truth[p][i], 1e-11));
        }
        must("alm2map {a.fits} {d1.fits} --nside 8 --derivatives 1");
        must("alm2map {a.fits} {single.fits} --nside 8 --derivatives 2 --precision single");
        const HealpixMap first = cli_.read("d1.fits"), single = cli_.read("single.fits");
        QCOMPARE(first.fieldCount(), 3);
        QVERIFY(single.field(5).isSingle());
        for (int64_t p = 0; p < pixelCount(8); ++p) {
            for (int field = 0; field < 3; ++field)
                QVERIFY(isNear(map.value(field, p), first.value(field, p), 1e-12));
            for (int field = 0; field < 6; ++field)
                QCOMPARE(single.value(field, p),
                         static_cast<double>(static_cast<float>(map.value(field, p))));
        }
        must("alm2map {a.fits} {bare.fits} --nside 8 --derivatives");
        QCOMPARE(cli_.read("bare.fits").fieldCount(), 3);
        refuses("alm2map {a.fits} {no.fits} --nside 8 --derivatives=3", 2, "--derivatives");
    }
    // hp.alm2cl(a), hp.alm2cl(a, b) at l = 2, 5, 8
    // Sums of up to 17 products of order 1: 1e-14 is 45 roundings.
    void spectraOfCoefficients() {
        using Values = std::array<double, 3>;
        const std::array<Values, 6> autos{
            {{1.1712207354754276, 1.0147376735422227, 0.9397847655186101},
             {0.8545936805601049, 1.0368511795946525, 1.0606786535609949},
             {0.6665706569128949, 0.8258507013308012, 0.9264100199396854},
             {0.6952425105200775, 0.6476118274356061, 0.5792756696384835},
             {0.22823536185385268, 0.47281433891857655, 0.566898574969755},
             {-0.41993847233232334, -0.3149253462003472, -0.3138168054406432}}};
        const std::array<Values, 6> crosses{
            {{-0.6608341584315288, -0.0657346906707608, -0.15118659101093618},
             {-0.6706172525885845, 0.11471920139801971, -0.23961929453192898},
             {-0.4742217849993908, 0.059944986941354576, -0.16863046832459785},
             {-0.5529703699545929, -0.13911195953642796, -0.0863923880997744},
             {-0.3802778130236212, -0.022806998177640606, -0.10253508925448587},
             {0.06329182650507921, -0.08459033435197393, 0.05783057801140942}}};
        const std::array kinds{SpectrumKind::TT, SpectrumKind::EE, SpectrumKind::BB,
                               SpectrumKind::TE, SpectrumKind::EB, SpectrumKind::TB};
        // healpy's order is TT EE BB TE EB TB.
        for (size_t i = 0; i < 6; ++i) {
            const std::vector<double> own = spectrum("{a.fits}", kinds[i]),
                                      cross = spectrum("{a.fits} {b.fits}", kinds[i]);
            for (size_t k = 0; k < 3; ++k) {
                QVERIFY(isNear(own.at(2 + 3 * k), autos[i][k], 1e-14));
                QVERIFY(isNear(cross.at(2 + 3 * k), crosses[i][k], 1e-14));
            }
        }
        const std::vector<double> five = spectrum("{t.fits} --lmax 5", SpectrumKind::TT);
        QCOMPARE(five.size(), size_t(6));
        QCOMPARE(five[5], spectrum("{t.fits}", SpectrumKind::TT)[5]);
        QVERIFY(spectrum("{a.fits} {t.fits}", SpectrumKind::EE).empty());
        QCOMPARE(spectrum("{a.fits} --field E", SpectrumKind::TT),
                 spectrum("{a.fits}", SpectrumKind::EE));
    }
    // The spectrum of a file of coefficients is that of the map they come from, and so is the cross
    // spectrum of the map with the file.
    void coefficientsAndMaps() {
        must("alm2map {a.fits} {tqu.fits} --nside 8");
        must("map2alm {tqu.fits} {teb.fits} --lmax 8 --polarization --device cpu");
        for (const SpectrumKind kind : {SpectrumKind::TT, SpectrumKind::EE, SpectrumKind::EB}) {
            const auto map = spectrum("{tqu.fits} --lmax 8 --polarization", kind);
            QCOMPARE(spectrum("{teb.fits}", kind), map);
            QCOMPARE(spectrum("{tqu.fits} {teb.fits} --polarization", kind), map);
            QCOMPARE(spectrum("{teb.fits} {tqu.fits} --polarization", kind), map);
        }
        const auto scalar = spectrum("{tqu.fits} {teb.fits}", SpectrumKind::TT);
        QCOMPARE(scalar, spectrum("{teb.fits}", SpectrumKind::TT));
        // Rotation into the frame of the first leaves the spectrum of one sky: 1e-13 as above.
        must("alm {a.fits} {c.fits} --frame C");
        const auto turned = spectrum("{a.fits} {c.fits}", SpectrumKind::EE),
                   same = spectrum("{a.fits}", SpectrumKind::EE);
        for (size_t l = 0; l <= 8; ++l) QVERIFY(isNear(turned[l], same[l], 1e-12));
        for (const char* option :
             {"--mask {tqu.fits}", "--iterations 1", "--weights ring", "--mmax 4",
              "--remove dipole", "--bins 2", "--fwhm 1deg", "--tolerance 1e-3", "--pixel-window"})
            refuses(QString("anafast {a.fits} {no.fits} ") + option, 2,
                    QByteArray(option).split(' ').first() + ": expected a map");
        refuses("anafast {a.fits} {no.fits} --lmax 9", 2, "a.fits, found 9");
        refuses("anafast {t.fits} {no.fits} --polarization", 1, "t.fits: expected");
        // The share of the sky is that of the map among the two, in either order.
        for (const char* order : {"{tqu.fits} {teb.fits}", "{teb.fits} {tqu.fits}"}) {
            const Outcome shares =
                cli_.run(QString("anafast %1 {cl.fits} --overwrite --json").arg(order));
            QCOMPARE(shares.json()["f_sky"].toDouble(), 1.0);
            QCOMPARE(shares.json()["nside"].toInt(), 8);
        }
        // Other operations do not take coefficients for maps.
        refuses("smooth {a.fits} {no.fits} --fwhm 1deg", 1, "a.fits: expected");
    }
    // A pair of sets keeps its names and its spin; one of its sets has none.
    void spinsOfFiles() {
        std::vector<Alm> pair = coefficients();
        pair.erase(pair.begin());
        writeSets("spin1.fits", pair, 1);
        must("alm {spin1.fits[GRADIENT]} {one.fits} --lmax 6");
        int spin = -1;
        QCOMPARE(readSets("one.fits", &spin).size(), size_t(1));
        QCOMPARE(spin, 0);
        writeSets("unknown.fits", pair);
        must("alm {unknown.fits} {short.fits} --lmax 6");
        QVERIFY(cli_.content("short.fits").contains("EXTNAME = 'GRADIENT'"));
        QVERIFY(!cli_.content("short.fits").contains("EXTNAME = 'TEMPERATURE'"));
        refuses("alm {unknown.fits} {no.fits} --fwhm 1deg", 1, "--spin 2");
        must("alm {unknown.fits} {eb.fits} --fwhm 1deg --spin 2");
        QCOMPARE(readSets("eb.fits", &spin).size(), size_t(2));
        QCOMPARE(spin, 2);
        refuses("alm {spin1.fits} {no.fits} --lmax 4 --spin 2", 1, "expected 1");
        refuses("alm {a.fits} {no.fits} --lmax 4 --spin 2", 1, "T, E, B");
        for (const char* wrong : {"9", "2.5", "'x'", "-1"}) {
            QByteArray bytes = cli_.content("spin1.fits");
            const qsizetype at = bytes.indexOf("SPIN    =");
            bytes.replace(at + 10, 20, QByteArray(wrong).rightJustified(20));
            cli_.write("wrong.fits", bytes);
            refuses("info {wrong.fits}", 1, "SPIN");
        }
    }
    // A pair of gradient and curl has no T to take derivatives of, and a wrong order is named.
    void derivativesOfWhat() {
        std::vector<Alm> pair = coefficients();
        pair.erase(pair.begin());
        writeSets("spin1.fits", pair, 1);
        refuses("alm2map {spin1.fits} {no.fits} --nside 8 --derivatives", 1, "choose one");
        must("alm2map {spin1.fits} {d.fits} --nside 8 --derivatives --field GRADIENT");
        refuses("alm2map {t.fits} --derivatives 3 --nside 8", 2, "--derivatives");
        refuses("alm2map {t.fits} {no.fits} --derivatives 3 --nside 8", 2, "--derivatives");
    }
    // Components in two units are brought to the first one, or refused.
    void componentsInTwoUnits() {
        HealpixMap pair = cli_.read("pair.fits");
        must("map2alm {pair.fits} {kelvin.fits} --spin 1 --lmax 8");
        Field& second = pair.field(1);
        for (double& value : std::get<std::vector<double>>(second.values)) value *= 1000.0;
        second.unit = "mK";
        cli_.write("milli.fits", pair);
        const Outcome converted =
            cli_.run("map2alm {milli.fits} {milli-alm.fits} --spin 1 --lmax 8 --overwrite");
        QVERIFY2(converted.error.contains("from mK to K"), converted.error.constData());
        const std::vector<Alm> one = readSets("kelvin.fits"), two = readSets("milli-alm.fits");
        // Values are rounded once more, 1e-16 of 2, in coefficients of 768 pixels.
        for (size_t set = 0; set < 2; ++set)
            for (int l = 1; l <= 8; ++l) QVERIFY(isNear(one[set](l, 1), two[set](l, 1), 1e-13));
        second.unit = "Jy";
        cli_.write("flux.fits", pair);
        refuses("map2alm {flux.fits} {no.fits} --spin 1", 1, "units of one kind");
        must("alm2map {a.fits} {tqu.fits} --nside 8");
        HealpixMap tqu = cli_.read("tqu.fits");
        tqu.field(2).unit = "Jy";
        cli_.write("mixed.fits", tqu);
        refuses("map2alm {mixed.fits} {no.fits} --polarization", 1, "units of one kind");
    }
};

QTEST_GUILESS_MAIN(tst_cli_spins)
#include "tst_cli_spins.moc"
