// SPDX-License-Identifier: GPL-3.0-or-later
#include "cuda/ring_transform_cuda.h"

#include <algorithm>
#include <array>

#include "cuda/ring_transform_plan_cuda.h"

namespace armilla {

namespace {

using cuda::check;
using cuda::DeviceAlm;
using cuda::DeviceScope;
using cuda::Event;
using cuda::LegendreItem;
using cuda::LegendreSeries;
using cuda::LegendreSlice;
using cuda::PairLatitude;
using cuda::PairModes;
using cuda::PairRings;
using cuda::RingFftBatch;
using cuda::RingFftSlice;

}  // namespace

LegendreSeries CudaRingTransform::Plan::seriesOf(const SpinTables& tables, int spin,
                                                 int top) const {
    return {top,
            mmax,
            spin,
            tables.stepsAt.data(),
            tables.recurrence.data(),
            mixed.data(),
            tables.start.data()};
}
LegendreSlice CudaRingTransform::Plan::legendreSlice(const SliceTables& slice) const {
    LegendreSlice s;
    s.pairs = latitudes.data();
    s.pairCount = static_cast<int>(pairs.size());
    s.firstPair = slice.firstPair;
    s.rows = slice.rows;
    s.modes[0] = modes[0].data();
    s.modes[1] = modes[1].data();
    return s;
}
RingFftSlice CudaRingTransform::Plan::fftSlice(const SpinTables& tables, const SliceTables& slice,
                                               int component) const {
    return {tables.rings.data(), weights.data(),
            roots.data(),        modes[static_cast<size_t>(component)].data(),
            slice.firstPair,     slice.rows};
}

template <typename Launch>
void CudaRingTransform::Plan::overSlices(SpinTables& tables, std::string_view stage,
                                         JobContext& job, const Launch& launch) {
    job.report(0.0, stage);
    while (marks.size() < tables.slices.size())
        marks.push_back({Event(device, Event::Timing::On), Event(device, Event::Timing::On),
                         Event(device, Event::Timing::On)});
    const auto count = static_cast<double>(tables.slices.size());
    try {
        for (size_t i = 0; i < tables.slices.size(); ++i) {
            marks[i].begin.record(stream);
            launch(tables.slices[i], marks[i].middle);
            marks[i].end.record(stream);
            // One slice ahead, so that the device never waits for the host.
            if (i > 0) {
                marks[i - 1].end.synchronize();
                job.report(static_cast<double>(i) / count, stage);
            }
        }
        stream.synchronize();
        job.report(1.0, stage);
    } catch (...) {
        // Nothing may be at work on the caller's arrays when they are gone.
        cuda::logFailure(cudaStreamSynchronize(stream.get()), "waiting for a stopped transform");
        throw;
    }
}

namespace {

double secondsBetween(const Event& begin, const Event& end) {
    float milliseconds = 0.0F;
    check(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()), "timing a step");
    return 1e-3 * milliseconds;
}
int threadsFor(int rows, int pairsOfThread, int most) {
    const int threads = (rows + pairsOfThread - 1) / pairsOfThread;
    return std::min((threads + 31) / 32 * 32, most);
}

}  // namespace

void CudaRingTransform::Plan::synthesize(int spin, const std::array<DeviceAlm, 2>& alm,
                                         cuda::ScalarSource source,
                                         const std::array<double*, 2>& maps, JobContext& job) {
    const DeviceScope scope(device);
    SpinTables& tables = tablesFor(spin);
    const LegendreSeries series =
        seriesOf(tables, spin, source == cuda::ScalarSource::Plain ? lmax : lmax + 1);
    overSlices(tables, "synthesis", job, [&](const SliceTables& slice, Event& middle) {
        LegendreSlice s = legendreSlice(slice);
        s.items = slice.synthesisItems.data();
        s.itemCount = static_cast<int>(slice.synthesisItems.size());
        const bool first = slice.firstPair == 0;
        if (spin == 0) {
            if (first) cuda::scalarMix(series, alm[0], source, stream.get());
            s.threads =
                threadsFor(slice.rows, cuda::kScalarSynthesisPairs, cuda::kScalarSynthesisThreads);
            cuda::scalarSynthesis(
                series, s,
                source == cuda::ScalarSource::Plain ? cuda::Divisor::One : cuda::Divisor::SinTheta,
                stream.get());
        } else {
            if (first) cuda::spinMix(series, alm[0], alm[1], stream.get());
            s.threads =
                threadsFor(slice.rows, cuda::kSpinSynthesisPairs, cuda::kSpinSynthesisThreads);
            cuda::spinSynthesis(series, s, stream.get());
        }
        middle.record(stream);
        for (int c = 0; c < components(spin); ++c)
            for (const RingFftBatch& batch : slice.batches)
                cuda::ringSynthesis(batch, fftSlice(tables, slice, c), maps[static_cast<size_t>(c)],
                                    stream.get());
    });
    for (size_t i = 0; i < tables.slices.size(); ++i) {
        steps.legendre += secondsBetween(marks[i].begin, marks[i].middle);
        steps.fft += secondsBetween(marks[i].middle, marks[i].end);
    }
}

void CudaRingTransform::Plan::accumulate(int spin, const std::array<const double*, 2>& maps,
                                         const std::array<DeviceAlm, 2>& alm, JobContext& job) {
    const DeviceScope scope(device);
    SpinTables& tables = tablesFor(spin);
    const LegendreSeries series = seriesOf(tables, spin, lmax);
    check(cudaMemsetAsync(mixed.data(), 0, 2 * static_cast<size_t>(tables.steps) * sizeof(double2),
                          stream.get()),
          "clearing sums");
    overSlices(tables, "analysis", job, [&](const SliceTables& slice, Event& middle) {
        for (int c = 0; c < components(spin); ++c)
            for (const RingFftBatch& batch : slice.batches)
                cuda::ringAnalysis(batch, fftSlice(tables, slice, c), maps[static_cast<size_t>(c)],
                                   stream.get());
        middle.record(stream);
        LegendreSlice s = legendreSlice(slice);
        s.items = slice.adjointItems.data();
        s.itemCount = static_cast<int>(slice.adjointItems.size());
        const bool last = &slice == &tables.slices.back();
        if (spin == 0) {
            s.threads =
                threadsFor(slice.rows, cuda::kScalarAdjointPairs, cuda::kScalarAdjointThreads);
            cuda::scalarAdjoint(series, s, stream.get());
            if (last) cuda::scalarUnmix(series, alm[0], stream.get());
        } else {
            s.threads = threadsFor(slice.rows, cuda::kSpinAdjointPairs, cuda::kSpinAdjointThreads);
            cuda::spinAdjoint(series, s, stream.get());
            if (last) cuda::spinUnmix(series, alm[0], alm[1], stream.get());
        }
    });
    for (size_t i = 0; i < tables.slices.size(); ++i) {
        steps.fft += secondsBetween(marks[i].begin, marks[i].middle);
        steps.legendre += secondsBetween(marks[i].middle, marks[i].end);
    }
}

CudaRingTransform::CudaRingTransform(RingGrid grid, int lmax, int mmax, int device)
    : plan_(std::make_unique<Plan>(std::move(grid), lmax, mmax, device)) {}
CudaRingTransform::~CudaRingTransform() = default;
CudaRingTransform::CudaRingTransform(CudaRingTransform&&) noexcept = default;
CudaRingTransform& CudaRingTransform::operator=(CudaRingTransform&&) noexcept = default;

namespace {

DeviceAlm view(const CudaArray& alm, int lmax) {
    return {reinterpret_cast<double2*>(alm.data()), lmax};
}

}  // namespace

void CudaRingTransform::synthesis(const CudaArray& alm, CudaArray& map, JobContext& job) {
    plan_->checkAlm(alm);
    plan_->checkMap(map);
    plan_->steps = {};
    plan_->synthesize(0, {view(alm, plan_->lmax), {}}, cuda::ScalarSource::Plain,
                      {map.data(), nullptr}, job);
}

void CudaRingTransform::adjoint(const CudaArray& map, std::span<const double> weights,
                                CudaArray& alm, JobContext& job) {
    plan_->checkAlm(alm);
    plan_->checkMap(map);
    plan_->steps = {};
    plan_->setWeights(weights);
    plan_->accumulate(0, {map.data(), nullptr}, {view(alm, plan_->lmax), {}}, job);
}

void CudaRingTransform::synthesisSpin(int spin, const CudaArray& e, const CudaArray& b,
                                      CudaArray& q, CudaArray& u, JobContext& job) {
    for (const CudaArray* alm : {&e, &b}) plan_->checkAlm(*alm);
    for (const CudaArray* map : {&q, &u}) plan_->checkMap(*map);
    plan_->steps = {};
    plan_->synthesize(spin, {view(e, plan_->lmax), view(b, plan_->lmax)}, cuda::ScalarSource::Plain,
                      {q.data(), u.data()}, job);
}

void CudaRingTransform::adjointSpin(int spin, const CudaArray& q, const CudaArray& u,
                                    std::span<const double> weights, CudaArray& e, CudaArray& b,
                                    JobContext& job) {
    for (const CudaArray* alm : {&e, &b}) plan_->checkAlm(*alm);
    for (const CudaArray* map : {&q, &u}) plan_->checkMap(*map);
    plan_->steps = {};
    plan_->setWeights(weights);
    plan_->accumulate(spin, {q.data(), u.data()}, {view(e, plan_->lmax), view(b, plan_->lmax)},
                      job);
}

void CudaRingTransform::gradient(const CudaArray& alm, CudaArray& dTheta, CudaArray& dPhi,
                                 JobContext& job) {
    plan_->checkAlm(alm);
    for (const CudaArray* map : {&dTheta, &dPhi}) plan_->checkMap(*map);
    plan_->steps = {};
    JobContext first = job.part(0.0, 0.5), second = job.part(0.5, 1.0);
    plan_->synthesize(0, {view(alm, plan_->lmax), {}}, cuda::ScalarSource::ThetaDerivative,
                      {dTheta.data(), nullptr}, first);
    plan_->synthesize(0, {view(alm, plan_->lmax), {}}, cuda::ScalarSource::PhiDerivative,
                      {dPhi.data(), nullptr}, second);
}

int64_t CudaRingTransform::deviceBytes() const {
    const Plan& p = *plan_;
    size_t bytes = p.latitudes.size() * sizeof(PairLatitude) + p.roots.size() * sizeof(double2) +
                   (p.weights.size() + p.mixed.size()) * sizeof(double2);
    for (const auto& buffer : p.modes) bytes += buffer.size() * sizeof(PairModes);
    for (const auto& [spin, tables] : p.spins) {
        bytes += tables.recurrence.size() * sizeof(double2) + tables.start.size() * sizeof(double) +
                 tables.stepsAt.size() * sizeof(int64_t) + tables.rings.size() * sizeof(PairRings);
        for (const SliceTables& slice : tables.slices)
            bytes +=
                (slice.synthesisItems.size() + slice.adjointItems.size()) * sizeof(LegendreItem) +
                slice.batchPairs.size() * sizeof(int);
    }
    return static_cast<int64_t>(bytes);
}

const CudaTransformSteps& CudaRingTransform::steps() const {
    return plan_->steps;
}

}  // namespace armilla
