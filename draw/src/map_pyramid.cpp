// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/draw/map_pyramid.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/face_values.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/pixel_geometry.h"

namespace armilla {

namespace {

// Faces are filled in square tiles. In RING order neighbors on a face lie in different rings, far
// apart in memory; 64 x 64 cells touch 127 runs of up to 64 values and fit the L1 cache.
constexpr int64_t kTile = 64;
// Tiles per work item: about 1 ms on one CPU core.
constexpr int64_t kTilesPerRange = 8;

// A square part of a face at the resolution of the source.
struct Tile {
    int face = 0;
    int64_t x = 0, y = 0, size = 0;
};

// RING, power of two. Cells of one diagonal are adjacent in their ring, except where a ring ends
// (longitude 0), so two index computations serve a whole diagonal. Diagonals lie a ring
// apart in memory. Each is prefetched a few diagonals before it is read.
template <class T>
class RingDiagonals {
public:
    RingDiagonals(const T* values, int64_t nside, Tile tile)
        : values_(values), nside_(nside), tile_(tile) {
        for (int64_t sum = 0; sum < std::min(kAhead, count()); ++sum) fetch(sum);
    }
    int64_t count() const { return 2 * tile_.size - 1; }
    int64_t firstOf(int64_t sum) const { return std::max<int64_t>(0, sum - tile_.size + 1); }
    int64_t lastOf(int64_t sum) const { return std::min(sum, tile_.size - 1); }

    // The values of the cells (x, sum - x) of the tile: element x is that of column x. Diagonals
    // are asked for in order. Those where a ring ends are copied to `copy`, of the tile's size.
    const T* next(int64_t sum, T* copy) {
        const int64_t first = firstOf(sum), last = lastOf(sum), begin = begins_[sum % kAhead];
        if (sum + kAhead < count()) fetch(sum + kAhead);
        if (pixelAt(sum, last) - begin == last - first) return values_ + begin - first;
        for (int64_t x = first; x <= last; ++x) copy[x] = values_[pixelAt(sum, x)];
        return copy;
    }

private:
    static constexpr int64_t kAhead = 8, kLine = 64 / sizeof(T);

    int64_t pixelAt(int64_t sum, int64_t x) const {
        return ringFromFace(nside_, {tile_.face, tile_.x + x, tile_.y + sum - x});
    }
    void fetch(int64_t sum) {
        const int64_t begin = pixelAt(sum, firstOf(sum));
        begins_[sum % kAhead] = begin;
        const int64_t end = std::min(begin + lastOf(sum) - firstOf(sum) + 1, 12 * nside_ * nside_);
        for (int64_t pixel = begin; pixel < end; pixel += kLine)
            __builtin_prefetch(values_ + pixel);
    }

    const T* values_;
    int64_t nside_;
    Tile tile_;
    int64_t begins_[kAhead] = {};
};

template <class T>
void gatherRing(const T* values, int64_t nside, Tile tile, float* out) {
    const int64_t n = tile.size;
    RingDiagonals<T> diagonals(values, nside, tile);
    std::vector<T> copy(static_cast<size_t>(n));
    for (int64_t sum = 0; sum < diagonals.count(); ++sum) {
        const T* const from = diagonals.next(sum, copy.data());
        for (int64_t x = diagonals.firstOf(sum); x <= diagonals.lastOf(sum); ++x)
            out[(sum - x) * n + x] = faceValue(from[x]);
    }
}

// The means of two by two cells of gatherRing(): a tile of half the size. The children of the cells
// of a diagonal lie on three diagonals. So three quarters of the values are never stored.
template <class T>
void gatherRingHalved(const T* values, int64_t nside, Tile tile, float* out) {
    const int64_t half = tile.size / 2;
    RingDiagonals<T> diagonals(values, nside, tile);
    std::vector<T> copies(static_cast<size_t>(3 * tile.size));
    const auto next = [&](int64_t sum, int64_t copy) {
        return diagonals.next(sum, copies.data() + copy * tile.size);
    };
    const T* south = next(0, 0);
    for (int64_t sum = 0; sum < 2 * half - 1; ++sum) {
        const T* const middle = next(2 * sum + 1, 2);
        const T* const north = next(2 * sum + 2, (sum + 1) % 2);
        for (int64_t x = std::max<int64_t>(0, sum - half + 1); x <= std::min(sum, half - 1); ++x)
            out[(sum - x) * half + x] =
                meanOfGood(faceValue(south[2 * x]), faceValue(middle[2 * x + 1]),
                           faceValue(middle[2 * x]), faceValue(north[2 * x + 1]));
        south = north;
    }
}

// NESTED. An aligned tile is one run of pixels.
template <class T>
void gatherNested(const T* values, int64_t nside, Tile tile, float* out) {
    const T* run = values + nestedFromFace(nside, {tile.face, tile.x, tile.y});
    const int64_t n = tile.size;
    for (int64_t i = 0; i < n * n; ++i) {
        const auto bits = static_cast<uint64_t>(i);
        const auto x = static_cast<int64_t>(detail::gatherBits(bits));
        const auto y = static_cast<int64_t>(detail::gatherBits(bits >> 1));
        out[y * n + x] = faceValue(run[i]);
    }
}

// Any map, cell by cell: the pixel under the center of each cell of a grid of nside `grid`.
void gatherByDirection(const HealpixMap& map, int field, int64_t grid, Tile tile, float* out) {
    for (int64_t y = 0; y < tile.size; ++y)
        for (int64_t x = 0; x < tile.size; ++x) {
            const Vec3 center = directionFromFace(grid, {tile.face, tile.x + x, tile.y + y});
            out[y * tile.size + x] = faceValue(map.value(field, map.pixelAt(center)));
        }
}

// Averages a square of `size` cells in place to `rows` rows; returns their number.
int64_t averageDown(float* values, int64_t size, int64_t rows) {
    while (size > rows) {
        const int64_t half = size / 2;
        for (int64_t y = 0; y < half; ++y)
            for (int64_t x = 0; x < half; ++x) {
                const float* lower = values + 2 * y * size + 2 * x;
                values[y * half + x] = meanOfGood(lower[0], lower[1], lower[size], lower[size + 1]);
            }
        size = half;
    }
    return size;
}

// The grid of nside `grid` from which faces are filled, averaged to `nside`.
struct Target {
    int64_t grid = 1, nside = 1;
    float* cells = nullptr;
};

// Fills all faces tile by tile; `gather` fills a tile of the grid, perhaps with means over children
// already, and returns the number of its rows.
template <class Gather>
void fillFromGrid(const Target& target, JobContext& job, const Gather& gather) {
    const int64_t ratio = target.grid / target.nside;
    const int64_t size = std::min(target.grid, std::max(kTile, ratio));
    const int64_t perSide = target.grid / size;
    parallelFor(
        job, 12 * perSide * perSide, kTilesPerRange,
        [&](long long begin, long long end) {
            std::vector<float> cells(static_cast<size_t>(size * size));
            for (int64_t i = begin; i < end; ++i) {
                const int64_t inFace = i % (perSide * perSide);
                const Tile tile{static_cast<int>(i / (perSide * perSide)), inFace % perSide * size,
                                inFace / perSide * size, size};
                const int64_t rows =
                    averageDown(cells.data(), gather(tile, cells.data()), size / ratio);
                const int64_t x = tile.x / ratio, y = tile.y / ratio;
                for (int64_t row = 0; row < rows; ++row)
                    std::memcpy(
                        target.cells + (tile.face * target.nside + y + row) * target.nside + x,
                        cells.data() + row * rows, static_cast<size_t>(rows) * sizeof(float));
            }
        },
        "arranging faces");
}

void fillFull(const HealpixMap& map, int field, const Target& target, JobContext& job) {
    std::visit(
        [&](const auto& values) {
            const bool ring = map.ordering() == Ordering::Ring;
            fillFromGrid(target, job, [&](Tile tile, float* out) {
                if (ring && target.grid > target.nside) {
                    gatherRingHalved(values.data(), target.grid, tile, out);
                    return tile.size / 2;
                }
                if (ring)
                    gatherRing(values.data(), target.grid, tile, out);
                else
                    gatherNested(values.data(), target.grid, tile, out);
                return tile.size;
            });
        },
        map.field(field).values);
}

void fillBad(const Target& target, JobContext& job) {
    const int64_t count = pixelCount(target.nside);
    parallelFor(job, count, int64_t{1} << 20, [&](long long begin, long long end) {
        std::fill(target.cells + begin, target.cells + end, badFaceValue());
    });
}

float& cellOfNested(const Target& target, int64_t nestedCell) {
    const FacePixel at = faceFromNested(target.nside, nestedCell);
    return target.cells[(at.face * target.nside + at.y) * target.nside + at.x];
}

// Sums runs of values within one cell of the target.
class CellMean {
public:
    explicit CellMean(const Target& target) : target_(target) {}
    ~CellMean() { flush(); }
    CellMean(const CellMean&) = delete;
    CellMean& operator=(const CellMean&) = delete;
    void add(int64_t nestedCell, double value, double weight) {
        if (nestedCell != cell_) flush();
        cell_ = nestedCell;
        if (std::isnan(value)) return;
        sum_ += weight * value;
        weight_ += weight;
    }

private:
    void flush() {
        if (weight_ > 0.0) cellOfNested(target_, cell_) = faceValue(sum_ / weight_);
        cell_ = -1;
        sum_ = weight_ = 0.0;
    }
    const Target& target_;
    int64_t cell_ = -1;
    double sum_ = 0.0, weight_ = 0.0;
};

// Values between two tests for a stop: about 1 ms on one CPU core.
constexpr int64_t kPollInterval = int64_t{1} << 16;

void fillPartial(const HealpixMap& map, int field, const Target& target, JobContext& job) {
    fillBad(target, job);
    const Field& values = map.field(field);
    const auto pixels = map.pixels();
    const bool ring = map.ordering() == Ordering::Ring;
    const int shift = 2 * (std::countr_zero(static_cast<uint64_t>(map.nside())) -
                           std::countr_zero(static_cast<uint64_t>(target.nside)));
    const auto nested = [&](size_t i) {
        return (ring ? nestedFromRing(map.nside(), pixels[i]) : pixels[i]) >> shift;
    };
    if (shift == 0) {
        parallelFor(job, map.elementCount(), kPollInterval, [&](long long begin, long long end) {
            for (long long i = begin; i < end; ++i)
                cellOfNested(target, nested(static_cast<size_t>(i))) = faceValue(values.at(i));
        });
        return;
    }
    std::vector<std::pair<int64_t, int64_t>> order(pixels.size());  // cell, element
    parallelFor(job, map.elementCount(), kPollInterval, [&](long long begin, long long end) {
        for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
            order[i] = {nested(i), static_cast<int64_t>(i)};
    });
    if (ring) std::sort(order.begin(), order.end());
    CellMean mean(target);
    for (size_t i = 0; i < order.size(); ++i) {
        if (i % kPollInterval == 0) job.poll();
        mean.add(order[i].first, values.at(order[i].second), 1.0);
    }
}

void fillMultiOrder(const HealpixMap& map, int field, const Target& target, JobContext& job) {
    fillBad(target, job);
    const Field& values = map.field(field);
    const int deepest = orderOf(map.nside()), drawn = orderOf(target.nside);
    int64_t sincePoll = 0;
    CellMean mean(target);
    for (int64_t i = 0; i < map.elementCount(); ++i) {
        const auto element = static_cast<size_t>(i);
        const int order = map.cellOrders()[element];
        const int64_t cell = map.pixels()[element] >> (2 * (deepest - order));
        const double value = values.at(i);
        const int64_t side = order < drawn ? int64_t{1} << (drawn - order) : 1;
        if (order > drawn) {
            if (++sincePoll % kPollInterval == 0) job.poll();
            mean.add(cell >> (2 * (order - drawn)), value, std::ldexp(1.0, 2 * (deepest - order)));
            continue;
        }
        const FacePixel at = faceFromNested(int64_t{1} << order, cell);
        const float filled = faceValue(value);
        for (int64_t y = at.y * side; y < (at.y + 1) * side; ++y) {
            float* row = target.cells + (at.face * target.nside + y) * target.nside + at.x * side;
            std::fill(row, row + side, filled);
            sincePoll += side;
            if (sincePoll >= kPollInterval) {
                job.poll();
                sincePoll = 0;
            }
        }
    }
}

void fillCoarser(const float* fine, int64_t fineNside, float* coarse, JobContext& job) {
    const int64_t n = fineNside / 2;
    const int64_t rowsPerRange = std::max<int64_t>(1, (int64_t{1} << 18) / n);
    parallelFor(job, 12 * n, rowsPerRange, [&](long long begin, long long end) {
        for (int64_t row = begin; row < end; ++row) {
            // Row numbers continue over all faces: row 2r of the finer level lies under row r.
            const float* lower = fine + 2 * row * fineNside;
            const float* upper = lower + fineNside;
            float* out = coarse + row * n;
            for (int64_t x = 0; x < n; ++x)
                out[x] = meanOfGood(lower[2 * x], lower[2 * x + 1], upper[2 * x], upper[2 * x + 1]);
        }
    });
}

}  // namespace

MapPyramid MapPyramid::coarser() const {
    if (levels_.size() < 2)
        throw InvalidArgument("expected a map pyramid of two levels or more, found " +
                              std::to_string(levels_.size()));
    MapPyramid coarse = *this;
    coarse.levels_.erase(coarse.levels_.begin());
    coarse.nside_ /= 2;
    coarse.degraded_ = true;
    return coarse;
}

int64_t MapPyramid::memoryBytes() const {
    int64_t bytes = 0;
    for (const Level& level : levels_) bytes += static_cast<int64_t>(level.size * sizeof(float));
    return bytes;
}

MapPyramid MapPyramid::build(const HealpixMap& map, int field, int64_t maxNside, JobContext& job) {
    if (field < 0 || field >= map.fieldCount())
        throw InvalidArgument("expected a field from 0 to " + std::to_string(map.fieldCount() - 1) +
                              ", found " + std::to_string(field));
    MapPyramid pyramid;
    pyramid.frame_ = map.frame();
    const auto grid = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(map.nside())));
    const auto limit =
        static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(std::max<int64_t>(1, maxNside))));
    pyramid.nside_ = std::min(grid, limit);
    pyramid.degraded_ = pyramid.nside_ < map.nside();
    try {
        for (int64_t n = pyramid.nside_; n >= 1; n /= 2) {
            const auto count = static_cast<size_t>(pixelCount(n));
            pyramid.levels_.push_back({std::make_shared_for_overwrite<float[]>(count), count});
            adviseHugePages(pyramid.levels_.back().values.get(), count * sizeof(float));
        }
    } catch (const std::bad_alloc&) {
        throw OutOfMemory(
            "expected memory for the faces of nside " + std::to_string(pyramid.nside_) + " (" +
            std::to_string(pixelCount(pyramid.nside_) * 16 / 3 >> 20) + " MiB), found too little");
    }

    const Target target{grid, pyramid.nside_, pyramid.levels_.front().values.get()};
    JobContext faces = job.part(0.0, 0.85);
    if (grid != map.nside())
        fillFromGrid(target, faces, [&](Tile tile, float* out) {
            gatherByDirection(map, field, target.grid, tile, out);
            return tile.size;
        });
    else if (map.coverage() == Coverage::Partial)
        fillPartial(map, field, target, faces);
    else if (map.coverage() == Coverage::MultiOrder)
        fillMultiOrder(map, field, target, faces);
    else
        fillFull(map, field, target, faces);
    for (size_t i = 1; i < pyramid.levels_.size(); ++i)
        fillCoarser(pyramid.levels_[i - 1].values.get(), pyramid.nside_ >> (i - 1),
                    pyramid.levels_[i].values.get(), job);
    job.report(1.0, "averaging");
    return pyramid;
}

MapPyramid MapPyramid::combined(const MapPyramid& a, const MapPyramid& b,
                                const std::function<float(float, float)>& formula,
                                JobContext& job) {
    if (a.nside_ != b.nside_ || a.frame_ != b.frame_)
        throw InvalidArgument("expected two pyramids of nside " + std::to_string(a.nside_) +
                              " in one frame, found nside " + std::to_string(b.nside_));
    MapPyramid pyramid = a;
    for (size_t i = 0; i < pyramid.levels_.size(); ++i) {
        const size_t count = a.levels_[i].size;
        auto values = std::make_shared_for_overwrite<float[]>(count);
        parallelFor(job, static_cast<long long>(count), kPollInterval,
                    [&](long long begin, long long end) {
                        for (auto j = static_cast<size_t>(begin); j < static_cast<size_t>(end); ++j)
                            values[j] = formula(a.levels_[i].values[j], b.levels_[i].values[j]);
                    });
        pyramid.levels_[i].values = std::move(values);
    }
    return pyramid;
}

}  // namespace armilla
