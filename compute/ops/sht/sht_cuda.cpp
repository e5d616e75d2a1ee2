// SPDX-License-Identifier: GPL-3.0-or-later
// The transforms of a plan on a CUDA device: CudaRingTransform with the weights and iterations of
// analysis, between which maps and coefficients stay on the device.
#include <algorithm>
#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "cuda/device_cuda.h"
#include "cuda/host_copies.h"
#include "cuda/ring_transform_cuda.h"
#include "ops/quadrature_weights.h"
#include "sht/analysis_weights.h"
#include "sht/sht_cuda.h"

namespace armilla {

namespace {

// Maps of a batch that are on the device at once, if they fit.
constexpr size_t kMapsAtOnce = 8;

CudaTransformShape shapeOf(const ShtTuning& tuning) {
    return {.synthesisPairs = tuning.synthesisPairs,
            .adjointPairs = tuning.adjointPairs,
            .interpolates = tuning.latitudes == LatitudeSums::WherePays};
}

class CudaBackend final : public ShtBackend {
public:
    CudaBackend(const ShtParameters& p, const RingGrid& grid, int device)
        : ShtBackend(p, grid),
          name_("CUDA device " + std::to_string(device)),
          device_(device),
          transform_(grid, p.lmax, p.mmax, device, shapeOf(p.tuning.value_or(ShtTuning{}))),
          copies_(device) {}

    std::string_view name() const override { return name_; }
    ShtSteps steps() const override { return steps_; }
    // What it takes is on the device.
    int64_t analysisBytes(size_t) const override { return 0; }

    void synthesis(int spin, std::span<const Alm> alm, std::span<const MapSamples> maps,
                   JobContext& job) override {
        steps_ = {};
        forEachGroup(spin, maps.size(), job, [&](size_t first, size_t count, JobContext& part) {
            makeArrays(count);
            for (size_t i = 0; i < count; ++i)
                timed([&] { copies_.upload(alm[first + i], alm_[i], part); });
            synthesize(spin, map_, count, part);
            for (size_t i = 0; i < count; ++i)
                timed([&] { copies_.download(map_[i], maps[first + i], part); });
        });
    }
    void gradient(const Alm& alm, MapSamples dTheta, MapSamples dPhi, JobContext& job) override {
        steps_ = {};
        makeArrays(2);
        timed([&] { copies_.upload(alm, alm_[0], job); });
        transform_.gradient(alm_[0], map_[0], map_[1], job);
        note();
        timed([&] {
            copies_.download(map_[0], dTheta, job);
            copies_.download(map_[1], dPhi, job);
        });
    }
    void analysis(int spin, std::span<const ConstMapSamples> maps, std::span<Alm> alm,
                  JobContext& job) override {
        steps_ = {};
        JobContext weights = job.part(0.0, 0.02), rest = job.part(0.02, 1.0);
        prepareWeights(weights);
        forEachGroup(spin, maps.size(), rest, [&](size_t first, size_t count, JobContext& part) {
            makeArrays(count);
            for (size_t i = 0; i < count; ++i)
                timed([&] { copies_.upload(maps[first + i], map_[i], part); });
            analyze(spin, count, part);
            for (size_t i = 0; i < count; ++i)
                timed([&] { copies_.download(alm_[i], alm[first + i], part); });
        });
    }

private:
    int64_t bytesOfMap() const {
        const ShtParameters& p = parameters();
        const int64_t maps = p.iterations > 0 ? 2 : 1;
        return maps * 8 * grid().sampleCount() + 16 * Alm::count(p.lmax, p.mmax);
    }
    // Maps of a batch in groups, which get half of the memory that is free; a field of a spin is a
    // group of its own.
    template <typename Body>
    void forEachGroup(int spin, size_t maps, JobContext& job, const Body& body) {
        size_t atOnce = componentsOf(spin);
        if (spin == 0 && maps > 1) {
            const int64_t fit = CudaArray::freeBytes(device_) / 2 / bytesOfMap();
            atOnce = std::clamp(map_.size() + static_cast<size_t>(fit), size_t{1}, kMapsAtOnce);
        }
        for (size_t i = 0; i < maps; i += atOnce) {
            const size_t count = std::min(atOnce, maps - i);
            JobContext part = job.part(static_cast<double>(i) / static_cast<double>(maps),
                                       static_cast<double>(i + count) / static_cast<double>(maps));
            body(i, count, part);
        }
    }
    // Arrays for so many components; kept from transform to transform.
    void makeArrays(size_t components) {
        const ShtParameters& p = parameters();
        while (map_.size() < components)
            map_.emplace_back(device_, static_cast<size_t>(grid().sampleCount()));
        while (alm_.size() < components)
            alm_.emplace_back(device_, static_cast<size_t>(2 * Alm::count(p.lmax, p.mmax)));
        while (p.iterations > 0 && residual_.size() < components)
            residual_.emplace_back(device_, map_[0].size());
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
            const std::vector<double> factors =
                timesPixelWeights(ones, p.nside, pixelWeights(p.nside, job));
            CudaArray array(device_, factors.size());
            copies_.upload(std::span(factors), array, job);
            pixelFactor_.push_back(std::move(array));
        }
    }

    // The first `count` of alm_ to `maps`.
    void synthesize(int spin, std::vector<CudaArray>& maps, size_t count, JobContext& job) {
        if (spin == 0)
            transform_.synthesis(std::span(alm_).first(count), std::span(maps).first(count), job);
        else
            transform_.synthesisSpin(spin, alm_[0], alm_[1], maps[0], maps[1], job);
        note();
    }
    // alm_ += quadrature of `maps`, which are spoiled.
    void addQuadrature(int spin, std::vector<CudaArray>& maps, size_t count, JobContext& job) {
        for (size_t i = 0; !pixelFactor_.empty() && i < count; ++i)
            maps[i].multiply(pixelFactor_[0]);
        if (spin == 0)
            transform_.adjoint(std::span(maps).first(count), sampleWeight_,
                               std::span(alm_).first(count), job);
        else
            transform_.adjointSpin(spin, maps[0], maps[1], sampleWeight_, alm_[0], alm_[1], job);
        note();
    }

    // Of map_ to alm_: quadrature, then Jacobi iterations a += A (map - S a), as HEALPix's
    // map2alm_iter. What a quadrature spoils is a copy if the map is wanted again.
    void analyze(int spin, size_t count, JobContext& job) {
        const int iterations = parameters().iterations;
        const double passes = 1.0 + 2.0 * iterations;
        for (size_t i = 0; i < count; ++i) {
            alm_[i].fill(0.0);
            if (iterations > 0) residual_[i].copyFrom(map_[i]);
        }
        JobContext first = job.part(0.0, 1.0 / passes);
        addQuadrature(spin, iterations > 0 ? residual_ : map_, count, first);
        for (int k = 0; k < iterations; ++k) {
            JobContext both = job.part((1 + 2 * k) / passes, (3 + 2 * k) / passes);
            JobContext back = both.part(0.0, 0.5), forth = both.part(0.5, 1.0);
            synthesize(spin, residual_, count, back);
            for (size_t i = 0; i < count; ++i) residual_[i].subtractFrom(map_[i]);
            addQuadrature(spin, residual_, count, forth);
        }
    }

    std::string name_;
    int device_;
    CudaRingTransform transform_;
    HostCopies copies_;
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
    // A tenth is left to others and to what falls between blocks of memory.
    const int64_t bytes =
        parameters.deviceBytes > 0 ? parameters.deviceBytes : CudaArray::freeBytes(device) / 10 * 9;
    const int64_t sets = parameters.iterations > 0 ? 2 : 1;
    const CudaWindowSize size{grid.sampleCount(), parameters.lmax, parameters.mmax};
    if (cudaWindowsFor(bytes, 2, sets, size) != 1)
        return makeCudaWindowsBackend(parameters, grid, device, bytes);
    return std::make_unique<CudaBackend>(parameters, grid, device);
}

}  // namespace armilla
