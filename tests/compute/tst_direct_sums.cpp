// SPDX-License-Identifier: GPL-3.0-or-later
// The transforms of the CPU against sums term by term in long double: every grid, spin and
// direction at small sizes, single modes at high degree and order.
#include <QtTest>
#include <cmath>
#include <vector>

#include "sht/ring_transform.h"
#include "support/direct_cases.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

Maps synthesized(RingTransform& transform, int spin, const std::vector<Alm>& alm) {
    JobContext job;
    // Poisoned: every sample has to be written.
    Maps maps(alm.size(), std::vector<double>(static_cast<size_t>(transform.grid().sampleCount()),
                                              std::nan("")));
    if (spin == 0)
        transform.synthesis(alm[0], maps[0], job);
    else
        transform.synthesisSpin(spin, alm[0], alm[1], maps[0], maps[1], job);
    return maps;
}
std::vector<Alm> adjointOf(RingTransform& transform, int spin, const Maps& maps,
                           std::span<const double> weights, const Alm& shape) {
    JobContext job;
    std::vector<Alm> alm(maps.size(), shape);
    if (spin == 0)
        transform.adjoint(maps[0], weights, alm[0], job);
    else
        transform.adjointSpin(spin, maps[0], maps[1], weights, alm[0], alm[1], job);
    return alm;
}

}  // namespace

class DirectSumsTest : public QObject {
    Q_OBJECT
private slots:
    // The truth's own recurrence against the explicit sum of spinFunction.
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
        const auto& [exact, lmax, mmax] = small;
        JobContext job;
        RingTransform transform(exact.grid, lmax, mmax, job);
        const DirectInputs in = whiteInputs(exact, spin, lmax, mmax);
        const std::vector<int> orders = ordersUpTo(mmax);
        const Maps maps = synthesized(transform, spin, in.alm);
        const Maps mapsTruth = directRings(exact, spin, in.alm, orders);
        const std::vector<Alm> alm =
            adjointOf(transform, spin, in.maps, in.weights, Alm(lmax, mmax));
        const auto almTruth = directRingsAdjoint(exact, spin, in.maps, in.weights, lmax, orders);
        for (size_t c = 0; c < maps.size(); ++c) {
            ARMILLA_VERIFY_BELOW(relativeError(maps[c], mapsTruth[c]), roundingLimit(lmax));
            ARMILLA_VERIFY_BELOW(relativeError(alm[c].values(), almTruth[c]), roundingLimit(lmax));
        }
    }
    void smallGradients_data() { smallCases(); }
    void smallGradients() {
        QFETCH(DirectCase, small);
        QFETCH(int, spin);
        const auto& [exact, lmax, mmax] = small;
        // The derivatives have no value at poles.
        if (spin != 0 || exact.rings[0].sine == 0.0L) return;
        JobContext job;
        RingTransform transform(exact.grid, lmax, mmax, job);
        const Alm alm = whiteAlm(lmax, mmax, 0, 5);
        Maps maps(2, std::vector<double>(static_cast<size_t>(exact.grid.sampleCount())));
        transform.gradient(alm, maps[0], maps[1], job);
        const Maps truth = directRingsGradient(exact, alm);
        for (size_t c = 0; c < 2; ++c) {
            ARMILLA_VERIFY_BELOW(relativeError(maps[c], truth[c]), roundingLimit(lmax));
        }
    }

    void singleModes_data() { singleModeCases(); }
    void singleModes() {
        QFETCH(DirectCase, mode);
        QFETCH(int, spin);
        const auto& [exact, l, m] = mode;
        JobContext job;
        RingTransform transform(exact.grid, l, m, job);
        QCOMPARE(transform.resamples(), exact.rings.size() > static_cast<size_t>(l));
        const DirectInputs in = singleMode(exact, spin, l, m);
        const std::vector<int> orders{m};
        const Maps maps = synthesized(transform, spin, in.alm);
        const Maps mapsTruth = directRings(exact, spin, in.alm, orders);
        const std::vector<Alm> alm = adjointOf(transform, spin, in.maps, in.weights, Alm(l, m));
        const auto almTruth = directRingsAdjoint(exact, spin, in.maps, in.weights, l, orders);
        const double limit = modeLimit(exact, l, m);
        for (size_t c = 0; c < maps.size(); ++c) {
            ARMILLA_VERIFY_BELOW(relativeError(maps[c], mapsTruth[c]), limit);
            ARMILLA_VERIFY_BELOW(relativeError(columnOf(alm[c], m), almTruth[c]), limit);
        }
    }
};

QTEST_APPLESS_MAIN(DirectSumsTest)
#include "tst_direct_sums.moc"
