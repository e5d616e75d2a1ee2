// SPDX-License-Identifier: GPL-3.0-or-later
// The matched filter of several frequencies.
#include <QtTest>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/ops/combine_maps.h"
#include "compute/point_skies.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

class CombineMapsTest : public QObject {
    Q_OBJECT
    JobContext job_;

    // A CMB in both maps with their beams, independent noise, sources of a known ratio.
    struct Pair {
        std::vector<MapToCombine> maps;
        std::vector<PointSource> truth;
    };
    Pair skies(int64_t nside, int64_t nside2, double fwhm, double fwhm2, double response,
               bool hole) {
        const int lmax = static_cast<int>(3 * nside - 1);
        Pair pair;
        uint32_t i = 0;
        for (const Vec3 d : randomDirections(300, 4 * fwhm, 7))
            pair.truth.push_back({d, 50.0 * std::pow(10.0, uniformPair({i++, 3, 3, 3}, 5)[0])});
        const auto make = [&](int64_t n, double width, double factor, double depth, uint64_t seed) {
            // The same harmonics, because random numbers depend on l and m.
            std::vector<double> cl = cmbSpectrum(lmax);
            cl.resize(static_cast<size_t>(std::min(lmax, static_cast<int>(3 * n - 1))) + 1);
            std::vector<double> values = gaussianSky(cl, n, width, 11, job_);
            const std::vector<double> noise = whiteNoise(n, seed);
            for (size_t p = 0; p < values.size(); ++p) values[p] += depth * noise[p];
            std::vector<PointSource> sources = pair.truth;
            for (PointSource& s : sources) s.peak *= factor;
            addGaussians(values, n, sources, width);
            if (hole)
                for (size_t p = 0; p < values.size(); ++p)
                    if (directionFromRing(n, static_cast<int64_t>(p)).z > 0.9)
                        values[p] = std::numeric_limits<double>::quiet_NaN();
            pair.maps.push_back(
                {pointMap(n, std::move(values)), 0, PointBeam::gaussian(width), factor});
        };
        make(nside, fwhm, 1.0, 20.0, 3);
        make(nside2, fwhm2, response, 20.0, 4);
        return pair;
    }

private slots:
    // Two maps by hand: W ~ C^-1 t.
    void weights() {
        const std::vector<double> t{2.0, 3.0}, c{4.0, 1.0, 1.0, 2.0};
        const std::vector<double> w = combinationWeights(t, c);
        const double det = 7.0, x0 = (2.0 * 2.0 - 1.0 * 3.0) / det,
                     x1 = (-1.0 * 2.0 + 4.0 * 3.0) / det;
        const double norm = 2.0 * x0 + 3.0 * x1;
        // A ridge of 1e-9 of the diagonal.
        ARMILLA_VERIFY_BELOW(std::abs(w[0] - 2.0 * x0 / norm), 1e-8);
        ARMILLA_VERIFY_BELOW(std::abs(w[1] - 2.0 * x1 / norm), 1e-8);
        // A source has the same response as in the first map.
        ARMILLA_VERIFY_BELOW(std::abs(w[0] * t[0] + w[1] * t[1] - t[0]), 1e-14);
        // A map without response has no weight; without an inverse only the first map counts.
        const std::vector<double> blind{2.0, 0.0}, apart{4.0, 0.0, 0.0, 2.0};
        QCOMPARE(combinationWeights(blind, apart)[1], 0.0);
        const std::vector<double> none{0.0, 0.0, 0.0, 0.0};
        QCOMPARE(combinationWeights(t, none), (std::vector<double>{1.0, 0.0}));
    }

    void search_data() {
        QTest::addColumn<int>("nside2");
        QTest::addColumn<double>("width2");
        QTest::addColumn<double>("response");
        QTest::addColumn<bool>("hole");
        QTest::newRow("same beams") << 128 << 1.0 << 1.5 << false;
        QTest::newRow("a wider beam") << 128 << 1.5 << 1.0 << false;
        QTest::newRow("a coarser map, holes") << 64 << 2.4 << 2.0 << true;
    }
    // Sources have the first map's peaks, above noise as low as the theory predicts. The common
    // background is reduced as far as possible.
    void search() {
        QFETCH(int, nside2);
        QFETCH(double, width2);
        QFETCH(double, response);
        QFETCH(bool, hole);
        const double fwhm = 3.5 * std::sqrt(kPi / 3) / 128;
        const Pair pair = skies(128, nside2, fwhm, width2 * fwhm, response, hole);
        const CombinedMap combined = combinedMaps(pair.maps, {}, Device::cpu(), job_);
        QVERIFY(combined.noiseTogether < 0.97 * combined.noiseAlone);
        QVERIFY(combined.map->field(0).unit == pair.maps[0].map->field(0).unit);
        SourceParameters p;
        p.filter.beam = PointBeam::gaussian(fwhm);
        p.fit = SourceFit::Filter;
        FilterPlan plan(combined.map, 0, Device::cpu());
        const SourceSearch search = findSources(plan, *combined.map, p, job_);
        // The plan measures the spectrum of the background from one sky: some percent.
        ARMILLA_VERIFY_BELOW(std::abs(search.sky.filter.noise / combined.noiseTogether - 1.0), 0.1);
        double bias = 0.0, pull = 0.0, places = 0.0;
        int above = 0, found = 0;
        for (const PointSource& s : pair.truth) {
            const auto pixel = static_cast<size_t>(ringFromDirection(128, s.direction));
            if (!std::isfinite(search.sky.filtered[pixel])) continue;
            if (s.peak < 7 * search.sky.rms[pixel]) continue;
            ++above;
            for (const Source& each : search.sources) {
                if (angularDistance(each.direction, s.direction) > 0.7 * fwhm) continue;
                ++found;
                bias += each.peak / s.peak - 1.0;
                pull += std::pow((each.peak - s.peak) / each.peakError, 2);
                const double off = angularDistance(each.direction, s.direction);
                places += 0.5 * std::pow(off / each.positionError, 2);
                break;
            }
        }
        QVERIFY2(above > 60, qPrintable(QString::number(above)));
        QVERIFY2(found >= 0.98 * above, qPrintable(QString("%1 of %2").arg(found).arg(above)));
        // The mean of a hundred sources of ten sigma has an error of 1 %.
        ARMILLA_VERIFY_BELOW(std::abs(bias / found), 0.03);
        const double ratio = std::sqrt(pull / found);
        // The scatter is known to 1 / sqrt(2 * 100) = 7 %, and stated errors are accurate to 20 %.
        QVERIFY2(ratio > 0.75 && ratio < 1.3, qPrintable(QString::number(ratio)));
        const double placeRatio = std::sqrt(places / found);
        QVERIFY2(placeRatio > 0.75 && placeRatio < 1.3, qPrintable(QString::number(placeRatio)));
    }

    // A requested lmax beyond the pixels of the first map is limited to these.
    void bandLimit() {
        const Pair pair = skies(32, 32, 0.03, 0.03, 1.0, false);
        CombinationParameters p;
        p.lmax = 95;
        const CombinedMap most = combinedMaps(pair.maps, p, Device::cpu(), job_);
        p.lmax = 120;
        const CombinedMap more = combinedMaps(pair.maps, p, Device::cpu(), job_);
        QCOMPARE(more.weights[0].size(), size_t{96});
        for (int64_t i = 0; i < pixelCount(32); ++i)
            QCOMPARE(more.map->value(0, i), most.map->value(0, i));
    }

    void refusals() {
        const Pair pair = skies(32, 32, 0.02, 0.02, 1.0, false);
        const std::vector<MapToCombine> one{pair.maps[0]};
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, combinedMaps(one, {}, Device::cpu(), job_));
        std::vector<MapToCombine> other = pair.maps;
        other[1].response = 0.0;
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, combinedMaps(other, {}, Device::cpu(), job_));
        // Maps in two known frames are combined; the mask must be in the frame of the first.
        HealpixMap framed = *pair.maps[1].map;
        framed.setFrame(Frame::Unknown);
        other = pair.maps;
        other[1].map = std::make_shared<const HealpixMap>(framed);
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, combinedMaps(other, {}, Device::cpu(), job_));
        framed.setFrame(Frame::Ecliptic);
        CombinationParameters masked;
        masked.mask = std::make_shared<const HealpixMap>(framed);
        QVERIFY_THROWS_EXCEPTION(InvalidArgument,
                                 combinedMaps(pair.maps, masked, Device::cpu(), job_));
    }
};

QTEST_GUILESS_MAIN(CombineMapsTest)
#include "tst_combine_maps.moc"
