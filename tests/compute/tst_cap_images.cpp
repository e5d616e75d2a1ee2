// SPDX-License-Identifier: GPL-3.0-or-later
// Direct sums in the caps by images, in the steps of the CUDA kernel, against those of the CPU.
#include <QtTest>
#include <array>
#include <cmath>
#include <set>

#include "compute/convolution_cases.h"
#include "convolve/cap_images.h"
#include "convolve/direct_cpu.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

struct Eighths {
    std::vector<int64_t> offsets;
    std::vector<double> images;

    Eighths(const HealpixRings& rings, const std::vector<double>& map)
        : offsets(eighthOffsets(rings)),
          images(static_cast<size_t>(offsets.back()) * kEighthImages) {
        for (int64_t r = 1; r <= 2 * rings.nside; ++r) {
            const HealpixRing& north = rings.ring[static_cast<size_t>(r)];
            const HealpixRing& south = rings.ring[static_cast<size_t>(4 * rings.nside - r)];
            for (int x = 0; x < eighthCount(north); ++x)
                for (int image = 0; image < kEighthImages; ++image)
                    images[static_cast<size_t>(
                        (offsets[static_cast<size_t>(r)] + x) * kEighthImages + image)] =
                        map[static_cast<size_t>(imagePixel(north, south, image, x))];
        }
    }
};

// What a warp of the kernel does for targets `begin` and on of ring r.
void sumTargets(const HealpixRings& rings, const ProfileTable& table, double factor,
                const Eighths& eighths, int64_t r, int begin, std::vector<double>& result) {
    const ProfileView profile = table.view();
    const HealpixRing& target = rings.ring[static_cast<size_t>(r)];
    const int targets = eighthCount(target);
    const double q = static_cast<double>(target.quarter), inverseQ = 1.0 / q;
    const RingSpan span = ringsAround(rings.theta.data(), rings.count, r, table.radius());
    std::array<std::array<double, 8>, 32> sum{};
    for (int64_t k = span.first; k <= span.last; ++k) {
        const CapSource source(target, rings.ring[static_cast<size_t>(k)], profile.end);
        if (source.half < 0.0) continue;
        int base = 1 << 30, end = -(1 << 30);
        for (int t = 0; t < kCapTargets && begin + t < targets; ++t) {
            const CapTaps taps =
                capTaps(source, source.numerator(begin + t + target.shift), inverseQ);
            base = std::min(base, taps.first - t);
            end = std::max(end, taps.last - t);
        }
        const int length = end - base + 1;
        const bool south = k > 2 * rings.nside;
        const auto first = eighths.offsets[static_cast<size_t>(south ? rings.count + 1 - k : k)];
        for (int i = 0; i < length; ++i)
            for (int lane = 0; lane < 32; ++lane)
                for (int v = 0; v < 8; ++v) {
                    const int t = 8 * (lane >> 4) + v, x = base + t + i;
                    const double y =
                        source.distance(source.numerator(begin + t + target.shift), x, q);
                    const double w = begin + t < targets ? factor * profile(y) : 0.0;
                    const int own = (lane & 15) ^ (south ? 8 : 0);
                    const EighthPlace at = inEighth(x, own, source.quarter, source.twice);
                    // Where the kernel does not ask, since it need not.
                    if (base >= 0 && base + length + 24 <= (source.quarter - source.twice) / 2)
                        QVERIFY(at.x == x && at.image == own);
                    sum[static_cast<size_t>(lane)][static_cast<size_t>(v)] +=
                        w *
                        eighths
                            .images[static_cast<size_t>((first + at.x) * kEighthImages + at.image)];
                }
    }
    const HealpixRing& mirror = rings.ring[static_cast<size_t>(rings.count + 1 - r)];
    for (int image = 0; image < kEighthImages; ++image)
        for (int t = 0; t < kCapTargets && begin + t < targets; ++t)
            if (!repeatsImage(target, r == 2 * rings.nside, image, begin + t))
                result[static_cast<size_t>(imagePixel(target, mirror, image, begin + t))] =
                    sum[static_cast<size_t>(image + 16 * (t / 8))][static_cast<size_t>(t % 8)];
}

}  // namespace

class CapImagesTest : public QObject {
    Q_OBJECT
private slots:
    // Each pixel of the map is one image of one pixel of the eighths.
    void imagesAreTheMap() {
        for (const int64_t nside : {1, 2, 5, 8, 13}) {
            const HealpixRings rings(nside);
            std::set<int64_t> seen;
            for (int64_t r = 1; r <= 2 * nside; ++r) {
                const HealpixRing& north = rings.ring[static_cast<size_t>(r)];
                const HealpixRing& south = rings.ring[static_cast<size_t>(4 * nside - r)];
                for (int x = 0; x < eighthCount(north); ++x)
                    for (int image = 0; image < kEighthImages; ++image)
                        if (!repeatsImage(north, r == 2 * nside, image, x))
                            QVERIFY(seen.insert(imagePixel(north, south, image, x)).second);
            }
            QCOMPARE(static_cast<int64_t>(seen.size()), 12 * nside * nside);
            QCOMPARE(*seen.begin(), 0);
            QCOMPARE(*seen.rbegin(), 12 * nside * nside - 1);
        }
    }

    void sumsAreThoseOfTheCpu_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<double>("arcmin");
        QTest::addColumn<int>("step");  // every ring, or some
        QTest::newRow("nside 100") << 100 << 90.0 << 1;
        QTest::newRow("nside 128, narrow") << 128 << 40.0 << 1;
        QTest::newRow("nside 128") << 128 << 120.0 << 3;
        // Targets and sources up to the equator and beyond.
        QTest::newRow("wide") << 128 << 800.0 << 40;
    }
    void sumsAreThoseOfTheCpu() {
        QFETCH(int, nside);
        QFETCH(double, arcmin);
        QFETCH(int, step);
        const HealpixRings rings(nside);
        const Kernel kernel = Kernel::gaussian(arcmin * kArcmin);
        JobContext job;
        const ProfileTable table(kernel, kernel.truncationRadius(3e-7, {}, job));
        const std::vector<double> map = noiseMap(nside, 5);
        std::vector<double> truth(map.size()), found(map.size(), std::nan(""));
        const DirectPlane<double> plane{map.data(), truth.data(), false};
        DirectSums(nside, table, {}, 1.0)
            .execute(std::span<const DirectPlane<double>>(&plane, 1), job);
        const Eighths eighths(rings, map);
        const int64_t last = 2 * nside;
        const int64_t first = firstByImages(rings, last, table.radius(), table.view().end);
        QVERIFY(first <= last);
        const double factor = 4.0 * kPi / static_cast<double>(map.size());
        double worst = 0.0, largest = 0.0;
        for (const double value : truth) largest = std::max(largest, std::abs(value));
        for (int64_t r = last; r >= first; r -= step) {
            const HealpixRing& ring = rings.ring[static_cast<size_t>(r)];
            for (int begin = 0; begin < eighthCount(ring); begin += kCapTargets)
                sumTargets(rings, table, factor, eighths, r, begin, found);
            for (const int64_t k : {r, 4 * nside - r})
                for (int64_t j = 0; j < 4 * ring.quarter; ++j) {
                    const auto p =
                        static_cast<size_t>(rings.ring[static_cast<size_t>(k)].first + j);
                    QVERIFY(!std::isnan(found[p]));
                    worst = std::max(worst, std::abs(truth[p] - found[p]));
                }
        }
        // Series to 4e-15 of the peak against the profile itself, and sums of some hundred or
        // thousand terms of random signs, of an epsilon each.
        ARMILLA_VERIFY_BELOW(worst / largest, 1e-12);
    }
};

QTEST_APPLESS_MAIN(CapImagesTest)
#include "tst_cap_images.moc"
