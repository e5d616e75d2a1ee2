// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <algorithm>
#include <numeric>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/ops/convolve.h"
#include "armilla/ops/spectrum.h"
#include "compute/smooth_maps.h"
#include "support/direct_sht.h"
#include "support/less_memory.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

class SmoothTest : public QObject {
    Q_OBJECT
private slots:
    // A wide beam after a narrow one, as in the window: map and error equal those of a single
    // smoothing, although the existing analysis reaches higher l.
    void earlierBeamsLeaveNothing() {
        constexpr int nside = 32;
        const auto map =
            std::make_shared<const HealpixMap>(nside, Ordering::Ring, Frame::Galactic,
                                               std::vector<Field>{field("T", whiteMap(nside, 4))});
        SmoothParameters narrow, wide;
        narrow.fwhm = 2 * kDegree;
        wide.fwhm = 15 * kDegree;
        narrow.method = wide.method = SmoothMethod::Harmonic;
        SmoothPlan often(map, {0}, Device::cpu()), once(map, {0}, Device::cpu());
        often.execute(wide, job_);
        often.execute(narrow, job_);
        const double ofNarrow = often.report().estimatedError;
        const HealpixMap found = often.execute(wide, job_), truth = once.execute(wide, job_);
        // Analyses of other band limits may add the rings in other groups and round differently:
        // two of them, each with a synthesis, or with its square in C_l.
        constexpr double kFactor = 4.0;
        const double limit = kFactor * roundingLimit(3 * nside - 1);
        const double wanted = once.report().estimatedError;
        QVERIFY(wanted > 0.0);
        QVERIFY(std::abs(ofNarrow / wanted - 1.0) > 0.1);
        ARMILLA_VERIFY_BELOW(std::abs(often.report().estimatedError / wanted - 1.0), limit);
        ARMILLA_VERIFY_BELOW(relativeError(values(found), values(truth)), limit);
    }

    // A plan that uses its map up gives the bits of one that shares the map, and serves one call.
    void mapsAreUsedUp() {
        constexpr int nside = 16;
        std::vector<double> good = whiteMap(nside, 6), bad = whiteMap(nside, 7);
        bad[5] = bad[700] = std::nan("");
        const Field single{"S", "K", DiskType::Float32,
                           std::vector<float>(good.begin(), good.end())};
        SmoothParameters p;
        p.fwhm = 5 * kDegree;
        p.method = SmoothMethod::Harmonic;
        for (const Ordering ordering : {Ordering::Ring, Ordering::Nested}) {
            const HealpixMap map(nside, ordering, Frame::Galactic,
                                 {field("T", good), field("B", bad), single});
            const std::vector<int> fields{0, 1, 2, 0};
            SmoothPlan shared(std::make_shared<const HealpixMap>(map), fields, Device::cpu()),
                own(map, fields, Device::cpu());
            const HealpixMap truth = shared.execute(p, job_), found = own.execute(p, job_);
            QCOMPARE(found.fieldCount(), 4);
            for (int f = 0; f < 4; ++f) {
                QCOMPARE(found.field(f).name, truth.field(f).name);
                QCOMPARE(found.field(f).isSingle(), truth.field(f).isSingle());
                for (int64_t i = 0; i < truth.elementCount(); ++i) {
                    const double a = found.field(f).at(i), b = truth.field(f).at(i);
                    QVERIFY(a == b || (std::isnan(a) && std::isnan(b)));
                }
            }
            QCOMPARE(own.report().estimatedError, shared.report().estimatedError);
            if (ordering == Ordering::Ring)
                QVERIFY_EXCEPTION_THROWN(own.execute(p, job_), InvalidArgument);
        }
    }

    // The same by sums over pixels, with more rings than threads sum at once. Sums over rings leave
    // the result in the memory of the map.
    void mapsAreUsedUpBySums_data() {
        QTest::addColumn<int>("method");
        QTest::addColumn<bool>("nested");
        for (const bool nested : {false, true}) {
            QTest::addRow("ring, %s", nested ? "NESTED" : "RING")
                << static_cast<int>(SmoothMethod::Ring) << nested;
            QTest::addRow("direct, %s", nested ? "NESTED" : "RING")
                << static_cast<int>(SmoothMethod::Direct) << nested;
        }
    }
    void mapsAreUsedUpBySums() {
        QFETCH(int, method);
        QFETCH(bool, nested);
        constexpr int nside = 64;
        std::vector<double> good = whiteMap(nside, 6), bad = whiteMap(nside, 7);
        bad[5] = bad[20000] = std::nan("");
        const Field single{"S", "K", DiskType::Float32,
                           std::vector<float>(good.begin(), good.end())};
        HealpixMap map(nside, nested ? Ordering::Nested : Ordering::Ring, Frame::Galactic,
                       {field("T", good), field("B", bad), single});
        SmoothParameters p;
        p.fwhm = 5 * kDegree;
        p.method = static_cast<SmoothMethod>(method);
        const std::vector<int> fields{0, 1, 2};
        JobContext job({}, {}, 2);
        SmoothPlan shared(std::make_shared<const HealpixMap>(map), fields, Device::cpu());
        const HealpixMap truth = shared.execute(p, job);
        const double* const memory = std::get<std::vector<double>>(map.field(0).values).data();
        SmoothPlan own(std::move(map), fields, Device::cpu());
        const HealpixMap found = own.execute(p, job);
        QCOMPARE(found.fieldCount(), 3);
        for (int f = 0; f < 3; ++f)
            for (int64_t i = 0; i < truth.elementCount(); ++i) {
                const double a = found.field(f).at(i), b = truth.field(f).at(i);
                QVERIFY(a == b || (std::isnan(a) && std::isnan(b)));
            }
        if (p.method == SmoothMethod::Ring && !nested)
            QCOMPARE(std::get<std::vector<double>>(found.field(0).values).data(), memory);
    }

    void kernelAndBeamAgree() {
        constexpr int nside = 16;
        const MapPointer map = ringMap(nside, whiteMap(nside, 3));
        SmoothParameters kernel;
        kernel.kernel = RadialKernel{{0.0, 0.1, 0.3}, {2.0, 1.5, 0.0}};
        SmoothParameters beam;
        beam.beam = beamFromKernel(*kernel.kernel, 3 * nside - 1, job_);
        QVERIFY(values(SmoothPlan(map, {0}, Device::cpu()).execute(kernel, job_)) ==
                values(SmoothPlan(map, {0}, Device::cpu()).execute(beam, job_)));
    }

    void orderingAndCoverageStay() {
        constexpr int nside = 16;
        std::vector<double> ring = whiteMap(nside, 5);
        for (size_t p = 0; p < 900; ++p) ring[p] = std::nan("");
        SmoothParameters p;
        p.fwhm = 20 * kDegree;
        const HealpixMap truth =
            SmoothPlan(ringMap(nside, ring), {0}, Device::cpu()).execute(p, job_);

        std::vector<double> nested(ring.size());
        std::vector<int64_t> listed;
        std::vector<float> partial;
        for (int64_t k = 0; k < truth.pixelCount(); ++k) {
            const double value = ring[static_cast<size_t>(ringFromNested(nside, k))];
            nested[static_cast<size_t>(k)] = value;
            if (std::isnan(value)) continue;
            listed.push_back(k);
            partial.push_back(static_cast<float>(value));
        }
        auto full = std::make_shared<HealpixMap>(nside, Ordering::Nested, Frame::Ecliptic,
                                                 std::vector<Field>{field("X", nested)});
        full->metadata().extensionName = "kept";
        const HealpixMap fromNested = SmoothPlan(full, {0}, Device::cpu()).execute(p, job_);
        QCOMPARE(fromNested.ordering(), Ordering::Nested);
        QCOMPARE(fromNested.frame(), Frame::Ecliptic);
        QCOMPARE(fromNested.metadata().extensionName, std::string("kept"));
        for (int64_t k = 0; k < truth.pixelCount(); ++k) {
            const double expected = values(truth)[static_cast<size_t>(ringFromNested(nside, k))];
            const double found = values(fromNested)[static_cast<size_t>(k)];
            QVERIFY(found == expected || (std::isnan(found) && std::isnan(expected)));
        }
        const auto sparse = std::make_shared<const HealpixMap>(
            HealpixMap::partial(nside, Ordering::Nested, Frame::Galactic, listed,
                                {{"X", "K", DiskType::Float32, partial}}));
        const HealpixMap fromPartial = SmoothPlan(sparse, {0}, Device::cpu()).execute(p, job_);
        QCOMPARE(fromPartial.coverage(), Coverage::Partial);
        QVERIFY(fromPartial.field(0).isSingle());
        QVERIFY(std::equal(listed.begin(), listed.end(), fromPartial.pixels().begin()));
        for (size_t i = 0; i < listed.size(); ++i) {
            const double expected =
                values(truth)[static_cast<size_t>(ringFromNested(nside, listed[i]))];
            // Single precision in, single out: two roundings of values of order one.
            QVERIFY(std::abs(fromPartial.field(0).at(static_cast<int64_t>(i)) - expected) < 2e-7);
        }
    }
    // Cells of three orders: the same as the flat map on the deepest.
    void multiOrderMapsAreFlattened() {
        const auto cells = std::make_shared<const HealpixMap>(HealpixMap::multiOrder(
            8, Frame::Galactic, {0, 64, 80}, {0, 1, 3}, {field("T", {1.0, 2.0, 5.0})}));
        std::vector<double> flat(12 * 64, std::nan(""));
        std::fill(flat.begin(), flat.begin() + 64, 1.0);
        std::fill(flat.begin() + 64, flat.begin() + 80, 2.0);
        flat[80] = 5.0;
        const auto full = std::make_shared<const HealpixMap>(8, Ordering::Nested, Frame::Galactic,
                                                             std::vector<Field>{field("T", flat)});
        SmoothParameters p;
        p.fwhm = 20 * kDegree;
        const HealpixMap result = SmoothPlan(cells, {0}, Device::cpu()).execute(p, job_);
        const HealpixMap truth = SmoothPlan(full, {0}, Device::cpu()).execute(p, job_);
        QCOMPARE(result.ordering(), Ordering::Nested);
        QCOMPARE(result.nside(), int64_t{8});
        int good = 0;
        for (int64_t k = 0; k < truth.pixelCount(); ++k) {
            const double found = result.value(0, k), expected = truth.value(0, k);
            QCOMPARE(std::isnan(found), std::isnan(expected));
            if (std::isnan(expected)) continue;
            QVERIFY(std::abs(found - expected) < 1e-12);
            ++good;
        }
        QCOMPARE(good, 81);
    }
    void severalFieldsEachForItself() {
        constexpr int nside = 8;
        std::vector<double> a = whiteMap(nside, 6), b = whiteMap(nside, 7), c = whiteMap(nside, 8);
        b[5] = c[5] = std::nan("");
        const auto map = std::make_shared<const HealpixMap>(
            nside, Ordering::Ring, Frame::Galactic,
            std::vector<Field>{field("a", a), field("b", b), field("c", c)});
        SmoothParameters p;
        p.fwhm = 30 * kDegree;
        const HealpixMap all = SmoothPlan(map, {2, 0, 1}, Device::cpu()).execute(p, job_);
        QCOMPARE(all.field(0).name, std::string("c"));
        for (int i = 0; i < 3; ++i) {
            const int index = all.fieldIndex(i == 0 ? "a" : (i == 1 ? "b" : "c"));
            const HealpixMap one = SmoothPlan(map, {i}, Device::cpu()).execute(p, job_);
            for (size_t k = 0; k < a.size(); ++k) {
                const double x = values(all, index)[k], y = values(one)[k];
                QVERIFY(x == y || (std::isnan(x) && std::isnan(y)));
            }
        }
    }
    // Smoothing is linear, also where squares of the values overflow or vanish.
    void scaleDoesNotMatter_data() {
        QTest::addColumn<int>("exponent");
        QTest::addColumn<bool>("polarized");
        for (const int exponent : {700, 950, -700})
            for (const bool polarized : {false, true})
                QTest::addRow("2^%d%s", exponent, polarized ? " polarized" : "")
                    << exponent << polarized;
    }
    void scaleDoesNotMatter() {
        QFETCH(int, exponent);
        QFETCH(bool, polarized);
        constexpr int nside = 16;
        std::array<std::vector<double>, 3> maps{whiteMap(nside, 1), whiteMap(nside, 2),
                                                whiteMap(nside, 3)};
        maps[1][77] = std::nan("");
        const auto plan = [&] {
            return SmoothPlan(std::make_shared<const HealpixMap>(
                                  nside, Ordering::Ring, Frame::Galactic,
                                  std::vector<Field>{field("T", maps[0]), field("Q", maps[1]),
                                                     field("U", maps[2])}),
                              {0, 1, 2}, Device::cpu());
        };
        SmoothParameters p;
        p.fwhm = 20 * kDegree;
        p.polarization = polarized;
        SmoothPlan before = plan();
        const HealpixMap truth = before.execute(p, job_);
        const double estimate = before.report().estimatedError;
        const HealpixMap coarse = before.preview(p, 8, job_);
        for (auto& map : maps)
            for (double& value : map) value = std::ldexp(value, exponent);
        SmoothPlan after = plan();
        const HealpixMap found = after.execute(p, job_);
        // Powers of two round nothing, but units near the largest value change last digits.
        QVERIFY(std::abs(after.report().estimatedError - estimate) < 1e-10 * estimate);
        const HealpixMap preview = after.preview(p, 8, job_);
        for (int i = 0; i < 3; ++i) {
            for (int64_t k = 0; k < truth.pixelCount(); ++k) {
                const double x = std::ldexp(found.value(i, k), -exponent), y = truth.value(i, k);
                QVERIFY(std::abs(x - y) < 1e-13 || (std::isnan(x) && std::isnan(y)));
            }
            for (int64_t k = 0; k < coarse.pixelCount(); ++k)  // single precision below 4
                QVERIFY(std::abs(std::ldexp(preview.value(i, k), -exponent) - coarse.value(i, k)) <
                        5e-7);
        }
    }
    // One line before any allocation, from both methods of smoothing.
    void tooLittleMemory() {
        constexpr int nside = 1024;
        const auto map = std::make_shared<const HealpixMap>(
            nside, Ordering::Nested, Frame::Galactic,
            std::vector<Field>{{"T", "K", DiskType::Float32,
                                std::vector<float>(static_cast<size_t>(12 * nside * nside))}});
        SmoothPlan plan(map, {0}, Device::cpu());
        SmoothParameters p;
        p.fwhm = 0.01;
        const auto line = [&](const auto& call) -> std::string {
            const LessMemory scope(100'000'000);
            try {
                call();
            } catch (const OutOfMemory& error) {
                return error.what();
            }
            return "no error";
        };
        for (const std::string& found :
             {line([&] { plan.execute(p, job_); }), line([&] { plan.preview(p, nside, job_); })})
            QVERIFY2(found.starts_with("smoothing at nside 1024: expected data that fit"),
                     found.c_str());
        // Coefficients of 3.2 GB.
        const std::string transform = line([&] {
            ShtPlan({.nside = 1, .lmax = 20000}, Device::cpu())
                .analysis(std::vector<double>(12), job_);
        });
        QVERIFY2(transform.starts_with("harmonic analysis of nside 1, lmax 20000: expected data"),
                 transform.c_str());
    }

    // The estimated error compared with the true error on a band-limited sky of another seed.
    void estimateIsHonest_data() {
        QTest::addColumn<int>("weights");
        QTest::addColumn<int>("iterations");
        QTest::addColumn<double>("fwhmDegrees");
        QTest::addColumn<int>("band");
        QTest::addColumn<int>("lmax");
        const int ring = static_cast<int>(Weights::Ring), none = static_cast<int>(Weights::None);
        QTest::newRow("ring weights") << ring << 0 << 3.0 << 128 << -1;
        QTest::newRow("no weights") << none << 0 << 3.0 << 128 << -1;
        QTest::newRow("iterations") << none << 2 << 3.0 << 128 << -1;
        QTest::newRow("narrow") << ring << 0 << 1.0 << 128 << -1;
        QTest::newRow("the whole band") << none << 3 << 3.0 << 191 << -1;
        QTest::newRow("the whole band, narrow") << none << 3 << 0.5 << 191 << -1;
        QTest::newRow("power beyond lmax") << ring << 0 << 0.3 << 191 << 128;
        QTest::newRow("power beyond lmax, iterations") << none << 3 << 0.3 << 191 << 128;
    }
    void estimateIsHonest() {
        QFETCH(int, weights);
        QFETCH(int, iterations);
        QFETCH(double, fwhmDegrees);
        QFETCH(int, band);
        QFETCH(int, lmax);
        constexpr int nside = 64;
        Spectra spectra;
        for (int l = 0; l <= band; ++l)
            for (const SpectrumKind kind : {SpectrumKind::TT, SpectrumKind::EE, SpectrumKind::BB})
                spectra[kind].push_back((kind == SpectrumKind::BB ? 0.1 : 1.0) / (1.0 + l * l));
        SmoothParameters p;
        p.fwhm = fwhmDegrees * kDegree;
        p.weights = static_cast<Weights>(weights);
        p.iterations = iterations;
        p.lmax = lmax;
        std::vector<Alm> alm = randomAlm(spectra, band, 5, job_);
        const ShtPlan sht({.nside = nside, .lmax = band}, Device::cpu());
        const auto synthesized = [&] {
            std::array<std::vector<double>, 3> maps;
            for (auto& m : maps) m.resize(12 * nside * nside);
            sht.synthesisPolarized(std::span<const Alm, 3>(alm), maps[0], maps[1], maps[2], job_);
            return maps;
        };
        const auto maps = synthesized();
        applyBeam(alm, gaussianBeam(p.fwhm, band), job_);
        const auto truth = synthesized();
        const auto sumOfSquares = [](const std::vector<double>& v) {
            return std::inner_product(v.begin(), v.end(), v.begin(), 0.0);
        };
        for (const bool polarized : {false, true}) {
            p.polarization = polarized;
            std::vector<Field> fields{field("T", maps[0])};
            if (polarized) {
                fields.push_back(field("Q", maps[1]));
                fields.push_back(field("U", maps[2]));
            }
            std::vector<int> all(fields.size());
            std::iota(all.begin(), all.end(), 0);
            SmoothPlan plan(std::make_shared<const HealpixMap>(nside, Ordering::Ring,
                                                               Frame::Galactic, std::move(fields)),
                            all, Device::cpu());
            const HealpixMap result = plan.execute(p, job_);
            std::array<double, 3> wrong{}, size{};
            for (size_t i = 0; i < all.size(); ++i) {
                std::vector<double> difference = values(result, static_cast<int>(i));
                for (size_t k = 0; k < difference.size(); ++k) difference[k] -= truth[i][k];
                wrong[i] = sumOfSquares(difference);
                size[i] = sumOfSquares(maps[i]);
            }
            double square = wrong[0] / size[0];
            if (polarized) square = std::max(square, (wrong[1] + wrong[2]) / (size[1] + size[2]));
            const double error = std::sqrt(square), estimate = plan.report().estimatedError;
            // One realization compared with another, and the larger share of the poles at nside 32:
            // a factor.
            QVERIFY2(estimate > 0.7 * error && estimate < 8.0 * error,
                     qPrintable(QString("error %1, estimate %2").arg(error).arg(estimate)));
        }
    }

    // Deconvolution up to some l: the end of B_l belongs to the kernel, and is no error.
    void endOfTheKernelIsNoError_data() {
        QTest::addColumn<int>("iterations");
        QTest::newRow("none") << 0;
        QTest::newRow("three") << 3;
    }
    void endOfTheKernelIsNoError() {
        QFETCH(int, iterations);
        constexpr int nside = 64, band = 128, last = 80;
        Spectra spectra;
        for (int l = 0; l <= band; ++l) spectra[SpectrumKind::TT].push_back(1.0 / (1.0 + l * l));
        std::vector<Alm> alm = randomAlm(spectra, band, 5, job_);
        const Beam beam = gaussianBeam(2.0 * kDegree, band);
        Beam inverse;
        for (size_t l = 0; l <= last; ++l) inverse.bl[0].push_back(1.0 / beam.bl[0][l]);
        applyBeam(alm, beam, job_);
        const ShtPlan sht({.nside = nside, .lmax = band}, Device::cpu());
        std::vector<double> seen(12 * nside * nside), truth = seen;
        sht.synthesis(alm[0], seen, job_);
        applyBeam(alm, inverse, job_);
        sht.synthesis(alm[0], truth, job_);
        SmoothParameters p;
        p.beam = inverse;
        p.iterations = iterations;
        SmoothPlan plan(ringMap(nside, seen), {0}, Device::cpu());
        const HealpixMap found = plan.execute(p, job_);
        double wrong = 0.0, size = 0.0;
        for (size_t i = 0; i < truth.size(); ++i) {
            wrong += std::pow(values(found)[i] - truth[i], 2);
            size += std::pow(seen[i], 2);
        }
        const double error = std::sqrt(wrong / size), estimate = plan.report().estimatedError;
        QVERIFY2(estimate > error && estimate < 12.0 * error,
                 qPrintable(QString("error %1, estimate %2").arg(error).arg(estimate)));
    }

    // A preview is the mean of the result over coarse pixels, up to the coarse grid's own error.
    void previewIsNearTheResult_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<int>("coarse");
        QTest::addColumn<bool>("nested");
        QTest::newRow("ring") << 64 << 16 << false;
        QTest::newRow("nested") << 64 << 16 << true;
        QTest::newRow("not a divisor") << 60 << 16 << false;
    }
    void previewIsNearTheResult() {
        QFETCH(int, nside);
        QFETCH(int, coarse);
        QFETCH(bool, nested);
        Spectra spectra;
        for (int l = 0; l <= 3 * nside - 1; ++l)
            spectra[SpectrumKind::TT].push_back(1.0 / (1.0 + l * l));
        std::vector<double> ring(static_cast<size_t>(12 * nside * nside));
        ShtPlan({.nside = nside}, Device::cpu())
            .synthesis(randomAlm(spectra, 3 * nside - 1, 3, job_)[0], ring, job_);
        // A bad cap, smaller than the sky by a tenth.
        for (size_t p = 0; p < ring.size() / 10; ++p) ring[p] = std::nan("");
        std::vector<double> input = ring;
        if (nested)
            for (int64_t k = 0; k < 12 * nside * nside; ++k)
                input[static_cast<size_t>(k)] = ring[static_cast<size_t>(ringFromNested(nside, k))];
        const auto map = std::make_shared<const HealpixMap>(
            nside, nested ? Ordering::Nested : Ordering::Ring, Frame::Galactic,
            std::vector<Field>{field("T", input)});
        SmoothPlan plan(map, {0}, Device::cpu());
        SmoothParameters p;
        p.fwhm = 15 * kDegree;
        const HealpixMap preview = plan.preview(p, coarse, job_);
        QCOMPARE(preview.nside(), int64_t{coarse});
        QCOMPARE(preview.ordering(), Ordering::Ring);
        const HealpixMap result = plan.execute(p, job_);
        std::vector<double> found, truth;
        double rms = 0.0;
        for (int64_t k = 0; k < preview.pixelCount(); ++k) {
            const double value = preview.value(0, k);
            const double there = result.value(0, result.pixelAt(directionFromRing(coarse, k)));
            if (std::isnan(value) || std::isnan(there)) continue;
            found.push_back(value);
            truth.push_back(there);
            rms += there * there;
        }
        QVERIFY(found.size() > 12u * 16 * 16 * 8 / 10);
        // Pixel centers half a fine pixel (0.5 deg of 15) apart, and the mean over 3.7 deg.
        ARMILLA_VERIFY_BELOW(relativeError(found, truth), 0.05);
    }
    void previewOfPartialMaps() {
        constexpr int nside = 32;
        std::vector<int64_t> pixels;
        std::vector<double> ones;
        for (int64_t p = 0; p < 2 * nside * nside; ++p) {
            pixels.push_back(p);
            ones.push_back(3.0);
        }
        for (const Ordering ordering : {Ordering::Ring, Ordering::Nested}) {
            const auto map = std::make_shared<const HealpixMap>(
                HealpixMap::partial(nside, ordering, Frame::Galactic, pixels, {field("T", ones)}));
            SmoothPlan plan(map, {0}, Device::cpu());
            SmoothParameters p;
            p.fwhm = 10 * kDegree;
            const HealpixMap preview = plan.preview(p, 8, job_);
            int good = 0;
            for (int64_t k = 0; k < preview.pixelCount(); ++k) {
                const double value = preview.value(0, k);
                if (std::isnan(value)) continue;
                ++good;
                // Single precision of 3.
                QVERIFY(std::abs(value - 3.0) < 1e-6);
            }
            // A sixth of the sky is covered: 128 coarse pixels, except for the border.
            QVERIFY(good > 110 && good < 146);
        }
    }

    void refusesWhatItCannot() {
        const MapPointer map = ringMap(4, whiteMap(4, 1));
        Device cuda;
        cuda.kind = DeviceKind::Cuda;
        cuda.index = 99;
        SmoothPlan absent(map, {0}, cuda);
        SmoothParameters any;
        any.fwhm = 0.5;
        QVERIFY_EXCEPTION_THROWN(absent.execute(any, job_), Unsupported);
        QVERIFY_EXCEPTION_THROWN(SmoothPlan(map, {1}, Device::cpu()), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(SmoothPlan(map, {}, Device::cpu()), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(SmoothPlan(nullptr, {0}, Device::cpu()), InvalidArgument);
        SmoothPlan plan(map, {0}, Device::cpu());
        const auto refused = [&](auto change) {
            SmoothParameters p;
            p.fwhm = 0.1;
            change(p);
            plan.execute(p, job_);
        };
        QVERIFY_EXCEPTION_THROWN(refused([](auto& p) { p.polarization = true; }), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(refused([](auto& p) { p.fwhm = -1.0; }), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(refused([](auto& p) { p.lmax = -5; }), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(refused([](auto& p) { p.beam = Beam{}; }), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(refused([](auto& p) {
                                     p.beam = Beam{};
                                     p.beam->bl[0] = {1.0, std::nan("")};
                                 }),
                                 InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(refused([](auto& p) {
                                     p.beam = gaussianBeam(0.1, 8);
                                     p.kernel = RadialKernel{{0, 1}, {1, 0}};
                                 }),
                                 InvalidArgument);
        SmoothParameters p;
        QVERIFY_EXCEPTION_THROWN(plan.preview(p, 8, job_), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(plan.preview(p, 0, job_), InvalidArgument);
    }
    void stops() {
        std::stop_source source;
        source.request_stop();
        JobContext job(source.get_token(), {}, 2);
        SmoothPlan plan(ringMap(64, whiteMap(64, 1)), {0}, Device::cpu());
        SmoothParameters p;
        p.fwhm = 0.1;
        QVERIFY_EXCEPTION_THROWN(plan.execute(p, job), Cancelled);
        // The plan is intact afterwards.
        QCOMPARE(plan.execute(p, job_).nside(), int64_t{64});
    }

private:
    JobContext job_{{}, {}, 2};
};

QTEST_APPLESS_MAIN(SmoothTest)
#include "tst_smooth.moc"
