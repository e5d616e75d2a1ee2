// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>

#include "armilla/ops/resample.h"
#include "resample/resample_detail.h"

namespace armilla {

namespace {

using namespace resample;

// Loops over rings; on a face the nested number is the sum of two table entries. Both maps are
// accessed in runs that stay in the cache from one ring to the next, so that memory bandwidth
// limits the speed.
template <class T>
std::vector<T> reorderedValues(std::span<const T> values, int64_t nside, Ordering ordering,
                               const std::vector<int64_t>& spread, JobContext& job) {
    std::vector<T> result = newVector<T>(pixelCount(nside), job);
    const T* from = values.data();
    T* to = result.data();
    forEachRingRun(nside, job, "reordering", kPixelGrain, [&](int64_t first, const RingRun& run) {
        const int64_t face = run.first.face * nside * nside;
        const int64_t* alongX = spread.data() + run.first.x;
        const int64_t* alongY = spread.data() + run.first.y;
        if (ordering == Ordering::Ring)
            for (int64_t k = 0; k < run.length; ++k)
                to[first + k] = from[face + alongX[k] + 2 * alongY[-k]];
        else
            for (int64_t k = 0; k < run.length; ++k)
                to[face + alongX[k] + 2 * alongY[-k]] = from[first + k];
    });
    return result;
}

HealpixMap reorderedPartial(const HealpixMap& map, Ordering ordering, JobContext& job) {
    const int64_t nside = map.nside(), count = map.elementCount();
    std::vector<PixelSource> sources = newVector<PixelSource>(count, job);
    JobContext numbering = job.part(0.0, 0.5), moving = job.part(0.5, 1.0);
    parallelFor(
        numbering, count, kPixelGrain,
        [&](long long begin, long long end) {
            for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
                const int64_t pixel = map.pixels()[i];
                sources[i] = {ordering == Ordering::Ring ? ringFromNested(nside, pixel)
                                                         : nestedFromRing(nside, pixel),
                              static_cast<int64_t>(i)};
            }
        },
        "reordering");
    sortByKey(sources, numbering);
    std::vector<Field> fields = eachField(
        map, Numbers::AsTheyWere, moving,
        [&](const auto& values, JobContext& part) { return gathered(values, sources, part); });
    return HealpixMap::partial(nside, ordering, map.frame(), keysOf(sources, moving),
                               std::move(fields));
}

// Nested numbers of the first row of a face.
std::vector<int64_t> spreadOf(int64_t nside) {
    std::vector<int64_t> spread;
    for (int64_t x = 0; x < nside; ++x) spread.push_back(nestedFromFace(nside, {0, x, 0}));
    return spread;
}

// A map in the other ordering. Frees the values of each field of a map that is not const as soon as
// they are copied.
template <class Map>
HealpixMap inOrder(Map& map, Ordering ordering, JobContext& job) {
    requireSinglePixels(map, "reordering");
    const int64_t nside = map.nside();
    checkNside(nside, Ordering::Nested);
    if (map.coverage() == Coverage::Partial)
        return withMetadata(reorderedPartial(map, ordering, job), map);
    const std::vector<int64_t> spread = spreadOf(nside);
    int next = 0;
    std::vector<Field> fields =
        eachField(map, Numbers::AsTheyWere, job, [&](const auto& values, JobContext& part) {
            auto made = reorderedValues(std::span(values), nside, ordering, spread, part);
            if constexpr (!std::is_const_v<Map>) map.field(next++).values = decltype(made)();
            return made;
        });
    return withMetadata(HealpixMap(nside, ordering, map.frame(), std::move(fields)), map);
}

}  // namespace

HealpixMap reordered(const HealpixMap& map, Ordering ordering, JobContext& job) {
    return map.ordering() == ordering ? map : inOrder(map, ordering, job);
}

HealpixMap reordered(HealpixMap&& map, Ordering ordering, JobContext& job) {
    if (map.ordering() == ordering) return std::move(map);
    HealpixMap own = std::move(map);
    return inOrder(own, ordering, job);
}

HealpixMap reordered(const RingMapView& map, Ordering ordering, JobContext& job) {
    const int64_t nside = map.outline->nside();
    checkNside(nside, ordering);
    const bool isNested = ordering == Ordering::Nested;
    const std::vector<int64_t> spread = isNested ? spreadOf(nside) : std::vector<int64_t>();
    std::vector<Field> fields =
        eachField(map, Numbers::AsTheyWere, job,
                  [&]<typename T>(std::span<const T> values, JobContext& part) {
                      if (isNested) return reorderedValues(values, nside, ordering, spread, part);
                      std::vector<T> copy = newVector<T>(static_cast<int64_t>(values.size()), part);
                      parallelFor(part, static_cast<long long>(values.size()), kPixelGrain,
                                  [&](long long begin, long long end) {
                                      std::copy(values.begin() + begin, values.begin() + end,
                                                copy.begin() + begin);
                                  });
                      return copy;
                  });
    return withMetadata(HealpixMap(nside, ordering, map.outline->frame(), std::move(fields)),
                        *map.outline);
}

}  // namespace armilla
