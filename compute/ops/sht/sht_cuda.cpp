// SPDX-License-Identifier: GPL-3.0-or-later
// The transforms of a plan on a CUDA device: CudaRingTransform with the weights and iterations of
// analysis, between which maps and coefficients stay on the device.
#include <algorithm>
#include <array>
#include <chrono>
#include <string>

#include "core/error.h"
#include "cuda/device_cuda.h"
#include "cuda/ring_transform_cuda.h"
#include "ops/quadrature_weights.h"
#include "sht/analysis_weights.h"
#include "sht/sht_backend.h"

namespace armilla {

namespace {

class CudaBackend final : public ShtBackend {
public:
    CudaBackend(const ShtParameters& p, const RingGrid& grid, int device)
        : ShtBackend(p, grid),
          name_("CUDA device " + std::to_string(device)),
          device_(device),
          transform_(grid, p.lmax, p.mmax, device) {}

    std::string_view name() const override { return name_; }
    ShtSteps steps() const override { return steps_; }
    // What it takes is on the device.
    int64_t analysisBytes(int) const override { return 0; }

    void synthesis(const Alm& alm, std::span<double> map, JobContext& job) override {
        begin(1);
        timed([&] { alm_[0].upload(alm); });
        transform_.synthesis(alm_[0], map_[0], job);
        note();
        timed([&] { map_[0].download(map); });
    }
    void synthesisSpin(int spin, const Alm& e, const Alm& b, std::span<double> q,
                       std::span<double> u, JobContext& job) override {
        begin(2);
        timed([&] {
            alm_[0].upload(e);
            alm_[1].upload(b);
        });
        transform_.synthesisSpin(spin, alm_[0], alm_[1], map_[0], map_[1], job);
        note();
        timed([&] {
            map_[0].download(q);
            map_[1].download(u);
        });
    }
    void gradient(const Alm& alm, std::span<double> dTheta, std::span<double> dPhi,
                  JobContext& job) override {
        begin(2);
        timed([&] { alm_[0].upload(alm); });
        transform_.gradient(alm_[0], map_[0], map_[1], job);
        note();
        timed([&] {
            map_[0].download(dTheta);
            map_[1].download(dPhi);
        });
    }
    void analysis(std::span<const double> map, Alm& alm, JobContext& job) override {
        analyze<1>(0, {map}, {&alm}, job);
    }
    void analysisSpin(int spin, std::span<const double> q, std::span<const double> u, Alm& e,
                      Alm& b, JobContext& job) override {
        analyze<2>(spin, {q, u}, {&e, &b}, job);
    }

private:
    // Arrays for so many components; kept from transform to transform.
    void begin(size_t components) {
        steps_ = {};
        const ShtParameters& p = parameters();
        while (map_.size() < components) {
            map_.emplace_back(device_, static_cast<size_t>(grid().sampleCount()));
            alm_.emplace_back(device_, static_cast<size_t>(2 * Alm::count(p.lmax, p.mmax)));
        }
    }
    // Adds the steps of the transform just done.
    void note() {
        steps_.legendre += transform_.steps().legendre;
        steps_.fft += transform_.steps().fft;
        int64_t bytes = transform_.deviceBytes();
        for (const auto* arrays : {&map_, &alm_, &residual_, &pixelFactor_})
            for (const CudaArray& array : *arrays)
                bytes += static_cast<int64_t>(array.size() * sizeof(double));
        steps_.deviceBytes = std::max(steps_.deviceBytes, bytes);
    }
    template <typename Copy>
    void timed(const Copy& copy) {
        const auto start = std::chrono::steady_clock::now();
        copy();
        steps_.transfer +=
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }

    void prepareWeights(JobContext& job) {
        const ShtParameters& p = parameters();
        if (sampleWeight_.empty()) sampleWeight_ = sampleWeights(p, grid(), job);
        if (p.weights == Weights::Pixel && pixelFactor_.empty()) {
            const std::vector<double> ones(static_cast<size_t>(grid().sampleCount()), 1.0);
            pixelFactor_.emplace_back(device_, ones.size());
            pixelFactor_[0].upload(timesPixelWeights(ones, p.nside, pixelWeights(p.nside, job)));
        }
    }

    // alm += quadrature of maps, which are spoiled; `kept`: of a copy, made in residual_.
    template <size_t N>
    void addQuadrature(int spin, std::vector<CudaArray>& maps, bool kept, JobContext& job) {
        std::vector<CudaArray>* in = &maps;
        if (kept) {
            for (size_t i = 0; i < N; ++i) residual_[i].copyFrom(maps[i]);
            in = &residual_;
        }
        if (!pixelFactor_.empty())
            for (size_t i = 0; i < N; ++i) (*in)[i].multiply(pixelFactor_[0]);
        if constexpr (N == 1)
            transform_.adjoint((*in)[0], sampleWeight_, alm_[0], job);
        else
            transform_.adjointSpin(spin, (*in)[0], (*in)[1], sampleWeight_, alm_[0], alm_[1], job);
        note();
    }

    // Quadrature, then Jacobi iterations a += A (map - S a), as HEALPix's map2alm_iter.
    template <size_t N>
    void analyze(int spin, const std::array<std::span<const double>, N>& maps,
                 const std::array<Alm*, N>& alm, JobContext& job) {
        const int iterations = parameters().iterations;
        const double passes = 1.0 + 2.0 * iterations;
        JobContext weightShare = job.part(0.0, 0.02), passShare = job.part(0.02, 1.0);
        prepareWeights(weightShare);
        begin(N);
        while (residual_.size() < N && iterations > 0)
            residual_.emplace_back(device_, map_[0].size());
        timed([&] {
            for (size_t i = 0; i < N; ++i) map_[i].upload(maps[i]);
        });
        for (size_t i = 0; i < N; ++i) alm_[i].fill(0.0);
        JobContext first = passShare.part(0.0, 1.0 / passes);
        addQuadrature<N>(spin, map_, iterations > 0, first);
        for (int k = 0; k < iterations; ++k) {
            JobContext share = passShare.part((1 + 2 * k) / passes, (3 + 2 * k) / passes);
            JobContext back = share.part(0.0, 0.5), forth = share.part(0.5, 1.0);
            if constexpr (N == 1)
                transform_.synthesis(alm_[0], residual_[0], back);
            else
                transform_.synthesisSpin(spin, alm_[0], alm_[1], residual_[0], residual_[1], back);
            note();
            for (size_t i = 0; i < N; ++i) residual_[i].subtractFrom(map_[i]);
            addQuadrature<N>(spin, residual_, false, forth);
        }
        timed([&] {
            for (size_t i = 0; i < N; ++i) alm_[i].download(*alm[i]);
        });
    }

    std::string name_;
    int device_;
    CudaRingTransform transform_;
    std::vector<CudaArray> alm_, map_, residual_, pixelFactor_;
    std::vector<double> sampleWeight_;
    ShtSteps steps_;
};

}  // namespace

std::unique_ptr<ShtBackend> makeCudaBackend(const ShtParameters& parameters, const RingGrid& grid,
                                            int device) {
    const std::vector<Device> present = cudaDevices(CudaListing::WithoutContext);
    if (std::none_of(present.begin(), present.end(),
                     [&](const Device& one) { return one.index == device; }))
        throw Unsupported("expected CUDA device " + std::to_string(device) + ", found " +
                          std::to_string(present.size()) + " devices");
    return std::make_unique<CudaBackend>(parameters, grid, device);
}

}  // namespace armilla
