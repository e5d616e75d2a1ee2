// SPDX-License-Identifier: GPL-3.0-or-later
// Transforms over ranks with CUDA devices compared with one device, bit for bit; ranks with and
// without devices compared with the CPU. Ranks are threads here, and share devices if there are
// fewer.
#include <QtTest>
#include <atomic>
#include <cmath>
#include <cstring>
#include <mutex>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/device/cuda_devices.h"
#include "armilla/device/device_group.h"
#include "armilla/ops/distributed_sht.h"
#include "armilla/ops/sht.h"
#include "sht/plan/sht_cuda.h"
#include "sht/weights/least_squares.h"
#include "support/cuda_guard.h"
#include "support/direct_sht.h"
#include "support/local_ranks.h"
#include "support/share_cases.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// Whole skies.
template <typename Sample>
struct Fields {
    std::vector<std::vector<Sample>> maps, slopes;
    std::vector<Alm> analyzed, adjoint;
};

template <typename Sample>
Fields<Sample> emptyFields(const ShtParameters& p, const RingGrid& grid, size_t count) {
    const std::vector<Sample> map(static_cast<size_t>(grid.sampleCount()), Sample(NAN));
    const std::vector<Alm> alm(count, Alm(p.lmax, p.mmax));
    return {std::vector(count, map), {map, map}, alm, alm};
}

std::vector<Alm> skyOf(const ShtParameters& p, int spin) {
    std::vector<Alm> alm;
    for (unsigned i = 0; i < componentsOf(spin); ++i)
        alm.push_back(whiteAlm(p.lmax, p.mmax, spin, 1 + i));
    return alm;
}

bool hasGradient(const RingGrid& grid, int spin) {
    return spin == 0 && grid.rings.front().sinTheta > 0.0;
}

template <typename Sample>
Fields<Sample> ofOne(ShtBackend& backend, int spin) {
    const ShtParameters& p = backend.parameters();
    auto found = emptyFields<Sample>(p, backend.grid(), componentsOf(spin));
    const std::vector<Alm> alm = skyOf(p, spin);
    JobContext job;
    backend.synthesis(spin, alm, std::vector<MapSamples>(found.maps.begin(), found.maps.end()),
                      job);
    const std::vector<ConstMapSamples> from(found.maps.begin(), found.maps.end());
    if (p.tolerance > 0.0)
        found.analyzed = leastSquares(backend, spin, from, p.tolerance, job);
    else
        backend.analysis(spin, from, found.analyzed, job);
    backend.adjoint(spin, from, found.adjoint, job);
    if (hasGradient(backend.grid(), spin))
        backend.gradient(alm[0], std::span(found.slopes[0]), std::span(found.slopes[1]), job);
    return found;
}

// The same by ranks, of which the first `withDevices` have a device; collected. The analysis is
// that of `maps`.
template <typename Sample>
Fields<Sample> ofRanks(const ShtParameters& p, const RingGrid& grid, int spin, int count,
                       int withDevices, const std::vector<std::vector<Sample>>& maps,
                       std::string& problem) {
    const std::vector<Device> devices = cudaDevices(CudaListing::WithFreeMemory);
    auto found = emptyFields<Sample>(p, grid, componentsOf(spin));
    const std::vector<Alm> alm = skyOf(p, spin);
    std::mutex lock;
    const bool counted = runRanks(count, [&](Ranks& ranks) {
        try {
            JobContext job({}, {}, 1);
            Device device = Device::cpu();
            if (ranks.rank() < withDevices) {
                device.kind = DeviceKind::Cuda;
                device.index = devices[static_cast<size_t>(ranks.rank()) % devices.size()].index;
                device.flops = 2.2e11;  // like two cores, so that all ranks have a share
            }
            DistributedSht plan = p.nside > 0 ? DistributedSht(p, ranks, job, device)
                                              : DistributedSht(grid, p, ranks, job, device);
            const auto runs = plan.runs();
            std::vector<AlmShare> from, analyzed, adjoint;
            std::vector<std::vector<Sample>> parts, results;
            for (size_t i = 0; i < alm.size(); ++i) {
                for (auto* each : {&from, &analyzed, &adjoint}) each->push_back(plan.newAlm(job));
                // Previous content of the outputs does not matter.
                for (auto* each : {&analyzed, &adjoint})
                    std::fill(each->back().values().begin(), each->back().values().end(),
                              std::complex<double>(NAN));
                for (const int m : from[i].orders())
                    for (int l = m; l <= p.lmax; ++l)
                        from[i].of(m)[static_cast<size_t>(l - m)] = alm[i](l, m);
                std::vector<Sample>& part = parts.emplace_back();
                for (const SampleRun& run : runs)
                    part.insert(part.end(), maps[i].begin() + run.first,
                                maps[i].begin() + run.first + run.count);
                results.emplace_back(part.size(), Sample(NAN));
            }
            const auto place = [&](const std::vector<Sample>& part, std::vector<Sample>& whole) {
                auto at = part.begin();
                for (const SampleRun& run : runs) {
                    std::copy(at, at + run.count, whole.begin() + run.first);
                    at += run.count;
                }
            };
            const std::vector<MapSamples> out(results.begin(), results.end());
            const std::vector<ConstMapSamples> in(parts.begin(), parts.end());
            // Twice: the second run uses the tables and buffers of the first.
            for (int time = 0; time < 2; ++time) {
                plan.synthesis(spin, from, out, job);
                plan.analysis(spin, in, analyzed, job);
                plan.adjointSynthesis(spin, in, adjoint, job);
            }
            std::vector<std::vector<Sample>> slopes(2, results[0]);
            if (hasGradient(grid, spin))
                plan.gradient(from[0], std::span(slopes[0]), std::span(slopes[1]), job);
            const std::lock_guard hold(lock);
            for (size_t i = 0; i < alm.size(); ++i) {
                place(results[i], found.maps[i]);
                for (const int m : from[i].orders())
                    for (int l = m; l <= p.lmax; ++l) {
                        const auto at = static_cast<size_t>(l - m);
                        found.analyzed[i](l, m) = analyzed[i].of(m)[at];
                        found.adjoint[i](l, m) = adjoint[i].of(m)[at];
                    }
            }
            for (size_t i = 0; hasGradient(grid, spin) && i < 2; ++i)
                place(slopes[i], found.slopes[i]);
        } catch (const std::exception& error) {
            const std::lock_guard hold(lock);
            problem = error.what();
            std::fprintf(stderr, "rank %d: %s\n", ranks.rank(), error.what());
            std::_Exit(1);  // other ranks would wait for this one
        }
    });
    if (!counted) problem = "messages of other sizes than counted";
    return found;
}

// Describes where `count` ranks with devices differ from one device; empty if nowhere.
template <typename Sample>
QString difference(ShtBackend& one, int spin, int count) {
    const auto a = ofOne<Sample>(one, spin);
    std::string problem;
    const auto b =
        ofRanks<Sample>(one.parameters(), one.grid(), spin, count, count, a.maps, problem);
    if (!problem.empty()) return QString::fromStdString(problem);
    if (a.maps != b.maps) return "synthesis";
    for (size_t i = 0; i < a.adjoint.size(); ++i) {
        if (a.adjoint[i].values() != b.adjoint[i].values()) return "adjoint";
        if (a.analyzed[i].values() != b.analyzed[i].values()) return "analysis";
    }
    if (hasGradient(one.grid(), spin) && a.slopes != b.slopes) return "gradient";
    return {};
}

}  // namespace

class DistributedShtCudaTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { requireCuda(); }

    void asOneDevice_data() { addShareRows("ranks"); }
    void asOneDevice() {
        QFETCH(RingGrid, grid);
        QFETCH(int, lmax);
        QFETCH(int, mmax);
        QFETCH(int, shares);
        const auto one = alone({.lmax = lmax, .mmax = mmax}, grid);
        for (const int spin : {0, 2, 1}) {
            const QString differs = difference<double>(*one, spin, shares);
            QVERIFY2(differs.isEmpty(), qPrintable(QString("%1, spin %2").arg(differs).arg(spin)));
        }
    }

    void analyses_data() {
        QTest::addColumn<int>("weights");
        QTest::addColumn<int>("iterations");
        QTest::addColumn<double>("tolerance");
        QTest::addColumn<bool>("single");
        const auto row = [](const char* name, Weights weights, int iterations, double tolerance,
                            bool single) {
            QTest::newRow(name) << static_cast<int>(weights) << iterations << tolerance << single;
        };
        row("ring weights, iterations", Weights::Ring, 2, 0.0, false);
        row("ring weights, iterations, single", Weights::Ring, 2, 0.0, true);
        row("pixel weights, iterations", Weights::Pixel, 1, 0.0, false);
        row("least squares", Weights::Ring, 0, 1e-10, false);
        row("least squares, pixel weights, single", Weights::Pixel, 0, 1e-6, true);
    }
    void analyses() {
        QFETCH(int, weights);
        QFETCH(int, iterations);
        QFETCH(double, tolerance);
        QFETCH(bool, single);
        const ShtParameters p{.nside = 64,
                              .lmax = 128,
                              .mmax = 128,
                              .weights = Weights(weights),
                              .iterations = iterations,
                              .tolerance = tolerance};
        const auto one = alone(p, RingGrid::healpix(64));
        for (const int spin : {0, 2}) {
            const QString differs =
                single ? difference<float>(*one, spin, 3) : difference<double>(*one, spin, 3);
            QVERIFY2(differs.isEmpty(), qPrintable(QString("%1, spin %2").arg(differs).arg(spin)));
        }
    }

    // Two ranks with devices and two without. Both methods are within 1e-12 of the largest value of
    // the truth (tst_sht_cuda, tst_direct_sums), hence within twice that of each other.
    void devicesAndCpus_data() {
        QTest::addColumn<RingGrid>("grid");
        QTest::addColumn<int>("lmax");
        QTest::addColumn<int>("mmax");
        QTest::newRow("HEALPix") << RingGrid::healpix(64) << 128 << 128;
        QTest::newRow("few orders") << RingGrid::healpix(64) << 150 << 20;
        QTest::newRow("odd rings") << RingGrid::gaussLegendre(65, 131) << 64 << 64;
        QTest::newRow("interpolated on the CPU") << RingGrid::healpix(512) << 1000 << 1000;
    }
    void devicesAndCpus() {
        QFETCH(RingGrid, grid);
        QFETCH(int, lmax);
        QFETCH(int, mmax);
        const ShtParameters p{.lmax = lmax, .mmax = mmax};
        const auto one = alone(p, grid);
        for (const int spin : {0, 2}) {
            const auto expected = ofOne<double>(*one, spin);
            std::string problem;
            const auto found = ofRanks<double>(p, grid, spin, 4, 2, expected.maps, problem);
            QVERIFY2(problem.empty(), problem.c_str());
            for (size_t i = 0; i < expected.maps.size(); ++i) {
                const double errors[] = {
                    peakError(found.maps[i], expected.maps[i]),
                    peakError(found.adjoint[i].values(), expected.adjoint[i].values()),
                    peakError(found.analyzed[i].values(), expected.analyzed[i].values())};
                for (const double error : errors)
                    // The same sums in another order: at random signs they differ by machine
                    // epsilon times the length of the recurrences. The limit is 9000 machine
                    // epsilons of the peak.
                    QVERIFY2(error < 2e-12, qPrintable(QString::number(error)));
            }
            for (size_t i = 0; spin == 0 && i < 2; ++i)
                // The same limit as for the maps above: a different order of the same sums.
                QVERIFY(peakError(found.slopes[i], expected.slopes[i]) < 2e-12);
        }
    }

    // Device memory of a rank decreases with the number of ranks.
    void memoryFalls() {
        const ShtParameters p{.nside = 512, .lmax = 1024, .mmax = 1024};
        const auto bytesOf = [&](int count) {
            std::mutex lock;
            int64_t most = 0;
            runRanks(count, [&](Ranks& ranks) {
                JobContext job({}, {}, 1);
                Device device = Device::cpu();
                device.kind = DeviceKind::Cuda;
                device.index = cudaDevices(CudaListing::WithFreeMemory).front().index;
                DistributedSht plan(p, ranks, job, device);
                const AlmShare alm = plan.newAlm(job);
                std::vector<double> map(static_cast<size_t>(plan.sampleCount()));
                const MapSamples to{std::span(map)};
                plan.synthesis(0, {&alm, 1}, {&to, 1}, job);
                const std::lock_guard hold(lock);
                most = std::max(most, plan.steps().deviceBytes);
            });
            return most;
        };
        const int64_t one = bytesOf(1), four = bytesOf(4);
        // The scratch memory of ring FFTs depends on multiprocessors, not on ranks.
        QVERIFY2(4 * four < 3 * one, qPrintable(QString("%1 of %2").arg(four).arg(one)));
    }

    // Each rank has its own device: rows are sent from device to device instead of through the
    // host.
    void passesByDevices() {
        const std::vector<Device> devices = cudaDevices(CudaListing::WithFreeMemory);
        if (devices.size() < 2) QSKIP("needs two devices");
        if (!DeviceGroup::missing().empty()) QSKIP(DeviceGroup::missing().c_str());
        const ShtParameters p{.nside = 128, .lmax = 256, .mmax = 256};
        const auto one = alone(p, RingGrid::healpix(p.nside));
        for (int count = 2; count <= static_cast<int>(devices.size()); ++count) {
            for (const int spin : {0, 2}) {
                const QString differs = difference<double>(*one, spin, count);
                QVERIFY2(differs.isEmpty(), qPrintable(QString("%1, %2").arg(differs).arg(count)));
            }
            // Through the host: two ranks on the first device, one on each of the others.
            const int64_t direct = bytesSent(p, count, 0), by = bytesSent(p, count + 1, 1);
            QVERIFY(direct > 0);
            QCOMPARE(by, int64_t{0});
        }
    }

private:
    // Bytes of all ranks in a synthesis and an analysis; rank r has device r - `shift`, or 0.
    static int64_t bytesSent(const ShtParameters& p, int count, int shift) {
        const std::vector<Device> devices = cudaDevices(CudaListing::WithFreeMemory);
        std::atomic<int64_t> sum{0};
        runRanks(count, [&](Ranks& ranks) {
            JobContext job({}, {}, 1);
            Device device = devices[static_cast<size_t>(std::max(0, ranks.rank() - shift))];
            DistributedSht plan(p, ranks, job, device);
            AlmShare alm = plan.newAlm(job);
            std::vector<double> map(static_cast<size_t>(plan.sampleCount()));
            const MapSamples to{std::span(map)};
            plan.synthesis(0, {&alm, 1}, {&to, 1}, job);
            const ConstMapSamples from{std::span<const double>(map)};
            plan.analysis(0, {&from, 1}, {&alm, 1}, job);
            sum += plan.steps().bytesSent;
        });
        return sum;
    }
    static std::unique_ptr<ShtBackend> alone(const ShtParameters& parameters,
                                             const RingGrid& grid) {
        const CudaPart part{cudaDevices(CudaListing::WithFreeMemory).front().index, 1.0,
                            parameters};
        return makeCudaBackend({&part, 1}, grid);
    }
};

QTEST_APPLESS_MAIN(DistributedShtCudaTest)
#include "tst_distributed_sht_cuda.moc"
