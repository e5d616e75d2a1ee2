// SPDX-License-Identifier: GPL-3.0-or-later
// Gaussians as sums of polynomials, against their closed form at every l.
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "armilla/core/sky_vector.h"
#include "convolve/live/gaussian_series.h"

using namespace armilla;

namespace {

// sigma of a Gaussian of `arcmin`.
double sigmaOf(double arcmin) {
    return arcmin * kArcmin / std::sqrt(8.0 * std::log(2.0));
}

}  // namespace

class GaussianSeriesTest : public QObject {
    Q_OBJECT
private slots:
    // With the chosen number of terms the series equals the Gaussian; with one term less it does
    // not.
    void sumsAreGaussians_data() {
        QTest::addColumn<int>("lmax");
        QTest::addColumn<double>("arcmin");
        for (const int lmax : {1, 2, 95, 6143})
            for (const double pixels : {0.0, 1e-9, 1e-3, 0.5, 1.0, 2.5, 6.0, 11.0})
                QTest::addRow("lmax %d, %g pixels", lmax, pixels)
                    << lmax << pixels * 1.76 * 6143.5 / std::sqrt(lmax * (lmax + 1.0));
    }
    void sumsAreGaussians() {
        QFETCH(int, lmax);
        QFETCH(double, arcmin);
        const double sigma = sigmaOf(arcmin);
        const std::vector<double> weights = gaussianSeries(sigma, lmax, kMostGaussianTerms);
        QVERIFY(!weights.empty());
        double absolute = 0.0;
        for (const double weight : weights) absolute += std::abs(weight);
        QVERIFY(absolute <= 1.0 + 1e-14);
        std::vector<double> sum(static_cast<size_t>(lmax) + 1);
        for (size_t k = 0; k < weights.size(); ++k) {
            const std::vector<double> term = gaussianSeriesTerm(static_cast<int>(k), lmax);
            QCOMPARE(term.size(), sum.size());
            for (size_t l = 0; l < sum.size(); ++l) sum[l] += weights[k] * term[l];
        }
        double largest = 0.0;
        for (size_t l = 0; l < sum.size(); ++l) {
            const auto degree = static_cast<double>(l);
            const double truth = std::exp(-0.5 * degree * (degree + 1.0) * sigma * sigma);
            largest = std::max(largest, std::abs(sum[l] - truth));
        }
        // Rounding of a cosine of k times an angle, and of the sum.
        QVERIFY2(largest <= kGaussianSeriesError + 1e-13, qPrintable(QString::number(largest)));
        const auto fewer = static_cast<int>(weights.size()) - 1;
        QVERIFY(gaussianSeries(sigma, lmax, fewer).empty());
        QCOMPARE(gaussianSeries(sigma, lmax, fewer + 1), weights);
    }

    // Wider kernels take more terms, until the number exceeds the limit.
    void widerTakesMore() {
        size_t before = 0;
        double widest = 0.0;
        for (double arcmin = 0.5; arcmin < 60.0; arcmin += 0.5) {
            const auto weights = gaussianSeries(sigmaOf(arcmin), 6143, kMostGaussianTerms);
            if (weights.empty()) break;
            QVERIFY(weights.size() >= before);
            before = weights.size();
            widest = arcmin;
        }
        QCOMPARE(before, size_t{kMostGaussianTerms});
        QVERIFY2(widest >= 20.0, qPrintable(QString::number(widest)));
        for (const double arcmin : {60.0, 600.0, 1e5})
            QVERIFY(gaussianSeries(sigmaOf(arcmin), 6143, kMostGaussianTerms).empty());
    }
};

QTEST_GUILESS_MAIN(GaussianSeriesTest)
#include "tst_gaussian_series.moc"
