// SPDX-License-Identifier: GPL-3.0-or-later
// Convolution by direct sums against sums over all pairs of pixels, and against harmonics.
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <random>

#include "compute/pair_sums.h"
#include "compute/smooth_maps.h"
#include "core/error.h"
#include "ops/convolve.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

struct Case {
    const char* name;
    Kernel kernel;
    KernelNorm norm;
};
std::vector<Case> cases(double scale) {
    const double sigmas = std::sqrt(8 * std::log(2.0));
    RadialKernel table;
    for (int i = 0; i <= 20; ++i) {
        table.angle.push_back(0.1 * i * scale);
        table.value.push_back(std::cos(0.15 * i) + 0.1 * (i % 3));
    }
    return {{"gaussian", Kernel::gaussian(scale * sigmas), KernelNorm::None},
            {"wide gaussian", Kernel::gaussian(3 * scale * sigmas), KernelNorm::None},
            {"top-hat", Kernel::topHat(2.1 * scale), KernelNorm::Integral},
            {"profile", Kernel::profile(table), KernelNorm::Peak},
            {"mexican hat", Kernel::mexicanHat(2, scale), KernelNorm::None},
            {"difference",
             Kernel::difference(Kernel::gaussian(scale * sigmas),
                                Kernel::gaussian(2 * scale * sigmas), 0.5),
             KernelNorm::Integral},
            {"B_l", Kernel::harmonic(gaussianBeam(scale * sigmas, static_cast<int>(9 / scale))),
             KernelNorm::None}};
}

}  // namespace

class DirectConvolutionTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QVERIFY(cache_.isValid());
        qputenv("XDG_CACHE_HOME", cache_.path().toUtf8());
    }

    void isTheSumOverAllPairs_data() {
        QTest::addColumn<int>("which");
        QTest::addColumn<int>("nside");
        QTest::addColumn<double>("scale");
        for (const int nside : {1, 2, 5, 16})
            for (const double pixels : {1.0, 2.5, 8.0}) {
                const double scale = std::min(0.6, pixels / nside);
                const auto all = cases(scale);
                for (size_t i = 0; i < all.size(); ++i)
                    QTest::addRow("%s, nside %d, scale %g", all[i].name, nside, scale)
                        << static_cast<int>(i) << nside << scale;
            }
    }
    void isTheSumOverAllPairs() {
        QFETCH(int, which);
        QFETCH(int, nside);
        QFETCH(double, scale);
        const Case c = cases(scale)[static_cast<size_t>(which)];
        const std::vector<double> values = whiteMap(nside, 7);
        SmoothParameters p;
        p.shape = c.kernel;
        p.norm = c.norm;
        p.method = SmoothMethod::Direct;
        SmoothPlan plan(ringMap(nside, values), {0}, Device::cpu());
        const HealpixMap found = plan.execute(p, job_);
        const double radius = plan.report().radius;
        QVERIFY(radius > 0.0 && radius <= c.kernel.support());
        const PairSums truth(nside, truthKernel(c.kernel, radius, c.norm), true, job_);
        // Errors of K relative to its peak (1e-14 in tables, 1e-13 in the closed forms), each
        // pixel's own, in sums that cancel: of the sum of all |K| w |f|.
        // Of the larger maps some pixels of every kind: around poles, borders of the caps, equator.
        std::vector<size_t> some;
        for (size_t k = 0; nside > 5 && k < values.size(); k += k % 100 < 12 ? 1 : 43)
            some.push_back(k);
        ARMILLA_VERIFY_BELOW(truth.error(values, test::values(found), false, some), 2e-13);
    }

private:
    std::vector<double> whiteMap(int nside, unsigned seed) {
        std::mt19937 random(seed);
        std::normal_distribution<double> normal;
        std::vector<double> map(static_cast<size_t>(12 * nside * nside));
        for (double& value : map) value = normal(random) + 0.5;
        return map;
    }
    QTemporaryDir cache_;
    JobContext job_{{}, {}, 2};
};

QTEST_APPLESS_MAIN(DirectConvolutionTest)
#include "tst_direct_convolution.moc"
