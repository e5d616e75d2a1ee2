// SPDX-License-Identifier: GPL-3.0-or-later
// Correlation functions of maps: by pairs compared with a double loop, by spectra with closed
// forms, and both with each other.
#include <QtTest>

#include <random>

#include "armilla/core/error.h"
#include "armilla/core/healpix_map.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/ops/map_correlation.h"
#include "armilla/ops/sht.h"
#include "support/tolerance.h"

using namespace armilla;

namespace {

std::vector<Vec3> centers(int64_t nside) {
    std::vector<Vec3> all;
    for (int64_t p = 0; p < pixelCount(nside); ++p) all.push_back(directionFromRing(nside, p));
    return all;
}
// A Gaussian field of l up to `lmax`, and weights that fall from 1 to 0 towards a circle.
WeightedMap smoothSky(int64_t nside, int lmax, unsigned seed, bool masked) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    Alm alm(lmax, lmax);
    for (int m = 0; m <= lmax; ++m)
        for (int l = std::max(1, m); l <= lmax; ++l)
            alm(l, m) = {normal(random) / l, m == 0 ? 0.0 : normal(random) / l};
    WeightedMap map;
    map.values.resize(static_cast<size_t>(pixelCount(nside)));
    JobContext job;
    ShtPlan({.nside = nside, .lmax = lmax}, Device::cpu())
        .synthesis(alm, std::span<double>(map.values), job);
    for (const Vec3& at : centers(nside))
        map.weights.push_back(masked ? std::clamp(1.5 * (at.x + 0.6), 0.0, 1.0) : 1.0);
    return map;
}

}  // namespace

class tst_map_correlation : public QObject {
    Q_OBJECT

private slots:
    void pairs_data() {
        QTest::addColumn<bool>("cross");
        QTest::newRow("auto") << false;
        QTest::newRow("cross") << true;
    }
    void pairs() {
        QFETCH(bool, cross);
        const int64_t nside = 5;
        JobContext job;
        WeightedMap a = smoothSky(nside, 6, 1, true), b = smoothSky(nside, 6, 2, true);
        a.values[7] = NAN;
        b.weights[8] = NAN;
        prepareMap(a, nside, MapFluctuations::MinusMean);
        prepareMap(b, nside, MapFluctuations::Values);
        const AngularBins bins = angularBins("0.5deg,180deg,9", BinSpacing::Linear);
        const MapCorrelation found =
            correlatePixels(nside, a, cross ? &b : nullptr, bins, Device::cpu(), job);
        const WeightedMap& other = cross ? b : a;
        const std::vector<Vec3> at = centers(nside);
        std::vector<double> sums(9), weights(9);
        std::vector<int64_t> counts(9);
        for (size_t i = 0; i < at.size(); ++i)
            for (size_t j = cross ? 0 : i + 1; j < at.size(); ++j) {
                const double angle = angularDistance(at[i], at[j]) / kDegree;
                const int bin = std::min(8, static_cast<int>((angle - 0.5) / 179.5 * 9));
                if (angle < 0.5 || a.weights[i] == 0.0 || other.weights[j] == 0.0) continue;
                const auto k = static_cast<size_t>(bin);
                ++counts[k];
                weights[k] += a.weights[i] * other.weights[j];
                sums[k] += a.weights[i] * other.weights[j] * a.values[i] * other.values[j];
            }
        QVERIFY(found.pairs == counts);
        for (size_t k = 0; k < 9; ++k)
            // Machine epsilon times the square root of the number of pairs in a bin, at random
            // signs.
            ARMILLA_VERIFY_BELOW(std::abs(found.w[k] - sums[k] / weights[k]), 1e-13);
    }

    // d = z has w = cos(theta) / 3. Its area mean over a bin is the value at the mean of the
    // cosines of the bin's edges.
    void dipole() {
        const int64_t nside = 32;
        JobContext job;
        WeightedMap map;
        for (const Vec3& at : centers(nside)) map.values.push_back(at.z);
        prepareMap(map, nside, MapFluctuations::Values);
        const AngularBins bins = angularBins("0deg,180deg,18", BinSpacing::Linear);
        const MapCorrelation spectrum =
            correlateSpectra(nside, map, nullptr, bins, -1, Device::cpu(), job);
        const AngularBins apart = angularBins("10deg,180deg,17", BinSpacing::Linear);
        const MapCorrelation pixels =
            correlatePixels(nside, map, nullptr, apart, Device::cpu(), job);
        for (size_t k = 0; k < 18; ++k) {
            const double low = 10.0 * static_cast<double>(k) * kDegree, high = low + 10.0 * kDegree;
            const double truth = (std::cos(low) + std::cos(high)) / 6.0;
            // Ring weights leave 1e-9 of a quadrature of low l (tst_weights), and that of z^2 is
            // 1/3.
            ARMILLA_VERIFY_BELOW(std::abs(spectrum.w[k] - truth), 1e-8);
            // Each pair has an angle in the bin. The number of pixels in a ring around a pixel
            // depends on its position, so pairs are not distributed evenly. The effect is 3e-3 of w
            // in these bins, which an independent sum over all pairs confirms.
            if (k > 0) {
                QVERIFY(3.0 * pixels.w[k - 1] <= std::cos(low) + 1e-2);
                QVERIFY(3.0 * pixels.w[k - 1] >= std::cos(high) - 1e-2);
            }
        }
        double all = 0.0;
        for (const double weight : spectrum.weight) all += weight;
        ARMILLA_VERIFY_BELOW(std::abs(all - 1.0), 1e-9);
    }

    void oneBinOfTheWholeSky() {
        const int64_t nside = 8;
        JobContext job;
        WeightedMap map = smoothSky(nside, 8, 3, true);
        for (double& value : map.values) value += 5.0;
        const double mean = prepareMap(map, nside, MapFluctuations::Values);
        const AngularBins bins = angularBins("0deg,180deg,1", BinSpacing::Linear);
        double d = 0.0, dd = 0.0, w = 0.0, ww = 0.0;
        for (size_t p = 0; p < map.values.size(); ++p) {
            d += map.weights[p] * map.values[p];
            dd += std::pow(map.weights[p] * map.values[p], 2);
            w += map.weights[p];
            ww += std::pow(map.weights[p], 2);
        }
        const double pixels = correlatePixels(nside, map, nullptr, bins, Device::cpu(), job).w[0];
        // Both sides are sums over all pixels; machine epsilon times the square root of their
        // number is below 1e-13.
        ARMILLA_VERIFY_BELOW(std::abs(pixels / ((d * d - dd) / (w * w - ww)) - 1.0), 1e-12);
        const double spectrum =
            correlateSpectra(nside, map, nullptr, bins, -1, Device::cpu(), job).w[0];
        // The means by quadrature with ring weights and by plain sums.
        ARMILLA_VERIFY_BELOW(std::abs(spectrum / (mean * mean) - 1.0), 1e-3);
    }

    // Pixel pairs of a bin give a value between the least and the greatest w within the bin,
    // computed finely by spectra. The uneven numbers of pixels around a pixel add an error (see
    // above).
    void bothWays_data() {
        QTest::addColumn<bool>("masked");
        QTest::addColumn<bool>("cross");
        for (const bool masked : {false, true})
            for (const bool cross : {false, true})
                QTest::addRow("%s, %s", masked ? "mask" : "whole sky", cross ? "cross" : "auto")
                    << masked << cross;
    }
    void bothWays() {
        QFETCH(bool, masked);
        QFETCH(bool, cross);
        const int64_t nside = 32;
        JobContext job;
        WeightedMap a = smoothSky(nside, 12, 5, masked), b = smoothSky(nside, 12, 6, masked);
        for (size_t i = 0; i < b.values.size(); ++i) b.values[i] += a.values[i];
        prepareMap(a, nside, MapFluctuations::MinusMean);
        prepareMap(b, nside, MapFluctuations::MinusMean);
        const WeightedMap* const other = cross ? &b : nullptr;
        const AngularBins bins = angularBins("4deg,84deg,20", BinSpacing::Linear),
                          fine = angularBins("4deg,84deg,200", BinSpacing::Linear),
                          zero = angularBins("0deg,0.01deg,1", BinSpacing::Linear);
        const MapCorrelation pixels = correlatePixels(nside, a, other, bins, Device::cpu(), job),
                             curve =
                                 correlateSpectra(nside, a, other, fine, -1, Device::cpu(), job),
                             spectrum =
                                 correlateSpectra(nside, a, other, bins, -1, Device::cpu(), job);
        const double top =
            std::abs(correlateSpectra(nside, a, other, zero, -1, Device::cpu(), job).w[0]);
        for (size_t k = 0; k < 20; ++k) {
            const auto begin = curve.w.begin() + static_cast<ptrdiff_t>(10 * k);
            const auto [least, greatest] = std::minmax_element(begin, begin + 10);
            const double slack = 1e-2 * top;
            QVERIFY(pixels.w[k] >= *least - slack && pixels.w[k] <= *greatest + slack);
            QVERIFY(spectrum.w[k] >= *least - 1e-12 && spectrum.w[k] <= *greatest + 1e-12);
        }
    }

    void contrastOfDensity() {
        const int64_t nside = 4;
        WeightedMap map = smoothSky(nside, 3, 8, false);
        for (double& value : map.values) value = 40.0 + value;
        WeightedMap scaled = map;
        for (double& value : scaled.values) value *= 7.0;
        prepareMap(map, nside, MapFluctuations::Contrast);
        prepareMap(scaled, nside, MapFluctuations::Contrast);
        for (size_t p = 0; p < map.values.size(); ++p)
            // The contrasts are of order 1; a mean over all pixels and one division round by a few
            // machine epsilons.
            ARMILLA_VERIFY_BELOW(std::abs(map.values[p] - scaled.values[p]), 1e-14);
    }

    void refusals() {
        WeightedMap map{std::vector<double>(12, 1.0), {}};
        QVERIFY_EXCEPTION_THROWN(prepareMap(map, 2, MapFluctuations::Values), InvalidArgument);
        map = {std::vector<double>(12, 1.0), std::vector<double>(12, 0.0)};
        QVERIFY_EXCEPTION_THROWN(prepareMap(map, 1, MapFluctuations::Values), InvalidArgument);
        map.weights.assign(12, -1.0);
        QVERIFY_EXCEPTION_THROWN(prepareMap(map, 1, MapFluctuations::Values), InvalidArgument);
        map = {std::vector<double>(12, 0.0), {}};
        QVERIFY_EXCEPTION_THROWN(prepareMap(map, 1, MapFluctuations::Contrast), InvalidArgument);
    }
};

QTEST_GUILESS_MAIN(tst_map_correlation)
#include "tst_map_correlation.moc"
