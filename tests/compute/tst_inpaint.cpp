// SPDX-License-Identifier: GPL-3.0-or-later
// Pixels filled from their surroundings.
#include <QtTest>
#include <cmath>
#include <random>

#include "armilla/core/error.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/ops/inpaint.h"

using namespace armilla;

namespace {

HealpixMap mapOf(int64_t nside, Ordering ordering, const std::function<double(Vec3)>& value) {
    Field field;
    field.name = "T";
    std::vector<double> values(static_cast<size_t>(pixelCount(nside)));
    for (int64_t p = 0; p < pixelCount(nside); ++p)
        values[static_cast<size_t>(p)] = value(directionFromPixel(nside, ordering, p));
    field.values = std::move(values);
    return HealpixMap(nside, ordering, Frame::Galactic, {std::move(field)});
}

}  // namespace

class InpaintTest : public QObject {
    Q_OBJECT
private slots:
    // Each filled pixel is the mean of its neighbors, and all others are unchanged.
    void eachIsTheMeanOfItsNeighbors() {
        std::mt19937 random(5);
        std::uniform_real_distribution<double> even(-1.0, 1.0);
        for (const Ordering ordering : {Ordering::Ring, Ordering::Nested}) {
            const HealpixMap before = mapOf(32, ordering, [&](Vec3) { return even(random); });
            HealpixMap map = before;
            // Two overlapping discs, the north pole, and an isolated one.
            const std::vector<Vec3> centers{{0.0, 0.0, 1.0},
                                            direction({1.0, 0.3}),
                                            direction({1.1, 0.32}),
                                            direction({4.0, -0.9})};
            const double radius = 7.0 * kDegree;
            JobContext job;
            const Inpainting done = inpaintDiscs(map, 0, centers, radius, job);
            int64_t within = 0;
            for (int64_t p = 0; p < map.pixelCount(); ++p) {
                const Vec3 at = directionFromPixel(32, ordering, p);
                const bool isMade = std::any_of(
                    centers.begin(), centers.end(),
                    [&](const Vec3& center) { return angularDistance(center, at) <= radius; });
                if (!isMade) {
                    QCOMPARE(map.value(0, p), before.value(0, p));
                    continue;
                }
                ++within;
                double sum = 0.0;
                int count = 0;
                for (const int64_t beside : neighbors(32, ordering, p))
                    if (beside >= 0) {
                        sum += map.value(0, beside);
                        ++count;
                    }
                // The residual is 1e-9 of the spread at the edge, which is of order 1. The error of
                // a solution is at most the residual times the squared width of the discs in
                // pixels: 8^2.
                QVERIFY2(std::abs(map.value(0, p) - sum / count) < 1e-7,
                         qPrintable(QString::number(p)));
            }
            QCOMPARE(done.pixels, within);
            QCOMPARE(done.alone, int64_t{0});
        }
    }
    // A slope continues through a hole. The graph Laplacian of a plane is zero except for the
    // asymmetry of the grid, which is of the order of the slope over one pixel.
    void slopeGoesThrough() {
        const auto slope = [](Vec3 d) { return 3.0 * d.x + 1.0 * d.y - 2.0 * d.z; };
        HealpixMap map = mapOf(64, Ordering::Ring, slope);
        const Vec3 center = direction({2.0, 0.2});
        const double radius = 6.0 * kDegree;
        for (const PixelRange& run : queryDisc(64, Ordering::Ring, center, radius))
            for (int64_t p = run.begin; p < run.end; ++p)
                std::get<1>(map.field(0).values)[static_cast<size_t>(p)] = 1000.0;
        JobContext job;
        inpaintDiscs(map, 0, std::vector<Vec3>{center}, radius, job);
        const double pixel = std::sqrt(kPi / 3.0) / 64.0;
        for (int64_t p = 0; p < map.pixelCount(); ++p)
            QVERIFY2(std::abs(map.value(0, p) - slope(directionFromRing(64, p))) < 3.7 * pixel,
                     qPrintable(QString::number(map.value(0, p))));
    }
    void badPixelsStayBadAndHolesWithoutAnEdgeStay() {
        HealpixMap map = mapOf(16, Ordering::Ring, [](Vec3) { return 1.0; });
        auto& values = std::get<1>(map.field(0).values);
        const Vec3 center = direction({1.0, 0.0});
        // A ring of bad pixels around an island, and one bad pixel in its center.
        for (int64_t p = 0; p < map.pixelCount(); ++p)
            if (angularDistance(center, directionFromRing(16, p)) > 15.0 * kDegree)
                values[static_cast<size_t>(p)] = NAN;
        const int64_t middle = map.pixelAt(center);
        values[static_cast<size_t>(middle)] = NAN;
        const int64_t island = static_cast<int64_t>(
            std::count_if(values.begin(), values.end(), [](double v) { return v == 1.0; }));
        JobContext job;
        const Inpainting done = inpaintDiscs(map, 0, std::vector<Vec3>{center}, 0.5, job);
        QCOMPARE(done.pixels, int64_t{0});
        QCOMPARE(done.alone, island);
        QVERIFY(std::isnan(map.value(0, middle)));
        QVERIFY_EXCEPTION_THROWN(inpaintDiscs(map, 1, {}, 0.5, job), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(inpaintDiscs(map, 0, {}, -1.0, job), InvalidArgument);
    }
};

QTEST_APPLESS_MAIN(InpaintTest)
#include "tst_inpaint.moc"
