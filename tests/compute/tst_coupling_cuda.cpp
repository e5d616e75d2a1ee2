// SPDX-License-Identifier: GPL-3.0-or-later
// Coupling matrices on a CUDA device compared with the CPU, which tst_coupling compares with sums
// of 3j symbols. Small rows for a sanitizer: `likeTheCpu:small`, `likeTheCpu:two segments`.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/sky_vector.h"
#include "armilla/ops/coupling.h"
#include "coupling_values.h"
#include "spectrum/coupling_cuda.h"
#include "support/cuda_guard.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

class TestCouplingCuda : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { requireCuda(); }

    // Sizes that fill tiles, runs of columns and segments of rows badly, and masks that end at a
    // monopole, at lmax / 2 and beyond 2 lmax.
    void likeTheCpu_data() {
        QTest::addColumn<int>("lmax");
        QTest::addColumn<int>("maskLast");
        QTest::newRow("monopole") << 0 << 0;
        QTest::newRow("dipole") << 1 << 3;
        QTest::newRow("small") << 20 << 45;
        QTest::newRow("monopole of the mask") << 40 << 0;
        QTest::newRow("dipole of the mask") << 40 << 1;
        QTest::newRow("two segments") << 129 << 64;
        QTest::newRow("two runs of columns") << 400 << 900;
        QTest::newRow("large") << 1000 << 2000;
    }
    // The limit is that of tst_coupling::pointOfTheSky for each of the two: 1e-15 of xi(0) / 2. The
    // sums over angles round to less, since weights and values of d are at most 1 each.
    void likeTheCpu() {
        QFETCH(int, lmax);
        QFETCH(int, maskLast);
        const std::vector<double> flat(static_cast<size_t>(maskLast) + 1, 1.0);
        const CouplingRequest request{.scalar = true, .polarization = true};
        compare(flat, lmax, request, xiScale(flat, lmax, false));
    }

    // Terms of purified fields have derivatives of the mask.
    void purified_data() {
        QTest::addColumn<int>("lmax");
        QTest::addColumn<bool>("standard");
        QTest::newRow("one of two") << 70 << true;
        QTest::newRow("both") << 70 << false;
        QTest::newRow("large") << 500 << true;
    }
    void purified() {
        QFETCH(int, lmax);
        QFETCH(bool, standard);
        std::vector<double> mask;
        for (int l = 0; l <= 2 * lmax; ++l) mask.push_back(1.0 / std::pow(1.0 + l, 4));
        const CouplingRequest request{
            .scalar = true, .polarization = true, .standard = standard, .purified = true};
        compare(mask, lmax, request, xiScale(mask, lmax, true));
    }

    // Tables of 16 angles, the fewest, and of 48, which do not divide all.
    void angleBlocks_data() {
        QTest::addColumn<int>("angles");
        QTest::newRow("16") << 16;
        QTest::newRow("48") << 48;
    }
    void angleBlocks() {
        QFETCH(int, angles);
        constexpr int kLmax = 150;
        const std::vector<double> mask(2 * kLmax + 1, 1.0);
        CouplingTerm term{{2, 2}, {2, 2}, {0, 0}, mask, {}};
        for (size_t l = 0; l < mask.size(); ++l)
            term.weights[l] *= (2.0 * static_cast<double>(l) + 1.0) / (4.0 * kPi);
        for (auto& factors : term.factors) factors.assign(kLmax + 1, 1.0);
        const std::vector<double> truth =
            couplingIntegral({term.rows, term.columns, term.kernel, term.weights}, kLmax, job_);
        CouplingMatrix foundOnDevice, twiceOnDevice;
        // Another term of the same, to the same matrices.
        const CouplingSum sums[] = {{{term}, {&foundOnDevice}}, {{term, term}, {&twiceOnDevice}}};
        // Rows: lmax + 1, a halo of 62, and pairs at l = 0, 4, 8, ..., 64 and 128.
        couplingSumsOnDevice(sums, kLmax, firstCudaDevice().index, job_,
                             int64_t{8} * (kLmax + 1 + 62 + 14) * angles);
        const std::vector<double> found = foundOnDevice.values(job_);
        std::vector<double> twice = twiceOnDevice.values(job_);
        const double limit = 2e-15 * xiScale(mask, kLmax, false);
        ARMILLA_VERIFY_BELOW(difference(found, truth), limit);
        for (double& value : twice) value *= 0.5;
        ARMILLA_VERIFY_BELOW(difference(twice, truth), limit);
    }

    void sameBitsInEachRun() {
        const std::vector<double> mask(601, 1.0);
        const CouplingRequest request{.scalar = true, .polarization = true};
        const CouplingValues a(couplingMatrices(mask, 300, request, firstCudaDevice(), job_), job_),
            b(couplingMatrices(mask, 300, request, firstCudaDevice(), job_), job_);
        QVERIFY(a.scalar == b.scalar);
        QVERIFY(a.plus[0] == b.plus[0]);
        QVERIFY(a.minus[0] == b.minus[0]);
    }

    // Several devices share whole matrices, so that the bits are those of one device.
    void sameBitsOnTwoDevices() {
        const auto devices = cudaDevices(CudaListing::WithFreeMemory);
        ARMILLA_NEEDS_TWO(devices);
        Device both = devices[0];
        both.others = {devices[1].index};
        const std::vector<double> mask(601, 1.0);
        const CouplingRequest request{.scalar = true, .polarization = true};
        const CouplingMatrices made = couplingMatrices(mask, 300, request, both, job_);
        const CouplingValues one(couplingMatrices(mask, 300, request, devices[0], job_), job_),
            two(made, job_);
        QVERIFY(one.scalar == two.scalar);
        QVERIFY(one.cross[0] == two.cross[0]);
        QVERIFY(one.plus[0] == two.plus[0]);
        QVERIFY(one.minus[0] == two.minus[0]);
    }

    // Sums over uneven bins, which leave out rows and overlap, and one row alone.
    void sumsLikeTheCpu() {
        constexpr int kLmax = 300;
        const std::vector<double> mask(2 * kLmax + 1, 1.0);
        const CouplingRequest request{.scalar = true, .polarization = true};
        const CouplingMatrices cpu = couplingMatrices(mask, kLmax, request, Device::cpu(), job_),
                               device =
                                   couplingMatrices(mask, kLmax, request, firstCudaDevice(), job_);
        const std::vector<MultipoleBin> bins{{2, 2}, {3, 40}, {30, 160}, {170, 300}};
        std::vector<double> left, right, cl;
        for (const MultipoleBin& bin : bins)
            for (int l = bin.first; l <= bin.last; ++l) {
                left.push_back(std::sin(l));
                right.push_back(std::cos(l));
            }
        for (int l = 0; l <= kLmax; ++l) cl.push_back(std::sin(2.0 * l));
        // Values differ by likeTheCpu's limit each, times factors of 1 at most; sums of n terms
        // round by n epsilon of n xi(0) / 2 at most.
        const double scale = xiScale(mask, kLmax, false);
        const auto limitOf = [&](double terms) {
            return terms * scale * (2e-15 + terms * 2.3e-16);
        };
        ARMILLA_VERIFY_BELOW(difference(device.plus[0].rowSums(bins, left, job_),
                                        cpu.plus[0].rowSums(bins, left, job_)),
                             limitOf(131));
        ARMILLA_VERIFY_BELOW(difference(device.minus[0].binSums(bins, left, right, job_),
                                        cpu.minus[0].binSums(bins, left, right, job_)),
                             limitOf(131.0 * 131.0));
        ARMILLA_VERIFY_BELOW(
            difference(device.scalar.product(cl, job_), cpu.scalar.product(cl, job_)),
            limitOf(kLmax + 1));
    }

    void stoppedJobsStop() {
        std::stop_source stop;
        stop.request_stop();
        JobContext stopped(stop.get_token(), {}, 2);
        QVERIFY_THROWS_EXCEPTION(
            Cancelled, couplingMatrices(std::vector<double>(20, 1.0), 50, {.scalar = true},
                                        firstCudaDevice(), stopped));
    }

    // A matrix of 3.2e12 bytes fits no device.
    void memoryIsShort() {
        QVERIFY_THROWS_EXCEPTION(
            OutOfMemory, couplingMatrices(std::vector<double>(20, 1.0), 632455, {.scalar = true},
                                          firstCudaDevice(), job_));
    }

private:
    static double difference(const std::vector<double>& a, const std::vector<double>& b) {
        if (a.size() != b.size()) return INFINITY;
        double worst = 0.0;
        for (size_t i = 0; i < a.size(); ++i) {
            const double off = std::abs(a[i] - b[i]);
            if (!(off <= worst)) worst = off;
        }
        return worst;
    }
    // xi(0) / 2, the largest value of an integral; with derivatives the sum of all terms at l = 2,
    // where their factors are the largest: 1, 2 sqrt(6 / 24) and 1 / sqrt(24).
    static double xiScale(const std::vector<double>& mask, int lmax, bool purified) {
        double sum = 0.0;
        for (int l = 0; l < std::min(static_cast<int>(mask.size()), 2 * lmax + 1); ++l) {
            const double next = l + 1.0;
            const double terms = purified ? 1.0 + next + next * next / std::sqrt(24.0) : 1.0;
            sum += (2.0 * l + 1.0) / (8.0 * kPi) * mask[static_cast<size_t>(l)] * terms * terms;
        }
        return sum;
    }
    void compare(const std::vector<double>& mask, int lmax, const CouplingRequest& request,
                 double scale) {
        const CouplingValues truth(couplingMatrices(mask, lmax, request, Device::cpu(), job_),
                                   job_),
            found(couplingMatrices(mask, lmax, request, firstCudaDevice(), job_), job_);
        QCOMPARE(found.lmax, lmax);
        const double limit = 2e-15 * scale;
        ARMILLA_VERIFY_BELOW(difference(found.scalar, truth.scalar), limit);
        for (size_t i = 0; i < 2; ++i)
            ARMILLA_VERIFY_BELOW(difference(found.cross[i], truth.cross[i]), limit);
        for (size_t i = 0; i < 3; ++i) {
            ARMILLA_VERIFY_BELOW(difference(found.plus[i], truth.plus[i]), limit);
            ARMILLA_VERIFY_BELOW(difference(found.minus[i], truth.minus[i]), limit);
        }
    }

    JobContext job_;
};

QTEST_GUILESS_MAIN(TestCouplingCuda)
#include "tst_coupling_cuda.moc"
