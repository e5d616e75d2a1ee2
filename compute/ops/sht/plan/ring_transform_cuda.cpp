// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/plan/ring_transform_cuda.h"

#include <algorithm>
#include <array>

#include "sht/plan/ring_transform_plan_cuda.h"
#include "sht/plan/ring_transform_stream_cuda.h"

namespace armilla {

namespace {

using cuda::check;
using cuda::DeviceAlm;
using cuda::DeviceScope;
using cuda::Event;
using cuda::LegendreSeries;
using cuda::LegendreSlice;

double secondsBetween(const Event& begin, const Event& end) {
    float milliseconds = 0.0F;
    check(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()), "timing a step");
    return 1e-3 * milliseconds;
}

}  // namespace

LegendreSeries CudaRingTransform::Plan::seriesOf(const SumTables& sums, int top,
                                                 size_t slice) const {
    LegendreSeries s;
    s.lmax = top;
    s.mmax = sums.mmax;
    s.spin = sums.spin;
    s.count = sums.count;
    s.stepsAt = sums.of->stepsAt.data();
    s.recurrence = sums.of->recurrence.data();
    s.mixed = sums.spin == 0 ? mixed.data() : polarMixed.data();
    s.mixedAt = sums.mixedAt.data();
    s.blockStride = slice < sums.slices.size() ? sums.slices[slice].steps : 0;
    s.start = sums.of->start.data();
    s.scales = sums.of->scales.data();
    s.chunks = sums.of->chunks;
    return s;
}
// A slice without sums.
LegendreSlice CudaRingTransform::Plan::orderSlice(const SpinTables& tables, size_t slice) const {
    LegendreSlice s;
    s.orders = tables.slices[slice];
    s.pairs = latitudes.data();
    s.pairCount = static_cast<int>(sources.size());
    s.rows = rows();
    for (size_t c = 0; c < modes.size(); ++c) s.modes[c] = modes[c][slice % 2].data();
    return s;
}
LegendreSlice CudaRingTransform::Plan::legendreSlice(const SpinTables& tables,
                                                     const SumTables& sums, size_t slice) const {
    LegendreSlice s = orderSlice(tables, slice);
    s.end = sums.end;
    s.run = sums.run;
    s.firstRow = sums.firstRows.data();
    s.rowFactors = tables.rowFactors.data();
    s.items = sums.slices[slice].items.data();
    s.itemCount = static_cast<int>(sums.slices[slice].items.size());
    return s;
}
cuda::LatitudeTransfer CudaRingTransform::Plan::transfer(const SpinTables& tables, size_t slice,
                                                         int spin, const BandTables& band,
                                                         int component, double* map) const {
    const auto c = static_cast<size_t>(component);
    cuda::LatitudeTransfer t;
    t.slice = orderSlice(tables, slice);
    t.slice.firstRow = tables.firstRows.data();
    t.modes = {t.slice.modes[c], rows(), nullptr};
    t.spectrum = {map, tails[c].data(), tables.rings.data()};
    t.mmax = mmax;
    t.spin = spin;
    t.ringPairs = static_cast<int>(pairs.size());
    if (interpolates) {
        t.tiles = band.tiles.data();
        t.weights = band.weights.data();
        t.tileCount = static_cast<int>(band.tiles.size());
    }
    return t;
}
cuda::LatitudeTransfer CudaRingTransform::Plan::ofRun(cuda::LatitudeTransfer t,
                                                      const RingRuns::Run& run) const {
    t.spectrum.rings += run.place;
    t.ringPairs = run.end - run.begin;
    t.firstPair = run.begin;
    if (t.ringFactors != nullptr) t.ringFactors += run.place;
    // The rows of the matrix for these rings; runs consist of complete tiles of rows.
    if (t.tiles != nullptr && t.tiles == toRings.tiles.data()) {
        t.tiles += run.begin / cuda::kBandRows;
        t.tileCount = (t.ringPairs + cuda::kBandRows - 1) / cuda::kBandRows;
    }
    return t;
}
cuda::RingFft CudaRingTransform::Plan::ringFft(const SpinTables& tables, int component,
                                               double* map) const {
    cuda::RingFft fft;
    fft.spectrum = {map, tails[static_cast<size_t>(component)].data(), tables.rings.data()};
    fft.weights = weights.data();
    fft.roots = roots.data();
    fft.scratch = &modes[0][0].data()->north;
    fft.multiprocessors = multiprocessors;
    fft.scratchSize = static_cast<int64_t>(2 * modes[0][0].size());
    return fft;
}

void CudaRingTransform::Plan::ringsToSamples(size_t piece, const cuda::RingFft& fft) const {
    if (equalRows)
        equalRows->synthesize(piece, fft.spectrum);
    else
        cuda::ringSynthesis(batches[piece], fft, stream.get());
}
void CudaRingTransform::Plan::samplesToRings(size_t piece, const cuda::RingFft& fft) const {
    if (equalRows)
        equalRows->analyze(piece, fft.spectrum, fft.weights);
    else
        cuda::ringAnalysis(batches[piece], fft, stream.get());
}

void CudaRingTransform::Plan::makeEvents(const SpinTables& tables) {
    while (transferred.size() < tables.slices.size()) {
        transferred.emplace_back(device);
        summed.emplace_back(device);
        polarSummed.emplace_back(device);
    }
}

template <typename Launch>
void CudaRingTransform::Plan::inPieces(size_t count, std::string_view stage, JobContext* job,
                                       const Launch& launch) {
    if (job == nullptr) {
        for (size_t i = 0; i < count; ++i) launch(i);
        return;
    }
    job->report(0.0, stage);
    while (marks.size() < count + 1) marks.emplace_back(device, Event::Timing::On);
    try {
        marks[0].record(stream);
        for (size_t i = 0; i < count; ++i) {
            launch(i);
            marks[i + 1].record(stream);
            if (i == 0) continue;
            // One piece ahead, so that the device never waits for the host.
            marks[i].synchronize();
            job->report(static_cast<double>(i) / static_cast<double>(count), stage);
        }
        stream.synchronize();
        job->report(1.0, stage);
    } catch (...) {
        // No work may still use the caller's arrays when they are destroyed.
        awaitAll();
        throw;
    }
}

void CudaRingTransform::Plan::awaitAll() const noexcept {
    for (const cuda::Stream* one : {&stream, &transferStream, &polarStream})
        cuda::logFailure(cudaStreamSynchronize(one->get()), "waiting for a stopped transform");
}

void CudaRingTransform::Plan::sumOrders(const SpinTables& tables, size_t i, int spin,
                                        std::span<const DeviceAlm> alm, cuda::ScalarSource source) {
    if (i == 0) started.record(stream);
    if (i > 1) transferred[i - 2].holdBack(stream);
    if (!tables.polar.empty()) {
        const cuda::Stream& beside = polarStreamOf(tables);
        if (i == 0) started.holdBack(beside);
        if (i > 1) transferred[i - 2].holdBack(beside);
        const LegendreSeries series = seriesOf(tables.polar, lmax, i);
        const LegendreSlice s = legendreSlice(tables, tables.polar, i);
        cuda::spinMix(series, s, alm[0], alm[1], beside.get());
        cuda::spinSynthesis(series, s, beside.get());
        polarSummed[i].record(beside);
        polarSummed[i].holdBack(transferStream);
    }
    if (!tables.scalar.empty()) {
        const bool derivative = source != cuda::ScalarSource::Plain;
        const int top = spin == 0 && derivative ? lmax + 1 : lmax + spin;
        const LegendreSeries series = seriesOf(tables.scalar, top, i);
        const LegendreSlice s = legendreSlice(tables, tables.scalar, i);
        if (spin == 0)
            cuda::scalarMix(series, s, alm, source, stream.get());
        else
            cuda::beltMix(series, s, {tables.lowering.data(), spin}, alm[0], alm[1], stream.get());
        const bool many = shape.synthesisPairs == 4 && lmax >= kManyPairsLmax;
        cuda::scalarSynthesis(series, s, many ? 8 : shape.synthesisPairs, stream.get());
    }
    summed[i].record(stream);
    summed[i].holdBack(transferStream);
}

void CudaRingTransform::Plan::sumLatitudes(const SpinTables& tables, size_t i, int spin,
                                           std::span<const DeviceAlm> alm) {
    transferred[i].holdBack(stream);
    if (!tables.polar.empty()) {
        const cuda::Stream& beside = polarStreamOf(tables);
        if (i == 0) started.holdBack(beside);
        transferred[i].holdBack(beside);
        const LegendreSeries series = seriesOf(tables.polar, lmax, i);
        const LegendreSlice s = legendreSlice(tables, tables.polar, i);
        cuda::spinAdjoint(series, s, beside.get());
        cuda::spinUnmix(series, s, alm[0], alm[1], beside.get());
        polarSummed[i].record(beside);
    }
    if (!tables.scalar.empty()) {
        const LegendreSeries series = seriesOf(tables.scalar, lmax + spin, i);
        const LegendreSlice s = legendreSlice(tables, tables.scalar, i);
        cuda::scalarAdjoint(series, s, shape.adjointPairs, stream.get());
        if (spin == 0) {
            cuda::scalarUnmix(series, s, alm, stream.get());
        } else {
            // Both sums are added to the coefficients, the caps' sums first.
            if (!tables.polar.empty()) polarSummed[i].holdBack(stream);
            cuda::beltUnmix(series, s, {tables.lowering.data(), spin}, alm[0], alm[1],
                            stream.get());
        }
    }
    summed[i].record(stream);
}

void CudaRingTransform::Plan::synthesize(int spin, std::span<const DeviceAlm> alm,
                                         cuda::ScalarSource source, std::span<double* const> maps,
                                         JobContext* job, Steps which) {
    const DeviceScope scope(device);
    const bool plain = source == cuda::ScalarSource::Plain;
    SpinTables& tables = tablesFor(spin, static_cast<int>(maps.size()));
    makeEvents(tables);
    const auto sums = [&](size_t i) {
        sumOrders(tables, i, spin, alm, source);
        for (int c = 0; c < tables.parts; ++c) {
            cuda::LatitudeTransfer t =
                transfer(tables, i, spin, toRings, c, maps[static_cast<size_t>(c)]);
            if (!plain) t.ringFactors = inverseSines.data();
            cuda::latitudesToRings(t, transferStream.get());
        }
        transferred[i].record(transferStream);
        if (i + 1 == tables.slices.size()) transferred[i].holdBack(stream);
    };
    const size_t slices = which == Steps::Rings ? 0 : tables.slices.size();
    const size_t ffts = which == Steps::Sums ? 0 : maps.size() * ringPieces();
    inPieces(slices + ffts, "synthesis", job, [&](size_t i) {
        if (i < slices) {
            sums(i);
            return;
        }
        const size_t c = (i - slices) / ringPieces(), piece = (i - slices) % ringPieces();
        ringsToSamples(piece, ringFft(tables, static_cast<int>(c), maps[c]));
    });
    if (job == nullptr) return;
    steps.legendre += secondsBetween(marks[0], marks[slices]);
    steps.fft += secondsBetween(marks[slices], marks[slices + ffts]);
}

void CudaRingTransform::Plan::accumulate(int spin, std::span<double* const> maps,
                                         std::span<const DeviceAlm> alm, JobContext& job,
                                         Steps which) {
    const DeviceScope scope(device);
    SpinTables& tables = tablesFor(spin, static_cast<int>(maps.size()));
    makeEvents(tables);
    const auto bring = [&](size_t i) {
        if (i > 1) summed[i - 2].holdBack(transferStream);
        for (int c = 0; c < tables.parts; ++c)
            cuda::ringsToLatitudes(
                transfer(tables, i, spin, fromRings, c, maps[static_cast<size_t>(c)]),
                transferStream.get());
        transferred[i].record(transferStream);
    };
    const auto sums = [&](size_t i) {
        if (i == 0) {
            started.record(stream);
            started.holdBack(transferStream);
            bring(0);
        }
        if (i + 1 < tables.slices.size()) bring(i + 1);
        sumLatitudes(tables, i, spin, alm);
    };
    const size_t slices = which == Steps::Rings ? 0 : tables.slices.size();
    const size_t ffts = which == Steps::Sums ? 0 : maps.size() * ringPieces();
    inPieces(ffts + slices, "analysis", &job, [&](size_t i) {
        if (i >= ffts) {
            sums(i - ffts);
            return;
        }
        const size_t c = i / ringPieces();
        samplesToRings(i % ringPieces(), ringFft(tables, static_cast<int>(c), maps[c]));
    });
    steps.fft += secondsBetween(marks[0], marks[ffts]);
    steps.legendre += secondsBetween(marks[ffts], marks[ffts + slices]);
}

CudaRingTransform::CudaRingTransform(RingGrid grid, int lmax, int mmax, int device,
                                     const CudaTransformShape& shape)
    : plan_(std::make_unique<Plan>(std::move(grid), lmax, mmax, device, shape)) {}
CudaRingTransform::~CudaRingTransform() = default;
CudaRingTransform::CudaRingTransform(CudaRingTransform&&) noexcept = default;
CudaRingTransform& CudaRingTransform::operator=(CudaRingTransform&&) noexcept = default;

namespace {

std::vector<double*> dataOf(std::span<const CudaArray> arrays) {
    std::vector<double*> data;
    for (const CudaArray& array : arrays) data.push_back(array.data());
    return data;
}

// Calls use(first, count, job) for groups of maps that are summed at once.
template <typename Use>
void inGroups(size_t maps, int most, JobContext& job, const Use& use) {
    const auto share = [&](size_t i) { return static_cast<double>(i) / static_cast<double>(maps); };
    for (size_t i = 0; i < maps;) {
        auto size = static_cast<size_t>(most);
        while (size > maps - i) size /= 2;
        JobContext part = job.part(share(i), share(i + size));
        use(i, size, part);
        i += size;
    }
}

}  // namespace

void CudaRingTransform::synthesis(const CudaArray& alm, CudaArray& map, JobContext& job) {
    synthesis(std::span(&alm, 1), std::span(&map, 1), job);
}

void CudaRingTransform::adjoint(CudaArray& map, std::span<const double> weights, CudaArray& alm,
                                JobContext& job) {
    adjoint(std::span(&map, 1), weights, std::span(&alm, 1), job);
}

void CudaRingTransform::synthesis(std::span<const CudaArray> alm, std::span<CudaArray> maps,
                                  JobContext& job) {
    plan_->checkBatch(maps, alm);
    synthesis(0, dataOf(alm), dataOf(maps), job);
}

void CudaRingTransform::adjoint(std::span<CudaArray> maps, std::span<const double> weights,
                                std::span<CudaArray> alm, JobContext& job) {
    plan_->checkBatch(maps, alm);
    adjoint(0, dataOf(maps), weights, dataOf(alm), job);
}

void CudaRingTransform::synthesisSpin(int spin, const CudaArray& e, const CudaArray& b,
                                      CudaArray& q, CudaArray& u, JobContext& job) {
    for (const CudaArray* alm : {&e, &b}) plan_->checkAlm(*alm);
    for (const CudaArray* map : {&q, &u}) plan_->checkMap(*map);
    synthesis(spin, std::array{e.data(), b.data()}, std::array{q.data(), u.data()}, job);
}

void CudaRingTransform::adjointSpin(int spin, CudaArray& q, CudaArray& u,
                                    std::span<const double> weights, CudaArray& e, CudaArray& b,
                                    JobContext& job) {
    for (const CudaArray* alm : {&e, &b}) plan_->checkAlm(*alm);
    for (const CudaArray* map : {&q, &u}) plan_->checkMap(*map);
    adjoint(spin, std::array{q.data(), u.data()}, weights, std::array{e.data(), b.data()}, job);
}

void CudaRingTransform::synthesis(int spin, std::span<double* const> alm,
                                  std::span<double* const> maps, JobContext& job) {
    plan_->steps = {};
    const std::vector<DeviceAlm> views = plan_->views(alm);
    const int most = spin == 0 ? plan_->shape.mapsAtOnce : 2;
    inGroups(maps.size(), most, job, [&](size_t first, size_t count, JobContext& part) {
        plan_->synthesize(spin, std::span(views).subspan(first, count), cuda::ScalarSource::Plain,
                          maps.subspan(first, count), &part);
    });
}

void CudaRingTransform::adjoint(int spin, std::span<double* const> maps,
                                std::span<const double> weights, std::span<double* const> alm,
                                JobContext& job) {
    plan_->steps = {};
    plan_->setWeights(weights);
    const std::vector<DeviceAlm> views = plan_->views(alm);
    const int most = spin == 0 ? plan_->shape.mapsAtOnce : 2;
    inGroups(maps.size(), most, job, [&](size_t first, size_t count, JobContext& part) {
        plan_->accumulate(spin, maps.subspan(first, count), std::span(views).subspan(first, count),
                          part);
    });
}

void CudaRingTransform::gradient(const CudaArray& alm, CudaArray& dTheta, CudaArray& dPhi,
                                 JobContext& job) {
    plan_->checkAlm(alm);
    for (const CudaArray* map : {&dTheta, &dPhi}) plan_->checkMap(*map);
    const std::vector<Ring>& rings = plan_->grid.rings;
    if (rings.front().sinTheta == 0.0 || rings.back().sinTheta == 0.0)
        throw InvalidArgument("expected a grid without poles for the gradient, found one with");
    plan_->steps = {};
    JobContext first = job.part(0.0, 0.5), second = job.part(0.5, 1.0);
    plan_->synthesize(0, std::array{plan_->view(alm)}, cuda::ScalarSource::ThetaDerivative,
                      std::array{dTheta.data()}, &first);
    plan_->synthesize(0, std::array{plan_->view(alm)}, cuda::ScalarSource::PhiDerivative,
                      std::array{dPhi.data()}, &second);
}

void CudaRingTransform::prepareSynthesis(int spin, int maps) {
    const DeviceScope scope(plan_->device);
    plan_->makeEvents(plan_->tablesFor(spin, maps));
}

void CudaRingTransform::enqueueSynthesis(const CudaArray& alm, CudaArray& map) {
    plan_->checkAlm(alm);
    plan_->checkMap(map);
    plan_->synthesize(0, std::array{plan_->view(alm)}, cuda::ScalarSource::Plain,
                      std::array{map.data()}, nullptr);
}

void CudaRingTransform::enqueueSynthesis(std::array<const CudaArray*, 2> alm,
                                         std::array<CudaArray*, 2> maps) {
    for (const CudaArray* one : alm) plan_->checkAlm(*one);
    for (const CudaArray* one : maps) plan_->checkMap(*one);
    plan_->synthesize(0, std::array{plan_->view(*alm[0]), plan_->view(*alm[1])},
                      cuda::ScalarSource::Plain, std::array{maps[0]->data(), maps[1]->data()},
                      nullptr);
}

void CudaRingTransform::enqueueSynthesisSpin(int spin, const CudaArray& e, const CudaArray& b,
                                             CudaArray& q, CudaArray& u) {
    for (const CudaArray* alm : {&e, &b}) plan_->checkAlm(*alm);
    for (const CudaArray* map : {&q, &u}) plan_->checkMap(*map);
    plan_->synthesize(spin, std::array{plan_->view(e), plan_->view(b)}, cuda::ScalarSource::Plain,
                      std::array{q.data(), u.data()}, nullptr);
}

const cuda::Stream& cuda::streamOf(CudaRingTransform& transform) {
    return transform.plan_->stream;
}

void CudaRingTransform::synthesisSums(int spin, std::span<const CudaArray> alm,
                                      std::span<CudaArray> maps, JobContext& job) {
    plan_->checkBatch(maps, alm);
    plan_->steps = {};
    plan_->synthesize(spin, plan_->views(dataOf(alm)), cuda::ScalarSource::Plain, dataOf(maps),
                      &job, Plan::Steps::Sums);
}

void CudaRingTransform::gradientSums(const CudaArray& alm, GradientPart part, CudaArray& map,
                                     JobContext& job) {
    plan_->checkBatch({&map, 1}, {&alm, 1});
    plan_->steps = {};
    plan_->synthesize(0, std::array{plan_->view(alm)},
                      part == GradientPart::Theta ? cuda::ScalarSource::ThetaDerivative
                                                  : cuda::ScalarSource::PhiDerivative,
                      std::array{map.data()}, &job, Plan::Steps::Sums);
}

void CudaRingTransform::synthesisRings(int spin, std::span<CudaArray> maps, JobContext& job) {
    for (const CudaArray& map : maps) plan_->checkMap(map);
    plan_->steps = {};
    plan_->synthesize(spin, {}, cuda::ScalarSource::Plain, dataOf(maps), &job, Plan::Steps::Rings);
}

void CudaRingTransform::adjointRings(int spin, std::span<CudaArray> maps,
                                     std::span<const double> weights, JobContext& job) {
    for (const CudaArray& map : maps) plan_->checkMap(map);
    plan_->steps = {};
    plan_->setWeights(weights);
    plan_->accumulate(spin, dataOf(maps), {}, job, Plan::Steps::Rings);
}

void CudaRingTransform::adjointSums(int spin, std::span<CudaArray> maps, std::span<CudaArray> alm,
                                    JobContext& job) {
    plan_->checkBatch(maps, alm);
    plan_->steps = {};
    plan_->accumulate(spin, dataOf(maps), plan_->views(dataOf(alm)), job, Plan::Steps::Sums);
}

std::vector<ModePlaces> CudaRingTransform::modePlaces(int spin) {
    const DeviceScope scope(plan_->device);
    const auto even = [](int64_t sample) { return (sample + 1) / 2 * 2; };
    std::vector<ModePlaces> places;
    for (const cuda::PairRings& rings : plan_->tablesFor(spin, spin == 0 ? 1 : 2).h_rings) {
        const auto [north, south] = plan_->pairs[places.size()];
        places.push_back({even(rings.north), south < 0 ? -1 : even(rings.south), rings.tail,
                          rings.inRing, rings.modeLimit + 1, north, south});
    }
    return places;
}

void CudaRingTransform::downloadTails(int component, std::span<double> tails) const {
    const auto& from = plan_->tails[static_cast<size_t>(component)];
    const DeviceScope scope(plan_->device);
    ARMILLA_ASSERT(tails.size() <= 2 * from.size());
    check(cudaMemcpyAsync(tails.data(), from.data(), tails.size_bytes(), cudaMemcpyDeviceToHost,
                          plan_->stream.get()),
          "copying Fourier coefficients from the device");
    plan_->stream.synchronize();
}

void CudaRingTransform::uploadTails(int component, std::span<const double> tails) {
    const auto& to = plan_->tails[static_cast<size_t>(component)];
    const DeviceScope scope(plan_->device);
    ARMILLA_ASSERT(tails.size() <= 2 * to.size());
    check(cudaMemcpyAsync(to.data(), tails.data(), tails.size_bytes(), cudaMemcpyHostToDevice,
                          plan_->stream.get()),
          "copying Fourier coefficients to the device");
    plan_->stream.synchronize();
}

int64_t CudaRingTransform::deviceBytes() const {
    return plan_->deviceBytes();
}

FftLibrary CudaRingTransform::fftLibrary() const {
    return plan_->equalRows ? FftLibrary::Cufft : FftLibrary::Own;
}

const CudaTransformSteps& CudaRingTransform::steps() const {
    return plan_->steps;
}

}  // namespace armilla
