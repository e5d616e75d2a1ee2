// SPDX-License-Identifier: GPL-3.0-or-later
#include "image_to_map.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>

#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/core/units.h"
#include "armilla/operations/common_frame.h"
#include "armilla/operations/map_values.h"
#include "image_sampler.h"
#include "stokes.h"

namespace armilla {

namespace {

// Regions have an nside of at most this: 12.6 million regions.
constexpr int64_t kMostRegionNside = 1024;
// Children along a side of a pixel at most, 64 samples. Images with smaller pixels are binned: each
// of their pixels then counts as a whole, which moves borders by less than an eighth of a pixel.
constexpr int64_t kMostChildren = 8;
// Directions that one call of wcslib converts.
constexpr int64_t kDirectionsAtATime = 4096;

double pixelWidth(int64_t nside) {
    return std::sqrt(4.0 * kPi / static_cast<double>(pixelCount(nside)));
}

// The largest distance between the centers of adjacent pixels, in radians.
double largestStep(const Image& image, const std::vector<Vec3>& centers) {
    double largest = 0.0;
    for (int64_t y = 0; y < image.height; ++y)
        for (int64_t x = 0; x < image.width; ++x) {
            const auto at = static_cast<size_t>(y * image.width + x);
            for (const int64_t back : {x > 0 ? int64_t{1} : 0, y > 0 ? image.width : 0}) {
                const Vec3 step = centers[at] - centers[at - static_cast<size_t>(back)];
                const double chord2 = dot(step, step);
                if (chord2 > largest) largest = chord2;  // false for NaN
            }
        }
    return 2.0 * std::asin(std::min(1.0, 0.5 * std::sqrt(largest)));
}

// NESTED pixels of a coarse nside that the image may reach.
struct Regions {
    int64_t nside = 1;
    std::vector<bool> isReached;
    std::vector<int64_t> list;
};

// Regions are wider than two steps between pixels. Each direction of the image then lies in the
// region of a pixel's center or in a neighbor of it.
Regions regionsOf(const Image& image, const std::vector<Vec3>& centers, const Mat3& toMap,
                  int64_t mostNside) {
    const double step = std::max(largestStep(image, centers), 1e-9);
    Regions regions;
    while (2 * regions.nside <= std::min(mostNside, kMostRegionNside) &&
           pixelWidth(2 * regions.nside) > 2.0 * step)
        regions.nside *= 2;
    const int64_t nside = regions.nside;
    std::vector<bool> holdsCenter(static_cast<size_t>(pixelCount(nside)));
    for (const Vec3& center : centers)
        if (std::isfinite(center.z))
            holdsCenter[static_cast<size_t>(nestedFromDirection(nside, toMap * center))] = true;
    regions.isReached = holdsCenter;
    for (int64_t pixel = 0; pixel < pixelCount(nside); ++pixel)
        if (holdsCenter[static_cast<size_t>(pixel)])
            for (const int64_t next : neighbors(nside, Ordering::Nested, pixel))
                if (next >= 0) regions.isReached[static_cast<size_t>(next)] = true;
    for (int64_t pixel = 0; pixel < pixelCount(nside); ++pixel)
        if (regions.isReached[static_cast<size_t>(pixel)]) regions.list.push_back(pixel);
    return regions;
}

// The pixels to fill, ascending in the ordering of the map.
std::vector<int64_t> pixelsIn(const Regions& regions, int64_t nside, JobContext& job) {
    std::vector<int64_t> pixels;
    if (!isPowerOfTwoNside(nside)) {
        for (int64_t pixel = 0; pixel < pixelCount(nside); ++pixel) {
            if (pixel % kPixelGrain == 0) job.poll();
            const int64_t region =
                nestedFromDirection(regions.nside, directionFromRing(nside, pixel));
            if (regions.isReached[static_cast<size_t>(region)]) pixels.push_back(pixel);
        }
        return pixels;
    }
    const int64_t each = (nside / regions.nside) * (nside / regions.nside);
    pixels = newVector<int64_t>(static_cast<int64_t>(regions.list.size()) * each, job);
    auto next = pixels.begin();
    for (const int64_t region : regions.list) {
        job.poll();
        for (int64_t i = 0; i < each; ++i) *next++ = region * each + i;
    }
    return pixels;
}

// One plane's rule: the mean, or the sum with the solid angles of the image's pixels.
bool isSummed(const Image& image, size_t plane, const ImagePixels& wanted) {
    if (wanted.degrade) return *wanted.degrade == Degrade::Sum;
    Field field;
    field.name = image.planes[plane].name;
    field.unit = image.unit;
    return degradeRule(field) == Degrade::Sum;
}

// Planes of one rule.
struct Planes {
    std::vector<size_t> list;
    bool isSummed = false;
};

// Fills the pixels of a map from samples on an even grid of children of each pixel. Means take the
// value between four pixels of the image, or nearest the value at the center. Sums take an equal
// share of the image pixel that holds the sample, so that its value is shared out entirely.
class Filling {
public:
    Filling(const ImageSampler& sampler, const Image& image, const ImagePixels& wanted,
            const Mat3& toImage, const Mat3& toMap, Planes planes)
        : sampler_(sampler),
          image_(image),
          wanted_(wanted),
          toImage_(toImage),
          toMap_(toMap),
          planes_(std::move(planes)) {
        // Shares of a sum are quarters of a pixel's side at most, as far as children allow.
        const double finer =
            (planes_.isSummed ? 4.0 : 1.0) * pixelWidth(wanted.nside) / sampler.wcs().pixelSize();
        if (planes_.isSummed || wanted.interpolation == FrameTurn::Interpolated)
            while (static_cast<double>(children_) < finer && children_ < kMostChildren &&
                   2 * children_ * wanted.nside <= kMaxNside)
                children_ *= 2;
    }

    // Values of the planes at `pixels`, in the ordering of the map.
    std::vector<std::vector<double>> values(const std::vector<int64_t>& pixels, Ordering ordering,
                                            JobContext& job) {
        std::vector<std::vector<double>> filled;
        for (size_t plane = 0; plane < planes_.list.size(); ++plane)
            filled.push_back(newVector<double>(std::ssize(pixels), job, kNan));
        JobContext first = job.part(0.0, planes_.isSummed ? 0.5 : 0.0),
                   second = job.part(planes_.isSummed ? 0.5 : 0.0, 1.0);
        if (planes_.isSummed) {
            samples_ = newVector<int32_t>(image_.planeSize(), job);
            visit(pixels, ordering, first, [&](size_t, std::span<const ImageCell> cells) {
                for (const ImageCell& cell : cells)
                    if (cell.nearest >= 0)
                        std::atomic_ref(samples_[static_cast<size_t>(cell.nearest)])
                            .fetch_add(1, std::memory_order_relaxed);
            });
        }
        visit(pixels, ordering, second, [&](size_t at, std::span<const ImageCell> cells) {
            for (size_t i = 0; i < filled.size(); ++i)
                filled[i][at] =
                    planes_.isSummed ? sum(cells, planes_.list[i]) : mean(cells, planes_.list[i]);
        });
        if (planes_.isSummed) addMissed(filled, pixels, ordering);
        return filled;
    }

private:
    // Calls `take` with the number of each pixel and the cells of its children, on all threads.
    void visit(const std::vector<int64_t>& pixels, Ordering ordering, JobContext& job,
               const std::function<void(size_t at, std::span<const ImageCell> cells)>& take) const {
        const int64_t inPixel = children_ * children_;
        parallelFor(
            job, std::ssize(pixels), std::max<int64_t>(1, kDirectionsAtATime / inPixel),
            [&](long long begin, long long end) {
                const ImageWcs wcs = sampler_.wcs().copy();
                std::vector<Vec3> directions(static_cast<size_t>((end - begin) * inPixel));
                std::vector<ImageCell> cells(directions.size());
                const auto ofPixel = [&](auto& all, long long i) {
                    return std::span(all).subspan(static_cast<size_t>((i - begin) * inPixel),
                                                  static_cast<size_t>(inPixel));
                };
                for (long long i = begin; i < end; ++i)
                    place(faceFromPixel(wanted_.nside, ordering, pixels[static_cast<size_t>(i)]),
                          ofPixel(directions, i));
                sampler_.cells(wcs, directions, cells);
                for (long long i = begin; i < end; ++i)
                    take(static_cast<size_t>(i), ofPixel(cells, i));
            },
            "image");
    }

    void place(FacePixel pixel, std::span<Vec3> directions) const {
        size_t next = 0;
        for (int64_t x = 0; x < children_; ++x)
            for (int64_t y = 0; y < children_; ++y)
                directions[next++] =
                    toImage_ * directionFromFace(
                                   wanted_.nside * children_,
                                   {pixel.face, pixel.x * children_ + x, pixel.y * children_ + y});
    }

    double mean(std::span<const ImageCell> cells, size_t plane) const {
        double sum = 0.0;
        size_t good = 0;
        for (const ImageCell& cell : cells) {
            const double value = wanted_.interpolation == FrameTurn::Nearest
                                     ? sampler_.nearest(cell, static_cast<int64_t>(plane))
                                     : sampler_.bilinear(cell, static_cast<int64_t>(plane));
            if (std::isnan(value)) continue;
            sum += value;
            ++good;
        }
        if (good == 0 || (wanted_.pessimistic && good < cells.size())) return kNan;
        return sum / static_cast<double>(good);
    }

    double sum(std::span<const ImageCell> cells, size_t plane) const {
        double sum = 0.0;
        size_t good = 0;
        for (const ImageCell& cell : cells) {
            const double value = sampler_.nearest(cell, static_cast<int64_t>(plane));
            if (std::isnan(value)) continue;
            sum += value / samples_[static_cast<size_t>(cell.nearest)];
            ++good;
        }
        return good == 0 || (wanted_.pessimistic && good < cells.size()) ? kNan : sum;
    }

    // Image pixels without a sample go to the map pixel of their center.
    void addMissed(std::vector<std::vector<double>>& filled, const std::vector<int64_t>& pixels,
                   Ordering ordering) const {
        for (size_t q = 0; q < samples_.size(); ++q) {
            const Vec3 center = sampler_.centers()[q];
            if (samples_[q] > 0 || !std::isfinite(center.z)) continue;
            const int64_t pixel = pixelFromDirection(wanted_.nside, ordering, toMap_ * center);
            const auto at = std::lower_bound(pixels.begin(), pixels.end(), pixel);
            ARMILLA_ASSERT(at != pixels.end() && *at == pixel);
            for (size_t i = 0; i < filled.size(); ++i) {
                ImageCell cell;
                cell.nearest = static_cast<int64_t>(q);
                const double value = sampler_.nearest(cell, static_cast<int64_t>(planes_.list[i]));
                double& to = filled[i][static_cast<size_t>(at - pixels.begin())];
                if (!std::isnan(value)) to = std::isnan(to) ? value : to + value;
            }
        }
    }

    const ImageSampler& sampler_;
    const Image& image_;
    const ImagePixels& wanted_;
    Mat3 toImage_, toMap_;
    Planes planes_;
    std::vector<int32_t> samples_;  // in each pixel of the image
    int64_t children_ = 1;          // along a side of a pixel
};

// Means by solid angle, or sums, of the image's pixels whose centers lie in each of `pixels`.
std::vector<std::vector<double>> binned(const Image& image, const std::vector<Vec3>& centers,
                                        const ImagePixels& wanted, const Mat3& toMap,
                                        const Planes& planes, const std::vector<int64_t>& pixels,
                                        Ordering ordering, JobContext& job) {
    const std::vector<double> areas = pixelAreas(image, centers, job);
    std::vector<int64_t> bins = newVector<int64_t>(image.planeSize(), job, int64_t{-1});
    parallelFor(job, std::ssize(bins), kPixelGrain, [&](long long begin, long long end) {
        for (long long i = begin; i < end; ++i) {
            const Vec3 center = centers[static_cast<size_t>(i)];
            if (!std::isfinite(center.z)) continue;
            const int64_t pixel = pixelFromDirection(wanted.nside, ordering, toMap * center);
            const auto at = std::lower_bound(pixels.begin(), pixels.end(), pixel);
            ARMILLA_ASSERT(at != pixels.end() && *at == pixel);
            bins[static_cast<size_t>(i)] = at - pixels.begin();
        }
    });
    std::vector<std::vector<double>> filled;
    for (const size_t plane : planes.list) {
        std::vector<double> sums = newVector<double>(std::ssize(pixels), job),
                            weights = newVector<double>(std::ssize(pixels), job);
        std::vector<bool> hasBad(pixels.size());
        for (size_t i = 0; i < bins.size(); ++i) {
            if (i % static_cast<size_t>(kPixelGrain) == 0) job.poll();
            if (bins[i] < 0) continue;
            const auto bin = static_cast<size_t>(bins[i]);
            const auto value = std::visit(
                [&](const auto& all) { return static_cast<double>(all[plane * bins.size() + i]); },
                image.values);
            if (std::isnan(value)) {
                hasBad[bin] = true;
                continue;
            }
            sums[bin] += planes.isSummed ? value : value * areas[i];
            weights[bin] += areas[i];
        }
        for (size_t bin = 0; bin < sums.size(); ++bin) {
            const bool isBad = !(weights[bin] > 0.0) || (wanted.pessimistic && hasBad[bin]);
            if (isBad)
                sums[bin] = kNan;
            else if (!planes.isSummed)
                sums[bin] /= weights[bin];
        }
        filled.push_back(std::move(sums));
    }
    return filled;
}

void negate(Field& field) {
    std::visit(
        [](auto& values) {
            for (auto& value : values) value = -value;
        },
        field.values);
}

// Rotates Q and U from the meridians of FK4 or FK5 to those of ICRS (COSMO convention).
void referToIcrs(HealpixMap& map, const EquatorialFrame& from, const Mat3& toIcrsFromMap) {
    const ToIcrs toIcrs(from);
    const auto pairs = map.polarizationPairs();
    for (int64_t e = 0; e < map.elementCount(); ++e) {
        const int64_t pixel = map.coverage() == Coverage::Full ? e : map.pixels()[size_t(e)];
        const Vec3 icrs = toIcrsFromMap * directionFromPixel(map.nside(), map.ordering(), pixel);
        const double angle = -toIcrs.northAngle(toIcrs.inverse(icrs));
        for (const auto& [q, u] : pairs) {
            auto& qs = std::get<std::vector<double>>(map.field(q).values);
            auto& us = std::get<std::vector<double>>(map.field(u).values);
            turnStokes(angle, qs[static_cast<size_t>(e)], us[static_cast<size_t>(e)]);
        }
    }
}

// Q and U to COSMO convention and to the meridians of the map.
HealpixMap withPolarization(HealpixMap map, const Image& image, const ImageWcs& wcs,
                            const Context& context, JobContext& job) {
    requireWholePolarization(map);
    const auto pairs = map.polarizationPairs();
    if (pairs.empty()) return map;
    map.metadata().iauOnDisk = statesIau(image.cards);
    if (context.note) context.note(std::string(conventionOfU(map.metadata().iauOnDisk)));
    if (map.metadata().iauOnDisk)
        for (const auto& [q, u] : pairs) negate(map.field(u));
    if (const auto own = wcs.equatorial())
        referToIcrs(map, *own, frameRotation(Frame::Equatorial, map.frame()));
    if (wcs.frame() == map.frame()) return map;
    // polarizationReferredTo() turns from the meridians of the map; with U of the other sign it
    // turns to them.
    for (const auto& [q, u] : pairs) negate(map.field(u));
    map = polarizationReferredTo(std::move(map), wcs.frame(), job);
    for (const auto& [q, u] : pairs) negate(map.field(u));
    return map;
}

std::string fieldName(const Image& image, size_t plane, const std::vector<Field>& before) {
    std::string name = image.planes[plane].name;
    if (name.empty()) name = image.planes.size() == 1 ? "SIGNAL" : "PLANE";
    return freeFieldName(before, name);
}

}  // namespace

HealpixMap mapOfImage(const Image& image, const ImagePixels& wanted, const Context& context,
                      JobContext& job) {
    const Frame own = image.frame;
    const Frame frame = wanted.frame == Frame::Unknown ? own : wanted.frame;
    if (own == Frame::Unknown && frame != own)
        throw InvalidArgument(
            "expected an image that names its frame, to rotate it to that of --frame, found none "
            "(--input-frame G|E|C states it)");
    const bool isPowerOfTwo = isPowerOfTwoNside(wanted.nside);
    checkNside(wanted.nside, isPowerOfTwo ? Ordering::Nested : Ordering::Ring);
    JobContext first = job.part(0.0, 0.3), second = job.part(0.3, 0.9), third = job.part(0.9, 1.0);
    Planes means, sums;
    sums.isSummed = true;
    for (size_t plane = 0; plane < image.planes.size(); ++plane)
        (isSummed(image, plane, wanted) ? sums : means).list.push_back(plane);
    if (!sums.list.empty() && !wanted.degrade && context.note)
        context.note("unit " + image.unit +
                     ": values of a pixel are summed; --degrade mean averages them");
    const ImageSampler sampler(image, first);
    const Mat3 toMap = frameRotation(frame, own);
    const Regions regions = regionsOf(image, sampler.centers(), toMap, wanted.nside);
    std::vector<int64_t> pixels = pixelsIn(regions, wanted.nside, first);
    const Ordering ordering = isPowerOfTwo ? Ordering::Nested : Ordering::Ring;
    // Pixels so much smaller than those of the map are binned.
    const bool areSmall =
        pixelWidth(wanted.nside) > static_cast<double>(kMostChildren) * sampler.wcs().pixelSize();
    std::vector<std::vector<double>> values(image.planes.size());
    for (const Planes& planes : {means, sums}) {
        if (planes.list.empty()) continue;
        const bool isBinned =
            areSmall && (planes.isSummed || wanted.interpolation == FrameTurn::Interpolated);
        std::vector<std::vector<double>> filled =
            isBinned
                ? binned(image, sampler.centers(), wanted, toMap, planes, pixels, ordering, second)
                : Filling(sampler, image, wanted, frameRotation(own, frame), toMap, planes)
                      .values(pixels, ordering, second);
        for (size_t i = 0; i < planes.list.size(); ++i)
            values[planes.list[i]] = std::move(filled[i]);
    }
    std::vector<Field> fields;
    const bool isSingle = image.values.index() == 0 && context.precision != StoredPrecision::Double;
    for (size_t plane = 0; plane < values.size(); ++plane) {
        Field field;
        field.name = fieldName(image, plane, fields);
        field.unit = image.unit;
        field.diskType = isSingle ? DiskType::Float32 : DiskType::Float64;
        field.values = std::move(values[plane]);
        fields.push_back(std::move(field));
    }
    HealpixMap map = static_cast<int64_t>(pixels.size()) == pixelCount(wanted.nside)
                         ? HealpixMap(wanted.nside, ordering, frame, std::move(fields))
                         : HealpixMap::partial(wanted.nside, ordering, frame, std::move(pixels),
                                               std::move(fields));
    map.metadata().history = image.history;
    map = withPolarization(std::move(map), image, sampler.wcs(), context, third);
    if (isSingle)
        for (int i = 0; i < map.fieldCount(); ++i) {
            const auto& exact = std::get<std::vector<double>>(map.field(i).values);
            map.field(i).values = std::vector<float>(exact.begin(), exact.end());
        }
    return map;
}

}  // namespace armilla
