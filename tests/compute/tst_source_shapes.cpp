// SPDX-License-Identifier: GPL-3.0-or-later
// Sources that are not single points: negative ones, pairs, extended ones; and blank areas.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>

#include "armilla/core/pixel_queries.h"
#include "armilla/ops/sample_sky.h"
#include "armilla/ops/sources.h"
#include "compute/point_skies.h"
#include "sources/blank_areas.h"
#include "sources/source_parts.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr int64_t kNside = 256;
const double kFwhm = 4.2 * std::sqrt(kPi / 3) / kNside;
constexpr double kSigmaPerFwhm = 0.42466090014400953;
constexpr double kDepth = 20.0;

struct Tangent {
    Vec3 east, north;
    explicit Tangent(Vec3 at)
        : east(normalized(cross(Vec3{0.0, 0.0, 1.0}, at))), north(cross(at, east)) {}
};

// `angle`: of the major axis, from north to east.
void addEllipse(std::vector<double>& ring, Vec3 center, double peak, double major, double minor,
                double angle) {
    const Tangent at(center);
    for (const PixelRange& run :
         queryDisc(kNside, Ordering::Ring, center, 6.5 * kSigmaPerFwhm * major))
        for (int64_t p = run.begin; p < run.end; ++p) {
            const Vec3 d = directionFromRing(kNside, p);
            const double e = dot(d, at.east), n = dot(d, at.north), s = std::hypot(e, n);
            const double stretch = s > 0.0 ? angularDistance(center, d) / s : 0.0;
            const double along = stretch * (n * std::cos(angle) + e * std::sin(angle));
            const double across = stretch * (e * std::cos(angle) - n * std::sin(angle));
            const double u = along / (major * kSigmaPerFwhm), v = across / (minor * kSigmaPerFwhm);
            ring[static_cast<size_t>(p)] += peak * std::exp(-0.5 * (u * u + v * v));
        }
}

struct Sky {
    std::vector<double> values;
    double noise = 0.0;  // in the output of the matched filter
};
Sky background(bool cmb, uint64_t seed, JobContext& job) {
    const int lmax = static_cast<int>(3 * kNside - 1);
    const PointBeam beam = PointBeam::gaussian(kFwhm);
    const std::vector<double> cl =
        cmb ? cmbSpectrum(lmax) : std::vector<double>(static_cast<size_t>(lmax) + 1, 0.0);
    Sky sky;
    sky.values = cmb ? gaussianSky(cl, kNside, kFwhm, seed, job)
                     : std::vector<double>(static_cast<size_t>(pixelCount(kNside)), 0.0);
    const std::vector<double> noise = whiteNoise(kNside, seed + 11);
    for (size_t p = 0; p < noise.size(); ++p) sky.values[p] += kDepth * noise[p];
    std::vector<double> c(std::min(beam.bl.size(), cl.size()));
    for (size_t l = 0; l < c.size(); ++l)
        c[l] = cl[l] * beam.bl[l] * beam.bl[l] + kDepth * kDepth * 4 * kPi / pixelCount(kNside);
    sky.noise = pointFilter({}, beam, c).noise;
    return sky;
}

SourceSearch searched(std::vector<double> values, SourceSign sign, JobContext& job) {
    const auto map = pointMap(kNside, std::move(values));
    SourceParameters p;
    p.filter.beam = PointBeam::gaussian(kFwhm);
    p.sign = sign;
    FilterPlan plan(map, 0, Device::cpu());
    return findSources(plan, *map, p, job);
}

std::vector<const Source*> rowsAround(const SourceSearch& search, Vec3 at, double reach) {
    std::vector<const Source*> rows;
    for (const Source& s : search.sources)
        if (angularDistance(s.direction, at) < reach) rows.push_back(&s);
    return rows;
}

// Mean and mean square of (found - truth) / error.
struct Pulls {
    double sum = 0.0, squares = 0.0;
    int count = 0;
    void add(double pull) {
        sum += pull;
        squares += pull * pull;
        ++count;
    }
    // The root mean square of `count` unit deviates is within 4 / sqrt(2 count) of 1. A tenth is
    // added, because the covariance of background and noise, smoothed in l, may be off by that.
    bool areHonest() const {
        return std::abs(std::sqrt(squares / count) - 1.0) < 0.1 + 4.0 / std::sqrt(2.0 * count);
    }
    QByteArray text() const {
        return QString("%1 pulls: mean %2, rms %3")
            .arg(count)
            .arg(sum / count)
            .arg(std::sqrt(squares / count))
            .toUtf8();
    }
};

}  // namespace

class SourceShapesTest : public QObject {
    Q_OBJECT
private slots:
    void signs_data() {
        QTest::addColumn<int>("sign");
        QTest::newRow("positive") << 0;
        QTest::newRow("negative") << 1;
        QTest::newRow("both") << 2;
    }
    // Fifty sources of 20 sigma and ten of -200, whose rings are as high as ten sigma.
    void signs() {
        QFETCH(int, sign);
        Sky sky = background(true, 3, job_);
        const std::vector<Vec3> places = randomDirections(60, 8 * kFwhm, 4);
        std::vector<PointSource> truth;
        for (size_t i = 0; i < places.size(); ++i)
            truth.push_back({places[i], (i < 10 ? -200.0 : 20.0) * sky.noise});
        addGaussians(sky.values, kNside, truth, kFwhm);
        const SourceSearch search = searched(sky.values, static_cast<SourceSign>(sign), job_);
        Pulls peaks;
        size_t expected = 0;
        for (const PointSource& t : truth) {
            const auto rows = rowsAround(search, t.direction, 4 * kFwhm);
            const bool isAsked = sign == 2 || (t.peak > 0.0) == (sign == 0);
            QCOMPARE(rows.size(), isAsked ? size_t{1} : size_t{0});
            if (!isAsked) continue;
            ++expected;
            QVERIFY(rows[0]->peak * t.peak > 0.0 && rows[0]->snr * t.peak > 0.0);
            peaks.add((rows[0]->peak - t.peak) / rows[0]->peakError);
        }
        // Noise exceeds 5 sigma in one of several such skies; ten sources cannot be noise.
        QVERIFY(search.sources.size() <= expected + 1);
        QVERIFY2(peaks.areHonest(), peaks.text());
        QVERIFY(search.falseExpected <= 2);
    }

    // Inverted skies contain the same sources, with opposite signs.
    void signsAreMirrored() {
        Sky sky = background(true, 8, job_);
        std::vector<PointSource> truth;
        for (const Vec3 d : randomDirections(30, 6 * kFwhm, 4))
            truth.push_back({d, 12 * sky.noise});
        addGaussians(sky.values, kNside, truth, kFwhm);
        std::vector<double> mirrored = sky.values;
        for (double& v : mirrored) v = -v;
        const SourceSearch a = searched(sky.values, SourceSign::Positive, job_);
        const SourceSearch b = searched(mirrored, SourceSign::Negative, job_);
        QCOMPARE(a.sources.size(), b.sources.size());
        for (size_t i = 0; i < a.sources.size(); ++i) {
            // The transforms of both are the same numbers with other signs. A fit settles when
            // chi^2 falls by less than 1e-6, which is a thousandth of an error.
            ARMILLA_VERIFY_BELOW(std::abs(a.sources[i].peak + b.sources[i].peak),
                                 2e-3 * a.sources[i].peakError);
            // The median of an even number of samples is the upper of two, for inverted values the
            // lower. Local noise from some hundred samples therefore differs by a few thousandths.
            ARMILLA_VERIFY_BELOW(std::abs(a.sources[i].snr + b.sources[i].snr),
                                 5e-3 * std::abs(a.sources[i].snr));
        }
    }

    void pairs_data() {
        QTest::addColumn<bool>("cmb");
        QTest::addColumn<double>("separation");
        QTest::addColumn<double>("first");
        QTest::addColumn<double>("second");
        QTest::newRow("0.3, noise") << false << 0.3 << 20.0 << 20.0;
        QTest::newRow("0.5, noise") << false << 0.5 << 20.0 << 20.0;
        QTest::newRow("0.5, CMB") << true << 0.5 << 20.0 << 20.0;
        QTest::newRow("0.8, noise") << false << 0.8 << 20.0 << 20.0;
        QTest::newRow("0.8, CMB") << true << 0.8 << 20.0 << 20.0;
        QTest::newRow("0.9, noise") << false << 0.9 << 20.0 << 20.0;
        QTest::newRow("1.0, CMB") << true << 1.0 << 20.0 << 20.0;
        QTest::newRow("1.0, CMB, uneven") << true << 1.0 << 60.0 << 20.0;
        QTest::newRow("1.2, noise") << false << 1.2 << 20.0 << 20.0;
        QTest::newRow("1.4, CMB") << true << 1.4 << 20.0 << 20.0;
    }
    // Two rows from 0.8 beams on, one row below 0.6, never three.
    void pairs() {
        QFETCH(bool, cmb);
        QFETCH(double, separation);
        QFETCH(double, first);
        QFETCH(double, second);
        Sky sky = background(cmb, 21, job_);
        struct Pair {
            Vec3 at, a, b;
        };
        std::vector<Pair> truth;
        uint32_t i = 0;
        for (const Vec3 at : randomDirections(100, 8 * kFwhm, 5)) {
            const double angle = kPi * uniformPair({i++, 5, 5, 5}, 1)[0];
            const double half = 0.5 * separation * kFwhm;
            const Tangent plane(at);
            const Vec3 along = std::sin(angle) * plane.east + std::cos(angle) * plane.north;
            truth.push_back({at, std::cos(half) * at + std::sin(half) * along,
                             std::cos(half) * at - std::sin(half) * along});
            addGaussians(
                sky.values, kNside,
                {{truth.back().a, first * sky.noise}, {truth.back().b, second * sky.noise}}, kFwhm);
        }
        const SourceSearch search = searched(sky.values, SourceSign::Positive, job_);
        Pulls peaks;
        int two = 0, flagged = 0, near = 0;
        for (const Pair& pair : truth) {
            const auto rows = rowsAround(search, pair.at, 3 * kFwhm);
            QVERIFY2(rows.size() == 1 || rows.size() == 2, QByteArray::number(rows.size()));
            flagged += std::all_of(rows.begin(), rows.end(), [](const Source* s) {
                return (s->flags & (kSourceBlended | kSourceExtended)) != 0;
            });
            if (rows.size() != 2) continue;
            ++two;
            for (const auto& [at, peak] :
                 {std::pair{pair.a, first * sky.noise}, std::pair{pair.b, second * sky.noise}}) {
                const Source* row = angularDistance(rows[0]->direction, at) <
                                            angularDistance(rows[1]->direction, at)
                                        ? rows[0]
                                        : rows[1];
                peaks.add((row->peak - peak) / row->peakError);
                near += std::abs(row->peak - peak) < 3.0 * row->peakError ? 1 : 0;
            }
        }
        QVERIFY(search.sources.size() <= truth.size() + static_cast<size_t>(two) + 1);
        if (separation < 0.6) {
            QCOMPARE(two, 0);
            // At 0.5 beams a Gaussian lowers chi^2 by 16 in white noise, and three free parameters
            // by 3 on average: two of three are above the 14 of 3 sigma. On the CMB all are.
            if (separation > 0.4) QVERIFY2(flagged >= (cmb ? 97 : 50), QByteArray::number(flagged));
            return;
        }
        // In white noise the likelihoods of two beams and of a Gaussian at 0.8 beams differ by 2
        // sigma in the mean. At most 5 of a hundred are then one row.
        QVERIFY2(two >= 95, QByteArray::number(two));
        QCOMPARE(flagged, 100);
        QVERIFY2(peaks.areHonest(), peaks.text());
        // 0.3 % of normal deviates are beyond 3; of 200 hardly more than four.
        QVERIFY2(near >= 2 * two - 4, QByteArray::number(near));
    }

    // A patch of 25 degrees with a source in every eight squares of the FWHM, none nearer than 0.85
    // FWHM to another, n(> S) ~ S^-1.5 from 5 times the noise of the filter on. Sources below the
    // threshold raise the noise of such a patch.
    void crowded() {
        Sky sky = background(false, 5, job_);
        const double radius = 25.0 * kDegree;
        const auto count =
            static_cast<size_t>(kTwoPi * (1.0 - std::cos(radius)) / (8.0 * kFwhm * kFwhm));
        const Vec3 center = normalized(Vec3{0.5, 0.3, 0.4});
        std::vector<PointSource> truth;
        for (uint32_t i = 0; truth.size() < count; ++i) {
            const auto u = uniformPair({i, 3, 1, 4}, 7), v = uniformPair({i, 5, 1, 4}, 7);
            const double z = 2 * u[0] - 1, s = std::sqrt(1 - z * z), phi = kTwoPi * u[1];
            const Vec3 d{s * std::cos(phi), s * std::sin(phi), z};
            if (angularDistance(d, center) > radius ||
                std::any_of(truth.begin(), truth.end(), [&](const PointSource& t) {
                    return angularDistance(t.direction, d) < 0.85 * kFwhm;
                }))
                continue;
            const double share = 1.0 - v[0] * (1.0 - std::pow(200.0 / 5.0, -1.5));
            truth.push_back({d, 5.0 * sky.noise * std::pow(share, -1.0 / 1.5)});
        }
        addGaussians(sky.values, kNside, truth, kFwhm);
        const SourceSearch search = searched(sky.values, SourceSign::Positive, job_);
        int bright = 0, found = 0, real = 0;
        for (const PointSource& t : truth) {
            if (t.peak < 6.0 * sky.noise) continue;
            ++bright;
            found += !rowsAround(search, t.direction, 0.5 * kFwhm).empty();
        }
        for (const Source& s : search.sources)
            real += std::any_of(truth.begin(), truth.end(), [&](const PointSource& t) {
                return angularDistance(t.direction, s.direction) < 0.5 * kFwhm;
            });
        const auto all = static_cast<int>(search.sources.size());
        const auto text = QString("%1 of %2 found, %3 of %4 real").arg(found).arg(bright);
        QVERIFY2(found >= 0.7 * bright, qPrintable(text.arg(real).arg(all)));
        QVERIFY2(real >= 0.98 * all, qPrintable(text.arg(real).arg(all)));
    }

    void extended_data() {
        QTest::addColumn<bool>("cmb");
        QTest::addColumn<double>("major");
        QTest::addColumn<double>("minor");
        QTest::addColumn<double>("snr");
        QTest::newRow("1.3, noise") << false << 1.3 << 1.3 << 40.0;
        QTest::newRow("2, noise") << false << 2.0 << 2.0 << 30.0;
        QTest::newRow("2, CMB") << true << 2.0 << 2.0 << 50.0;
        QTest::newRow("2 x 1.3, CMB") << true << 2.0 << 1.3 << 50.0;
        QTest::newRow("3 x 2, CMB") << true << 3.0 << 2.0 << 200.0;
        QTest::newRow("4, noise") << false << 4.0 << 4.0 << 50.0;
    }
    // One row, flagged, with the simulated axes. `snr`: of the peak in the noise of the filter.
    void extended() {
        QFETCH(bool, cmb);
        QFETCH(double, major);
        QFETCH(double, minor);
        QFETCH(double, snr);
        Sky sky = background(cmb, 31, job_);
        const double gap = std::max(8.0, 6.0 * major) * kFwhm;
        // So few that the spectrum is that of background and noise.
        const std::vector<Vec3> places = randomDirections(major > 2.5 ? 4 : 20, gap, 6);
        std::vector<double> angles;
        for (uint32_t i = 0; i < places.size(); ++i) {
            angles.push_back(kPi * uniformPair({i, 6, 6, 6}, 1)[0]);
            addEllipse(sky.values, places[i], snr * sky.noise, major * kFwhm, minor * kFwhm,
                       angles[i]);
        }
        const SourceSearch search = searched(sky.values, SourceSign::Positive, job_);
        Pulls peaks, positions, sizes, turns;
        for (size_t i = 0; i < places.size(); ++i) {
            const auto rows = rowsAround(search, places[i], 2.5 * major * kFwhm);
            QCOMPARE(rows.size(), size_t{1});
            const Source& s = *rows[0];
            QVERIFY((s.flags & kSourceExtended) != 0);
            peaks.add((s.peak - snr * sky.noise) / s.peakError);
            positions.add(angularDistance(s.direction, places[i]) / s.positionError /
                          std::sqrt(2.0));
            // The larger axis of a round source is the one enlarged by noise.
            if (major == minor) continue;
            sizes.add((s.major - major * kFwhm) / s.majorError);
            sizes.add((s.minor - minor * kFwhm) / s.minorError);
            turns.add(std::remainder(s.angle - angles[i], kPi) / s.angleError);
        }
        // Noise exceeds 5 sigma in one of several such skies.
        QVERIFY(search.sources.size() <= places.size() + 1);
        QVERIFY2(peaks.areHonest(), peaks.text());
        QVERIFY2(positions.areHonest(), positions.text());
        if (major == minor) return;
        QVERIFY2(sizes.areHonest(), sizes.text());
        QVERIFY2(turns.areHonest(), turns.text());
    }

    // The points of a Gaussian add up to it.
    void pointsOfAGaussian() {
        const Vec3 at = direction({0.4, 0.3});
        const sources::SkyPart part{at, 3.0, 2.5 * kFwhm, 1.4 * kFwhm, 0.7};
        std::vector<double> truth(static_cast<size_t>(pixelCount(kNside)), 0.0), sum = truth;
        addEllipse(truth, at, 3.0, 2.5 * kFwhm, 1.4 * kFwhm, 0.7);
        addGaussians(sum, kNside, sources::pointsOf(part, kFwhm), kFwhm);
        double most = 0.0;
        for (size_t p = 0; p < sum.size(); ++p) most = std::max(most, std::abs(sum[p] - truth[p]));
        // Quadrature and ends 2e-5 of the peak, beams cut at 6.5 sigma 1e-9, and a tangent plane
        // over 2.5 beams of a degree: squares of 0.04 in radians, 1e-3 of a width.
        ARMILLA_VERIFY_BELOW(most, 3.0 * 1e-3);
    }

    // A cap of zeros has no noise, and its edge no sources.
    void blankFootprint() {
        Sky sky = background(true, 41, job_);
        std::vector<PointSource> truth;
        for (const Vec3 d : randomDirections(40, 6 * kFwhm, 4))
            truth.push_back({d, 15 * sky.noise});
        addGaussians(sky.values, kNside, truth, kFwhm);
        int64_t zeros = 0;
        for (size_t p = 0; p < sky.values.size(); ++p)
            if (directionFromRing(kNside, static_cast<int64_t>(p)).z > 0.3) {
                sky.values[p] = 0.0;
                ++zeros;
            }
        const SourceSearch search = searched(sky.values, SourceSign::Both, job_);
        for (const Source& s : search.sources)
            QVERIFY(std::any_of(truth.begin(), truth.end(), [&](const PointSource& t) {
                return angularDistance(s.direction, t.direction) < 0.5 * kFwhm;
            }));
        QVERIFY(search.sources.size() > 15);
        const std::string words = std::to_string(zeros) + " pixels in 1 area of one value";
        QVERIFY2(search.sky.remark.find(words) != std::string::npos, search.sky.remark.c_str());
    }

    void blankAreas() {
        const auto count = static_cast<size_t>(pixelCount(64));
        const std::vector<double> noise = whiteNoise(64, 2);
        const auto disc = [&](std::vector<double>& ring, Vec3 at, double radius, double value) {
            int64_t pixels = 0;
            for (const PixelRange& run : queryDisc(64, Ordering::Ring, at, radius))
                for (int64_t p = run.begin; p < run.end; ++p, ++pixels)
                    ring[static_cast<size_t>(p)] = value;
            return pixels;
        };
        // One across the pole, a smaller one, and one of another value beside the first.
        std::vector<double> ring = noise;
        const int64_t large = disc(ring, direction({0.3, 1.5}), 0.3, 0.0);
        const int64_t small = disc(ring, direction({1.0, -0.4}), 0.1, 7.0);
        sources::BlankAreas found =
            sources::removeBlankAreas(64, ring, static_cast<double>(small), job_);
        QCOMPARE(found.areas, int64_t{1});
        QCOMPARE(found.pixels, large);
        QCOMPARE(found.largest, large);
        QCOMPARE(std::count_if(ring.begin(), ring.end(), [](double v) { return std::isnan(v); }),
                 static_cast<std::ptrdiff_t>(large));
        ring = noise;
        disc(ring, direction({1.0, -0.4}), 0.1, 7.0);
        found = sources::removeBlankAreas(64, ring, static_cast<double>(small - 1), job_);
        QCOMPARE(found.areas, int64_t{1});
        QCOMPARE(found.pixels, small);
        // Small counts: a third of the pixels are 0, and many of these are neighbors.
        for (size_t p = 0; p < count; ++p) ring[p] = noise[p] < -0.4 ? 0.0 : noise[p];
        found = sources::removeBlankAreas(64, ring, 30.0, job_);
        QVERIFY(found.largest > 30);
        QCOMPARE(found.areas, int64_t{0});
        // Zero is a value of a map that is 0 on most of the sky.
        ring = noise;
        for (size_t p = 0; p < count / 2; ++p) ring[p] = 0.0;
        found = sources::removeBlankAreas(64, ring, 100.0, job_);
        QCOMPARE(found.areas, int64_t{0});
        QVERIFY(found.remark().empty());
    }

    // A sky of clouds with a beam six times narrower than the stated one: no model fits, and
    // sources crowd. Noise in the last bits of its values changes no row, and no peak by more than
    // a hundredth of its error. Iterations that end before they settle, and degenerate models,
    // follow such noise.
    void rowsDoNotFollowRounding() {
        constexpr int64_t kSide = 128;
        const std::vector<double> noise = whiteNoise(kSide, 5);
        const HealpixMap sky = sampleSky(kSide, job_);
        const auto rowsWith = [&](double size) {
            std::vector<double> values = valuesOf(sky);
            for (size_t p = 0; p < values.size(); ++p) values[p] *= 1.0 + size * noise[p];
            const auto map = pointMap(kSide, std::move(values));
            SourceParameters parameters;
            parameters.filter.beam = PointBeam::gaussian(90.0 * kArcmin);
            FilterPlan plan(map, 0, Device::cpu());
            return findSources(plan, *map, parameters, job_).sources;
        };
        const std::vector<Source> rows = rowsWith(0.0);
        QVERIFY(rows.size() > 50);
        for (const double size : {1e-15, -1e-15, 2e-15, -2e-15, 3e-15, -3e-15}) {
            const std::vector<Source> others = rowsWith(size);
            QCOMPARE(others.size(), rows.size());
            for (size_t i = 0; i < rows.size(); ++i) {
                QCOMPARE(others[i].flags, rows[i].flags);
                // A fit ends once a step lowers chi^2 by less than about 1e-5; its peak is then
                // within 0.003 errors of the minimum, and two such fits within twice that.
                QVERIFY(std::abs(others[i].peak - rows[i].peak) < 0.01 * rows[i].peakError);
            }
        }
    }

private:
    static std::vector<double> valuesOf(const HealpixMap& map) {
        std::vector<double> values(static_cast<size_t>(map.pixelCount()));
        for (size_t p = 0; p < values.size(); ++p)
            values[p] = map.value(0, static_cast<int64_t>(p));
        return values;
    }
    JobContext job_;
};

QTEST_GUILESS_MAIN(SourceShapesTest)
#include "tst_source_shapes.moc"
