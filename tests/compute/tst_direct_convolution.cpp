// SPDX-License-Identifier: GPL-3.0-or-later
// Convolution by direct sums compared with sums over all pixel pairs, and with harmonics.
#include <QtTest>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/ops/convolve.h"
#include "compute/kernel_rows.h"
#include "compute/pair_sums.h"
#include "compute/smooth_maps.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

class DirectConvolutionTest : public QObject {
    Q_OBJECT
private slots:
    void isTheSumOverAllPairs_data() {
        addKernelColumns();
        QTest::addColumn<bool>("rings");
        addKernelRows(Kernels::All, {1, 2, 5, 16}, {1.0, 2.5, 8.0}, "",
                      [](QTestData& row) { row << false; });
        addKernelRows(Kernels::Smooth, {1, 2, 5, 16}, {1.0, 2.5, 8.0}, ", by rings",
                      [](QTestData& row) { row << true; });
    }
    void isTheSumOverAllPairs() {
        QFETCH(bool, rings);
        const auto [nside, c] = kernelRow();
        std::vector<double> values = noiseMap(nside, 7);
        SmoothParameters p;
        p.shape = c.kernel;
        p.norm = c.norm;
        p.method = rings ? SmoothMethod::Ring : SmoothMethod::Direct;
        SmoothPlan plan(ringMap(nside, values), {0}, Device::cpu());
        const auto made = unlessNarrow([&] { return plan.execute(p, job_); });
        if (!made) return;
        const double radius = plan.report().radius;
        QVERIFY(radius > 0.0 && radius <= c.kernel.support());
        const PairSums truth(nside, truthKernel(c.kernel, radius, c.norm), true, job_);
        std::vector<double> found = test::values(*made);
        takeMeanOut(values, found, truthKernel(c.kernel, radius, c.norm).integral());
        // Limits relative to the sum of all |K| w |f|: errors of K relative to its peak (1e-14 in
        // tables, 1e-13 in the closed forms), independent for each pixel, in sums that cancel. By
        // rings also the edge at the radius, 1e-9 of the peak, whose modes are unlimited; some
        // percent of these lie beyond the last one used.
        ARMILLA_VERIFY_BELOW(truth.error(values, found, false, somePixels(nside)),
                             rings ? 1e-10 : 2e-13);
    }

    // Bad pixels, orderings, coverages and precisions.
    void mapsOfAllKinds_data() {
        QTest::addColumn<bool>("nested");
        QTest::addColumn<bool>("single");
        QTest::addColumn<int>("part");  // in sixths of the pixels; 0: a full map
        QTest::addColumn<bool>("normalize");
        QTest::addColumn<bool>("rings");
        for (const bool rings : {false, true})
            for (const bool normalize : {false, true})
                for (const bool nested : {false, true})
                    for (const int part : {0, 1, 4})
                        QTest::addRow("%s%s, part %d%s", nested ? "nested" : "ring",
                                      normalize ? ", normalized" : "", part,
                                      rings ? ", by rings" : "")
                            << nested << (part == 4) << part << normalize << rings;
    }
    void mapsOfAllKinds() {
        QFETCH(bool, nested);
        QFETCH(bool, single);
        QFETCH(int, part);
        QFETCH(bool, normalize);
        QFETCH(bool, rings);
        constexpr int nside = 8;  // each row sums over all pairs
        std::vector<double> ring = noiseMap(nside, 11);
        spoilPixels(ring);
        if (single)
            for (double& value : ring) value = static_cast<float>(value);
        // A partial map has some rings, and of these not all pixels.
        const auto isCovered = [&](int64_t p) {
            return part == 0 || (p > 25 && p < 25 + 128 * part && p % 23 != 0);
        };
        std::vector<int64_t> pixels;
        std::vector<double> values;
        for (int64_t k = 0; k < 12 * nside * nside; ++k) {
            const int64_t p = nested ? ringFromNested(nside, k) : k;
            if (!isCovered(p)) continue;
            pixels.push_back(k);
            values.push_back(ring[static_cast<size_t>(p)]);
        }
        for (int64_t p = 0; p < 12 * nside * nside; ++p)
            if (!isCovered(p)) ring[static_cast<size_t>(p)] = std::nan("");
        Field made = field("T", values);
        if (single) {
            made.diskType = DiskType::Float32;
            made.values = std::vector<float>(values.begin(), values.end());
        }
        const Ordering ordering = nested ? Ordering::Nested : Ordering::Ring;
        const auto map = std::make_shared<const HealpixMap>(
            part == 0 ? HealpixMap(nside, ordering, Frame::Galactic, {made})
                      : HealpixMap::partial(nside, ordering, Frame::Galactic, pixels, {made}));
        SmoothParameters p;
        p.fwhm = 19 * kDegree;
        p.method = rings ? SmoothMethod::Ring : SmoothMethod::Direct;
        p.masked = normalize ? Masked::Normalize : Masked::Ignore;
        SmoothPlan plan(map, {0}, Device::cpu());
        const HealpixMap result = plan.execute(p, job_);
        QCOMPARE(result.coverage(), map->coverage());
        QCOMPARE(result.elementCount(), map->elementCount());
        std::vector<double> found(ring.size(), std::nan(""));
        for (int64_t e = 0; e < result.elementCount(); ++e) {
            const int64_t k = part == 0 ? e : pixels[static_cast<size_t>(e)];
            found[static_cast<size_t>(nested ? ringFromNested(nside, k) : k)] =
                result.field(0).at(e);
        }
        const PairSums truth(
            nside, truthKernel(Kernel::gaussian(p.fwhm), plan.report().radius, KernelNorm::None),
            true, job_);
        // Half a unit in the last place of a single.
        ARMILLA_VERIFY_BELOW(truth.error(ring, found, normalize), single  ? 6e-8
                                                                  : rings ? 1e-10
                                                                          : 2e-13);
    }

    // The harmonic sum over the same pixels with the same weights is the same sum, by the addition
    // theorem. Both use the same kernel, truncated at 7.2 sigma, and l up to the end of B_l.
    void isTheHarmonicSum_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<double>("pixels");  // FWHM in pixels
        QTest::addColumn<bool>("spoilt");
        QTest::newRow("nside 64") << 64 << 4.0 << false;
        QTest::newRow("nside 64, bad pixels") << 64 << 4.0 << true;
        QTest::newRow("nside 100") << 100 << 6.0 << false;
        QTest::newRow("nside 256, narrow") << 256 << 2.5 << false;
    }
    void isTheHarmonicSum() {
        QFETCH(int, nside);
        QFETCH(double, pixels);
        QFETCH(bool, spoilt);
        std::vector<double> ring = noiseMap(nside, 2);
        if (spoilt) spoilPixels(ring);
        const double fwhm = pixels * std::sqrt(kPi / 3.0) / nside;
        const double sigma = fwhm / std::sqrt(8 * std::log(2.0));
        SmoothParameters p;
        p.fwhm = fwhm;
        SmoothPlan plan(ringMap(nside, ring), {0}, Device::cpu());
        p.method = SmoothMethod::Harmonic;
        p.lmax = static_cast<int>(std::ceil(7.8 / sigma));
        const HealpixMap truth = plan.execute(p, job_);
        p.truncate = 7.2 * sigma;
        double worst = 0.0;
        for (const SmoothMethod method : {SmoothMethod::Direct, SmoothMethod::Ring}) {
            p.method = method;
            const HealpixMap found = plan.execute(p, job_);
            for (int64_t k = 0; k < truth.pixelCount(); ++k) {
                const double a = truth.value(0, k), b = found.value(0, k);
                QCOMPARE(std::isnan(a), std::isnan(b));
                if (!std::isnan(a)) worst = std::max(worst, std::abs(a - b));
            }
        }
        // Beyond 7.2 sigma lies 6e-12 of the kernel, beyond that l 1e-13 of B_l on each of some
        // hundred l; values are about 1.
        ARMILLA_VERIFY_BELOW(worst, 1e-10);
    }

    // A result in a disc equals the full result there.
    void isTheWholeInADisc_data() {
        QTest::addColumn<SmoothMethod>("method");
        QTest::addColumn<bool>("nested");
        QTest::addColumn<bool>("part");
        QTest::addColumn<double>("longitude");
        QTest::addColumn<double>("latitude");
        const auto row = [](const char* name, double longitude, double latitude) {
            for (const SmoothMethod method : {SmoothMethod::Direct, SmoothMethod::Ring})
                for (const bool nested : {false, true}) {
                    const bool part = nested == (method == SmoothMethod::Direct);
                    QTest::addRow("%s%s%s%s", name, nested ? ", nested" : "",
                                  part ? ", partial" : "",
                                  method == SmoothMethod::Ring ? ", by rings" : "")
                        << method << nested << part << longitude << latitude;
                }
        };
        row("equator, longitude 0", 0.01, 0.02);
        row("cap", 2.0, 0.9);
        row("border of the cap", 4.0, -0.73);
        row("south pole", 1.0, -1.55);
    }
    void isTheWholeInADisc() {
        QFETCH(SmoothMethod, method);
        QFETCH(bool, nested);
        QFETCH(bool, part);
        QFETCH(double, longitude);
        QFETCH(double, latitude);
        constexpr int nside = 32;
        const Ordering ordering = nested ? Ordering::Nested : Ordering::Ring;
        std::vector<double> ring = noiseMap(nside, 9);
        spoilPixels(ring);
        std::vector<int64_t> pixels;
        std::vector<double> values;
        for (int64_t k = 0; k < 12 * nside * nside; ++k) {
            if (part && k % 5 == 0) continue;
            pixels.push_back(k);
            values.push_back(ring[static_cast<size_t>(nested ? ringFromNested(nside, k) : k)]);
        }
        const auto map = std::make_shared<const HealpixMap>(
            part ? HealpixMap::partial(nside, ordering, Frame::Galactic, pixels,
                                       {field("T", values)})
                 : HealpixMap(nside, ordering, Frame::Galactic, {field("T", values)}));
        const Vec3 center{std::cos(latitude) * std::cos(longitude),
                          std::cos(latitude) * std::sin(longitude), std::sin(latitude)};
        SmoothParameters p;
        p.fwhm = 6 * kDegree;
        p.method = method;
        SmoothPlan plan(map, {0}, Device::cpu());
        for (const Masked masked : {Masked::Ignore, Masked::Normalize}) {
            p.masked = masked;
            const HealpixMap whole = plan.execute(p, job_);
            for (const double radius : {0.03, 0.3}) {
                const HealpixMap found = plan.executeAround(p, center, radius, job_);
                QCOMPARE(found.ordering(), ordering);
                size_t at = 0;
                for (size_t e = 0; e < pixels.size(); ++e) {
                    const Vec3 there = directionFromPixel(nside, ordering, pixels[e]);
                    const double distance = angularDistance(center, there);
                    QVERIFY(std::abs(distance - radius) > 1e-9);
                    if (distance > radius) continue;
                    QVERIFY(at < static_cast<size_t>(found.elementCount()));
                    QCOMPARE(found.pixels()[at], pixels[e]);
                    const double a = whole.field(0).at(static_cast<int64_t>(e));
                    const double b = found.field(0).at(static_cast<int64_t>(at++));
                    QCOMPARE(std::isnan(a), std::isnan(b));
                    // Values are about 1. The weights come from series to 4e-15 or from the profile
                    // itself; shares of the kernel go down to 1e-3.
                    QVERIFY(std::isnan(a) || std::abs(a - b) < 1e-11);
                }
                QCOMPARE(at, static_cast<size_t>(found.elementCount()));
            }
        }
    }
    void refusesDiscsOfOtherMethods() {
        SmoothPlan plan(ringMap(8, noiseMap(8, 1)), {0}, Device::cpu());
        SmoothParameters p;
        p.fwhm = 0.5;
        QCOMPARE(plan.executeAround(p, {0, 0, 1}, 0.3, job_).coverage(), Coverage::Partial);
        p.method = SmoothMethod::Harmonic;
        QVERIFY(!plan.secondsAround(p, 0.3, job_));
        QVERIFY_EXCEPTION_THROWN(plan.executeAround(p, {0, 0, 1}, 0.3, job_), Unsupported);
        p.method = SmoothMethod::Direct;
        QVERIFY(*plan.secondsAround(p, 0.3, job_) > 0.0);
        p.polarization = true;
        QVERIFY(!plan.secondsAround(p, 0.3, job_));
    }

    // No ringing: exactly zero beyond the kernel's radius, and the kernel within.
    void pointSources_data() {
        QTest::addColumn<int>("pixel");
        constexpr int nside = 128;
        QTest::newRow("pole") << 0;
        QTest::newRow("cap") << 2 * 60 * 61 + 17;
        QTest::newRow("border of the cap") << 2 * nside * (nside - 1) + 1;
        QTest::newRow("equator, longitude 0") << 6 * nside * nside - 2 * nside;
        QTest::newRow("south pole") << 12 * nside * nside - 2;
    }
    void pointSources() {
        QFETCH(int, pixel);
        constexpr int nside = 128;
        std::vector<double> ring(12 * nside * nside);
        ring[static_cast<size_t>(pixel)] = 1.0;
        // A bad pixel far away: no mean is subtracted, which would otherwise be added back to every
        // pixel.
        const size_t far = ring.size() - 1 - static_cast<size_t>(pixel);
        ring[far] = std::nan("");
        SmoothParameters p;
        p.masked = Masked::Ignore;
        p.fwhm = 1.6 * kDegree;
        p.method = SmoothMethod::Direct;
        p.weights = Weights::None;
        SmoothPlan plan(ringMap(nside, ring), {0}, Device::cpu());
        const HealpixMap found = plan.execute(p, job_);
        const double radius = plan.report().radius;
        const Kernel kernel = truthKernel(Kernel::gaussian(p.fwhm), radius, KernelNorm::None);
        const Vec3 center = directionFromRing(nside, pixel);
        const double area = 4 * kPi / (12.0 * nside * nside), peak = kernel.peak() * area;
        p.method = SmoothMethod::Ring;
        const HealpixMap byRings = plan.execute(p, job_);
        const Kernel wider =
            truthKernel(Kernel::gaussian(p.fwhm), plan.report().radius, KernelNorm::None);
        for (int64_t k = 0; k < found.pixelCount(); ++k) {
            const double distance = angularDistance(center, directionFromRing(nside, k));
            if (std::abs(distance / radius - 1.0) < 1e-9 || k == static_cast<int64_t>(far))
                continue;
            const double truth = kernel.at(std::vector<double>{distance})[0] * area;
            QVERIFY(distance < radius || found.value(0, k) == 0.0);
            // Both sides evaluate one kernel. The limit allows 4500 machine epsilons of the peak
            // for the rounding of the distance; the sums over rings add the error of their
            // interpolation in distance.
            QVERIFY(std::abs(found.value(0, k) - truth) < 1e-12 * peak);
            const double ringed = wider.at(std::vector<double>{distance})[0] * area;
            QVERIFY(std::abs(byRings.value(0, k) - ringed) < 1e-9 * peak);
        }
    }

    void refusals() {
        SmoothPlan plan(ringMap(4, noiseMap(4, 1)), {0}, Device::cpu());
        const auto refused = [&](auto change) {
            SmoothParameters p;
            p.fwhm = 0.5;
            p.method = SmoothMethod::Direct;
            change(p);
            plan.execute(p, job_);
        };
        QVERIFY_EXCEPTION_THROWN(refused([](auto& p) { p.iterations = 1; }), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(refused([](auto& p) { p.weights = Weights::Pixel; }), Unsupported);
        QVERIFY_EXCEPTION_THROWN(refused([](auto& p) { p.fwhm = 0.0; }), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(refused([](auto& p) { p.truncate = -1.0; }), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(refused([](auto& p) {
                                     p.shape = Kernel::mexicanHat(1, 0.45);
                                     p.norm = KernelNorm::Integral;
                                 }),
                                 InvalidArgument);
        // Bad pixels cannot be compensated for a kernel without an integral.
        std::vector<double> ring = noiseMap(4, 1);
        ring[7] = std::nan("");
        SmoothPlan spoilt(ringMap(4, ring), {0}, Device::cpu());
        SmoothParameters p;
        p.shape = Kernel::mexicanHat(1, 0.45);
        for (const SmoothMethod method : {SmoothMethod::Direct, SmoothMethod::Harmonic}) {
            p.method = method;
            p.masked = Masked::Normalize;
            QVERIFY_EXCEPTION_THROWN(spoilt.execute(p, job_), InvalidArgument);
            p.masked = Masked::Ignore;
            QVERIFY(std::isnan(spoilt.execute(p, job_).value(0, 7)));
        }
    }
    // The stated error exceeds that against the true convolution, also for skies as rough as white
    // noise, by at most a factor of ten. Narrower kernels are refused (tst_mean).
    void statedErrorIsABound_data() {
        QTest::addColumn<double>("power");
        QTest::addColumn<double>("pixels");
        QTest::addColumn<bool>("nested");
        QTest::addColumn<bool>("rings");
        for (const double power : {-1.0, -0.5, 0.0})
            for (const double pixels : {2.5, 3.5, 6.0})
                for (const bool nested : {false, true})
                    QTest::addRow("(l (l+1))^%g, %g pixels, %s", power, pixels,
                                  nested ? "nested" : "ring")
                        << power << pixels << nested << (pixels > 3.0);
    }
    void statedErrorIsABound() {
        QFETCH(double, power);
        QFETCH(double, pixels);
        QFETCH(bool, nested);
        QFETCH(bool, rings);
        constexpr int64_t nside = 64;
        constexpr int band = 3 * nside - 1;
        Spectra spectra;
        spectra[SpectrumKind::TT].push_back(0.0);
        for (int l = 1; l <= band; ++l)
            spectra[SpectrumKind::TT].push_back(std::pow(l * (l + 1.0), power));
        std::vector<Alm> alm = randomAlm(spectra, band, 5, job_);
        const ShtPlan sht({.nside = nside, .lmax = band}, Device::cpu());
        std::vector<double> sky(static_cast<size_t>(pixelCount(nside))), truth = sky;
        sht.synthesis(alm[0], sky, job_);
        SmoothParameters p;
        p.method = rings ? SmoothMethod::Ring : SmoothMethod::Direct;
        p.fwhm = pixels * std::sqrt(4.0 * kPi / static_cast<double>(pixelCount(nside)));
        applyBeam(alm, gaussianBeam(p.fwhm, band), job_);
        sht.synthesis(alm[0], truth, job_);
        std::vector<double> ordered = sky;
        const auto place = [&](size_t i) {
            return nested ? static_cast<size_t>(ringFromNested(nside, static_cast<int64_t>(i))) : i;
        };
        for (size_t i = 0; i < sky.size(); ++i) ordered[i] = sky[place(i)];
        SmoothPlan plan(std::make_shared<const HealpixMap>(
                            nside, nested ? Ordering::Nested : Ordering::Ring, Frame::Galactic,
                            std::vector<Field>{field("T", std::move(ordered))}),
                        {0}, Device::cpu());
        const HealpixMap found = plan.execute(p, job_);
        double wrong = 0.0, size = 0.0;
        for (size_t i = 0; i < sky.size(); ++i) {
            wrong += std::pow(test::values(found)[i] - truth[place(i)], 2);
            size += sky[i] * sky[i];
        }
        const double error = std::sqrt(wrong / size), estimate = plan.report().estimatedError;
        QVERIFY2(estimate > error && estimate < 10.0 * error,
                 qPrintable(QString("error %1, estimate %2").arg(error).arg(estimate)));
    }
    // Kernels with edges and corners, for every normalization: pixels alias the power beyond their
    // band.
    void statedErrorOfEdgesIsABound_data() {
        QTest::addColumn<double>("pixels");
        QTest::addColumn<bool>("cone");
        QTest::addColumn<int>("norm");
        for (const double pixels : {3.0, 4.0, 9.0, 20.0})
            for (const bool cone : {false, true})
                for (const KernelNorm norm :
                     {KernelNorm::Integral, KernelNorm::Peak, KernelNorm::None})
                    QTest::addRow("%s of %g pixels, norm %d", cone ? "cone" : "top hat", pixels,
                                  static_cast<int>(norm))
                        << pixels << cone << static_cast<int>(norm);
    }
    void statedErrorOfEdgesIsABound() {
        QFETCH(double, pixels);
        QFETCH(bool, cone);
        QFETCH(int, norm);
        constexpr int64_t nside = 64;
        constexpr int band = 3 * nside - 1;
        const double radius =
            pixels * std::sqrt(4.0 * kPi / static_cast<double>(pixelCount(nside)));
        SmoothParameters p;
        p.method = SmoothMethod::Direct;
        p.shape = cone ? Kernel::profile({{0.0, radius}, {2.0, 0.0}}) : Kernel::topHat(radius);
        p.norm = static_cast<KernelNorm>(norm);
        for (const double power : {-1.0, 0.0}) {
            Spectra spectra;
            spectra[SpectrumKind::TT].push_back(0.0);
            for (int l = 1; l <= band; ++l)
                spectra[SpectrumKind::TT].push_back(std::pow(l * (l + 1.0), power));
            std::vector<Alm> alm = randomAlm(spectra, band, 5, job_);
            const ShtPlan sht({.nside = nside, .lmax = band}, Device::cpu());
            std::vector<double> sky(static_cast<size_t>(pixelCount(nside))), truth = sky;
            sht.synthesis(alm[0], sky, job_);
            applyBeam(alm, p.shape->normalized(*p.norm).coefficients(band, job_), job_);
            sht.synthesis(alm[0], truth, job_);
            SmoothPlan plan(ringMap(nside, sky), {0}, Device::cpu());
            const HealpixMap found = plan.execute(p, job_);
            double wrong = 0.0, size = 0.0;
            for (size_t i = 0; i < sky.size(); ++i) {
                wrong += std::pow(test::values(found)[i] - truth[i], 2);
                size += sky[i] * sky[i];
            }
            const double error = std::sqrt(wrong / size), estimate = plan.report().estimatedError;
            QVERIFY2(estimate > error && estimate < 30.0 * error,
                     qPrintable(QString("error %1, estimate %2").arg(error).arg(estimate)));
            QCOMPARE(plan.report().radius, p.shape->support());
        }
    }
    // A truncated kernel without an integral has a spurious integral, so it is not normalized.
    void compensatedKernelsAreNotDivided() {
        const RadialKernel hat{{0.0, 0.05, 0.05001, 0.1}, {3.0, 3.0, -1.0, -1.0}};
        const std::vector<double> values = noiseMap(32, 3);
        SmoothPlan plan(ringMap(32, values), {0}, Device::cpu());
        for (const double truncate : {0.0, 0.07}) {
            SmoothParameters p;
            p.method = SmoothMethod::Direct;
            p.kernel = hat;
            p.truncate = truncate;
            static_cast<void>(plan.execute(p, job_));
            QVERIFY(plan.report().norm == KernelNorm::None);
            p.norm = KernelNorm::Integral;
            QVERIFY_EXCEPTION_THROWN(plan.execute(p, job_), InvalidArgument);
        }
    }
    void stops() {
        std::stop_source source;
        source.request_stop();
        JobContext job(source.get_token(), {}, 2);
        SmoothPlan plan(ringMap(64, noiseMap(64, 1)), {0}, Device::cpu());
        SmoothParameters p;
        p.fwhm = 0.1;
        p.method = SmoothMethod::Direct;
        QVERIFY_EXCEPTION_THROWN(plan.execute(p, job), Cancelled);
    }

private:
    JobContext job_{{}, {}, 2};
};

QTEST_APPLESS_MAIN(DirectConvolutionTest)
#include "tst_direct_convolution.moc"
