// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/pixels/smooth_direct.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/ops/monopole.h"
#include "armilla/ops/quadrature_weights.h"
#include "convolve/pixels/direct_cpu.h"
#include "convolve/pixels/ring_cpu.h"
#include "convolve/rows/row_sums_cuda.h"
#include "convolve/sky_values.h"

namespace armilla {

namespace {

int64_t ringPixel(const HealpixMap& map, int64_t pixel) {
    return map.ordering() == Ordering::Ring ? pixel : ringFromNested(map.nside(), pixel);
}

// The rings that a map covers, and its pixels in them.
struct Covered {
    RingSpan range;
    int64_t offset = 0, count = 0;  // first RING pixel and number of pixels of the range
    std::vector<PixelRun> runs;     // empty: all
};

Covered coveredBy(const HealpixMap& map, JobContext& job) {
    const int64_t nside = map.nside();
    Covered c;
    c.range = {1, 4 * nside - 1};
    c.count = map.pixelCount();
    if (map.coverage() == Coverage::Full || map.elementCount() == 0) return c;
    std::vector<int64_t> pixels(map.pixels().begin(), map.pixels().end());
    if (map.ordering() == Ordering::Nested) {
        parallelFor(job, static_cast<long long>(pixels.size()), kPixelGrain,
                    [&](long long begin, long long end) {
                        for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
                            pixels[i] = ringFromNested(nside, pixels[i]);
                    });
        std::sort(pixels.begin(), pixels.end());
    }
    for (size_t i = 0; i < pixels.size();) {
        const RingPlace at = ringPlaceFromRing(nside, pixels[i]);
        const int64_t left = 4 * detail::quarterLength(nside, at.ring) - at.place;
        size_t end = i + 1;
        while (end < pixels.size() && pixels[end] == pixels[end - 1] + 1 &&
               static_cast<int64_t>(end - i) < left)
            ++end;
        c.runs.push_back({at.ring, at.place, static_cast<int64_t>(end - i)});
        i = end;
    }
    c.range = {c.runs.front().ring, c.runs.back().ring};
    c.offset = detail::firstPixelOfRing(nside, c.range.first);
    c.count = detail::firstPixelOfRing(nside, c.range.last + 1) - c.offset;
    return c;
}

// The memory of the sums: arrays of their own, or the values that they are computed from.
enum class Results { Apart, InPlace };

template <typename Sample>
class Work {
public:
    Work(const PixelInput& input, const Covered& covered, bool compensated, Results results)
        : map_(input.map),
          own_(input.own),
          covered_(covered),
          compensated_(compensated),
          where_(results) {}

    void add(int index, bool normalize, JobContext& job) {
        const Field& field = map_.field(index);
        const auto& values = std::get<std::vector<Sample>>(field.values);
        std::vector<Sample>* taken =
            own_ ? &std::get<std::vector<Sample>>(own_->field(index).values) : nullptr;
        const Sample* ring = values.data();
        // A RING map is used where it is, any other map is copied to its rings.
        std::vector<Sample> inRings;
        if (!isOnRings()) {
            inRings = toRings(values, job);
            if (taken) std::vector<Sample>().swap(*taken);
            taken = &inRings;
            ring = inRings.data();
        }
        std::optional<double> mean;
        if (map_.coverage() == Coverage::Full)
            mean = meanOfWhole(std::span(ring, static_cast<size_t>(covered_.count)), job);
        const bool bad = normalize && !mean;
        if (bad && compensated_) refuseZeroIntegral();
        if (taken && where_ == Results::InPlace) {
            results_.push_back(std::move(*taken));
        } else {
            results_.push_back(newVector<Sample>(covered_.count, job));
            if (!isOnRings()) inRings_.push_back(std::move(inRings));
        }
        planes_.push_back({ring, results_.back().data(), bad, mean.value_or(0.0)});
        fields_.push_back(&field);
    }
    bool empty() const { return planes_.empty(); }

    template <typename Sums>
    void execute(const Sums& sums, JobContext& job) const {
        sums(std::span<const DirectPlane<Sample>>(planes_), job);
    }
    // The i-th added field.
    Field take(size_t i, JobContext& job) {
        Field field{fields_[i]->name,
                    fields_[i]->unit,
                    std::is_same_v<Sample, float> ? DiskType::Float32 : DiskType::Float64,
                    {}};
        if (isOnRings()) {
            field.values = std::move(results_[i]);
            return field;
        }
        std::vector<Sample>& ring = results_[i];
        std::vector<Sample> output = newVector<Sample>(map_.elementCount(), job);
        forElements(job, [&](size_t element, size_t at) { output[element] = ring[at]; });
        std::vector<Sample>().swap(ring);
        field.values = std::move(output);
        return field;
    }

private:
    bool isOnRings() const {
        return map_.coverage() == Coverage::Full && map_.ordering() == Ordering::Ring;
    }
    // Calls body(element, index of its pixel in the rings).
    template <typename Body>
    void forElements(JobContext& job, const Body& body) const {
        parallelFor(job, map_.elementCount(), kPixelGrain, [&](long long begin, long long end) {
            for (long long e = begin; e < end; ++e) {
                const int64_t pixel =
                    map_.coverage() == Coverage::Full ? e : map_.pixels()[static_cast<size_t>(e)];
                body(static_cast<size_t>(e),
                     static_cast<size_t>(ringPixel(map_, pixel) - covered_.offset));
            }
        });
    }
    std::vector<Sample> toRings(const std::vector<Sample>& values, JobContext& job) const {
        std::vector<Sample> ring =
            newVector<Sample>(covered_.count, job, std::numeric_limits<Sample>::quiet_NaN());
        forElements(job, [&](size_t element, size_t at) { ring[at] = values[element]; });
        return ring;
    }

    const HealpixMap& map_;
    HealpixMap* own_;
    const Covered& covered_;
    bool compensated_;
    Results where_;
    std::vector<std::vector<Sample>> inRings_, results_;
    std::vector<DirectPlane<Sample>> planes_;
    std::vector<const Field*> fields_;
};

// Calls `sums(planes, job)` for the fields in single and for those in double precision.
template <typename Sums>
std::vector<Field> smoothPlanes(const PixelInput& input, const Covered& covered, bool compensated,
                                Masked masked, Results results, const Sums& sums, JobContext& job) {
    const auto& [map, fields, own] = input;
    JobContext reading = job.part(0.0, 0.05), working = job.part(0.05, 0.95);
    JobContext writing = job.part(0.95, 1.0);
    if (own == nullptr || results == Results::Apart || map.coverage() != Coverage::Full)
        requireMemory("smoothing at nside " + std::to_string(map.nside()),
                      static_cast<int64_t>(fields.size()) * 8 * covered.count);
    Work<float> single(input, covered, compensated, results);
    Work<double> twice(input, covered, compensated, results);
    for (const int i : fields) {
        const bool normalize = masked == Masked::Normalize;
        if (map.field(i).isSingle())
            single.add(i, normalize, reading);
        else
            twice.add(i, normalize, reading);
    }
    const double middle = single.empty() ? 0.0 : twice.empty() ? 1.0 : 0.5;
    JobContext first = working.part(0.0, middle), second = working.part(middle, 1.0);
    if (!single.empty()) single.execute(sums, first);
    if (!twice.empty()) twice.execute(sums, second);
    std::vector<Field> result;
    size_t singles = 0, doubles = 0;
    for (const int i : fields)
        result.push_back(map.field(i).isSingle() ? single.take(singles++, writing)
                                                 : twice.take(doubles++, writing));
    return result;
}

std::vector<double> weightsOfRings(const HealpixMap& map, Weights weights, JobContext& job) {
    ARMILLA_ASSERT(map.coverage() != Coverage::MultiOrder && weights != Weights::Pixel);
    return weights == Weights::Ring ? ringWeights(map.nside(), job) : std::vector<double>();
}

}  // namespace

std::vector<Field> smoothDirect(const PixelInput& input, const Kernel& kernel, Weights weights,
                                Masked masked, JobContext& job) {
    const HealpixMap& map = input.map;
    JobContext planning = job.part(0.0, 0.02), working = job.part(0.02, 1.0);
    const ProfileTable profile(kernel, kernel.support());
    const DirectSums sums(map.nside(), profile, weightsOfRings(map, weights, planning),
                          kernel.integral());
    const Covered covered = coveredBy(map, planning);
    const auto execute = [&](const auto& planes, JobContext& part) {
        if (covered.runs.empty())
            sums.execute(planes, part);
        else
            sums.execute(planes, covered.range, covered.runs, part);
    };
    return smoothPlanes(input, covered, kernel.compensated(), masked, Results::Apart, execute,
                        working);
}

std::vector<Field> smoothByRings(const PixelInput& input, const Kernel& kernel, int lastL,
                                 Weights weights, Masked masked, JobContext& job) {
    const HealpixMap& map = input.map;
    JobContext planning = job.part(0.0, 0.05), working = job.part(0.05, 1.0);
    const ProfileTable profile(kernel, kernel.support());
    const RingSums sums(map.nside(), profile, lastL, weightsOfRings(map, weights, planning),
                        kernel.integral(), planning);
    Covered all;
    all.range = {1, 4 * map.nside() - 1};
    all.count = map.pixelCount();
    const auto execute = [&](const auto& planes, JobContext& part) { sums.execute(planes, part); };
    return smoothPlanes(input, all, kernel.compensated(), masked, Results::InPlace, execute,
                        working);
}

std::vector<Field> smoothOnRows(const HealpixMap& map, std::span<const int> fields,
                                const RowKernel& kernel, const SmoothParameters& parameters,
                                const Device& device, JobContext& job) {
    JobContext planning = job.part(0.0, 0.05), working = job.part(0.05, 1.0);
    RingGrid grid = RingGrid::healpix(map.nside());
    const std::vector<double> weights = weightsOfRings(map, parameters.weights, planning);
    for (size_t r = 0; r < grid.rings.size() && !weights.empty(); ++r)
        grid.rings[r].weight *= weights[std::min(r, grid.rings.size() - 1 - r)];
    const Covered covered = coveredBy(map, planning);
    const int64_t first = covered.range.first - 1, last = covered.range.last - 1;
    if (device.kind == DeviceKind::Cuda) {
        RowSumsCuda sums(device.index, grid, kernel, RowSumsCuda::Strategy::Samples);
        return smoothPlanes(
            {map, fields}, covered, false, parameters.masked, Results::Apart,
            [&](const auto& planes, JobContext& part) { sums.execute(planes, first, last, part); },
            working);
    }
    const RowSums sums(grid, kernel);
    return smoothPlanes(
        {map, fields}, covered, false, parameters.masked, Results::Apart,
        [&](const auto& planes, JobContext& part) { sums.execute(planes, first, last, part); },
        working);
}

}  // namespace armilla
