// SPDX-License-Identifier: GPL-3.0-or-later
// The transforms of the CPU compared with sums term by term in long double. Every grid, spin and
// direction is covered at small sizes, single modes at high degree and order.
#include <QtTest>
#include <cmath>
#include <vector>

#include "sht/plan/ring_transform.h"
#include "support/direct_cases.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

class CpuEngine {
public:
    CpuEngine(const RingGrid& grid, int lmax, int mmax) : transform_(grid, lmax, mmax, job_) {}

    bool resamples() const { return transform_.resamples(); }
    Maps synthesis(int spin, const std::vector<Alm>& alm) {
        Maps maps = poisoned(alm.size());
        if (spin == 0)
            transform_.synthesis(alm[0], maps[0], job_);
        else
            transform_.synthesisSpin(spin, alm[0], alm[1], maps[0], maps[1], job_);
        return maps;
    }
    std::vector<Alm> adjoint(int spin, const Maps& maps, std::span<const double> weights,
                             const Alm& shape) {
        std::vector<Alm> alm(maps.size(), shape);
        if (spin == 0)
            transform_.adjoint(maps[0], weights, alm[0], job_);
        else
            transform_.adjointSpin(spin, maps[0], maps[1], weights, alm[0], alm[1], job_);
        return alm;
    }
    Maps gradient(const Alm& alm) {
        Maps maps = poisoned(2);
        transform_.gradient(alm, maps[0], maps[1], job_);
        return maps;
    }

private:
    // Every sample has to be written.
    Maps poisoned(size_t count) const {
        const auto samples = static_cast<size_t>(transform_.grid().sampleCount());
        return Maps(count, std::vector<double>(samples, std::nan("")));
    }

    JobContext job_;
    RingTransform transform_;
};

}  // namespace

class DirectSumsTest : public QObject {
    Q_OBJECT
private slots:
    // The recurrence of the reference compared with the explicit sum of spinFunction.
    void functions() {
        for (int spin = 0; spin <= 3; ++spin)
            for (int m = -12; m <= 12; ++m)
                for (const Real theta : {0.01L, 1.0L, 2.5L}) {
                    const Real c = std::cos(theta), s = std::sin(theta);
                    const std::vector<Real> found = spinFunctions(spin, 12, m, c, s);
                    for (int l = std::max(std::abs(m), spin); l <= 12; ++l)
                        // Terms of both signs up to 2^12, each of rounding 1e-19.
                        ARMILLA_VERIFY_BELOW(
                            std::abs(static_cast<double>(found[static_cast<size_t>(l)] -
                                                         spinFunction(spin, l, m, c, s))),
                            1e-15);
                }
    }

    void smallTransforms_data() { smallCases(); }
    void smallTransforms() {
        QFETCH(DirectCase, small);
        QFETCH(int, spin);
        compareSmallTransform<CpuEngine>(small, spin);
    }
    void smallGradients_data() { smallCases(); }
    void smallGradients() {
        QFETCH(DirectCase, small);
        QFETCH(int, spin);
        if (spin == 0) compareSmallGradient<CpuEngine>(small);
    }

    // Interpolated in latitude: a spin field uses two series of spin 0, in the polar caps its own.
    void interpolatedSpin() {
        constexpr int lmax = 600, mmax = 13;
        const ExactGrid exact = exactFejer(1101, 2 * mmax + 3);
        const std::vector<Alm> alm{whiteAlm(lmax, mmax, 2, 1), whiteAlm(lmax, mmax, 2, 2)};
        CpuEngine engine(exact.grid, lmax, mmax);
        QVERIFY(engine.resamples());
        const Maps maps = engine.synthesis(2, alm);
        const Maps truth = directRings(exact, 2, alm, ordersUpTo(mmax));
        for (size_t c = 0; c < 2; ++c)
            ARMILLA_VERIFY_BELOW(relativeError(maps[c], truth[c]), roundingLimit(lmax));
    }

    void singleModes_data() { singleModeCases(); }
    void singleModes() {
        QFETCH(DirectCase, mode);
        QFETCH(int, spin);
        CpuEngine engine(mode.exact.grid, mode.lmax, mode.mmax);
        QCOMPARE(engine.resamples(), mode.exact.rings.size() > static_cast<size_t>(mode.lmax));
        compareSingleMode(engine, mode, spin);
    }
};

QTEST_APPLESS_MAIN(DirectSumsTest)
#include "tst_direct_sums.moc"
