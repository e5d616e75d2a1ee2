// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/device/cuda/picture_access.h"
#include "armilla/device/host_copies.h"
#include "convolve/live/gaussian_series.h"
#include "convolve/live/series_maps.cuh"
#include "convolve/live/smooth_live.h"
#include "shared/alm_window_cuda.cuh"
#include "sht/plan/ring_transform_stream_cuda.h"
#include "sht/plan/sht_cuda.h"

namespace armilla {

namespace {

// Staging buffers for B_l, for several requests in progress at once.
constexpr size_t kStages = 4;
// Tables of bands take at most 1 / kShareOfMemory of the device memory that is free at the start,
// and the maps of a series the same amount.
constexpr int64_t kShareOfMemory = 4;
// Working memory of a band, as CudaTransformShape::workShare. It is larger than elsewhere, for
// slices of orders so large that the waits between them are negligible, if the memory holds all
// bands. Bands are eighths of an octave apart, and their memory is proportional to l^2. Together
// they take 1 / (1 - 2^(-1/4)) times the memory of the widest one.
constexpr double kMostWork = 2.0, kAllBands = 6.3;

size_t doublesOf(int lmax) {
    return static_cast<size_t>(2 * Alm::count(lmax, lmax));
}

}  // namespace

struct LiveSmoothing::State {
    // The tables of a band, and a buffer for filtered coefficients of its size.
    struct Band {
        CudaRingTransform transform;
        std::vector<CudaArray> filtered;
        uint64_t lastUse = 0;

        int64_t bytes() const { return transform.deviceBytes() + bytesOf({&filtered}); }
    };
    struct Stage {
        cuda::PinnedBuffer<double> host;
        cuda::DeviceBuffer<double> bl;
        cuda::Event used;
    };

    State(const Analysis& of, const Device& onDevice)
        : on(onDevice),
          device(onDevice.index),
          key(of.key),
          exponent(of.exponent),
          maskOfField(of.maskOfField),
          adding(onDevice.index, cuda::Priority::High),
          done(onDevice.index) {}

    Band& bandOf(int band) {
        const auto found = bands.find(band);
        if (found == bands.end())
            throw InvalidArgument("expected tables for l up to " + std::to_string(band) +
                                  ", found none; call prepare() before a live request");
        found->second.lastUse = ++clock;
        return found->second;
    }
    // The B_l of T, E, B, contiguous, in device memory, valid for work in `stream`.
    const double* bringBeam(const Beam& beam, int lmax, const cuda::Stream& stream) {
        Stage& stage = stages[nextStage++ % kStages];
        const size_t each = static_cast<size_t>(key.lmax) + 1;
        stage.used.synchronize();  // the stage's request four requests ago
        std::fill_n(stage.host.data(), 3 * each, 0.0);
        for (size_t i = 0; i < 3; ++i) {
            const size_t count = std::min(beam.bl[i].size(), static_cast<size_t>(lmax) + 1);
            std::copy_n(beam.bl[i].begin(), count, stage.host.data() + i * each);
        }
        cuda::check(cudaMemcpyAsync(stage.bl.data(), stage.host.data(), 3 * each * sizeof(double),
                                    cudaMemcpyHostToDevice, stream.get()),
                    "copying a beam to the device");
        stage.used.record(stream);
        return stage.bl.data();
    }
    double workShare() const {
        const auto unit = 8.0 * static_cast<double>(pixelCount(key.nside)) +
                          8.0 * static_cast<double>(doublesOf(key.lmax));
        return std::clamp(static_cast<double>(budget) / (kAllBands * unit),
                          CudaTransformShape{}.workShare, kMostWork);
    }
    void filter(const CudaArray& from, const double* bl, int last, CudaArray& to, int lmax,
                const cuda::Stream& stream) const {
        cuda::applyAlmWindow(from, key.lmax, bl, last, to, lmax, stream);
    }

    // Enqueues on `stream` the work that fills the faces of a picture from the samples `values` of
    // a field.
    void fillFrom(const CudaArray& values, size_t field, DevicePicture& picture,
                  const cuda::Stream& stream, cuda::PictureSource source = {}) const {
        source.values = values.data();
        source.exponent = exponent[field];
        source.single = single[field];
        cuda::fillPicture(source, cells[field], picture, stream);
    }

    // Maps of a field times the terms of a series.
    struct Series {
        size_t field = 0;
        cuda::SeriesMaps maps;
    };

    Device on;
    int device;
    AnalysisKey key;
    std::vector<int> exponent, maskOfField;
    std::vector<CudaArray> alm, mask;  // coefficients as analyzed
    std::vector<CudaArray> map;  // samples of the fields that are computed at once, and of a mask
    std::vector<PictureCells> cells;  // for each field
    std::vector<bool> single;         // for each field
    std::vector<Stage> stages;
    size_t nextStage = 0;
    std::map<int, Band> bands;
    uint64_t clock = 0;
    int64_t budget = 0;
    std::optional<Series> series;
    cuda::Stream adding;
    cuda::Event done;  // end of the last request: the next one reuses its arrays
};

LiveSmoothing::LiveSmoothing(const Analysis& analysis, const std::vector<LiveField>& fields,
                             const Device& on, JobContext& job)
    : state_(std::make_unique<State>(analysis, on)) {
    State& s = *state_;
    const int device = s.device;
    ARMILLA_ASSERT(fields.size() == analysis.maskOfField.size());
    s.budget = CudaArray::freeBytes(device) / kShareOfMemory;
    HostCopies copies(device);
    const auto resident = [&](const std::vector<Alm>& from, std::vector<CudaArray>& to) {
        for (const Alm& alm : from) {
            to.emplace_back(device, doublesOf(s.key.lmax));
            copies.upload(alm, to.back(), job);
        }
    };
    resident(analysis.alm, s.alm);
    resident(analysis.mask, s.mask);
    const auto pixels = static_cast<size_t>(pixelCount(s.key.nside));
    const size_t maps = (s.key.polarization ? 3 : 1) + (s.mask.empty() ? 0 : 1);
    while (s.map.size() < maps) s.map.emplace_back(device, pixels);
    for (const LiveField& field : fields) {
        job.poll();
        s.cells.emplace_back(device, s.key.nside, field.bad);
        s.single.push_back(field.single);
    }
    const size_t each = 3 * (static_cast<size_t>(s.key.lmax) + 1);
    for (size_t i = 0; i < kStages; ++i)
        s.stages.push_back({cuda::PinnedBuffer<double>(device, each),
                            cuda::DeviceBuffer<double>(device, each), cuda::Event(device)});
}

LiveSmoothing::~LiveSmoothing() {
    // No work may still use the memory that is freed now.
    if (state_)
        cuda::onDevice(state_->device, "ending live smoothing",
                       [this] { return cudaEventSynchronize(state_->done.get()); });
}

bool LiveSmoothing::isPrepared(int band) const {
    return state_->bands.contains(band);
}

void LiveSmoothing::prepare(int band, JobContext& job) {
    State& s = *state_;
    if (isPrepared(band)) return;
    job.poll();
    const cuda::DeviceScope scope(s.device);
    const KeptTuning kept = keptTuning({s.on, s.key.nside, band, band});
    CudaTransformShape shape = cudaShapeOf(kept.tuning.value_or(ShtTuning{}));
    shape.live = true;
    shape.workShare = s.workShare();
    State::Band made{CudaRingTransform(RingGrid::healpix(s.key.nside), band, band, s.device, shape),
                     {},
                     ++s.clock};
    made.transform.prepareSynthesis(0, 1);
    if (!s.mask.empty()) made.transform.prepareSynthesis(0, 2);
    if (s.key.polarization) made.transform.prepareSynthesis(2, 2);
    const size_t arrays = s.key.polarization || !s.mask.empty() ? 2 : 1;
    while (made.filtered.size() < arrays) made.filtered.emplace_back(s.device, doublesOf(band));
    // The least recently used bands are freed.
    int64_t bytes = made.bytes();
    for (const auto& [lmax, other] : s.bands) bytes += other.bytes();
    while (bytes > s.budget && !s.bands.empty()) {
        const auto oldest = std::min_element(
            s.bands.begin(), s.bands.end(),
            [](const auto& a, const auto& b) { return a.second.lastUse < b.second.lastUse; });
        bytes -= oldest->second.bytes();
        s.done.synchronize();
        s.bands.erase(oldest);
    }
    s.bands.emplace(band, std::move(made));
}

void LiveSmoothing::enqueue(const Request& request, DevicePicture& picture) {
    State& s = *state_;
    ARMILLA_ASSERT(request.field < s.cells.size());
    State::Band& band = s.bandOf(request.band);
    const cuda::DeviceScope scope(s.device);
    const cuda::Stream& stream = cuda::streamOf(band.transform);
    s.done.holdBack(stream);
    const double* bl = s.bringBeam(*request.beam, request.reach, stream);
    const size_t each = static_cast<size_t>(s.key.lmax) + 1;
    const auto last = [&](size_t i) {
        return std::min(request.reach, static_cast<int>(request.beam->bl[i].size()) - 1);
    };
    const auto filter = [&](const CudaArray& from, size_t i, size_t to) {
        s.filter(from, bl + i * each, last(i), band.filtered[to], request.band, stream);
    };
    const size_t field = request.field;
    const int mask = request.masked == Masked::Normalize ? s.maskOfField[field] : -1;
    const auto filterMask = [&](size_t to) { filter(s.mask[static_cast<size_t>(mask)], 0, to); };
    size_t made = 0;
    if (s.key.polarization && field > 0) {
        for (const size_t i : {1, 2}) filter(s.alm[i], i, i - 1);
        band.transform.enqueueSynthesisSpin(2, band.filtered[0], band.filtered[1], s.map[1],
                                            s.map[2]);
        made = field;
        if (mask >= 0) {
            filterMask(0);
            band.transform.enqueueSynthesis(band.filtered[0], s.map.back());
        }
    } else if (mask >= 0) {
        // A map and its mask together take less time than one after the other.
        filter(s.alm[field], 0, 0);
        filterMask(1);
        band.transform.enqueueSynthesis({&band.filtered[0], &band.filtered[1]},
                                        {&s.map[0], &s.map.back()});
    } else {
        filter(s.alm[field], 0, 0);
        band.transform.enqueueSynthesis(band.filtered[0], s.map[0]);
    }
    cuda::PictureSource source;
    if (mask >= 0) {
        source.mask = s.map.back().data();
        source.maskUnit = request.beam->bl[0].empty() ? 0.0 : request.beam->bl[0][0];
        source.leastShare = kLeastKernelShare;
    }
    s.fillFrom(s.map[made], field, picture, stream, source);
    s.done.record(stream);
}

bool LiveSmoothing::growSeries(size_t field, int bandOf, JobContext& job) {
    State& s = *state_;
    ARMILLA_ASSERT(field < s.cells.size());
    prepare(bandOf, job);
    const cuda::DeviceScope scope(s.device);
    if (s.series && s.series->field != field) {
        s.done.synchronize();
        s.series.reset();
    }
    if (!s.series) s.series.emplace(State::Series{field, {s.device, s.map[0].size()}});
    cuda::SeriesMaps& maps = s.series->maps;
    const auto mayGrow = [&] {
        return maps.count() < kMostGaussianTerms && maps.bytes() + maps.bytesOfOne() <= s.budget;
    };
    if (!mayGrow()) return false;
    auto workspace = maps.workspace();
    State::Band& band = s.bandOf(bandOf);
    const cuda::Stream& stream = cuda::streamOf(band.transform);
    s.done.holdBack(stream);
    Beam term;
    term.bl[0] = gaussianSeriesTerm(maps.count(), s.key.lmax);
    s.filter(s.alm[field], s.bringBeam(term, s.key.lmax, stream), s.key.lmax, band.filtered[0],
             bandOf, stream);
    band.transform.enqueueSynthesis(band.filtered[0], s.map[0]);
    maps.append(std::move(workspace), s.map[0], stream);
    s.done.record(stream);
    s.done.synchronize();
    return mayGrow();
}

int LiveSmoothing::seriesTerms(size_t field) const {
    return state_->series && state_->series->field == field ? state_->series->maps.count() : 0;
}

void LiveSmoothing::enqueueSum(size_t field, std::span<const double> weights,
                               DevicePicture& picture) {
    State& s = *state_;
    ARMILLA_ASSERT(!weights.empty() && static_cast<int>(weights.size()) <= seriesTerms(field));
    const cuda::DeviceScope scope(s.device);
    s.done.holdBack(s.adding);
    s.series->maps.sum(weights, s.map[0], s.adding);
    s.fillFrom(s.map[0], field, picture, s.adding);
    s.done.record(s.adding);
}

int64_t LiveSmoothing::pictureNside() const {
    return state_->cells.front().pictureNside();
}

int64_t LiveSmoothing::deviceBytes() const {
    int64_t bytes = bytesOf({&state_->alm, &state_->mask, &state_->map});
    if (state_->series) bytes += state_->series->maps.bytes();
    for (const auto& [lmax, band] : state_->bands) bytes += band.bytes();
    return bytes;
}

}  // namespace armilla
