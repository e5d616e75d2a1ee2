// SPDX-License-Identifier: GPL-3.0-or-later
// The plan of the transforms on CUDA devices: batches, precisions, copies, several devices. Without
// a device the executable skips; ARMILLA_REQUIRE_GPU=1 makes its absence a failure.
#include <QtTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <stop_token>
#include <utility>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/device/cuda_devices.h"
#include "armilla/device/host_copies.h"
#include "armilla/ops/sht.h"
#include "armilla/ops/spectrum.h"
#include "sht/plan/sht_cuda.h"
#include "support/cuda_guard.h"
#include "support/direct_sht.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// Limit for two implementations of sums whose functions come from recurrences of up to lmax steps.
// Rounding of each step at random sizes and signs stays below lmax epsilon in the L2 norm, for
// both.
double twinLimit(int lmax) {
    return 2.0 * std::numeric_limits<double>::epsilon() * (lmax + 4.0);
}
constexpr double kMixedLimit = 1e-12;

std::vector<ConstMapSamples> viewsOf(const std::vector<std::vector<double>>& maps) {
    return {maps.begin(), maps.end()};
}

}  // namespace

Q_DECLARE_METATYPE(RingGrid)

class ShtCudaTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        requireCuda();
        devices_ = cudaDevices(CudaListing::WithFreeMemory);
    }

    // Complete and incomplete pieces, and only a few values; the sum of integers below 2^24 is
    // exact in both precisions.
    void copiesAreExact_data() {
        QTest::addColumn<int>("count");
        for (const int count : {1, 3, 524288, 524289, 1048577, 9000001})
            QTest::addRow("%d", count) << count;
    }
    void copiesAreExact() {
        QFETCH(int, count);
        std::vector<double> values(static_cast<size_t>(count)), back(values.size(), -1.0);
        std::vector<float> singles(values.size()), singlesBack(values.size(), -1.0F);
        std::iota(values.begin(), values.end(), 0.25);
        std::iota(singles.begin(), singles.end(), 0.0F);
        for (const int threads : {1, 5}) {
            JobContext job({}, {}, threads);
            HostCopies copies(0);
            CudaArray array(0, values.size());
            copies.upload(std::span<const double>(values), array, job);
            copies.download(array, std::span(back), job);
            QVERIFY(back == values);
            copies.download(array, std::span(singlesBack), job);
            for (size_t i = 0; i < values.size(); ++i)
                QVERIFY(singlesBack[i] == static_cast<float>(values[i]));
            array.fill(-1.0);
            copies.upload(std::span<const float>(singles), array, job);
            copies.download(array, std::span(back), job);
            QVERIFY(std::equal(back.begin(), back.end(), singles.begin()));
            // Several at a time, of lengths that end within a piece; one is empty.
            CudaArray other(0, values.size()), nothing(0, 1);
            const std::vector<HostCopies::Upload> uploads{
                {std::span<const double>(values), &array},
                {std::span<const double>(), &nothing},
                {std::span<const float>(singles), &other}};
            array.fill(-1.0);
            other.fill(-1.0);
            copies.upload(uploads, job);
            copies.download(array, std::span(back), job);
            QVERIFY(back == values);
            copies.download(other, std::span(back), job);
            QVERIFY(std::equal(back.begin(), back.end(), singles.begin()));
        }
    }
    void copiesStop() {
        std::stop_source stop;
        stop.request_stop();
        JobContext job(stop.get_token(), {}, 2);
        HostCopies copies(0);
        CudaArray array(0, 1000);
        const std::vector<double> values(1000);
        QVERIFY_EXCEPTION_THROWN(copies.upload(std::span(values), array, job), Cancelled);
    }

    void batches_data() {
        QTest::addColumn<int>("maps");
        QTest::addColumn<int>("weights");
        QTest::addColumn<int>("iterations");
        QTest::newRow("two") << 2 << static_cast<int>(Weights::None) << 0;
        QTest::newRow("more than a group") << 19 << static_cast<int>(Weights::Ring) << 0;
        QTest::newRow("iterations") << 3 << static_cast<int>(Weights::Ring) << 2;
        QTest::newRow("pixel weights") << 2 << static_cast<int>(Weights::Pixel) << 1;
    }
    // Compared with the CPU one by one; on all devices, and on the first alone.
    void batches() {
        QFETCH(int, maps);
        QFETCH(int, weights);
        QFETCH(int, iterations);
        constexpr int nside = 64, lmax = 120;
        const ShtParameters parameters{
            .nside = nside, .lmax = lmax, .weights = Weights(weights), .iterations = iterations};
        const ShtPlan cpu(parameters, Device::cpu());
        const double limit = (1 + 2 * iterations) * twinLimit(lmax);
        JobContext job;
        std::vector<Alm> alm;
        std::vector<std::vector<double>> expected(static_cast<size_t>(maps),
                                                  std::vector<double>(12 * nside * nside));
        std::vector<Alm> back;
        for (unsigned i = 0; i < expected.size(); ++i) {
            alm.push_back(whiteAlm(lmax, lmax, 0, 70 + i));
            cpu.synthesis(alm[i], expected[i], job);
            back.push_back(cpu.analysis(expected[i], job));
        }
        for (const Device& device : {devices_.front(), Device::fromText("cuda", kShtSupport)}) {
            const ShtPlan cuda(parameters, device);
            std::vector<std::vector<double>> found(
                expected.size(), std::vector<double>(expected[0].size(), std::nan("")));
            cuda.synthesis(alm, std::vector<MapSamples>(found.begin(), found.end()), job);
            const std::vector<Alm> foundBack = cuda.analysis(viewsOf(expected), job);
            for (size_t i = 0; i < found.size(); ++i) {
                ARMILLA_VERIFY_BELOW(relativeError(found[i], expected[i]), limit);
                ARMILLA_VERIFY_BELOW(relativeError(foundBack[i].values(), back[i].values()), limit);
            }
            QVERIFY(cuda.steps().deviceBytes > 0);
        }
    }
    // Values that agree within rounding in double may round to adjacent values in single.
    void singlePrecision() {
        constexpr int nside = 64, lmax = 128;
        constexpr double kOneRounding = std::numeric_limits<float>::epsilon();
        const ShtParameters parameters{.nside = nside, .lmax = lmax};
        const ShtPlan cpu(parameters, Device::cpu()), cuda(parameters, devices_.front());
        const std::array<Alm, 3> teb{whiteAlm(lmax, lmax, 0, 1), whiteAlm(lmax, lmax, 2, 2),
                                     whiteAlm(lmax, lmax, 2, 3)};
        std::array<std::vector<double>, 3> truth;
        std::array<std::vector<float>, 3> found;
        for (size_t i = 0; i < 3; ++i) {
            truth[i].resize(12 * nside * nside);
            found[i].resize(truth[i].size());
        }
        JobContext job;
        cpu.synthesisPolarized(teb, truth[0], truth[1], truth[2], job);
        cuda.synthesisPolarized(teb, found[0], found[1], found[2], job);
        for (size_t i = 0; i < 3; ++i)
            for (size_t p = 0; p < truth[i].size(); ++p)
                QVERIFY(std::abs(found[i][p] - truth[i][p]) <=
                        kOneRounding * std::abs(truth[i][p]) + 1e-11);
        const auto back = cuda.analysisPolarized(found[0], found[1], found[2], job);
        const auto expected = cpu.analysisPolarized(found[0], found[1], found[2], job);
        for (size_t i = 0; i < 3; ++i)
            ARMILLA_VERIFY_BELOW(relativeError(back[i].values(), expected[i].values()),
                                 twinLimit(lmax));
    }
    void plans_data() {
        QTest::addColumn<int>("weights");
        QTest::addColumn<int>("iterations");
        QTest::newRow("plain") << static_cast<int>(Weights::None) << 0;
        QTest::newRow("ring weights, iterations") << static_cast<int>(Weights::Ring) << 2;
        QTest::newRow("pixel weights") << static_cast<int>(Weights::Pixel) << 0;
        QTest::newRow("pixel weights, iterations") << static_cast<int>(Weights::Pixel) << 1;
    }
    // Weights and iterations on the device, compared with the CPU's.
    void plans() {
        QFETCH(int, weights);
        QFETCH(int, iterations);
        constexpr int nside = 32, lmax = 48;
        const ShtParameters parameters{
            .nside = nside, .lmax = lmax, .weights = Weights(weights), .iterations = iterations};
        const ShtPlan cpu(parameters, Device::cpu());
        const ShtPlan cuda(parameters, devices_.front());
        JobContext job;
        const std::vector<double> t = whiteMap(nside, 20), q = whiteMap(nside, 21);
        const std::vector<double> u = whiteMap(nside, 22);
        const std::vector<Alm> expected = cpu.analysisPolarized(t, q, u, job);
        const std::vector<Alm> found = cuda.analysisPolarized(t, q, u, job);
        // Each iteration is two more transforms.
        const double limit = (1 + 2 * iterations) * twinLimit(lmax);
        for (size_t i = 0; i < 3; ++i)
            ARMILLA_VERIFY_BELOW(relativeError(found[i].values(), expected[i].values()), limit);
        std::vector<std::vector<double>> one(3, t), other(3, t);
        cpu.synthesisGradient(expected[0], one[0], one[1], one[2], job);
        cuda.synthesisGradient(expected[0], other[0], other[1], other[2], job);
        for (size_t i = 0; i < 3; ++i)
            ARMILLA_VERIFY_BELOW(relativeError(other[i], one[i]), twinLimit(lmax));
        QVERIFY(cuda.steps().deviceBytes > 0);
    }
    void weightedSpectra_data() { plans_data(); }
    // Spectra whose coefficients stay on the device, compared with those of products that the CPU
    // analyzes. Samples of weight 0 are bad.
    void weightedSpectra() {
        QFETCH(int, weights);
        QFETCH(int, iterations);
        constexpr int nside = 128, lmax = 200;
        ShtParameters parameters{
            .nside = nside, .lmax = lmax, .weights = Weights(weights), .iterations = iterations};
        const ShtPlan cpu(parameters, Device::cpu()), cuda(parameters, devices_.front());
        std::vector<double> mask = whiteMap(nside, 30);
        for (double& value : mask) value = std::clamp(value, 0.0, 1.0);
        JobContext job;
        const auto check = [&](const auto& maps) {
            std::vector<std::vector<double>> products;
            auto bad = maps;
            for (size_t i = 0; i < maps.size(); ++i) {
                products.emplace_back();
                for (size_t p = 0; p < mask.size(); ++p) {
                    products[i].push_back(static_cast<double>(maps[i][p]) * mask[p]);
                    if (mask[p] == 0.0)
                        bad[i][p] = p % 2 == 0 ? std::nanf("") : static_cast<float>(INFINITY);
                }
            }
            std::vector<Alm> alm;
            if (maps.size() == 3)
                alm = cpu.analysisPolarized(products[0], products[1], products[2], job);
            else
                alm.push_back(cpu.analysis(products[0], job));
            const Spectra expected = powerSpectra(alm, alm, job);
            const auto found = cuda.weightedSpectra(
                std::vector<ConstMapSamples>(bad.begin(), bad.end()), mask, job);
            QVERIFY(found);
            QCOMPARE(found->size(), maps.size() == 3 ? size_t{6} : size_t{1});
            // Products of two coefficients of that error, summed over m.
            const double limit = 2.0 * (1 + 2 * iterations) * twinLimit(lmax);
            constexpr std::array<std::array<size_t, 2>, 6> kPairs{
                {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};
            for (size_t s = 0; s < found->size(); ++s)
                for (size_t l = 0; l <= lmax; ++l) {
                    double scale = 0.0;
                    for (const size_t i : kPairs[s])
                        scale += *std::max_element(expected.cl[i].begin(), expected.cl[i].end());
                    ARMILLA_VERIFY_BELOW(std::abs((*found)[s][l] - expected.cl[s][l]),
                                         limit * scale);
                }
        };
        const std::vector<double> t = whiteMap(nside, 31), q = whiteMap(nside, 32),
                                  u = whiteMap(nside, 33);
        check(std::vector<std::vector<double>>{t});
        check(std::vector<std::vector<double>>{t, q, u});
        const auto single = [](const std::vector<double>& map) {
            return std::vector<float>(map.begin(), map.end());
        };
        check(std::vector<std::vector<float>>{single(t), single(q), single(u)});
        // Without weights, and where coefficients leave the device.
        const ConstMapSamples one = std::span<const double>(t);
        const Alm whole = cpu.analysis(t, job);
        const std::vector<double> truth = crossSpectrum(whole, whole, job);
        const auto plain = cuda.weightedSpectra({&one, 1}, {}, job);
        ARMILLA_VERIFY_BELOW(relativeError(plain->front(), truth),
                             2.0 * (1 + 2 * iterations) * twinLimit(lmax));
        QVERIFY(!cpu.weightedSpectra({&one, 1}, mask, job));
        const std::vector<double> few(mask.size() - 1, 1.0);
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, cuda.weightedSpectra({&one, 1}, few, job));
        const std::vector<ConstMapSamples> two{one, one};
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, cuda.weightedSpectra(two, mask, job));
    }
    void windows_data() { plans_data(); }
    // With a third of the memory of maps and coefficients, compared with the CPU; and with too
    // little for the coefficients.
    void windows() {
        QFETCH(int, weights);
        QFETCH(int, iterations);
        constexpr int nside = 64, lmax = 64;
        ShtParameters parameters{
            .nside = nside, .lmax = lmax, .weights = Weights(weights), .iterations = iterations};
        const ShtPlan cpu(parameters, Device::cpu());
        const int64_t map = 8 * 12 * nside * nside, alm = 16 * Alm::count(lmax, lmax);
        parameters.deviceBytes = (iterations > 0 ? 2 : 1) * (4 * alm + 2 * map / 3);
        const ShtPlan cuda(parameters, devices_.front());
        QVERIFY(cuda.backendName().find("windows") != std::string_view::npos);
        const std::array<Alm, 3> teb{whiteAlm(lmax, lmax, 0, 1), whiteAlm(lmax, lmax, 2, 2),
                                     whiteAlm(lmax, lmax, 2, 3)};
        std::array<std::vector<double>, 3> truth, found;
        for (auto* maps : {&truth, &found})
            for (auto& values : *maps) values.assign(12 * nside * nside, std::nan(""));
        JobContext job;
        const double limit = (1 + 2 * iterations) * twinLimit(lmax);
        cpu.synthesisPolarized(teb, truth[0], truth[1], truth[2], job);
        cuda.synthesisPolarized(teb, found[0], found[1], found[2], job);
        for (size_t i = 0; i < 3; ++i)
            ARMILLA_VERIFY_BELOW(relativeError(found[i], truth[i]), twinLimit(lmax));
        const auto expected = cpu.analysisPolarized(truth[0], truth[1], truth[2], job);
        const auto back = cuda.analysisPolarized(truth[0], truth[1], truth[2], job);
        for (size_t i = 0; i < 3; ++i)
            ARMILLA_VERIFY_BELOW(relativeError(back[i].values(), expected[i].values()), limit);
        cpu.synthesisGradient(teb[0], truth[0], truth[1], truth[2], job);
        cuda.synthesisGradient(teb[0], found[0], found[1], found[2], job);
        for (size_t i = 0; i < 3; ++i)
            ARMILLA_VERIFY_BELOW(relativeError(found[i], truth[i]), twinLimit(lmax));
        parameters.deviceBytes = alm;
        const ShtPlan small(parameters, devices_.front());
        QVERIFY_EXCEPTION_THROWN(small.analysis(truth[0], job), OutOfMemory);
    }
    void iterationsThatDivergeAreRefused_data() {
        QTest::addColumn<bool>("windows");
        QTest::newRow("whole maps") << false;
        QTest::newRow("windows") << true;
    }
    void iterationsThatDivergeAreRefused() {
        QFETCH(bool, windows);
        constexpr int nside = 32, lmax = 4 * nside;
        ShtParameters parameters{.nside = nside, .lmax = lmax, .iterations = 60};
        if (windows)
            parameters.deviceBytes = 2 * (4 * 16 * Alm::count(lmax, lmax) + 64 * nside * nside);
        const ShtPlan plan(parameters, devices_.front());
        QCOMPARE(plan.backendName().find("windows") != std::string_view::npos, windows);
        JobContext job;
        const std::vector<double> map = whiteMap(nside, 1), other = whiteMap(nside, 2);
        QVERIFY_EXCEPTION_THROWN(plan.analysis(map, job), Unsupported);
        QVERIFY_EXCEPTION_THROWN(plan.analysisSpin(2, map, other, job), Unsupported);
    }
    // The transpose of synthesis, for full maps and in windows, for any weights and iterations of
    // an analysis.
    void adjoints_data() {
        QTest::addColumn<int>("spin");
        QTest::addColumn<bool>("windows");
        for (const int spin : {0, 1, 2})
            for (const bool windows : {false, true})
                QTest::addRow("spin %d%s", spin, windows ? ", windows" : "") << spin << windows;
    }
    void adjoints() {
        QFETCH(int, spin);
        QFETCH(bool, windows);
        constexpr int nside = 64, lmax = 64;
        ShtParameters parameters{
            .nside = nside, .lmax = lmax, .weights = Weights::Ring, .iterations = 1};
        const ShtPlan cpu(parameters, Device::cpu());
        if (windows)
            parameters.deviceBytes = 2 * (4 * 16 * Alm::count(lmax, lmax) + 64 * nside * nside);
        const ShtPlan cuda(parameters, devices_.front());
        QCOMPARE(cuda.backendName().find("windows") != std::string_view::npos, windows);
        std::vector<std::vector<double>> maps;
        for (const unsigned seed : {1, 2, 3, 4}) maps.push_back(whiteMap(nside, seed));
        const std::vector<ConstMapSamples> views(maps.begin(), maps.end());
        std::vector<Alm> truth(4, Alm(lmax, lmax)), found = truth;
        for (Alm& alm : found) std::fill(alm.values().begin(), alm.values().end(), std::nan(""));
        JobContext job;
        cpu.adjointSynthesis(spin, views, truth, job);
        cuda.adjointSynthesis(spin, views, found, job);
        for (size_t i = 0; i < 4; ++i)
            ARMILLA_VERIFY_BELOW(relativeError(found[i].values(), truth[i].values()),
                                 twinLimit(lmax));
        const Alm expected = cpu.adjointGradient(views[0], views[1], job);
        const Alm back = cuda.adjointGradient(views[0], views[1], job);
        ARMILLA_VERIFY_BELOW(relativeError(back.values(), expected.values()), twinLimit(lmax));
    }
    void oneMapOnSeveral_data() { plans_data(); }
    // Parts of one map, on all devices; several parts on one device so that there are four.
    void oneMapOnSeveral() {
        QFETCH(int, weights);
        QFETCH(int, iterations);
        constexpr int nside = 64, lmax = 128;
        const ShtParameters parameters{.nside = nside,
                                       .lmax = lmax,
                                       .mmax = lmax,
                                       .weights = Weights(weights),
                                       .iterations = iterations};
        const ShtPlan cpu(parameters, Device::cpu());
        std::vector<CudaPlace> places;
        for (size_t i = 0; i < 4; ++i)
            places.push_back(
                {devices_[i % devices_.size()].index, 1.0 + static_cast<double>(i), 0, {}});
        const auto several = makeCudaSharesBackend(parameters, RingGrid::healpix(nside), places);
        const std::vector<Alm> teb{whiteAlm(lmax, lmax, 0, 1), whiteAlm(lmax, lmax, 2, 2),
                                   whiteAlm(lmax, lmax, 2, 3)};
        std::array<std::vector<double>, 3> truth, found;
        for (auto* maps : {&truth, &found})
            for (auto& values : *maps) values.assign(12 * nside * nside, std::nan(""));
        JobContext job;
        const double limit = (1 + 2 * iterations) * twinLimit(lmax);
        const std::vector<MapSamples> to(found.begin(), found.end());
        const std::vector<ConstMapSamples> from(truth.begin(), truth.end());
        cpu.synthesisPolarized(std::span<const Alm, 3>(teb), truth[0], truth[1], truth[2], job);
        const auto expected = cpu.analysisPolarized(truth[0], truth[1], truth[2], job);
        std::vector<Alm> back = teb, again = teb;
        for (const int spin : {0, 2}) {
            const size_t first = spin == 0 ? 0 : 1, n = spin == 0 ? 1 : 2;
            several->synthesis(spin, std::span(teb).subspan(first, n),
                               std::span(to).subspan(first, n), job);
            several->analysis(spin, std::span(from).subspan(first, n),
                              std::span(back).subspan(first, n), job);
            several->analysis(spin, std::span(from).subspan(first, n),
                              std::span(again).subspan(first, n), job);
        }
        for (size_t i = 0; i < 3; ++i) {
            ARMILLA_VERIFY_BELOW(relativeError(found[i], truth[i]), twinLimit(lmax));
            ARMILLA_VERIFY_BELOW(relativeError(back[i].values(), expected[i].values()), limit);
            QVERIFY(back[i].values() == again[i].values());
        }
        cpu.synthesisGradient(teb[0], truth[0], truth[1], truth[2], job);
        several->gradient(teb[0], to[1], to[2], job);
        for (size_t i = 1; i < 3; ++i)
            ARMILLA_VERIFY_BELOW(relativeError(found[i], truth[i]), twinLimit(lmax));
    }
    // By a plan on all devices, in single precision; nothing to share on one.
    void onePlanOnSeveral() {
        ARMILLA_NEEDS_TWO(devices_);
        constexpr int nside = 2048, lmax = 4096;
        const ShtParameters parameters{.nside = nside, .lmax = lmax};
        const ShtPlan one(parameters, devices_.front());
        const ShtPlan several(parameters, Device::fromText("cuda", kShtSupport));
        const Alm alm = whiteAlm(lmax, lmax, 0, 1);
        std::vector<float> truth(12 * nside * nside), found(truth.size(), NAN);
        JobContext job;
        one.synthesis(alm, truth, job);
        several.synthesis(alm, found, job);
        ARMILLA_VERIFY_BELOW(relativeError(found, truth), std::numeric_limits<float>::epsilon());
        const Alm expected = one.analysis(truth, job), back = several.analysis(truth, job);
        ARMILLA_VERIFY_BELOW(relativeError(back.values(), expected.values()), twinLimit(lmax));
        QVERIFY(several.steps().deviceBytes < one.steps().deviceBytes);
    }
    void polarizedOnSeveral_data() {
        QTest::addColumn<int>("nside");
        QTest::newRow("fields on one of them") << 128;
        QTest::newRow("fields shared by all") << 2048;
    }
    // T, Q, U by a plan on all devices, into existing and new coefficients.
    void polarizedOnSeveral() {
        QFETCH(int, nside);
        ARMILLA_NEEDS_TWO(devices_);
        const int lmax = 2 * nside;
        const ShtParameters parameters{.nside = nside, .lmax = lmax};
        const ShtPlan one(parameters, devices_.front());
        const ShtPlan several(parameters, Device::fromText("cuda", kShtSupport));
        const std::array<Alm, 3> teb{whiteAlm(lmax, lmax, 0, 1), whiteAlm(lmax, lmax, 2, 2),
                                     whiteAlm(lmax, lmax, 2, 3)};
        std::array<std::vector<double>, 3> truth, found;
        for (auto* maps : {&truth, &found})
            for (auto& values : *maps)
                values.assign(static_cast<size_t>(12) * nside * nside, std::nan(""));
        JobContext job;
        one.synthesisPolarized(teb, truth[0], truth[1], truth[2], job);
        several.synthesisPolarized(teb, found[0], found[1], found[2], job);
        const auto expected = one.analysisPolarized(truth[0], truth[1], truth[2], job);
        const auto back = several.analysisPolarized(truth[0], truth[1], truth[2], job);
        std::array<Alm, 3> again = teb;
        several.analysisPolarized(truth[0], truth[1], truth[2], again, job);
        const ShtSteps steps = several.steps();
        QVERIFY(steps.copyIn > 0.0 && steps.copyOut > 0.0 && steps.legendre > 0.0);
        for (size_t i = 0; i < 3; ++i) {
            ARMILLA_VERIFY_BELOW(relativeError(found[i], truth[i]), twinLimit(lmax));
            ARMILLA_VERIFY_BELOW(relativeError(back[i].values(), expected[i].values()),
                                 twinLimit(lmax));
            QVERIFY(again[i].values() == back[i].values());
        }
    }
    void mixed_data() {
        QTest::addColumn<RingGrid>("grid");
        QTest::addColumn<int>("lmax");
        QTest::addColumn<int>("weights");
        QTest::addColumn<int>("iterations");
        const int none = static_cast<int>(Weights::None), ring = static_cast<int>(Weights::Ring);
        QTest::newRow("HEALPix") << RingGrid() << 128 << none << 0;
        QTest::newRow("interpolated") << RingGrid() << 600 << none << 0;
        QTest::newRow("modes beyond the rings") << RingGrid() << 191 << ring << 1;
        QTest::newRow("pixel weights") << RingGrid() << 96 << static_cast<int>(Weights::Pixel) << 0;
        QTest::newRow("rings at odd places") << RingGrid::fejer(101, 203) << 90 << none << 0;
        QTest::newRow("poles") << RingGrid::clenshawCurtis(100, 75) << 60 << none << 0;
    }
    // Legendre sums on one side, ring FFTs on the other, in both directions, compared with the CPU.
    void mixed() {
        QFETCH(RingGrid, grid);
        QFETCH(int, lmax);
        QFETCH(int, weights);
        QFETCH(int, iterations);
        ShtParameters parameters{
            .lmax = lmax, .weights = Weights(weights), .iterations = iterations};
        JobContext job;
        if (grid.rings.empty()) {
            parameters.nside = lmax > 500 ? 512 : 64;
            grid = RingGrid::healpix(parameters.nside);
        }
        const auto planOn = [&](const Device& device) {
            return parameters.nside > 0 ? ShtPlan(parameters, device, job)
                                        : ShtPlan(grid, parameters, device, job);
        };
        const ShtPlan cpu = planOn(Device::cpu());
        const std::array<Alm, 3> teb{whiteAlm(lmax, lmax, 0, 1), whiteAlm(lmax, lmax, 2, 2),
                                     whiteAlm(lmax, lmax, 2, 3)};
        const auto samples = static_cast<size_t>(grid.sampleCount());
        std::array<std::vector<double>, 3> truth, found;
        std::array<std::vector<float>, 3> singles;
        const bool poles = grid.rings.front().sinTheta == 0.0;
        for (const auto& [device, ffts] : {std::pair(devices_.front(), RingFfts::OnCpu),
                                           std::pair(Device::cpu(), RingFfts::OnCuda)}) {
            for (auto* maps : {&truth, &found})
                for (auto& values : *maps) values.assign(samples, std::nan(""));
            for (auto& values : singles) values.assign(samples, NAN);
            parameters.tuning = ShtTuning{.ringFfts = ffts};
            const ShtPlan plan = planOn(device);
            QVERIFY(plan.backendName().find("ring FFTs on") != std::string_view::npos);
            cpu.synthesisPolarized(teb, truth[0], truth[1], truth[2], job);
            plan.synthesisPolarized(teb, found[0], found[1], found[2], job);
            plan.synthesisPolarized(teb, singles[0], singles[1], singles[2], job);
            QVERIFY(plan.steps().legendre > 0.0 && plan.steps().fft > 0.0 &&
                    plan.steps().transfer > 0.0 && plan.steps().deviceBytes > 0);
            const auto expected = cpu.analysisPolarized(truth[0], truth[1], truth[2], job);
            const auto back = plan.analysisPolarized(truth[0], truth[1], truth[2], job);
            QVERIFY(plan.steps().legendre > 0.0 && plan.steps().fft > 0.0);
            for (size_t i = 0; i < 3; ++i) {
                ARMILLA_VERIFY_BELOW(relativeError(found[i], truth[i]), kMixedLimit);
                const std::vector<double> wide(singles[i].begin(), singles[i].end());
                ARMILLA_VERIFY_BELOW(relativeError(wide, truth[i]),
                                     std::numeric_limits<float>::epsilon());
                ARMILLA_VERIFY_BELOW(relativeError(back[i].values(), expected[i].values()),
                                     kMixedLimit * (1 + 2 * iterations));
            }
            // Computed as three maps of spin 0, in one call.
            cpu.synthesis(teb, std::vector<MapSamples>(truth.begin(), truth.end()), job);
            plan.synthesis(teb, std::vector<MapSamples>(found.begin(), found.end()), job);
            const std::vector<ConstMapSamples> from(truth.begin(), truth.end());
            const auto several = cpu.analysis(from, job), foundSeveral = plan.analysis(from, job);
            for (size_t i = 0; i < 3; ++i) {
                ARMILLA_VERIFY_BELOW(relativeError(found[i], truth[i]), kMixedLimit);
                ARMILLA_VERIFY_BELOW(relativeError(foundSeveral[i].values(), several[i].values()),
                                     kMixedLimit * (1 + 2 * iterations));
            }
            if (poles) continue;
            cpu.synthesisGradient(teb[0], truth[0], truth[1], truth[2], job);
            plan.synthesisGradient(teb[0], found[0], found[1], found[2], job);
            for (size_t i = 0; i < 3; ++i)
                ARMILLA_VERIFY_BELOW(relativeError(found[i], truth[i]), kMixedLimit);
        }
    }
    // Every choice of a tuning, at an lmax where interpolation pays.
    void tunings() {
        constexpr int nside = 512, lmax = 700;
        ShtParameters parameters{.nside = nside, .lmax = lmax};
        const ShtPlan cpu(parameters, Device::cpu());
        const Alm alm = whiteAlm(lmax, lmax, 0, 1);
        std::vector<double> truth(12 * nside * nside);
        JobContext job;
        cpu.synthesis(alm, truth, job);
        const Alm expected = cpu.analysis(truth, job);
        for (const ShtTuning& tuning : shtTunings(DeviceKind::Cuda)) {
            parameters.tuning = tuning;
            const ShtPlan cuda(parameters, devices_.front());
            std::vector<double> found(truth.size(), std::nan(""));
            cuda.synthesis(alm, found, job);
            ARMILLA_VERIFY_BELOW(relativeError(found, truth), twinLimit(lmax));
            const Alm back = cuda.analysis(truth, job);
            ARMILLA_VERIFY_BELOW(relativeError(back.values(), expected.values()), twinLimit(lmax));
        }
    }
    // For any assignment of maps to devices.
    void sameBitsAgain() {
        constexpr int nside = 64, lmax = 128;
        const ShtPlan plan({.nside = nside, .lmax = lmax}, Device::fromText("cuda", kShtSupport));
        std::vector<std::vector<double>> maps;
        for (unsigned i = 0; i < 20; ++i) maps.push_back(whiteMap(nside, i));
        JobContext job;
        const std::vector<Alm> one = plan.analysis(viewsOf(maps), job);
        const std::vector<Alm> other = plan.analysis(viewsOf(maps), job);
        for (size_t i = 0; i < one.size(); ++i) QVERIFY(one[i].values() == other[i].values());
    }

private:
    std::vector<Device> devices_;
};

QTEST_APPLESS_MAIN(ShtCudaTest)
#include "tst_sht_cuda.moc"
