// SPDX-License-Identifier: GPL-3.0-or-later
// Smoothing on every device compared with the same references: one table of cases, a row for each
// device. Device-independent tests are in tst_smooth.cpp.
#include <QtTest>
#include <cmath>
#include <cstring>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/device/side_by_side.h"
#include "armilla/ops/convolve.h"
#include "armilla/ops/smooth_fields.h"
#include "armilla/ops/spectrum.h"
#include "compute/convolution_cases.h"
#include "compute/smooth_maps.h"
#include "support/cuda_guard.h"
#include "support/device_rows.h"
#include "support/direct_sht.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// NaN equals NaN.
bool sameBits(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

}  // namespace

class SmoothDevicesTest : public QObject {
    Q_OBJECT
private slots:
    void isTheConvolution_data() {
        addDeviceColumn();
        QTest::addColumn<int>("nside");
        QTest::addColumn<int>("weights");
        QTest::addColumn<double>("fwhmDegrees");
        const auto add = [](const char* name, int nside, Weights weights, double degrees) {
            addDeviceRows(name, [&](const std::string& row, const QString& device) {
                QTest::newRow(row.c_str())
                    << device << nside << static_cast<int>(weights) << degrees;
            });
        };
        add("ring weights", 8, Weights::Ring, 20.0);
        add("no weights", 8, Weights::None, 20.0);
        add("no power of two", 6, Weights::Ring, 15.0);
        add("narrow: the whole band", 8, Weights::Ring, 3.0);
        add("very wide: a few l", 8, Weights::Ring, 150.0);
    }
    void isTheConvolution() {
        QFETCH(QString, device);
        QFETCH(int, nside);
        QFETCH(int, weights);
        QFETCH(double, fwhmDegrees);
        std::vector<double> map = whiteMap(nside, 1);
        SmoothPlan plan(ringMap(nside, map), {0}, deviceOf(device));
        SmoothParameters p;
        p.fwhm = fwhmDegrees * kDegree;
        p.weights = static_cast<Weights>(weights);
        std::vector<double> found = values(plan.execute(p, job_));
        takeMeanOut(map, found, 1.0);
        const Beam beam = gaussianBeam(p.fwhm, 3 * nside - 1);
        // B_l below 1e-13 are cut; rounding is of the order of 1e-14.
        ARMILLA_VERIFY_BELOW(relativeError(found, bruteForce(nside, map, beam.bl[0],
                                                             p.weights == Weights::Ring, job_)),
                             1e-12);
        QCOMPARE(plan.report().lmax, 3 * nside - 1);
        QCOMPARE(plan.report().method, SmoothMethod::Harmonic);
    }

    void masksAreDividedBy_data() {
        addDeviceColumn();
        QTest::addColumn<bool>("normalize");
        for (const bool normalize : {true, false})
            addDeviceRows(normalize ? "normalize" : "ignore",
                          [&](const std::string& row, const QString& device) {
                              QTest::newRow(row.c_str()) << device << normalize;
                          });
    }
    void masksAreDividedBy() {
        QFETCH(QString, device);
        QFETCH(bool, normalize);
        constexpr int nside = 8;
        std::vector<double> map = whiteMap(nside, 4), zeroed = map, good(map.size(), 1.0);
        for (size_t p = 0; p < map.size(); ++p)
            if (p % 7 == 0 || (p > 200 && p < 260)) {
                map[p] = std::nan("");
                zeroed[p] = good[p] = 0.0;
            }
        SmoothParameters p;
        p.fwhm = 25.0 * kDegree;
        p.masked = normalize ? Masked::Normalize : Masked::Ignore;
        const HealpixMap result =
            SmoothPlan(ringMap(nside, map), {0}, deviceOf(device)).execute(p, job_);
        const Beam beam = gaussianBeam(p.fwhm, 3 * nside - 1);
        std::vector<double> truth = bruteForce(nside, zeroed, beam.bl[0], true, job_);
        const std::vector<double> share = bruteForce(nside, good, beam.bl[0], true, job_);
        std::vector<double> found;
        std::vector<double> expected;
        for (size_t i = 0; i < map.size(); ++i) {
            QCOMPARE(std::isnan(values(result)[i]), std::isnan(map[i]));
            if (std::isnan(map[i])) continue;
            found.push_back(values(result)[i]);
            expected.push_back(normalize ? truth[i] / share[i] : truth[i]);
        }
        // Shares are 0.7 and above: the quotient adds to the rounding of its parts, no more.
        ARMILLA_VERIFY_BELOW(relativeError(found, expected), 1e-12);
    }

    // A map within the band returns with each mode times B_l; iterations leave an error of 1e-12.
    void modesAreScaled_data() {
        addDeviceColumn();
        addDeviceRows("T, Q, U", [](const std::string& row, const QString& device) {
            QTest::newRow(row.c_str()) << device;
        });
    }
    void modesAreScaled() {
        QFETCH(QString, device);
        constexpr int nside = 16, lmax = 24;
        const std::array<Alm, 3> teb{whiteAlm(lmax, lmax, 0, 1), whiteAlm(lmax, lmax, 2, 2),
                                     whiteAlm(lmax, lmax, 2, 3)};
        const auto synthesized = [&](const std::array<Alm, 3>& alm) {
            std::array<std::vector<double>, 3> maps;
            for (auto& m : maps) m.resize(12 * nside * nside);
            ShtPlan({.nside = nside, .lmax = lmax}, Device::cpu())
                .synthesisPolarized(alm, maps[0], maps[1], maps[2], job_);
            return maps;
        };
        const auto maps = synthesized(teb);
        const auto map = std::make_shared<const HealpixMap>(
            nside, Ordering::Ring, Frame::Galactic,
            std::vector<Field>{field("T", maps[0]), field("Q", maps[1]), field("U", maps[2])});
        SmoothParameters p;
        p.beam = Beam{};
        for (int l = 0; l <= lmax; ++l) {
            p.beam->bl[0].push_back(1.0 / (1.0 + l));
            p.beam->bl[1].push_back(std::cos(0.05 * l));
        }
        p.lmax = lmax;
        p.iterations = 12;
        p.polarization = true;
        const HealpixMap result = SmoothPlan(map, {0, 1, 2}, deviceOf(device)).execute(p, job_);
        std::array<Alm, 3> scaled = teb;
        Beam all = *p.beam;
        all.bl[2] = all.bl[1];  // a missing B takes E
        applyBeam(scaled, all, job_);
        const auto truth = synthesized(scaled);
        for (int i = 0; i < 3; ++i)
            ARMILLA_VERIFY_BELOW(relativeError(values(result, i), truth[static_cast<size_t>(i)]),
                                 1e-12);
    }

    // A new width on an existing plan equals that of a new plan, whether the band shrinks or grows.
    void widthsCanFollowEachOther_data() {
        addDeviceColumn();
        addDeviceRows("widths", [](const std::string& row, const QString& device) {
            QTest::newRow(row.c_str()) << device;
        });
    }
    void widthsCanFollowEachOther() {
        QFETCH(QString, device);
        constexpr int nside = 16;
        const MapPointer map = ringMap(nside, whiteMap(nside, 2));
        SmoothPlan plan(map, {0}, deviceOf(device));
        for (const double degrees : {40.0, 60.0, 10.0, 30.0, 1.0}) {
            SmoothParameters p;
            p.fwhm = degrees * kDegree;
            const HealpixMap again = plan.execute(p, job_);
            const HealpixMap fresh = SmoothPlan(map, {0}, deviceOf(device)).execute(p, job_);
            // Plans of either history take the same sums; 450 machine epsilons allow another band.
            ARMILLA_VERIFY_BELOW(relativeError(values(again), values(fresh)), 1e-13);
        }
        SmoothParameters other;
        other.fwhm = 30 * kDegree;
        other.weights = Weights::None;
        other.iterations = 2;
        const HealpixMap again = plan.execute(other, job_);
        const HealpixMap fresh = SmoothPlan(map, {0}, deviceOf(device)).execute(other, job_);
        QVERIFY(values(again) == values(fresh));
    }
    // A bright pixel becomes the kernel of the beam, at its position, with its flux. A dark pixel
    // elsewhere keeps the mean at 0, because a full map is smoothed about its mean.
    void pointSourceShowsTheKernel_data() {
        addDeviceColumn();
        QTest::addColumn<int>("pixel");
        for (const auto& [name, pixel] : {std::pair("at the pole", 0), {"in the belt", 6161}})
            addDeviceRows(name, [pixel = pixel](const std::string& row, const QString& device) {
                QTest::newRow(row.c_str()) << device << pixel;
            });
    }
    void pointSourceShowsTheKernel() {
        QFETCH(QString, device);
        QFETCH(int, pixel);
        constexpr int nside = 32;
        std::vector<double> map(12 * nside * nside);
        const int64_t dark = static_cast<int64_t>(map.size()) - 1 - pixel;
        map[static_cast<size_t>(pixel)] = 1.0;
        map[static_cast<size_t>(dark)] = -1.0;
        SmoothParameters p;
        p.beam = Beam{};
        for (int l = 0; l <= 60; ++l) p.beam->bl[0].push_back(std::exp(-0.002 * l * l));
        p.weights = Weights::None;
        const HealpixMap result =
            SmoothPlan(ringMap(nside, map), {0}, deviceOf(device)).execute(p, job_);
        const auto profileAround = [&](int64_t place) {
            std::vector<double> angle;
            for (int64_t k = 0; k < result.pixelCount(); ++k)
                angle.push_back(
                    angularDistance(directionFromRing(nside, place), directionFromRing(nside, k)));
            return kernelProfile(p.beam->bl[0], angle);
        };
        std::vector<double> truth = profileAround(pixel);
        const std::vector<double> other = profileAround(dark);
        for (size_t k = 0; k < truth.size(); ++k)
            truth[k] = (truth[k] - other[k]) * 4.0 * kPi / static_cast<double>(map.size());
        // Rounding of transforms of lmax 60 is 1.4e-14; 1e-12 allows for the rounding of the
        // reference's sums.
        ARMILLA_VERIFY_BELOW(relativeError(values(result), truth), 1e-12);
    }
    // Maps that share transforms, and fields that devices share, have the values of a plan of their
    // own, to the bit; also between maps of another form and with other bad pixels.
    void severalMaps_data() {
        QTest::addColumn<int>("devices");
        QTest::newRow("CPU") << 0;
        QTest::newRow("one GPU") << 1;
        QTest::newRow("two GPUs") << 2;
    }
    void severalMaps() {
        QFETCH(int, devices);
        Device all = Device::cpu();
        if (devices > 0) {
            const auto found = cudaDevices(CudaListing::WithFreeMemory);
            if (devices == 1 && found.empty()) QSKIP("no CUDA device");
            if (devices == 2) ARMILLA_NEEDS_TWO(found);
            all = found[0];
            if (devices == 2) all.others = {found[1].index};
        }
        const Device one = eachAlone(all).front();
        std::vector<FieldsToSmooth> maps;
        for (int i = 0; i < 7; ++i) {
            const int nside = i == 3 ? 16 : 32;
            std::vector<double> map = whiteMap(nside, static_cast<uint64_t>(i + 1));
            if (i % 2 == 1) map[static_cast<size_t>(50 * i)] = std::nan("");
            SmoothParameters p;
            p.fwhm = (i == 5 ? 20.0 : 6.0) * kDegree;
            p.iterations = i == 4 ? 2 : 0;
            maps.push_back({ringMap(nside, std::move(map)), {0}, p});
        }
        const std::vector<SmoothedFields> made = smoothFields(maps, all, job_);
        QCOMPARE(made.size(), maps.size());
        for (size_t i = 0; i < maps.size(); ++i) {
            SmoothPlan alone(maps[i].map, {0}, one);
            const HealpixMap truth = alone.execute(maps[i].parameters, job_);
            QVERIFY(sameBits(values(made[i].map), values(truth)));
            QCOMPARE(made[i].report.estimatedError, alone.report().estimatedError);
        }
        // Fields of one map.
        std::vector<Field> fields;
        for (int i = 0; i < 5; ++i) {
            std::vector<double> map = whiteMap(32, static_cast<uint64_t>(20 + i));
            if (i == 2 || i == 4) map[7] = std::nan("");
            fields.push_back(field(("F" + std::to_string(i)).c_str(), std::move(map)));
        }
        const HealpixMap map(32, Ordering::Ring, Frame::Galactic, std::move(fields));
        const std::vector<int> chosen{4, 0, 1, 2, 3};
        SmoothParameters p;
        p.fwhm = 6.0 * kDegree;
        const SmoothedFields joint = smoothFields(map, chosen, p, all, job_);
        SmoothPlan alone(std::make_shared<const HealpixMap>(map), chosen, one);
        const HealpixMap truth = alone.execute(p, job_);
        QCOMPARE(joint.map.fieldCount(), truth.fieldCount());
        for (int i = 0; i < truth.fieldCount(); ++i) {
            QCOMPARE(joint.map.field(i).name, truth.field(i).name);
            QVERIFY(sameBits(values(joint.map, i), values(truth, i)));
        }
        QCOMPARE(joint.report.estimatedError, alone.report().estimatedError);
        // Errors name the map.
        maps[2].fields = {1};
        maps[2].name = "third.fits";
        try {
            smoothFields(maps, all, job_);
            QFAIL("expected an error");
        } catch (const InvalidArgument& error) {
            QVERIFY(std::string(error.what()).find("third.fits") != std::string::npos);
        }
    }

    // At sizes with interpolation in latitude and different bands of tables. Each device is within
    // its own limit (lmax epsilon) of the direct sum, for widths in any order.
    void devicesAgree() {
        if (cudaDevices(CudaListing::WithFreeMemory).empty()) QSKIP("no CUDA device");
        constexpr int nside = 256;
        const MapPointer map = ringMap(nside, whiteMap(nside, 9));
        SmoothPlan cpu(map, {0}, Device::cpu()), cuda(map, {0}, deviceOf("cuda:0"));
        for (const double degrees : {1.0, 8.0, 0.3, 2.0, 40.0}) {
            SmoothParameters p;
            p.fwhm = degrees * kDegree;
            p.method = SmoothMethod::Harmonic;  // by default each device uses its fastest method
            const HealpixMap a = cpu.execute(p, job_), b = cuda.execute(p, job_);
            ARMILLA_VERIFY_BELOW(relativeError(values(b), values(a)), 1e-11);
        }
    }

private:
    JobContext job_;
};

QTEST_GUILESS_MAIN(SmoothDevicesTest)
#include "tst_smooth_devices.moc"
