// SPDX-License-Identifier: GPL-3.0-or-later
#include "resample/resample_detail.h"

#include <algorithm>

namespace armilla::resample {

void requireSinglePixels(const HealpixMap& map, const char* operation) {
    if (map.coverage() == Coverage::MultiOrder)
        throw InvalidArgument(std::string(operation) +
                              ": expected a map of one resolution, found a multi-order map, which "
                              "must be flattened first");
}

DiskType diskTypeOf(const Field& field, Numbers numbers) {
    const bool floating =
        field.diskType == DiskType::Float32 || field.diskType == DiskType::Float64;
    if (numbers == Numbers::AsTheyWere || floating) return field.diskType;
    return field.isSingle() ? DiskType::Float32 : DiskType::Float64;
}

HealpixMap withMetadata(HealpixMap map, const HealpixMap& source) {
    map.metadata() = source.metadata();
    return map;
}

void sortByKey(std::vector<PixelSource>& sources, JobContext& job) {
    const auto less = [](const PixelSource& a, const PixelSource& b) { return a.key < b.key; };
    const auto count = static_cast<int64_t>(sources.size());
    constexpr int64_t kBucket = int64_t{1} << 15;  // sorted in about 2 ms on one CPU core
    job.poll();
    if (count <= 2 * kBucket) {
        std::sort(sources.begin(), sources.end(), less);
        return;
    }
    // Sample sort: keys are distinct, so evenly chosen splitters give pieces of similar size.
    const int64_t buckets = std::min<int64_t>(count / kBucket, 4096), oversampling = 16;
    std::vector<int64_t> sample;
    for (int64_t i = 0; i < buckets * oversampling; ++i)
        sample.push_back(
            sources[static_cast<size_t>(static_cast<double>(i) * static_cast<double>(count) /
                                        static_cast<double>(buckets * oversampling))]
                .key);
    std::sort(sample.begin(), sample.end());
    std::vector<int64_t> cuts;
    for (int64_t i = 1; i < buckets; ++i)
        cuts.push_back(sample[static_cast<size_t>(i * oversampling)]);
    const auto bucketOf = [&](const PixelSource& source) {
        return static_cast<size_t>(std::upper_bound(cuts.begin(), cuts.end(), source.key) -
                                   cuts.begin());
    };
    std::vector<int64_t> starts(static_cast<size_t>(buckets) + 1, 0);
    std::vector<PixelSource> placed = newVector<PixelSource>(count, job);
    const auto inPieces = [&](const auto& body) {
        for (int64_t begin = 0; begin < count; begin += kPixelGrain) {
            job.poll();
            const int64_t end = std::min(count, begin + kPixelGrain);
            for (int64_t i = begin; i < end; ++i) body(sources[static_cast<size_t>(i)]);
        }
    };
    inPieces([&](const PixelSource& source) { ++starts[bucketOf(source) + 1]; });
    for (size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
    std::vector<int64_t> next(starts.begin(), starts.end() - 1);
    inPieces([&](const PixelSource& source) {
        placed[static_cast<size_t>(next[bucketOf(source)]++)] = source;
    });
    parallelFor(job, buckets, 1, [&](long long begin, long long end) {
        for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
            std::sort(placed.begin() + starts[i], placed.begin() + starts[i + 1], less);
    });
    sources = std::move(placed);
}

std::vector<int64_t> keysOf(const std::vector<PixelSource>& sources, JobContext& job) {
    const auto count = static_cast<int64_t>(sources.size());
    std::vector<int64_t> keys = newVector<int64_t>(count, job);
    parallelFor(job, count, kPixelGrain, [&](long long begin, long long end) {
        for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
            keys[i] = sources[i].key;
    });
    return keys;
}

FaceRings::FaceRings(int64_t nside, int face) {
    for (int64_t diagonal = 0; diagonal < 2 * nside - 1; ++diagonal) {
        // The easternmost cell: x >= y, on the near side of longitude 0.
        const int64_t x = std::min(diagonal, nside - 1);
        const FacePixel cell{face, x, diagonal - x};
        base_.push_back(ringFromFace(nside, cell) - x);
        const int64_t ring = detail::ringOfFacePixel(nside, cell);
        wrap_.push_back(face == 4 ? 4 * detail::quarterLength(nside, ring) : 0);
    }
}

std::vector<FaceRings> allFaceRings(int64_t nside) {
    std::vector<FaceRings> faces;
    for (int face = 0; face < 12; ++face) faces.emplace_back(nside, face);
    return faces;
}

}  // namespace armilla::resample
