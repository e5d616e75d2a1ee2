// SPDX-License-Identifier: GPL-3.0-or-later
// Distances to the bad pixels of masks, against searches of all of them.
#include <QtTest>
#include <cmath>
#include <random>

#include "armilla/core/pixel_geometry.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/ops/mask.h"
#include "shared/philox.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

class tst_mask_distances : public QObject {
    Q_OBJECT

private slots:
    void distancesToFewPixels_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<bool>("nested");
        QTest::newRow("ring, rows of several words") << 100 << false;
        QTest::newRow("ring, whole words") << 128 << false;
        QTest::newRow("nested, whole words") << 128 << true;
    }
    // Against all targets. Some of these lie on both sides of longitude 0, at poles, and where
    // three or four base faces meet. Grown masks are the pixels within the angle, also where whole
    // squares lie within.
    void distancesToFewPixels() {
        QFETCH(int, nside);
        QFETCH(bool, nested);
        const MaskGrid grid{nside, nested ? Ordering::Nested : Ordering::Ring, Frame::Galactic};
        HealpixMap mask = wholeMask(grid, 1.0F, job_);
        auto& values = std::get<std::vector<float>>(mask.field(0).values);
        const int64_t last = nside - 1;
        std::vector<FacePixel> bad{{0, last, last}, {4, 0, 0},    {4, last, last},
                                   {4, 50, 51},     {4, 50, 50},  {4, 51, 49},
                                   {5, 64, 63},     {0, 0, last}, {2, last, 0},
                                   {6, last, last}, {10, 0, 0},   {11, 0, last}};
        for (uint32_t i = 0; i < 30; ++i) {
            const auto u = uniformPair({i, 0, 0, 0}, 3), v = uniformPair({i, 1, 0, 0}, 3);
            bad.push_back({static_cast<int>(12 * u[0]), static_cast<int64_t>(nside * u[1]),
                           static_cast<int64_t>(nside * v[0])});
        }
        std::vector<Vec3> targets;
        for (const FacePixel& at : bad) {
            values[static_cast<size_t>(pixelFromFace(nside, grid.ordering, at))] = 0.0F;
            targets.push_back(directionFromFace(nside, at));
        }
        const std::vector<double> distance = distanceToBad(mask, job_);
        const double angle = 9.7 * kDegree;
        const HealpixMap grown = grownMask(mask, angle, job_);
        const auto& grownValues = std::get<std::vector<float>>(grown.field(0).values);
        double worst = 0.0;
        for (size_t p = 0; p < values.size(); ++p) {
            const Vec3 at = directionFromPixel(nside, grid.ordering, static_cast<int64_t>(p));
            double least = kPi;
            for (const Vec3& target : targets) least = std::min(least, angularDistance(at, target));
            worst = std::max(worst, std::abs(distance[p] - least));
            QCOMPARE(grownValues[p] > 0.5F, least > angle);
        }
        // Coordinates round to 1e-16, and so do chords; arcs below 2 rad multiply this by 2.
        ARMILLA_VERIFY_BELOW(worst, 1e-14);
    }

    void distancesToManyPixels_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<bool>("nested");
        QTest::addColumn<int>("step");
        QTest::newRow("ring, squares of 16 pixels") << 128 << false << 1;
        QTest::newRow("nested, squares of 32 pixels") << 512 << true << 31;
        QTest::newRow("ring, squares of 64 pixels") << 1024 << false << 211;
    }
    // Against all targets within a disc of 12 pixels. The share of targets falls from 1 to 0
    // along the numbers of pixels, so that the nearest targets of some cells of pixels are just
    // beyond the margins around the cells.
    void distancesToManyPixels() {
        QFETCH(int, nside);
        QFETCH(bool, nested);
        QFETCH(int, step);
        const MaskGrid grid{nside, nested ? Ordering::Nested : Ordering::Ring, Frame::Galactic};
        HealpixMap mask = wholeMask(grid, 1.0F, job_);
        auto& values = std::get<std::vector<float>>(mask.field(0).values);
        std::mt19937 random(3);
        for (size_t p = 0; p < values.size(); ++p) {
            const double share =
                std::pow(1.0 - static_cast<double>(p) / static_cast<double>(values.size()), 3.0);
            if (static_cast<double>(random()) < share * 0x1p32) values[p] = 0.0F;
        }
        const std::vector<double> distance = distanceToBad(mask, job_);
        const double reach = 12.0 / nside;
        double worst = 0.0;
        int64_t compared = 0;
        for (size_t p = 0; p < values.size(); p += static_cast<size_t>(step)) {
            const Vec3 at = directionFromPixel(nside, grid.ordering, static_cast<int64_t>(p));
            if (values[p] < 0.5F) continue;
            // Rings of growing discs: most targets are near.
            double least = kPi;
            for (double radius = 3.0 / nside; least > radius && radius <= reach; radius *= 2.0)
                for (const PixelRange& run : queryDisc(nside, grid.ordering, at, radius))
                    for (int64_t q = run.begin; q < run.end; ++q)
                        if (values[static_cast<size_t>(q)] < 0.5F)
                            least = std::min(
                                least,
                                angularDistance(at, directionFromPixel(nside, grid.ordering, q)));
            if (least > reach) continue;
            ++compared;
            worst = std::max(worst, std::abs(distance[p] - least));
        }
        QVERIFY2(compared > 30'000, QByteArray::number(compared));
        // Rounding of coordinates.
        ARMILLA_VERIFY_BELOW(worst, 1e-14);
    }

private:
    JobContext job_;
};

QTEST_GUILESS_MAIN(tst_mask_distances)
#include "tst_mask_distances.moc"
