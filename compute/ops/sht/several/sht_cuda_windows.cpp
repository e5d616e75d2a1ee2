// SPDX-License-Identifier: GPL-3.0-or-later
// A CUDA device's part in the transforms of one map, of which several devices process some rings
// each. If the memory of a device does not hold its part, coefficients stay on the device and the
// rings are processed in windows.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/device/host_copies.h"
#include "armilla/device/squared_norm.h"
#include "sht/plan/ring_transform_cuda.h"
#include "sht/plan/ring_windows.h"
#include "sht/plan/sht_cuda.h"

namespace armilla {

namespace {

class CudaRingShare final : public RingShare {
public:
    CudaRingShare(const ShtParameters& p, std::shared_ptr<const RingGrid> grid, RingRange range,
                  const CudaPlace& place)
        : lmax_(p.lmax),
          mmax_(p.mmax),
          iterates_(p.iterations > 0),
          grid_(std::move(grid)),
          range_(range),
          place_(place),
          bytes_(place.bytes > 0 ? place.bytes : cudaBytesFor(place.device)),
          copies_(place.device) {}

    ShtSteps synthesis(int spin, std::span<const Alm> alm, std::span<const MapSamples> maps,
                       JobContext& job) override {
        makeArrays(alm.size(), 1);
        upload(alm, job);
        forEachWindow(maps.size(), job, [&](Window& at, JobContext& part) {
            synthesize(spin, at, at.map, part);
            for (size_t c = 0; c < maps.size(); ++c) download(at, c, maps[c], part);
        });
        return take();
    }
    ShtSteps gradient(const Alm& alm, MapSamples dTheta, MapSamples dPhi,
                      JobContext& job) override {
        makeArrays(2, 1);
        upload({&alm, 1}, job);
        forEachWindow(2, job, [&](Window& at, JobContext& part) {
            at.transform->gradient(alm_[0], at.map[0], at.map[1], part);
            note(at);
            download(at, 0, dTheta, part);
            download(at, 1, dPhi, part);
        });
        return take();
    }
    // An adjoint overwrites its input, so a map that is needed again is copied first.
    ShtSteps quadrature(int spin, std::span<const ConstMapSamples> maps,
                        const QuadratureWeights& weights, int pass, std::span<const Alm> alm,
                        JobContext& job) override {
        const size_t n = maps.size();
        makeArrays(n, iterates_ ? 2 : 1);
        if (pass > 0) upload(alm, job);
        std::vector<CudaArray>& sums = iterates_ ? sum_ : alm_;
        for (size_t c = 0; c < n; ++c) sums[c].fill(0.0);
        squares_ = 0.0;
        forEachWindow(n, job, [&](Window& at, JobContext& part) {
            const double half = pass > 0 ? 0.5 : 0.0;
            JobContext back = part.part(0.0, half), forth = part.part(half, 1.0);
            for (size_t c = 0; c < n && !(pass > 0 && at.holdsMaps); ++c)
                upload(maps[c], at, at.map[c], back);
            at.holdsMaps = iterates_;
            std::vector<CudaArray>& from = iterates_ ? at.residual : at.map;
            if (pass > 0) synthesize(spin, at, from, back);
            for (size_t c = 0; c < n; ++c) {
                if (pass > 0)
                    from[c].subtractFrom(at.map[c]);
                else if (iterates_)
                    from[c].copyFrom(at.map[c]);
                if (iterates_) squares_ += squaredNorm(from[c], place_.device);
            }
            if (!weights.ofSamples.empty()) {
                CudaArray factors(place_.device, from[0].size());
                upload(std::span(weights.ofSamples), at, factors, forth);
                for (size_t c = 0; c < n; ++c) from[c].multiply(factors);
            }
            std::vector<double> ofRings;
            for (const int ring : at.rings.rings)
                ofRings.push_back(weights.ofRings[static_cast<size_t>(ring)]);
            if (spin == 0)
                at.transform->adjoint(from[0], ofRings, sums[0], forth);
            else
                at.transform->adjointSpin(spin, from[0], from[1], ofRings, sums[0], sums[1], forth);
            note(at);
        });
        return take();
    }
    double squares() const override { return squares_; }
    ShtSteps collect(Sum sum, std::span<Alm> alm, JobContext& job) override {
        const std::vector<CudaArray>& sums = iterates_ ? sum_ : alm_;
        times_.copying([&] {
            for (size_t c = 0; c < alm.size(); ++c)
                sum == Sum::Set ? copies_.download(sums[c], alm[c], job)
                                : copies_.addTo(alm[c], sums[c], job);
        });
        return take();
    }

private:
    // A window as a separate grid; its transform and arrays are constructed before its first use.
    struct Window {
        RingWindow rings;
        std::optional<CudaRingTransform> transform;
        std::vector<CudaArray> map, residual;
        bool holdsMaps = false;  // the arrays hold the maps of pass 0

        void clear() {
            transform.reset();
            map.clear();
            residual.clear();
            holdsMaps = false;
        }
        int64_t bytes() const {
            return (transform ? transform->deviceBytes() : 0) + bytesOf({&map, &residual});
        }
    };

    // Divides the rings for `components` components and `sets` sets of maps and coefficients.
    void makeArrays(size_t components, int sets) {
        const auto coefficients = static_cast<size_t>(2 * Alm::count(lmax_, mmax_));
        const int count =
            cudaWindowsFor(bytes_, components, sets, {samplesOf(*grid_, range_), lmax_, mmax_});
        if (count == 0)
            throw OutOfMemory("expected memory on the device for coefficients of lmax " +
                              std::to_string(lmax_) + ", found " + std::to_string(bytes_) +
                              " bytes");
        if (count > count_) {
            // Frees the old windows first.
            windows_.clear();
            count_ = count;
            for (RingWindow& rings : ringWindows(*grid_, range_, count))
                windows_.emplace_back().rings = std::move(rings);
        }
        while (alm_.size() < components) alm_.emplace_back(place_.device, coefficients);
        while (iterates_ && sets > 1 && sum_.size() < components)
            sum_.emplace_back(place_.device, coefficients);
    }
    // Calls body(window, job) with the window's transform and arrays for `components` allocated.
    // They are kept for the next pass while there is memory for one more such window.
    template <typename Body>
    void forEachWindow(size_t components, JobContext& job, const Body& body) {
        const auto all = static_cast<double>(windows_.size());
        for (size_t i = 0; i < windows_.size(); ++i) {
            JobContext part =
                job.part(static_cast<double>(i) / all, static_cast<double>(i + 1) / all);
            Window& at = windows_[i];
            const auto samples = static_cast<size_t>(at.rings.grid.sampleCount());
            if (!at.transform)
                at.transform.emplace(at.rings.grid, lmax_, mmax_, place_.device, place_.shape);
            while (at.map.size() < components) at.map.emplace_back(place_.device, samples);
            while (iterates_ && !sum_.empty() && at.residual.size() < components)
                at.residual.emplace_back(place_.device, samples);
            body(at, part);
            if (windows_.size() > 1 && heldBytes() + at.bytes() > bytes_) at.clear();
        }
    }
    int64_t heldBytes() const {
        int64_t bytes = bytesOf({&alm_, &sum_});
        for (const Window& window : windows_) bytes += window.bytes();
        return bytes;
    }

    void synthesize(int spin, Window& at, std::vector<CudaArray>& maps, JobContext& job) {
        if (spin == 0)
            at.transform->synthesis(alm_[0], maps[0], job);
        else
            at.transform->synthesisSpin(spin, alm_[0], alm_[1], maps[0], maps[1], job);
        note(at);
    }

    // Copies the runs of a window between the map on the host and the window's array.
    template <typename Samples, typename Copy>
    void forEachRun(const Samples& map, const Window& window, const Copy& copy) {
        size_t at = 0;
        for (const SampleRun& run : window.rings.runs) {
            const auto count = static_cast<size_t>(run.count);
            if (count > 0)
                times_.copying(
                    [&] { copy(partOf(map, static_cast<size_t>(run.first), count), at); });
            at += count;
        }
    }
    void upload(std::span<const Alm> alm, JobContext& job) {
        times_.copying([&] {
            for (size_t c = 0; c < alm.size(); ++c) copies_.upload(alm[c], alm_[c], job);
        });
    }
    void upload(const ConstMapSamples& from, const Window& window, CudaArray& to, JobContext& job) {
        forEachRun(from, window, [&](const ConstMapSamples& part, size_t at) {
            copies_.upload(part, to, job, at);
        });
    }
    void download(const Window& window, size_t component, const MapSamples& to, JobContext& job) {
        forEachRun(to, window, [&](const MapSamples& part, size_t at) {
            copies_.download(window.map[component], part, job, at);
        });
    }

    void note(const Window& at) { times_.note(*at.transform, heldBytes()); }
    ShtSteps take() { return std::exchange(times_.steps, {}); }

    int lmax_, mmax_;
    bool iterates_;
    std::shared_ptr<const RingGrid> grid_;
    RingRange range_;
    CudaPlace place_;
    int64_t bytes_;
    HostCopies copies_;
    int count_ = 0;
    std::vector<Window> windows_;
    std::vector<CudaArray> alm_, sum_;
    double squares_ = 0.0;
    CudaTimes times_;
};

}  // namespace

int cudaWindowsFor(int64_t bytes, size_t components, int64_t sets, const CudaWindowSize& size) {
    // Memory of a transform in addition to maps and coefficients, measured at nside 2048: tables
    // and slices of orders one and a half times the coefficients, modes beyond the rings a small
    // fraction of the map.
    const auto n = static_cast<double>(components), each = static_cast<double>(sets);
    const double coefficients = size.share * 16.0 * n * (each + 1.5) *
                                static_cast<double>(Alm::count(size.lmax, size.mmax));
    const double map = 8.0 * n * (each + 0.25) * static_cast<double>(size.samples);
    const double workspace = static_cast<double>(bytes) - coefficients;
    constexpr double kMostWindows = 1000.0;
    return workspace * kMostWindows < map ? 0 : static_cast<int>(std::ceil(map / workspace));
}

std::unique_ptr<ShtBackend> makeCudaSharesBackend(const ShtParameters& p, const RingGrid& grid,
                                                  const std::vector<CudaPlace>& places) {
    std::vector<double> speeds;
    for (const CudaPlace& place : places) speeds.push_back(place.speed);
    const std::vector<RingRange> ranges = dividedRings(
        northernHalf(grid), speeds, [&](int ring) { return ringCost(grid, p.lmax, p.mmax, ring); });
    RingSharesSetup setup;
    const auto kept = std::make_shared<const RingGrid>(grid);
    for (size_t i = 0; i < ranges.size(); ++i) {
        setup.name += (i == 0 ? "CUDA device " : ", ") + std::to_string(places[i].device);
        setup.shares.emplace_back([p, kept, range = ranges[i], place = places[i]] {
            return std::make_unique<CudaRingShare>(p, kept, range, place);
        });
    }
    setup.name += ", maps in windows of rings";
    if (ranges.size() == 1)
        setup.remark =
            "the device has too little memory for whole maps, which pass through in windows of "
            "rings: that takes longer";
    return makeRingSharesBackend(p, grid, std::move(setup));
}

}  // namespace armilla
