// SPDX-License-Identifier: GPL-3.0-or-later
// One map shared by CUDA devices by orders and rings: CudaOrderShares with the weights and
// iterations of analysis, between which maps and coefficients stay on the devices. As
// sht_cuda.cpp, whose functions those here are, for one device.
#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "device/host_copies.h"
#include "device/squared_norm.h"
#include "ops/quadrature_weights.h"
#include "shared/map_groups.h"
#include "sht/plan/iteration_watch.h"
#include "sht/plan/order_shares_cuda.h"
#include "sht/plan/sht_cuda.h"
#include "sht/plan/side_by_side.h"
#include "sht/weights/analysis_weights.h"

namespace armilla {

namespace {

using Arrays = CudaOrderShares::Arrays;

CudaSharing sharingOf(const ShtParameters& p, const std::vector<CudaPlace>& places) {
    CudaSharing sharing;
    for (const CudaPlace& place : places) {
        sharing.devices.push_back(place.device);
        sharing.speeds.push_back(place.speed);
    }
    sharing.shape = places.front().shape;
    sharing.way = p.betweenDevices;
    return sharing;
}

class CudaOrdersBackend final : public ShtBackend {
public:
    CudaOrdersBackend(const ShtParameters& p, const RingGrid& grid,
                      const std::vector<CudaPlace>& places)
        : ShtBackend(p, grid), transform_(grid, p.lmax, p.mmax, sharingOf(p, places)) {
        for (size_t i = 0; i < transform_.count(); ++i) {
            name_ += (i == 0 ? "CUDA device " : ", ") + std::to_string(transform_.device(i));
            copies_.emplace_back(transform_.device(i));
        }
        // As many threads for each as copies get.
        const JobContext all;
        for (HostCopies& copies : copies_) copies.prepare(threadsOf(all));
        name_ += ", orders and rings shared";
        if (!transform_.copiesBetweenPeers()) name_ += " by way of host memory";
    }

    std::string_view name() const override { return name_; }
    ShtSteps steps() const override { return times_.steps; }
    int64_t analysisBytes(size_t) const override {
        const bool makes = parameters().weights == Weights::Pixel && pixelFactor_.empty();
        return makes ? kBytesOfPixelWeights * grid().sampleCount() : 0;
    }

    void synthesis(int spin, std::span<const Alm> alm, std::span<const MapSamples> maps,
                   JobContext& job) override {
        forEachField(spin, maps.size(), job, [&](size_t first, size_t n, JobContext& part) {
            upload(alm.subspan(first, n), part);
            synthesize(spin, map_, n, part);
            download(map_, maps.subspan(first, n), part);
        });
    }
    void gradient(const Alm& alm, MapSamples dTheta, MapSamples dPhi, JobContext& job) override {
        times_ = {};
        makeArrays(2);
        upload({&alm, 1}, job);
        transform_.gradient(alm_[0], map_[0], map_[1], job);
        note();
        const MapSamples to[] = {dTheta, dPhi};
        download(map_, to, job);
    }
    void analysis(int spin, std::span<const ConstMapSamples> maps, std::span<Alm> alm,
                  JobContext& job) override {
        JobContext weights = job.part(0.0, 0.02), rest = job.part(0.02, 1.0);
        prepareWeights(weights);
        forEachField(spin, maps.size(), rest, [&](size_t first, size_t n, JobContext& part) {
            upload(maps.subspan(first, n), map_, part);
            analyze(spin, n, part);
            download(alm.subspan(first, n), part);
        });
    }
    void adjoint(int spin, std::span<const ConstMapSamples> maps, std::span<Alm> alm,
                 JobContext& job) override {
        const std::vector<double> ones(grid().rings.size(), 1.0);
        forEachField(spin, maps.size(), job, [&](size_t first, size_t n, JobContext& part) {
            upload(maps.subspan(first, n), map_, part);
            clear(n);
            addSums(spin, map_, ones, n, part);
            download(alm.subspan(first, n), part);
        });
    }

private:
    template <typename Body>
    void forEachField(int spin, size_t maps, JobContext& job, const Body& body) {
        times_ = {};
        makeArrays(componentsOf(spin));
        forEachGroup(maps, componentsOf(spin), job, body);
    }
    // Kept from transform to transform.
    void makeArrays(size_t components) {
        while (map_.size() < components) map_.push_back(transform_.newMap());
        while (alm_.size() < components) alm_.push_back(transform_.newCoefficients());
        while (parameters().iterations > 0 && residual_.size() < components)
            residual_.push_back(transform_.newMap());
    }
    // The steps of the transform just done, and what the fullest device holds.
    void note() {
        const CudaSharedSteps& done = transform_.steps();
        ShtSteps& steps = times_.steps;
        steps.legendre += done.legendre;
        steps.fft += done.fft;
        steps.exchange += done.exchange;
        steps.exchangedBytes += done.exchangedBytes;
        for (size_t i = 0; i < transform_.count(); ++i) {
            int64_t bytes = transform_.deviceBytes(i);
            for (const auto* all : {&map_, &alm_, &residual_, &pixelFactor_})
                for (const Arrays& one : *all)
                    bytes += static_cast<int64_t>(one[i].size() * sizeof(double));
            steps.deviceBytes = std::max(steps.deviceBytes, bytes);
        }
    }

    int threadsOf(const JobContext& job) const {
        return std::max(1, job.threads() / static_cast<int>(transform_.count()));
    }
    // Calls copy(share, job) for all shares side by side; their time is added to `part`.
    template <typename Copy>
    void copying(double ShtSteps::*part, JobContext& job, const Copy& copy) {
        const double before = times_.steps.transfer;
        times_.copying([&] {
            JobContext quiet(job.stopToken(), {}, job.threads());
            const int threads = threadsOf(job);
            sideBySide(transform_.count(), quiet, "copies",
                       [&](size_t i, const std::stop_token& stop, const Advance&) {
                           JobContext own(stop, {}, threads);
                           copy(i, own);
                       });
        });
        times_.steps.*part += times_.steps.transfer - before;
    }
    // Calls put(samples, place) for each run of a share's part of what is on the host.
    template <typename Samples, typename Put>
    static void forEachRun(std::span<const SampleRun> runs, size_t each, const Samples& samples,
                           const Put& put) {
        size_t at = 0;
        for (const SampleRun& run : runs) {
            const size_t count = each * static_cast<size_t>(run.count);
            if (count > 0) put(partOf(samples, each * static_cast<size_t>(run.first), count), at);
            at += count;
        }
    }
    // Pairs of doubles.
    static constexpr size_t kComplex = 2;
    static ConstMapSamples doublesOf(const Alm& alm) {
        return std::span(reinterpret_cast<const double*>(alm.values().data()),
                         kComplex * alm.values().size());
    }
    static MapSamples doublesOf(Alm& alm) {
        return std::span(reinterpret_cast<double*>(alm.values().data()),
                         kComplex * alm.values().size());
    }
    void upload(std::span<const Alm> alm, JobContext& job) {
        copying(&ShtSteps::copyIn, job, [&](size_t i, JobContext& own) {
            std::vector<HostCopies::Upload> all;
            for (size_t c = 0; c < alm.size(); ++c)
                forEachRun(transform_.orders(i), kComplex, doublesOf(alm[c]),
                           [&](const ConstMapSamples& part, size_t at) {
                               all.push_back({part, &alm_[c][i], at});
                           });
            copies_[i].upload(all, own);
        });
    }
    void upload(std::span<const ConstMapSamples> maps, std::vector<Arrays>& to, JobContext& job) {
        copying(&ShtSteps::copyIn, job, [&](size_t i, JobContext& own) {
            std::vector<HostCopies::Upload> all;
            for (size_t c = 0; c < maps.size(); ++c)
                forEachRun(transform_.rings(i).runs, 1, maps[c],
                           [&](const ConstMapSamples& part, size_t at) {
                               all.push_back({part, &to[c][i], at});
                           });
            copies_[i].upload(all, own);
        });
    }
    void download(const std::vector<Arrays>& from, std::span<const MapSamples> maps,
                  JobContext& job) {
        copying(&ShtSteps::copyOut, job, [&](size_t i, JobContext& own) {
            std::vector<HostCopies::Download> all;
            for (size_t c = 0; c < maps.size(); ++c)
                forEachRun(transform_.rings(i).runs, 1, maps[c],
                           [&](const MapSamples& part, size_t at) {
                               all.push_back({&from[c][i], part, at});
                           });
            copies_[i].download(all, own);
        });
    }
    void download(std::span<Alm> alm, JobContext& job) {
        copying(&ShtSteps::copyOut, job, [&](size_t i, JobContext& own) {
            std::vector<HostCopies::Download> all;
            for (size_t c = 0; c < alm.size(); ++c)
                forEachRun(transform_.orders(i), kComplex, doublesOf(alm[c]),
                           [&](const MapSamples& part, size_t at) {
                               all.push_back({&alm_[c][i], part, at});
                           });
            copies_[i].download(all, own);
        });
    }

    void prepareWeights(JobContext& job) {
        const ShtParameters& p = parameters();
        if (sampleWeight_.empty()) sampleWeight_ = sampleWeights(p, grid(), job);
        if (p.weights != Weights::Pixel || !pixelFactor_.empty()) return;
        const std::vector<double> factors =
            expandedPixelWeights(p.nside, pixelWeights(p.nside, job), job);
        std::vector<Arrays> arrays;
        arrays.push_back(transform_.newMap());
        const ConstMapSamples from[] = {std::span(factors)};
        upload(from, arrays, job);
        pixelFactor_ = std::move(arrays);
    }

    // Calls use(i) for the arrays of each share.
    template <typename Use>
    void forEachShare(const Use& use) const {
        for (size_t i = 0; i < transform_.count(); ++i) use(i);
    }
    void clear(size_t components) {
        for (size_t c = 0; c < components; ++c)
            for (CudaArray& one : alm_[c]) one.fill(0.0);
    }
    void synthesize(int spin, std::vector<Arrays>& maps, size_t count, JobContext& job) {
        transform_.synthesis(spin, std::span(alm_).first(count), std::span(maps).first(count), job);
        note();
    }
    // alm += quadrature of `maps`, which are spoiled.
    void addQuadrature(int spin, std::vector<Arrays>& maps, size_t count, JobContext& job) {
        for (size_t c = 0; !pixelFactor_.empty() && c < count; ++c)
            forEachShare([&](size_t i) { maps[c][i].multiply(pixelFactor_[0][i]); });
        addSums(spin, maps, sampleWeight_, count, job);
    }
    // The weight of a sample of each ring.
    void addSums(int spin, std::vector<Arrays>& maps, std::span<const double> weights, size_t count,
                 JobContext& job) {
        transform_.adjoint(spin, std::span(maps).first(count), weights,
                           std::span(alm_).first(count), job);
        note();
    }
    double squares(const std::vector<Arrays>& maps, size_t count) const {
        double sum = 0.0;
        for (size_t c = 0; c < count; ++c)
            forEachShare([&](size_t i) { sum += squaredNorm(maps[c][i], transform_.device(i)); });
        return sum;
    }
    // Quadrature, then Jacobi iterations a += A (map - S a), as HEALPix's map2alm_iter. What a
    // quadrature spoils is a copy if the map is wanted again.
    void analyze(int spin, size_t count, JobContext& job) {
        const int iterations = parameters().iterations;
        const double passes = 1.0 + 2.0 * iterations;
        clear(count);
        for (size_t c = 0; iterations > 0 && c < count; ++c)
            forEachShare([&](size_t i) { residual_[c][i].copyFrom(map_[c][i]); });
        IterationWatch watch(parameters(), iterations > 0 ? squares(map_, count) : 0.0);
        JobContext first = job.part(0.0, 1.0 / passes);
        addQuadrature(spin, iterations > 0 ? residual_ : map_, count, first);
        for (int k = 0; k < iterations; ++k) {
            JobContext both = job.part((1 + 2 * k) / passes, (3 + 2 * k) / passes);
            JobContext back = both.part(0.0, 0.5), forth = both.part(0.5, 1.0);
            synthesize(spin, residual_, count, back);
            for (size_t c = 0; c < count; ++c)
                forEachShare([&](size_t i) { residual_[c][i].subtractFrom(map_[c][i]); });
            watch.see(k, squares(residual_, count));
            addQuadrature(spin, residual_, count, forth);
        }
    }

    CudaOrderShares transform_;
    std::string name_;
    std::vector<HostCopies> copies_;
    std::vector<Arrays> map_, alm_, residual_, pixelFactor_;
    std::vector<double> sampleWeight_;
    CudaTimes times_;
};

}  // namespace

std::unique_ptr<ShtBackend> makeCudaOrdersBackend(const ShtParameters& parameters,
                                                  const RingGrid& grid,
                                                  const std::vector<CudaPlace>& places) {
    return std::make_unique<CudaOrdersBackend>(parameters, grid, places);
}

}  // namespace armilla
