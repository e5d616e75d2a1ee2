// SPDX-License-Identifier: GPL-3.0-or-later
// Transforms of fields in the memory of one CUDA device, with the weights and iterations of an
// analysis. Maps and coefficients stay on the device between iterations.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "armilla/device/host_copies.h"
#include "armilla/device/squared_norm.h"
#include "armilla/ops/quadrature_weights.h"
#include "sht/plan/iteration_watch.h"
#include "sht/plan/sht_cuda.h"
#include "sht/weights/analysis_weights.h"

namespace armilla {

// Coefficients are given by their addresses on the device. All fields of a call have one spin.
class CudaFields {
public:
    // `grid` must outlive this object.
    CudaFields(const ShtParameters& parameters, const RingGrid& grid, int device)
        : parameters_(parameters),
          grid_(grid),
          device_(device),
          transform_(grid, parameters.lmax, parameters.mmax, device,
                     cudaShapeOf(parameters.tuning.value_or(ShtTuning{}))) {}

    // Called after each transform.
    std::function<void()> note = [] {};

    CudaRingTransform& transform() { return transform_; }
    const CudaRingTransform& transform() const { return transform_; }
    // Bytes on the device: tables, working memory, residuals, pixel weights.
    int64_t bytes() const {
        return transform_.deviceBytes() + bytesOf({&residual_, &pixelFactor_});
    }
    bool hasPixelWeights() const { return !pixelFactor_.empty(); }

    // Must precede analyze(). `copies`: of the same device.
    void prepareWeights(HostCopies& copies, JobContext& job) {
        const ShtParameters& p = parameters_;
        if (sampleWeight_.empty()) sampleWeight_ = sampleWeights(p, grid_, job);
        if (p.weights == Weights::Pixel && pixelFactor_.empty()) {
            const std::vector<double> factors =
                expandedPixelWeights(p.nside, pixelWeights(p.nside, job), job);
            CudaArray array(device_, factors.size());
            copies.upload(std::span(factors), array, job);
            pixelFactor_.push_back(std::move(array));
        }
    }
    // Allocates what an analysis of `components` maps needs; kept from call to call.
    void makeResiduals(size_t components) {
        while (parameters_.iterations > 0 && residual_.size() < components)
            residual_.emplace_back(device_, static_cast<size_t>(grid_.sampleCount()));
    }

    void synthesize(int spin, std::span<double* const> alm, std::span<double* const> maps,
                    JobContext& job) {
        transform_.synthesis(spin, alm, maps, job);
        note();
    }
    // `weights`: the weight of a sample of each ring. Overwrites the maps.
    void addSums(int spin, std::span<double* const> maps, std::span<const double> weights,
                 std::span<double* const> alm, JobContext& job) {
        transform_.adjoint(spin, maps, weights, alm, job);
        note();
    }
    // Quadrature, then Jacobi iterations a += A (map - S a), as in HEALPix's map2alm_iter. `alm`
    // must be 0. A quadrature overwrites its input, so a map that is needed again is copied first;
    // without iterations the maps are overwritten.
    void analyze(int spin, std::span<CudaArray> maps, std::span<double* const> alm,
                 JobContext& job) {
        const int iterations = parameters_.iterations;
        const double passes = 1.0 + 2.0 * iterations;
        const size_t components = componentsOf(spin);
        std::vector<IterationWatch> watches;
        if (iterations > 0) {
            makeResiduals(maps.size());
            for (size_t i = 0; i < maps.size(); ++i) residual_[i].copyFrom(maps[i]);
            for (size_t i = 0; i < maps.size(); i += components)
                watches.emplace_back(parameters_, squares(maps.subspan(i, components)));
        }
        const std::span<CudaArray> used =
            iterations > 0 ? std::span(residual_).first(maps.size()) : maps;
        JobContext first = job.part(0.0, 1.0 / passes);
        addQuadrature(spin, used, alm, first);
        for (int k = 0; k < iterations; ++k) {
            JobContext both = job.part((1 + 2 * k) / passes, (3 + 2 * k) / passes);
            JobContext back = both.part(0.0, 0.5), forth = both.part(0.5, 1.0);
            synthesize(spin, alm, addressesOf(used), back);
            for (size_t i = 0; i < maps.size(); ++i) used[i].subtractFrom(maps[i]);
            for (size_t i = 0; i < maps.size(); i += components)
                watches[i / components].see(k, squares(used.subspan(i, components)));
            addQuadrature(spin, used, alm, forth);
        }
    }

    static std::vector<double*> addressesOf(std::span<const CudaArray> arrays) {
        std::vector<double*> addresses;
        for (const CudaArray& array : arrays) addresses.push_back(array.data());
        return addresses;
    }

private:
    // alm += quadrature of `maps`, which are overwritten.
    void addQuadrature(int spin, std::span<CudaArray> maps, std::span<double* const> alm,
                       JobContext& job) {
        if (hasPixelWeights())
            for (CudaArray& map : maps) map.multiply(pixelFactor_[0]);
        addSums(spin, addressesOf(maps), sampleWeight_, alm, job);
    }
    double squares(std::span<const CudaArray> maps) const {
        double sum = 0.0;
        for (const CudaArray& map : maps) sum += squaredNorm(map, device_);
        return sum;
    }

    ShtParameters parameters_;
    const RingGrid& grid_;
    int device_;
    CudaRingTransform transform_;
    std::vector<CudaArray> residual_, pixelFactor_;
    std::vector<double> sampleWeight_;
};

}  // namespace armilla
