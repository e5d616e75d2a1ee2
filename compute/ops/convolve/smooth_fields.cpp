// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/smooth_fields.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "armilla/core/new_vector.h"

namespace armilla {

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

Field previewField(const Field& like, std::vector<double> values) {
    double largest = 0.0;
    for (const double value : values)
        if (std::abs(value) > largest) largest = std::abs(value);
    using Single = std::numeric_limits<float>;
    if (largest <= Single::max() && (largest == 0.0 || largest >= Single::min()))
        return {like.name, like.unit, DiskType::Float32,
                std::vector<float>(values.begin(), values.end())};
    return {like.name, like.unit, DiskType::Float64, std::move(values)};
}

LiveField liveField(const HealpixMap& map, int field, JobContext& job) {
    LiveField live;
    live.single = map.field(field).isSingle();
    const std::vector<double> ring = ringValues(map, field, job);
    const auto words = static_cast<long long>((ring.size() + 31) / 32);
    std::vector<uint32_t> bad = newVector<uint32_t>(words, job);
    std::atomic<bool> any{false};
    parallelFor(job, words, kPixelGrain / 32, [&](long long begin, long long end) {
        bool found = false;
        for (auto w = static_cast<size_t>(begin); w < static_cast<size_t>(end); ++w) {
            const size_t last = std::min(ring.size(), 32 * (w + 1));
            for (size_t p = 32 * w; p < last; ++p)
                if (std::isnan(ring[p])) bad[w] |= uint32_t{1} << (p % 32);
            found = found || bad[w] != 0;
        }
        if (found) any = true;
    });
    if (any) live.bad = std::move(bad);
    return live;
}

}  // namespace armilla
