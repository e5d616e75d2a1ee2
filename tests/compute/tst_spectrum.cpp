// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "armilla/core/error.h"
#include "armilla/core/healpix_map.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/ops/monopole.h"
#include "armilla/ops/sht.h"
#include "armilla/ops/spectrum.h"
#include "support/direct_sht.h"
#include "support/random_alm.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

double valueAt(const Alm& alm, Vec3 n) {
    const Real cosine = n.z, sine = std::hypot(n.x, n.y), phi = std::atan2(n.y, n.x);
    Real sum = 0.0L;
    for (int m = 0; m <= alm.mmax(); ++m) {
        const std::vector<Real> lam = lambda(alm.lmax(), m, cosine, sine);
        const Real c = std::cos(m * phi), s = std::sin(m * phi), both = m == 0 ? 1.0L : 2.0L;
        for (int l = m; l <= alm.lmax(); ++l)
            sum +=
                both * lam[static_cast<size_t>(l)] * (alm(l, m).real() * c - alm(l, m).imag() * s);
    }
    return static_cast<double>(sum);
}

}  // namespace

class SpectrumTest : public QObject {
    Q_OBJECT
private slots:
    void spectraByHand() {
        Alm a(2, 2), b(2, 2);
        a(1, 0) = 2.0;
        a(1, 1) = {1.0, -1.0};
        b(1, 0) = 3.0;
        b(1, 1) = {0.5, 2.0};
        b(2, 2) = {7.0, 7.0};
        // (2*3 + 2 Re((1-i) (0.5-2i))) / 3 = (6 + 2 (0.5 - 2)) / 3
        const Spectra s = powerSpectra({&a, 1}, {&b, 1}, job_);
        QCOMPARE(s.lmax(), 2);
        QCOMPARE(s[SpectrumKind::TT][1], 1.0);
        QCOMPARE(s[SpectrumKind::TT][0], 0.0);
        QCOMPARE(s[SpectrumKind::TT][2], 0.0);
        QVERIFY(s[SpectrumKind::EE].empty());
    }
    void sixSpectraInOrder() {
        std::vector<Alm> a(3, Alm(1, 1)), b(3, Alm(1, 1));
        for (size_t i = 0; i < 3; ++i) {
            a[i](0, 0) = std::pow(2.0, i);
            b[i](0, 0) = std::pow(10.0, i);
        }
        const Spectra s = powerSpectra(a, b, job_);
        QCOMPARE(s[SpectrumKind::TT][0], 1.0);
        QCOMPARE(s[SpectrumKind::EE][0], 20.0);
        QCOMPARE(s[SpectrumKind::BB][0], 400.0);
        QCOMPARE(s[SpectrumKind::TE][0], 10.0);
        QCOMPARE(s[SpectrumKind::TB][0], 100.0);
        QCOMPARE(s[SpectrumKind::EB][0], 200.0);
        const std::vector<Alm> two(2, Alm(1, 1));
        QVERIFY_EXCEPTION_THROWN(powerSpectra(two, job_), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(powerSpectra(a, {b.data(), 1}, job_), InvalidArgument);
    }

    // The value at a turned direction is that of the direction, for sums term by term; with fewer m
    // than l, and about the poles alone. Each of the 2 lmax steps of the two recursions rounds
    // elements of at most 1 four times.
    void turnedSkies() {
        constexpr int lmax = 64;
        const double limit = 8.0 * lmax * std::numeric_limits<double>::epsilon();
        const Mat3 aboutPole{{0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, 1}};
        const Mat3 upsideDown{{0.8, 0.6, 0, 0.6, -0.8, 0, 0, 0, -1}};
        for (const Mat3& turn : {frameRotation(Frame::Equatorial, Frame::Galactic), aboutPole,
                                 upsideDown, frameRotation(Frame::Galactic, Frame::Ecliptic)})
            for (const int mmax : {lmax, 40}) {
                std::vector<Alm> alm{randomCoefficients(lmax, mmax, 1),
                                     randomCoefficients(lmax, mmax, 2)};
                const std::vector<Alm> before = alm;
                rotateAlm(alm, turn, Device::cpu(), job_);
                double worst = 0.0, largest = 0.0;
                for (size_t i = 0; i < alm.size(); ++i)
                    for (int64_t p = 0; p < pixelCount(2); ++p) {
                        const Vec3 n = directionFromRing(2, p);
                        const double truth = valueAt(before[i], n);
                        worst = std::max(worst, std::abs(valueAt(alm[i], turn * n) - truth));
                        largest = std::max(largest, std::abs(truth));
                    }
                QVERIFY2(worst < limit * largest, qPrintable(QString::number(worst / largest)));
            }
    }

    // A zonal function turns into the harmonics of where the pole goes: from a_l0 = 1 follows
    // a'_lm = sqrt(4 pi / (2l+1)) conj Y_lm(rotation z). At l = 1400 the recursion's first elements
    // are 2^-1400, beyond the range of numbers. The harmonics' own recursion has 2 l roundings,
    // too.
    void turnedPoles() {
        constexpr int lmax = 1400;
        const Mat3 turn = frameRotation(Frame::Equatorial, Frame::Galactic);
        std::vector<Alm> alm(1, Alm(lmax, 0));
        for (int l = 0; l <= lmax; ++l) alm[0](l, 0) = 1.0;
        rotateAlm(alm, turn, Device::cpu(), job_);
        const Vec3 pole = turn * Vec3{0.0, 0.0, 1.0};
        const double phi = std::atan2(pole.y, pole.x);
        const double limit = 16.0 * lmax * std::numeric_limits<double>::epsilon();
        for (const int m : {0, 1, 2, 57, 700, 1399, 1400})
            for (const int l : {m, std::min(lmax, m + 1), std::min(lmax, m + 400), lmax}) {
                const double y = std::sph_legendre(static_cast<unsigned>(l),
                                                   static_cast<unsigned>(m), std::acos(pole.z));
                const std::complex<double> truth =
                    std::sqrt(4.0 * kPi / (2.0 * l + 1.0)) * y * std::polar(1.0, -m * phi);
                ARMILLA_VERIFY_BELOW(std::abs(alm[0](l, m) - truth), limit);
            }
    }

    void randomAlmHaveTheirSpectra() {
        constexpr int lmax = 140;
        Spectra in;
        for (int l = 0; l <= lmax; ++l) {
            in[SpectrumKind::TT].push_back(2.0 / (l + 1.0));
            in[SpectrumKind::EE].push_back(0.5 / (l + 1.0));
            in[SpectrumKind::BB].push_back(0.25 / (l + 1.0));
            in[SpectrumKind::TE].push_back(-0.6 / (l + 1.0));
            in[SpectrumKind::TB].push_back(0.3 / (l + 1.0));
            in[SpectrumKind::EB].push_back(0.1 / (l + 1.0));
        }
        const std::vector<Alm> alm = randomAlm(in, lmax, 42, job_);
        QCOMPARE(alm.size(), size_t{3});
        const Spectra out = powerSpectra(alm, job_);
        for (size_t kind = 0; kind < 6; ++kind) {
            double ratio = 0.0, modes = 0.0;
            for (int l = 0; l <= lmax; ++l) {
                const auto i = static_cast<size_t>(l);
                // In units of sqrt(C_aa C_bb), so that every mode has the same scatter.
                const std::array<std::array<int, 2>, 6> pair{
                    {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};
                const double scale = std::sqrt(in.cl[static_cast<size_t>(pair[kind][0])][i] *
                                               in.cl[static_cast<size_t>(pair[kind][1])][i]);
                ratio += (2 * l + 1) * (out.cl[kind][i] - in.cl[kind][i]) / scale;
                modes += 2 * l + 1;
            }
            // C_l scatter by sqrt(2 / (2l + 1)), the mean of 20,000 modes by 0.01: five sigma.
            ARMILLA_VERIFY_BELOW(std::abs(ratio / modes), 0.05);
        }
        for (const Alm& a : alm)
            for (int l = 0; l <= lmax; ++l) QCOMPARE(a(l, 0).imag(), 0.0);
        // Real and imaginary parts are independent and alike, and so are m and m + 1.
        double re = 0, im = 0, cross = 0, next = 0;
        int count = 0;
        for (int m = 1; m < lmax; ++m)
            for (int l = m + 1; l <= lmax; ++l) {
                const std::complex<double> x = alm[0](l, m) * std::sqrt(l + 1.0);
                const std::complex<double> y = alm[0](l, m + 1) * std::sqrt(l + 1.0);
                re += x.real() * x.real(), im += x.imag() * x.imag();
                cross += x.real() * x.imag(), next += (x * std::conj(y)).real();
                ++count;
            }
        // Means over 9700 draws of variance one or two.
        QVERIFY(std::abs(re / count - 1.0) < 0.07 && std::abs(im / count - 1.0) < 0.07);
        QVERIFY(std::abs(cross / count) < 0.06 && std::abs(next / count) < 0.08);
    }
    // The random numbers of a mode do not depend on lmax; other seeds give other numbers.
    void randomAlmAreReproducible() {
        Spectra in;
        in[SpectrumKind::TT].assign(51, 1.0);
        const Alm small = randomAlm(in, 20, 7, job_)[0], large = randomAlm(in, 60, 7, job_)[0];
        for (int m = 0; m <= 20; ++m)
            for (int l = m; l <= 20; ++l) QCOMPARE(small(l, m), large(l, m));
        QCOMPARE(large(51, 3), std::complex<double>(0.0));
        QVERIFY(randomAlm(in, 20, 8, job_)[0](5, 2) != small(5, 2));
        QVERIFY(randomAlm(in, 20, 7 + (uint64_t{1} << 40), job_)[0](5, 2) != small(5, 2));
    }
    void degenerateCovariance() {
        // E is a copy of T, B is zero: a semi-definite matrix without an inverse.
        Spectra in;
        for (const auto kind : {SpectrumKind::TT, SpectrumKind::EE, SpectrumKind::TE})
            in[kind].assign(6, 3.0);
        const std::vector<Alm> alm = randomAlm(in, 5, 1, job_);
        for (size_t i = 0; i < alm[0].values().size(); ++i) {
            QVERIFY(std::abs(alm[0].values()[i] - alm[1].values()[i]) < 1e-14);
            QCOMPARE(alm[2].values()[i], std::complex<double>(0.0));
        }
        in[SpectrumKind::TE][3] = 3.1;
        QVERIFY_EXCEPTION_THROWN(randomAlm(in, 5, 1, job_), InvalidArgument);
        in[SpectrumKind::TE][3] = std::nan("");
        QVERIFY_EXCEPTION_THROWN(randomAlm(in, 5, 1, job_), InvalidArgument);
        in[SpectrumKind::TE][3] = 3.0;
        in[SpectrumKind::TT][2] = -1.0;
        QVERIFY_EXCEPTION_THROWN(randomAlm(in, 5, 1, job_), InvalidArgument);
        in[SpectrumKind::TT][2] = 3.0;
        in[SpectrumKind::TB].assign(6, 0.5);  // B has no power to be correlated with
        QVERIFY_EXCEPTION_THROWN(randomAlm(in, 5, 1, job_), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(randomAlm(Spectra{}, 5, 1, job_), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(randomAlm(in, -1, 1, job_), InvalidArgument);
    }

    void gaussianBeamIsItsFormula() {
        const double fwhm = 0.02, variance = fwhm * fwhm / (8 * std::log(2.0));
        const Beam beam = gaussianBeam(fwhm, 300);
        for (int l = 0; l <= 300; ++l) {
            const double truth = std::exp(-0.5 * l * (l + 1.0) * variance);
            const auto i = static_cast<size_t>(l);
            // The exponent is at most 3.3 in size here, so exp amplifies its rounding to a few
            // machine epsilons.
            QVERIFY(std::abs(beam.bl[0][i] / truth - 1) < 1e-14);
            QVERIFY(std::abs(beam.bl[1][i] / (truth * std::exp(2 * variance)) - 1) < 1e-14);
            QCOMPARE(beam.bl[2][i], beam.bl[1][i]);
        }
        QCOMPARE(gaussianBeam(0.0, 3).bl[0][3], 1.0);
        QVERIFY_EXCEPTION_THROWN(gaussianBeam(-0.1, 3), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(gaussianBeam(std::nan(""), 3), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(gaussianBeam(0.1, -1), InvalidArgument);
    }
    // A cap: B_l = (P_{l-1}(x) - P_{l+1}(x)) / ((2l+1)(1-x)), x the cosine of its radius.
    void kernelOfACap_data() {
        QTest::addColumn<double>("radius");
        QTest::addColumn<int>("lmax");
        QTest::newRow("small") << 0.003 << 6000;
        QTest::newRow("medium") << 0.3 << 2000;
        QTest::newRow("beyond the equator") << 2.5 << 300;
    }
    void kernelOfACap() {
        QFETCH(double, radius);
        QFETCH(int, lmax);
        const Beam beam = beamFromKernel({{0.0, radius / 3, radius}, {2.0, 2.0, 2.0}}, lmax, job_);
        const Real x = std::cos(static_cast<Real>(radius));
        std::vector<Real> p{1.0L, x};
        for (int l = 1; l <= lmax; ++l)
            p.push_back(((2.0L * l + 1) * x * p[static_cast<size_t>(l)] -
                         l * p[static_cast<size_t>(l) - 1]) /
                        (l + 1.0L));
        const Real depth = 2 * std::pow(std::sin(0.5L * static_cast<Real>(radius)), 2.0L);
        double worst = 0.0;
        for (int l = 1; l <= lmax; ++l) {
            const auto i = static_cast<size_t>(l);
            const Real truth = (p[i - 1] - p[i + 1]) / ((2.0L * l + 1) * depth);
            worst = std::max(worst, static_cast<double>(std::abs(beam.bl[0][i] - truth)));
        }
        QCOMPARE(beam.bl[0][0], 1.0);
        QVERIFY(beam.bl[1] == beam.bl[0] && beam.bl[2] == beam.bl[0]);
        // The reference in long double loses l epsilon / depth: 1e-12 in the smallest cap.
        ARMILLA_VERIFY_BELOW(worst, 1e-11);
    }
    // Kernel to beam and back: the profile of a band-limited kernel, finely sampled, gives B_l up
    // to the error h^2 K'' / 8 of its linear pieces.
    void profileAndBeamAreInverse() {
        const Beam beam = gaussianBeam(10 * kDegree, 120);
        RadialKernel kernel;
        for (int i = 0; i <= 4000; ++i) kernel.angle.push_back(kPi * i / 4000.0);
        kernel.value = kernelProfile(beam.bl[0], kernel.angle);
        const Beam back = beamFromKernel(kernel, 120, job_);
        ARMILLA_VERIFY_BELOW(largestError(back.bl[0], beam.bl[0]), 1e-5);
        // A narrow Gaussian is the flat one: exp(-theta^2 / 2 sigma^2) / (2 pi sigma^2).
        const double sigma = 0.5 * kDegree;
        const Beam narrow = gaussianBeam(sigma * std::sqrt(8 * std::log(2.0)), 1200);
        const std::vector<double> angles{0.0, sigma, 3 * sigma};
        const std::vector<double> profile = kernelProfile(narrow.bl[0], angles);
        for (size_t i = 0; i < angles.size(); ++i) {
            const double flat =
                std::exp(-0.5 * std::pow(angles[i] / sigma, 2)) / (kTwoPi * sigma * sigma);
            // Curvature: corrections of order sigma^2.
            QVERIFY(std::abs(profile[i] - flat) < 2 * sigma * sigma * profile[0]);
        }
        // P_l(-1) = (-1)^l.
        const std::vector<double> ones{1.0, 1.0, 1.0};
        QVERIFY(std::abs(kernelProfile(ones, std::vector<double>{kPi})[0] -
                         (1 - 3 + 5) / (4 * kPi)) < 1e-15);
        QVERIFY_EXCEPTION_THROWN(kernelProfile(ones, std::vector<double>{-0.1}), InvalidArgument);
    }
    void badKernels_data() {
        QTest::addColumn<QList<double>>("angle");
        QTest::addColumn<QList<double>>("value");
        const double nan = std::nan("");
        QTest::newRow("one angle") << QList<double>{0} << QList<double>{1};
        QTest::newRow("sizes differ") << QList<double>{0, 1} << QList<double>{1};
        QTest::newRow("descending") << QList<double>{0, 0.2, 0.1} << QList<double>{1, 1, 1};
        QTest::newRow("negative angle") << QList<double>{-0.1, 0.1} << QList<double>{1, 1};
        QTest::newRow("beyond pi") << QList<double>{0, 4} << QList<double>{1, 1};
        QTest::newRow("not finite") << QList<double>{0, 1} << QList<double>{1, nan};
        QTest::newRow("angle not finite") << QList<double>{0, nan} << QList<double>{1, 1};
        QTest::newRow("no integral") << QList<double>{0, 1} << QList<double>{0, 0};
    }
    void badKernels() {
        QFETCH(QList<double>, angle);
        QFETCH(QList<double>, value);
        const RadialKernel kernel{{angle.begin(), angle.end()}, {value.begin(), value.end()}};
        QVERIFY_EXCEPTION_THROWN(beamFromKernel(kernel, 10, job_), InvalidArgument);
    }

    // The window of the four pixels of nside 1 that touch the pole and the four of the belt, by
    // definition. Harmonics are averaged over many small pixels within each.
    void pixelWindowIsTheMeanOfPixelHarmonics() {
        constexpr int coarse = 2, fine = 128, lmax = 8;
        const Beam window = computedPixelWindow(coarse, lmax, job_);
        std::vector<double> power(lmax + 1);
        // One pixel of each kind is enough, by symmetry: NESTED faces 0 and 4 at nside 2.
        for (const int64_t face : {0, 4})
            for (int64_t child = 0; child < 4; ++child) {
                std::vector<double> map(12 * fine * fine);
                const int64_t side = fine / coarse;
                for (int64_t k = 0; k < side * side; ++k)
                    map[static_cast<size_t>(ringFromNested(
                        fine, (face * 4 + child) * side * side + k))] = 48.0 / (4 * kPi);
                const Alm alm =
                    ShtPlan({.nside = fine, .lmax = lmax, .weights = Weights::Ring}, Device::cpu())
                        .analysis(map, job_);
                const Spectra s = powerSpectra({&alm, 1}, job_);
                const double share = (face == 0 ? 2.0 : 1.0) / 3.0 / 4.0;
                for (size_t l = 0; l <= lmax; ++l)
                    power[l] += share * 4 * kPi * s[SpectrumKind::TT][l];
            }
        // Ring weights are not exact for a step; 64 x 64 points in a pixel leave 1e-4.
        for (size_t l = 0; l <= lmax; ++l)
            ARMILLA_VERIFY_BELOW(std::abs(window.bl[0][l] - std::sqrt(power[l])), 2e-4);
    }
    // Values of HEALPix 3.80's pixel_window_n*.fits.
    void pixelWindowAgreesWithHealpix_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<int>("l");
        QTest::addColumn<double>("scalar");
        QTest::addColumn<double>("spin");
        QTest::addRow("nside 4, l 4") << 4 << 4 << 0.943534640173 << 0.954631457124;
        QTest::addRow("nside 4, l 11") << 4 << 11 << 0.672200506565 << 0.680699041022;
        QTest::addRow("nside 4, l 16") << 4 << 16 << 0.422284103421 << 0.428264231254;
        QTest::addRow("nside 16, l 16") << 16 << 16 << 0.951543463243 << 0.952241815769;
        QTest::addRow("nside 16, l 47") << 16 << 47 << 0.652649337119 << 0.653165008088;
        QTest::addRow("nside 16, l 64") << 16 << 64 << 0.440693215009 << 0.441073968858;
        QTest::addRow("nside 64, l 64") << 64 << 64 << 0.953593986397 << 0.953637735408;
        QTest::addRow("nside 64, l 191") << 64 << 191 << 0.647903891933 << 0.64793591881;
        QTest::addRow("nside 64, l 256") << 64 << 256 << 0.445305345477 << 0.445329298123;
        QTest::addRow("nside 512, l 512") << 512 << 512 << 0.954201355115 << 0.954201716655;
        QTest::addRow("nside 512, l 1535") << 512 << 1535 << 0.646546419611 << 0.646546664584;
        QTest::addRow("nside 512, l 2048") << 512 << 2048 << 0.446651715368 << 0.446651884601;
        QTest::addRow("nside 2048, l 2048") << 2048 << 2048 << 0.954267024694 << 0.95426704104;
        QTest::addRow("nside 2048, l 6143") << 2048 << 6143 << 0.646402586161 << 0.646402597234;
        QTest::addRow("nside 2048, l 8192") << 2048 << 8192 << 0.446795799064 << 0.446795806717;
    }
    void pixelWindowAgreesWithHealpix() {
        QFETCH(int, nside);
        QFETCH(int, l);
        QFETCH(double, scalar);
        QFETCH(double, spin);
        const Beam window = computedPixelWindow(nside, 4 * nside, job_);
        ARMILLA_VERIFY_BELOW(std::abs(window.bl[0][static_cast<size_t>(l)] - scalar), 3e-5);
        ARMILLA_VERIFY_BELOW(std::abs(window.bl[1][static_cast<size_t>(l)] - spin), 3e-5);
        QCOMPARE(window.bl[1][0], 0.0);
        QCOMPARE(window.bl[1][1], 0.0);
        QCOMPARE(window.bl[2][static_cast<size_t>(l)], window.bl[1][static_cast<size_t>(l)]);
    }
    void pixelWindowOfAnyNside() {
        const Beam window = pixelWindow(24, 72, job_);
        QCOMPARE(window.bl[0].size(), size_t{73});
        QVERIFY(std::abs(window.bl[0][0] - 1.0) < 1e-12);
        QVERIFY(std::is_sorted(window.bl[0].rbegin(), window.bl[0].rend()));
        QVERIFY_EXCEPTION_THROWN(pixelWindow(4, 33, job_), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(pixelWindow(0, 3, job_), InvalidArgument);
    }
    void sameBitsForAnyNumberOfThreads() {
        constexpr int lmax = 700;
        const Spectra in{{std::vector<double>(lmax + 1, 1.0)}, {}};
        RadialKernel kernel;
        for (int i = 0; i <= 2000; ++i) {
            kernel.angle.push_back(1e-3 * i);
            kernel.value.push_back(1.0 / (1.0 + i));
        }
        const auto all = [&](int threads) {
            JobContext job({}, {}, threads);
            std::vector<Alm> alm = randomAlm(in, lmax, 3, job);
            const Beam beam = beamFromKernel(kernel, lmax, job);
            applyBeam(alm, beam, job);
            return std::tuple{alm[0].values(), beam.bl[0], powerSpectra(alm, job).cl};
        };
        QVERIFY(all(1) == all(3));
    }
    void stops() {
        std::stop_source source;
        source.request_stop();
        JobContext job(source.get_token(), {}, 2);
        std::vector<Alm> alm(1, whiteAlm(10, 10, 0, 1));
        const Spectra in{{std::vector<double>(11, 1.0)}, {}};
        QVERIFY_EXCEPTION_THROWN(randomAlm(in, 10, 1, job), Cancelled);
        QVERIFY_EXCEPTION_THROWN(powerSpectra(alm, job), Cancelled);
        QVERIFY_EXCEPTION_THROWN(applyBeam(alm, gaussianBeam(0.1, 10), job), Cancelled);
        QVERIFY_EXCEPTION_THROWN(beamFromKernel({{0.0, 1.0}, {1.0, 0.0}}, 10, job), Cancelled);
    }
    void beamsAreApplied() {
        std::vector<Alm> alm(2, whiteAlm(3, 3, 0, 1));
        const std::vector<Alm> before = alm;
        Beam beam;
        beam.bl[0] = {1.0, 2.0, 3.0};
        beam.bl[1] = {4.0, 5.0, 6.0, 7.0};
        applyBeam(alm, beam, job_);
        QCOMPARE(alm[0](2, 1), 3.0 * before[0](2, 1));
        QCOMPARE(alm[0](3, 1), std::complex<double>(0.0));
        QCOMPARE(alm[1](3, 1), 7.0 * before[1](3, 1));
        std::vector<Alm> four(4, Alm(1, 1));
        QVERIFY_EXCEPTION_THROWN(applyBeam(four, beam, job_), InvalidArgument);
    }

    void monopoleAndDipoleAreRemoved_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<double>("cut");
        QTest::newRow("full sky") << 32 << 0.0;
        QTest::newRow("no power of two, cut") << 21 << 0.4;
    }
    void monopoleAndDipoleAreRemoved() {
        QFETCH(int, nside);
        QFETCH(double, cut);
        std::vector<double> map(static_cast<size_t>(12 * nside * nside));
        for (size_t p = 0; p < map.size(); ++p) {
            const Vec3 v = directionFromRing(nside, static_cast<int64_t>(p));
            map[p] = 5.0 - 2.0 * v.x + 0.5 * v.y + 3.0 * v.z;
            if (std::abs(v.z) < cut && v.x > 0) map[p] = std::nan("");
        }
        const std::vector<double> before = map;
        const std::array<double, 4> found = removeMonopoleDipole(nside, map, job_);
        const std::array<double, 4> truth{5.0, -2.0, 0.5, 3.0};
        // The normal equations are sums over all pixels; machine epsilon times the square root of
        // their number, times coefficients of up to 5, is below 1e-12.
        for (size_t i = 0; i < 4; ++i) QVERIFY(std::abs(found[i] - truth[i]) < 1e-12);
        for (size_t p = 0; p < map.size(); ++p) {
            QCOMPARE(std::isnan(map[p]), std::isnan(before[p]));
            // The same limit as for the coefficients that are subtracted.
            if (!std::isnan(map[p])) QVERIFY(std::abs(map[p]) < 1e-12);
        }
    }
    void dipoleNeedsPixels() {
        std::vector<double> map(48, std::nan(""));
        QVERIFY_EXCEPTION_THROWN(removeMonopoleDipole(2, map, job_), InvalidArgument);
        map[3] = map[4] = map[20] = 1.0;
        QVERIFY_EXCEPTION_THROWN(removeMonopoleDipole(2, map, job_), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(removeMonopoleDipole(3, map, job_), InvalidArgument);
    }

private:
    JobContext job_{{}, {}, 2};
};

QTEST_APPLESS_MAIN(SpectrumTest)
#include "tst_spectrum.moc"
