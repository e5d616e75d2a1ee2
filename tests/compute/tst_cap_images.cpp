// SPDX-License-Identifier: GPL-3.0-or-later
// Direct sums in the caps by images, in the steps of the CUDA kernel, compared with the CPU.
#include <QtTest>
#include <array>
#include <cmath>
#include <set>

#include "compute/convolution_cases.h"
#include "convolve/pixels/cap_images.h"
#include "convolve/pixels/direct_cpu.h"
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

// Pixel j of ring r and its images, as in the kernel: taps, weights and positions of sources.
void sumTarget(const HealpixRings& rings, const ProfileTable& table, double factor,
               const Eighths& eighths, int64_t r, int j, std::vector<double>& result) {
    const ProfileView profile = table.view();
    const HealpixRing& target = rings.ring[static_cast<size_t>(r)];
    const double q = static_cast<double>(target.quarter);
    const RingSpan span = ringsAround(rings.theta.data(), rings.count, r, table.radius());
    std::array<double, kEighthImages> sum{};
    for (int64_t k = span.first; k <= span.last; ++k) {
        const CapSource source(target, rings.ring[static_cast<size_t>(k)], profile.end);
        if (source.half < 0.0) continue;
        const double numerator = source.numerator(j + target.shift);
        const CapTaps taps = capTaps(source, numerator, q, 1.0 / q, profile.end);
        const bool south = k > 2 * rings.nside;
        const auto first = eighths.offsets[static_cast<size_t>(south ? rings.count + 1 - k : k)];
        for (int x = taps.first; x <= taps.last; ++x) {
            const double w = factor * profile(source.distance(numerator, x, q));
            QVERIFY(w != 0.0);
            for (int image = 0; image < kEighthImages; ++image) {
                const int own = image ^ (south ? 8 : 0);
                const EighthPlace at = inEighth(x, own, source.quarter, source.twice);
                sum[static_cast<size_t>(image)] +=
                    w *
                    eighths.images[static_cast<size_t>((first + at.x) * kEighthImages + at.image)];
            }
        }
    }
    const HealpixRing& mirror = rings.ring[static_cast<size_t>(rings.count + 1 - r)];
    for (int image = 0; image < kEighthImages; ++image)
        if (!repeatsImage(target, r == 2 * rings.nside, image, j))
            result[static_cast<size_t>(imagePixel(target, mirror, image, j))] =
                sum[static_cast<size_t>(image)];
}

}  // namespace

class CapImagesTest : public QObject {
    Q_OBJECT
private slots:
    // Each pixel of the map is one image of one pixel of an eighth.
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
            for (int j = 0; j < eighthCount(ring); ++j)
                sumTarget(rings, table, factor, eighths, r, j, found);
            for (const int64_t k : {r, 4 * nside - r})
                for (int64_t j = 0; j < 4 * ring.quarter; ++j) {
                    const auto p =
                        static_cast<size_t>(rings.ring[static_cast<size_t>(k)].first + j);
                    QVERIFY(!std::isnan(found[p]));
                    worst = std::max(worst, std::abs(truth[p] - found[p]));
                }
        }
        // Series to 4e-15 of the peak compared with the profile itself, and sums of some hundred or
        // thousand terms of random signs, with an error of epsilon each.
        ARMILLA_VERIFY_BELOW(worst / largest, 1e-12);
    }
};

QTEST_APPLESS_MAIN(CapImagesTest)
#include "tst_cap_images.moc"
