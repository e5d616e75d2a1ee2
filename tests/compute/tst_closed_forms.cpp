// SPDX-License-Identifier: GPL-3.0-or-later
// Syntheses with maps of closed form: single modes, point sources, dipoles.
#include <QtTest>
#include <cmath>
#include <utility>
#include <vector>

#include "armilla/ops/sht.h"
#include "support/direct_sht.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

class ClosedFormsTest : public QObject {
    Q_OBJECT
private slots:
    // Y_ll = (-1)^l sqrt((2l+1)!/(4 pi)) / (2^l l!) sin^l e^{il phi}: 1e-300 and less near the
    // poles, where a recursion without scaling loses the mode for good.
    void sectoralModeOfHighOrder() {
        constexpr int nside = 512, l = 1200;
        const ShtPlan plan({.nside = nside, .lmax = l}, Device::cpu());
        Alm alm(l, l);
        alm(l, l) = {1.0, 0.0};
        std::vector<double> map(12 * nside * nside), truth(map.size());
        plan.synthesis(alm, map, job_);
        const Real logNorm = (std::lgamma(2.0L * l + 2) - std::log(4 * kLongPi)) / 2 -
                             l * std::log(2.0L) - std::lgamma(l + 1.0L);
        for (size_t p = 0; p < map.size(); ++p) {
            const LongDirection d = pixelDirection(nside, static_cast<int64_t>(p));
            truth[p] = static_cast<double>(2 * std::exp(logNorm + l * std::log(d.sine)) *
                                           std::cos(l * d.phi));
        }
        // A single mode: see modeLimit in tests/support/direct_cases.h.
        ARMILLA_VERIFY_BELOW(relativeError(map, truth), 4.0 * roundingLimit(l));
    }
    void pointSources_data() {
        QTest::addColumn<double>("theta");
        QTest::addColumn<double>("phi");
        QTest::newRow("beside the north pole") << 0.004 << 2.0;
        QTest::newRow("on the equator") << kPi / 2 << 0.0;
        QTest::newRow("south") << 2.1 << -1.3;
    }
    // A point source, a_lm = conj(Y_lm), is K(gamma) = sum (2l+1)/4pi P_l(cos gamma) at the
    // distance gamma, for any rotation; its derivatives are K' times those of cos(gamma).
    void pointSources() {
        QFETCH(double, theta);
        QFETCH(double, phi);
        constexpr int nside = 64, lmax = 3 * nside - 1;
        const Real c0 = std::cos(static_cast<Real>(theta)), s0 = std::sin(static_cast<Real>(theta));
        Alm alm(lmax, lmax);
        for (int m = 0; m <= lmax; ++m) {
            const std::vector<Real> lam = lambda(lmax, m, c0, s0);
            for (int l = m; l <= lmax; ++l)
                alm(l, m) = std::complex<double>(std::polar(1.0L, -m * static_cast<Real>(phi)) *
                                                 lam[static_cast<size_t>(l)]);
        }
        std::vector<double> map(12 * nside * nside), dTheta(map), dPhi(map);
        std::vector<double> truth(map), truthTheta(map), truthPhi(map);
        const ShtPlan plan({.nside = nside, .lmax = lmax}, Device::cpu());
        plan.synthesisGradient(alm, map, dTheta, dPhi, job_);
        for (size_t p = 0; p < map.size(); ++p) {
            const LongDirection d = pixelDirection(nside, static_cast<int64_t>(p));
            const Real away = d.phi - static_cast<Real>(phi);
            const Real x = d.cosine * c0 + d.sine * s0 * std::cos(away);
            Real before = 0, here = 1, slopeBefore = 0, slope = 0, kernel = 0, derivative = 0;
            for (int l = 0; l <= lmax; ++l) {
                kernel += (2 * l + 1) * here;
                derivative += (2 * l + 1) * slope;
                // P'_{l+1} = P'_{l-1} + (2l+1) P_l
                slopeBefore = std::exchange(slope, slopeBefore + (2 * l + 1) * here);
                before = std::exchange(here, ((2 * l + 1) * x * here - l * before) / (l + 1));
            }
            kernel /= 4 * kLongPi;
            derivative /= 4 * kLongPi;
            truth[p] = static_cast<double>(kernel);
            truthTheta[p] =
                static_cast<double>(derivative * (d.cosine * s0 * std::cos(away) - d.sine * c0));
            truthPhi[p] = static_cast<double>(-derivative * s0 * std::sin(away));
        }
        // Near a pole few orders contribute: see modeLimit in tests/support/direct_cases.h.
        const double limit = 4.0 * roundingLimit(lmax);
        ARMILLA_VERIFY_BELOW(relativeError(map, truth), limit);
        ARMILLA_VERIFY_BELOW(relativeError(dTheta, truthTheta), limit);
        ARMILLA_VERIFY_BELOW(relativeError(dPhi, truthPhi), limit);
    }
    // d/dtheta of a dipole a_10 Y_10 ~ cos(theta) and of Re Y_11 ~ sin(theta) cos(phi).
    void gradientOfDipoles() {
        constexpr int nside = 6;
        const ShtPlan plan({.nside = nside, .lmax = 4}, Device::cpu());
        Alm alm(4, 4);
        alm(1, 0) = std::sqrt(4.0 * kPi / 3.0);          // cos(theta)
        alm(1, 1) = {-std::sqrt(2.0 * kPi / 3.0), 0.0};  // sin(theta) cos(phi)
        std::vector<double> map(12 * nside * nside), dTheta(map), dPhi(map);
        std::vector<double> truth(map), truthTheta(map), truthPhi(map);
        plan.synthesisGradient(alm, map, dTheta, dPhi, job_);
        for (size_t p = 0; p < map.size(); ++p) {
            const Vec3 v = directionFromRing(nside, static_cast<int64_t>(p));
            const double s = std::hypot(v.x, v.y), c = v.x / s;
            truth[p] = v.z + v.x;
            truthTheta[p] = -s + v.z * c;
            truthPhi[p] = -v.y / s;
        }
        ARMILLA_VERIFY_BELOW(relativeError(map, truth), roundingLimit(4));
        ARMILLA_VERIFY_BELOW(relativeError(dTheta, truthTheta), roundingLimit(4));
        ARMILLA_VERIFY_BELOW(relativeError(dPhi, truthPhi), roundingLimit(4));
    }

private:
    JobContext job_{{}, {}, 2};
};

QTEST_APPLESS_MAIN(ClosedFormsTest)
#include "tst_closed_forms.moc"
