// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/pixels/smooth_around.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "armilla/core/error.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/ops/quadrature_weights.h"
#include "convolve/pixels/direct_cpu.h"
#include "convolve/pixels/ring_cpu.h"
#include "convolve/sky_values.h"

namespace armilla {

namespace {

// A range of rings, and its pixels.
struct HeldRings {
    RingSpan range;
    int64_t begin = 0, end = 0;
};
HeldRings ringsOf(int64_t nside, const std::vector<PixelRange>& ranges) {
    HeldRings rings;
    rings.range = {ringPlaceFromRing(nside, ranges.front().begin).ring,
                   ringPlaceFromRing(nside, ranges.back().end - 1).ring};
    rings.begin = detail::firstPixelOfRing(nside, rings.range.first);
    rings.end = detail::firstPixelOfRing(nside, rings.range.last + 1);
    return rings;
}
// Ranges of RING pixels as runs within rings.
std::vector<PixelRun> runsOf(int64_t nside, const std::vector<PixelRange>& ranges) {
    std::vector<PixelRun> runs;
    for (const PixelRange& range : ranges)
        for (int64_t p = range.begin; p < range.end;) {
            const RingPlace at = ringPlaceFromRing(nside, p);
            const int64_t left = 4 * detail::quarterLength(nside, at.ring) - at.place;
            runs.push_back({at.ring, at.place, std::min(left, range.end - p)});
            p += runs.back().count;
        }
    return runs;
}

// Elements of the result: pixels in the map's ordering, ascending, and their RING numbers.
struct Elements {
    std::vector<int64_t> pixels, ring;
};
Elements elementsOf(const HealpixMap& map, const std::vector<PixelRange>& targets,
                    JobContext& job) {
    const bool ring = map.ordering() == Ordering::Ring;
    Elements all;
    const auto inside = [&](int64_t p) {
        const auto after = std::upper_bound(
            targets.begin(), targets.end(), p,
            [](int64_t pixel, const PixelRange& range) { return pixel < range.begin; });
        return after != targets.begin() && p < std::prev(after)->end;
    };
    if (map.coverage() == Coverage::Partial) {
        for (int64_t e = 0; e < map.elementCount(); ++e) {
            if (e % kPixelGrain == 0) job.poll();
            const int64_t k = map.pixels()[static_cast<size_t>(e)];
            const int64_t p = ring ? k : ringFromNested(map.nside(), k);
            if (!inside(p)) continue;
            all.pixels.push_back(k);
            all.ring.push_back(p);
        }
        return all;
    }
    for (const PixelRange& range : targets)
        for (int64_t p = range.begin; p < range.end; ++p)
            all.pixels.push_back(ring ? p : nestedFromRing(map.nside(), p));
    if (!ring) std::sort(all.pixels.begin(), all.pixels.end());
    for (const int64_t k : all.pixels)
        all.ring.push_back(ring ? k : ringFromNested(map.nside(), k));
    return all;
}

class Around {
public:
    Around(const HealpixMap& map, const SkyDisc& disc, const AroundRequest& request,
           JobContext& job)
        : map_(map),
          request_(request),
          targets_(queryDisc(map.nside(), Ordering::Ring, disc.center, disc.radius)) {
        if (targets_.empty()) return;
        const double reach = std::min(kPi, disc.radius + request.kernel->support());
        sources_ = queryDisc(map.nside(), Ordering::Ring, disc.center, reach * (1.0 + 1e-9));
        held_ = ringsOf(map.nside(), sources_);
        wanted_ = ringsOf(map.nside(), targets_);
        elements_ = elementsOf(map, targets_, job);
    }
    const Elements& elements() const { return elements_; }

    template <typename Sample>
    Field smoothed(const Field& field, std::optional<double> mean, const auto& sums,
                   JobContext& job) const {
        const auto& values = std::get<std::vector<Sample>>(field.values);
        Field made{field.name,
                   field.unit,
                   std::is_same_v<Sample, float> ? DiskType::Float32 : DiskType::Float64,
                   {}};
        std::vector<Sample> output;
        if (!elements_.pixels.empty()) {
            const bool inPlace =
                map_.coverage() == Coverage::Full && map_.ordering() == Ordering::Ring;
            const std::vector<Sample> own = inPlace ? std::vector<Sample>() : inRings(values, job);
            const Sample* const held = inPlace ? values.data() + held_.begin : own.data();
            const bool normalize = request_.masked == Masked::Normalize && !mean;
            if (normalize && request_.kernel->compensated()) refuseZeroIntegral();
            std::vector<Sample> result = newVector<Sample>(held_.end - held_.begin, job);
            const DirectPlane<Sample> plane{held, result.data(), normalize, mean.value_or(0.0)};
            sums(std::span<const DirectPlane<Sample>>(&plane, 1), *this, job);
            for (const int64_t p : elements_.ring)
                output.push_back(result[static_cast<size_t>(p - held_.begin)]);
        }
        made.values = std::move(output);
        return made;
    }
    template <typename Sample>
    void direct(const DirectSums& sums, std::span<const DirectPlane<Sample>> planes,
                JobContext& job) const {
        sums.execute(planes, held_.range, runsOf(map_.nside(), targets_), job);
    }
    template <typename Sample>
    void byRings(const RingSums& sums, std::span<const DirectPlane<Sample>> planes,
                 JobContext& job) const {
        sums.execute(planes, held_.range, wanted_.range, job);
    }

private:
    // The values of the rings in memory, NaN where nothing is read.
    template <typename Sample>
    std::vector<Sample> inRings(const std::vector<Sample>& values, JobContext& job) const {
        std::vector<Sample> ring = newVector<Sample>(held_.end - held_.begin, job,
                                                     std::numeric_limits<Sample>::quiet_NaN());
        const auto at = [&](int64_t p) -> Sample& {
            return ring[static_cast<size_t>(p - held_.begin)];
        };
        if (map_.coverage() == Coverage::Partial) {
            for (int64_t e = 0; e < map_.elementCount(); ++e) {
                const int64_t k = map_.pixels()[static_cast<size_t>(e)];
                const int64_t p =
                    map_.ordering() == Ordering::Ring ? k : ringFromNested(map_.nside(), k);
                if (p >= held_.begin && p < held_.end) at(p) = values[static_cast<size_t>(e)];
            }
            return ring;
        }
        for (const PixelRange& range : sources_) {
            job.poll();
            for (int64_t p = range.begin; p < range.end; ++p)
                at(p) = values[static_cast<size_t>(
                    map_.ordering() == Ordering::Ring ? p : nestedFromRing(map_.nside(), p))];
        }
        return ring;
    }
    const HealpixMap& map_;
    const AroundRequest& request_;
    std::vector<PixelRange> targets_, sources_;
    HeldRings held_, wanted_;
    Elements elements_;
};

}  // namespace

HealpixMap smoothAround(const HealpixMap& map, std::span<const int> fields, const SkyDisc& disc,
                        const AroundRequest& request, JobContext& job) {
    ARMILLA_ASSERT(map.coverage() != Coverage::MultiOrder && request.weights != Weights::Pixel);
    const Around around(map, disc, request, job);
    const Kernel& kernel = *request.kernel;
    std::vector<double> ring;
    if (request.weights == Weights::Ring) ring = ringWeights(map.nside(), job);
    const ProfileTable profile(kernel, kernel.support());
    std::optional<DirectSums> direct;
    std::optional<RingSums> byRings;
    if (request.lastL)
        byRings.emplace(map.nside(), profile, *request.lastL, ring, kernel.integral(), job);
    else
        direct.emplace(map.nside(), profile, ring, kernel.integral());
    const auto sums = [&](const auto& planes, const Around& of, JobContext& part) {
        if (byRings)
            of.byRings(*byRings, planes, part);
        else
            of.direct(*direct, planes, part);
    };
    std::vector<Field> made;
    for (size_t i = 0; i < fields.size(); ++i) {
        const double count = static_cast<double>(fields.size());
        JobContext part =
            job.part(static_cast<double>(i) / count, static_cast<double>(i + 1) / count);
        const Field& field = map.field(fields[i]);
        const std::optional<double> mean = request.means[i];
        made.push_back(field.isSingle() ? around.smoothed<float>(field, mean, sums, part)
                                        : around.smoothed<double>(field, mean, sums, part));
    }
    HealpixMap result = HealpixMap::partial(map.nside(), map.ordering(), map.frame(),
                                            around.elements().pixels, std::move(made));
    result.metadata() = map.metadata();
    return result;
}

}  // namespace armilla
