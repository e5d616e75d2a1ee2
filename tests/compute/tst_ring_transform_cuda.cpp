// SPDX-License-Identifier: GPL-3.0-or-later
// Transforms on a CUDA device.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stop_token>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/ops/sht.h"
#include "shared/legendre_recurrence.h"
#include "sht/plan/ring_transform.h"
#include "sht/plan/ring_transform_cuda.h"
#include "support/cuda_guard.h"
#include "support/direct_rings.h"
#include "support/direct_sht.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Two implementations of sums whose functions come from recurrences of up to lmax steps. Rounding
// of each step at random sizes and signs stays below lmax epsilon in the L2 norm, for both.
//
// For a spin half as much again: in the polar caps its own recurrences err most, at lmax 600 by
// 1.5e-13 on the CPU and 3.6e-13 here (spinInLongDouble). Elsewhere the error is less than 3e-14.
double twinLimit(int lmax, int spin = 0) {
    return (spin > 0 ? 3.0 : 2.0) * kEpsilon * (lmax + 4.0);
}
std::vector<double> noise(int64_t count, unsigned seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> values(static_cast<size_t>(count));
    for (double& value : values) value = normal(random);
    return values;
}
std::vector<double> ringWeights(const RingGrid& grid) {
    std::vector<double> weights;
    for (const Ring& ring : grid.rings) weights.push_back(ring.weight);
    return weights;
}
RingGrid gridOf(const QString& name, int size) {
    if (name == "healpix") return RingGrid::healpix(size);
    if (name == "cc") return RingGrid::clenshawCurtis(size, size + 1);
    if (name == "fejer") return RingGrid::fejer(size, size);
    if (name == "long") return RingGrid::gaussLegendre(40, size);
    return RingGrid::gaussLegendre(size, 2 * size);
}

// Maps and coefficients of one or two components, on the device; maps are poisoned, so that an
// unwritten sample is detected.
struct OnDevice {
    OnDevice(const RingGrid& grid, int lmax, int mmax, int spin) {
        for (int c = 0; c < (spin == 0 ? 1 : 2); ++c) {
            alm.emplace_back(0, static_cast<size_t>(2 * Alm::count(lmax, mmax)));
            map.emplace_back(0, static_cast<size_t>(grid.sampleCount()));
            alm.back().fill(0.0);
            map.back().fill(kNan);
        }
    }
    std::vector<double> mapOf(size_t c) const {
        std::vector<double> values(map[c].size());
        map[c].download(values);
        return values;
    }
    void synthesize(CudaRingTransform& transform, int spin, JobContext& job) {
        if (spin == 0)
            transform.synthesis(alm[0], map[0], job);
        else
            transform.synthesisSpin(spin, alm[0], alm[1], map[0], map[1], job);
    }
    void accumulate(CudaRingTransform& transform, int spin, std::span<const double> weights,
                    JobContext& job) {
        if (spin == 0)
            transform.adjoint(map[0], weights, alm[0], job);
        else
            transform.adjointSpin(spin, map[0], map[1], weights, alm[0], alm[1], job);
    }
    std::vector<CudaArray> alm, map;
};

// The map of these coefficients on HEALPix's rings.
std::vector<double> synthesized(int nside, const Alm& alm) {
    JobContext job;
    CudaRingTransform transform(RingGrid::healpix(nside), alm.lmax(), alm.mmax(), 0);
    OnDevice device(RingGrid::healpix(nside), alm.lmax(), alm.mmax(), 0);
    device.alm[0].upload(alm);
    device.synthesize(transform, 0, job);
    return device.mapOf(0);
}

}  // namespace

class RingTransformCudaTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { requireCuda(); }

    void asOnTheCpu_data() {
        QTest::addColumn<QString>("grid");
        QTest::addColumn<int>("size");
        QTest::addColumn<int>("lmax");
        QTest::addColumn<int>("mmax");
        QTest::addColumn<int>("spin");
        for (int spin = 0; spin <= 3; ++spin) {
            const auto row = [&](const char* grid, int size, int lmax, int mmax) {
                QTest::addRow("%s %d, lmax %d, mmax %d, spin %d", grid, size, lmax, mmax, spin)
                    << QString(grid) << size << lmax << mmax << spin;
            };
            row("healpix", 1, 4, 4);
            row("healpix", 3, 11, 11);
            row("healpix", 8, 23, 5);
            // Modes beyond the rings' Nyquist limits, rings without a common factor.
            row("healpix", 64, 191, 191);
            row("healpix", 100, 400, 350);
            // More than one block of threads, lengths that are powers of two.
            row("healpix", 256, 511, 511);
            // Interpolated in latitude: slightly more rings than required, and many more; all m,
            // few m.
            row("healpix", 256, 512, 512);
            row("healpix", 230, 515, 515);
            row("healpix", 400, 601, 250);
            // With an equator and poles, and without, rings at irregular positions.
            row("cc", 1001, 520, 520);
            row("fejer", 1101, 600, 13);
            row("fejer", 900, 520, 520);
            row("gl", 900, 523, 400);
            // Odd lengths, even ones, multiples of four; an equator and none.
            row("cc", 71, 70, 70);
            row("fejer", 71, 70, 70);
            row("gl", 81, 80, 80);
            row("gl", 154, 150, 150);
            row("cc", 2063, 40, 40);
            // Rings of which shared memory holds a part, or the convolution of a part, or neither.
            row("long", 16384, 30, 30);
            row("long", 12000, 30, 30);
            row("long", 20000, 30, 30);
            row("long", 5001, 30, 30);
            row("long", 70001, 30, 30);
            // Powers of two of which shared memory holds a half, a quarter, an eighth of a part.
            row("long", 65536, 300, 300);
            row("long", 131072, 30, 30);
            row("long", 262144, 30, 30);
        }
    }
    void asOnTheCpu() {
        QFETCH(QString, grid);
        QFETCH(int, size);
        QFETCH(int, lmax);
        QFETCH(int, mmax);
        QFETCH(int, spin);
        const RingGrid rings = gridOf(grid, size);
        const std::vector<double> weights = ringWeights(rings);
        const Alm e = whiteAlm(lmax, mmax, spin, 1), b = whiteAlm(lmax, mmax, spin, 2);
        const std::vector<double> x = noise(rings.sampleCount(), 3);
        const std::vector<double> y = noise(rings.sampleCount(), 4);
        JobContext job;
        RingTransform cpu(rings, lmax, mmax, job);
        CudaRingTransform transform(rings, lmax, mmax, 0);
        OnDevice device(rings, lmax, mmax, spin), back(rings, lmax, mmax, spin);
        device.alm[0].upload(e);
        back.map[0].upload(x);
        std::vector<double> q(x.size()), u(x.size());
        Alm eBack(lmax, mmax), bBack(lmax, mmax), found(lmax, mmax);
        if (spin == 0) {
            cpu.synthesis(e, q, job);
            cpu.adjoint(x, weights, eBack, job);
        } else {
            device.alm[1].upload(b);
            back.map[1].upload(y);
            cpu.synthesisSpin(spin, e, b, q, u, job);
            cpu.adjointSpin(spin, x, y, weights, eBack, bBack, job);
        }
        device.synthesize(transform, spin, job);
        back.accumulate(transform, spin, weights, job);
        ARMILLA_VERIFY_BELOW(relativeError(device.mapOf(0), q), twinLimit(lmax, spin));
        back.alm[0].download(found);
        ARMILLA_VERIFY_BELOW(relativeError(found.values(), eBack.values()), twinLimit(lmax, spin));
        if (spin == 0) return;
        ARMILLA_VERIFY_BELOW(relativeError(device.mapOf(1), u), twinLimit(lmax, spin));
        back.alm[1].download(found);
        ARMILLA_VERIFY_BELOW(relativeError(found.values(), bBack.values()), twinLimit(lmax, spin));
    }

    void batches_data() {
        QTest::addColumn<QString>("grid");
        QTest::addColumn<int>("size");
        QTest::addColumn<int>("lmax");
        QTest::addColumn<int>("mmax");
        QTest::addColumn<int>("count");
        const auto row = [](const char* grid, int size, int lmax, int mmax, int count) {
            QTest::addRow("%d of %s %d, lmax %d, mmax %d", count, grid, size, lmax, mmax)
                << QString(grid) << size << lmax << mmax << count;
        };
        row("healpix", 1, 4, 4, 4);
        row("healpix", 8, 23, 5, 7);
        row("healpix", 64, 191, 191, 4);
        row("gl", 81, 80, 80, 3);
        row("healpix", 256, 512, 512, 4);
        row("healpix", 400, 1001, 250, 6);
        row("healpix", 8, 23, 23, 15);
        row("healpix", 64, 191, 150, 8);
        row("healpix", 256, 520, 520, 9);
    }
    void batches() {
        QFETCH(QString, grid);
        QFETCH(int, size);
        QFETCH(int, lmax);
        QFETCH(int, mmax);
        QFETCH(int, count);
        const RingGrid rings = gridOf(grid, size);
        const std::vector<double> weights = ringWeights(rings);
        JobContext job;
        RingTransform cpu(rings, lmax, mmax, job);
        CudaRingTransform transform(rings, lmax, mmax, 0);
        std::vector<CudaArray> alm, map;
        for (unsigned i = 0; i < static_cast<unsigned>(count); ++i) {
            alm.emplace_back(0, static_cast<size_t>(2 * Alm::count(lmax, mmax)));
            map.emplace_back(0, static_cast<size_t>(rings.sampleCount()));
            alm.back().upload(whiteAlm(lmax, mmax, 0, 40 + i));
            map.back().fill(kNan);
        }
        transform.synthesis(alm, map, job);
        for (unsigned i = 0; i < alm.size(); ++i) {
            std::vector<double> expected(map[i].size()), made(map[i].size());
            cpu.synthesis(whiteAlm(lmax, mmax, 0, 40 + i), expected, job);
            map[i].download(made);
            ARMILLA_VERIFY_BELOW(relativeError(made, expected), twinLimit(lmax));
            map[i].upload(noise(rings.sampleCount(), 60 + i));
            alm[i].fill(0.0);
        }
        transform.adjoint(map, weights, alm, job);
        for (unsigned i = 0; i < alm.size(); ++i) {
            Alm expected(lmax, mmax), made(lmax, mmax);
            cpu.adjoint(noise(rings.sampleCount(), 60 + i), weights, expected, job);
            alm[i].download(made);
            ARMILLA_VERIFY_BELOW(relativeError(made.values(), expected.values()), twinLimit(lmax));
        }
    }

    // Both implementations compared with long double: in the polar caps, where spin 2 has its own
    // recurrences, and outside, where two series of spin 0 cancel.
    void spinInLongDouble() {
        constexpr int lmax = 600, mmax = 13;
        const ExactGrid exact = exactFejer(1101, 2 * mmax + 3);
        const RingGrid& grid = exact.grid;
        const std::vector<Alm> alm{whiteAlm(lmax, mmax, 2, 1), whiteAlm(lmax, mmax, 2, 2)};
        const std::vector<double> truth = directRings(exact, 2, alm, ordersUpTo(mmax))[0];
        JobContext job;
        RingTransform cpu(grid, lmax, mmax, job);
        CudaRingTransform transform(grid, lmax, mmax, 0);
        OnDevice device(grid, lmax, mmax, 2);
        for (size_t c = 0; c < 2; ++c) device.alm[c].upload(alm[c]);
        device.synthesize(transform, 2, job);
        const std::vector<double> onDevice = device.mapOf(0);
        std::vector<double> onCpu(onDevice.size()), u(onDevice.size());
        cpu.synthesisSpin(2, alm[0], alm[1], onCpu, u, job);
        for (const bool caps : {false, true}) {
            std::vector<double> expected, made[2];
            for (const Ring& ring : grid.rings) {
                if ((ring.sinTheta < kSpinCapSine) != caps) continue;
                const auto append = [&](std::vector<double>& to, const std::vector<double>& from) {
                    to.insert(to.end(), from.begin() + ring.first,
                              from.begin() + ring.first + ring.count);
                };
                append(expected, truth);
                append(made[0], onCpu);
                append(made[1], onDevice);
            }
            const double errors[2] = {relativeError(made[0], expected),
                                      relativeError(made[1], expected)};
            qInfo("%s: CPU %.2e, CUDA %.2e", caps ? "caps" : "elsewhere", errors[0], errors[1]);
            for (const double error : errors) ARMILLA_VERIFY_BELOW(error, twinLimit(lmax, 2));
        }
    }

    // Four and one over one recurrence, against sums term by term.
    void directSumsOfBatches() {
        constexpr int nside = 16, lmax = 40, count = 13;
        JobContext job;
        CudaRingTransform transform(RingGrid::healpix(nside), lmax, lmax, 0);
        std::vector<CudaArray> alm, map;
        for (unsigned i = 0; i < count; ++i) {
            alm.emplace_back(0, static_cast<size_t>(2 * Alm::count(lmax, lmax)));
            map.emplace_back(0, static_cast<size_t>(12 * nside * nside));
            alm.back().upload(whiteAlm(lmax, lmax, 0, 90 + i));
        }
        transform.synthesis(alm, map, job);
        for (unsigned i = 0; i < count; ++i) {
            std::vector<double> made(map[i].size());
            map[i].download(made);
            ARMILLA_VERIFY_BELOW(
                relativeError(made, directSynthesis(whiteAlm(lmax, lmax, 0, 90 + i), nside)),
                twinLimit(lmax));
        }
    }

    void shapes_data() {
        QTest::addColumn<int>("synthesisPairs");
        QTest::addColumn<int>("adjointPairs");
        QTest::addColumn<int>("mapsAtOnce");
        QTest::addColumn<double>("workShare");
        QTest::addColumn<bool>("interpolates");
        QTest::newRow("few pairs, one map at once") << 2 << 4 << 1 << 0.4 << true;
        QTest::newRow("two maps at once, little memory") << 4 << 8 << 2 << 0.01 << true;
        QTest::newRow("without interpolation") << 4 << 8 << 4 << 0.4 << false;
    }
    // Only the rounding of results depends on the shape.
    void shapes() {
        QFETCH(int, synthesisPairs);
        QFETCH(int, adjointPairs);
        QFETCH(int, mapsAtOnce);
        QFETCH(double, workShare);
        QFETCH(bool, interpolates);
        constexpr int nside = 400, lmax = 1001, mmax = 900;
        const RingGrid grid = RingGrid::healpix(nside);
        JobContext job;
        CudaRingTransform usual(grid, lmax, mmax, 0);
        CudaRingTransform other(grid, lmax, mmax, 0,
                                {.synthesisPairs = synthesisPairs,
                                 .adjointPairs = adjointPairs,
                                 .mapsAtOnce = mapsAtOnce,
                                 .workShare = workShare,
                                 .interpolates = interpolates});
        OnDevice one(grid, lmax, mmax, 1), two(grid, lmax, mmax, 1);  // two maps
        for (unsigned c = 0; c < 2; ++c) {
            one.alm[c].upload(whiteAlm(lmax, mmax, 0, 71 + c));
            two.alm[c].copyFrom(one.alm[c]);
        }
        usual.synthesis(one.alm, one.map, job);
        other.synthesis(two.alm, two.map, job);
        for (size_t c = 0; c < 2; ++c)
            ARMILLA_VERIFY_BELOW(relativeError(two.mapOf(c), one.mapOf(c)), twinLimit(lmax));
        for (unsigned c = 0; c < 2; ++c) {
            one.map[c].upload(noise(grid.sampleCount(), 73 + c));
            two.map[c].copyFrom(one.map[c]);
            one.alm[c].fill(0.0);
            two.alm[c].fill(0.0);
        }
        usual.adjoint(one.map, ringWeights(grid), one.alm, job);
        other.adjoint(two.map, ringWeights(grid), two.alm, job);
        for (size_t c = 0; c < 2; ++c) {
            Alm expected(lmax, mmax), found(lmax, mmax);
            one.alm[c].download(expected);
            two.alm[c].download(found);
            ARMILLA_VERIFY_BELOW(relativeError(found.values(), expected.values()), twinLimit(lmax));
        }
    }

    // Interpolated in latitude, against sums term by term at pixels of caps and belt.
    void directSumsInterpolated() {
        constexpr int nside = 300, lmax = 601;
        const Alm alm = whiteAlm(lmax, lmax, 0, 31);
        const std::vector<double> map = synthesized(nside, alm);
        std::vector<double> found, truth;
        for (const int64_t pixel :
             {int64_t{0}, int64_t{3}, int64_t{1000}, int64_t{177000},
              int64_t{12} * nside * nside / 2, int64_t{900001}, int64_t{12} * nside * nside - 7}) {
            const LongDirection d = pixelDirection(nside, pixel);
            Real sum = 0;
            for (int m = 0; m <= lmax; ++m) {
                const std::vector<Real> lam = lambda(lmax, m, d.cosine, d.sine);
                const Real c = std::cos(m * d.phi), s = std::sin(m * d.phi);
                for (int l = m; l <= lmax; ++l)
                    sum += (m == 0 ? 1 : 2) * lam[static_cast<size_t>(l)] *
                           (alm(l, m).real() * c - alm(l, m).imag() * s);
            }
            truth.push_back(static_cast<double>(sum));
            found.push_back(map[static_cast<size_t>(pixel)]);
        }
        // The error of one pixel in seven may exceed the mean of a map.
        ARMILLA_VERIFY_BELOW(relativeError(found, truth), 2.0 * twinLimit(lmax));
    }

    void gradientAsOnTheCpu_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<int>("lmax");
        QTest::addColumn<int>("mmax");
        QTest::newRow("at the rings") << 50 << 130 << 100;
        QTest::newRow("interpolated") << 300 << 600 << 600;
    }
    void gradientAsOnTheCpu() {
        QFETCH(int, nside);
        QFETCH(int, lmax);
        QFETCH(int, mmax);
        JobContext job;
        RingTransform cpu(RingGrid::healpix(nside), lmax, mmax, job);
        CudaRingTransform transform(RingGrid::healpix(nside), lmax, mmax, 0);
        const Alm alm = whiteAlm(lmax, mmax, 0, 5);
        std::vector<double> theta(static_cast<size_t>(12 * nside * nside)), phi(theta.size());
        cpu.gradient(alm, theta, phi, job);
        OnDevice device(RingGrid::healpix(nside), lmax, mmax, 1);
        device.alm[0].upload(alm);
        transform.gradient(device.alm[0], device.map[0], device.map[1], job);
        ARMILLA_VERIFY_BELOW(relativeError(device.mapOf(0), theta), twinLimit(lmax));
        ARMILLA_VERIFY_BELOW(relativeError(device.mapOf(1), phi), twinLimit(lmax));
    }

    void transposes_data() {
        QTest::addColumn<int>("spin");
        QTest::addColumn<int>("nside");
        QTest::addColumn<int>("lmax");
        for (int spin = 0; spin <= 3; ++spin) {
            QTest::addRow("at the rings, spin %d", spin) << spin << 60 << 200;
            QTest::addRow("interpolated, spin %d", spin) << spin << 300 << 600;
        }
    }
    // <map, S alm> = <S^T map, alm>: each side sums n terms, rounding sqrt(n) epsilon of the norms.
    void transposes() {
        QFETCH(int, spin);
        QFETCH(int, nside);
        QFETCH(int, lmax);
        const int mmax = lmax - 20;
        const RingGrid grid = RingGrid::healpix(nside);
        const std::vector<double> ones(grid.rings.size(), 1.0);
        JobContext job;
        CudaRingTransform transform(grid, lmax, mmax, 0);
        OnDevice forth(grid, lmax, mmax, spin), back(grid, lmax, mmax, spin);
        std::vector<Alm> alm;
        std::vector<std::vector<double>> maps;
        for (unsigned c = 0; c < forth.alm.size(); ++c) {
            alm.push_back(whiteAlm(lmax, mmax, spin, 6 + c));
            maps.push_back(noise(grid.sampleCount(), 8 + c));
            forth.alm[c].upload(alm[c]);
            back.map[c].upload(maps[c]);
        }
        forth.synthesize(transform, spin, job);
        back.accumulate(transform, spin, ones, job);
        double left = 0.0, right = 0.0, size = 0.0;
        for (size_t c = 0; c < alm.size(); ++c) {
            const std::vector<double> synthesized = forth.mapOf(c);
            for (size_t i = 0; i < synthesized.size(); ++i) {
                left += synthesized[i] * maps[c][i];
                size += synthesized[i] * synthesized[i];
            }
            Alm found(lmax, mmax);
            back.alm[c].download(found);
            for (int m = 0; m <= mmax; ++m)
                for (int l = m; l <= lmax; ++l)
                    right += (m == 0 ? 1.0 : 2.0) * (found(l, m) * std::conj(alm[c](l, m))).real();
        }
        // The scale is |maps| |synthesized|, the largest value of the product. The limit is 45
        // machine epsilons of it.
        ARMILLA_VERIFY_BELOW(
            std::abs(left - right) / std::sqrt(size * static_cast<double>(maps[0].size())), 1e-14);
    }

    void addsToWhatIsThere() {
        constexpr int lmax = 20;
        const RingGrid grid = RingGrid::gaussLegendre(lmax + 1, 2 * lmax + 1);
        JobContext job;
        CudaRingTransform transform(grid, lmax, lmax, 0);
        const Alm truth = whiteAlm(lmax, lmax, 0, 12);
        OnDevice device(grid, lmax, lmax, 0);
        device.alm[0].upload(truth);
        device.synthesize(transform, 0, job);
        device.accumulate(transform, 0, ringWeights(grid), job);
        Alm twice(lmax, lmax);
        device.alm[0].download(twice);
        for (auto& value : twice.values()) value *= 0.5;
        ARMILLA_VERIFY_BELOW(relativeError(twice.values(), truth.values()), twinLimit(lmax));
    }

    void sameBitsAgain() {
        constexpr int nside = 256, lmax = 520;
        const RingGrid grid = RingGrid::healpix(nside);
        JobContext job;
        const std::vector<double> x = noise(grid.sampleCount(), 13);
        const std::vector<double> y = noise(grid.sampleCount(), 14);
        for (const int spin : {0, 2}) {
            std::vector<std::vector<double>> maps;
            std::vector<Alm> coefficients;
            for (int run = 0; run < 2; ++run) {
                CudaRingTransform transform(grid, lmax, lmax, 0);
                OnDevice device(grid, lmax, lmax, spin);
                device.map[0].upload(x);
                if (spin > 0) device.map[1].upload(y);
                device.accumulate(transform, spin, ringWeights(grid), job);
                device.synthesize(transform, spin, job);
                maps.push_back(device.mapOf(0));
                coefficients.emplace_back(lmax, lmax);
                device.alm[0].download(coefficients.back());
            }
            QVERIFY(maps[0] == maps[1]);
            QVERIFY(coefficients[0].values() == coefficients[1].values());
        }
    }

    // If device memory is short, slices become smaller; if even that does not suffice, the error
    // reports this. The test leaves 12 MB: tables and factors take 6, all Fourier coefficients
    // would take 8.
    void shortOfMemory() {
        constexpr int nside = 300, lmax = 600, largeLmax = 5000;
        const RingGrid grid = RingGrid::healpix(nside);
        JobContext job;
        CudaRingTransform ample(grid, lmax, lmax, 0), tight(grid, lmax, lmax, 0);
        OnDevice device(grid, lmax, lmax, 0), again(grid, lmax, lmax, 0);
        const Alm alm = whiteAlm(lmax, lmax, 0, 15);
        device.alm[0].upload(alm);
        again.alm[0].upload(alm);
        device.synthesize(ample, 0, job);
        CudaRingTransform large(RingGrid::healpix(4), largeLmax, largeLmax, 0);  // tables of 100 MB
        const CudaArray coefficients(0, static_cast<size_t>(2 * Alm::count(largeLmax, largeLmax)));
        CudaArray small(0, 12 * 4 * 4);
        std::vector<CudaArray> left, taken;
        for (int i = 0; i < 3; ++i) left.emplace_back(0, size_t{1} << 19);
        for (size_t bytes = size_t{1} << 36; bytes >= size_t{1} << 21; bytes /= 2) try {
                while (true) taken.emplace_back(0, bytes / sizeof(double));
            } catch (const OutOfMemory&) {
            }
        left.clear();
        again.synthesize(tight, 0, job);
        QVERIFY(tight.deviceBytes() < ample.deviceBytes());
        QVERIFY(again.mapOf(0) == device.mapOf(0));
        device.map[0].upload(noise(grid.sampleCount(), 16));
        again.map[0].upload(noise(grid.sampleCount(), 16));
        device.alm[0].fill(0.0);
        again.alm[0].fill(0.0);
        device.accumulate(ample, 0, ringWeights(grid), job);
        again.accumulate(tight, 0, ringWeights(grid), job);
        Alm one(lmax, lmax), other(lmax, lmax);
        device.alm[0].download(one);
        again.alm[0].download(other);
        QVERIFY(one.values() == other.values());
        QVERIFY_EXCEPTION_THROWN(large.synthesis(coefficients, small, job), OutOfMemory);
    }

    void stops() {
        // Latitudes, and ring transforms of several sizes.
        constexpr int nside = 1024, lmax = 64;
        const RingGrid grid = RingGrid::healpix(nside);
        CudaRingTransform transform(grid, lmax, lmax, 0);
        OnDevice device(grid, lmax, lmax, 0);
        std::stop_source stop;
        int reports = 0;
        JobContext job(
            stop.get_token(),
            [&](double done, std::string_view) {
                if (done > 0.0) stop.request_stop();
                ++reports;
            },
            1);
        QVERIFY_EXCEPTION_THROWN(device.synthesize(transform, 0, job), Cancelled);
        QCOMPARE(reports, 2);
        // Works again afterwards.
        JobContext other;
        device.alm[0].upload(whiteAlm(lmax, lmax, 0, 17));
        device.synthesize(transform, 0, other);
        QVERIFY(std::isfinite(device.mapOf(0).back()));
    }

    void refused() {
        JobContext job;
        QVERIFY_EXCEPTION_THROWN(CudaRingTransform(RingGrid::healpix(2), 4, 5, 0), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(
            CudaRingTransform(RingGrid::healpix(2), 4, 4, 0, {.synthesisPairs = 3}),
            InvalidArgument);
        CudaRingTransform transform(RingGrid::healpix(2), 4, 4, 0);
        CudaArray alm(0, static_cast<size_t>(2 * Alm::count(4, 4))), small(0, 47), map(0, 48);
        QVERIFY_EXCEPTION_THROWN(transform.synthesis(alm, small, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(transform.synthesis(map, map, job), InvalidArgument);
        const std::vector<double> weights(3);
        QVERIFY_EXCEPTION_THROWN(transform.adjoint(map, weights, alm, job), InvalidArgument);
        std::vector<CudaArray> none;
        QVERIFY_EXCEPTION_THROWN(transform.synthesis(none, none, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(transform.synthesis(std::span(&alm, 1), none, job),
                                 InvalidArgument);
    }
};

QTEST_APPLESS_MAIN(RingTransformCudaTest)
#include "tst_ring_transform_cuda.moc"
