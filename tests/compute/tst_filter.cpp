// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>
#include <cstring>
#include <numeric>

#include "armilla/core/error.h"
#include "armilla/core/nan.h"
#include "armilla/ops/convolve.h"
#include "armilla/ops/filter.h"
#include "armilla/ops/monopole.h"
#include "armilla/ops/resample.h"
#include "compute/point_skies.h"
#include "compute/smooth_maps.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

long double weight(int l) {
    return (2.0L * l + 1.0L) / (4.0L * 3.141592653589793238462643383279503L);
}

// Coefficients of a disc of radius r of unit integral, by Simpson's rule on P_l.
std::vector<long double> discCoefficients(long double radius, int lmax) {
    constexpr int kSteps = 4000;
    const long double from = std::cos(radius);
    std::vector<long double> sum(static_cast<size_t>(lmax) + 1, 0.0L);
    for (int i = 0; i <= kSteps; ++i) {
        const long double x = from + (1.0L - from) * i / kSteps;
        const long double w = i == 0 || i == kSteps ? 1.0L : (i % 2 == 1 ? 4.0L : 2.0L);
        for (int l = 0; l <= lmax; ++l)
            sum[static_cast<size_t>(l)] += w / (3.0L * kSteps) * std::legendre(l, x);
    }
    return sum;
}

std::vector<double> testSpectrum(int lmax) {
    std::vector<double> cl(static_cast<size_t>(lmax) + 1);
    for (int l = 0; l <= lmax; ++l) cl[static_cast<size_t>(l)] = 3.0 + 500.0 / (1.0 + l * l);
    return cl;
}

bool haveSameBits(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

}  // namespace

class FilterTest : public QObject {
    Q_OBJECT
private slots:
    void formulas_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("order");
        QTest::newRow("matched") << 0 << 0;
        for (int order = 1; order <= 4; ++order)
            QTest::addRow("mexican hat %d", order) << 1 << order;
        QTest::newRow("top hats") << 2 << 0;
    }
    // Every coefficient, the response and the noise in long double.
    void formulas() {
        QFETCH(int, type);
        QFETCH(int, order);
        constexpr int lmax = 64;
        const double fwhm = 9 * kDegree;
        const PointBeam beam = PointBeam::gaussian(fwhm);
        const std::vector<double> cl = testSpectrum(lmax);
        constexpr double kScale = 1.3;
        const PointFilter filter = pointFilter(
            {.type = static_cast<FilterType>(type), .order = order, .scale = kScale}, beam, cl);
        QCOMPARE(filter.lmax(), lmax);
        QVERIFY(filter.fl[0] == 0.0 && filter.fl[1] == 0.0);

        const long double sigmaBeam = fwhm / std::sqrt(8.0L * std::log(2.0L));
        std::vector<long double> b, f(lmax + 1, 0.0L);
        for (size_t l = 0; l < beam.bl.size(); ++l)
            b.push_back(std::exp(-0.5L * static_cast<long double>(l) *
                                 (static_cast<long double>(l) + 1.0L) * sigmaBeam * sigmaBeam));
        long double peak = 0.0L;
        for (size_t l = 0; l < b.size(); ++l) peak += weight(static_cast<int>(l)) * b[l];
        const long double solidAngle = 1.0L / peak;
        const long double radius =
            kScale * std::sqrt(solidAngle / (2.0L * 3.141592653589793238462643383279503L));
        const long double outer = 2.0L * std::asin(std::sqrt(2.0L) * std::sin(radius / 2.0L));
        const auto in = discCoefficients(radius, lmax), out = discCoefficients(outer, lmax);
        for (int l = 2; l <= lmax; ++l) {
            const auto i = static_cast<size_t>(l);
            const long double x = l * (l + 1.0L) * radius * radius;
            if (type == 0)
                f[i] = b[i] / static_cast<long double>(cl[i]);
            else if (type == 1)
                f[i] = std::pow(x, order) * std::exp(-x / 2.0L);
            else
                f[i] = in[i] - out[i];
        }
        long double response = 0.0L, variance = 0.0L;
        for (size_t l = 0; l <= lmax; ++l)
            response += solidAngle * weight(static_cast<int>(l)) * f[l] * (l < b.size() ? b[l] : 0);
        for (size_t l = 0; l <= lmax; ++l) {
            f[l] /= response;
            variance += weight(static_cast<int>(l)) * f[l] * f[l] * static_cast<long double>(cl[l]);
        }
        double largest = 0.0;
        for (const long double v : f) largest = std::max(largest, static_cast<double>(std::abs(v)));
        // Beams end at 1e-6 (1e-10 of the solid angle left out); Simpson's rule with h = 1/4000 of
        // the disc leaves 1e-12 of P_64; kernels are good to 1e-12 of int |K|.
        for (size_t l = 0; l <= lmax; ++l)
            ARMILLA_VERIFY_BELOW(std::abs(filter.fl[l] - static_cast<double>(f[l])),
                                 1e-9 * largest);
        ARMILLA_VERIFY_BELOW(std::abs(filter.noise / std::sqrt(static_cast<double>(variance)) - 1),
                             1e-9);
    }

    // A Mexican hat on a Gaussian beam gives x^2n / (1 + x^2)^(n+1) on the plane. The sphere
    // approaches this as sigma^2 (2e-5 rad^2 here); sums instead of integrals add (sigma l)^2 at l
    // of a few.
    void responseOfMexicanHats() {
        const PointBeam beam = PointBeam::gaussian(40 * kArcmin);
        const int lmax = beam.bl.size() - 1;
        const std::vector<double> cl(static_cast<size_t>(lmax) + 1, 1.0);
        for (int order = 1; order <= 4; ++order)
            for (const double x : {0.7, 1.0, 1.6}) {
                const PointFilter filter = pointFilter(
                    {.type = FilterType::MexicanHat, .order = order, .scale = x}, beam, cl);
                const int l = 200;
                const double t = 0.5 * l * (l + 1.0) * std::pow(x * beam.sigma(), 2);
                const double kernel = std::pow(t, order) * std::exp(-t) / std::tgamma(order + 1.0);
                const double plane = std::pow(x, 2 * order) / std::pow(1 + x * x, order + 1);
                // The terms above, sigma^2 of 2e-5 and (sigma l)^2 at low l, are below 1e-3.
                ARMILLA_VERIFY_BELOW(std::abs(kernel / filter.fl[l] / plane - 1), 1e-3);
            }
    }

    // No filter has less noise than the matched one, and no scale less than the optimized scale.
    void leastNoise() {
        const PointBeam beam = PointBeam::gaussian(1 * kDegree);
        std::vector<double> cl = cmbSpectrum(500);
        for (size_t l = 0; l < cl.size(); ++l) cl[l] = cl[l] * beam.bl[l] * beam.bl[l] + 0.02;
        const double matched = pointFilter({}, beam, cl).noise;
        for (const FilterType type : {FilterType::MexicanHat, FilterType::TopHatDifference})
            for (int order = 1; order <= (type == FilterType::MexicanHat ? 4 : 1); ++order) {
                const FilterShape shape{.type = type, .order = order};
                const PointFilter best = pointFilter(shape, beam, cl);
                QVERIFY(best.noise > matched);
                // Discs and low orders differ greatly from the matched shape under a red
                // background.
                QVERIFY2(best.noise < 1.6 * matched,
                         qPrintable(QString::number(best.noise / matched)));
                FilterShape scaled = shape;
                for (scaled.scale = 0.3; scaled.scale < 4.9; scaled.scale *= 1.01)
                    QVERIFY(pointFilter(scaled, beam, cl).noise >= best.noise * (1 - 1e-6));
            }
    }

    // A map without bright sources becomes its coefficients times f_l.
    void isTheConvolution_data() {
        QTest::addColumn<int>("type");
        QTest::newRow("matched") << 0;
        QTest::newRow("mexican hat") << 1;
        QTest::newRow("top hats") << 2;
    }
    void isTheConvolution() {
        QFETCH(int, type);
        constexpr int64_t nside = 16;
        std::vector<double> map = whiteNoise(nside, 4);
        FilterParameters p;
        p.beam = PointBeam::gaussian(15 * kDegree);
        p.shape.type = static_cast<FilterType>(type);
        p.lmax = 3 * nside - 1;
        FilterPlan plan(pointMap(nside, map), 0, Device::cpu());
        const FilteredSky sky = plan.execute(p, job_);
        QVERIFY(sky.bright.empty());
        QVERIFY(sky.share.empty());
        // The response of the grid to monopole and dipole is subtracted first.
        removeMonopoleDipole(nside, map, job_);
        const std::vector<double> truth = bruteForce(nside, map, sky.filter.fl, true, job_);
        ARMILLA_VERIFY_BELOW(relativeError(sky.filtered, truth), 1e-12);
    }

    // A plan for one execution uses the values of its map up, subtracts bright sources in place,
    // and gives the same bits; also around a hole, and as a map in the memory of the filtered sky.
    void once_data() {
        QTest::addColumn<bool>("hole");
        QTest::addColumn<bool>("nested");
        QTest::newRow("whole") << false << false;
        QTest::newRow("hole") << true << false;
        QTest::newRow("NESTED") << false << true;
    }
    void once() {
        QFETCH(bool, hole);
        QFETCH(bool, nested);
        const int64_t nside = 32;
        const double fwhm = 5 * kDegree;
        std::vector<double> map = whiteNoise(nside, 4);
        const Vec3 place = directionFromRing(nside, 5000);
        for (size_t i = 0; i < map.size(); ++i) {
            const double x =
                angularDistance(directionFromRing(nside, static_cast<int64_t>(i)), place) / fwhm;
            map[i] += 100.0 * std::exp2(-4.0 * x * x);
        }
        if (hole) std::fill(map.begin() + 6000, map.begin() + 6400, kNan);
        const auto mine = std::make_shared<HealpixMap>(
            reordered(*pointMap(nside, map), nested ? Ordering::Nested : Ordering::Ring, job_));
        FilterParameters p;
        p.beam = PointBeam::gaussian(fwhm);
        FilterPlan often(pointMap(nside, map), 0, Device::cpu());
        const FilteredSky expected = often.execute(p, job_);
        FilterPlan plan = FilterPlan::once(mine, 0, Device::cpu());
        FilteredSky sky = plan.execute(p, job_);
        QCOMPARE(std::get<std::vector<double>>(mine->field(0).values).capacity(), size_t{0});
        QVERIFY(!sky.bright.empty());
        QVERIFY(haveSameBits(sky.filtered, expected.filtered));
        QVERIFY(haveSameBits(sky.rms, expected.rms));
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, plan.execute(p, job_));
        const double* const memory = sky.filtered.data();
        const HealpixMap made = filteredMap(*mine, 0, std::move(sky), job_);
        const HealpixMap copied = filteredMap(*mine, 0, expected, job_);
        if (!nested) QCOMPARE(std::get<std::vector<double>>(made.field(0).values).data(), memory);
        QCOMPARE(made.fieldCount(), copied.fieldCount());
        QVERIFY(haveSameBits(std::get<std::vector<double>>(made.field(0).values),
                             std::get<std::vector<double>>(copied.field(0).values)));
    }

    // A single source off the pixel centers, on a monopole and dipole of a hundred thousand times
    // its peak. The response to the beam is found at every pixel, without a trace of monopole and
    // dipole.
    void sourceHasItsPeak() {
        constexpr int64_t nside = 128;
        const double fwhm = 5 * std::sqrt(kPi / 3) / nside;
        const std::vector<double> noise = whiteNoise(nside, 9);
        std::vector<double> map = noise;
        const Vec3 at = direction({1.23456, 0.4321});
        constexpr double kPeak = 1000.0;
        addGaussians(map, nside, {{at, kPeak}}, fwhm);
        std::vector<double> lifted = map;
        for (size_t p = 0; p < map.size(); ++p)
            lifted[p] += 1e8 + 1e6 * directionFromRing(nside, static_cast<int64_t>(p)).x;
        FilterParameters p;
        p.beam = PointBeam::gaussian(fwhm);
        FilterPlan plan(pointMap(nside, map), 0, Device::cpu());
        FilterPlan liftedPlan(pointMap(nside, lifted), 0, Device::cpu());
        FilterPlan noisePlan(pointMap(nside, noise), 0, Device::cpu());
        for (const FilterType type :
             {FilterType::Matched, FilterType::MexicanHat, FilterType::TopHatDifference}) {
            p.shape.type = type;
            const FilteredSky sky = plan.execute(p, job_), other = liftedPlan.execute(p, job_);
            const FilteredSky empty = noisePlan.execute(p, job_);
            QCOMPARE(sky.bright.size(), size_t{1});
            // Position and peak within five times the error expected from the noise.
            const double snr = kPeak / sky.filter.noise;
            ARMILLA_VERIFY_BELOW(angularDistance(sky.bright[0].direction, at), 5 * fwhm / snr);
            double worst = 0.0, level = 0.0, leak = 0.0;
            for (size_t q = 0; q < map.size(); ++q) {
                const double theta =
                    angularDistance(directionFromRing(nside, static_cast<int64_t>(q)), at);
                const double found = sky.filtered[q] - empty.filtered[q];
                worst = std::max(worst, std::abs(found - kPeak * sky.response(theta)));
                level = std::max(level, std::abs(empty.filtered[q]));
                leak = std::max(leak, std::abs(other.filtered[q] - sky.filtered[q]));
            }
            // The two filters differ by the source's contribution to the estimated spectrum, so the
            // maps differ by a percent of the noise peak.
            ARMILLA_VERIFY_BELOW(worst, 0.02 * level + 1e-3 * kPeak);
            // Rounding of 1e8, in the map and in the fit of monopole and dipole: at most some
            // hundred epsilon of 1e8 if the filter sums over its pixels.
            ARMILLA_VERIFY_BELOW(leak, 1e8 * 2.2e-16 * 1000);
            ARMILLA_VERIFY_BELOW(std::abs(sky.response(0.0) - 1.0), 1e-9);
        }
    }

    // For any earlier requests, and with the memory of another sky: the bits of a new plan.
    void forgetsWhatWasBefore() {
        const Device cpu = Device::cpu();
        compareHistories(
            64, [&](const auto& map) { return FilterPlan(map, 0, cpu); }, job_);
    }

    // A given background, before the beam, and noise: the matched filter of their sum.
    void givenBackground() {
        constexpr int64_t nside = 64;
        const double fwhm = 5 * std::sqrt(kPi / 3) / nside;
        const std::vector<double> sky = cmbSpectrum(3 * nside - 1), noise = whiteNoise(nside, 2);
        std::vector<double> map = gaussianSky(sky, nside, fwhm, 1, job_);
        for (size_t p = 0; p < map.size(); ++p) map[p] += 40 * noise[p];
        FilterParameters p;
        p.beam = PointBeam::gaussian(fwhm);
        p.background = sky;
        std::vector<double> cl(std::min<size_t>(p.beam.bl.size(), 3 * nside));
        const double white = 40.0 * 40.0 * 4 * kPi / static_cast<double>(pixelCount(nside));
        for (size_t l = 0; l < cl.size(); ++l) cl[l] = sky[l] * p.beam.bl[l] * p.beam.bl[l] + white;
        const PointFilter truth = pointFilter({}, p.beam, cl);
        FilterPlan plan(pointMap(nside, map), 0, Device::cpu());
        const auto difference = [&](const PointFilter& found) {
            return relativeError(found.fl, truth.fl);
        };
        p.noise = 40.0;
        const FilteredSky given = plan.execute(p, job_);
        // The truth is the same formula from the same spectrum; 1e-12 is 4500 machine epsilons.
        ARMILLA_VERIFY_BELOW(difference(given.filter), 1e-12);
        // The filtered map has the noise that the spectrum predicts: 49000 pixels of 25 to a beam.
        double sum = 0.0;
        for (const double v : given.filtered) sum += v * v;
        const double rms = std::sqrt(sum / static_cast<double>(given.filtered.size()));
        ARMILLA_VERIFY_BELOW(std::abs(rms / truth.noise - 1), 0.07);
        // Unset, the noise is estimated from the end of the spectrum: to 5 % of its power.
        p.noise.reset();
        ARMILLA_VERIFY_BELOW(difference(plan.execute(p, job_).filter), 0.05);
        // A constant noise map equals that value.
        p.noiseMap = pointMap(nside, std::vector<double>(map.size(), 40.0));
        ARMILLA_VERIFY_BELOW(difference(plan.execute(p, job_).filter), 1e-12);
    }

    // The local noise follows a noise map within the cells in which it is measured.
    void noiseMap() {
        constexpr int64_t nside = 128;
        const double fwhm = 5 * std::sqrt(kPi / 3) / nside;
        std::vector<double> map = whiteNoise(nside, 12), depth(map.size());
        for (size_t p = 0; p < map.size(); ++p) {
            // Stripes of 20 degrees, a third of a cell's width at their steps.
            const double lat = std::asin(directionFromRing(nside, static_cast<int64_t>(p)).z);
            depth[p] = std::fmod(lat + kPi, 20 * kDegree) < 10 * kDegree ? 1.0 : 4.0;
            map[p] *= depth[p];
        }
        FilterParameters p;
        p.beam = PointBeam::gaussian(fwhm);
        p.noiseMap = pointMap(nside, depth);
        FilterPlan plan(pointMap(nside, map), 0, Device::cpu());
        const FilteredSky sky = plan.execute(p, job_);
        // The significance has an rms of 1 in either kind of stripe, away from the edges.
        for (const double kind : {1.0, 4.0}) {
            double sum = 0.0, count = 0.0;
            for (size_t q = 0; q < map.size(); ++q) {
                const double lat = std::asin(directionFromRing(nside, static_cast<int64_t>(q)).z);
                const double in = std::fmod(lat + kPi, 10 * kDegree);
                if (depth[q] != kind || in < fwhm || in > 10 * kDegree - fwhm) continue;
                sum += std::pow(sky.filtered[q] / sky.rms[q], 2);
                count += 1;
            }
            const double rms = std::sqrt(sum / count);
            QVERIFY2(rms > 0.9 && rms < 1.1, qPrintable(QString::number(rms)));
        }
    }

    // Without noise: the sources have their peaks, and there are no other detections.
    void noNoise() {
        constexpr int64_t nside = 64;
        const double fwhm = 5 * std::sqrt(kPi / 3) / nside;
        std::vector<double> map(static_cast<size_t>(pixelCount(nside)), 0.0);
        std::vector<PointSource> sources;
        for (const Vec3 d : randomDirections(10, 8 * fwhm, 4)) sources.push_back({d, 3.0});
        addGaussians(map, nside, sources, fwhm);
        FilterParameters p;
        p.beam = PointBeam::gaussian(fwhm);
        p.shape = {.type = FilterType::MexicanHat, .order = 2, .scale = 1.0};
        FilterPlan plan(pointMap(nside, map), 0, Device::cpu());
        const FilteredSky sky = plan.execute(p, job_);
        QVERIFY(sky.bright.size() >= 10 && sky.bright.size() < 200);
        for (const PointSource& s : sources) {
            const int64_t q = ringFromDirection(nside, s.direction);
            const double theta = angularDistance(directionFromRing(nside, q), s.direction);
            // A quadrature without iterations errs by 1e-3 next to the band's end.
            ARMILLA_VERIFY_BELOW(
                std::abs(sky.filtered[static_cast<size_t>(q)] / (3.0 * sky.response(theta)) - 1),
                5e-3);
        }
    }

    // NESTED, RING and partial maps give the same sky.
    void orderings() {
        constexpr int64_t nside = 32;
        std::vector<double> map = whiteNoise(nside, 6);
        for (size_t p = 0; p < map.size(); ++p)
            if (std::abs(directionFromRing(nside, static_cast<int64_t>(p)).z) < 0.2)
                map[p] = std::numeric_limits<double>::quiet_NaN();
        const auto ring = pointMap(nside, map);
        const auto nested =
            std::make_shared<const HealpixMap>(reordered(*ring, Ordering::Nested, job_));
        const auto partial = std::make_shared<const HealpixMap>(toPartial(*ring, job_));
        FilterParameters p;
        p.beam = PointBeam::gaussian(8 * kDegree);
        const auto run = [&](const std::shared_ptr<const HealpixMap>& from) {
            FilterPlan plan(from, 0, Device::cpu());
            const FilteredSky sky = plan.execute(p, job_);
            return significanceMap(*from, 0, sky, job_);
        };
        const HealpixMap a = run(ring), b = reordered(run(nested), Ordering::Ring, job_);
        const HealpixMap c = toFull(run(partial), job_);
        int64_t good = 0;
        for (int64_t q = 0; q < a.pixelCount(); ++q) {
            const double v = a.value(0, q), n = b.value(0, q), f = c.value(0, q);
            QVERIFY(std::isnan(v) ? std::isnan(n) && std::isnan(f) : v == n && v == f);
            good += std::isnan(v) ? 0 : 1;
        }
        QVERIFY(good > a.pixelCount() / 2);
    }

    // A plane of steep emission is masked. The sky beside the mask is as quiet as elsewhere, pixels
    // with too little sky are bad, and their share is reported.
    void edgeOfMasks() {
        constexpr int64_t nside = 256;
        const double fwhm = 4.2 * std::sqrt(kPi / 3) / nside;
        std::vector<double> map = gaussianSky(cmbSpectrum(3 * nside - 1), nside, fwhm, 3, job_);
        const std::vector<double> noise = whiteNoise(nside, 8);
        for (size_t p = 0; p < map.size(); ++p) {
            const double z = directionFromRing(nside, static_cast<int64_t>(p)).z;
            map[p] += 20 * noise[p] + 300 / (0.05 + std::abs(z));
            if (std::abs(z) < 0.15) map[p] = std::numeric_limits<double>::quiet_NaN();
        }
        FilterParameters p;
        p.beam = PointBeam::gaussian(fwhm);
        FilterPlan plan(pointMap(nside, map), 0, Device::cpu());
        const FilteredSky sky = plan.execute(p, job_);
        double beside = 0.0, besides = 0.0, far = 0.0, fars = 0.0;
        int64_t refused = 0;
        for (size_t q = 0; q < map.size(); ++q) {
            const double lat =
                std::asin(std::abs(directionFromRing(nside, static_cast<int64_t>(q)).z));
            const double fromEdge = lat - std::asin(0.15);
            const double v = sky.filtered[q];
            if (std::isnan(map[q])) {
                QVERIFY(std::isnan(v));
                continue;
            }
            if (std::isnan(v)) {
                ++refused;
                QVERIFY(sky.share[q] < 0.7F);
                // A straight edge through its center leaves half of the response.
                QVERIFY(fromEdge < 0.5 * fwhm);
                continue;
            }
            if (fromEdge < 2 * fwhm) {
                beside += v * v;
                besides += 1;
            } else if (fromEdge > 10 * fwhm) {
                far += v * v;
                fars += 1;
            }
        }
        QCOMPARE(sky.refused, refused);
        QVERIFY(refused > 0);
        // If a part of the response is missing, less noise averages out; this concerns a third of
        // the ring next to the mask. The ratio has a noise of 5 %, from 12000 pixels of 15 to a
        // beam.
        ARMILLA_VERIFY_BELOW(std::sqrt(beside / besides) / std::sqrt(far / fars), 1.15);
    }

    // A steep sky is rougher than the filling of holes, and its filter takes large differences. The
    // stated noise at edges must be the true one.
    void noiseAtEdges() {
        constexpr int64_t nside = 256;
        const double fwhm = 4.5 * std::sqrt(kPi / 3) / nside;
        std::vector<double> cl(3 * nside, 0.0);
        for (size_t l = 2; l < cl.size(); ++l) cl[l] = std::pow(static_cast<double>(l) / 100, -3.0);
        std::vector<double> map = gaussianSky(cl, nside, fwhm, 4, job_);
        const std::vector<double> noise = whiteNoise(nside, 9);
        for (size_t p = 0; p < map.size(); ++p) map[p] += 1.5 * noise[p];
        for (const Vec3 d : randomDirections(60, 10 * fwhm, 7))
            for (const PixelRange& range : queryDisc(nside, Ordering::Ring, d, 3 * fwhm))
                for (int64_t p = range.begin; p < range.end; ++p)
                    map[static_cast<size_t>(p)] = std::numeric_limits<double>::quiet_NaN();
        FilterParameters p;
        p.beam = PointBeam::gaussian(fwhm);
        FilterPlan plan(pointMap(nside, map), 0, Device::cpu());
        const FilteredSky sky = plan.execute(p, job_);
        // By the missing part of the response.
        for (const auto& [from, to] : {std::pair{-1.0, 1e-3}, {0.005, 0.05}, {0.05, 0.3}}) {
            double squares = 0.0;
            int64_t count = 0;
            for (size_t q = 0; q < map.size(); ++q) {
                const double missed = 1.0 - static_cast<double>(sky.share[q]);
                if (std::isnan(sky.filtered[q]) || missed < from || missed >= to) continue;
                const double snr = sky.filtered[q] / sky.rms[q];
                squares += snr * snr;
                ++count;
            }
            // 60 edges of 20 beams: some hundred beams determine the noise to 5 %; bins are
            // octaves.
            const double rms = std::sqrt(squares / static_cast<double>(count));
            QVERIFY2(count > 2000 && std::abs(rms - 1.0) < 0.15,
                     qPrintable(QStringLiteral("%1 of %2").arg(rms).arg(count)));
        }
    }

    // Pictures of a live filter: without bright sources equal to execute() within rounding. Coarse
    // ones pass through a Gaussian of two cells, evaluated at the center of the underlying pixel.
    void previews() {
        constexpr int64_t nside = 64, coarse = 32;
        const double cell = std::sqrt(kPi / 3) / coarse;
        const auto map = pointMap(nside, whiteNoise(nside, 7));
        FilterPlan plan(map, 0, Device::cpu(), FilterPictures::Live);
        FilterParameters p;
        p.beam = PointBeam::gaussian(20 * std::sqrt(kPi / 3) / nside);
        p.shape = {FilterType::MexicanHat, 1, 1.0};
        QVERIFY(!plan.knows(p));
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, plan.preview(p, nside, job_));
        const FilteredSky first = plan.execute(p, job_);
        QVERIFY(first.bright.empty());
        FilterParameters other = p;
        other.shape = {FilterType::MexicanHat, 2, 1.5};
        const HealpixMap fine = plan.preview(other, nside, job_);
        const HealpixMap rough = plan.preview(other, coarse, job_);
        const FilteredSky truth = plan.execute(other, job_);
        std::vector<double> shown(truth.filtered.size());
        for (size_t q = 0; q < shown.size(); ++q)
            shown[q] = fine.field(0).at(static_cast<int64_t>(q));
        // Values of single precision.
        ARMILLA_VERIFY_BELOW(relativeError(shown, truth.filtered), 6e-8);
        SmoothPlan smooth(pointMap(nside, truth.filtered), {0}, Device::cpu());
        SmoothParameters blur;
        blur.fwhm = 2 * cell;
        const HealpixMap blurred = smooth.execute(blur, job_);
        std::vector<double> a, b;
        for (int64_t q = 0; q < rough.pixelCount(); ++q) {
            a.push_back(rough.field(0).at(q));
            b.push_back(blurred.value(0, blurred.pixelAt(directionFromRing(coarse, q))));
        }
        // A center of the coarse grid is a corner of the fine one, d = 0.7 to 0.9 pixels away. The
        // filter's <k^2> is 5 / R^2 on white noise, R = 1.5 sigma of the beam = 12.7 pixels:
        // d sqrt(<k^2> / 2) = 0.09 to 0.11.
        ARMILLA_VERIFY_BELOW(relativeError(a, b), 0.11);

        // A cancelled preparation leaves the previous state; another mask is unknown.
        std::stop_source stop;
        stop.request_stop();
        JobContext stopped(stop.get_token(), {}, 1);
        FilterParameters wide = other;
        wide.beam = PointBeam::gaussian(1.5 * p.beam.fwhm());
        QVERIFY_THROWS_EXCEPTION(Cancelled, plan.execute(wide, stopped));
        const HealpixMap again = plan.preview(other, coarse, job_);
        for (int64_t q = 0; q < rough.pixelCount(); ++q)
            QCOMPARE(again.field(0).at(q), rough.field(0).at(q));
        FilterParameters masked = other;
        std::vector<double> mask(truth.filtered.size());
        for (size_t q = 0; q < mask.size(); ++q)
            mask[q] = directionFromRing(nside, static_cast<int64_t>(q)).x > 0.5 ? 0.0 : 1.0;
        masked.mask = pointMap(nside, mask);
        QVERIFY(plan.knows(other) && !plan.knows(masked));
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, plan.preview(masked, coarse, job_));
        plan.execute(masked, job_);
        const HealpixMap cut = plan.preview(masked, coarse, job_);
        for (int64_t q = 0; q < cut.pixelCount(); ++q) {
            const double x = directionFromRing(coarse, q).x;
            if (std::abs(x - 0.5) > 2 * cell) QCOMPARE(std::isnan(cut.field(0).at(q)), x > 0.5);
        }
    }

    void refusals() {
        const auto map = pointMap(8, whiteNoise(8, 1));
        FilterPlan plan(map, 0, Device::cpu());
        FilterParameters p;
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, plan.execute(p, job_));
        p.beam = PointBeam::gaussian(20 * kDegree);
        p.noise = -1.0;
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, plan.execute(p, job_));
        p.noise.reset();
        p.shape = {.type = FilterType::MexicanHat, .order = 5};
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, plan.execute(p, job_));
        p.shape = {.type = FilterType::MexicanHat, .order = 2, .scale = 100.0};
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, plan.execute(p, job_));
        p.shape = {};
        p.mask = pointMap(8, std::vector<double>(768, 0.0));
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, plan.execute(p, job_));
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, FilterPlan(map, 1, Device::cpu()));
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, PointBeam::gaussian(0.0));
        std::stop_source stop;
        stop.request_stop();
        JobContext stopped(stop.get_token(), {}, 1);
        p.mask.reset();
        QVERIFY_THROWS_EXCEPTION(Cancelled, plan.execute(p, stopped));
    }

private:
    JobContext job_;
};

QTEST_GUILESS_MAIN(FilterTest)
#include "tst_filter.moc"
