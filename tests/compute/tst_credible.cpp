// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>
#include <limits>
#include <numeric>

#include "armilla/core/error.h"
#include "armilla/core/nan.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/ops/credible.h"
#include "armilla/ops/credible_volume.h"
#include "support/tolerance.h"

using namespace armilla;

class CredibleTest : public QObject {
    Q_OBJECT
    JobContext job_;

    static HealpixMap gaussian(int64_t nside, double sigma) {
        std::vector<double> values;
        for (int64_t p = 0; p < pixelCount(nside); ++p) {
            const double d = angularDistance(directionFromRing(nside, p), {0.0, 0.6, 0.8});
            values.push_back(std::exp(-0.5 * d * d / (sigma * sigma)));
        }
        return {nside,
                Ordering::Ring,
                Frame::Equatorial,
                {{"PROB", "pix-1", DiskType::Float64, values}}};
    }

    // Probabilities with distances of nside 2; DISTMU is infinite in the pixels of `without`.
    static HealpixMap withDistances(const std::vector<int64_t>& without = {}) {
        std::vector<double> probability, mu, sigma, norm;
        double sum = 0.0;
        for (int i = 0; i < 48; ++i) {
            probability.push_back(std::exp(-i / 9.0));
            sum += probability.back();
            mu.push_back(100.0 + 37.0 * std::sin(i) - (i % 7 == 3 ? 180.0 : 0.0));
            sigma.push_back(20.0 + 6.0 * (i % 5));
            const double step = sigma.back() / 1000.0;
            double integral = 0.0;
            for (double r = 0.0; r < mu.back() + 40.0 * sigma.back(); r += step) {
                const double z = (r - mu.back()) / sigma.back();
                integral += r * r * std::exp(-0.5 * z * z);
            }
            norm.push_back(std::sqrt(kTwoPi) * sigma.back() / (integral * step));
        }
        for (double& each : probability) each /= sum;
        for (const int64_t pixel : without)
            mu[static_cast<size_t>(pixel)] = std::numeric_limits<double>::infinity();
        return {2,
                Ordering::Ring,
                Frame::Equatorial,
                {{"PROB", "pix-1", DiskType::Float64, probability},
                 {"DISTMU", "Mpc", DiskType::Float64, mu},
                 {"DISTSIGMA", "Mpc", DiskType::Float64, sigma},
                 {"DISTNORM", "Mpc-2", DiskType::Float64, norm}}};
    }

private slots:
    // By hand: twelve pixels, 6 of 10 in one, 3 in another, 1 in a third. Their levels are 0.6, 0.9
    // and 1; a region holds the levels up to its fraction, and the pixels of 0 have level 1.
    void byHand() {
        std::vector<float> values(12, 0.0F);
        values[3] = 3.0F;
        values[5] = 6.0F;
        values[7] = 1.0F;
        const HealpixMap map(1, Ordering::Ring, Frame::Galactic,
                             {{"PROB", "", DiskType::Float32, values}});
        const auto regions = credibleRegions(map, 0, {0.5, 0.6, 0.61, 0.9, 0.99, 1.0}, job_);
        const double thresholds[] = {std::numeric_limits<double>::infinity(), 6, 6, 3, 3, 0};
        const double pixels[] = {0, 1, 1, 2, 2, 12};
        for (size_t i = 0; i < 6; ++i) {
            QCOMPARE(regions[i].threshold, thresholds[i]);
            // The areas are sums of twelve pixels, so rounding is about 1e-15 sr.
            QVERIFY(std::fabs(regions[i].area - pixels[i] * kPi / 3.0) < 1e-12);
        }
    }
    // Regions and levels are one definition: a pixel is inside if its level is at most the
    // fraction. Values repeat, and span buckets of the sums.
    void regionsHoldLevels() {
        std::vector<double> values;
        for (int64_t p = 0; p < pixelCount(16); ++p)
            values.push_back(std::exp(-static_cast<double>((p * 7919) % 600) / 40.0));
        const HealpixMap map(16, Ordering::Ring, Frame::Galactic,
                             {{"PROB", "", DiskType::Float64, values}});
        const CredibleLevels levels = credibleLevels(map, 0, job_);
        const std::vector<double> shares{0.001, 0.01, 0.1, 0.5, 0.683, 0.9, 0.99, 1.0};
        for (const CredibleRegion& region : credibleRegions(map, 0, shares, job_))
            for (size_t p = 0; p < values.size(); ++p)
                QCOMPARE(values[p] >= region.threshold, isInRegion(levels.levels[p], region.share));
    }
    // A Gaussian holds 1 - exp(-r^2 / 2 s^2) within r. The formula of the plane is accurate to
    // sigma^2 = 0.3 %, and the pixelization to half a ring of pixels at the edge.
    void areasOfAGaussian() {
        const double sigma = 3.0 * kDegree;
        const HealpixMap map = gaussian(128, sigma);
        for (const double share : {0.5, 0.9, 0.99}) {
            const CredibleRegion region = credibleRegions(map, 0, {share}, job_).front();
            const double expected = -2.0 * std::log1p(-share) * kPi * sigma * sigma;
            const double side = std::sqrt(4.0 * kPi / static_cast<double>(map.pixelCount()));
            const double edge = 2.0 * std::sqrt(kPi * expected) * side;
            QVERIFY2(std::fabs(region.area - expected) < 0.003 * expected + 0.5 * edge,
                     qPrintable(QString("%1 %2").arg(region.area).arg(expected)));
            QVERIFY(std::fabs(region.threshold - (1.0 - share)) < 0.03);
        }
    }
    // Cells of several orders are densities: one of order 0 weighs as much as 16 of order 2.
    void areasCount() {
        const HealpixMap map = HealpixMap::multiOrder(
            4, Frame::Equatorial, {0, 16}, {0, 2},
            {{"PROBDENSITY", "sr-1", DiskType::Float64, std::vector<double>{1.0, 4.0}}});
        // 4 * 1 and 1 * 16: the small bright cell holds a fifth.
        const auto regions = credibleRegions(map, 0, {0.19, 0.2, 1.0}, job_);
        QVERIFY(std::isinf(regions[0].threshold));
        QCOMPARE(regions[1].threshold, 4.0);
        QVERIFY(std::fabs(regions[1].area - kPi / 48.0) < 1e-15);
        QCOMPARE(regions[2].threshold, 0.0);
    }
    // A sum of 1.0004 is taken as 1: the level of the faintest pixel is 1, not above it.
    void levelsUpToOne() {
        std::vector<double> values(12, 0.0);
        values[3] = 0.3;
        values[5] = 0.6;
        values[7] = 0.1004;
        const HealpixMap map(1, Ordering::Ring, Frame::Galactic,
                             {{"PROB", "", DiskType::Float64, values}});
        const CredibleLevels found = credibleLevels(map, 0, job_);
        QVERIFY(!found.isNormalized);
        QCOMPARE(found.levels[5], 0.6);
        QCOMPARE(found.levels[3], 0.9);
        QCOMPARE(found.levels[7], 1.0);
        QCOMPARE(found.levels[0], 1.0);
    }
    // Small negative values, as smoothing leaves them, count as 0: 2e-7 of the sum; 2e-6 is
    // refused.
    void smallNegativesCountAsZero() {
        const auto mapOf = [](double below) {
            std::vector<double> values(12, 0.0);
            values[3] = 3.0;
            values[5] = 7.0;
            values[6] = values[8] = -below;
            return HealpixMap(1, Ordering::Ring, Frame::Galactic,
                              {{"PROB", "", DiskType::Float64, values}});
        };
        const CredibleLevels levels = credibleLevels(mapOf(1e-6), 0, job_);
        QVERIFY(std::abs(levels.negativeShare - 2e-7) < 1e-20);
        QVERIFY(std::abs(levels.levels[5] - 0.7) < 1e-15);
        QCOMPARE(levels.levels[6], 1.0);
        QCOMPARE(credibleRegions(mapOf(1e-6), 0, {0.8}, job_).front().threshold, 7.0);
        QVERIFY_EXCEPTION_THROWN(credibleLevels(mapOf(1e-5), 0, job_), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(credibleRegions(mapOf(1e-5), 0, {0.8}, job_), InvalidArgument);
    }
    // Thresholds and volumes by scipy: quad over r for each pixel, brentq for the ends of the
    // distances and for the threshold, to 1e-12.
    //   P = np.exp(-i/9.0); P /= P.sum(); mu = 100+37*np.sin(i)-np.where(i%7==3,180,0)
    //   sig = 20+(i%5)*6.0; nm = 1/quad(r*r*norm.pdf(r,mu,sig)); inside(d): P/A*nm*pdf >= d
    void volumesByNumbers() {
        const HealpixMap map = withDistances();
        const auto fields = distanceFields(map, 0);
        QVERIFY(fields);
        const struct {
            double share, threshold, volume;
        } rows[] = {{0.1, 2.482284300491544e-06, 10438.804557045436},
                    {0.5, 1.7214394261437956e-07, 1197409.818580919},
                    {0.9, 1.9918484214012098e-08, 8145365.547515382}};
        for (const auto& row : rows) {
            const CredibleVolume found(map, *fields, row.share, job_);
            // The norms of this test are sums by the trapezoidal rule, to 1e-9.
            ARMILLA_VERIFY_BELOW(std::abs(found.threshold() / row.threshold - 1.0), 1e-8);
            ARMILLA_VERIFY_BELOW(std::abs(found.volume() / row.volume - 1.0), 1e-8);
            QCOMPARE(found.shareWithout(), 0.0);
            for (int64_t pixel = 0; pixel < 48; ++pixel)
                for (double r = 1.0; r < 300.0; r += 7.0)
                    QCOMPARE(found.contains(pixel, r),
                             found.density(pixel, r) >= found.threshold());
            QVERIFY(!found.contains(0, -1.0) && !found.contains(0, kNan));
        }
    }
    // Pixels without a distance hold no volume, and their share is reported.
    void pixelsWithoutDistance() {
        HealpixMap map = withDistances();
        const double lost = map.field(0).at(0) + map.field(0).at(5);
        map = withDistances({0, 5});
        const CredibleVolume found(map, *distanceFields(map, 0), 0.7, job_);
        QVERIFY(std::abs(found.shareWithout() - lost) < 1e-14);
        QVERIFY(!found.contains(0, 100.0) && !found.contains(5, 60.0));
        QVERIFY(found.contains(1, 130.0));
        // The share is of the whole map: that of the map with all distances has more rows outside.
        const CredibleVolume whole(withDistances(), *distanceFields(map, 0), 0.7 - lost, job_);
        QVERIFY(found.threshold() < whole.threshold());
        // Out of reach: every place with a distance is inside.
        const CredibleVolume all(map, *distanceFields(map, 0), 1.0 - 0.5 * lost, job_);
        QVERIFY(all.contains(47, 1e-3) && !all.contains(0, 100.0));
        std::vector<int64_t> every(48);
        std::iota(every.begin(), every.end(), 0);
        map = withDistances(every);
        QVERIFY_EXCEPTION_THROWN(CredibleVolume(map, *distanceFields(map, 0), 0.9, job_),
                                 InvalidArgument);
    }
    void refuses() {
        const auto mapOf = [](float value) {
            return HealpixMap(1, Ordering::Ring, Frame::Galactic,
                              {{"A", "", DiskType::Float32, std::vector<float>(12, value)}});
        };
        QVERIFY_EXCEPTION_THROWN(credibleRegions(mapOf(-1.0F), 0, {0.5}, job_), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(credibleRegions(mapOf(0.0F), 0, {0.5}, job_), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(credibleRegions(mapOf(1.0F), 0, {0.0}, job_), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(credibleRegions(mapOf(1.0F), 0, {1.1}, job_), InvalidArgument);
    }
};

QTEST_APPLESS_MAIN(CredibleTest)
#include "tst_credible.moc"
