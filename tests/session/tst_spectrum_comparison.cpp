// SPDX-License-Identifier: GPL-3.0-or-later
// A spectrum beside a theory: units, expected band powers, residuals and chi squared.
#include <QSignalSpy>
#include <QtTest>
#include <cmath>

#include "armilla/core/units.h"
#include "armilla/io/curve_io.h"
#include "armilla/io/spectrum_io.h"
#include "armilla/session/exporter.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/spectrum_comparison.h"
#include "session_bench.h"
#include "support/real_data.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// C_l = level for l = 2 to last, of the six kinds in `names`.
Curve flatTheory(double level, int last, const std::vector<std::string>& names,
                 const std::string& unit = "uK^2") {
    Curve curve;
    curve.kind = CurveKind::Spectrum;
    curve.xName = "l";
    for (int l = 0; l <= last; ++l) curve.x.push_back(l);
    for (const std::string& name : names)
        curve.series.push_back({name, unit, std::vector<double>(curve.x.size(), level), {}});
    return curve;
}

// A mask of 0 and 1: the pixels with |z| above a limit.
HealpixMap capsMask(int64_t nside, double limit) {
    std::vector<float> values(static_cast<size_t>(pixelCount(nside)));
    for (size_t i = 0; i < values.size(); ++i)
        values[i] =
            std::abs(directionFromRing(nside, static_cast<int64_t>(i)).z) > limit ? 1.0F : 0.0F;
    return {nside, Ordering::Ring, Frame::Galactic, {field("MASK", values, "")}};
}

bool isNear(double found, double wanted, double relative) {
    return std::abs(found - wanted) <= relative * std::abs(wanted);
}

}  // namespace

class SpectrumComparisonTest : public QObject {
    Q_OBJECT
private slots:
    // scipy.stats.chi2.sf(x, n), scipy 1.x; both series sum positive terms, and the logarithm of
    // the gamma function of 350 has an error of some 1e-13.
    void probabilities() {
        const struct {
            double x;
            int n;
            double p;
        } truths[] = {{31.2, 28, 0.3082714420425288},
                      {3.0, 1, 0.08326451666355042},
                      {900.0, 700, 4.227616740898035e-07},
                      {0.0, 4, 1.0},
                      {120.0, 51, 1.728891860823387e-07}};
        for (const auto& truth : truths)
            QVERIFY2(isNear(chiSquaredProbability(truth.x, truth.n), truth.p, 1e-11),
                     qPrintable(QString::number(truth.x)));
        QVERIFY(std::isnan(chiSquaredProbability(1.0, 0)));
    }
    void units() {
        using How = UnitMatch::How;
        const UnitMatch milli = matchUnits("uK^2", "mK^2", "");
        QVERIFY(milli.how == How::Converted && isNear(milli.factor, 1e-6, 1e-15));
        const UnitMatch scale = matchUnits("uK_CMB^2", "K^2", "");
        QVERIFY(scale.how == How::Assumed && isNear(scale.factor, 1e-12, 1e-15));
        QVERIFY(matchUnits("uK_CMB^2", "MJy^2 sr^-2", "").how == How::Different);
        QVERIFY(matchUnits("", "", "").how == How::Same);
        const UnitMatch unstated = matchUnits("", "uK^2", "");
        QVERIFY(unstated.how == How::Unstated && unstated.factor == 1.0);
        // A theory of (dT / T)^2, as CLASS writes it, with T = 2.7255 K.
        const UnitMatch ratio = matchUnits("", "uK^2", kTemperatureRatio);
        QVERIFY(ratio.how == How::Stated && isNear(ratio.factor, 2.7255e6 * 2.7255e6, 1e-14));
        // A map without a unit, which its user states.
        const UnitMatch map = matchUnits("uK^2", "", "mK_CMB^2");
        QVERIFY(map.how == How::Stated && isNear(map.factor, 1e-6, 1e-15));
    }
    // numpy: C = [[4, 1, .5], [1, 9, -2], [.5, -2, 2.25]]; r = [1, -2, 3];
    // r @ numpy.linalg.solve(C, r), and the same without the second point.
    void chiSquaredTakesTheCovariance() {
        const std::vector<double> covariance{4.0, 1.0, 0.5, 1.0, 9.0, -2.0, 0.5, -2.0, 2.25};
        PowerCurve data;
        data.l = {10.0, 20.0, 30.0};
        data.values = {2.0, 1.0, 7.0};
        data.errors = {2.0, 3.0, 1.5};
        const SpectrumResiduals all = residualsOf(data, {1.0, 3.0, 4.0}, covariance);
        QVERIFY(all.areInErrors);
        QVERIFY(isNear(*all.chiSquared, 4.072649572649572, 1e-14));
        QVERIFY(isNear(all.values[1], -2.0 / 3.0, 1e-15));
        const SpectrumResiduals two = residualsOf(data, {1.0, std::nan(""), 4.0}, covariance);
        QCOMPARE(two.count, 2);
        QVERIFY(isNear(*two.chiSquared, 4.0285714285714285, 1e-14));
        // Independent errors: 1/4 + 4/9 + 9/2.25. Without errors: the relative difference.
        QVERIFY(
            isNear(*residualsOf(data, {1.0, 3.0, 4.0}).chiSquared, 0.25 + 4.0 / 9.0 + 4.0, 1e-14));
        data.errors.clear();
        const SpectrumResiduals plain = residualsOf(data, {1.0, 3.0, 4.0});
        QVERIFY(!plain.areInErrors && !plain.chiSquared);
        QVERIFY(isNear(plain.values[0], 1.0, 1e-15));
    }
    // D_l is linear between rows, and a kept spectrum is compared in the quantity of the data.
    void otherSpectraAreInterpolated() {
        PowerCurve data;
        data.l = {5.0, 10.0, 15.0, 40.0};
        data.values = {1.0, 1.0, 1.0, 1.0};
        data.isDl = true;
        PowerCurve other;
        other.l = {10.0, 20.0};
        other.values = {4.0, 6.0};
        other.isDl = other.areBands = true;
        const std::vector<double> found = valuesAt(data, other, 2.0);
        QVERIFY(std::isnan(found[0]) && std::isnan(found[3]));
        QVERIFY(isNear(found[1], 8.0, 1e-15) && isNear(found[2], 10.0, 1e-15));
        data.isDl = false;
        QVERIFY(isNear(valuesAt(data, other, 2.0)[1], 8.0 * kTwoPi / 110.0, 1e-14));
    }
    // A spectrum that is constant within each bin and 0 outside the bins returns from decoupling
    // exactly, up to rounding times the condition number of the coupling (below 1e3 here). Without
    // decoupling, white noise of level c has c times the mean squared weight, less the power that
    // the mask moves beyond lmax.
    void windowsGiveTheExpectedPowers() {
        Bench bench;
        bench.session.setDevice(Device::cpu());
        const int64_t nside = 32;
        bench.open({bench.write(*polarizedMap(nside), "t.fits"),
                    bench.write(capsMask(nside, 0.3), "mask.fits")});
        const LayerId t = bench.document().entries()[0].id, m = bench.document().entries()[1].id;
        LiveSpectrum& live = bench.session.spectrum();
        QSignalSpy ready(&live, &LiveSpectrum::ready);
        const auto run = [&](std::vector<std::pair<std::string, std::string>> options) {
            live.request({t, 0}, {.mask = m, .options = std::move(options)});
            return bench.settle() && !ready.isEmpty()
                       ? std::optional(ready.last()[0].value<SpectrumResult>())
                       : std::nullopt;
        };
        const double c = 3.0;
        Curve curve = flatTheory(c, 3 * nside - 1, {"TT", "EE", "BB", "TE"});
        const TheorySpectra theory(curve, 1.0);
        const auto decoupled = run({{"bins", "10"}, {"decouple", "true"}});
        QVERIFY(decoupled && decoupled->matrices);
        QCOMPARE(decoupled->level, 1.0);
        Curve inBins = curve;
        for (CurveSeries& series : inBins.series)
            for (size_t l = 0; l < series.values.size(); ++l)
                if (l < 2 || static_cast<double>(l) > decoupled->bands->xHigh.back())
                    series.values[l] = 0.0;
        const TheorySpectra binned(inBins, 1.0);
        for (const double value : expectedPowers(*decoupled, SpectrumKind::TT, binned))
            QVERIFY2(isNear(value, c, 1e-12), qPrintable(QString::number(value)));
        const auto coupled = run({{"bins", "10"}});
        QVERIFY(coupled && isNear(coupled->level, coupled->skyShare, 1e-12));
        const std::vector<double> lower = expectedPowers(*coupled, SpectrumKind::TT, theory);
        for (size_t i = 1; i + 2 < lower.size(); ++i)
            QVERIFY2(isNear(lower[i], c * coupled->level, 0.02),
                     qPrintable(QString::number(lower[i])));
        // C_l at each l, without windows.
        const auto plain = run({});
        QVERIFY(
            isNear(expectedPowers(*plain, SpectrumKind::TT, theory)[20], c * plain->level, 1e-12));
        // A theory that ends early expects nothing beyond.
        const TheorySpectra shorter(flatTheory(c, 40, {"TT"}), 1.0);
        const std::vector<double> cut = expectedPowers(*decoupled, SpectrumKind::TT, shorter);
        QVERIFY(std::isfinite(cut.front()) && std::isnan(cut.back()));
        // E and B: equal white spectra give c in both, through both windows.
        const auto pair = run({{"bins", "10"}, {"decouple", "true"}, {"polarization", "true"}});
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join('\n')));
        QCOMPARE(spectraIn(*pair).size(), size_t{6});
        for (const SpectrumKind kind : {SpectrumKind::EE, SpectrumKind::BB}) {
            QVERIFY(powersOf(*pair, kind));
            for (const double value : expectedPowers(*pair, kind, binned))
                QVERIFY2(isNear(value, c, 1e-12), qPrintable(QString::number(value)));
        }
        const QString command =
            bench.session.exporter().commandForSpectrum(*pair, QStringLiteral("cl.fits"));
        QVERIFY2(command.contains(QStringLiteral("--polarization")), qPrintable(command));
        // The map without Q and U is refused.
        live.request({m, 0}, {.options = {{"polarization", "true"}}});
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 1);
    }
    // WMAP's W band beside Planck's best fit. astropy 6 and numpy, on the file of
    // armilla anafast MAP cl.fits --mask MASK --input-frame G --lmax 64 --bins 5 --bin-as dl
    // --decouple --remove dipole --errors gaussian:
    // tt = theory['TEMPERATURE'][:65] * 1e-6; r = bands['TT'] - WINDOWS @ tt;
    // r @ numpy.linalg.solve(COVARIANCE, r)
    void chiSquaredOfWmap() {
        const auto folder = realDataFolder();
        if (!folder) QSKIP("without real data");
        Bench bench;
        bench.session.setDevice(Device::cpu());
        const QString wmap = *folder + QStringLiteral("/healpy_wmap/");
        bench.open(
            {wmap + QStringLiteral("wmap_band_iqumap_r9_7yr_W_v4_udgraded32.fits"),
             wmap + QStringLiteral("wmap_temperature_analysis_mask_r9_7yr_v4_udgraded32.fits"),
             *folder + QStringLiteral("/healpix_f90/planck2018_lcdm_cl_v3.fits")});
        QCOMPARE(bench.document().entries().size(), size_t{3});
        const LayerId map = bench.document().entries()[0].id,
                      mask = bench.document().entries()[1].id;
        for (const LayerId layer : {map, mask}) {
            bench.session.operations().stateFrame(layer, Frame::Galactic);
            QVERIFY(bench.settle());
        }
        const Curve& curve = *bench.document().entries()[2].curve;
        QVERIFY(holdsSpectra(curve));
        QSignalSpy ready(&bench.session.spectrum(), &LiveSpectrum::ready);
        bench.session.spectrum().request({map, 0}, {.mask = mask,
                                                    .options = {{"lmax", "64"},
                                                                {"bins", "5"},
                                                                {"bin-as", "dl"},
                                                                {"decouple", "true"},
                                                                {"remove", "dipole"},
                                                                {"errors", "gaussian"}}});
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join('\n')));
        const auto result = ready.last()[0].value<SpectrumResult>();
        // The map states no unit; WMAP's maps are in mK.
        const UnitMatch match = matchUnits(curve.series.front().unit, result.plainUnit, "mK_CMB^2");
        QVERIFY(match.how == UnitMatch::How::Stated && isNear(match.factor, 1e-6, 1e-15));
        const auto powers = powersOf(result, SpectrumKind::TT);
        const SpectrumResiduals found = residualsOf(
            *powers, expectedPowers(result, SpectrumKind::TT, TheorySpectra(curve, match.factor)),
            covarianceOf(result, SpectrumKind::TT));
        QCOMPARE(found.count, 12);
        // The covariance has a condition number of some 1e2; the run above used other threads.
        QVERIFY2(isNear(*found.chiSquared, 21.973661336382747, 1e-9),
                 qPrintable(QString::number(*found.chiSquared, 'g', 12)));
    }
};

QTEST_GUILESS_MAIN(SpectrumComparisonTest)
#include "tst_spectrum_comparison.moc"
