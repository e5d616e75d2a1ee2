// SPDX-License-Identifier: GPL-3.0-or-later
// Common functions of the resampling operations.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/ops/resample_samples.h"

namespace armilla::resample {

// Throws InvalidArgument for a multi-order map.
void requireSinglePixels(const HealpixMap& map, const char* operation);
enum class Numbers { AsTheyWere, Averaged };
// The type on disk of a field with averaged values: integers become floating point.
DiskType diskTypeOf(const Field& field, Numbers numbers);

// The fields of `outline` with the values `make(values, job)`, from values(i) of field i, a
// variant.
template <class Values, class Make>
std::vector<Field> eachField(const HealpixMap& outline, Numbers numbers, JobContext& job,
                             const Values& values, const Make& make) {
    std::vector<Field> fields;
    for (int i = 0; i < outline.fieldCount(); ++i) {
        const Field& field = outline.field(i);
        JobContext part = job.part(static_cast<double>(i) / outline.fieldCount(),
                                   static_cast<double>(i + 1) / outline.fieldCount());
        Field made{field.name, field.unit, diskTypeOf(field, numbers), {}};
        std::visit([&](const auto& from) { made.values = make(from, part); }, values(i));
        fields.push_back(std::move(made));
    }
    return fields;
}
template <class Make>
std::vector<Field> eachField(const HealpixMap& map, Numbers numbers, JobContext& job,
                             const Make& make) {
    const auto values = [&](int i) -> const auto& {
        return map.field(i).values;
    };
    return eachField(map, numbers, job, values, make);
}
template <class Make>
std::vector<Field> eachField(const RingMapView& map, Numbers numbers, JobContext& job,
                             const Make& make) {
    const auto samples = [&](int i) -> const auto& {
        return map.samples[static_cast<size_t>(i)];
    };
    return eachField(*map.outline, numbers, job, samples, make);
}

// Adds the metadata of `source` to a map.
HealpixMap withMetadata(HealpixMap map, const HealpixMap& source);

// A pixel of the result and the input element that provides its value.
struct PixelSource {
    int64_t key = 0;
    int64_t element = 0;
};
// Parallel sort by distinct keys, in pieces short enough for cancellation.
void sortByKey(std::vector<PixelSource>& sources, JobContext& job);

// values[elementOf(s)] for each s in `sources`, in their order.
template <class Values, class Source, class ElementOf>
auto gathered(const Values& values, const std::vector<Source>& sources, const ElementOf& elementOf,
              JobContext& job) {
    const auto count = static_cast<int64_t>(sources.size());
    auto result = newVector<std::remove_const_t<typename Values::value_type>>(count, job);
    parallelFor(job, count, kPixelGrain, [&](long long begin, long long end) {
        for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
            result[i] = values[static_cast<size_t>(elementOf(sources[i]))];
    });
    return result;
}
template <class T>
std::vector<T> gathered(const std::vector<T>& values, const std::vector<PixelSource>& sources,
                        JobContext& job) {
    return gathered(
        values, sources, [](const PixelSource& s) { return s.element; }, job);
}
std::vector<int64_t> keysOf(const std::vector<PixelSource>& sources, JobContext& job);

// RING numbers of the pixels of one face. Cells on one diagonal x + y are adjacent in their ring,
// so a table with one entry per diagonal replaces the geometry.
class FaceRings {
public:
    FaceRings(int64_t nside, int face);
    int64_t pixel(int64_t x, int64_t y) const {
        const auto diagonal = static_cast<size_t>(x + y);
        return base_[diagonal] + x + (x < y ? wrap_[diagonal] : 0);
    }

private:
    std::vector<int64_t> base_;
    std::vector<int64_t> wrap_;  // face 4 contains both ends of its rings
};
std::vector<FaceRings> allFaceRings(int64_t nside);

// Calls `body(firstPixel, run)` for runs of consecutive RING pixels on one face, for the whole sky,
// from several threads.
template <class Body>
void forEachRingRun(int64_t nside, JobContext& job, std::string_view stage, int64_t grain,
                    const Body& body) {
    const int64_t ringsEach = std::max<int64_t>(1, grain / (4 * nside));
    parallelFor(
        job, 4 * nside - 1, ringsEach,
        [&](long long begin, long long end) {
            for (int64_t ring = begin + 1; ring <= end; ++ring) {
                const int64_t start = detail::firstPixelOfRing(nside, ring);
                const int64_t count = 4 * detail::quarterLength(nside, ring);
                for (int64_t place = 0; place < count;) {
                    const RingRun run = ringRun(nside, {ring, place});
                    body(start + place, run);
                    place += run.length;
                }
            }
        },
        stage);
}

}  // namespace armilla::resample
