// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of smooth_harmonic.cpp, distributed over ranks.
#include <algorithm>
#include <cmath>
#include <optional>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/ops/distributed_smooth.h"
#include "armilla/ops/monopole.h"
#include "convolve/harmonic/harmonic_request.h"
#include "convolve/sky_values.h"

namespace armilla {

namespace {

using Complex = std::complex<double>;

double largestOf(double own, Ranks& ranks, JobContext& job) {
    double largest = own;
    for (const auto& each : ranks.gatherAll(std::span<const double>(&own, 1), job))
        largest = std::max(largest, each.at(0));
    return largest;
}
double sumOf(double own, Ranks& ranks, JobContext& job) {
    double sum = 0.0;
    for (const auto& each : ranks.gatherAll(std::span<const double>(&own, 1), job))
        sum += each.at(0);
    return sum;
}

// Coefficients times B_l, moved from the partition of one plan to that of another.
AlmShare filteredFor(const DistributedSht& plan, const AlmShare& alm, const DistributedSht& from,
                     std::span<const double> bl, int reach, Ranks& ranks, JobContext& job) {
    const int last = std::min(reach, static_cast<int>(bl.size()) - 1);
    const std::vector<int>& owners = from.ownerOfOrder();
    const auto count = static_cast<size_t>(ranks.size());
    std::vector<std::vector<Complex>> sends(count), come(count);
    for (const int m : alm.orders()) {
        if (m > last) break;
        std::vector<Complex>& send =
            sends[static_cast<size_t>(plan.ownerOfOrder()[static_cast<size_t>(m)])];
        const auto values = alm.of(m);
        for (int l = m; l <= last; ++l)
            send.push_back(bl[static_cast<size_t>(l)] * values[static_cast<size_t>(l - m)]);
    }
    AlmShare result = plan.newAlm(job);
    for (const int m : result.orders())
        if (m <= last) {
            auto& each = come[static_cast<size_t>(owners[static_cast<size_t>(m)])];
            each.resize(each.size() + static_cast<size_t>(last - m + 1));
        }
    std::vector<Ranks::ConstBytes> out;
    std::vector<Ranks::Bytes> in;
    for (size_t r = 0; r < count; ++r) {
        out.push_back(std::as_bytes(std::span(sends[r])));
        in.push_back(std::as_writable_bytes(std::span(come[r])));
    }
    ranks.exchange(out, in, job);
    std::vector<size_t> next(count, 0);
    for (const int m : result.orders()) {
        if (m > last) break;
        const auto owner = static_cast<size_t>(owners[static_cast<size_t>(m)]);
        const auto values = result.of(m);
        std::copy_n(come[owner].begin() + static_cast<std::ptrdiff_t>(next[owner]), last - m + 1,
                    values.begin());
        next[owner] += static_cast<size_t>(last - m + 1);
    }
    return result;
}

// C_l of one set of coefficients, on every rank.
std::vector<double> spectrumOf(const AlmShare& alm, const DistributedSht& plan, Ranks& ranks,
                               JobContext& job) {
    const DegreeShare share = toDegrees(alm, plan.ownerOfOrder(), ranks, job);
    std::vector<double> own, cl;
    for (int l = share.begin; l < share.end; ++l) {
        double sum = 0.0;
        for (int m = 0; m <= std::min(l, share.mmax); ++m)
            sum += (m == 0 ? 1.0 : 2.0) *
                   std::norm(share.values[static_cast<size_t>(share.place(l) + m)]);
        own.push_back(sum / (2.0 * static_cast<double>(l) + 1.0));
    }
    for (const auto& part : ranks.gatherAll(std::span<const double>(own), job))
        cl.insert(cl.end(), part.begin(), part.end());
    return cl;
}

}  // namespace

SmoothMethod smoothMethod(const SmoothParameters& parameters, int64_t nside, int threads,
                          JobContext& job) {
    JobContext as(job.stopToken(), {}, threads);
    return harmonicRequest(parameters, nside, parameters.polarization ? 3 : 1, as)
        .parameters.method;
}

struct DistributedSmooth::State {
    State(HarmonicRequest asked, int64_t side, Ranks& group, JobContext& job, const Device& device)
        : request(std::move(asked)), nside(side), ranks(group), report(request.report) {
        analysis.emplace(ShtParameters{.nside = nside,
                                       .lmax = request.reach,
                                       .weights = request.parameters.weights,
                                       .iterations = request.parameters.iterations},
                         ranks, job, device);
    }

    // Replaces bad values by zeros, and returns the mask if any rank has bad values.
    std::vector<float> takeMask(std::vector<double>& field, JobContext& job) {
        const bool own =
            std::any_of(field.begin(), field.end(), [](double value) { return std::isnan(value); });
        if (largestOf(own ? 1.0 : 0.0, ranks, job) == 0.0) return {};
        masked = true;
        std::vector<float> mask = newVector<float>(static_cast<int64_t>(field.size()), job, 1.0F);
        for (size_t p = 0; p < field.size(); ++p)
            if (std::isnan(field[p])) field[p] = mask[p] = 0.0F;
        return mask;
    }
    // The same as joinPolarizationMasks, for masks of 0 and 1.
    void joinMasks() {
        if (good[1].empty() && good[2].empty()) return;
        for (const size_t i : {1, 2})
            if (good[i].empty() && !values[i].empty()) good[i].assign(values[i].size(), 1.0F);
        for (size_t p = 0; p < values[1].size(); ++p) {
            const float both = std::min(good[1][p], good[2][p]);
            for (const size_t i : {1, 2}) {
                if (both == 0.0F) values[i][p] = 0.0;
                good[i][p] = both;
            }
        }
    }
    // Scales fields to one unit, like bringToUnit of smooth_harmonic.cpp.
    void bringToUnit(size_t begin, size_t end, JobContext& job) {
        double largest = 0.0;
        for (size_t i = begin; i < end; ++i) {
            double own = 0.0;
            for (const double value : values[i]) own = std::max(own, std::abs(value));
            largest = std::max(largest, largestOf(own, ranks, job));
        }
        const bool extreme = largest > 1e100 || (largest > 0.0 && largest < 1e-100);
        const int exponent = extreme ? std::ilogb(largest) : 0;
        for (size_t i = begin; i < end; ++i) {
            measured.exponent.push_back(exponent);
            if (!extreme) continue;
            for (double& value : values[i]) value = std::ldexp(value, -exponent);
        }
    }
    double meanSquareOf(const std::vector<double>& field, JobContext& job) {
        double sum = 0.0;
        for (const double value : field) sum += value * value;
        return sumOf(sum, ranks, job) / static_cast<double>(pixelCount(nside));
    }
    // Subtracts means, like takeMeansOut of smooth_harmonic.cpp.
    std::vector<TakenOut> takeMeansOut(JobContext& job) {
        std::vector<TakenOut> means(request.parameters.polarization ? 1 : values.size());
        for (size_t i = 0; i < means.size(); ++i)
            if (!hasMask[i])
                means[i] = takeOut(Remove::None, nside, std::span<double>(values[i]),
                                   analysis->runs(), ranks, job);
        return means;
    }
    bool sameMask(size_t i, size_t j, JobContext& job) {
        return largestOf(good[i] == good[j] ? 0.0 : 1.0, ranks, job) == 0.0;
    }
    void analyzeAll(JobContext& job);
    void synthesizeAll(JobContext& job);

    HarmonicRequest request;
    int64_t nside = 0;
    Ranks& ranks;
    SmoothReport report;
    std::optional<DistributedSht> analysis, synthesis;
    std::vector<std::vector<double>> values;
    std::vector<std::vector<float>> good;
    std::vector<bool> hasMask;
    bool masked = false;
    std::vector<AlmShare> alm, masks;
    std::vector<int> maskOfField;
    Analysis measured;  // without coefficients
    RankSteps steps;
};

void DistributedSmooth::State::analyzeAll(JobContext& job) {
    const SmoothParameters& p = request.parameters;
    const size_t fields = values.size();
    for (std::vector<double>& each : values) {
        masked = false;
        good.push_back(takeMask(each, job));
        hasMask.push_back(masked);
    }
    if (p.polarization && (hasMask[1] || hasMask[2])) {
        joinMasks();
        hasMask[1] = hasMask[2] = true;
    }
    for (size_t i = 0; i < fields;) {
        const size_t end = p.polarization && i == 1 ? 3 : i + 1;
        bringToUnit(i, end, job);
        i = end;
    }
    const std::vector<TakenOut> means = takeMeansOut(job);
    for (const auto& each : values) measured.meanSquare.push_back(meanSquareOf(each, job));
    std::vector<ConstMapSamples> from;
    for (size_t i = 0; i < fields; ++i) {
        from.emplace_back(std::span<const double>(values[i]));
        alm.push_back(analysis->newAlm(job));
    }
    for (size_t i = 0; i < fields;) {
        const size_t count = p.polarization && i == 1 ? 2 : 1;
        JobContext part =
            job.part(static_cast<double>(i) / static_cast<double>(fields + 1),
                     static_cast<double>(i + count) / static_cast<double>(fields + 1));
        analysis->analysis(count == 2 ? 2 : 0, std::span(from).subspan(i, count),
                           std::span(alm).subspan(i, count), part);
        i += count;
    }
    JobContext silent(job.stopToken(), {}, job.threads());
    for (const AlmShare& each : alm)
        measured.cl.push_back(spectrumOf(each, *analysis, ranks, silent));
    for (size_t i = 0; i < means.size(); ++i) means[i].putBack(alm[i]);
    measured.key = {nside, request.reach, p.iterations, p.weights, p.polarization};
    measured.alm.resize(fields);
    maskOfField.assign(fields, -1);
    if (p.masked != Masked::Normalize) return;
    for (size_t i = 0; i < fields; ++i) {
        if (!hasMask[i]) continue;
        // Equal masks are transformed once.
        for (size_t j = 0; j < i && maskOfField[i] < 0; ++j)
            if (hasMask[j] && sameMask(i, j, silent)) maskOfField[i] = maskOfField[j];
        if (maskOfField[i] >= 0) continue;
        maskOfField[i] = static_cast<int>(masks.size());
        masks.push_back(analysis->newAlm(silent));
        const ConstMapSamples mask{std::span<const float>(good[i])};
        analysis->analysis(0, {&mask, 1}, {&masks.back(), 1}, silent);
    }
    job.report(1.0, "Legendre sums");
}

void DistributedSmooth::State::synthesizeAll(JobContext& job) {
    const SmoothParameters& p = request.parameters;
    const std::array<std::vector<double>, 3>& bl = request.beam.bl;
    const auto product = [&](const AlmShare& from, size_t component) {
        return filteredFor(*synthesis, from, *analysis, bl[component], request.reach, ranks, job);
    };
    for (size_t i = 0; i < values.size();) {
        const size_t count = p.polarization && i == 1 ? 2 : 1;
        std::vector<AlmShare> filtered;
        std::vector<MapSamples> to;
        for (size_t k = i; k < i + count; ++k) {
            filtered.push_back(product(alm[k], p.polarization ? k : 0));
            alm[k] = {};
            to.emplace_back(std::span<double>(values[k]));
        }
        JobContext part =
            job.part(static_cast<double>(i) / static_cast<double>(values.size() + 1),
                     static_cast<double>(i + count) / static_cast<double>(values.size() + 1));
        synthesis->synthesis(count == 2 ? 2 : 0, filtered, to, part);
        i += count;
    }
    for (size_t i = 0; i < values.size(); ++i)
        if (const int exponent = measured.exponent[i]; exponent != 0)
            for (double& value : values[i]) value = std::ldexp(value, exponent);
    if (masks.empty()) return;
    const double b0 = bl[0].empty() ? 0.0 : bl[0][0];
    if (!(std::abs(b0) > 0.0)) refuseZeroIntegral();
    JobContext silent(job.stopToken(), {}, job.threads());
    for (size_t k = 0; k < masks.size(); ++k) {
        const AlmShare filtered = product(masks[k], 0);
        std::vector<double> mask = newVector<double>(synthesis->sampleCount(), silent);
        const MapSamples to{std::span<double>(mask)};
        synthesis->synthesis(0, {&filtered, 1}, {&to, 1}, silent);
        for (size_t i = 0; i < values.size(); ++i)
            if (maskOfField[i] == static_cast<int>(k))
                for (size_t s = 0; s < mask.size(); ++s) {
                    const double share = mask[s] / b0;
                    values[i][s] = share >= kLeastKernelShare ? values[i][s] / share : kNan;
                }
    }
}

DistributedSmooth::DistributedSmooth(const SmoothParameters& parameters, int64_t nside,
                                     size_t fields, Ranks& ranks, JobContext& job,
                                     const Device& device)
    : state_(std::make_unique<State>(harmonicRequest(parameters, nside, fields, job), nside, ranks,
                                     job, device)) {}
DistributedSmooth::~DistributedSmooth() = default;

const std::vector<std::vector<SampleRun>>& DistributedSmooth::runsOfRanks() const {
    return state_->analysis->runsOfRanks();
}

std::vector<std::vector<double>> DistributedSmooth::execute(std::vector<std::vector<double>> values,
                                                            JobContext& job) {
    State& state = *state_;
    JobContext first = job.part(0.0, 0.6), second = job.part(0.6, 1.0);
    state.values = std::move(values);
    state.analyzeAll(first);
    if (!state.masks.empty() && state.request.compensated) refuseZeroIntegral();
    state.good.clear();
    state.synthesis.emplace(ShtParameters{.nside = state.nside, .lmax = state.request.tables},
                            *state.analysis, second);
    state.synthesizeAll(second);
    state.steps += state.analysis->steps();
    state.steps += state.synthesis->steps();
    JobContext silent(job.stopToken(), {}, job.threads());
    if (state.ranks.rank() == 0)
        state.report.estimatedError =
            harmonicError(state.measured, state.request.beam, state.measured.key.lmax,
                          state.request.lmax, silent);
    return std::move(state.values);
}

const SmoothReport& DistributedSmooth::report() const {
    return state_->report;
}
RankSteps DistributedSmooth::steps() const {
    return state_->steps;
}

}  // namespace armilla
