// SPDX-License-Identifier: GPL-3.0-or-later
// Spectra of the shown map, of the whole sky and outside a mask.
#include <QSignalSpy>
#include <QtTest>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "armilla/io/harmonic_io.h"
#include "armilla/session/exporter.h"
#include "session_bench.h"

using namespace armilla;
using namespace armilla::test;

class SessionSpectraTest : public QObject {
    Q_OBJECT
private slots:
    void spectrumOfAWave_data() {
        QTest::addColumn<double>("level");
        QTest::newRow("alone") << 0.0;
        QTest::newRow("on a level") << 100.0;
    }
    void spectrumOfAWave() {
        QFETCH(double, level);
        // Y_30-like map: z^3 - 3/5 z is proportional to P_3, so C_3 alone is not 0.
        const int64_t nside = 32;
        std::vector<float> values(static_cast<size_t>(pixelCount(nside)));
        for (size_t i = 0; i < values.size(); ++i) {
            const double z = directionFromRing(nside, static_cast<int64_t>(i)).z;
            values[i] = static_cast<float>(2.5 * z * z * z - 1.5 * z + level);
        }
        const auto wave = std::make_shared<const HealpixMap>(
            nside, Ordering::Ring, Frame::Galactic, std::vector<Field>{field("P3", values)});
        Bench bench;
        bench.open({bench.write(*wave, "p3.fits")});
        QSignalSpy ready(&bench.session.spectrum(), &LiveSpectrum::ready);
        const Shown shown = bench.document().view().shown();
        bench.session.spectrum().request(shown, {.options = {{"lmax", "20"}}});
        QVERIFY(bench.settle());
        QCOMPARE(ready.count(), 1);
        const auto result = ready[0][0].value<SpectrumResult>();
        QCOMPARE(result.cl.size(), size_t{21});
        QCOMPARE(result.of, shown);
        QCOMPARE(result.unit, QString("uK²"));
        QVERIFY(!result.preview);
        // a_30 = sqrt(4 pi / 7), C_3 = a_30^2 / 7. Without weights, as the command's default, the
        // quadrature error of a_lm at nside 32 is below 1e-3 (the error of the sum of z^2 over the
        // pixels is 1 / (6 nside^2) = 1.6e-4 of its value), and its square in an empty C_l.
        const double truth = 4.0 * kPi / 49.0;
        QVERIFY(std::abs(result.cl[3] / truth - 1.0) < 2e-3);
        for (size_t l = 1; l < result.cl.size(); ++l)
            if (l != 3) QVERIFY(result.cl[l] < 1e-6 * truth);
        QVERIFY(std::abs(result.cl[0] - 4.0 * kPi * level * level) < 1e-6 * level * level + 1e-9);
        QCOMPARE(result.skyShare, 1.0);
    }
    void spectrumOutsideAMask() {
        // White noise of variance 1: C_l = 4 pi / Npix, with or without a mask.
        Bench bench;
        const int64_t nside = 32;
        std::vector<float> mask(static_cast<size_t>(pixelCount(nside)));
        for (size_t i = 0; i < mask.size(); ++i)
            mask[i] =
                std::abs(directionFromRing(nside, static_cast<int64_t>(i)).z) > 0.5 ? 1.0F : 0.0F;
        const HealpixMap maskMap(nside, Ordering::Ring, Frame::Galactic, {field("MASK", mask, "")});
        bench.open({bench.write(*noiseMap(nside), "t.fits"), bench.write(maskMap, "mask.fits")});
        const LayerId t = bench.document().entries()[0].id, m = bench.document().entries()[1].id;
        QCOMPARE((bench.document().drawings().colorScale({m, 0}).colorMap), std::string("gray"));
        QSignalSpy ready(&bench.session.spectrum(), &LiveSpectrum::ready);
        bench.session.spectrum().request({t, 0}, {.mask = m, .options = {}});
        QVERIFY(bench.settle());
        bench.session.spectrum().request({t, 0}, {.mask = m, .options = {{"divide", "w2"}}});
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
        const auto plain = ready[0][0].value<SpectrumResult>();
        const auto result = ready[1][0].value<SpectrumResult>();
        QCOMPARE(result.cl.size(), size_t(3 * nside));
        double share = 0.0;
        for (const float value : mask) share += static_cast<double>(value);
        share /= static_cast<double>(mask.size());
        QVERIFY(std::abs(result.skyShare - share) < 1e-12);
        // Undivided, as the command writes it; the mean square of a mask of 0 and 1 is its mean.
        // Rounding of one product and one quotient.
        for (size_t l = 0; l < result.cl.size(); ++l)
            QVERIFY(std::abs(plain.cl[l] - share * result.cl[l]) <= 1e-14 * plain.cl[l]);
        double mean = 0.0;
        int count = 0;
        for (size_t l = 10; l < result.cl.size(); ++l) {
            mean += (2.0 * static_cast<double>(l) + 1.0) * result.cl[l];
            count += 2 * static_cast<int>(l) + 1;
        }
        mean /= count;
        // Relative deviation of the mean of some 4000 modes on half of the sky:
        // sqrt(2 / (4000 * 0.5)) = 3 %; five times that.
        const double truth = 4.0 * kPi / static_cast<double>(pixelCount(nside));
        QVERIFY(std::abs(mean / truth - 1.0) < 0.16);
        // Noise is refused as a mask; so is a mask that leaves nothing.
        bench.session.spectrum().request({m, 0}, {.mask = t, .options = {}});
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 1);
        bench.session.spectrum().request({LayerId(99), 0});
        bench.session.spectrum().request({t, 0}, {.mask = LayerId(99), .options = {}});
        QCOMPARE(bench.errors.size(), 3);
    }
    // A later field, too, is checked, which the operation `mask` reads: it would take noise or
    // zeros for a map whose pixels are all good.
    void otherFieldsThanMasksAreRefused() {
        Bench bench;
        HealpixMap fields = *noiseMap(8, {"MASK", "NOISE", "ZERO"});
        for (const auto& [field, value] : {std::pair{0, 1.0F}, std::pair{2, 0.0F}})
            std::ranges::fill(std::get<std::vector<float>>(fields.field(field).values), value);
        bench.open({bench.write(*noiseMap(8), "t.fits"), bench.write(fields, "fields.fits")});
        const LayerId map = bench.document().entries()[0].id,
                      mask = bench.document().entries()[1].id;
        QSignalSpy ready(&bench.session.spectrum(), &LiveSpectrum::ready);
        for (const int field : {1, 2}) {
            bench.session.spectrum().request({map, 0},
                                             {.mask = mask, .maskField = field, .options = {}});
            QVERIFY(bench.settle());
            QCOMPARE(bench.errors.size(), field);
            QVERIFY2(bench.errors.back().contains("expected a mask with"),
                     qPrintable(bench.errors.back()));
        }
        QCOMPARE(ready.count(), 0);
    }
    // A partial map lists its pixels: the first element of this one is pixel 400.
    void laterFieldOfAPartialMaskIsTaken() {
        Bench bench;
        constexpr int64_t kFirst = 400;
        std::vector<int64_t> pixels;
        std::vector<float> noise, good, full(static_cast<size_t>(pixelCount(8)), 0.0F);
        for (int64_t p = kFirst; p < pixelCount(8); ++p) {
            pixels.push_back(p);
            noise.push_back(p % 2 == 0 ? 3.0F : -3.0F);
            good.push_back(1.0F);
            full[static_cast<size_t>(p)] = 1.0F;
        }
        const HealpixMap fields = HealpixMap::partial(8, Ordering::Ring, Frame::Galactic, pixels,
                                                      {field("NOISE", noise), field("MASK", good)});
        const HealpixMap mask(8, Ordering::Ring, Frame::Galactic, {field("MASK", full)});
        bench.open({bench.write(*noiseMap(8), "t.fits"), bench.write(fields, "fields.fits"),
                    bench.write(mask, "mask.fits")});
        const auto id = [&](size_t i) { return bench.document().entries()[i].id; };
        QSignalSpy ready(&bench.session.spectrum(), &LiveSpectrum::ready);
        bench.session.spectrum().request({id(0), 0}, {.mask = id(2), .options = {}});
        QVERIFY(bench.settle());
        bench.session.spectrum().request({id(0), 0},
                                         {.mask = id(1), .maskField = 1, .options = {}});
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join('\n')));
        QCOMPARE(ready.count(), 2);
        const auto of = [&](int i) { return ready[i][0].value<SpectrumResult>().cl; };
        QVERIFY(!of(0).empty() && of(1) == of(0));
    }
    void spectrumComesQuicklyFirst() {
        Bench bench;
        bench.open({bench.write(*noiseMap(512), "t.fits")});
        QSignalSpy ready(&bench.session.spectrum(), &LiveSpectrum::ready);
        bench.session.spectrum().request(bench.document().view().shown());
        QVERIFY(bench.settle());
        QCOMPARE(ready.count(), 2);
        QVERIFY(ready[0][0].value<SpectrumResult>().preview);
        QCOMPARE(ready[0][0].value<SpectrumResult>().cl.size(), size_t{513});
        QVERIFY(!ready[1][0].value<SpectrumResult>().preview);
        QCOMPARE(ready[1][0].value<SpectrumResult>().cl.size(), size_t{1536});

        const auto result = ready[1][0].value<SpectrumResult>();
        for (const char* name : {"cl.fits", "cl.csv", "cl.txt", "cl.ecsv", "cl.doc"})
            bench.session.exporter().exportSpectrum(result, bench.path(name), false);
        bench.session.exporter().exportSpectrum(result, bench.path("dl.txt"), false,
                                                SpectrumForm::Dl);
        bench.session.exporter().exportSpectrum(result, bench.path("dl.fits"), false,
                                                SpectrumForm::Dl);
        bench.session.exporter().exportSpectrum({}, bench.path("none.fits"), false);
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 3);
        QVERIFY2(bench.errors[0].contains("cl.doc: expected a name in .fits, .fits.gz"),
                 qPrintable(bench.errors[0]));
        QVERIFY2(bench.errors[1].startsWith("Dl: expected a spectrum as text"),
                 qPrintable(bench.errors[1]));
        // All files have the same content, in the formats of the command.
        for (const char* name : {"cl.fits", "cl.csv", "cl.txt", "cl.ecsv"})
            QCOMPARE(readSpectra(bench.path(name).toStdString())[SpectrumKind::TT], result.cl);
        const auto content = [&](const char* name) {
            QFile file(bench.path(name));
            return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
        };
        QVERIFY(content("cl.csv").startsWith("l,C_TT [(uK)^2]\n0,"));
        for (const char* name : {"cl.txt", "dl.txt", "cl.ecsv", "cl.fits"}) {
            QVERIFY2(content(name).contains("command: armilla anafast "), name);
        }
        QVERIFY(content("cl.txt").startsWith("# armilla "));
        std::array<char, 40> digits{};
        const double dl = result.cl[2] * (2.0 * 3.0 / kTwoPi);
        std::to_chars(digits.data(), digits.data() + digits.size(), dl);
        QVERIFY(content("dl.txt").contains("\n# L D_TT\n"));
        QVERIFY2(content("dl.txt").contains(QString("\n2 %1\n").arg(digits.data())), digits.data());
    }
    // Other bins, beams and errors take the coefficients and the coupling of the run before, and
    // the result equals that of an operation that computes everything, to the bit.
    void onlyWhatChangesIsComputed() {
        Bench bench;
        bench.session.setDevice(Device::cpu());
        const int64_t nside = 32;
        std::vector<float> values(static_cast<size_t>(pixelCount(nside)));
        for (size_t i = 0; i < values.size(); ++i)
            values[i] =
                std::abs(directionFromRing(nside, static_cast<int64_t>(i)).z) > 0.3 ? 1.0F : 0.0F;
        const HealpixMap maskMap(nside, Ordering::Ring, Frame::Galactic,
                                 {field("MASK", values, "")});
        bench.open({bench.write(*noiseMap(nside), "t.fits"), bench.write(maskMap, "mask.fits")});
        const LayerId t = bench.document().entries()[0].id, m = bench.document().entries()[1].id;
        LiveSpectrum& live = bench.session.spectrum();
        QSignalSpy ready(&live, &LiveSpectrum::ready);
        using Options = std::vector<std::pair<std::string, std::string>>;
        const auto bands = [&](const Options& options) {
            live.request({t, 0}, {.mask = m, .apodize = 5.0 * kDegree, .options = options});
            return bench.settle() && !ready.isEmpty()
                       ? ready.last()[0].value<SpectrumResult>().bands
                       : nullptr;
        };
        QVERIFY(bands({{"bins", "10"}, {"decouple", "true"}}));
        QCOMPARE(live.counts().analyses, 1);
        QCOMPARE(live.counts().maskAnalyses, 1);
        QCOMPARE(live.counts().couplings, 1);
        const Options later{
            {"bins", "7"}, {"decouple", "true"}, {"fwhm", "2deg"}, {"errors", "gaussian"}};
        const auto kept = bands(later);
        QVERIFY(kept);
        QCOMPARE(live.counts().analyses, 1);
        QCOMPARE(live.counts().couplings, 1);
        QCOMPARE(live.counts().squaredCouplings, 1);
        // Other bins leave also the coupling of the errors.
        QVERIFY(bands({{"bins", "9"}, {"decouple", "true"}, {"errors", "gaussian"}}));
        QCOMPARE(live.counts().squaredCouplings, 1);
        // Another treatment of the map leaves the mask and its coupling.
        QVERIFY(bands({{"bins", "7"}, {"decouple", "true"}, {"remove", "dipole"}}));
        QCOMPARE(live.counts().analyses, 2);
        QCOMPARE(live.counts().maskAnalyses, 1);
        QCOMPARE(live.counts().couplings, 1);
        // A session of its own keeps nothing of these runs.
        Bench other;
        other.session.setDevice(Device::cpu());
        other.open({bench.path("t.fits"), bench.path("mask.fits")});
        QSignalSpy alone(&other.session.spectrum(), &LiveSpectrum::ready);
        other.session.spectrum().request(
            {other.document().entries()[0].id, 0},
            {other.document().entries()[1].id, 0, 0.0, 5.0 * kDegree, later});
        QVERIFY(other.settle());
        QCOMPARE(alone.count(), 1);
        const auto anew = alone[0][0].value<SpectrumResult>().bands;
        QVERIFY(anew);
        QCOMPARE(anew->x, kept->x);
        QCOMPARE(anew->series.front().values, kept->series.front().values);
        QCOMPARE(anew->series.front().errors, kept->series.front().errors);
        QCOMPARE(anew->covariance, kept->covariance);
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
    }
    // Only the last one of several requests arrives.
    void theLatestRequestWins() {
        Bench bench;
        bench.open({bench.write(*noiseMap(512), "t.fits")});
        const Shown shown = bench.document().view().shown();
        LiveSpectrum& live = bench.session.spectrum();
        std::vector<size_t> bins;
        connect(&live, &LiveSpectrum::ready, this, [&](const SpectrumResult& result) {
            bins.push_back(result.bands ? result.bands->x.size() : 0);
        });
        for (const char* width : {"10", "20", "50"})
            live.request(shown, {.options = {{"bins", width}, {"lmax", "401"}}});
        QVERIFY(bench.settle());
        // Multipoles 2 to 401 in bins of 50, of the preview and of the map.
        QCOMPARE(bins, (std::vector<size_t>{8, 8}));
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join("\n")));
    }
    // A large mean is noted once, not with each change of the bins.
    void aLargeMeanIsNotedOnce() {
        Bench bench;
        const int64_t nside = 16;
        std::vector<float> values(static_cast<size_t>(pixelCount(nside)));
        for (size_t i = 0; i < values.size(); ++i) values[i] = 100.0F + static_cast<float>(i % 7);
        const HealpixMap map(nside, Ordering::Ring, Frame::Galactic, {field("I", values)});
        bench.open({bench.write(map, "t.fits")});
        QSignalSpy noted(&bench.session.spectrum(), &LiveSpectrum::noted);
        for (const char* width : {"3", "5", "7"}) {
            bench.session.spectrum().request(bench.document().view().shown(),
                                             {.latitude = 0.3, .options = {{"bins", width}}});
            QVERIFY(bench.settle());
        }
        QCOMPARE(noted.count(), 1);
    }
};

QTEST_GUILESS_MAIN(SessionSpectraTest)
#include "tst_session_spectra.moc"
