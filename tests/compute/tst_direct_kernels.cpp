// SPDX-License-Identifier: GPL-3.0-or-later
// The CUDA kernels of direct and ring convolution, run on the host thread by thread and compared
// with the CPU's sums: each pixel is computed, and correct.
#include "support/device_threads.h"

#include <QtTest>
#include <cmath>
#include <complex>

#include "compute/convolution_cases.h"
#include "convolve/method_choice.h"
#include "convolve/pixels/direct_belt.cuh"
#include "convolve/pixels/direct_caps.cuh"
#include "convolve/pixels/direct_cpu.h"
#include "convolve/pixels/direct_spin.cuh"
#include "convolve/pixels/ring_cpu.h"
#include "convolve/pixels/ring_sums.cuh"
#include "convolve/pixels/spin_rings.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::direct;
using namespace armilla::test;

namespace {

// Results that depend only on barriers are equal in both orders.
constexpr DeviceThreads::Order kOrders[] = {DeviceThreads::Order::Forward,
                                            DeviceThreads::Order::Backward};

unsigned blocksOf(int64_t count, int64_t each) {
    return static_cast<unsigned>((count + each - 1) / each);
}

// Launches as in direct_cuda.cu.
std::vector<double> sumsOfKernels(const HealpixRings& rings, const ProfileTable& table,
                                  const std::vector<double>& map) {
    const int64_t nside = rings.nside;
    const ProfileView view = table.view();
    std::vector<double> result(map.size(), std::nan(""));
    const std::vector<double> factor(rings.ring.size(),
                                     4.0 * kPi / static_cast<double>(map.size()));
    const std::vector<int64_t> offsets = eighthOffsets(rings);
    std::vector<RingSpan> around(rings.ring.size());
    std::vector<double> images(static_cast<size_t>(offsets.back()) * kEighthImages, std::nan(""));
    const Grid grid{nside,         rings.ring.data(), rings.theta.data(),
                    factor.data(), offsets.data(),    around.data()};
    DeviceThreads& device = DeviceThreads::here();
    device.launch({blocksOf(rings.count, 64)}, {64}, 0, [&] {
        spansKernel(rings.theta.data(), rings.count, table.radius(), around.data());
    });
    device.launch({blocksOf(nside / 2 + 1, 32), static_cast<unsigned>(2 * nside)}, {32, 8}, 0,
                  [&] { eighthsKernel<double>(grid, map.data(), images.data()); });
    const auto longest = [&](int64_t r) {
        return rings.ring[static_cast<size_t>(r)].quarter / 2 + 1;
    };
    const RingSpan belt = beltTargets(rings, table.radius(), view.end);
    const int64_t capLast = std::min(belt.first - 1, 2 * nside);
    const int64_t byImages = firstByImages(rings, capLast, table.radius(), view.end);
    if (byImages > 1)
        device.launch(
            {blocksOf(longest(byImages - 1), kPolarThreads), static_cast<unsigned>(byImages - 1)},
            {kPolarThreads}, 0,
            [&] { polarKernel<double>(grid, view, 1, map.data(), result.data()); });
    if (byImages <= capLast)
        device.launch(
            {blocksOf(longest(capLast), kCapTargets), blocksOf(capLast - byImages + 1, kCapWarps)},
            {32, kCapWarps}, 0, [&] {
                capKernel<double>(grid, view, byImages, capLast, images.data(), result.data());
            });
    if (belt.first > belt.last) return result;
    const RingSpan span = ringsAround(rings.theta.data(), rings.count, belt.first, table.radius());
    const RingSpan most = ringsAround(rings.theta.data(), rings.count, 2 * nside, table.radius());
    const double reach =
        2.0 * std::asin(std::sqrt(0.5 * view.end) / rings.ring[static_cast<size_t>(span.first)].s);
    const int pairs = static_cast<int>(reach / kHalfPi * static_cast<double>(nside)) + 2;
    const int rows = static_cast<int>(most.last - most.first) + kRings + 2;
    const unsigned groups = blocksOf(belt.last - belt.first + 1, kRings);
    std::vector<double> weights(
        static_cast<size_t>(groups) * static_cast<size_t>(rows * pairs) * kRings, std::nan(""));
    std::vector<int> counts(static_cast<size_t>(groups) * static_cast<size_t>(rows), 1 << 20);
    const BeltTable beltTable{belt.first, belt.last, pairs, rows, weights.data(), counts.data()};
    device.launch({static_cast<unsigned>(rows), groups}, {64}, 0,
                  [&] { beltTableKernel(grid, view, beltTable); });
    const auto bytes = static_cast<size_t>(BeltStages<double>(pairs).bytes());
    device.launch({blocksOf(4 * nside, kBlockColumns), groups}, {kBeltThreads}, bytes,
                  [&] { beltKernel<double>(grid, beltTable, map.data(), result.data()); });
    return result;
}

// Modes of the rings of pairs, all from m = 0 on.
struct RingModes {
    struct Pair {
        int64_t south;
        size_t at;
    };
    const Pair* rings;
    double2* values;
    size_t modes;

    double2* mode(const Pair& pair, bool south, int m) const {
        return values + 2 * pair.at * modes + (south ? modes : 0) + static_cast<size_t>(m);
    }
};

using Maps = std::vector<std::vector<double>>;

// The steps of ring_sums_cuda.cu, for one map or for Q and U, with Fourier sums by definition.
Maps ringSumsOfKernels(const HealpixRings& rings, const ProfileTable& table, int lastL,
                       const Maps& maps, bool& folded) {
    using Complex = std::complex<double>;
    const int64_t nside = rings.nside;
    const ProfileView view = table.view();
    std::vector<rings::Group> groups[2];
    int most = 0;
    for (const RingBlock& block : ringBlocks(rings, table.radius(), view.end, lastL)) {
        groups[block.folded ? 1 : 0].push_back(rings::groupOf(block));
        most = std::max(most, block.modes);
    }
    folded = !groups[1].empty();
    std::vector<RingModes::Pair> pairs;
    for (int64_t r = 1; r <= 2 * nside; ++r)
        pairs.push_back({r < 2 * nside ? 4 * nside - r : -1, static_cast<size_t>(r) - 1});
    const auto modes = static_cast<size_t>(most);
    std::vector<std::vector<double2>> from(maps.size(),
                                           std::vector<double2>(2 * pairs.size() * modes)),
        to = from;
    std::vector<RingModes> source, sums;
    for (size_t map = 0; map < maps.size(); ++map) {
        source.push_back({pairs.data(), from[map].data(), modes});
        sums.push_back({pairs.data(), to[map].data(), modes});
    }
    const double area = 4.0 * kPi / static_cast<double>(maps[0].size());
    const auto ofEach = [&](const auto& body) {
        for (const RingModes::Pair& pair : pairs)
            for (const bool south : {false, true}) {
                if (south && pair.south < 0) continue;
                const auto r = south ? static_cast<size_t>(pair.south) : pair.at + 1;
                const HealpixRing& ring = rings.ring[r];
                for (int64_t j = 0; j < 4 * ring.quarter; ++j)
                    body(pair, south, static_cast<size_t>(ring.first + j),
                         kHalfPi * (static_cast<double>(j) + ring.shift) /
                             static_cast<double>(ring.quarter));
            }
    };
    ofEach([&](const RingModes::Pair& pair, bool south, size_t p, double phi) {
        for (int m = 0; m < most; ++m)
            for (size_t map = 0; map < maps.size(); ++map) {
                const Complex value = area * maps[map][p] * std::polar(1.0, -m * phi);
                double2& sum = *source[map].mode(pair, south, m);
                sum = {sum.x + value.real(), sum.y + value.imag()};
            }
    });
    const auto launch = [&](auto kind, std::vector<rings::Group>& of) {
        constexpr bool kFolded = decltype(kind)::value;
        int64_t weightsAt = 0, countsAt = 0;
        for (rings::Group& group : of) {
            group.weightsAt = weightsAt;
            group.countsAt = countsAt;
            weightsAt += static_cast<int64_t>(group.sources()) * group.terms * rings::kTargets;
            countsAt += group.sources();
        }
        std::vector<double> weights(static_cast<size_t>(weightsAt), std::nan(""));
        std::vector<int> counts(static_cast<size_t>(countsAt));
        DeviceThreads& device = DeviceThreads::here();
        const auto rows = static_cast<unsigned>(of.size());
        const auto weigh = [&](auto part) {
            std::fill(counts.begin(), counts.end(), 0);
            device.launch({2, rows}, {rings::kSumThreads}, 0, [&] {
                rings::weightsKernel<kFolded, part()>(of.data(), rings.ring.data(),
                                                      rings.theta.data(), view, weights.data(),
                                                      counts.data());
            });
        };
        const auto sum = [&](auto part, size_t a, size_t b, double turn) {
            device.launch({blocksOf(most, rings::kSumThreads), rows}, {rings::kSumThreads}, 0, [&] {
                rings::ringSumsKernel<kFolded, part()>(of.data(), nside, weights.data(),
                                                       counts.data(), source[a], sums[b], turn);
            });
        };
        using rings::Part;
        if (maps.size() == 1) {
            const std::integral_constant<Part, Part::Radial> radial;
            weigh(radial);
            return sum(radial, 0, 0, 0.0);
        }
        const std::integral_constant<Part, Part::Even> even;
        weigh(even);
        sum(even, 0, 0, 0.0);
        sum(even, 1, 1, 0.0);
        const std::integral_constant<Part, Part::Odd> odd;
        weigh(odd);
        sum(odd, 1, 0, 1.0);
        sum(odd, 0, 1, -1.0);
    };
    launch(std::false_type(), groups[0]);
    if (folded) launch(std::true_type(), groups[1]);
    Maps result(maps.size(), std::vector<double>(maps[0].size()));
    ofEach([&](const RingModes::Pair& pair, bool south, size_t p, double phi) {
        for (int m = 0; m < most; ++m)
            for (size_t map = 0; map < maps.size(); ++map) {
                const double2 s = *sums[map].mode(pair, south, m);
                result[map][p] +=
                    (m == 0 ? 1.0 : 2.0) * (s.x * std::cos(m * phi) - s.y * std::sin(m * phi));
            }
    });
    return result;
}

// The steps of spin_cuda.cu.
Maps spinSumsOfKernels(const HealpixRings& rings, const ProfileTable& table, const Maps& maps) {
    const int64_t nside = rings.nside;
    Maps result(2, std::vector<double>(maps[0].size(), std::nan("")));
    const std::vector<double> factor = ringFactors(rings, {});
    std::vector<RingSpan> around(rings.ring.size());
    const Grid grid{nside,         rings.ring.data(), rings.theta.data(),
                    factor.data(), nullptr,           around.data()};
    DeviceThreads& device = DeviceThreads::here();
    device.launch({blocksOf(rings.count, 64)}, {64}, 0, [&] {
        spansKernel(rings.theta.data(), rings.count, table.radius(), around.data());
    });
    // In two pieces.
    const int64_t first = nside / 2 + 1;
    for (const RingSpan span : {RingSpan{1, first - 1}, RingSpan{first, 2 * nside}}) {
        const int64_t longest = rings.ring[static_cast<size_t>(span.last)].quarter / 2 + 1;
        device.launch(
            {blocksOf(longest, kPolarThreads), static_cast<unsigned>(span.last - span.first + 1)},
            {kPolarThreads}, 0, [&] {
                spinKernel(grid, table.view(), span.first, maps[0].data(), maps[1].data(),
                           result[0].data(), result[1].data());
            });
    }
    return result;
}

// G of a Gaussian of this FWHM, truncated where `left` of it lies beyond.
ProfileTable spinTable(const Kernel& kernel, double left, JobContext& job) {
    const std::vector<double> bl = kernel.coefficients(*kernel.lastL(), job).bl[0];
    return {ProfileSource{[&](std::span<const double> angles) { return spinProfile(bl, angles); },
                          kernel.gaussianWidth(),
                          {},
                          kernel.scale()},
            kernel.truncationRadius(left, {}, job)};
}

double worstOf(const Maps& truth, const Maps& found) {
    double worst = 0.0;
    for (size_t map = 0; map < truth.size(); ++map)
        worst = std::max(worst, peakError(found[map], truth[map]));
    return worst;
}

}  // namespace

class DirectKernelsTest : public QObject {
    Q_OBJECT
private slots:
    void sumsAreThoseOfTheCpu_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<double>("arcmin");
        QTest::addColumn<bool>("table");
        QTest::newRow("no power of two") << 100 << 90.0 << false;
        // Unshifted rings have one target more than a multiple of a warp.
        QTest::newRow("power of two") << 64 << 200.0 << false;
        QTest::newRow("profile") << 64 << 200.0 << true;
        QTest::newRow("wide") << 16 << 2000.0 << false;
    }
    void sumsAreThoseOfTheCpu() {
        QFETCH(int, nside);
        QFETCH(double, arcmin);
        QFETCH(bool, table);
        const HealpixRings rings(nside);
        JobContext job;
        const double fwhm = arcmin * kArcmin;
        const Kernel gaussian = Kernel::gaussian(fwhm);
        const ProfileTable profile =
            table ? ProfileTable(Kernel::topHat(2.0 * fwhm), 2.0 * fwhm)
                  : ProfileTable(gaussian, gaussian.truncationRadius(3e-7, {}, job));
        const std::vector<double> map = noiseMap(nside, 5);
        std::vector<double> truth(map.size());
        const DirectPlane<double> plane{map.data(), truth.data(), false};
        DirectSums(nside, profile, {}, 1.0)
            .execute(std::span<const DirectPlane<double>>(&plane, 1), job);
        for (const auto order : kOrders) {
            DeviceThreads::here().order = order;
            const std::vector<double> found = sumsOfKernels(rings, profile, map);
            // Sums of some hundred or thousand terms of random signs, of an epsilon each, and
            // series to 4e-15 of the peak.
            ARMILLA_VERIFY_BELOW(peakError(found, truth), 1e-13);
        }
    }

    // On a device, wide kernels are cheaper by harmonics and intermediate ones by rings.
    void choosesByWidth() {
        Device device = Device::cpu();
        device.kind = DeviceKind::Cuda;
        JobContext job;
        const auto chosen = [&](double arcmin) {
            const Kernel kernel = Kernel::gaussian(arcmin * kArcmin);
            return chosenMethod(kernel, kernel.truncationRadius(3e-7, {}, job), 2048, device, 1,
                                job);
        };
        QCOMPARE(chosen(4.7), SmoothMethod::Direct);
        QCOMPARE(chosen(10.0), SmoothMethod::Direct);
        QCOMPARE(chosen(14.0), SmoothMethod::Ring);
        QCOMPARE(chosen(20.0), SmoothMethod::Harmonic);
        QCOMPARE(chosen(60.0), SmoothMethod::Harmonic);
    }

    // A drag over widths changes rings and modes at each step. The modes kept for a map are
    // recomputed a few times during the drag, and serve every width.
    void modesServeADrag() {
        constexpr int64_t nside = 256;
        const HealpixRings rings(nside);
        JobContext job;
        std::vector<int> held(static_cast<size_t>(2 * nside), -1);
        int made = 0;
        const auto step = [&](double arcmin) {
            const Kernel kernel = Kernel::gaussian(arcmin * kArcmin);
            const ProfileTable profile(kernel, kernel.truncationRadius(1e-10, {}, job));
            const std::vector<int> needed = sourceModes(
                rings, ringBlocks(rings, profile.radius(), profile.view().end, *kernel.lastL()));
            made += widenModes(held, needed, nside) ? 1 : 0;
            for (size_t i = 0; i < held.size(); ++i) QVERIFY(held[i] >= needed[i]);
        };
        for (int i = 0; i < 200; ++i) step(120.0 * std::pow(1.0 + 1e-3, i));
        QVERIFY2(made <= 2, qPrintable(QString::number(made)));
        // From 150 to 60 arcmin modes grow by 2.5: a quarter each time.
        for (int i = 0; i < 200; ++i) step(150.0 * std::pow(0.4, i / 199.0));
        QVERIFY2(made <= 7, qPrintable(QString::number(made)));
    }

    void ringSumsAreThoseOfTheCpu_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<double>("arcmin");
        QTest::addColumn<bool>("folds");
        QTest::newRow("narrow") << 32 << 300.0 << true;
        QTest::newRow("no power of two") << 20 << 480.0 << true;
        QTest::newRow("of some pixels") << 16 << 1500.0 << false;
        QTest::newRow("wide") << 8 << 5000.0 << false;
    }
    // One field, and Q and U. Both use the same modes of the same samples, so the edge of the
    // kernel affects both equally, and only rounding differs.
    void ringSumsAreThoseOfTheCpu() {
        QFETCH(int, nside);
        QFETCH(double, arcmin);
        QFETCH(bool, folds);
        const HealpixRings rings(nside);
        JobContext job;
        const Kernel kernel = Kernel::gaussian(arcmin * kArcmin);
        const auto compare = [&](const ProfileTable& profile, const Maps& maps, const Maps& truth) {
            for (const auto order : kOrders) {
                DeviceThreads::here().order = order;
                bool folded = false;
                const Maps found = ringSumsOfKernels(rings, profile, *kernel.lastL(), maps, folded);
                QCOMPARE(folded, folds);
                // Sums of some hundred modes with an error of epsilon each; angles m phi, up to
                // some thousand, have an error of some hundred epsilon here.
                ARMILLA_VERIFY_BELOW(worstOf(truth, found), 1e-12);
            }
        };
        const Maps maps{noiseMap(nside, 5), noiseMap(nside, 6)};
        for (const double left : {1e-10, 1e-6}) {
            const ProfileTable profile(kernel, kernel.truncationRadius(left, {}, job));
            Maps truth{std::vector<double>(maps[0].size())};
            const DirectPlane<double> plane{maps[0].data(), truth[0].data(), false};
            RingSums(nside, profile, *kernel.lastL(), {}, 1.0, job)
                .execute(std::span<const DirectPlane<double>>(&plane, 1), job);
            compare(profile, {maps[0]}, truth);

            const ProfileTable spins = spinTable(kernel, left, job);
            truth.assign(2, std::vector<double>(maps[0].size()));
            const SpinSums::Maps planes{maps[0], maps[1], truth[0], truth[1]};
            SpinRings(nside, spins, *kernel.lastL(), {}, job).execute(planes, job);
            compare(spins, maps, truth);
            SpinSums(nside, spins, {}).execute(planes, job);
            // Both add the same terms of the same table in another order: 450 machine epsilons.
            ARMILLA_VERIFY_BELOW(worstOf(truth, spinSumsOfKernels(rings, spins, maps)), 1e-13);
        }
    }
};

QTEST_APPLESS_MAIN(DirectKernelsTest)
#include "tst_direct_kernels.moc"
