// SPDX-License-Identifier: GPL-3.0-or-later
// Convolution of T, Q, U on pixels compared with sums over all pixel pairs, and with harmonics.
#include <QtTest>
#include <array>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/ops/convolve.h"
#include "compute/kernel_rows.h"
#include "compute/pair_sums.h"
#include "compute/smooth_maps.h"
#include "convolve/kernel/spin_kernel.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

using Maps = std::array<std::vector<double>, 3>;

MapPointer polarizedMap(int64_t nside, const Maps& maps, Ordering ordering = Ordering::Ring) {
    std::vector<Field> fields;
    const std::array<const char*, 3> names{"TEMPERATURE", "Q_POLARISATION", "U_POLARISATION"};
    for (size_t i = 0; i < 3; ++i) {
        std::vector<double> values = maps[i];
        if (ordering == Ordering::Nested)
            for (size_t p = 0; p < values.size(); ++p)
                values[p] =
                    maps[i][static_cast<size_t>(ringFromNested(nside, static_cast<int64_t>(p)))];
        fields.push_back(field(names[i], values));
    }
    return std::make_shared<const HealpixMap>(nside, ordering, Frame::Galactic, fields);
}

// d^l_22 by the recurrence in l of Wigner's functions, in long double:
// l sqrt(..) as in D. A. Varshalovich et al. 1988, 4.8.2, for m = m' = 2.
Long spinKernel(const std::vector<double>& bl, Long x) {
    const Long pi = 3.14159265358979323846264338327950288L;
    Long before = 0.0L, now = (1.0L + x) * (1.0L + x) / 4.0L, sum = 0.0L;
    for (size_t l = 2; l < bl.size(); ++l) {
        const Long n = static_cast<Long>(l);
        sum += (2.0L * n + 1.0L) / (4.0L * pi) * static_cast<Long>(bl[l]) * now;
        const Long up = n * ((n + 1.0L) * (n + 1.0L) - 4.0L);
        const Long middle = (2.0L * n + 1.0L) * (n * (n + 1.0L) * x - 4.0L);
        const Long down = (n + 1.0L) * (n * n - 4.0L);
        const Long next = (middle * now - down * before) / up;
        before = now;
        now = next;
    }
    return sum;
}

Long dot(const LongVec& a, const LongVec& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
// South and east at a position.
std::array<LongVec, 2> tangents(const LongVec& at) {
    const Long s = std::sqrt(at.x * at.x + at.y * at.y);
    const Long c = at.x / s, d = at.y / s;
    return {LongVec{at.z * c, at.z * d, -s}, LongVec{-d, c, 0.0L}};
}

}  // namespace

class PolarizedConvolutionTest : public QObject {
    Q_OBJECT
private slots:
    // Each pixel's south is transported along the great circle to the target, by the rotation of
    // one position into the other.
    void isTheSumOverAllPairs_data() {
        addKernelColumns();
        QTest::addColumn<bool>("rings");
        addKernelRows(Kernels::Smooth, {1, 2, 5, 16}, {1.5, 6.0}, "",
                      [](QTestData& row) { row << false; });
        addKernelRows(Kernels::Smooth, {1, 2, 5, 16}, {1.5, 6.0}, ", by rings",
                      [](QTestData& row) { row << true; });
    }
    void isTheSumOverAllPairs() {
        QFETCH(bool, rings);
        const auto [nside, c] = kernelRow();
        const Maps maps{noiseMap(nside, 1), noiseMap(nside, 2), noiseMap(nside, 3)};
        SmoothParameters p;
        p.shape = c.kernel;
        p.norm = c.norm;
        p.method = rings ? SmoothMethod::Ring : SmoothMethod::Direct;
        p.polarization = true;
        SmoothPlan plan(polarizedMap(nside, maps), {0, 1, 2}, Device::cpu());
        const auto made = unlessNarrow([&] { return plan.execute(p, job_); });
        if (!made) return;
        const HealpixMap& found = *made;
        const double radius = plan.report().radius;
        const Kernel kernel = c.kernel.normalized(c.norm);
        const std::vector<double> bl = kernel.coefficients(*kernel.lastL(), job_).bl[1];
        const std::vector<double> ring = ringWeights(nside, job_);
        std::vector<LongVec> center;
        std::vector<Long> weight;
        for (int64_t k = 0; k < found.pixelCount(); ++k) {
            center.push_back(longDirection(nside, k));
            const int64_t r = ringPlaceFromRing(nside, k).ring;
            weight.push_back(
                static_cast<Long>(
                    ring[static_cast<size_t>(std::min<int64_t>(r, 4 * nside - r)) - 1]) *
                4.0L * 3.14159265358979323846264338327950288L /
                static_cast<Long>(found.pixelCount()));
        }
        Long worst = 0.0L, size = 0.0L;
        for (size_t k = 0; k<center.size(); k += nside> 5 && k % 100 >= 12 ? 43 : 1) {
            const LongVec& a = center[k];
            const auto own = tangents(a);
            Long q = 0.0L, u = 0.0L, all = 0.0L;
            for (size_t n = 0; n < center.size(); ++n) {
                const LongVec& b = center[n];
                const Long dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
                const Long square = dx * dx + dy * dy + dz * dz;
                // On the border either result is valid, because the kernel has nearly vanished.
                if (2.0L * std::asin(std::min(1.0L, 0.5L * std::sqrt(square))) >
                    static_cast<Long>(radius))
                    continue;
                // No unique rotation connects antipodes, but the kernel is zero there.
                const Long x = 1.0L - 0.5L * square;
                if (1.0L + x < 1e-12L) continue;
                const LongVec south = tangents(b)[0];
                const Long share = dot(south, a) / (1.0L + x);
                const LongVec carried{south.x - share * (a.x + b.x), south.y - share * (a.y + b.y),
                                      south.z - share * (a.z + b.z)};
                const Long alpha = std::atan2(dot(carried, own[1]), dot(carried, own[0]));
                const Long w = weight[n] * spinKernel(bl, x);
                const Long cosine = std::cos(2.0L * alpha), sine = std::sin(2.0L * alpha);
                const Long fromQ = maps[1][n], fromU = maps[2][n];
                q += w * (cosine * fromQ - sine * fromU);
                u += w * (sine * fromQ + cosine * fromU);
                all += std::abs(w) * (std::abs(fromQ) + std::abs(fromU));
            }
            worst = std::max({worst, std::abs(q - static_cast<Long>(values(found, 1)[k])),
                              std::abs(u - static_cast<Long>(values(found, 2)[k]))});
            size = std::max(size, all);
        }
        // Limits as for the scalar sums (tst_direct_convolution): 1e-14 of the peak in tables, and
        // more in sums of B_l that cancel, relative to the sum of all |K| w |f|. Pixels on the
        // border itself weigh at most 1e-6 of the peak. By rings also the truncated modes of the
        // edge.
        ARMILLA_VERIFY_BELOW(static_cast<double>(worst / size), rings ? 1e-10 : 2e-13);
        p.polarization = false;
        const HealpixMap alone =
            SmoothPlan(polarizedMap(nside, maps), {0}, Device::cpu()).execute(p, job_);
        QCOMPARE(values(found, 0), values(alone, 0));
    }

    // The sum through E and B with the same weights is the same.
    void isTheHarmonicSum_data() {
        QTest::addColumn<int>("nside");
        QTest::addColumn<double>("pixels");  // FWHM in pixels
        QTest::addColumn<bool>("spoilt");
        QTest::addColumn<bool>("nested");
        QTest::newRow("nside 64") << 64 << 4.0 << false << false;
        QTest::newRow("nside 64, bad pixels, nested") << 64 << 4.0 << true << true;
        QTest::newRow("nside 100") << 100 << 6.0 << false << false;
    }
    void isTheHarmonicSum() {
        QFETCH(int, nside);
        QFETCH(double, pixels);
        QFETCH(bool, spoilt);
        QFETCH(bool, nested);
        Maps maps{noiseMap(nside, 4), noiseMap(nside, 5), noiseMap(nside, 6)};
        if (spoilt) {
            spoilPixels(maps[0]);
            for (size_t k = 0; k < maps[1].size(); k += 11) maps[1][k] = std::nan("");
            for (size_t k = 1000; k < 9000; ++k) maps[2][k] = std::nan("");
        }
        const double fwhm = pixels * std::sqrt(kPi / 3.0) / nside;
        const double sigma = fwhm / std::sqrt(8 * std::log(2.0));
        SmoothParameters p;
        p.fwhm = fwhm;
        p.polarization = true;
        SmoothPlan plan(polarizedMap(nside, maps, nested ? Ordering::Nested : Ordering::Ring),
                        {0, 1, 2}, Device::cpu());
        for (const Masked masked : {Masked::Ignore, Masked::Normalize}) {
            p.masked = masked;
            p.method = SmoothMethod::Harmonic;
            p.lmax = static_cast<int>(std::ceil(7.8 / sigma));
            p.truncate = 0.0;
            const HealpixMap truth = plan.execute(p, job_);
            p.truncate = 7.2 * sigma;
            double worst = 0.0;
            for (const SmoothMethod method : {SmoothMethod::Direct, SmoothMethod::Ring}) {
                p.method = method;
                const HealpixMap found = plan.execute(p, job_);
                QCOMPARE(plan.report().method, method);
                for (int f = 0; f < 3; ++f)
                    for (int64_t k = 0; k < truth.pixelCount(); ++k) {
                        const double a = truth.value(f, k), b = found.value(f, k);
                        QCOMPARE(std::isnan(a), std::isnan(b));
                        if (!std::isnan(a)) worst = std::max(worst, std::abs(a - b));
                    }
            }
            // Limits as for one field (tst_direct_convolution): 6e-12 of the kernel beyond 7.2
            // sigma, 1e-13 of B_l on each of some hundred l; values are about 1. Shares of the
            // kernel on good pixels go down to 1e-3, which divides both.
            ARMILLA_VERIFY_BELOW(worst, masked == Masked::Normalize && spoilt ? 1e-8 : 1e-10);
        }
    }

    // A kernel of one l = 2: (5 / 4 pi) d^2_22, (1 + cos)^2 / 4 in closed form.
    void profileOfOneDegree() {
        const std::vector<double> angles{0.0, 0.3, 1.2, 2.9};
        const std::vector<double> two = spinProfile(std::vector<double>{0, 0, 1}, angles);
        const std::vector<double> three = spinProfile(std::vector<double>{0, 0, 0, 1}, angles);
        for (size_t i = 0; i < angles.size(); ++i) {
            // G omits cos^4(beta / 2): 1, and for l = 3 the factor 3 cos(beta) - 2.
            QVERIFY(std::abs(two[i] - 5.0 / (4.0 * kPi)) < 1e-15);
            QVERIFY(std::abs(three[i] - 7.0 / (4.0 * kPi) * (3.0 * std::cos(angles[i]) - 2.0)) <
                    2e-15);
        }
    }

    void refusals() {
        const Maps maps{noiseMap(8, 1), noiseMap(8, 2), noiseMap(8, 3)};
        SmoothPlan plan(polarizedMap(8, maps), {0, 1, 2}, Device::cpu());
        SmoothParameters p;
        p.fwhm = 0.5;
        p.polarization = true;
        for (const SmoothMethod method : {SmoothMethod::Ring, SmoothMethod::Direct}) {
            p.method = method;
            p.shape = Kernel::topHat(0.4);
            QVERIFY_EXCEPTION_THROWN(plan.execute(p, job_), Unsupported);
        }
        Beam beam = gaussianBeam(0.6, 40);
        beam.bl[1] = beam.bl[2] = beam.bl[0];
        beam.bl[2][7] *= 1.5;
        p.shape = Kernel::harmonic(beam);
        QVERIFY_EXCEPTION_THROWN(plan.execute(p, job_), Unsupported);
        // Auto chooses a suitable method.
        p.method = SmoothMethod::Auto;
        plan.execute(p, job_);
        QCOMPARE(plan.report().method, SmoothMethod::Harmonic);
    }

private:
    JobContext job_{{}, {}, 2};
};

QTEST_APPLESS_MAIN(PolarizedConvolutionTest)
#include "tst_polarized_convolution.moc"
