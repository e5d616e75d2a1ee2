// SPDX-License-Identifier: GPL-3.0-or-later
// The transforms of a plan on a CUDA device whose memory does not hold whole maps: the coefficients
// lie on the device, the map passes through in windows of rings.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "cuda/host_copies.h"
#include "cuda/ring_transform_cuda.h"
#include "ops/quadrature_weights.h"
#include "sht/analysis_weights.h"
#include "sht/ring_windows.h"
#include "sht/sht_cuda.h"

namespace armilla {

namespace {

// Each window is a grid of its own, with a transform that is made when its turn comes: its tables
// take as much memory as the window. Sums over latitudes add up from window to window.
class CudaWindowsBackend final : public ShtBackend {
public:
    CudaWindowsBackend(const ShtParameters& p, const RingGrid& grid, int device, int64_t bytes)
        : ShtBackend(p, grid),
          name_("CUDA device " + std::to_string(device) + ", maps in windows of rings"),
          device_(device),
          bytes_(bytes),
          copies_(device) {}

    std::string_view name() const override { return name_; }
    std::string remark() const override {
        return "the device has too little memory for whole maps, which pass through in windows of "
               "rings: that takes longer";
    }
    ShtSteps steps() const override { return steps_; }
    int64_t analysisBytes(size_t) const override {
        // Pixel weights, unpacked.
        return parameters().weights == Weights::Pixel ? 24 * grid().sampleCount() : 0;
    }

    void synthesis(int spin, std::span<const Alm> alm, std::span<const MapSamples> maps,
                   JobContext& job) override {
        forEachField(spin, maps.size(), job, [&](size_t first, size_t n, JobContext& part) {
            makeArrays(n, Passes::Synthesis);
            for (size_t c = 0; c < n; ++c) upload(alm[first + c], alm_[c], part);
            forEachWindow(n, part, [&](const RingWindow& window, JobContext& share) {
                synthesize(spin, alm_, map_, share);
                for (size_t c = 0; c < n; ++c) download(map_[c], maps[first + c], window, share);
            });
        });
    }
    void gradient(const Alm& alm, MapSamples dTheta, MapSamples dPhi, JobContext& job) override {
        steps_ = {};
        makeArrays(2, Passes::Synthesis);
        upload(alm, alm_[0], job);
        forEachWindow(2, job, [&](const RingWindow& window, JobContext& share) {
            transform_->gradient(alm_[0], map_[0], map_[1], share);
            note();
            download(map_[0], dTheta, window, share);
            download(map_[1], dPhi, window, share);
        });
    }
    // a_0 = 0, a_k+1 = a_k + A (map - S a_k), as HEALPix's map2alm_iter; what is added to a_k is
    // summed beside it while windows still need a_k.
    void analysis(int spin, std::span<const ConstMapSamples> maps, std::span<Alm> alm,
                  JobContext& job) override {
        const int iterations = parameters().iterations;
        prepareWeights(job);
        forEachField(spin, maps.size(), job, [&](size_t first, size_t n, JobContext& part) {
            makeArrays(n, iterations > 0 ? Passes::Iterations : Passes::Analysis);
            for (size_t c = 0; c < n; ++c) alm_[c].fill(0.0);
            const auto fields = maps.subspan(first, n);
            for (int k = 0; k <= iterations; ++k) {
                for (size_t c = 0; k > 0 && c < n; ++c) sum_[c].copyFrom(alm_[c]);
                JobContext pass = part.part(k / (1.0 + iterations), (k + 1) / (1.0 + iterations));
                forEachWindow(n, pass, [&](const RingWindow& window, JobContext& share) {
                    addQuadrature(spin, fields, k, window, share);
                });
                for (size_t c = 0; k > 0 && c < n; ++c) std::swap(alm_[c], sum_[c]);
            }
            for (size_t c = 0; c < n; ++c)
                timed([&] { copies_.download(alm_[c], alm[first + c], part); });
        });
    }

private:
    enum class Passes { Synthesis, Analysis, Iterations };

    void makeArrays(size_t components, Passes passes) {
        const ShtParameters& p = parameters();
        const auto coefficients = static_cast<size_t>(2 * Alm::count(p.lmax, p.mmax));
        const int count = cudaWindowsFor(bytes_, components, passes == Passes::Iterations ? 2 : 1,
                                         {grid().sampleCount(), p.lmax, p.mmax});
        if (count == 0)
            throw OutOfMemory("expected memory on the device for coefficients of lmax " +
                              std::to_string(p.lmax) + ", found " + std::to_string(bytes_) +
                              " bytes");
        if (windows_.empty() || count != count_ || passes != passes_ || components > map_.size()) {
            // What is there makes room first.
            transform_.reset();
            map_.clear();
            residual_.clear();
            sum_.clear();
            count_ = count;
            passes_ = passes;
            windows_ = ringWindows(grid(), count);
        }
        while (alm_.size() < components) alm_.emplace_back(device_, coefficients);
        while (passes == Passes::Iterations && sum_.size() < components)
            sum_.emplace_back(device_, coefficients);
    }
    template <typename Body>
    void forEachField(int spin, size_t maps, JobContext& job, const Body& body) {
        steps_ = {};
        const size_t n = componentsOf(spin);
        for (size_t i = 0; i < maps; i += n) {
            JobContext part = job.part(static_cast<double>(i) / static_cast<double>(maps),
                                       static_cast<double>(i + n) / static_cast<double>(maps));
            body(i, n, part);
        }
    }
    // Calls body(window, job) with the window's transform and arrays for `components` at hand.
    template <typename Body>
    void forEachWindow(size_t components, JobContext& job, const Body& body) {
        const ShtParameters& p = parameters();
        const auto all = static_cast<double>(windows_.size());
        for (size_t i = 0; i < windows_.size(); ++i) {
            JobContext share =
                job.part(static_cast<double>(i) / all, static_cast<double>(i + 1) / all);
            const RingWindow& window = windows_[i];
            const auto samples = static_cast<size_t>(window.grid.sampleCount());
            if (!transform_ || present_ != i) {
                transform_.reset();
                map_.clear();
                residual_.clear();
                transform_.emplace(window.grid, p.lmax, p.mmax, device_);
                present_ = i;
            }
            while (map_.size() < components) map_.emplace_back(device_, samples);
            while (passes_ == Passes::Iterations && residual_.size() < components)
                residual_.emplace_back(device_, samples);
            body(window, share);
        }
    }

    void synthesize(int spin, std::vector<CudaArray>& alm, std::vector<CudaArray>& maps,
                    JobContext& job) {
        if (spin == 0)
            transform_->synthesis(alm[0], maps[0], job);
        else
            transform_->synthesisSpin(spin, alm[0], alm[1], maps[0], maps[1], job);
        note();
    }
    // What a window adds to the coefficients in pass `k`.
    void addQuadrature(int spin, std::span<const ConstMapSamples> maps, int k,
                       const RingWindow& window, JobContext& job) {
        JobContext back = job.part(0.0, k > 0 ? 0.5 : 0.0),
                   forth = job.part(k > 0 ? 0.5 : 0.0, 1.0);
        for (size_t c = 0; c < maps.size(); ++c) upload(maps[c], map_[c], window, back);
        if (k > 0) {
            synthesize(spin, alm_, residual_, back);
            for (size_t c = 0; c < maps.size(); ++c) residual_[c].subtractFrom(map_[c]);
        }
        std::vector<CudaArray>& from = k > 0 ? residual_ : map_;
        std::vector<CudaArray>& to = k > 0 ? sum_ : alm_;
        if (!pixelFactor_.empty()) {
            // With iterations the map, which is in the way no more, makes room for the factors.
            std::optional<CudaArray> more;
            if (k == 0) more.emplace(device_, from[0].size());
            CudaArray& factors = k > 0 ? map_[0] : *more;
            upload(std::span<const double>(pixelFactor_), factors, window, forth);
            for (size_t c = 0; c < maps.size(); ++c) from[c].multiply(factors);
        }
        std::vector<double> weights;
        for (const int ring : window.rings)
            weights.push_back(sampleWeight_[static_cast<size_t>(ring)]);
        if (spin == 0)
            transform_->adjoint(from[0], weights, to[0], forth);
        else
            transform_->adjointSpin(spin, from[0], from[1], weights, to[0], to[1], forth);
        note();
    }

    void prepareWeights(JobContext& job) {
        const ShtParameters& p = parameters();
        if (sampleWeight_.empty()) sampleWeight_ = sampleWeights(p, grid(), job);
        if (p.weights != Weights::Pixel || !pixelFactor_.empty()) return;
        const std::vector<double> ones(static_cast<size_t>(grid().sampleCount()), 1.0);
        pixelFactor_ = timesPixelWeights(std::span(ones), p.nside, pixelWeights(p.nside, job));
    }

    // The runs of a window, between the map on the host and the array of the window.
    template <typename Samples, typename Copy>
    void forEachRun(const Samples& map, const RingWindow& window, const Copy& copy) {
        size_t at = 0;
        for (const RingWindow::Run& run : window.runs) {
            const auto count = static_cast<size_t>(run.count);
            if (count > 0)
                timed([&] { copy(partOf(map, static_cast<size_t>(run.first), count), at); });
            at += count;
        }
    }
    void upload(const Alm& from, CudaArray& to, JobContext& job) {
        timed([&] { copies_.upload(from, to, job); });
    }
    void upload(const ConstMapSamples& from, CudaArray& to, const RingWindow& window,
                JobContext& job) {
        forEachRun(from, window, [&](const ConstMapSamples& part, size_t at) {
            copies_.upload(part, to, job, at);
        });
    }
    void download(const CudaArray& from, const MapSamples& to, const RingWindow& window,
                  JobContext& job) {
        forEachRun(to, window, [&](const MapSamples& part, size_t at) {
            copies_.download(from, part, job, at);
        });
    }

    void note() {
        steps_.legendre += transform_->steps().legendre;
        steps_.fft += transform_->steps().fft;
        int64_t bytes = transform_->deviceBytes();
        for (const auto* arrays : {&map_, &alm_, &residual_, &sum_})
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

    std::string name_;
    int device_;
    int64_t bytes_;
    HostCopies copies_;
    int count_ = 0;
    Passes passes_ = Passes::Synthesis;
    std::vector<RingWindow> windows_;
    size_t present_ = 0;  // the window of transform_, map_ and residual_
    std::optional<CudaRingTransform> transform_;
    std::vector<CudaArray> alm_, sum_, map_, residual_;
    std::vector<double> sampleWeight_, pixelFactor_;
    ShtSteps steps_;
};

}  // namespace

int cudaWindowsFor(int64_t bytes, size_t components, int64_t sets, const CudaWindowSize& size) {
    // What a transform takes beside maps and coefficients, measured at nside 2048: tables and
    // slices of orders one and a half times the coefficients, modes beyond the rings a little of
    // the map.
    const auto n = static_cast<double>(components), each = static_cast<double>(sets);
    const double coefficients =
        16.0 * n * (each + 1.5) * static_cast<double>(Alm::count(size.lmax, size.mmax));
    const double map = 8.0 * n * (each + 0.25) * static_cast<double>(size.samples);
    const double room = static_cast<double>(bytes) - coefficients;
    constexpr double kMostWindows = 1000.0;
    return room * kMostWindows < map ? 0 : static_cast<int>(std::ceil(map / room));
}

std::unique_ptr<ShtBackend> makeCudaWindowsBackend(const ShtParameters& parameters,
                                                   const RingGrid& grid, int device,
                                                   int64_t bytes) {
    return std::make_unique<CudaWindowsBackend>(parameters, grid, device, bytes);
}

}  // namespace armilla
