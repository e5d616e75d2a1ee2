// SPDX-License-Identifier: GPL-3.0-or-later
// Resolution of smoothing requests: computed once for the same request, again for any other.
#include <QtTest>
#include <functional>

#include "armilla/core/error.h"
#include "armilla/core/sky_vector.h"
#include "armilla/ops/spectrum.h"
#include "convolve/harmonic/harmonic_request.h"
#include "convolve/resolved_smoothing.h"

using namespace armilla;

namespace {

constexpr int64_t kNside = 1024;

Device cuda() {
    Device device;
    device.kind = DeviceKind::Cuda;
    return device;
}
SmoothParameters gaussian(double arcmin) {
    SmoothParameters p;
    p.fwhm = arcmin * kArcmin;
    return p;
}

}  // namespace

class ResolvedSmoothingTest : public QObject {
    Q_OBJECT
private slots:
    void theSameIsFoundOnce() {
        LastResolved last;
        SmoothParameters p = gaussian(60.0);
        const ResolvedSmoothing* const first = &last.of(p, kNside, cuda(), job_);
        const double* const bl = first->beam.bl[0].data();
        // On a device the number of threads has no influence: a call with another thread count also
        // finds the cached result.
        JobContext one({}, {}, 1);
        const ResolvedSmoothing* const second = &last.of(p, kNside, cuda(), one);
        QCOMPARE(second, first);
        QCOMPARE(second->beam.bl[0].data(), bl);
    }

    void anythingElseIsFoundAnew_data() {
        QTest::addColumn<int>("change");
        for (int i = 0; i < static_cast<int>(changes().size()); ++i)
            QTest::addRow("%s", changes()[static_cast<size_t>(i)].name) << i;
    }
    void anythingElseIsFoundAnew() {
        QFETCH(int, change);
        LastResolved last;
        SmoothParameters p = gaussian(60.0);
        last.of(p, kNside, cuda(), job_);
        changes()[static_cast<size_t>(change)].act(p);
        const ResolvedSmoothing& found = last.of(p, kNside, cuda(), job_);
        const ResolvedSmoothing expected = resolvedSmoothing(p, kNside, cuda(), job_);
        QCOMPARE(found.parameters, expected.parameters);
        QCOMPARE(found.lmax, expected.lmax);
        QCOMPARE(found.reach, expected.reach);
        QCOMPARE(found.tables, expected.tables);
        QCOMPARE(found.beam, expected.beam);
        QCOMPARE(found.applied.radius, expected.applied.radius);
        QCOMPARE(found.integral, expected.integral);
        QCOMPARE(found.lastL, expected.lastL);
        QCOMPARE(found.profile.has_value(), expected.profile.has_value());
    }
    void anotherMapIsFoundAnew() {
        LastResolved last;
        const SmoothParameters p = gaussian(60.0);
        QCOMPARE(last.of(p, kNside, cuda(), job_).lmax, static_cast<int>(3 * kNside - 1));
        QCOMPARE(last.of(p, 512, cuda(), job_).lmax, 3 * 512 - 1);
    }
    // No result of a refused request is cached.
    void refusedIsRefusedAgain() {
        LastResolved last;
        SmoothParameters p = gaussian(60.0);
        p.method = SmoothMethod::Ring;
        p.weights = Weights::Pixel;
        for (int i = 0; i < 2; ++i)
            QVERIFY_EXCEPTION_THROWN(last.of(p, kNside, cuda(), job_), Unsupported);
    }

    // Auto on a device, by its time model.
    void methods() {
        const auto of = [&](double arcmin) {
            return resolvedSmoothing(gaussian(arcmin), 2048, cuda(), job_);
        };
        QCOMPARE(of(1.0).parameters.method, SmoothMethod::Harmonic);
        QCOMPARE(of(5.0).parameters.method, SmoothMethod::Direct);
        QVERIFY(of(5.0).profile.has_value());
        QCOMPARE(of(60.0).parameters.method, SmoothMethod::Harmonic);
        QVERIFY(!of(60.0).profile.has_value());
        const ResolvedSmoothing ring = of(14.0);
        QCOMPARE(ring.parameters.method, SmoothMethod::Ring);
        QCOMPARE(ring.lastL, *Kernel::gaussian(14.0 * kArcmin).lastL());
    }
    // B_l are those of gaussianBeam(), for T only unless polarized, up to their end.
    void beam() {
        SmoothParameters p = gaussian(60.0);
        const Beam truth = gaussianBeam(p.fwhm, static_cast<int>(3 * kNside - 1));
        for (const bool polarized : {false, true}) {
            p.polarization = polarized;
            const ResolvedSmoothing found = resolvedSmoothing(p, kNside, Device::cpu(), job_);
            for (size_t i = 0; i < 3; ++i) {
                if (i > 0 && !polarized) {
                    QVERIFY(found.beam.bl[i].empty());
                    continue;
                }
                QCOMPARE(found.beam.bl[i].size(), truth.bl[i].size());
                // Three roundings of x = l(l+1) sigma^2 / 2 < 30, one of exp, and two of the
                // factor.
                for (size_t l = 0; l <= static_cast<size_t>(found.reach); ++l)
                    QVERIFY(std::abs(found.beam.bl[i][l] / truth.bl[i][l] - 1.0) < 1e-14);
            }
            // exp(-x) is 1e-13 at x = 29.93.
            const double sigma = p.fwhm / std::sqrt(8.0 * std::log(2.0));
            QCOMPARE(found.reach, static_cast<int>(std::sqrt(2.0 * 29.934 / (sigma * sigma))));
        }
    }
    void harmonicRequestIsTheSame() {
        const SmoothParameters p = gaussian(90.0);
        const HarmonicRequest request = harmonicRequest(p, kNside, 1, job_);
        const ResolvedSmoothing found = resolvedSmoothing(p, kNside, Device::cpu(), job_);
        QCOMPARE(request.parameters, found.parameters);
        QCOMPARE(request.reach, found.reach);
        QCOMPARE(request.beam, found.beam);
        QVERIFY_EXCEPTION_THROWN(harmonicRequest(p, 4 * kMaxShtNside, 1, job_), InvalidArgument);
    }

private:
    struct Change {
        const char* name;
        std::function<void(SmoothParameters&)> act;
    };
    static const std::vector<Change>& changes() {
        static const std::vector<Change> all{
            {"width", [](SmoothParameters& p) { p.fwhm *= 1.0 + 1e-12; }},
            {"beam", [](SmoothParameters& p) { p.beam = gaussianBeam(0.02, 800); }},
            {"table",
             [](SmoothParameters& p) {
                 p.kernel = RadialKernel{{0.0, 0.01}, {1.0, 0.0}};
             }},
            {"shape", [](SmoothParameters& p) { p.shape = Kernel::topHat(0.01); }},
            {"norm", [](SmoothParameters& p) { p.norm = KernelNorm::Peak; }},
            {"method", [](SmoothParameters& p) { p.method = SmoothMethod::Ring; }},
            {"radius", [](SmoothParameters& p) { p.truncate = 0.03; }},
            {"band", [](SmoothParameters& p) { p.lmax = 500; }},
            {"iterations", [](SmoothParameters& p) { p.iterations = 1; }},
            {"weights", [](SmoothParameters& p) { p.weights = Weights::None; }},
            {"masked", [](SmoothParameters& p) { p.masked = Masked::Ignore; }},
            {"polarization", [](SmoothParameters& p) { p.polarization = true; }},
        };
        return all;
    }
    JobContext job_{{}, {}, 2};
};

QTEST_APPLESS_MAIN(ResolvedSmoothingTest)
#include "tst_resolved_smoothing.moc"
