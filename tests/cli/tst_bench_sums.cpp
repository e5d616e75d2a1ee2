// SPDX-License-Identifier: GPL-3.0-or-later
// The sums that `armilla bench` holds transforms against.
#include <QtTest>
#include <numeric>

#include "bench/direct_sums.h"
#include "support/direct_sht.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr int kNside = 4, kLmax = 9;
constexpr std::complex<double> kOne{1.0, 0.0}, kI{0.0, 1.0};
constexpr size_t kPixels = 12 * kNside * kNside;

using Maps = std::array<std::vector<double>, 2>;

// For spin 0 the second map is zero.
Maps truthOf(int spin, const Alm& first, const Alm& second) {
    if (spin == 2) return directSpinTwo(first, second, kNside);
    return {directSynthesis(first, kNside), std::vector<double>(kPixels)};
}

}  // namespace

class BenchSumsTest : public QObject {
    Q_OBJECT

private slots:
    void synthesis_data() {
        QTest::addColumn<int>("spin");
        QTest::newRow("spin 0") << 0;
        QTest::newRow("spin 2") << 2;
    }
    // All pixels of a small map, against independent sums term by term.
    void synthesis() {
        QFETCH(int, spin);
        const std::vector<Alm> alm{whiteAlm(kLmax, kLmax, spin, 1),
                                   whiteAlm(kLmax, kLmax, spin, 2)};
        std::vector<int64_t> pixels(kPixels);
        std::iota(pixels.begin(), pixels.end(), 0);
        const auto values = cli::directSynthesis(spin, alm, kNside, pixels, job_);
        const Maps truth = truthOf(spin, alm[0], alm[1]);
        // Values up to 20, rounded to double once.
        for (size_t c = 0; c < 2; ++c)
            for (size_t p = 0; p < kPixels; ++p)
                ARMILLA_VERIFY_BELOW(std::abs(values[p][c] - truth[c][p]), 4e-15);
    }
    void analysis_data() { synthesis_data(); }
    // All coefficients: products of the maps with those of a single coefficient. Real and imaginary
    // part count twice for m > 0.
    void analysis() {
        QFETCH(int, spin);
        const std::vector<double> first = whiteMap(kNside, 3), second = whiteMap(kNside, 4);
        const std::vector<ConstMapSamples> maps{first, second};
        const double area = 4.0 * M_PI / kPixels;
        for (int m = 0; m <= kLmax; ++m)
            for (int l = std::max(m, spin); l <= kLmax; ++l) {
                const int degrees[] = {l};
                const auto found = cli::directAnalysis(spin, maps, kNside, m, degrees, job_)[0];
                for (size_t c = 0; c < (spin == 0 ? 1 : 2); ++c)
                    for (const std::complex<double> unit : {kOne, kI}) {
                        if (m == 0 && unit.imag() != 0.0) continue;
                        std::array<Alm, 2> alm{Alm(kLmax, kLmax), Alm(kLmax, kLmax)};
                        alm[c](l, m) = unit;
                        const Maps ofOne = truthOf(spin, alm[0], alm[1]);
                        double product = 0.0;
                        for (size_t p = 0; p < kPixels; ++p)
                            product += first[p] * ofOne[0][p] + second[p] * ofOne[1][p];
                        const double truth = area * product / (m == 0 ? 1 : 2);
                        // Some hundred terms of size 1 / 16 in double precision.
                        ARMILLA_VERIFY_BELOW(std::abs((std::conj(unit) * found[c]).real() - truth),
                                             1e-14);
                    }
            }
    }
    // sum_m |lambda_lm|^2 = (2 l + 1) / 4 pi at one pixel, whose map has its lambda_lm as
    // coefficients. There sin^m(theta) falls to 1e-2000, and half of the sum comes from orders with
    // sin^m below 1e-600.
    void allOrdersOfADegree() {
        constexpr int nside = 2, l = 5000;
        std::vector<float> map(12 * nside * nside);
        map[0] = 1.0F;
        const ConstMapSamples maps[] = {map};
        const int degrees[] = {l};
        const double area = M_PI / (3.0 * nside * nside);
        JobContext one({}, {}, 1);
        double sum = 0.0;
        for (int m = 0; m <= l; ++m) {
            const auto a = cli::directAnalysis(0, maps, nside, m, degrees, one)[0][0];
            sum += (m == 0 ? 1.0 : 2.0) * std::norm(a / area);
        }
        // Rounding of each to double, and of the sum.
        ARMILLA_VERIFY_BELOW(std::abs(sum * 4.0 * M_PI / (2 * l + 1) - 1.0), 1e-13);
    }

private:
    JobContext job_{{}, {}, 2};
};

QTEST_APPLESS_MAIN(BenchSumsTest)
#include "tst_bench_sums.moc"
