// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>
#include <limits>
#include <numeric>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/ops/mask.h"
#include "armilla/ops/mask_strokes.h"
#include "armilla/ops/resample.h"
#include "shared/philox.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

const std::vector<float>& valuesOf(const HealpixMap& mask) {
    return std::get<std::vector<float>>(mask.field(0).values);
}

Region circle(Frame frame, double lon, double lat, double radius) {
    Region region;
    region.frame = frame;
    region.points = {{lon * kDegree, lat * kDegree}};
    region.first = radius * kDegree;
    return region;
}

// Patches of bad sky of different sizes, a belt, and isolated pixels.
HealpixMap patchyMask(const MaskGrid& grid, JobContext& job) {
    std::vector<Region> regions{circle(Frame::Galactic, 30, 40, 12),
                                circle(Frame::Galactic, 0, 90, 5),
                                circle(Frame::Galactic, 200, -70, 25)};
    HealpixMap bad = maskOfRegions(grid, regions, job);
    auto& values = std::get<std::vector<float>>(bad.field(0).values);
    for (uint32_t i = 0; i < 20; ++i) {
        const auto u = uniformPair({i, 0, 0, 0}, 7);
        values[static_cast<size_t>(u[0] * static_cast<double>(values.size()))] = 1.0F;
    }
    return invertedMask(bad, job);
}

}  // namespace

class MaskTest : public QObject {
    Q_OBJECT
private slots:
    void distances_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<bool>("nested");
        QTest::newRow("ring") << 16 << false;
        QTest::newRow("nested") << 16 << true;
        QTest::newRow("no power of two") << 11 << false;
    }
    // Against every pair of pixels.
    void distances() {
        QFETCH(int, nside);
        QFETCH(bool, nested);
        const MaskGrid grid{nside, nested ? Ordering::Nested : Ordering::Ring, Frame::Galactic};
        const HealpixMap mask = patchyMask(grid, job_);
        const auto& values = valuesOf(mask);
        const std::vector<double> toBad = distanceToBad(mask, job_),
                                  toGood = distanceToGood(mask, job_);
        std::vector<Vec3> at;
        for (int64_t p = 0; p < mask.pixelCount(); ++p)
            at.push_back(directionFromPixel(nside, grid.ordering, p));
        double worst = 0.0;
        for (size_t p = 0; p < values.size(); ++p) {
            double bad = kPi, good = kPi;
            for (size_t q = 0; q < values.size(); ++q) {
                double& least = values[q] > 0.5F ? good : bad;
                least = std::min(least, angularDistance(at[p], at[q]));
            }
            worst = std::max({worst, std::abs(toBad[p] - bad), std::abs(toGood[p] - good)});
        }
        // For chords of 0.1 and more.
        ARMILLA_VERIFY_BELOW(worst, 1e-14);
    }

    // A mask grown by an angle contains exactly the pixels within that angle; the same for a shrunk
    // mask.
    void growsAndShrinks() {
        const MaskGrid grid{32, Ordering::Ring, Frame::Galactic};
        const HealpixMap mask = patchyMask(grid, job_);
        const double angle = 4.1 * kDegree;
        const std::vector<double> toBad = distanceToBad(mask, job_),
                                  toGood = distanceToGood(mask, job_);
        const HealpixMap grown = grownMask(mask, angle, job_),
                         shrunk = shrunkMask(mask, angle, job_);
        for (size_t p = 0; p < toBad.size(); ++p) {
            QCOMPARE(valuesOf(grown)[p] > 0.5F, toBad[p] > angle);
            QCOMPARE(valuesOf(shrunk)[p] > 0.5F, toGood[p] <= angle);
        }
        // Duality: growing the bad part equals growing the good part of the inverse.
        const HealpixMap dual =
            invertedMask(shrunkMask(invertedMask(mask, job_), angle, job_), job_);
        QVERIFY(valuesOf(dual) == valuesOf(grown));
        QVERIFY(goodShare(grown, job_) < goodShare(mask, job_));
        QVERIFY(goodShare(shrunk, job_) > goodShare(mask, job_));
        // Sums of ranges of pixels, whose order threads do not change.
        const HealpixMap soft = apodizedMask(
            patchyMask({128, Ordering::Ring, Frame::Galactic}, job_), 0.1, Apodization::C1, job_);
        double sum = 0.0;
        for (const double value : valuesOf(soft)) sum += value;
        JobContext one({}, {}, 1), four({}, {}, 4);
        QVERIFY(goodShare(soft, one) == goodShare(soft, four));
        // Two sums of 196,608 values of at most 1: rounding of each sum below 1e-16 each.
        ARMILLA_VERIFY_BELOW(std::abs(goodShare(soft, one) - sum / (12.0 * 128 * 128)), 1e-12);
        // Without bad pixels nothing grows.
        const HealpixMap whole = wholeMask(grid, 1.0F, job_);
        QVERIFY(valuesOf(grownMask(whole, kPi / 2, job_)) == valuesOf(whole));
    }

    void edgesInDiscs_data() {
        QTest::addColumn<bool>("nested");
        QTest::addColumn<double>("lat");
        QTest::newRow("ring, around longitude 0") << false << 10.0;
        QTest::newRow("nested, around longitude 0") << true << 10.0;
        QTest::newRow("ring, at a pole") << false << 88.0;
    }
    // The bits of the whole mask for each subset of changes, also where the disc covers the sky.
    void edgesInDiscs() {
        QFETCH(bool, nested);
        QFETCH(double, lat);
        const MaskGrid grid{64, nested ? Ordering::Nested : Ordering::Ring, Frame::Galactic};
        HealpixMap mask = patchyMask(grid, job_);
        auto& values = std::get<std::vector<float>>(mask.field(0).values);
        for (size_t p = 0; p < values.size(); p += 3) values[p] *= 0.75F;
        for (int steps = 0; steps < 24; ++steps) {
            MaskEdges edges;
            if ((steps & 1) != 0) edges.shrink = 2.3 * kDegree;
            if ((steps & 2) != 0) edges.grow = 5.1 * kDegree;
            if ((steps & 4) != 0) edges.apodize = 7.9 * kDegree;
            edges.apodization = static_cast<Apodization>(steps / 8);
            const HealpixMap whole = maskWithEdges(mask, edges, job_);
            const Vec3 center = direction({2 * kDegree, lat * kDegree});
            for (const double radius : {6.0 * kDegree, kPi}) {
                const HealpixMap part = maskWithEdgesIn({center, radius, 64}, mask, edges, job_);
                QCOMPARE(part.ordering(), Ordering::Ring);
                int64_t expected = 0;
                for (int64_t p = 0; p < part.pixelCount(); ++p)
                    expected += angularDistance(directionFromRing(64, p), center) <= radius;
                QCOMPARE(part.elementCount(), expected);
                for (const int64_t p : part.pixels())
                    QCOMPARE(part.value(0, p), whole.value(0, nested ? nestedFromRing(64, p) : p));
            }
        }
    }
    // With wider pixels, the mask is read at the centers of these.
    void edgesInDiscsOfWidePixels() {
        const HealpixMap mask = patchyMask({64, Ordering::Nested, Frame::Galactic}, job_);
        std::vector<float> read;
        for (int64_t p = 0; p < pixelCount(16); ++p)
            read.push_back(
                static_cast<float>(mask.value(0, mask.pixelAt(directionFromRing(16, p)))));
        Field field;
        field.values = read;
        const HealpixMap wide(16, Ordering::Ring, Frame::Galactic, {field});
        MaskEdges edges;
        edges.grow = 9.0 * kDegree;
        const HealpixMap whole = maskWithEdges(wide, edges, job_);
        const HealpixMap part =
            maskWithEdgesIn({{0.0, 1.0, 0.0}, 40.0 * kDegree, 16}, mask, edges, job_);
        QVERIFY(part.elementCount() > 300);
        for (const int64_t p : part.pixels()) QCOMPARE(part.value(0, p), whole.value(0, p));
        edges.grow = 4.0;
        QVERIFY_THROWS_EXCEPTION(InvalidArgument,
                                 maskWithEdgesIn({{0.0, 1.0, 0.0}, 0.1, 16}, mask, edges, job_));
    }

    void apodizations_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("C1") << 0;
        QTest::newRow("C2") << 1;
        QTest::newRow("Gaussian") << 2;
    }
    void apodizations() {
        QFETCH(int, kind);
        const auto type = static_cast<Apodization>(kind);
        const MaskGrid grid{32, Ordering::Ring, Frame::Galactic};
        const HealpixMap mask = patchyMask(grid, job_);
        const double angle = 10 * kDegree;
        const HealpixMap soft = apodizedMask(mask, angle, type, job_);
        const std::vector<double> distance = distanceToBad(mask, job_);
        for (size_t p = 0; p < distance.size(); ++p) {
            const double t = distance[p];
            const double x = std::sqrt((1 - std::cos(t)) / (1 - std::cos(angle)));
            double truth = type == Apodization::C1 ? x - std::sin(kTwoPi * x) / kTwoPi
                                                   : (1 - std::cos(kPi * x)) / 2;
            if (x >= 1) truth = 1;
            if (type == Apodization::Gaussian) truth = 1 - std::exp(-4.5 * t * t / angle / angle);
            // Single precision.
            ARMILLA_VERIFY_BELOW(std::abs(valuesOf(soft)[p] - truth), 1.2e-7);
        }
        // Monotone, from 0 to its end.
        double before = 0.0;
        for (double t = 0.0; t < 0.3; t += 0.001) {
            const double now = apodizationAt(type, t, angle);
            QVERIFY(now >= before - 1e-15 && now <= 1.0);
            before = now;
        }
    }

    // Areas of shapes by their closed forms. About the square root of the number of border pixels
    // times a third is wrong: 6 of 5500 for the smallest; flatness contributes a thousandth.
    void areas_data() {
        QTest::addColumn<int>("shape");
        QTest::addColumn<double>("steradians");
        const double d = kDegree;
        QTest::newRow("circle") << 0 << kTwoPi * (1 - std::cos(20 * d));
        QTest::newRow("ellipse") << 1 << kPi * 6 * d * 3 * d;
        QTest::newRow("box") << 2 << 12 * d * 6 * d;
        QTest::newRow("annulus") << 3 << kTwoPi * (std::cos(10 * d) - std::cos(20 * d));
        // An octant.
        QTest::newRow("polygon") << 4 << kPi / 2;
    }
    void areas() {
        QFETCH(int, shape);
        QFETCH(double, steradians);
        Region region = circle(Frame::Equatorial, 77, -35, 20);
        region.shape = static_cast<RegionShape>(shape);
        region.angle = 0.7;
        if (region.shape == RegionShape::Ellipse || region.shape == RegionShape::Box) {
            region.first = 6 * kDegree;
            region.second = 3 * kDegree;
        } else if (region.shape == RegionShape::Annulus) {
            region.first = 10 * kDegree;
            region.second = 20 * kDegree;
        } else if (region.shape == RegionShape::Polygon) {
            region.points = {{0, 0}, {kPi / 2, 0}, {1.0, kPi / 2}};
        }
        const std::vector<Region> one{region};
        for (const Frame frame : {Frame::Galactic, Frame::Equatorial}) {
            const HealpixMap mask = maskOfRegions({512, Ordering::Nested, frame}, one, job_);
            // Pixels are 0.11 degrees wide, and errors at the boundary have random signs. The
            // planar formulas for ellipse and box err by about the square of 6 degrees over 6, 0.2
            // %.
            ARMILLA_VERIFY_BELOW(std::abs(goodShare(mask, job_) * 4 * kPi / steradians - 1), 0.01);
        }
        // Every pixel of the sky by the containment test alone.
        const MaskGrid grid{16, Ordering::Ring, Frame::Galactic};
        const HealpixMap mask = maskOfRegions(grid, one, job_);
        const RegionTest test(region, Frame::Galactic);
        for (int64_t p = 0; p < mask.pixelCount(); ++p)
            QCOMPARE(valuesOf(mask)[static_cast<size_t>(p)] > 0.5F,
                     test.contains(directionFromRing(16, p)));
    }

    // An ellipse of angle 0 lies along longitude, one of 90 degrees along latitude. Between these
    // the rotation is that of DS9: from west over south, equivalent to from east over north.
    void angles() {
        Region region = circle(Frame::Galactic, 100, 30, 0);
        region.shape = RegionShape::Ellipse;
        region.first = 10 * kDegree;
        region.second = 1 * kDegree;
        const Vec3 center = direction(region.points[0]);
        const Vec3 east = normalized(cross(Vec3{0, 0, 1}, center)), north = cross(center, east);
        const auto holds = [&](double angle, double positionAngle) {
            region.angle = angle;
            const double r = 8 * kDegree;
            const Vec3 strategy = std::cos(positionAngle) * north + std::sin(positionAngle) * east;
            return RegionTest(region, Frame::Galactic)
                .contains(std::cos(r) * center + std::sin(r) * strategy);
        };
        QVERIFY(holds(0, kPi / 2));
        QVERIFY(!holds(0, 0));
        QVERIFY(holds(kPi / 2, 0));
        // Position angle 90 + 30 degrees from north over east.
        QVERIFY(holds(kPi / 6, kPi / 2 + kPi / 6));
        QVERIFY(!holds(kPi / 6, kPi / 2 - kPi / 6));
    }

    // A concave polygon, with the notch outside; excluding regions cut what comes before.
    void polygonsAndExclusion() {
        Region star;
        star.shape = RegionShape::Polygon;
        star.frame = Frame::Galactic;
        for (const auto& [lon, lat] :
             {std::pair{0.0, 0.0}, {40.0, 0.0}, {40.0, 30.0}, {20.0, 5.0}, {0.0, 30.0}})
            star.points.push_back({lon * kDegree, lat * kDegree});
        const RegionTest test(star, Frame::Galactic);
        const auto at = [](double lon, double lat) {
            return direction({lon * kDegree, lat * kDegree});
        };
        QVERIFY(test.contains(at(20, 2)));
        QVERIFY(!test.contains(at(20, 15)));
        QVERIFY(test.contains(at(3, 20)));
        QVERIFY(!test.contains(at(-20, 2)));
        QVERIFY(!test.contains(at(200, -2)));
        QVERIFY(test.contains(at(0, 0)));
        Region hole = circle(Frame::Galactic, 20, 2, 1);
        hole.exclude = true;
        const HealpixMap mask = maskOfRegions({64, Ordering::Ring, Frame::Galactic},
                                              std::vector<Region>{star, hole}, job_);
        QCOMPARE(mask.value(0, mask.pixelAt(at(20, 2))), 0.0);
        QCOMPARE(mask.value(0, mask.pixelAt(at(20, 3.5))), 1.0);
    }

    void catalogAndLatitude() {
        Catalog catalog;
        for (const char* name : {"GLON", "GLAT"}) {
            TableColumn column;
            column.name = name;
            column.unit = "deg";
            column.values = name == std::string("GLON") ? std::vector<double>{10, 250, std::nan("")}
                                                        : std::vector<double>{5, -60, 0};
            catalog.table.columns.push_back(column);
        }
        catalog.position = *findPositions(catalog.table);
        const MaskGrid grid{64, Ordering::Nested, Frame::Equatorial};
        const HealpixMap mask = maskOfCatalog(grid, catalog, 3 * kDegree, job_);
        const Mat3 turn = frameRotation(Frame::Galactic, Frame::Equatorial);
        const HealpixMap outside =
            withoutLatitudes(wholeMask(grid, 1.0F, job_), Frame::Galactic, 20 * kDegree, job_);
        for (int64_t p = 0; p < mask.pixelCount(); ++p) {
            const Vec3 d = turn * directionFromNested(64, p);
            const bool near =
                std::min(angularDistance(d, direction({10 * kDegree, 5 * kDegree})),
                         angularDistance(d, direction({250 * kDegree, -60 * kDegree}))) <=
                3 * kDegree;
            QCOMPARE(valuesOf(mask)[static_cast<size_t>(p)] > 0.5F, near);
            QCOMPARE(valuesOf(outside)[static_cast<size_t>(p)] > 0.5F,
                     std::abs(lonLat(d).lat) >= 20 * kDegree);
        }
        // Rings of the frame itself.
        const HealpixMap rings =
            withoutLatitudes(wholeMask({64, Ordering::Ring, Frame::Galactic}, 1.0F, job_),
                             Frame::Galactic, 20 * kDegree, job_);
        for (int64_t p = 0; p < rings.pixelCount(); ++p)
            QCOMPARE(valuesOf(rings)[static_cast<size_t>(p)] > 0.5F,
                     std::abs(lonLat(directionFromRing(64, p)).lat) >= 20 * kDegree);
    }

    // Cells of two orders, and one far smaller than a pixel.
    void cells() {
        const auto uniq = [](int order, int64_t pixel) {
            return (int64_t{4} << (2 * order)) + pixel;
        };
        const std::vector<int64_t> moc{uniq(0, 3), uniq(2, 17), uniq(12, 123456)};
        const MaskGrid grid{64, Ordering::Ring, Frame::Equatorial};
        const HealpixMap mask = maskOfCells(grid, Frame::Equatorial, moc, job_);
        int64_t inside = 0;
        for (int64_t p = 0; p < mask.pixelCount(); ++p) {
            const int64_t nested = nestedFromRing(64, p);
            // Pixel and cell contain each other by their numbers.
            const bool truth = nested / 4096 == 3 || nested / 256 == 17 || nested == 123456 / 4096;
            QCOMPARE(valuesOf(mask)[static_cast<size_t>(p)] > 0.5F, truth);
            inside += truth ? 1 : 0;
        }
        QCOMPARE(inside, int64_t{4096 + 256 + 1});
        const std::vector<int64_t> wrong{3};
        QVERIFY_THROWS_EXCEPTION(InvalidArgument,
                                 maskOfCells(grid, Frame::Equatorial, wrong, job_));
    }

    void valuesAndJoins() {
        const int64_t nside = 8;
        std::vector<float> values(static_cast<size_t>(pixelCount(nside)));
        for (size_t p = 0; p < values.size(); ++p) values[p] = static_cast<float>(p % 10);
        values[5] = std::numeric_limits<float>::quiet_NaN();
        Field field;
        field.name = "T";
        field.values = values;
        const HealpixMap map(nside, Ordering::Ring, Frame::Galactic, {field});
        const HealpixMap low = maskOfValues(map, 0, std::nullopt, 6.0, job_);
        const HealpixMap high = maskOfValues(map, 0, 3.0, std::nullopt, job_);
        const HealpixMap both = joined(low, high, MaskJoin::And, job_);
        const HealpixMap any = joined(low, high, MaskJoin::Or, job_);
        for (size_t p = 0; p < values.size(); ++p) {
            const int v = static_cast<int>(p % 10);
            const bool good = p != 5;
            QCOMPARE(valuesOf(low)[p] > 0.5F, good && v <= 6);
            QCOMPARE(valuesOf(both)[p] > 0.5F, good && v >= 3 && v <= 6);
            QCOMPARE(valuesOf(any)[p] > 0.5F, good);
        }
        // Another order and frame of the same mask is the same mask.
        const HealpixMap nested = reordered(high, Ordering::Nested, job_);
        QVERIFY(valuesOf(joined(low, nested, MaskJoin::And, job_)) == valuesOf(both));
        QVERIFY(valuesOf(invertedMask(invertedMask(low, job_), job_)) == valuesOf(low));
    }

    // Every pixel by its distance to points placed densely along the arcs, later strokes over
    // earlier ones.
    void children_data() {
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("to");
        QTest::newRow("halves") << 16 << 8;
        QTest::newRow("quarters") << 16 << 4;
        QTest::newRow("thirds") << 12 << 4;
        QTest::newRow("no multiple") << 12 << 8;
    }
    // In one frame, compared with small squares of both grids and their counted areas.
    void children() {
        QFETCH(int, from);
        QFETCH(int, to);
        const MaskGrid fine{from, Ordering::Ring, Frame::Galactic};
        HealpixMap mask = patchyMask(fine, job_);
        std::get<std::vector<float>>(mask.field(0).values)[7] = std::nanf("");
        std::get<std::vector<float>>(mask.field(0).values)[100] = 0.25F;
        const MaskGrid coarse{to, Ordering::Ring, Frame::Galactic};
        const HealpixMap all = maskOnLargerPixels(mask, coarse, MaskChildren::All, job_);
        const HealpixMap mean = maskOnLargerPixels(mask, coarse, MaskChildren::Mean, job_);
        const HealpixMap center = maskOnLargerPixels(mask, coarse, MaskChildren::Center, job_);
        const int64_t common = std::lcm(from, to), share = common / to;
        for (int64_t p = 0; p < pixelCount(to); ++p) {
            const FacePixel parent = faceFromRing(to, p);
            double least = 1.0, sum = 0.0;
            for (int64_t i = 0; i < share; ++i)
                for (int64_t k = 0; k < share; ++k) {
                    const FacePixel child{parent.face, (parent.x * share + i) * from / common,
                                          (parent.y * share + k) * from / common};
                    const double value = mask.value(0, ringFromFace(from, child));
                    least = std::min(least, std::isnan(value) ? 0.0 : value);
                    sum += std::isnan(value) ? 0.0 : value;
                }
            QCOMPARE(all.value(0, p), least);
            // Single precision of the result.
            QVERIFY(std::abs(mean.value(0, p) - sum / static_cast<double>(share * share)) < 1e-7);
            const double own = mask.value(0, mask.pixelAt(directionFromRing(to, p)));
            QCOMPARE(center.value(0, p), std::isnan(own) ? 0.0 : own);
        }
    }
    // Rotated: a pixel is not good if any of many points in it lies in a bad one. It is good if no
    // bad pixel overlaps by more than a hundredth of its side.
    void childrenOfAnotherFrame() {
        const MaskGrid fine{32, Ordering::Nested, Frame::Galactic};
        const HealpixMap mask = patchyMask(fine, job_);
        const MaskGrid coarse{8, Ordering::Ring, Frame::Equatorial};
        const HealpixMap all = maskOnLargerPixels(mask, coarse, MaskChildren::All, job_);
        const HealpixMap mean = maskOnLargerPixels(mask, coarse, MaskChildren::Mean, job_);
        const Mat3 turn = frameRotation(Frame::Galactic, Frame::Equatorial);
        constexpr int64_t kSteps = 128;  // 32 to the side of a small pixel
        int64_t bad = 0;
        for (int64_t p = 0; p < pixelCount(8); ++p) {
            const FacePixel own = faceFromRing(8, p);
            int64_t hits = 0;
            for (int64_t i = 0; i < kSteps; ++i)
                for (int64_t k = 0; k < kSteps; ++k) {
                    const Vec3 at = directionFromFace(
                        8 * kSteps, {own.face, own.x * kSteps + i, own.y * kSteps + k});
                    hits += mask.value(0, mask.pixelAt(turn * at)) == 0.0 ? 1 : 0;
                }
            if (hits > 0) QCOMPARE(all.value(0, p), 0.0);
            // A corner that overlaps by less than the spacing of the points may contain none.
            if (hits == 0 && all.value(0, p) == 0.0) ++bad;
            // A small pixel is a sixteenth; points half its side apart sample its border.
            const double truth = 1.0 - static_cast<double>(hits) / (kSteps * kSteps);
            QVERIFY(std::abs(mean.value(0, p) - truth) < 0.5 / 8.0);
        }
        // A corner that overlaps by 1/128 to 1/64 of a side contains no point. At each of the four
        // corners of about 100 border pixels that happens once in a hundred.
        QVERIFY(bad <= 10);
        QVERIFY_THROWS_EXCEPTION(InvalidArgument,
                                 maskOnLargerPixels(mask, {64, Ordering::Ring, Frame::Galactic},
                                                    MaskChildren::All, job_));
    }
    void strokesPaintWhatLiesNearTheirPath() {
        const std::string text =
            "cut G 4 10,20 40,35 100,80; cut 6 200,-85; restore C 3 30,10 60,-5;; restore 2 300,0";
        const std::vector<MaskStroke> strokes = parseStrokes(text);
        QCOMPARE(strokes.size(), size_t{4});
        QVERIFY(parseStrokes(strokeText(strokes)) == strokes);
        for (const Ordering ordering : {Ordering::Ring, Ordering::Nested}) {
            const MaskGrid grid{16, ordering, Frame::Galactic};
            HealpixMap mask = wholeMask(grid, 1.0F, job_);
            paintStrokes(mask, strokes, job_);
            int64_t cut = 0;
            for (int64_t p = 0; p < mask.pixelCount(); ++p) {
                const Vec3 at = directionFromPixel(16, ordering, p);
                bool good = true, isNearEdge = false;
                for (const MaskStroke& stroke : strokes) {
                    const Mat3 turn = stroke.frame == Frame::Unknown
                                          ? Mat3{}
                                          : frameRotation(Frame::Galactic, stroke.frame);
                    constexpr int kSteps = 1000;
                    double nearest = 10.0;
                    for (size_t k = 0; k < stroke.path.size(); ++k) {
                        const Vec3 from = turn * direction(stroke.path[k == 0 ? 0 : k - 1]);
                        const Vec3 to = turn * direction(stroke.path[k]);
                        for (int i = 0; i <= kSteps && nearest > 0.0; ++i) {
                            const double t = static_cast<double>(i) / kSteps;
                            nearest = std::min(
                                nearest,
                                angularDistance(at, normalized((1.0 - t) * from + t * to)));
                        }
                    }
                    // The points lie at most 90 degrees / 1000 apart.
                    if (std::abs(nearest - stroke.radius) < 0.09 * kDegree) isNearEdge = true;
                    if (nearest <= stroke.radius) good = stroke.good;
                }
                if (isNearEdge) continue;
                QCOMPARE(valuesOf(mask)[static_cast<size_t>(p)] > 0.5F, good);
                cut += good ? 0 : 1;
            }
            QVERIFY(cut > 50);
        }
        for (const char* wrong : {"paint 1 2,3", "cut x 1,2", "cut 1", "cut 1 2", "cut 1 2,95",
                                  "cut 1 2,3 4", "cut -1 2,3"})
            QVERIFY_THROWS_EXCEPTION(InvalidArgument, parseStrokes(wrong));
        QVERIFY(parseStrokes(" ; ").empty());
    }

    void refusals() {
        const MaskGrid grid{8, Ordering::Ring, Frame::Galactic};
        Region region = circle(Frame::Unknown, 0, 0, 1);
        QVERIFY_THROWS_EXCEPTION(InvalidArgument,
                                 maskOfRegions(grid, std::vector<Region>{region}, job_));
        region.frame = Frame::Galactic;
        region.first = -1.0;
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, checkRegion(region));
        region.first = 0.1;
        region.shape = RegionShape::Annulus;
        region.second = 0.05;
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, checkRegion(region));
        region.shape = RegionShape::Polygon;
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, checkRegion(region));
        QVERIFY_THROWS_EXCEPTION(InvalidArgument,
                                 grownMask(wholeMask(grid, 1.0F, job_), -1.0, job_));
    }

private:
    JobContext job_;
};

QTEST_GUILESS_MAIN(MaskTest)
#include "tst_mask.moc"
