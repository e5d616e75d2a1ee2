// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/harmonic/kept_analyses.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>
#include <utility>

#include "armilla/core/memory_limit.h"
#include "armilla/core/new_vector.h"
#include "convolve/pixels/device_fields.h"
#include "convolve/sky_values.h"
#include "shared/new_alm.h"

namespace armilla {

namespace {

// Throws OutOfMemory unless an analysis of `fields` maps at `key` fits: values and coefficients.
// Masks are counted later, if there are bad pixels. `spare`: bytes of these that are held already.
void requireAnalysisMemory(const AnalysisKey& key, size_t fields, int64_t spare) {
    requireMemory("smoothing at nside " + std::to_string(key.nside),
                  static_cast<int64_t>(fields) *
                          (8 * armilla::pixelCount(key.nside) + almBytes(key.lmax, key.lmax)) -
                      spare);
}

// Splits values with NaN for bad into zeros and a mask.
void addField(SkyFields& sky, std::vector<double> values, JobContext& job) {
    const auto count = static_cast<int64_t>(values.size());
    std::atomic<bool> anyBad{false};
    parallelFor(job, count, kPixelGrain, [&](long long begin, long long end) {
        if (std::any_of(values.begin() + begin, values.begin() + end,
                        [](double value) { return std::isnan(value); }))
            anyBad = true;
    });
    std::vector<float> good;
    if (anyBad) {
        good = newVector<float>(count, job, 1.0F);
        parallelFor(job, count, kPixelGrain, [&](long long begin, long long end) {
            for (auto p = static_cast<size_t>(begin); p < static_cast<size_t>(end); ++p)
                if (std::isnan(values[p])) values[p] = good[p] = 0.0F;
        });
    }
    sky.values.push_back(std::move(values));
    sky.good.push_back(std::move(good));
}

void addWhole(SkyFields& sky, WholeField field) {
    sky.known.resize(sky.values.size());
    sky.known.push_back({{field.mean, field.meanSquare}});
    sky.values.push_back(std::move(field.values));
    sky.good.emplace_back();
}

// The same for sums over coarse pixels, with the fraction of good pixels as the mask.
void addCoarseField(SkyFields& sky, const CoarseSums& sums, JobContext& job) {
    const auto count = static_cast<int64_t>(sums.sum.size());
    std::vector<double> values = newVector<double>(count, job);
    std::vector<float> good = newVector<float>(count, job);
    std::atomic<bool> allGood{true};
    parallelFor(job, count, kPixelGrain, [&](long long begin, long long end) {
        bool whole = true;
        for (auto p = static_cast<size_t>(begin); p < static_cast<size_t>(end); ++p) {
            values[p] = sums.sum[p] / sums.each;
            good[p] = static_cast<float>(sums.good[p] / sums.each);
            whole = whole && sums.good[p] >= sums.each;
        }
        if (!whole) allGood = false;
    });
    sky.values.push_back(std::move(values));
    sky.good.push_back(allGood ? std::vector<float>() : std::move(good));
}

}  // namespace

KeptAnalyses::KeptAnalyses(SmoothInput& input, const std::shared_ptr<KeptTransforms>& shared)
    : input_(&input),
      transforms_(shared ? shared : std::make_shared<KeptTransforms>(input.device())),
      isShared_(shared != nullptr) {}

KeptAnalyses::~KeptAnalyses() {
    if (!whole_) return;
    for (Alm& alm : whole_->alm) transforms_->arrays.put(std::move(alm));
}

Analysis KeptAnalyses::analyzed(SkyFields sky, const AnalysisKey& key, Masked masked,
                                JobContext& job) {
    // Also after a failure: a plan made while device memory was short stays small.
    const struct Drop {
        KeptTransforms* unshared;
        ~Drop() {
            if (unshared) unshared->dropAnalysis();
        }
    } drop{isShared_ ? nullptr : transforms_.get()};
    JobContext planning = job.part(0.0, 0.05), working = job.part(0.05, 1.0);
    const ShtPlan& plan = transforms_->analysis(transformOf(key), planning);
    return analyze(std::move(sky), key, masked == Masked::Normalize, plan, transforms_->arrays,
                   working);
}

// With iterations the band limit affects the result, so it must be equal. On a CUDA device, where
// the full band takes milliseconds, it must also be equal, so that a picture and a file have the
// same bits.
bool KeptAnalyses::serves(const Analysis& have, const AnalysisKey& want, Masked masked) const {
    const AnalysisKey& key = have.key;
    const bool wider = want.iterations == 0 && !input_->onCuda();
    const bool band = wider ? key.lmax >= want.lmax : key.lmax == want.lmax;
    return key.nside == want.nside && band && key.iterations == want.iterations &&
           key.weights == want.weights && key.polarization == want.polarization &&
           (have.masksMade || masked == Masked::Ignore);
}

const Analysis* KeptAnalyses::found(const AnalysisKey& key, Masked masked) const {
    return whole_ && serves(*whole_, key, masked) ? &*whole_ : nullptr;
}

const Analysis& KeptAnalyses::whole(AnalysisKey key, int lmax, Masked masked, JobContext& job) {
    if (const Analysis* kept = found(key, masked)) return *kept;
    // This kernel is narrower than the last one, so even narrower ones are likely: takes the full
    // band.
    if (whole_ && key.iterations == 0) key.lmax = lmax;
    live_.reset();
    whole_.reset();
    if (!isShared_) transforms_->dropSynthesis();
    // A polarized analysis takes new memory for coefficients.
    requireAnalysisMemory(key, input_->fields().size(),
                          key.polarization ? 0 : transforms_->arrays.heldBytes());
    JobContext reading = job.part(0.0, 0.05), working = job.part(0.05, 1.0);
    SkyFields sky;
    for (const int field : input_->fields()) {
        // With polarization the mean of T alone is subtracted.
        const AboutMean aboutMean =
            key.polarization && !sky.values.empty() ? AboutMean::No : AboutMean::Yes;
        if (auto whole = input_->takeWhole(field, aboutMean, transforms_->arrays, reading)) {
            addWhole(sky, std::move(*whole));
            continue;
        }
        transforms_->arrays.freeMap();  // these values have memory of their own
        addField(sky, input_->takeValues(field, reading), reading);
    }
    whole_ = analyzed(std::move(sky), key, masked, working);
    return *whole_;
}

const CoarseAnalysis& KeptAnalyses::coarse(const AnalysisKey& key, Masked masked, JobContext& job) {
    const auto have = coarse_.find(key.nside);
    if (have != coarse_.end() && serves(have->second.analysis, key, masked)) return have->second;
    coarse_.erase(key.nside);
    requireAnalysisMemory(key, input_->fields().size(), 0);
    JobContext reading = job.part(0.0, 0.5), working = job.part(0.5, 1.0);
    SkyFields sky;
    std::vector<std::vector<float>> good;
    for (const int field : input_->fields()) {
        const CoarseSums sums = coarseSums(input_->map(), field, key.nside, reading);
        addCoarseField(sky, sums, reading);
        good.emplace_back(sums.good);
        for (float& share : good.back()) share /= static_cast<float>(sums.each);
    }
    Analysis made = analyzed(std::move(sky), key, masked, working);
    return coarse_.insert({key.nside, {std::move(made), std::move(good)}}).first->second;
}

const ShtPlan& KeptAnalyses::synthesis(int64_t nside, int lmax, JobContext& job) {
    lmax = tableBand(nside, lmax, input_->device().kind);
    return transforms_->synthesis({.nside = nside, .lmax = lmax}, job);
}

LiveSmoothing& KeptAnalyses::onDevice(JobContext& job) {
    if (!live_) {
        std::vector<LiveField> shown;
        for (const int field : input_->fields())
            shown.push_back(liveField(input_->map(), field, job));
        live_ = std::make_unique<LiveSmoothing>(whole_.value(), shown, input_->device(), job);
    }
    return *live_;
}

int64_t KeptAnalyses::memoryBytes() const {
    int64_t bytes = 0;
    const auto add = [&bytes](const Analysis& analysis) {
        const auto kept = static_cast<int64_t>(analysis.alm.size() + analysis.mask.size());
        bytes += kept * almBytes(analysis.key.lmax, analysis.key.lmax);
    };
    if (whole_) add(*whole_);
    for (const auto& [nside, coarse] : coarse_) {
        add(coarse.analysis);
        for (const auto& good : coarse.good)
            bytes += static_cast<int64_t>(good.size() * sizeof(float));
    }
    return bytes;
}

}  // namespace armilla
