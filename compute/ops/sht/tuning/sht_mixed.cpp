// SPDX-License-Identifier: GPL-3.0-or-later
// Transforms that divide their steps between a CUDA device and the CPU: Legendre sums on one side,
// ring FFTs on the other. Between the steps F_m pass through host memory in the device's layout: in
// arrays of the size of maps, and in a separate tail for the modes that do not fit there.
#include <algorithm>
#include <chrono>
#include <complex>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/seconds_since.h"
#include "armilla/device/cuda_devices.h"
#include "armilla/device/host_copies.h"
#include "sht/plan/ring_transform.h"
#include "sht/plan/ring_transform_cuda.h"
#include "sht/plan/sht_cuda.h"
#include "sht/plan/sht_host_backend.h"
#include "sht/storage/large_array.h"

namespace armilla {

namespace {

using Complex = std::complex<double>;
using Clock = std::chrono::steady_clock;

// Pairs of rings in one range of a thread: milliseconds of work.
constexpr long long kPairGrain = 16;

// F_m of one component on the host, in the device's layout.
struct HostModes {
    explicit HostModes(size_t samples) : rings(samples) {}
    Complex& at(const ModePlaces& place, bool south, int m) {
        if (m < place.inRing)
            return reinterpret_cast<Complex*>(storage + (south ? place.south : place.north))[m];
        const int64_t tail = place.tail + (south ? place.modesInTail() : 0);
        return tails[static_cast<size_t>(tail + m - place.inRing)];
    }
    std::span<double> tailNumbers() {
        return {reinterpret_cast<double*>(tails.data()), 2 * tails.size()};
    }

    LargeArray<double> rings;
    std::vector<Complex> tails;
    double* storage = nullptr;  // `rings`, or a map whose memory holds F_m
};

// The device's half of a transform, and the copies between the halves.
class DeviceHalf {
public:
    DeviceHalf(const RingGrid& grid, int lmax, int mmax, int device,
               const CudaTransformShape& shape)
        : grid_(grid),
          coefficients_(static_cast<size_t>(2 * Alm::count(lmax, mmax))),
          device_(device),
          transform_(grid, lmax, mmax, device, shape),
          copies_(device) {}

    CudaRingTransform& transform() { return transform_; }
    const RingGrid& grid() const { return grid_; }
    const std::vector<ModePlaces>& places(int spin) {
        std::vector<ModePlaces>& places = places_[spin];
        if (places.empty()) places = transform_.modePlaces(spin);
        return places;
    }
    // The first arrays on the device.
    std::span<CudaArray> maps(size_t count) {
        while (maps_.size() < count)
            maps_.emplace_back(device_, static_cast<size_t>(grid_.sampleCount()));
        return std::span(maps_).first(count);
    }
    std::span<CudaArray> coefficients(size_t count) {
        while (alm_.size() < count) alm_.emplace_back(device_, coefficients_);
        return std::span(alm_).first(count);
    }
    // The buffer for F_m of a component: the memory of `map` if that holds doubles.
    HostModes& modes(int spin, size_t component, const MapSamples* map = nullptr) {
        HostModes& modes = modesOf(component, map);
        const ModePlaces& last = places(spin).back();
        modes.tails.resize(static_cast<size_t>(last.tail + 2 * last.modesInTail()));
        return modes;
    }
    // `component`: its number in the field that is transformed.
    void upload(HostModes& from, CudaArray& map, int component, JobContext& job) {
        times.copying([&] {
            copies_.upload(std::span<const double>(from.storage, map.size()), map, job);
            transform_.uploadTails(component, from.tailNumbers());
        });
    }
    void download(const CudaArray& map, int component, HostModes& to, JobContext& job) {
        times.copying([&] {
            copies_.download(map, std::span(to.storage, map.size()), job);
            transform_.downloadTails(component, to.tailNumbers());
        });
    }
    // Adds the steps of the last transform to `times`.
    void note() { times.note(transform_, transform_.deviceBytes() + bytesOf({&maps_, &alm_})); }
    HostCopies& copies() { return copies_; }

    CudaTimes times;  // since the caller's last reset

private:
    HostModes& modesOf(size_t component, const MapSamples* map) {
        const std::span<double>* doubles =
            map == nullptr ? nullptr : std::get_if<std::span<double>>(map);
        const size_t own = doubles == nullptr ? static_cast<size_t>(grid_.sampleCount()) : 0;
        auto& all = doubles == nullptr ? apart_ : inMaps_;
        while (all.size() <= component) all.emplace_back(own);
        all[component].storage = doubles == nullptr ? all[component].rings.data() : doubles->data();
        return all[component];
    }

    const RingGrid& grid_;
    size_t coefficients_;
    int device_;
    CudaRingTransform transform_;
    HostCopies copies_;
    std::map<int, std::vector<ModePlaces>> places_;  // for each spin
    std::vector<CudaArray> maps_, alm_;
    std::vector<HostModes> apart_, inMaps_;
};

// Ring FFTs of a device for a RingTransform.
class CudaRingStage final : public RingStage {
public:
    CudaRingStage(const RingGrid& grid, int lmax, int mmax, int device)
        : half_(grid, lmax, mmax, device, {}) {}

    ShtSteps synthesize(int spin, const ReadModes& read, std::span<const MapSamples> maps,
                        JobContext& job) override {
        half_.times = {};
        // One field at a time; `maps` may hold several fields of spin 0.
        const size_t each = componentsOf(spin);
        for (size_t first = 0; first < maps.size(); first += each) {
            const auto arrays = half_.maps(each);
            for (size_t c = 0; c < each; ++c) {
                HostModes& buffer = half_.modes(spin, c);
                const int component = static_cast<int>(first + c);
                half_.times.copying(
                    [&] { arrange(half_.places(spin), read, component, buffer, job); });
                half_.upload(buffer, arrays[c], static_cast<int>(c), job);
            }
            half_.transform().synthesisRings(spin, arrays, job);
            half_.note();
            half_.times.copying([&] {
                for (size_t c = 0; c < each; ++c)
                    half_.copies().download(arrays[c], maps[first + c], job);
            });
        }
        return half_.times.steps;
    }
    ShtSteps analyze(int spin, std::span<const ConstMapSamples> maps,
                     std::span<const double> weights, JobContext& job) override {
        half_.times = {};
        places_ = &half_.places(spin);
        const size_t each = componentsOf(spin);
        for (size_t first = 0; first < maps.size(); first += each) {
            const auto arrays = half_.maps(each);
            half_.times.copying([&] {
                for (size_t c = 0; c < each; ++c)
                    half_.copies().upload(maps[first + c], arrays[c], job);
            });
            half_.transform().adjointRings(spin, arrays, weights, job);
            half_.note();
            for (size_t c = 0; c < each; ++c)
                half_.download(arrays[c], static_cast<int>(c), half_.modes(spin, first + c), job);
        }
        modes_.clear();
        for (size_t c = 0; c < maps.size(); ++c) modes_.push_back(&half_.modes(spin, c));
        return half_.times.steps;
    }
    void tiles(int pair, int component, int modes, const TileRuns& tiles) const override {
        const ModePlaces& place = (*places_)[static_cast<size_t>(pair)];
        HostModes& held = *modes_[static_cast<size_t>(component)];
        tiles.forEach(std::min(modes, place.modes), [&](int m, ModeTile& tile, int i) {
            tile.north(i) = held.at(place, false, m);
            tile.south(i) = place.south >= 0 ? held.at(place, true, m) : 0.0;
        });
    }

private:
    // Stores F_m in the device's layout, 0 where there are none.
    static void arrange(const std::vector<ModePlaces>& places, const ReadModes& read, int component,
                        HostModes& to, JobContext& job) {
        parallelFor(job, static_cast<long long>(places.size()), kPairGrain,
                    [&](long long begin, long long end) {
                        std::vector<Complex> modes;
                        for (auto i = static_cast<int>(begin); i < static_cast<int>(end); ++i) {
                            const ModePlaces& place = places[static_cast<size_t>(i)];
                            for (const bool south : {false, true}) {
                                if (south && place.south < 0) continue;
                                read(i, south, component, modes);
                                modes.resize(static_cast<size_t>(place.modes));
                                for (int m = 0; m < place.modes; ++m)
                                    to.at(place, south, m) = modes[static_cast<size_t>(m)];
                            }
                        }
                    });
    }

    DeviceHalf half_;
    // State of the current analysis.
    const std::vector<ModePlaces>* places_ = nullptr;
    std::vector<HostModes*> modes_;
};

// Legendre sums on the CPU, ring FFTs on a device.
class CpuSumsTransform : public RingTransform {
public:
    CpuSumsTransform(const RingGrid& grid, int lmax, int mmax, JobContext& job, LatitudeSums sums,
                     int device)
        : RingTransform(grid, lmax, mmax, job, sums), stage_(this->grid(), lmax, mmax, device) {
        setRingStage(&stage_);
    }

private:
    CudaRingStage stage_;
};

// Legendre sums on a device, ring FFTs on the CPU, with the functions of RingTransform.
class CudaSumsTransform {
public:
    CudaSumsTransform(const RingGrid& grid, int lmax, int mmax, JobContext& job,
                      const CudaTransformShape& shape, int device)
        : grid_(grid), mmax_(mmax), fft_(grid, job), half_(grid_, lmax, mmax, device, shape) {}

    const ShtSteps& steps() const { return half_.times.steps; }
    // Bytes for F_m of the maps.
    int64_t analysisBytes(int components) const {
        return components <= components_ ? 0 : (components - components_) * 8 * grid_.sampleCount();
    }

    void synthesis(std::span<const Alm> alm, std::span<const MapSamples> maps, JobContext& job) {
        half_.times = {};
        for (size_t i = 0; i < maps.size(); ++i) synthesize(0, {&alm[i]}, {&maps[i], 1}, job);
    }
    void synthesisSpin(int spin, const Alm& e, const Alm& b, MapSamples q, MapSamples u,
                       JobContext& job) {
        half_.times = {};
        const MapSamples maps[] = {q, u};
        synthesize(spin, {&e, &b}, maps, job);
    }
    void gradient(const Alm& alm, MapSamples dTheta, MapSamples dPhi, JobContext& job) {
        if (grid_.rings.front().sinTheta == 0.0 || grid_.rings.back().sinTheta == 0.0)
            throw InvalidArgument("expected a grid without poles for the gradient, found one with");
        half_.times = {};
        const auto from = upload({&alm}, job);
        for (const auto& [part, map] :
             {std::pair(GradientPart::Theta, dTheta), std::pair(GradientPart::Phi, dPhi)})
            sumsToSamples(0, {&map, 1}, job, [&, part = part](std::span<CudaArray> arrays) {
                half_.transform().gradientSums(from[0], part, arrays[0], job);
            });
    }
    void adjoint(std::span<const ConstMapSamples> maps, std::span<const double> weights,
                 std::span<Alm> alm, JobContext& job) {
        half_.times = {};
        for (size_t i = 0; i < maps.size(); ++i)
            accumulate(0, {&maps[i], 1}, weights, {&alm[i]}, job);
    }
    void adjointSpin(int spin, ConstMapSamples q, ConstMapSamples u,
                     std::span<const double> weights, Alm& e, Alm& b, JobContext& job) {
        half_.times = {};
        const ConstMapSamples maps[] = {q, u};
        accumulate(spin, maps, weights, {&e, &b}, job);
    }

private:
    std::span<CudaArray> upload(std::initializer_list<const Alm*> alm, JobContext& job) {
        const auto to = half_.coefficients(alm.size());
        half_.times.copying([&] {
            size_t c = 0;
            for (const Alm* one : alm) half_.copies().upload(*one, to[c++], job);
        });
        return to;
    }
    void synthesize(int spin, std::initializer_list<const Alm*> alm,
                    std::span<const MapSamples> maps, JobContext& job) {
        const auto from = upload(alm, job);
        sumsToSamples(spin, maps, job, [&](std::span<CudaArray> arrays) {
            half_.transform().synthesisSums(spin, from, arrays, job);
        });
    }
    // `sums(arrays)` writes F_m into arrays on the device.
    template <typename Sums>
    void sumsToSamples(int spin, std::span<const MapSamples> maps, JobContext& job,
                       const Sums& sums) {
        const auto arrays = half_.maps(maps.size());
        sums(arrays);
        half_.note();
        for (size_t c = 0; c < maps.size(); ++c) {
            HostModes& modes = half_.modes(spin, c, &maps[c]);
            half_.download(arrays[c], static_cast<int>(c), modes, job);
            const auto start = Clock::now();
            toSamples(spin, modes, job);
            if (const auto* singles = std::get_if<std::span<float>>(&maps[c]))
                parallelFor(job, static_cast<long long>(singles->size()), kPixelGrain,
                            [&](long long begin, long long end) {
                                std::transform(modes.storage + begin, modes.storage + end,
                                               singles->begin() + begin, [](double value) {
                                                   return static_cast<float>(value);
                                               });
                            });
            half_.times.steps.fft += secondsSince(start);
        }
    }
    // alm += the sums of the maps.
    void accumulate(int spin, std::span<const ConstMapSamples> maps,
                    std::span<const double> weights, std::initializer_list<Alm*> alm,
                    JobContext& job) {
        const auto arrays = half_.maps(maps.size());
        for (size_t c = 0; c < maps.size(); ++c) {
            HostModes& modes = half_.modes(spin, c);
            const auto start = Clock::now();
            std::visit([&](const auto& map) { fromSamples(spin, map, weights, modes, job); },
                       maps[c]);
            half_.times.steps.fft += secondsSince(start);
            half_.upload(modes, arrays[c], static_cast<int>(c), job);
        }
        components_ = std::max(components_, static_cast<int>(maps.size()));
        const auto sums = half_.coefficients(alm.size());
        for (CudaArray& one : sums) one.fill(0.0);
        half_.transform().adjointSums(spin, arrays, sums, job);
        half_.note();
        half_.times.copying([&] {
            size_t c = 0;
            for (Alm* one : alm) half_.copies().addTo(*one, sums[c++], job);
        });
    }

    const Ring& ringOf(int index) const { return grid_.rings[static_cast<size_t>(index)]; }
    // Calls body(place, workspace) for all pairs.
    template <typename Body>
    void forEachPair(int spin, JobContext& job, const Body& body) {
        const std::vector<ModePlaces>& places = half_.places(spin);
        parallelFor(job, static_cast<long long>(places.size()), kPairGrain,
                    [&](long long begin, long long end) {
                        RingFft::Workspace work(fft_, mmax_);
                        for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
                            body(places[i], work);
                    });
    }
    // F_m to samples, in place.
    void toSamples(int spin, HostModes& modes, JobContext& job) {
        forEachPair(spin, job, [&](const ModePlaces& at, RingFft::Workspace& work) {
            const auto side = [&](int ring, bool south) {
                return RingFft::Side<double>{
                    modes.storage + ringOf(ring).first,
                    {&modes.at(at, south, 0),
                     modes.tails.data() + at.tail + (south ? at.modesInTail() : 0), at.inRing,
                     at.modes}};
            };
            RingFft::Side<double> sides[2];
            sides[0] = side(at.northRing, false);
            if (at.southRing >= 0) sides[1] = side(at.southRing, true);
            fft_.synthesize(ringOf(at.northRing), sides[0], sides[1], work);
        });
    }
    template <typename Sample>
    void fromSamples(int spin, std::span<const Sample> map, std::span<const double> weights,
                     HostModes& modes, JobContext& job) {
        forEachPair(spin, job, [&](const ModePlaces& at, RingFft::Workspace& work) {
            const auto side = [&](int ring) {
                return RingFft::WeightedSide<Sample>{map.data() + ringOf(ring).first,
                                                     weights[static_cast<size_t>(ring)]};
            };
            RingFft::WeightedSide<Sample> sides[2];
            sides[0] = side(at.northRing);
            if (at.southRing >= 0) sides[1] = side(at.southRing);
            const int perHalf = (at.modes + kTileSpan - 1) / kTileSpan;
            std::vector<ModeTile> tiles(static_cast<size_t>(kTileHalves * perHalf));
            TileRuns runs;
            for (int i = 0; i < kTileHalves * perHalf; ++i)
                runs.half[i / perHalf].tiles.push_back(&tiles[static_cast<size_t>(i)]);
            fft_.analyze(ringOf(at.northRing), sides[0], sides[1], at.modes, runs, work);
            runs.forEach(at.modes, [&](int m, const ModeTile& tile, int i) {
                modes.at(at, false, m) = tile.north(i);
                if (at.southRing >= 0) modes.at(at, true, m) = tile.south(i);
            });
        });
    }

    RingGrid grid_;
    int mmax_;
    RingFft fft_;
    DeviceHalf half_;
    int components_ = 0;  // components whose F_m of an analysis fit the buffers
};

}  // namespace

std::unique_ptr<ShtBackend> makeMixedBackend(const ShtParameters& p, const RingGrid& grid,
                                             const Device& device, JobContext& job) {
    const ShtTuning tuning = p.tuning.value_or(ShtTuning{});
    requireCudaDevice(device.index);
    const std::string cpu = std::string("CPU, ") + simdName();
    const std::string cuda = "CUDA device " + std::to_string(device.index);
    if (device.kind == DeviceKind::Cpu)
        return std::make_unique<HostBackend<CpuSumsTransform>>(
            p, grid, cpu + "; ring FFTs on " + cuda, job, tuning.latitudes, device.index);
    return std::make_unique<HostBackend<CudaSumsTransform>>(
        p, grid, cuda + "; ring FFTs on the " + cpu, job, cudaShapeOf(tuning), device.index);
}

}  // namespace armilla
