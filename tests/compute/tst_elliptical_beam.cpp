// SPDX-License-Identifier: GPL-3.0-or-later
// Elliptical beams against sums over all pairs in long double.
#include <QtTest>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/ops/elliptical_beam.h"
#include "armilla/ops/smooth_rows.h"
#include "compute/convolution_cases.h"
#include "compute/ellipse_truth.h"
#include "compute/pair_sums.h"
#include "compute/smooth_maps.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// HEALPix samples with ring weights; positions from the definition of the grid.
std::vector<RowSample> healpixSamples(int64_t nside, JobContext& job) {
    std::vector<RowSample> samples;
    const std::vector<double> ring = ringWeights(nside, job);
    for (int64_t p = 0; p < 12 * nside * nside; ++p) {
        const LongVec at = longDirection(nside, p);
        const int64_t r = ringPlaceFromRing(nside, p).ring;
        samples.push_back(
            {std::atan2(std::hypot(at.x, at.y), at.z), std::atan2(at.y, at.x),
             static_cast<Long>(ring[static_cast<size_t>(std::min(r, 4 * nside - r) - 1)]) * 4 *
                 kLongPi / static_cast<Long>(12 * nside * nside)});
    }
    return samples;
}

}  // namespace

class EllipticalBeamTest : public QObject {
    Q_OBJECT
private slots:
    void isTheSumOverAllPairs_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<double>("major");
        QTest::addColumn<double>("minor");
        QTest::addColumn<double>("angle");
        QTest::addColumn<int>("kind");  // 0: RING, 1: NESTED, 2: single, 3: partial
        QTest::addRow("wide") << 4 << 45.0 << 38.0 << 33.0 << 0;
        QTest::addRow("odd nside") << 5 << 45.0 << 30.0 << -70.0 << 0;
        QTest::addRow("nside 16") << 16 << 14.0 << 10.0 << 120.0 << 0;
        QTest::addRow("north") << 16 << 30.0 << 10.0 << 0.0 << 0;
        QTest::addRow("east") << 16 << 30.0 << 10.0 << 90.0 << 0;
        QTest::addRow("NESTED") << 8 << 35.0 << 19.0 << 45.0 << 1;
        QTest::addRow("single") << 8 << 35.0 << 19.0 << 45.0 << 2;
        QTest::addRow("partial") << 8 << 35.0 << 19.0 << 45.0 << 3;
    }
    void isTheSumOverAllPairs() {
        QFETCH(int, nside);
        QFETCH(double, major);
        QFETCH(double, minor);
        QFETCH(double, angle);
        QFETCH(int, kind);
        const EllipticalBeam beam{major * kDegree, minor * kDegree, angle * kDegree};
        const std::vector<RowSample> samples = healpixSamples(nside, job_);
        for (const bool normalize : {false, true}) {
            std::vector<double> ring = noiseMap(nside, 11);
            if (normalize || kind == 3) spoilPixels(ring);
            if (kind == 2)
                for (double& value : ring) value = static_cast<float>(value);
            const Ordering ordering = kind == 1 ? Ordering::Nested : Ordering::Ring;
            std::vector<double> values;
            std::vector<int64_t> pixels;
            for (int64_t k = 0; k < 12 * nside * nside; ++k) {
                const int64_t p = kind == 1 ? ringFromNested(nside, k) : k;
                if (kind == 3 && (p < 150 || p > 500 || p % 23 == 0)) {
                    ring[static_cast<size_t>(p)] = std::nan("");
                    continue;
                }
                pixels.push_back(k);
                values.push_back(ring[static_cast<size_t>(p)]);
            }
            Field made = field("T", values);
            if (kind == 2) {
                made.diskType = DiskType::Float32;
                made.values = std::vector<float>(values.begin(), values.end());
            }
            const HealpixMap map =
                kind == 3 ? HealpixMap::partial(nside, ordering, Frame::Galactic, pixels, {made})
                          : HealpixMap(nside, ordering, Frame::Galactic, {made});
            SmoothParameters p;
            p.masked = normalize ? Masked::Normalize : Masked::Ignore;
            SmoothReport report;
            const std::vector<int> fields{0};
            const HealpixMap result =
                smoothElliptical(map, fields, beam, p, Device::cpu(), report, job_);
            QCOMPARE(report.method, SmoothMethod::Direct);
            std::vector<double> found(ring.size(), std::nan(""));
            for (size_t e = 0; e < pixels.size(); ++e)
                found[static_cast<size_t>(kind == 1 ? ringFromNested(nside, pixels[e])
                                                    : pixels[e])] =
                    result.field(0).at(static_cast<int64_t>(e));
            takeMeanOut(ring, found, 1.0);
            // Sums of some hundred products; of single precision half a unit of the last place.
            ARMILLA_VERIFY_BELOW(rowError(samples, ellipseTruth(beam), 1.0, ring, found, normalize,
                                          nside > 8   ? 13
                                          : nside > 5 ? 5
                                                      : 1),
                                 kind == 2 ? 6e-8 : 1e-12);
        }
    }

    void rowsOfImages_data() {
        QTest::addColumn<int>("grid");
        QTest::addColumn<int>("method");
        for (size_t g = 0; g < rowCases().size(); ++g)
            for (const auto method : {SmoothMethod::Direct, SmoothMethod::Ring})
                QTest::addRow("%s, method %d", rowCases()[g].name, static_cast<int>(method))
                    << static_cast<int>(g) << static_cast<int>(method);
    }
    void rowsOfImages() {
        QFETCH(int, grid);
        QFETCH(int, method);
        const RingRows rows = rowCases()[static_cast<size_t>(grid)].rows;
        const EllipticalBeam beam{0.6, 0.25, 0.7};
        SmoothParameters p;
        p.method = static_cast<SmoothMethod>(method);
        const std::vector<double> values = noiseRows(rows, 7, true);
        auto made = unlessNarrow([&] { return RowSmoothPlan(rows, beam, p, Device::cpu(), job_); });
        if (!made) return;
        RowSmoothPlan& plan = *made;
        const std::vector<RowSample> all = rowSamples(rows);
        const std::vector<RowSample> held(all.begin() + rows.first * rows.columns,
                                          all.begin() + (rows.first + rows.count) * rows.columns);
        // Sums of up to 600 products, and of shares, half an epsilon for each addition: 1.4e-13.
        // Exponents end at 15 with some ten roundings: 2e-14. Modes of rows of 40 add less.
        ARMILLA_VERIFY_BELOW(
            rowError(held, ellipseTruth(beam), 1.0, values, plan.execute(values, job_), true),
            1.6e-13);
    }

    // With equal widths the result is the radial Gaussian, to sigma^2 / 6 of its peak, the next
    // term of the heat kernel.
    void aCircleIsTheRadialBeam() {
        constexpr int nside = 32;
        const double fwhm = 8 * kDegree, sigma = fwhm / std::sqrt(8 * std::log(2.0));
        std::vector<double> ring(12 * nside * nside);
        ring[5000] = 1.0;
        const MapPointer map = ringMap(nside, ring);
        SmoothParameters p;
        p.fwhm = fwhm;
        p.method = SmoothMethod::Direct;
        SmoothPlan plan(map, {0}, Device::cpu());
        const HealpixMap truth = plan.execute(p, job_);
        SmoothReport report;
        const std::vector<int> fields{0};
        const HealpixMap found =
            smoothElliptical(*map, fields, {fwhm, fwhm, 0.4}, p, Device::cpu(), report, job_);
        const double peak = truth.value(0, 5000);
        ARMILLA_VERIFY_BELOW(largestError(values(found), values(truth)),
                             peak * (sigma * sigma / 6 + 1e-6));
        QVERIFY(largestError(values(found), values(truth)) > 0.0);
    }

    // A point becomes the ellipse: visible north of the point along the major axis, and not across.
    void aPointShowsTheAngle() {
        constexpr int nside = 64;
        std::vector<double> ring(12 * nside * nside);
        ring[static_cast<size_t>(ringMap(nside, ring)->pixelAt({1.0, 0.0, 0.0}))] = 1.0;
        const MapPointer map = ringMap(nside, ring);
        SmoothReport report;
        const std::vector<int> fields{0};
        const HealpixMap found =
            smoothElliptical(*map, fields, {12 * kDegree, 4 * kDegree, 30 * kDegree},
                             SmoothParameters{}, Device::cpu(), report, job_);
        const auto along = [&](double angle) {
            const double r = 5 * kDegree;
            const double n = std::sin(r) * std::cos(angle), e = std::sin(r) * std::sin(angle);
            return found.value(0, found.pixelAt({std::cos(r), e, n}));
        };
        QVERIFY(along(30 * kDegree) > 10 * along(120 * kDegree));
        QVERIFY(along(210 * kDegree) > 10 * along(-60 * kDegree));
        QVERIFY(along(30 * kDegree) > 2 * along(-30 * kDegree));
    }

    void whatItDoesNotDoIsSaid() {
        const MapPointer map = ringMap(4, std::vector<double>(192, 1.0));
        SmoothReport report;
        const std::vector<int> fields{0};
        const auto smooth = [&](const EllipticalBeam& beam, const SmoothParameters& p) {
            smoothElliptical(*map, fields, beam, p, Device::cpu(), report, job_);
        };
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, smooth({0.1, 0.2, 0.0}, {}));
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, smooth({0.1, 0.0, 0.0}, {}));
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, smooth({0.9, 0.1, 0.0}, {}));
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, smooth({0.2, 0.1, INFINITY}, {}));
        SmoothParameters p;
        p.weights = Weights::Pixel;
        QVERIFY_THROWS_EXCEPTION(Unsupported, smooth({0.2, 0.1, 0.0}, p));
        p.weights = Weights::Ring;
        // Unsupported combinations are refused.
        const auto refuses = [&](auto change) {
            SmoothParameters asked;
            change(asked);
            QVERIFY_THROWS_EXCEPTION(Unsupported, smooth({0.2, 0.1, 0.0}, asked));
        };
        refuses([](SmoothParameters& of) { of.method = SmoothMethod::Ring; });
        refuses([](SmoothParameters& of) { of.method = SmoothMethod::Harmonic; });
        refuses([](SmoothParameters& of) { of.lmax = 100; });
        refuses([](SmoothParameters& of) { of.iterations = 1; });
        refuses([](SmoothParameters& of) { of.truncate = 0.1; });
        refuses([](SmoothParameters& of) { of.polarization = true; });
        p.method = SmoothMethod::Harmonic;
        QVERIFY_THROWS_EXCEPTION(Unsupported, RowSmoothPlan({18, 36, false, 0, 18}, {0.2, 0.1, 0.0},
                                                            p, Device::cpu(), job_));
    }

private:
    JobContext job_;
};

QTEST_GUILESS_MAIN(EllipticalBeamTest)
#include "tst_elliptical_beam.moc"
