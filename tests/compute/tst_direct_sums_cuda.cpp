// SPDX-License-Identifier: GPL-3.0-or-later
// The transforms of CUDA devices against sums term by term in long double, as tst_direct_sums those
// of the CPU. Without a device the executable skips; ARMILLA_REQUIRE_GPU=1 makes its absence a
// failure.
#include <QtTest>
#include <cmath>
#include <vector>

#include "cuda/device_cuda.h"
#include "cuda/ring_transform_cuda.h"
#include "support/direct_cases.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

Maps synthesized(CudaRingTransform& transform, const ExactGrid& exact, int spin,
                 const std::vector<Alm>& alm) {
    JobContext job;
    std::vector<CudaArray> from, to;
    for (const Alm& one : alm) {
        from.emplace_back(0, 2 * one.values().size());
        from.back().upload(one);
        to.emplace_back(0, static_cast<size_t>(exact.grid.sampleCount()));
        // Poisoned: every sample has to be written.
        to.back().fill(std::nan(""));
    }
    if (spin == 0)
        transform.synthesis(from[0], to[0], job);
    else
        transform.synthesisSpin(spin, from[0], from[1], to[0], to[1], job);
    Maps maps;
    for (const CudaArray& map : to) map.download(maps.emplace_back(map.size()));
    return maps;
}
std::vector<Alm> adjointOf(CudaRingTransform& transform, int spin, const Maps& maps,
                           std::span<const double> weights, const Alm& shape) {
    JobContext job;
    std::vector<CudaArray> from, to;
    for (const std::vector<double>& map : maps) {
        from.emplace_back(0, map.size());
        from.back().upload(map);
        to.emplace_back(0, 2 * shape.values().size());
        to.back().fill(0.0);
    }
    if (spin == 0)
        transform.adjoint(from[0], weights, to[0], job);
    else
        transform.adjointSpin(spin, from[0], from[1], weights, to[0], to[1], job);
    std::vector<Alm> alm(maps.size(), shape);
    for (size_t c = 0; c < alm.size(); ++c) to[c].download(alm[c]);
    return alm;
}

}  // namespace

class DirectSumsCudaTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        if (!cudaDevices(CudaListing::WithFreeMemory).empty()) return;
        if (qEnvironmentVariableIntValue("ARMILLA_REQUIRE_GPU") != 0)
            QFAIL("expected a CUDA device, found none");
        QSKIP("no CUDA device");
    }

    void smallTransforms_data() { smallCases(); }
    void smallTransforms() {
        QFETCH(DirectCase, small);
        QFETCH(int, spin);
        const auto& [exact, lmax, mmax] = small;
        CudaRingTransform transform(exact.grid, lmax, mmax, 0);
        const DirectInputs in = whiteInputs(exact, spin, lmax, mmax);
        const std::vector<int> orders = ordersUpTo(mmax);
        const Maps maps = synthesized(transform, exact, spin, in.alm);
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
        CudaRingTransform transform(exact.grid, lmax, mmax, 0);
        const Alm alm = whiteAlm(lmax, mmax, 0, 5);
        CudaArray from(0, 2 * alm.values().size());
        from.upload(alm);
        const auto samples = static_cast<size_t>(exact.grid.sampleCount());
        CudaArray theta(0, samples), phi(0, samples);
        transform.gradient(from, theta, phi, job);
        Maps maps(2, std::vector<double>(samples));
        theta.download(maps[0]);
        phi.download(maps[1]);
        const Maps truth = directRingsGradient(exact, alm);
        for (size_t c = 0; c < 2; ++c)
            ARMILLA_VERIFY_BELOW(relativeError(maps[c], truth[c]), roundingLimit(lmax));
    }

    void singleModes_data() { singleModeCases(); }
    void singleModes() {
        QFETCH(DirectCase, mode);
        QFETCH(int, spin);
        const auto& [exact, l, m] = mode;
        CudaRingTransform transform(exact.grid, l, m, 0);
        const DirectInputs in = singleMode(exact, spin, l, m);
        const std::vector<int> orders{m};
        const Maps maps = synthesized(transform, exact, spin, in.alm);
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

QTEST_APPLESS_MAIN(DirectSumsCudaTest)
#include "tst_direct_sums_cuda.moc"
