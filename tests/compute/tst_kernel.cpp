// SPDX-License-Identifier: GPL-3.0-or-later
// Radial kernels compared with closed forms and sums in long double.
#include <QtTest>
#include <cmath>
#include <tuple>

#include "armilla/core/error.h"
#include "armilla/core/gaussian.h"
#include "armilla/core/sky_vector.h"
#include "armilla/ops/kernel.h"
#include "armilla/ops/spectrum.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

using Real = long double;

// sum (2l+1)/(4 pi) x^n e^{-x} / n! P_l(cos theta), x = l(l+1) sigma^2 / 2, in long double, by
// Reinsch's recursion.
Real gaussianSeries(double sigma, int order, double theta) {
    const Real s = std::sin(0.5L * static_cast<Real>(theta)), y = 2 * s * s;
    const Real t = 0.5L * static_cast<Real>(sigma) * static_cast<Real>(sigma);
    Real p = 1.0L, difference = 0.0L, sum = 0.0L, factorial = 1.0L;
    for (int n = 2; n <= order; ++n) factorial *= n;
    for (int l = 0; l < 12.0 / sigma; ++l) {
        const Real x = t * l * (l + 1.0L);
        sum += (2.0L * l + 1.0L) * std::pow(x, static_cast<Real>(order)) * std::exp(-x) * p;
        difference = (l * difference - (2.0L * l + 1.0L) * y * p) / (l + 1.0L);
        p += difference;
    }
    return sum / factorial / (4.0L * static_cast<Real>(kPi));
}

double legendre(int l, double x) {
    double p = 1.0, before = 0.0;
    for (int k = 0; k < l; ++k) {
        const double next = ((2.0 * k + 1.0) * x * p - k * before) / (k + 1.0);
        before = p;
        p = next;
    }
    return p;
}

}  // namespace

class KernelTest : public QObject {
    Q_OBJECT
private slots:
    void theWidthOfAGaussian() { QVERIFY(kFwhmOfSigma == std::sqrt(8.0 * std::log(2.0))); }
    void gaussianFamilyIsItsSeries_data() {
        QTest::addColumn<double>("sigma");
        QTest::addColumn<int>("order");
        for (const double sigma : {6e-4, 0.0074, 0.05, 0.149, 0.4})
            for (int order = 0; order <= 4; ++order)
                QTest::addRow("sigma %g, order %d", sigma, order) << sigma << order;
    }
    void gaussianFamilyIsItsSeries() {
        QFETCH(double, sigma);
        QFETCH(int, order);
        const Kernel kernel =
            order == 0 ? Kernel::gaussian(sigma / kSigmaOfFwhm) : Kernel::mexicanHat(order, sigma);
        std::vector<double> angles;
        for (int i = 0; i <= 40; ++i) angles.push_back(std::min(0.25 * i * sigma, kPi));
        const std::vector<double> found = kernel.at(angles);
        double worst = 0.0;
        const double peak = static_cast<double>(gaussianSeries(sigma, order, 0.0));
        for (size_t i = 0; i < angles.size(); ++i)
            worst = std::max(
                worst,
                std::abs(found[i] - static_cast<double>(gaussianSeries(sigma, order, angles[i]))));
        // The fourth derivative of an interpolation at nine Chebyshev points amplifies rounding
        // like its highest polynomial: 160 * 2^4 half epsilons. The others add as much again.
        ARMILLA_VERIFY_BELOW(worst / peak, order > 0 ? 6e-13 : 1e-14);
        QVERIFY(kernel.reach() <= kPi && kernel.reach() > 8 * std::min(sigma, 0.35));
    }
    void coefficientsAreThoseOfTheProfile_data() {
        QTest::addColumn<int>("which");
        for (int i = 0; i < 4; ++i) QTest::addRow("kernel %d", i) << i;
    }
    // Numerically from the profile, against the definition.
    void coefficientsAreThoseOfTheProfile() {
        QFETCH(int, which);
        const Kernel kernels[] = {
            Kernel::gaussian(0.05), Kernel::mexicanHat(2, 0.03),
            Kernel::difference(Kernel::gaussian(0.05), Kernel::gaussian(0.1), 0.5),
            Kernel::harmonic(gaussianBeam(0.05, 60))};
        const Kernel& kernel = kernels[which];
        constexpr int lmax = 300;
        const Beam truth = kernel.coefficients(lmax, job_);
        // Truncated slightly below pi: the numerical method.
        const Beam found = kernel.truncated(3.1415).coefficients(lmax, job_);
        std::vector<double> padded = truth.bl[0];
        padded.resize(lmax + 1, 0.0);
        double worst = 0.0;
        for (size_t l = 0; l <= lmax; ++l)
            worst = std::max(worst, std::abs(found.bl[0][l] - padded[l]));
        // The omitted cap of radius 9e-5 around the antipode holds 3e-8 sr. There K is below 1e-3
        // for the band-limited kernel (its own spectrum ends at 0.95 of its peak) and zero for the
        // others.
        ARMILLA_VERIFY_BELOW(worst / kernel.absoluteIntegral(), which == 3 ? 1e-6 : 1e-12);
    }
    void topHat() {
        const double radius = 0.01;
        const Kernel disc = Kernel::topHat(radius).normalized(KernelNorm::Integral);
        const double area = kTwoPi * 2 * std::pow(std::sin(0.5 * radius), 2);
        QCOMPARE(disc.at(std::vector<double>{0.0, 0.005, 0.01, 0.0101})[1], 1.0 / area);
        QCOMPARE(disc.at(std::vector<double>{radius})[0], 1.0 / area);
        QCOMPARE(disc.at(std::vector<double>{0.0101})[0], 0.0);
        QCOMPARE(disc.support(), radius);
        QVERIFY(!disc.lastL() && !disc.smooth());
        const Beam beam = disc.coefficients(50, job_);
        for (int l : {1, 10, 50}) {
            const double x = std::cos(radius);
            const double truth = (legendre(l - 1, x) - legendre(l + 1, x)) /
                                 ((2 * l + 1) * 2 * std::pow(std::sin(0.5 * radius), 2));
            // The reference loses epsilon / radius^2 / l.
            ARMILLA_VERIFY_BELOW(std::abs(beam.bl[0][static_cast<size_t>(l)] - truth), 1e-11);
        }
        QCOMPARE(disc.normalized(KernelNorm::Peak).peak(), 1.0);
    }
    void compensatedKernelsAreNotDivided() {
        const Kernel hat = Kernel::mexicanHat(1, 0.02);
        QVERIFY(hat.compensated());
        QVERIFY_EXCEPTION_THROWN(hat.normalized(KernelNorm::Integral), InvalidArgument);
        const Kernel peak = hat.normalized(KernelNorm::Peak);
        QVERIFY(std::abs(peak.at(std::vector<double>{0.0})[0] - 1.0) < 1e-14);
        // A table whose integral is at the level of rounding of its values: 2.0e-6 of 1 from its
        // digits.
        RadialKernel table;
        for (int i = 0; i <= 400; ++i) {
            table.angle.push_back(5e-4 * i);
            const double value = hat.at(std::vector<double>{table.angle.back()})[0];
            table.value.push_back(std::round(value * 1e3) * 1e-3);
        }
        const Kernel tabled = Kernel::profile(table);
        QVERIFY(tabled.compensated());
        QVERIFY_EXCEPTION_THROWN(tabled.normalized(KernelNorm::Integral), InvalidArgument);
        QCOMPARE(tabled.normalized(KernelNorm::None).coefficients(10, job_).bl[0],
                 tabled.coefficients(10, job_).bl[0]);
        QVERIFY(!Kernel::gaussian(0.1).compensated());
    }
    void inverseEndsAtItsCut() {
        const double fwhm = 0.02;
        const Kernel inverse = Kernel::inverse(Kernel::gaussian(fwhm), 0.01, 2000, job_);
        const Beam forth = gaussianBeam(fwhm, 2000), back = inverse.coefficients(2000, job_);
        const auto count = back.bl[0].size();
        QVERIFY(forth.bl[0][count - 1] >= 0.01 && forth.bl[0][count] < 0.01);
        for (size_t l = 0; l < count; ++l)
            QVERIFY(std::abs(forth.bl[0][l] * back.bl[0][l] - 1.0) < 1e-14);
        QCOMPARE(*inverse.lastL(), static_cast<int>(count) - 1);
        QVERIFY_EXCEPTION_THROWN(Kernel::inverse(Kernel::gaussian(fwhm), 0.0, 10, job_),
                                 InvalidArgument);
    }
    // A profile that falls to 0 within 1e-6 of its radius: all of it counts.
    void steepEdge() {
        const double radius = 9.0 * kDegree;
        RadialKernel values;
        for (int i = 0; i < 9; ++i) values.angle.push_back(i * kDegree);
        values.value.assign(values.angle.size(), 1.0);
        for (const double edge : {1.0 - 1e-7, 1.0, 1.0 + 1e-8}) {
            values.angle.push_back(edge * radius);
            values.value.push_back(edge > 1.0 ? 0.0 : 1.0);
        }
        const Kernel kernel = Kernel::profile(values);
        ARMILLA_VERIFY_BELOW(std::abs(kernel.truncationRadius(3e-7, {}, job_) / radius - 1.0),
                             1e-6);
    }
    // A flat Gaussian has exp(-r^2 / 2 sigma^2) of its integral beyond r.
    void truncationRadius() {
        const double sigma = 1e-3;
        const Kernel kernel = Kernel::gaussian(sigma / kSigmaOfFwhm);
        for (const double error : {1e-3, 1e-6, 1e-10}) {
            const double flat = sigma * std::sqrt(-2.0 * std::log(error));
            const double radius = kernel.truncationRadius(error, {}, job_);
            // Bisection to a thousandth; nodes in steps of a tenth of sigma.
            ARMILLA_VERIFY_BELOW(std::abs(radius / flat - 1.0), 0.02);
        }
        // A red spectrum loses less: l r << 1 wherever there is power.
        std::vector<double> cl(501);
        for (size_t l = 0; l < cl.size(); ++l) cl[l] = 1.0 / std::pow(l + 1.0, 3.0);
        const double bound = kernel.truncationError(4 * sigma, {}, job_);
        const double real = kernel.truncationError(4 * sigma, cl, job_);
        QVERIFY(real < 0.1 * bound && real > 0.0);
        // The error equals equation 7 with the truncated kernel's own coefficients.
        const Beam all = kernel.coefficients(500, job_);
        const Beam cut =
            kernel.truncated(4 * sigma).normalized(KernelNorm::Integral).coefficients(500, job_);
        double wrong = 0.0, power = 0.0;
        for (size_t l = 0; l < cl.size(); ++l) {
            const double w = (2.0 * static_cast<double>(l) + 1.0) * cl[l];
            wrong += w * std::pow(all.bl[0][l] - cut.bl[0][l], 2);
            power += w;
        }
        // A node on the other side of the edge: a few percent.
        ARMILLA_VERIFY_BELOW(std::abs(std::sqrt(wrong / power) / real - 1.0), 0.2);
    }
    // Coefficients of T alone are the same numbers; beyond underflow they are zero.
    void scalarCoefficients() {
        for (const auto& [name, kernel, lmax] :
             {std::tuple("Gaussian", Kernel::gaussian(0.3).scaled(2.0), 900),
              std::tuple("narrow Gaussian", Kernel::gaussian(1e-4), 900),
              std::tuple("Mexican hat", Kernel::mexicanHat(2, 0.2).scaled(0.5), 900),
              std::tuple("cut Gaussian", Kernel::gaussian(0.05).truncated(0.06), 200),
              std::tuple("difference",
                         Kernel::difference(Kernel::gaussian(0.02), Kernel::gaussian(0.1), 0.7),
                         900),
              std::tuple("B_l", Kernel::harmonic(gaussianBeam(0.05, 300)), 200)}) {
            const Beam all = kernel.coefficients(lmax, job_);
            const std::vector<double> scalar = kernel.scalarCoefficients(lmax, job_);
            QCOMPARE(scalar.size(), static_cast<size_t>(lmax) + 1);
            QVERIFY2(scalar == all.bl[0], name);
        }
        // exp(-x) ends at x = l(l+1) sigma^2 / 2 = 745.1, l = 302.
        const std::vector<double> wide = Kernel::gaussian(0.3).scalarCoefficients(900, job_);
        QVERIFY(wide[302] > 0.0);
        QCOMPARE(wide[304], 0.0);
        QCOMPARE(wide[900], 0.0);
    }
    void equality() {
        const Kernel kernel = Kernel::gaussian(0.1);
        const Kernel copy = kernel;
        QVERIFY(copy == kernel);
        QVERIFY(kernel.scaled(2.0) != kernel && kernel.truncated(0.1) != kernel);
        QVERIFY(kernel.truncated(0.1) == kernel.truncated(0.1));
        QVERIFY(Kernel::gaussian(0.1) != kernel);  // made twice
    }
    void refusals() {
        QVERIFY_EXCEPTION_THROWN(Kernel::gaussian(-1.0), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(Kernel::topHat(0.0), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(Kernel::mexicanHat(5, 0.1), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(Kernel::mexicanHat(1, 0.0), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(Kernel::harmonic(Beam{}), InvalidArgument);
        const Kernel identity = Kernel::gaussian(0.0);
        QVERIFY(!identity.hasProfile());
        QVERIFY_EXCEPTION_THROWN(identity.at(std::vector<double>{0.0}), InvalidArgument);
        QCOMPARE(identity.coefficients(3, job_).bl[0], std::vector<double>(4, 1.0));
    }

private:
    JobContext job_{{}, {}, 2};
};

QTEST_APPLESS_MAIN(KernelTest)
#include "tst_kernel.moc"
