// SPDX-License-Identifier: GPL-3.0-or-later
#include "image_to_map.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "armilla/core/face_neighbors.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/core/units.h"
#include "armilla/operations/common_frame.h"
#include "image_sampler.h"

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

// The images of all planes, per steradian where they are summed.
Image densities(const Image& image, const std::vector<bool>& summed,
                const std::vector<double>& areas) {
    Image divided = image;
    for (size_t plane = 0; plane < summed.size(); ++plane)
        if (summed[plane])
            std::visit(
                [&](auto& all) {
                    using T = typename std::decay_t<decltype(all)>::value_type;
                    const size_t first = plane * areas.size();
                    for (size_t i = 0; i < areas.size(); ++i)
                        all[first + i] =
                            areas[i] > 0.0
                                ? static_cast<T>(static_cast<double>(all[first + i]) / areas[i])
                                : static_cast<T>(kNan);
                },
                divided.values);
    return divided;
}

class Filling {
public:
    Filling(const ImageSampler& sampler, const ImagePixels& wanted, const Mat3& toImage,
            std::vector<bool> summed)
        : sampler_(sampler), wanted_(wanted), toImage_(toImage), summed_(std::move(summed)) {
        const double finer = pixelWidth(wanted.nside) / sampler.wcs().pixelSize();
        if (wanted.interpolation == FrameTurn::Interpolated)
            while (static_cast<double>(children_) < finer && children_ < kMostChildren &&
                   2 * children_ * wanted.nside <= kMaxNside)
                children_ *= 2;
    }

    // Values of all planes at `pixels`, in the ordering of the map.
    std::vector<std::vector<double>> values(const std::vector<int64_t>& pixels, Ordering ordering,
                                            JobContext& job) const {
        const auto count = static_cast<int64_t>(pixels.size());
        std::vector<std::vector<double>> planes;
        for (size_t plane = 0; plane < summed_.size(); ++plane)
            planes.push_back(newVector<double>(count, job, kNan));
        const int64_t inPixel = children_ * children_;
        const int64_t grain = std::max<int64_t>(1, kDirectionsAtATime / inPixel);
        parallelFor(
            job, count, grain,
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
                    for (size_t plane = 0; plane < planes.size(); ++plane)
                        planes[plane][static_cast<size_t>(i)] = combined(ofPixel(cells, i), plane);
            },
            "image");
        return planes;
    }

private:
    void place(FacePixel pixel, std::span<Vec3> directions) const {
        size_t next = 0;
        for (int64_t x = 0; x < children_; ++x)
            for (int64_t y = 0; y < children_; ++y)
                directions[next++] =
                    toImage_ * directionFromFace(
                                   wanted_.nside * children_,
                                   {pixel.face, pixel.x * children_ + x, pixel.y * children_ + y});
    }

    double combined(std::span<const ImageCell> cells, size_t plane) const {
        double sum = 0.0;
        int64_t good = 0;
        for (const ImageCell& cell : cells) {
            const double value = wanted_.interpolation == FrameTurn::Nearest
                                     ? sampler_.nearest(cell, static_cast<int64_t>(plane))
                                     : sampler_.bilinear(cell, static_cast<int64_t>(plane));
            if (std::isnan(value)) continue;
            sum += value;
            ++good;
        }
        const auto all = static_cast<int64_t>(cells.size());
        if (good == 0 || (wanted_.pessimistic && good < all)) return kNan;
        if (!summed_[plane]) return sum / static_cast<double>(good);
        const double area = 4.0 * kPi / static_cast<double>(pixelCount(wanted_.nside) * all);
        return sum * area;
    }

    const ImageSampler& sampler_;
    const ImagePixels& wanted_;
    Mat3 toImage_;
    std::vector<bool> summed_;
    int64_t children_ = 1;  // along a side of a pixel
};

// Whether pixels of the map are so much larger than those of the image that these are binned.
bool isBinned(const ImageWcs& wcs, const ImagePixels& wanted) {
    return wanted.interpolation == FrameTurn::Interpolated &&
           pixelWidth(wanted.nside) > static_cast<double>(kMostChildren) * wcs.pixelSize();
}

// Means by solid angle, or sums, of the image's pixels whose centers lie in each of `pixels`.
std::vector<std::vector<double>> binned(const Image& image, const std::vector<Vec3>& centers,
                                        const ImagePixels& wanted, const Mat3& toMap,
                                        const std::vector<bool>& summed,
                                        const std::vector<int64_t>& pixels, Ordering ordering,
                                        JobContext& job) {
    const std::vector<double> areas = pixelAreas(image, centers, job);
    std::vector<int64_t> bins = newVector<int64_t>(image.planeSize(), job, int64_t{-1});
    parallelFor(job, std::ssize(bins), kPixelGrain, [&](long long begin, long long end) {
        for (long long i = begin; i < end; ++i) {
            const Vec3 center = centers[static_cast<size_t>(i)];
            if (!std::isfinite(center.z)) continue;
            const int64_t pixel = pixelFromDirection(wanted.nside, ordering, toMap * center);
            const auto at = std::lower_bound(pixels.begin(), pixels.end(), pixel);
            bins[static_cast<size_t>(i)] = at - pixels.begin();
        }
    });
    std::vector<std::vector<double>> planes;
    for (size_t plane = 0; plane < summed.size(); ++plane) {
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
            sums[bin] += summed[plane] ? value : value * areas[i];
            weights[bin] += areas[i];
        }
        for (size_t bin = 0; bin < sums.size(); ++bin) {
            const bool isBad = !(weights[bin] > 0.0) || (wanted.pessimistic && hasBad[bin]);
            sums[bin] = isBad ? kNan : summed[plane] ? sums[bin] : sums[bin] / weights[bin];
        }
        planes.push_back(std::move(sums));
    }
    return planes;
}

bool isIau(const Image& image) {
    return std::any_of(image.cards.begin(), image.cards.end(), [](const std::string& card) {
        return card.starts_with("POLCCONV") && card.find("'IAU") != std::string::npos;
    });
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
        const double angle = -2.0 * toIcrs.northAngle(toIcrs.inverse(icrs));
        const double c = std::cos(angle), s = std::sin(angle);
        for (const auto& [q, u] : pairs) {
            auto& qs = std::get<std::vector<double>>(map.field(q).values);
            auto& us = std::get<std::vector<double>>(map.field(u).values);
            double &newQ = qs[static_cast<size_t>(e)], &newU = us[static_cast<size_t>(e)];
            const double oldQ = newQ, oldU = newU;
            newQ = c * oldQ - s * oldU;
            newU = s * oldQ + c * oldU;
        }
    }
}

// Q and U to COSMO convention and to the meridians of the map.
HealpixMap withPolarization(HealpixMap map, const Image& image, const ImageWcs& wcs,
                            const Context& context, JobContext& job) {
    requireWholePolarization(map);
    const auto pairs = map.polarizationPairs();
    if (pairs.empty()) return map;
    map.metadata().iauOnDisk = isIau(image);
    if (context.note)
        context.note(map.metadata().iauOnDisk ? "Q and U in IAU convention (POLCCONV)"
                                              : "U taken in COSMO convention, as no POLCCONV "
                                                "states another");
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
    const auto isTaken = [&](const std::string& word) {
        return std::any_of(before.begin(), before.end(),
                           [&](const Field& field) { return field.name == word; });
    };
    std::string free = name;
    for (int i = 2; isTaken(free); ++i) free = name + "_" + std::to_string(i);
    return free;
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
    std::vector<bool> summed;
    for (size_t plane = 0; plane < image.planes.size(); ++plane)
        summed.push_back(isSummed(image, plane, wanted));
    const bool isAnySummed = std::find(summed.begin(), summed.end(), true) != summed.end();
    if (isAnySummed && !wanted.degrade && context.note)
        context.note("unit " + image.unit +
                     ": values of a pixel are summed; --degrade mean averages them");
    std::optional<ImageSampler> sampler(std::in_place, image, first);
    const bool isToBeBinned = isBinned(sampler->wcs(), wanted);
    std::optional<Image> divided;
    if (isAnySummed && !isToBeBinned) {
        divided = densities(image, summed, pixelAreas(image, sampler->centers(), first));
        sampler.emplace(*divided, first);
    }
    const Regions regions =
        regionsOf(image, sampler->centers(), frameRotation(frame, own), wanted.nside);
    std::vector<int64_t> pixels = pixelsIn(regions, wanted.nside, first);
    const Ordering ordering = isPowerOfTwo ? Ordering::Nested : Ordering::Ring;
    std::vector<std::vector<double>> values =
        isToBeBinned ? binned(image, sampler->centers(), wanted, frameRotation(frame, own), summed,
                              pixels, ordering, second)
                     : Filling(*sampler, wanted, frameRotation(own, frame), summed)
                           .values(pixels, ordering, second);
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
    map = withPolarization(std::move(map), image, sampler->wcs(), context, third);
    if (isSingle)
        for (int i = 0; i < map.fieldCount(); ++i) {
            const auto& exact = std::get<std::vector<double>>(map.field(i).values);
            map.field(i).values = std::vector<float>(exact.begin(), exact.end());
        }
    return map;
}

}  // namespace armilla
