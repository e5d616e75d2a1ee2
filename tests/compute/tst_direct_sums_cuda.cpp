// SPDX-License-Identifier: GPL-3.0-or-later
// Transforms of CUDA devices compared with sums term by term in long double, as tst_direct_sums for
// the CPU.
#include <QtTest>
#include <limits>
#include <vector>

#include "sht/plan/ring_transform_cuda.h"
#include "support/cuda_guard.h"
#include "support/direct_cases.h"
#include "support/tolerance.h"

using namespace armilla;
using namespace armilla::test;

namespace {

class CudaEngine {
public:
    CudaEngine(const RingGrid& grid, int lmax, int mmax)
        : samples_(static_cast<size_t>(grid.sampleCount())), transform_(grid, lmax, mmax, 0) {}

    Maps synthesis(int spin, const std::vector<Alm>& alm) {
        std::vector<CudaArray> from = uploaded(alm), to = arrays(alm.size(), samples_, kNan);
        if (spin == 0)
            transform_.synthesis(from[0], to[0], job_);
        else
            transform_.synthesisSpin(spin, from[0], from[1], to[0], to[1], job_);
        return downloaded(to);
    }
    std::vector<Alm> adjoint(int spin, const Maps& maps, std::span<const double> weights,
                             const Alm& shape) {
        std::vector<CudaArray> from = arrays(maps.size(), samples_, kNan);
        for (size_t c = 0; c < maps.size(); ++c) from[c].upload(maps[c]);
        std::vector<CudaArray> to = arrays(maps.size(), 2 * shape.values().size(), 0.0);
        if (spin == 0)
            transform_.adjoint(from[0], weights, to[0], job_);
        else
            transform_.adjointSpin(spin, from[0], from[1], weights, to[0], to[1], job_);
        std::vector<Alm> alm(maps.size(), shape);
        for (size_t c = 0; c < alm.size(); ++c) to[c].download(alm[c]);
        return alm;
    }
    Maps gradient(const Alm& alm) {
        const std::vector<CudaArray> from = uploaded({alm});
        std::vector<CudaArray> to = arrays(2, samples_, kNan);
        transform_.gradient(from[0], to[0], to[1], job_);
        return downloaded(to);
    }

private:
    // Every sample has to be written.
    static constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

    static std::vector<CudaArray> arrays(size_t count, size_t size, double value) {
        std::vector<CudaArray> all;
        while (all.size() < count) {
            all.emplace_back(0, size);
            all.back().fill(value);
        }
        return all;
    }
    static std::vector<CudaArray> uploaded(const std::vector<Alm>& alm) {
        std::vector<CudaArray> all = arrays(alm.size(), 2 * alm[0].values().size(), kNan);
        for (size_t c = 0; c < alm.size(); ++c) all[c].upload(alm[c]);
        return all;
    }
    static Maps downloaded(const std::vector<CudaArray>& all) {
        Maps maps;
        for (const CudaArray& one : all) one.download(maps.emplace_back(one.size()));
        return maps;
    }

    size_t samples_;
    JobContext job_;
    CudaRingTransform transform_;
};

}  // namespace

class DirectSumsCudaTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { requireCuda(); }

    void smallTransforms_data() { smallCases(); }
    void smallTransforms() {
        QFETCH(DirectCase, small);
        QFETCH(int, spin);
        compareSmallTransform<CudaEngine>(small, spin);
    }
    void smallGradients_data() { smallCases(); }
    void smallGradients() {
        QFETCH(DirectCase, small);
        QFETCH(int, spin);
        if (spin == 0) compareSmallGradient<CudaEngine>(small);
    }

    void singleModes_data() { singleModeCases(); }
    void singleModes() {
        QFETCH(DirectCase, mode);
        QFETCH(int, spin);
        CudaEngine engine(mode.exact.grid, mode.lmax, mode.mmax);
        compareSingleMode(engine, mode, spin);
    }
};

QTEST_APPLESS_MAIN(DirectSumsCudaTest)
#include "tst_direct_sums_cuda.moc"
