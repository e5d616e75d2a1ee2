// SPDX-License-Identifier: GPL-3.0-or-later
// Work of a CUDA thread block on the parts of a ring pair's spectrum, on the host, compared with
// defining sums; and the method for each length.
#include "support/device_threads.h"

#include <QtTest>
#include <complex>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "armilla/core/error.h"
#include "sht/fft/ring_parts_cuda.cuh"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::cuda;
using armilla::test::DeviceThreads;

Q_DECLARE_METATYPE(armilla::cuda::RingFftKind)

namespace {

using Long = long double;

std::vector<double2> noise(size_t count) {
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    std::vector<double2> values(count);
    for (double2& value : values) value = {normal(random), normal(random)};
    return values;
}
std::vector<double2> roots() {
    std::vector<double2> all;
    for (int i = 0; i < 1 << (kLogRoots - 3); ++i)
        all.push_back(conjugate(halfTurns(2 * i, 1 << kLogRoots)));
    return all;
}

// Rows of p numbers, q of them, each transformed.
struct Transforms {
    RingFftBatch batch;
    int q = 1, p = 1;
    std::vector<double2> rows;

    std::vector<double2> byThreads(unsigned threads) const {
        const std::vector<double2> tables = roots();
        std::vector<double2> scratch(rows.size(), {NAN, NAN}), found = scratch;
        const bool apart = batch.kind == RingFftKind::Apart;
        const auto kernel = [&] {
            apart ? inBlock<true>(tables, scratch, found) : inBlock<false>(tables, scratch, found);
        };
        DeviceThreads::here().launch({1}, {threads}, batch.sharedBytes(), kernel);
        return found;
    }
    // The work of a thread.
    template <bool kApart>
    void inBlock(const std::vector<double2>& tables, std::vector<double2>& scratch,
                 std::vector<double2>& found) const {
        const auto forEach = [&](const auto& use) {
            for (int u = static_cast<int>(threadIdx.x); u < p; u += static_cast<int>(blockDim.x))
                for (int row = 0; row < q; ++row) use(row, u);
        };
        BlockTransform t = makeTransform<kApart>(batch, tables.data(), q * p, p);
        const PartRows parts = transformParts<true, kApart>(
            t, q, scratch.data(),
            [&](const auto& put) { forEach([&](int row, int u) { put(row, u, at(row, u)); }); },
            [&](int u, Pass pass, auto isPacked) {
                const bool packed = pass.rows == Rows::Packed;
                if (packed != isPacked.value) return make_double2(NAN, NAN);
                const int row = packed ? (pass.w == 0 ? 0 : 1) : pass.rows == Rows::North ? 2 : 3;
                return u < p ? at(row, u) : make_double2(1.0, 1.0);
            });
        forEach(
            [&](int row, int u) { found[static_cast<size_t>(row * p + u)] = parts.at(row, u); });
    }
    // Norm of the error of every `step`th number, relative to that of the reference.
    double error(const std::vector<double2>& found, int step) const {
        Long wrong = 0.0L, all = 0.0L;
        std::vector<std::complex<Long>> circle;
        for (int k = 0; k < p; ++k)
            circle.push_back(std::polar(1.0L, 2.0L * std::numbers::pi_v<Long> * k / p));
        for (int row = 0; row < q; ++row)
            for (int a = row; a < p; a += step) {
                std::complex<Long> sum = 0.0L;
                for (int u = 0; u < p; ++u)
                    sum += std::complex<Long>(at(row, u).x, at(row, u).y) *
                           circle[static_cast<size_t>(int64_t{a} * u % p)];
                const double2 value = found[static_cast<size_t>(row * p + a)];
                wrong += std::norm(sum - std::complex<Long>(value.x, value.y));
                all += std::norm(sum);
            }
        return static_cast<double>(std::sqrt(wrong / all));
    }
    double2 at(int row, int u) const { return rows[static_cast<size_t>(row * p + u)]; }
};

}  // namespace

class RingPartsTest : public QObject {
    Q_OBJECT
private slots:
    void transforms_data() {
        QTest::addColumn<RingFftKind>("kind");
        QTest::addColumn<int>("logSize");
        QTest::addColumn<int>("p");
        QTest::addColumn<int>("q");
        QTest::newRow("whole") << RingFftKind::Whole << 6 << 64 << 4;
        QTest::newRow("whole, two parts") << RingFftKind::Whole << 7 << 128 << 2;
        QTest::newRow("direct") << RingFftKind::Direct << 8 << 256 << 4;
        for (const int q : {1, 2, 4}) {
            QTest::addRow("two apart, %d parts", q) << RingFftKind::Apart << 8 << 512 << q;
            QTest::addRow("four apart, %d parts", q) << RingFftKind::Apart << 7 << 512 << q;
            QTest::addRow("eight apart, %d parts", q) << RingFftKind::Apart << 6 << 512 << q;
        }
        QTest::newRow("rings of nside 16384") << RingFftKind::Apart << kLogRoots << 16384 << 4;
        QTest::newRow("convolution") << RingFftKind::Convolution << 10 << 301 << 4;
        QTest::newRow("twisted") << RingFftKind::Twisted << 7 << 301 << 4;
    }
    void transforms() {
        QFETCH(RingFftKind, kind);
        QFETCH(int, logSize);
        QFETCH(int, p);
        QFETCH(int, q);
        Transforms all{
            {{kind, logSize, q * p}, nullptr, 1}, q, p, noise(static_cast<size_t>(q * p))};
        const bool convolves = kind == RingFftKind::Convolution;
        // Radix-two steps round by 4 u and 1.4 times the error of a root (N. J. Higham, Accuracy
        // and Stability of Numerical Algorithms, theorem 24.2). A root is a product of some and
        // errs by a few epsilon. A convolution uses forward and backward transforms of two to four
        // times the length.
        const double steps =
            std::log2(p) + (convolves || kind == RingFftKind::Twisted ? 16.0 : 0.0);
        const double limit = 10.0 * std::numeric_limits<double>::epsilon() * steps;
        for (const auto order : {DeviceThreads::Order::Forward, DeviceThreads::Order::Backward}) {
            DeviceThreads::here().order = order;
            const auto found = all.byThreads(convolves ? 1U << logSize >> 4 : 96);
            ARMILLA_VERIFY_BELOW(all.error(found, p > 1000 ? 499 : 1), limit);
        }
    }

    void strategies_data() {
        QTest::addColumn<int>("length");
        QTest::addColumn<int>("sharing");
        QTest::addColumn<int>("sharedKilobytes");
        QTest::addColumn<RingFftKind>("kind");
        QTest::addColumn<int>("logSize");
        QTest::newRow("nside 512") << 2048 << 512 << 227 << RingFftKind::Whole << 9;
        QTest::newRow("nside 8192") << 32768 << 8192 << 227 << RingFftKind::Direct << 13;
        QTest::newRow("nside 8192, less memory") << 32768 << 8192 << 99 << RingFftKind::Apart << 12;
        QTest::newRow("nside 16384") << 65536 << 16384 << 227 << RingFftKind::Apart << 13;
        QTest::newRow("nside 32768") << 131072 << 32768 << 227 << RingFftKind::Apart << 13;
        QTest::newRow("longest") << 262144 << 100 << 227 << RingFftKind::Apart << 13;
        QTest::newRow("too long") << 524288 << 100 << 227 << RingFftKind::Twisted << 12;
        QTest::newRow("of few") << 65536 << 1 << 227 << RingFftKind::Twisted << 12;
        QTest::newRow("no power of two") << 60000 << 100 << 227 << RingFftKind::Twisted << 12;
        QTest::newRow("short, no power of two")
            << 12004 << 1 << 227 << RingFftKind::Convolution << 13;
    }
    void strategies() {
        QFETCH(int, length);
        QFETCH(int, sharing);
        QFETCH(int, sharedKilobytes);
        QFETCH(RingFftKind, kind);
        QFETCH(int, logSize);
        const size_t bytes = static_cast<size_t>(sharedKilobytes) << 10;
        const RingFftStrategy strategy = ringFftStrategy({length, length, sharing, bytes});
        QCOMPARE(static_cast<int>(strategy.kind), static_cast<int>(kind));
        QCOMPARE(strategy.logSize, logSize);
        QVERIFY(strategy.sharedBytes() <= bytes);
    }
    // A ring that leaves no space beside its circle is refused.
    void ringsTooLongAreRefused() {
        for (const auto& [length, kilobytes] : {std::pair(1 << 20, 99), std::pair(1 << 21, 227)}) {
            const size_t bytes = static_cast<size_t>(kilobytes) << 10;
            QVERIFY_EXCEPTION_THROWN(ringFftStrategy({length, length, 100, bytes}), Unsupported);
        }
        QVERIFY(ringFftStrategy({1 << 20, 1 << 20, 100, size_t{227} << 10}).logSize >=
                kLogLeastConvolution);
    }
    // A sample of twice as many costs one more step of log2(p), not a slower method.
    void longRingsCostALittleMore() {
        const size_t bytes = size_t{227} << 10;
        const double half = ringFftCost({32768, 32768, 8192, bytes}) / 32768;
        const double whole = ringFftCost({65536, 65536, 16384, bytes}) / 65536;
        QVERIFY(qFuzzyCompare(whole / half, 14.0 / 13.0));
    }
};

QTEST_APPLESS_MAIN(RingPartsTest)
#include "tst_ring_parts.moc"
