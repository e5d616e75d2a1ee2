// SPDX-License-Identifier: GPL-3.0-or-later
// The transforms of a plan on the CPU: RingTransform with the weights and iterations of analysis.
#include <algorithm>
#include <array>
#include <string>

#include "core/new_vector.h"
#include "ops/quadrature_weights.h"
#include "sht/analysis_weights.h"
#include "sht/ring_transform.h"
#include "sht/sht_backend.h"

namespace armilla {

namespace {

class CpuBackend final : public ShtBackend {
public:
    CpuBackend(const ShtParameters& p, const RingGrid& grid, JobContext& job)
        : ShtBackend(p, grid),
          name_(std::string("CPU, ") + simdName()),
          transform_(grid, p.lmax, p.mmax, job) {}

    std::string_view name() const override { return name_; }
    ShtSteps steps() const override {
        return {transform_.steps().legendre, transform_.steps().fft, 0.0, 0};
    }

    int64_t analysisBytes(int maps) const override { return transform_.analysisBytes(maps); }

    void synthesis(const Alm& alm, std::span<double> map, JobContext& job) override {
        transform_.synthesis(alm, map, job);
    }
    void synthesisSpin(int spin, const Alm& e, const Alm& b, std::span<double> q,
                       std::span<double> u, JobContext& job) override {
        transform_.synthesisSpin(spin, e, b, q, u, job);
    }
    void gradient(const Alm& alm, std::span<double> dTheta, std::span<double> dPhi,
                  JobContext& job) override {
        transform_.gradient(alm, dTheta, dPhi, job);
    }
    void analysis(std::span<const double> map, Alm& alm, JobContext& job) override {
        analyze<1>(0, {map}, {&alm}, job);
    }
    void analysisSpin(int spin, std::span<const double> q, std::span<const double> u, Alm& e,
                      Alm& b, JobContext& job) override {
        analyze<2>(spin, {q, u}, {&e, &b}, job);
    }

private:
    template <size_t N>
    using Maps = std::array<std::span<const double>, N>;

    void prepareWeights(JobContext& job) {
        const ShtParameters& p = parameters();
        if (sampleWeight_.empty()) sampleWeight_ = sampleWeights(p, grid(), job);
        if (p.weights == Weights::Pixel && pixelWeight_.empty())
            pixelWeight_ = pixelWeights(p.nside, job);
    }

    // One pass: alm += quadrature of `maps`.
    template <size_t N>
    void addQuadrature(int spin, Maps<N> maps, const std::array<Alm*, N>& alm, JobContext& job) {
        std::array<std::vector<double>, N> weighted;
        if (parameters().weights == Weights::Pixel)
            for (size_t i = 0; i < N; ++i) {
                weighted[i] = timesPixelWeights(maps[i], parameters().nside, pixelWeight_);
                maps[i] = weighted[i];
            }
        if constexpr (N == 1)
            transform_.adjoint(maps[0], sampleWeight_, *alm[0], job);
        else
            transform_.adjointSpin(spin, maps[0], maps[1], sampleWeight_, *alm[0], *alm[1], job);
    }

    // Quadrature, then Jacobi iterations a += A (map - S a), as HEALPix's map2alm_iter.
    template <size_t N>
    void analyze(int spin, const Maps<N>& maps, const std::array<Alm*, N>& alm, JobContext& job) {
        const int iterations = parameters().iterations;
        const double passes = 1.0 + 2.0 * iterations;
        JobContext weightShare = job.part(0.0, 0.02);
        prepareWeights(weightShare);
        JobContext passShare = job.part(0.02, 1.0);
        JobContext first = passShare.part(0.0, 1.0 / passes);
        addQuadrature<N>(spin, maps, alm, first);
        std::array<std::vector<double>, N> residual;
        if (iterations > 0)
            for (size_t i = 0; i < N; ++i)
                residual[i] = newVector<double>(static_cast<int64_t>(maps[i].size()), passShare);
        for (int k = 0; k < iterations; ++k) {
            JobContext share = passShare.part((1 + 2 * k) / passes, (3 + 2 * k) / passes);
            JobContext back = share.part(0.0, 0.5), forth = share.part(0.5, 1.0);
            if constexpr (N == 1)
                transform_.synthesis(*alm[0], residual[0], back);
            else
                transform_.synthesisSpin(spin, *alm[0], *alm[1], residual[0], residual[1], back);
            Maps<N> view;
            for (size_t i = 0; i < N; ++i) {
                subtractFrom(maps[i], residual[i], forth);
                view[i] = residual[i];
            }
            addQuadrature<N>(spin, view, alm, forth);
        }
    }

    static void subtractFrom(std::span<const double> map, std::vector<double>& model,
                             JobContext& job) {
        parallelFor(job, static_cast<long long>(map.size()), kPixelGrain,
                    [&](long long begin, long long end) {
                        for (auto p = static_cast<size_t>(begin); p < static_cast<size_t>(end); ++p)
                            model[p] = map[p] - model[p];
                    });
    }

    std::string name_;
    RingTransform transform_;
    std::vector<double> sampleWeight_, pixelWeight_;
};

}  // namespace

std::unique_ptr<ShtBackend> makeCpuBackend(const ShtParameters& parameters, const RingGrid& grid,
                                           JobContext& job) {
    return std::make_unique<CpuBackend>(parameters, grid, job);
}

}  // namespace armilla
