// SPDX-License-Identifier: GPL-3.0-or-later
// Images on rings of an equidistant grid (CAR) in harmonic operations, against pixell 0.32.9.
#include <QJsonArray>
#include <QtTest>
#include <cmath>
#include <complex>

#include "armilla/core/nan.h"
#include "armilla/core/units.h"
#include "armilla/io/image_file.h"
#include "image_cli.h"
#include "support/car_image.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// References, and the images below in numpy order (plane, y, x):
//   def make(variant, cut=None):
//       shape, wcs = enmap.fullsky_geometry(res=10*utils.degree, variant=variant)
//       y, x = np.mgrid[:shape[0], :shape[1]].astype(float)
//       m = enmap.enmap(np.array([np.sin(1.3*x + 0.7*y*y + 0.9*k) for k in range(3)]), wcs)
//       if variant == "CC": m[:,0] = m[:,-1] = 0
//       return m[:,4:11,20:31] if cut else m
//   a = curvedsky.map2alm(make(...), lmax=16, spin=[0,2])[:,hp.Alm.getidx(16,l,m)]
struct Reference {
    int l, m;
    double teb[3][2];
};
using References = std::vector<Reference>;
const References kClenshawCurtis{
    {0, 0, {{0.0370789510055532, 0}, {0, 0}, {0, 0}}},
    {3, 0, {{-0.00455332828755307, 0}, {-0.00434935822744639, 0}, {0.00209628029713552, 0}}},
    {2,
     1,
     {{0.00787192399882397, -0.000760959642268328},
      {-0.00499924770441946, -0.0192699581704354},
      {0.00449493232218627, 0.0462051134718192}}},
    {7,
     5,
     {{-0.0298085863734099, 0.0682554173089972},
      {-0.053628758312355, 0.000349274008449963},
      {-0.0561965614143835, 0.0323758336204424}}},
    {16,
     16,
     {{-0.00330637263696103, 0.00613241664090972},
      {-0.0337366318036342, -0.0101482719951122},
      {-0.043826722043982, -0.00643135254443952}}}};
const References kFejer{
    {0, 0, {{0.0374967644688035, 0}, {0, 0}, {0, 0}}},
    {3, 0, {{-0.0212503522764383, 0}, {-0.00330396892171863, 0}, {0.0126265974372998, 0}}},
    {2,
     1,
     {{0.0137089452261193, -0.0017540245639859},
      {-0.00482939311786682, -0.0199781463366424},
      {0.00218040370429786, 0.045931480285455}}},
    {7,
     5,
     {{-0.028956739151255, 0.0670118651001399},
      {-0.0547711377400074, 0.0271873131631045},
      {-0.0312708699881659, 0.0276804135727833}}},
    {16,
     16,
     {{-0.00271802181808726, 0.00595887527114714},
      {-0.0332948007578262, -0.00433993556290444},
      {-0.0411601254452108, -0.00953687213798493}}}};
const References kPartOfClenshawCurtis{
    {0, 0, {{0.0270984024076006, 0}, {0, 0}, {0, 0}}},
    {3, 0, {{5.0080588402301e-05, 0}, {0.0120597899796802, 0}, {0.0165819597682992, 0}}},
    {7,
     5,
     {{0.0199610134474418, -0.0378998630138145},
      {0.022310484696286, 0.0186082670735988},
      {0.0191939640785742, -0.0227131199643284}}},
    {16,
     16,
     {{0.0175675471407789, 0.0051760855742664},
      {-0.0254744450289034, 0.0220972271441466},
      {-0.0160837855980693, 0.0289948139826844}}}};
const References kPartOfFejer{
    {0, 0, {{0.0268163111313674, 0}, {0, 0}, {0, 0}}},
    {3, 0, {{-0.00866116422435116, 0}, {0.0106994166121006, 0}, {0.0231800437912462, 0}}},
    {7,
     5,
     {{0.0139400482723406, -0.0484359212087837},
      {0.0328184922985082, 0.00555826434443035},
      {-0.00302482986093916, -0.0180866178732628}}},
    {16,
     16,
     {{0.017345246262263, 0.00344390275245638},
      {-0.0206769648526797, 0.0234363952438718},
      {-0.0169276027780713, 0.0243502670113899}}}};

// Rounding of a sum of 684 samples of at most 1 times weights that sum to 4 pi, in an FFT and a
// Legendre sum: about 20 epsilon times 4 pi in the worst coefficient.
constexpr double kRounding = 1e-13;

}  // namespace

class tst_cli_ring_images : public QObject, private ImageCli {
    Q_OBJECT

    std::vector<Alm> sets(const QString& name) {
        return readAlm(cli_.path(name).toStdString(), job_);
    }
    // Coefficients cos(l + 2 m + k) + i sin(3 l - m + k) of set k, from l = 2 on for E and B.
    static std::vector<Alm> coefficients(int lmax) {
        std::vector<Alm> sets;
        for (int k = 0; k < 3; ++k) {
            Alm alm(lmax, lmax);
            for (int m = 0; m <= lmax; ++m)
                for (int l = std::max(m, k == 0 ? 0 : 2); l <= lmax; ++l)
                    alm(l, m) = {std::cos(l + 2 * m + k), m > 0 ? std::sin(3 * l - m + k) : 0.0};
            sets.push_back(std::move(alm));
        }
        return sets;
    }
    void writeSets(const QString& name, const std::vector<Alm>& sets) {
        writeAlm(sets, cli_.path(name).toStdString(), {true, StoredPrecision::Double, {}}, job_,
                 {Frame::Equatorial, "uK", 0});
    }
    static double worst(const Alm& a, const Alm& b) {
        double most = 0.0;
        for (int m = 0; m <= a.mmax(); ++m)
            for (int l = m; l <= a.lmax(); ++l) most = std::max(most, std::abs(a(l, m) - b(l, m)));
        return most;
    }
    static double worstOf(const std::vector<Alm>& a, const std::vector<Alm>& b) {
        double most = a.size() == b.size() ? 0.0 : 1.0;
        for (size_t k = 0; k < std::min(a.size(), b.size()); ++k)
            most = std::max(most, worst(a[k], b[k]));
        return most;
    }
    void compare(const std::vector<Alm>& found, const References& references) {
        QCOMPARE(found.size(), size_t{3});
        for (const Reference& r : references)
            for (size_t k = 0; k < 3; ++k) {
                const std::complex<double> expected{r.teb[k][0], r.teb[k][1]};
                QVERIFY2(std::abs(found[k](r.l, r.m) - expected) < kRounding,
                         qPrintable(QStringLiteral("set %1, l %2, m %3: %4 %5")
                                        .arg(k)
                                        .arg(r.l)
                                        .arg(r.m)
                                        .arg(found[k](r.l, r.m).real(), 0, 'g', 15)
                                        .arg(found[k](r.l, r.m).imag(), 0, 'g', 15)));
            }
    }

private slots:
    void coefficientsOfPixell_data() {
        QTest::addColumn<bool>("hasPoles");
        QTest::addColumn<bool>("isPart");
        QTest::newRow("poles") << true << false;
        QTest::newRow("no poles") << false << false;
        QTest::newRow("part, poles") << true << true;
        QTest::newRow("part, no poles") << false << true;
    }
    void coefficientsOfPixell() {
        QFETCH(bool, hasPoles);
        QFETCH(bool, isPart);
        writeImageAs(carImage(hasPoles, isPart, 3), "tqu.fits");
        const Outcome done = must("map2alm {tqu.fits} {teb.fits} --polarization --lmax 16 --json");
        QCOMPARE(done.status, 0);
        QCOMPARE(done.json()["rows"].toInt(), isPart ? 7 : hasPoles ? 19 : 18);
        QCOMPARE(done.json()["columns"].toInt(), isPart ? 11 : 36);
        QCOMPARE(done.error.contains("count as zero"), isPart);
        compare(sets("teb.fits"), isPart ? (hasPoles ? kPartOfClenshawCurtis : kPartOfFejer)
                                         : (hasPoles ? kClenshawCurtis : kFejer));
        // One plane of the cube, and Q and U alone.
        QCOMPARE(must("map2alm {tqu.fits} {t.fits} --lmax 16").status, 0);
        QVERIFY(worst(sets("t.fits").front(), sets("teb.fits").front()) < kRounding);
        QCOMPARE(must("map2alm {tqu.fits} {eb.fits} --qu --lmax 16").status, 0);
        QVERIFY(worst(sets("eb.fits")[1], sets("teb.fits")[2]) < kRounding);
        // Coefficients do not depend on the lmax of the analysis.
        QCOMPARE(must("map2alm {tqu.fits} {low.fits} --polarization --lmax 9").status, 0);
        QVERIFY(worstOf(sets("low.fits"), sets("teb.fits")) < kRounding);
    }

    // alm2map(a, make(...)*0, spin=[0,2])[:,y,x] of the coefficients above with lmax 16.
    void pixelsOfPixell() {
        struct Pixel {
            int64_t y, x;
            double tqu[3];
        };
        const auto check = [&](const Image& like, const std::vector<Pixel>& pixels) {
            writeImageAs(like, "like.fits");
            QCOMPARE(must("alm2map {a.fits} {s.fits} --like {like.fits}").status, 0);
            const Image made = readBack("s.fits");
            QCOMPARE(made.width, like.width);
            QCOMPARE(made.height, like.height);
            QCOMPARE(made.frame, Frame::Equatorial);
            QCOMPARE(made.unit, std::string("uK"));
            QCOMPARE(made.wcsCards.front(), like.wcsCards.front());
            QCOMPARE(made.planes.size(), size_t{3});
            QCOMPARE(made.planes[2].name, std::string("U"));
            for (const Pixel& p : pixels)
                for (int k = 0; k < 3; ++k)
                    // Sums of 153 terms of at most 2: rounding of their Legendre functions, lmax
                    // epsilon times the sum of the terms, 1e-12.
                    QVERIFY(std::abs(made.at(p.x, p.y, k) - p.tqu[k]) < 1e-12);
        };
        writeSets("a.fits", coefficients(16));
        check(carImage(true, false, 1),
              {{0, 0, {-0.60160420804239, -14.3678123387335, 10.4141540005799}},
               {3, 7, {-8.41225976687695, 2.42824397966325, 4.61632760859366}},
               {6, 10, {-3.82603236711586, 6.69718741894931, 9.07072574656831}},
               {18, 1, {-1.32806730779232, -0.347751053007723, 1.34873785721818}}});
        check(carImage(false, true, 1),
              {{0, 0, {2.76408654092105, -0.925346670346437, 4.97047148839978}},
               {3, 7, {-0.999419309803404, 2.19736998033969, -0.700896913738072}},
               {6, 10, {0.0582622682031859, -0.438526181316685, -1.40540916688716}},
               {6, 1, {-0.494283945617259, -5.35521223225187, -4.21491783861093}}});
    }

    // Rings of FK5 J1950 are tilted against ICRS: coefficients turn. The pixel at 90, -35 degrees:
    //   c = SkyCoord(90, -35, unit="deg", frame="fk5", equinox="J1950").icrs
    //   sum(((np.cos(l+2*m) + (1j*np.sin(3*l-m) if m else 0)) * sph_harm_y(l, m,
    //       np.pi/2-c.dec.rad, c.ra.rad)).real * (2 if m else 1)
    //       for l in range(17) for m in range(l+1))
    void ringsOfFk5() {
        Image like = carImage(false, false, 1);
        like.wcsCards.back() = imageCard("RADESYS", "'FK5     '");
        like.wcsCards.push_back(imageCard("EQUINOX", 1950.0));
        writeImageAs(like, "fk5.fits");
        writeSets("a.fits", coefficients(16));
        QCOMPARE(must("alm2map {a.fits} {s.fits} --like {fk5.fits}").status, 0);
        // Precession agrees with astropy to 1e-4 arcsec, 5e-10 rad; the slope is below 16 times 8.
        QVERIFY(std::abs(readBack("s.fits").at(9, 5, 0) - (-4.63714524906188)) < 7e-8);
        QCOMPARE(must("map2alm {s.fits} {b.fits} --polarization --lmax 16").status, 0);
        // Rounding of a rotation, 8 lmax epsilon of values of 1, in both directions.
        QVERIFY(worstOf(coefficients(16), sets("b.fits")) < 1e-12);
    }

    // The same pixel in FK4 without the elliptic terms: FK4NoETerms(equinox="B1950",
    // obstime="B1950") of astropy.
    void ringsOfFk4() {
        Image like = carImage(false, false, 1);
        like.wcsCards.back() = imageCard("RADESYS", "'FK4     '");
        like.name = "CYGNUS";
        like.cards = {imageCard("TELESCOP", "'ACT     '")};
        writeImageAs(like, "fk4.fits");
        writeSets("a.fits", coefficients(16));
        const Outcome done = must("alm2map {a.fits} {s.fits} --like {fk4.fits}");
        QCOMPARE(done.status, 0);
        QVERIFY(done.error.contains("elliptic terms"));
        const Image made = readBack("s.fits");
        // The limit of ringsOfFk5().
        QVERIFY(std::abs(made.at(9, 5, 0) - (-4.63698868137279)) < 7e-8);
        // The name of another object does not stay.
        QCOMPARE(made.name, std::string());
        QCOMPARE(must("map2alm {s.fits} {b.fits} --polarization --lmax 16").status, 0);
        QVERIFY(worstOf(coefficients(16), sets("b.fits")) < 1e-12);
    }

    // Steps of 360 / 1350 degrees, written as 0.267, are 1348.3 in a turn.
    void roundedSteps() {
        Image exact = carImage(false, false, 1);
        exact.width = 8;
        exact.height = 6;
        exact.wcsCards[4] = imageCard("CRPIX1", -10.5);
        exact.wcsCards[5] = imageCard("CRPIX2", -39.5);
        exact.wcsCards[8] = imageCard("CDELT1", -360.0 / 1350.0);
        exact.wcsCards[9] = imageCard("CDELT2", 360.0 / 1350.0);
        valuesOf(exact).resize(48);
        Image rounded = exact;
        rounded.wcsCards[8] = imageCard("CDELT1", "              -0.267");
        rounded.wcsCards[9] = imageCard("CDELT2", "               0.267");
        writeImageAs(exact, "exact.fits");
        writeImageAs(rounded, "rounded.fits");
        QCOMPARE(must("map2alm {exact.fits} {a.fits} --lmax 20").status, 0);
        const Outcome done = must("map2alm {rounded.fits} {b.fits} --lmax 20");
        QCOMPARE(done.status, 0);
        // The grid is the same to the rounding of a cosine.
        QVERIFY(worstOf(sets("a.fits"), sets("b.fits")) < 1e-12);
        QVERIFY(std::abs(sets("a.fits")[0](0, 0)) > 1e-6);
        rounded.wcsCards[9] = imageCard("CDELT2", "             0.26700");
        writeImageAs(rounded, "other.fits");
        QCOMPARE(cli_.run("map2alm {other.fits} {x.fits} --lmax 20").status, 1);
    }

    // The header of an image is enough for its pixels: the data of this file are cut off.
    void likeReadsNoValues() {
        writeImageAs(carImage(false, false, 3), "like.fits");
        QFile file(cli_.path("like.fits"));
        QVERIFY(file.resize(2880));
        writeSets("a.fits", coefficients(8));
        QCOMPARE(must("alm2map {a.fits} {s.fits} --like {like.fits}").status, 0);
        QCOMPARE(cli_.run("map2alm {like.fits} {x.fits} --lmax 8").status, 1);
    }

    // A synthesis up to the largest lmax and its analysis: 1e-12, as the accuracy of both.
    void roundTripUpToTheLargestLmax() {
        for (const bool hasPoles : {true, false}) {
            const std::vector<Alm> before = coefficients(17);
            writeSets("a.fits", before);
            writeImageAs(carImage(hasPoles, false, 1), "like.fits");
            QCOMPARE(must("alm2map {a.fits} {s.fits} --like {like.fits}").status, 0);
            const Outcome done = must("map2alm {s.fits} {b.fits} --polarization --json");
            QCOMPARE(done.json()["lmax"].toInt(), 17);
            // Rounding: both sums lose lmax epsilon, 4e-15, of values of about 15.
            QVERIFY(worstOf(before, sets("b.fits")) < 1e-12);
        }
    }

    // Half a turn holds no sample of an odd number of columns: weights of the rows alone, exact up
    // to half the rows.
    void anOddNumberOfColumns() {
        Image like = carImage(false, false, 1);
        like.width = 45;
        like.wcsCards[4] = imageCard("CRPIX1", 23.0);
        like.wcsCards[8] = imageCard("CDELT1", -8.0);
        valuesOf(like).resize(45 * 18);
        writeImageAs(like, "odd.fits");
        const std::vector<Alm> before = coefficients(8);
        writeSets("a.fits", before);
        QCOMPARE(must("alm2map {a.fits} {s.fits} --like {odd.fits}").status, 0);
        const Outcome done = must("map2alm {s.fits} {b.fits} --polarization --json");
        QCOMPARE(done.json()["lmax"].toInt(), 8);
        // Rounding as in roundTripUpToTheLargestLmax().
        QVERIFY(worstOf(before, sets("b.fits")) < 1e-12);
    }

    // The same pixels in other orders of rows and columns.
    void directionsOfTheAxes() {
        const Image image = carImage(true, false, 1);
        writeImageAs(image, "one.fits");
        QCOMPARE(must("map2alm {one.fits} {one_alm.fits}").status, 0);
        Image turned = image;
        turned.wcsCards[4] = imageCard("CRPIX1", 18.5);
        turned.wcsCards[8] = imageCard("CDELT1", 10.0);
        turned.wcsCards[9] = imageCard("CDELT2", -10.0);
        std::vector<double>& values = valuesOf(turned);
        std::reverse(values.begin(), values.end());
        writeImageAs(turned, "two.fits");
        QCOMPARE(must("map2alm {two.fits} {two_alm.fits}").status, 0);
        QVERIFY(worstOf(sets("one_alm.fits"), sets("two_alm.fits")) < kRounding);
        // A synthesis onto them.
        for (const char* name : {"one", "two"})
            QCOMPARE(
                must(
                    QStringLiteral("alm2map {one_alm.fits} {%1_s.fits} --like {%1.fits}").arg(name))
                    .status,
                0);
        Image one = readBack("one_s.fits"), two = readBack("two_s.fits");
        std::reverse(valuesOf(two).begin(), valuesOf(two).end());
        for (size_t i = 0; i < valuesOf(one).size(); ++i)
            QVERIFY(std::abs(valuesOf(one)[i] - valuesOf(two)[i]) < kRounding);
    }

    // POLCCONV = 'IAU' is U of the other sign, in both directions.
    void conventionOfU() {
        Image cosmo = carImage(false, false, 3);
        writeImageAs(cosmo, "cosmo.fits");
        Image iau = cosmo;
        iau.cards.push_back(imageCard("POLCCONV", "'IAU     '"));
        for (size_t i = 2 * 36 * 18; i < valuesOf(iau).size(); ++i) valuesOf(iau)[i] *= -1.0;
        writeImageAs(iau, "iau.fits");
        for (const char* name : {"cosmo", "iau"}) {
            const QString n(name);
            QCOMPARE(must("map2alm {" + n + ".fits} {" + n + "_a.fits} --polarization").status, 0);
            QCOMPARE(
                must("alm2map {cosmo_a.fits} {" + n + "_s.fits} --like {" + n + ".fits}").status,
                0);
            const Image made = readBack(n + "_s.fits");
            const auto states = [&](const std::string& card) {
                return card.starts_with("POLCCONV") &&
                       card.find(n == "iau" ? "'IAU" : "'COSMO") != std::string::npos;
            };
            QCOMPARE(std::count_if(made.cards.begin(), made.cards.end(), states), 1);
        }
        QVERIFY(worstOf(sets("cosmo_a.fits"), sets("iau_a.fits")) < kRounding);
        const Image a = readBack("cosmo_s.fits"), b = readBack("iau_s.fits");
        QVERIFY(std::abs(a.at(3, 4, 1) - b.at(3, 4, 1)) < kRounding);
        QVERIFY(std::abs(a.at(3, 4, 2) + b.at(3, 4, 2)) < kRounding);
        QVERIFY(std::abs(a.at(3, 4, 2)) > 0.01);
    }

    // pixell writes three planes without a third axis. A cube of frequencies is no I, Q, U.
    void namelessPlanes() {
        Image image = carImage(false, false, 3);
        writeImageAs(image, "named.fits");
        QCOMPARE(must("map2alm {named.fits} {a.fits} --polarization").status, 0);
        QByteArray bytes = cli_.content("named.fits");
        bytes.replace("PLANE", "XLANE");
        bytes.replace("CTYPE3  = 'STOKES  '", "COMMENT   'STOKES  '");
        cli_.write("nameless.fits", bytes);
        const Outcome done = must("map2alm {nameless.fits} {b.fits} --polarization");
        QCOMPARE(done.status, 0);
        QVERIFY(done.error.contains("are taken as I, Q and U"));
        QVERIFY(worstOf(sets("a.fits"), sets("b.fits")) == 0.0);
        bytes = cli_.content("named.fits");
        bytes.replace("PLANE", "XLANE");
        bytes.replace("CTYPE3  = 'STOKES  '", "CTYPE3  = 'FREQ    '");
        cli_.write("cube.fits", bytes);
        const Outcome cube = cli_.run("map2alm {cube.fits} {c.fits} --polarization");
        QCOMPARE(cube.status, 1);
        QVERIFY2(cube.error.contains("expected planes I, Q and U for --polarization"), cube.error);
    }

    void badPixelsCountAsZero() {
        Image image = carImage(true, false, 1);
        valuesOf(image)[300] = 0.0;
        writeImageAs(image, "zero.fits");
        valuesOf(image)[300] = kNan;
        writeImageAs(image, "bad.fits");
        QCOMPARE(must("map2alm {zero.fits} {a.fits}").status, 0);
        const Outcome done = must("map2alm {bad.fits} {b.fits}");
        QVERIFY2(done.error.contains("1 bad pixel ("), done.error);
        QVERIFY(worstOf(sets("a.fits"), sets("b.fits")) == 0.0);
        for (double& value : valuesOf(image)) value = kNan;
        writeImageAs(image, "none.fits");
        QCOMPARE(cli_.run("map2alm {none.fits} {c.fits}").status, 1);
    }

    // A monopole and a dipole on a part of the sky: noted, fitted and subtracted to rounding. On
    // the whole sky a mean is in a_00 alone.
    void monopoleAndDipole() {
        Image part = carImage(false, true, 1);
        const double mean = 3.0;
        const Vec3 dipole{0.5, -0.25, 1.5};
        const auto fill = [&](Image& image, int64_t firstColumn, int64_t firstRow) {
            for (int64_t j = 0; j < image.height; ++j)
                for (int64_t i = 0; i < image.width; ++i) {
                    const LonLat at{
                        (5.0 - 10.0 * (static_cast<double>(i + firstColumn) - 17.5)) * kDegree,
                        10.0 * (static_cast<double>(j + firstRow) - 8.5) * kDegree};
                    valuesOf(image)[static_cast<size_t>(j * image.width + i)] =
                        mean + dot(dipole, direction(at));
                }
        };
        fill(part, 20, 4);
        writeImageAs(part, "part.fits");
        const Outcome kept = must("map2alm {part.fits} {a.fits}");
        QVERIFY2(kept.error.contains("--remove monopole subtracts it"), kept.error);
        const Outcome removed = must("map2alm {part.fits} {a.fits} --remove dipole --json");
        // Rounding of a fit to 77 samples, whose matrix has a condition below 100.
        QVERIFY(std::abs(removed.json()["monopole"].toDouble() - mean) < 1e-12);
        const Alm zero(17, 17);
        QVERIFY(worst(sets("a.fits").front(), zero) < 1e-12);
        Image whole = carImage(false, false, 1);
        fill(whole, 0, 0);
        writeImageAs(whole, "whole.fits");
        const Outcome exact = must("map2alm {whole.fits} {b.fits}");
        QVERIFY(!exact.error.contains("--remove"));
        const Alm b = sets("b.fits").front();
        QVERIFY(std::abs(b(0, 0) - std::sqrt(4.0 * kPi) * mean) < kRounding);
        QVERIFY(std::abs(b(1, 0) - std::sqrt(4.0 * kPi / 3.0) * dipole.z) < kRounding);
        for (int l = 2; l <= 17; ++l) QVERIFY(std::abs(b(l, 0)) < kRounding);
        QCOMPARE(must("anafast {part.fits} {cl.txt} --remove monopole").status, 0);
    }

    // Spectra of images are those of their coefficients; of an image and a map, the cross spectrum
    // of one sky is its spectrum.
    void spectra() {
        writeSets("a.fits", coefficients(12));
        writeImageAs(carImage(true, false, 1), "like.fits");
        QCOMPARE(must("alm2map {a.fits} {s.fits} --like {like.fits}").status, 0);
        QCOMPARE(must("alm2map {a.fits} {m.fits} --nside 16 --precision double").status, 0);
        QCOMPARE(must("anafast {a.fits} {cl.fits}").status, 0);
        QCOMPARE(must("anafast {s.fits} {cl_s.fits} --polarization --lmax 12").status, 0);
        QCOMPARE(must("anafast {s.fits} {m.fits} {cl_x.fits} --polarization --lmax 12").status, 0);
        const Spectra expected = readSpectra(cli_.path("cl.fits").toStdString());
        const Spectra found = readSpectra(cli_.path("cl_s.fits").toStdString());
        const Spectra cross = readSpectra(cli_.path("cl_x.fits").toStdString());
        for (size_t kind = 0; kind < 6; ++kind)
            for (size_t l = 2; l <= 12; ++l) {
                // Products of coefficients of 1 that err by 1e-12.
                QVERIFY(std::abs(found.cl[kind][l] - expected.cl[kind][l]) < 1e-11);
                // The analysis of the HEALPix map errs by its quadrature, 1e-3 at lmax below nside.
                QVERIFY(std::abs(cross.cl[kind][l] - expected.cl[kind][l]) < 1e-2);
            }
        QCOMPARE(must("anafast {s.fits} {cl_t.fits} --json").json()["lmax"].toInt(), 17);
        // Beside a map of nside 4, its limit of 11.
        QCOMPARE(must("alm2map {a.fits} {low.fits} --nside 4").status, 0);
        for (const char* line : {"anafast {s.fits} {low.fits} {cl_l.fits} --json",
                                 "anafast {low.fits} {s.fits} {cl_l.fits} --json"})
            QCOMPARE(must(line).json()["lmax"].toInt(), 11);
    }

    // Values linear in pixel coordinates: between pixels they are exact.
    void valuesAtPositions() {
        Image image = carImage(false, false, 1);
        for (int64_t j = 0; j < 18; ++j)
            for (int64_t i = 0; i < 36; ++i)
                valuesOf(image)[static_cast<size_t>(j * 36 + i)] =
                    2.0 + 0.5 * static_cast<double>(i) - 0.25 * static_cast<double>(j);
        valuesOf(image)[3 * 36 + 7] = kNan;
        writeImageAs(image, "plane.fits");
        // Pixel (20.25, 4.75), and the center of the bad pixel (7, 3).
        cli_.write("rows.csv", "ra,dec\n337.5,-37.5\n110,-55\n");
        const auto values = [&](const QString& method) {
            [&] {
                QCOMPARE(must("lookup {plane.fits} {rows.csv} {out.csv} --interpolation " + method)
                             .status,
                         0);
            }();
            std::vector<QByteArray> last;
            for (const QByteArray& line : cli_.content("out.csv").trimmed().split('\n'))
                last.push_back(line.split(',').back().trimmed());
            return last;
        };
        const std::vector<QByteArray> between = values("bilinear"), nearest = values("nearest");
        QCOMPARE(between.size(), size_t{3});
        // Positions pass through a vector and wcslib: 1e-14 of a turn of 36 pixels.
        QVERIFY(std::abs(between[1].toDouble() - (2.0 + 0.5 * 20.25 - 0.25 * 4.75)) < 1e-11);
        QCOMPARE(nearest[1].toDouble(), 2.0 + 0.5 * 20.0 - 0.25 * 5.0);
        QVERIFY(between[2].toLower() == "nan" || between[2].isEmpty());
    }

    // Rows of equal values 0 to 17, weighted by their solid angles: sin(b + 5 deg) - sin(b - 5 deg)
    // at the latitude b, times 2 pi. The mean and the median are those of symmetric rows.
    void statisticsBySolidAngle() {
        Image image = carImage(false, false, 1);
        double variance = 0.0;
        for (int64_t j = 0; j < 18; ++j) {
            std::fill_n(valuesOf(image).begin() + j * 36, 36, static_cast<double>(j));
            const double b = (10.0 * static_cast<double>(j) - 85.0) * kDegree, h = 5.0 * kDegree;
            const double apart = static_cast<double>(j) - 8.5;
            variance += 0.5 * (std::sin(b + h) - std::sin(b - h)) * apart * apart;
        }
        writeImageAs(image, "rows.fits");
        const Outcome done = must("stats {rows.fits} {stats.csv} --json");
        QCOMPARE(done.status, 0);
        const QJsonObject all = done.json()["regions"].toArray()[0].toObject();
        QCOMPARE(all["pixels"].toInt(), 648);
        // Rounding of sums of 648 terms: some epsilon of 8.5 and of 4 pi times it.
        QVERIFY(std::abs(all["mean"].toDouble() - 8.5) < 1e-13);
        // Half of the solid angle ends between rows 8 and 9, whose middle is between two pixels.
        QCOMPARE(all["median"].toDouble(), 8.5);
        QVERIFY(std::abs(all["std"].toDouble() - std::sqrt(variance)) < 1e-13);
        QVERIFY(std::abs(all["integral"].toDouble() - 8.5 * 4.0 * kPi) < 1e-12);
        QCOMPARE(all["integral_unit"].toString(), "uK sr");
        // Centers within 10 degrees of the south pole: those of the last row, 5 degrees off it.
        const Outcome cap =
            must("stats {rows.fits} {stats.csv} --json --center 0deg,-90deg --radius 10deg");
        QCOMPARE(cap.json()["regions"].toArray()[0].toObject()["pixels"].toInt(), 36);
    }

    void infoNamesRings() {
        writeImageAs(carImage(true, true, 1), "part.fits");
        const Outcome told = cli_.run("info {part.fits}");
        QVERIFY2(told.out.contains("19 x 36 samples (poles on rows)"), told.out);
        QVERIFY(told.out.contains("up to lmax 17"));
        const QJsonObject rings = cli_.run("info {part.fits} --json").json()["rings"].toObject();
        QCOMPARE(rings["lmax"].toInt(), 17);
        QCOMPARE(rings["columns_in_turn"].toInt(), 36);
    }

    void refusals() {
        writeImageAs(carImage(true, false, 1), "car.fits");
        Image odd = carImage(true, true, 1);
        odd.wcsCards[8] = imageCard("CDELT1", -7.0);  // 51.4 columns in a turn
        writeImageAs(odd, "odd.fits");
        Image tangent = carImage(true, true, 1);
        tangent.wcsCards[0] = imageCard("CTYPE1", "'RA---TAN'");
        tangent.wcsCards[1] = imageCard("CTYPE2", "'DEC--TAN'");
        writeImageAs(tangent, "tan.fits");
        writeSets("a.fits", coefficients(4));
        const auto refuses = [&](const QString& line, int status, const QByteArray& words) {
            const Outcome outcome = cli_.run(line);
            QVERIFY2(outcome.status == status && outcome.error.contains(words), outcome.error);
        };
        refuses("map2alm {car.fits} {x.fits} --lmax 18", 2,
                "--lmax: expected at most 17, which the rows and columns of the image hold, found "
                "18");
        refuses("map2alm {odd.fits} {x.fits}", 1, "found rows of 11 pixels that lie 7");
        refuses("map2alm {tan.fits} {x.fits}", 1, "expected an image whose rows are whole rings");
        refuses("map2alm {car.fits} {x.fits} --weights ring", 2,
                "--weights: expected a HEALPix map");
        refuses("filter {car.fits} {x.fits} --fwhm 8deg --pixel-window", 2,
                "--pixel-window: expected pixels whose solid angles differ by at most 10 %");
        refuses("anafast {car.fits} {x.fits} --pixel-window", 2, "which is an image");
        refuses("alm2map {a.fits} {x.fits} --like {tan.fits}", 1, "expected an image whose rows");
        refuses("alm2map {a.fits} {x.fits} --like {car.fits} --nside 4", 2, "found both");
        refuses("alm2map {a.fits} {x.fits}", 2, "expected --nside N or --like IMAGE, found none");
        QVERIFY(!QFile::exists(cli_.path("x.fits")));
    }
};

QTEST_GUILESS_MAIN(tst_cli_ring_images)
#include "tst_cli_ring_images.moc"
