// SPDX-License-Identifier: GPL-3.0-or-later
// Direct convolution and that by rings on a CUDA device against the sum over all pairs and against
// the CPU. Small rows for a sanitizer: `isTheSumOverAllPairs`, `ringsSumOverAllPairs`,
// `pictureIsTheMap`.
#include <QtTest>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/device/device_picture.h"
#include "armilla/draw/map_pyramid.h"
#include "armilla/ops/convolve.h"
#include "compute/kernel_rows.h"
#include "compute/pair_sums.h"
#include "compute/smooth_maps.h"
#include "support/cuda_guard.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

Device cudaDevice() {
    return firstCudaDevice();
}

MapPointer mapOf(int64_t nside, const std::vector<double>& ring, Ordering ordering, bool single) {
    std::vector<double> values = ring;
    if (ordering == Ordering::Nested)
        for (size_t p = 0; p < ring.size(); ++p)
            values[p] = ring[static_cast<size_t>(ringFromNested(nside, static_cast<int64_t>(p)))];
    Field made{"T", "K", DiskType::Float32, std::vector<float>(values.begin(), values.end())};
    if (!single) made = field("T", values);
    return std::make_shared<const HealpixMap>(nside, ordering, Frame::Galactic,
                                              std::vector<Field>{made});
}

double apart(const HealpixMap& found, const HealpixMap& truth, int f) {
    return std::visit(
        [&](const auto& expected) {
            using Values = std::decay_t<decltype(expected)>;
            return peakError(std::get<Values>(found.field(f).values), expected);
        },
        truth.field(f).values);
}

// Data rows for the comparison of the device with the CPU, by both methods.
struct AgainstCpu {
    const char* name;
    int nside;
    double arcmin;
    bool nested, spoilt, single;
};
void addRowsAgainstCpu(const std::vector<AgainstCpu>& rows) {
    QTest::addColumn<bool>("rings");
    QTest::addColumn<AgainstCpu>("row");
    for (const bool rings : {false, true})
        for (const AgainstCpu& row : rows)
            QTest::addRow("%s%s", rings ? "rings, " : "", row.name) << rings << row;
}

}  // namespace

class DirectConvolutionCudaTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { requireCuda(); }

    void isTheSumOverAllPairs_data() {
        addKernelColumns();
        addKernelRows(Kernels::All, {1, 2, 5, 16, 32, 64}, {1.0, 4.0});
    }
    void isTheSumOverAllPairs() {
        const auto [nside, c] = kernelRow();
        std::vector<double> values = noiseMap(nside, 7);
        SmoothParameters p;
        p.shape = c.kernel;
        p.norm = c.norm;
        p.method = SmoothMethod::Direct;
        SmoothPlan plan(ringMap(nside, values), {0}, cudaDevice());
        const auto made = unlessNarrow([&] { return plan.execute(p, job_); });
        if (!made) return;
        const Kernel cut = truthKernel(c.kernel, plan.report().radius, c.norm);
        const PairSums truth(nside, cut, true, job_);
        std::vector<double> found = test::values(*made);
        takeMeanOut(values, found, cut.integral());
        // Fewer pixels of the larger maps, because the truth of each needs all pixels.
        const std::vector<size_t> some =
            nside > 16 ? somePixels(nside, 1000, 431) : somePixels(nside);
        // Same limit as on the CPU (tst_direct_convolution).
        ARMILLA_VERIFY_BELOW(truth.error(values, found, false, some), 2e-13);
    }

    void ringsSumOverAllPairs_data() {
        addKernelColumns();
        addKernelRows(Kernels::Smooth, {2, 5, 16}, {1.0, 4.0});
    }
    void ringsSumOverAllPairs() {
        const auto [nside, c] = kernelRow();
        std::vector<double> values = noiseMap(nside, 7);
        SmoothParameters p;
        p.shape = c.kernel;
        p.norm = c.norm;
        p.method = SmoothMethod::Ring;
        SmoothPlan plan(ringMap(nside, values), {0}, cudaDevice());
        const auto made = unlessNarrow([&] { return plan.execute(p, job_); });
        if (!made) return;
        QCOMPARE(plan.report().method, SmoothMethod::Ring);
        const Kernel cut = truthKernel(c.kernel, plan.report().radius, c.norm);
        const PairSums truth(nside, cut, true, job_);
        std::vector<double> found = test::values(*made);
        takeMeanOut(values, found, cut.integral());
        // Same limit as on the CPU (tst_direct_convolution): modes beyond the last of the kernel's
        // edge.
        ARMILLA_VERIFY_BELOW(truth.error(values, found, false, somePixels(nside)), 1e-10);
    }

    void agreesWithTheCpu_data() {
        addRowsAgainstCpu({{"nside 64", 64, 200.0, false, false, false},
                           {"bad pixels", 64, 200.0, false, true, false},
                           {"nested, bad pixels, single", 64, 200.0, true, true, true},
                           {"no power of two", 100, 90.0, false, true, false},
                           {"wide", 64, 1500.0, false, false, false},
                           {"nside 256", 256, 40.0, false, true, true},
                           {"nside 512, wide", 512, 120.0, false, false, true},
                           // The number of taps from ring to ring is up to or above the size of a
                           // warp.
                           {"about one turn of taps", 128, 160.0, false, false, false}});
    }
    void agreesWithTheCpu() {
        QFETCH(bool, rings);
        QFETCH(AgainstCpu, row);
        const auto [name, nside, arcmin, nested, spoilt, single] = row;
        std::vector<double> ring = noiseMap(nside, 3);
        if (spoilt) spoilPixels(ring);
        const MapPointer map =
            mapOf(nside, ring, nested ? Ordering::Nested : Ordering::Ring, single);
        SmoothParameters p;
        p.fwhm = arcmin * kArcmin;
        p.method = rings ? SmoothMethod::Ring : SmoothMethod::Direct;
        for (const Masked masked : {Masked::Ignore, Masked::Normalize}) {
            p.masked = masked;
            const HealpixMap truth = SmoothPlan(map, {0}, Device::cpu()).execute(p, job_);
            const HealpixMap found = SmoothPlan(map, {0}, cudaDevice()).execute(p, job_);
            // Sums of some hundred thousand terms of random signs, with an error of epsilon each,
            // and 1e-14 of K. Single-precision results differ by half a unit in the last place if
            // the two round differently.
            ARMILLA_VERIFY_BELOW(apart(found, truth, 0), single ? 1.2e-7 : 1e-12);
        }
    }

    // T, Q and U together; bad pixels of one field of Q and U are bad for both.
    void polarizationAgreesWithTheCpu_data() {
        addRowsAgainstCpu({{"nside 4", 4, 3000.0, false, true, false},
                           {"nside 64", 64, 200.0, false, false, false},
                           {"no power of two", 100, 90.0, false, true, false},
                           {"wide, nested", 32, 1500.0, true, false, false},
                           {"nside 256, bad pixels, single", 256, 40.0, false, true, true}});
    }
    void polarizationAgreesWithTheCpu() {
        QFETCH(bool, rings);
        QFETCH(AgainstCpu, row);
        const auto [name, nside, arcmin, nested, spoilt, single] = row;
        const Ordering ordering = nested ? Ordering::Nested : Ordering::Ring;
        std::vector<Field> fields;
        for (unsigned i = 0; i < 3; ++i) {
            std::vector<double> values = noiseMap(nside, 3 + i);
            if (spoilt && i < 2) spoilPixels(values);
            for (size_t k = i; spoilt && k < values.size(); k += 23) values[k] = std::nan("");
            fields.push_back(mapOf(nside, values, ordering, single)->field(0));
        }
        const auto map =
            std::make_shared<const HealpixMap>(nside, ordering, Frame::Galactic, fields);
        SmoothParameters p;
        p.fwhm = arcmin * kArcmin;
        p.polarization = true;
        p.method = rings ? SmoothMethod::Ring : SmoothMethod::Direct;
        for (const Masked masked : {Masked::Ignore, Masked::Normalize}) {
            p.masked = masked;
            const HealpixMap truth = SmoothPlan(map, {0, 1, 2}, Device::cpu()).execute(p, job_);
            SmoothPlan plan(map, {0, 1, 2}, cudaDevice());
            const HealpixMap found = plan.execute(p, job_);
            QCOMPARE(plan.report().method, p.method);
            for (int f = 0; f < 3; ++f) {
                // Same comparison as for one field. Where little of the kernel falls on good
                // pixels, both are divided by this share.
                const double share = spoilt && masked == Masked::Normalize ? 1e-3 : 1.0;
                ARMILLA_VERIFY_BELOW(apart(found, truth, f), single ? 1.2e-7 : 1e-12 / share);
            }
            // Pictures show one field at a time: by harmonics.
            QVERIFY(!plan.isPrepared(p));
            QVERIFY_EXCEPTION_THROWN(plan.prepare(p, job_), Unsupported);
        }
    }

    void pictureIsTheMap_data() {
        QTest::addColumn<bool>("rings");
        QTest::newRow("direct") << false;
        QTest::newRow("rings") << true;
    }
    void pictureIsTheMap() {
        QFETCH(bool, rings);
        constexpr int nside = 32;
        std::vector<double> ring = noiseMap(nside, 5);
        spoilPixels(ring);
        const MapPointer map = mapOf(nside, ring, Ordering::Nested, true);
        SmoothPlan plan(map, {0}, cudaDevice());
        SmoothParameters p;
        p.method = rings ? SmoothMethod::Ring : SmoothMethod::Direct;
        p.fwhm = 6 * kDegree;
        QVERIFY(!plan.isPrepared(p));
        plan.prepare(p, job_);
        QVERIFY(plan.isPrepared(p));
        DevicePicture picture(cudaDevice().index, plan.pictureNside());
        for (const double degrees : {5.0, 8.0, 6.5}) {
            p.fwhm = degrees * kDegree;
            plan.enqueue(p, 0, picture);
            const std::vector<float> faces = picture.download(0);
            const HealpixMap found = plan.execute(p, job_);
            const MapPyramid pyramid = MapPyramid::build(found, 0, int64_t{1} << 20, job_);
            const auto expected = pyramid.level(0);
            QCOMPARE(faces.size(), expected.size());
            for (size_t i = 0; i < faces.size(); ++i)
                QVERIFY(faces[i] == expected[i] ||
                        (std::isnan(faces[i]) && std::isnan(expected[i])));
        }
    }

private:
    JobContext job_{{}, {}, 2};
};

QTEST_APPLESS_MAIN(DirectConvolutionCudaTest)
#include "tst_direct_convolution_cuda.moc"
