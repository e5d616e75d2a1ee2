// SPDX-License-Identifier: GPL-3.0-or-later
// The edges of a mask within a disc, for previews.
#include <algorithm>
#include <atomic>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/one_field.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/ops/mask.h"
#include "mask/apodization_profile.h"
#include "mask/edge_distance.h"

namespace armilla {

namespace {

// Pixels of a disc in ascending order.
class DiscPixels {
public:
    DiscPixels(int64_t nside, Vec3 center, double radius)
        : ranges_(queryDisc(nside, Ordering::Ring, center, std::min(radius, kPi))) {
        for (const PixelRange& range : ranges_) {
            firsts_.push_back(count_);
            count_ += range.end - range.begin;
        }
    }
    int64_t count() const { return count_; }
    // The position of a pixel in the list; none for other pixels.
    std::optional<int64_t> find(int64_t pixel) const {
        auto after =
            std::upper_bound(ranges_.begin(), ranges_.end(), pixel,
                             [](int64_t p, const PixelRange& range) { return p < range.begin; });
        if (after == ranges_.begin() || pixel >= (--after)->end) return std::nullopt;
        return firsts_[static_cast<size_t>(after - ranges_.begin())] + pixel - after->begin;
    }
    // Calls body(position, pixel) for all pixels, on all threads.
    template <class Body>
    void each(JobContext& job, const Body& body) const {
        parallelFor(job, static_cast<long long>(ranges_.size()), 4,
                    [&](long long begin, long long end) {
                        for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
                            for (int64_t p = ranges_[i].begin; p < ranges_[i].end; ++p)
                                body(firsts_[i] + p - ranges_[i].begin, p);
                    });
    }

private:
    std::vector<PixelRange> ranges_;
    std::vector<int64_t> firsts_;
    int64_t count_ = 0;
};

// One bit per pixel; several threads may change bits of one word.
class SharedBits {
public:
    SharedBits(int64_t nside, JobContext& job)
        : words_(newVector<uint64_t>((pixelCount(nside) + 63) / 64, job)) {}
    const std::vector<uint64_t>& words() const { return words_; }
    bool at(int64_t p) const { return (words_[static_cast<size_t>(p / 64)] >> (p % 64) & 1) != 0; }
    void set(int64_t p) {
        std::atomic_ref(words_[static_cast<size_t>(p / 64)])
            .fetch_or(uint64_t{1} << (p % 64), std::memory_order_relaxed);
    }
    void clear(int64_t p) {
        std::atomic_ref(words_[static_cast<size_t>(p / 64)])
            .fetch_and(~(uint64_t{1} << (p % 64)), std::memory_order_relaxed);
    }

private:
    std::vector<uint64_t> words_;
};

// The mask's value at a pixel of the disc.
template <class T>
class MaskSampler {
public:
    MaskSampler(const HealpixMap& mask, const std::vector<T>& values, int64_t nside)
        : mask_(mask),
          values_(values),
          nside_(nside),
          isSame_(nside == mask.nside() && mask.ordering() == Ordering::Ring) {}
    T at(int64_t p) const {
        if (isSame_) return values_[static_cast<size_t>(p)];
        if (nside_ == mask_.nside()) return values_[static_cast<size_t>(nestedFromRing(nside_, p))];
        return values_[static_cast<size_t>(mask_.pixelAt(directionFromRing(nside_, p)))];
    }

private:
    const HealpixMap& mask_;
    const std::vector<T>& values_;
    int64_t nside_;
    bool isSame_;
};

// All targets that can change a pixel of the disc lie within the disc widened by the angles of the
// edges. Targets further inside the bad areas may be missing or not grown.
template <class Out, class T>
HealpixMap within(const MaskDisc& disc, const HealpixMap& mask, const std::vector<T>& values,
                  const MaskEdges& edges, JobContext& job) {
    const MaskSampler<T> sampler(mask, values, disc.nside);
    // An apodization angle of 0 changes nothing.
    const bool isSoft = edges.apodize && *edges.apodize > 0.0;
    const mask::ApodizationProfile profile(edges.apodization, isSoft ? *edges.apodize : 1.0);
    const double pixel = 2.0 * maximumPixelRadius(disc.nside);
    const double soft = disc.radius + (isSoft ? profile.limit() : 0.0) + pixel,
                 grown = soft + edges.grow.value_or(0.0) + pixel,
                 shrunk = grown + edges.shrink.value_or(0.0) + pixel;
    const DiscPixels all(disc.nside, disc.center, shrunk);
    SharedBits bad(disc.nside, job);
    // NaN is bad.
    all.each(job, [&](int64_t, int64_t p) {
        if (!(sampler.at(p) > T(0.5))) bad.set(p);
    });
    const auto visit = [&](const SharedBits& targets, double limit, double radius,
                           mask::NearDetail detail, const mask::NearVisit& body) {
        mask::NearTargets(disc.nside, Ordering::Ring, targets.words(), job)
            .visit({limit, detail, mask::SkyDisc{disc.center, std::min(radius, kPi)}}, job, body);
    };
    if (edges.shrink) {
        SharedBits good(disc.nside, job);
        all.each(job, [&](int64_t, int64_t p) {
            if (!bad.at(p)) good.set(p);
        });
        visit(good, *edges.shrink, grown, mask::NearDetail::WithinLimit,
              [&](const mask::NearPixels& near) {
                  for (const int64_t p : near.pixels) bad.clear(p);
              });
    }
    if (edges.grow)
        visit(bad, *edges.grow, soft, mask::NearDetail::WithinLimit,
              [&](const mask::NearPixels& near) {
                  for (const int64_t p : near.pixels) bad.set(p);
              });
    const DiscPixels seen(disc.nside, disc.center, disc.radius);
    std::vector<int64_t> pixels = newVector<int64_t>(seen.count(), job);
    std::vector<Out> made = newVector<Out>(seen.count(), job);
    const auto valueOf = [&](int64_t p) {
        const T v = sampler.at(p);
        if (bad.at(p)) return edges.grow || isSoft ? T(0) : v;
        return v > T(0.5) ? v : T(1);
    };
    const Out beyond = isSoft ? static_cast<Out>(profile.at(1.0)) : Out(1);
    seen.each(job, [&](int64_t i, int64_t p) {
        pixels[static_cast<size_t>(i)] = p;
        made[static_cast<size_t>(i)] = static_cast<Out>(valueOf(p)) * beyond;
    });
    if (isSoft)
        visit(bad, profile.limit(), disc.radius, mask::NearDetail::Angles,
              [&](const mask::NearPixels& near) {
                  for (size_t k = 0; k < near.pixels.size(); ++k)
                      if (const auto i = seen.find(near.pixels[k]))
                          made[static_cast<size_t>(*i)] =
                              static_cast<Out>(valueOf(near.pixels[k])) *
                              static_cast<Out>(profile.at(near.halfChords[k]));
              });
    Field field;
    field.name = "MASK";
    field.diskType = sizeof(Out) == sizeof(double) ? DiskType::Float64 : DiskType::Float32;
    field.values = std::move(made);
    return HealpixMap::partial(disc.nside, Ordering::Ring, mask.frame(), std::move(pixels),
                               oneField(std::move(field)));
}

}  // namespace

HealpixMap maskWithEdgesIn(const MaskDisc& disc, const HealpixMap& mask, const MaskEdges& edges,
                           JobContext& job, DiskType type) {
    checkNside(disc.nside, Ordering::Ring);
    if (mask.coverage() != Coverage::Full || mask.fieldCount() < 1)
        throw InvalidArgument("expected a mask of the whole sky, found another map");
    for (const auto& angle : {edges.shrink, edges.grow, edges.apodize})
        if (angle && !(*angle >= 0.0 && *angle <= kPi))
            throw InvalidArgument("expected an angle from 0 to 180 degrees, found " +
                                  std::to_string(*angle / kDegree));
    return std::visit(
        [&](const auto& values) {
            return type == DiskType::Float64 ? within<double>(disc, mask, values, edges, job)
                                             : within<float>(disc, mask, values, edges, job);
        },
        mask.field(0).values);
}

}  // namespace armilla
