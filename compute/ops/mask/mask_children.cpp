// SPDX-License-Identifier: GPL-3.0-or-later
// Masks on larger pixels: each combines the smaller pixels inside or partly inside.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/ops/mask.h"

namespace armilla {

namespace {

constexpr int64_t kGrain = int64_t{1} << 10;
// Sampling of a small pixel's border: 1/128 of its side.
constexpr int64_t kParts = 64;
constexpr std::array<int64_t, 5> kBorder{0, 16, 32, 48, kParts - 1};

// NaN and uncovered pixels are bad.
double goodness(const HealpixMap& mask, int64_t pixel) {
    const double value = mask.value(0, pixel);
    return std::isfinite(value) ? value : 0.0;
}

// Combines the values of smaller pixels, weighted by area.
class Gathered {
public:
    void add(double value, double area) {
        least_ = std::min(least_, value);
        sum_ += value * area;
        area_ += area;
    }
    double value(MaskChildren children) const {
        return children == MaskChildren::All ? least_ : sum_ / area_;
    }

private:
    double least_ = 1.0, sum_ = 0.0, area_ = 0.0;
};

// The pixels of one side of a face within pixels of the other grid, in units of the smaller.
struct Span {
    int64_t begin = 0, end = 0;
    double from = 0.0, to = 0.0;
    double share(int64_t at) const {
        return std::min(to, static_cast<double>(at + 1)) - std::max(from, static_cast<double>(at));
    }
};
Span spanOf(int64_t at, int64_t coarse, int64_t fine) {
    const double ratio = static_cast<double>(fine) / static_cast<double>(coarse);
    return {at * fine / coarse, ((at + 1) * fine + coarse - 1) / coarse,
            static_cast<double>(at) * ratio, static_cast<double>(at + 1) * ratio};
}

// Within one frame, pixels are squares of equal area on the same twelve faces.
double nestedValue(const HealpixMap& mask, const MaskGrid& grid, int64_t pixel,
                   MaskChildren children) {
    const FacePixel parent = faceFromPixel(grid.nside, grid.ordering, pixel);
    const Span x = spanOf(parent.x, grid.nside, mask.nside());
    const Span y = spanOf(parent.y, grid.nside, mask.nside());
    Gathered gathered;
    for (int64_t i = x.begin; i < x.end; ++i)
        for (int64_t k = y.begin; k < y.end; ++k)
            gathered.add(
                goodness(mask, pixelFromFace(mask.nside(), mask.ordering(), {parent.face, i, k})),
                x.share(i) * y.share(k));
    return gathered.value(children);
}

// Samples a rotated pixel at points half a smaller pixel apart and at its corners.
double overlappedValue(const HealpixMap& mask, const MaskGrid& grid, const Mat3& maskFromGrid,
                       int64_t pixel, MaskChildren children) {
    const int64_t steps = 2 * ((mask.nside() + grid.nside - 1) / grid.nside);
    const FacePixel own = faceFromPixel(grid.nside, grid.ordering, pixel);
    const auto at = [&](Vec3 direction) {
        return goodness(mask, mask.pixelAt(maskFromGrid * direction));
    };
    Gathered gathered;
    for (int64_t i = 0; i < steps; ++i)
        for (int64_t k = 0; k < steps; ++k)
            gathered.add(at(directionFromFace(grid.nside * steps,
                                              {own.face, own.x * steps + i, own.y * steps + k})),
                         1.0);
    if (children == MaskChildren::All)
        for (const Vec3& corner : pixelCorners(grid.nside, grid.ordering, pixel))
            gathered.add(at(corner), 0.0);
    return gathered.value(children);
}

void lower(double& place, double value) {
    std::atomic_ref<double> shared(place);
    double before = shared.load(std::memory_order_relaxed);
    while (value < before &&
           !shared.compare_exchange_weak(before, value, std::memory_order_relaxed)) {
    }
}

// Lowers the value of each pixel that a worse smaller pixel overlaps. Only smaller pixels with a
// better neighbor matter: elsewhere the points of overlappedValue also meet a bad pixel.
void reachFromOutside(const HealpixMap& mask, const MaskGrid& grid, const Mat3& gridFromMask,
                      std::vector<double>& values, JobContext& job) {
    // Points just inside a small pixel along its border: the corners, and points between the
    // corners, because an edge may bend across another one.
    const auto reach = [&](int64_t pixel, double value) {
        const FacePixel own = faceFromPixel(mask.nside(), mask.ordering(), pixel);
        for (const int64_t i : kBorder)
            for (const int64_t k : kBorder) {
                if (i > 0 && i < kParts - 1 && k > 0 && k < kParts - 1) continue;
                const Vec3 point = directionFromFace(
                    mask.nside() * kParts, {own.face, own.x * kParts + i, own.y * kParts + k});
                lower(values[static_cast<size_t>(
                          pixelFromDirection(grid.nside, grid.ordering, gridFromMask * point))],
                      value);
            }
    };
    parallelFor(job, mask.pixelCount(), kGrain, [&](long long begin, long long end) {
        for (long long p = begin; p < end; ++p) {
            const double value = goodness(mask, p);
            if (value >= 1.0) continue;
            const auto around = neighbors(mask.nside(), mask.ordering(), p);
            if (std::any_of(around.begin(), around.end(),
                            [&](int64_t q) { return q >= 0 && goodness(mask, q) > value; }))
                reach(p, value);
        }
    });
}

}  // namespace

HealpixMap maskOnLargerPixels(const HealpixMap& mask, const MaskGrid& grid, MaskChildren children,
                              JobContext& job, DiskType type) {
    if (mask.coverage() == Coverage::MultiOrder || mask.fieldCount() < 1)
        throw InvalidArgument("expected a mask of one order, found another map");
    if (grid.nside > mask.nside())
        throw InvalidArgument("expected an nside of at most " + std::to_string(mask.nside()) +
                              ", found " + std::to_string(grid.nside));
    HealpixMap result = wholeMask(grid, 1.0F, job, type);
    const bool turns = grid.frame != mask.frame();
    const Mat3 maskFromGrid = turns ? frameRotation(mask.frame(), grid.frame) : Mat3();
    std::vector<double> values = newVector<double>(result.pixelCount(), job);
    parallelFor(
        job, result.pixelCount(), kGrain,
        [&](long long begin, long long end) {
            for (long long p = begin; p < end; ++p)
                values[static_cast<size_t>(p)] =
                    children == MaskChildren::Center
                        ? goodness(mask,
                                   mask.pixelAt(maskFromGrid *
                                                directionFromPixel(grid.nside, grid.ordering, p)))
                    : turns ? overlappedValue(mask, grid, maskFromGrid, p, children)
                            : nestedValue(mask, grid, p, children);
        },
        "mask");
    if (turns && children == MaskChildren::All)
        reachFromOutside(mask, grid, transposed(maskFromGrid), values, job);
    std::visit([&]<class T>(std::vector<T>& into) { into.assign(values.begin(), values.end()); },
               result.field(0).values);
    return result;
}

}  // namespace armilla
