// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/sky_values.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <type_traits>

#include "armilla/core/error.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/pixel_loop.h"
#include "armilla/core/pixel_queries.h"

namespace armilla {

namespace {

// Adds the finite values of `count` values to `sum`, and their number to `good`. Bad values are
// rare: all values are added first, in four interleaved sums, and tested one by one only if the
// total is not finite.
template <typename T>
void addRun(const T* values, int64_t count, double& sum, int& good) {
    std::array<double, 4> part{};
    int64_t i = 0;
    for (; i + 4 <= count; i += 4)
        for (size_t lane = 0; lane < 4; ++lane)
            part[lane] += values[i + static_cast<int64_t>(lane)];
    for (; i < count; ++i) part[0] += values[i];
    const double total = (part[0] + part[1]) + (part[2] + part[3]);
    if (std::isfinite(total)) {
        sum += total;
        good += static_cast<int>(count);
        return;
    }
    for (i = 0; i < count; ++i) {
        if (!std::isfinite(values[i])) continue;
        sum += values[i];
        ++good;
    }
}

// Sums over the pixels of one coarse pixel, from all pixels of a RING map. On a face, pixels of
// equal x + y are adjacent in one ring, and the westernmost has the smallest x - y. So a block of r
// x r pixels is 2r - 1 runs of consecutive numbers.
template <typename T>
void sumRingBlock(std::span<const T> values, int64_t nside, FacePixel corner, int64_t r,
                  double& sum, float& good) {
    double total = 0.0;
    int count = 0;
    for (int64_t diagonal = 0; diagonal <= 2 * (r - 1); ++diagonal) {
        const int64_t low = std::max<int64_t>(0, diagonal - (r - 1));
        const int64_t high = std::min(diagonal, r - 1);
        const RingPlace start =
            ringPlaceFromFace(nside, {corner.face, corner.x + low, corner.y + diagonal - low});
        const int64_t first = detail::firstPixelOfRing(nside, start.ring);
        const int64_t length = 4 * detail::quarterLength(nside, start.ring);
        // Face 4 crosses longitude 0, where pixel numbers restart.
        const int64_t run = high - low + 1, before = std::min(run, length - start.place);
        addRun(values.data() + first + start.place, before, total, count);
        addRun(values.data() + first, run - before, total, count);
    }
    sum = total;
    good = static_cast<float>(count);
}

// The adjacent coarse pixels of one face with equal x + y: their runs in one ring follow each other
// at distances of r.
struct CoarseRow {
    int face = 0;
    // position of the westernmost pixel: x increases and y decreases from there
    int64_t x = 0, y = 0, count = 0;
};

// The sum over all pixels of each coarse pixel, including bad ones.
template <typename T>
void sumRingRow(std::span<const T> values, int64_t nside, const CoarseRow& row, int64_t r,
                double* sums) {
    std::fill_n(sums, row.count, 0.0);
    for (int64_t diagonal = 0; diagonal <= 2 * (r - 1); ++diagonal) {
        const int64_t low = std::max<int64_t>(0, diagonal - (r - 1));
        const int64_t run = std::min(diagonal, r - 1) - low + 1;
        const RingPlace start =
            ringPlaceFromFace(nside, {row.face, row.x * r + low, row.y * r + diagonal - low});
        const int64_t length = 4 * detail::quarterLength(nside, start.ring);
        const T* ring = values.data() + detail::firstPixelOfRing(nside, start.ring);
        int64_t place = start.place;
        for (int64_t k = 0; k < row.count; ++k) {
            // Face 4 crosses longitude 0, where pixel numbers restart.
            const int64_t before = std::min(run, length - place);
            double sum = 0.0;
            for (int64_t i = 0; i < before; ++i) sum += static_cast<double>(ring[place + i]);
            for (int64_t i = 0; i < run - before; ++i) sum += static_cast<double>(ring[i]);
            sums[k] += sum;
            place += r;
            if (place >= length) place -= length;
        }
    }
}

template <typename T>
void sumFullRing(const HealpixMap& map, std::span<const T> values, int64_t nside,
                 CoarseSums& result, JobContext& job) {
    const int64_t r = map.nside() / nside, rows = 2 * nside - 1;
    const long long grain = std::max<long long>(1, 2 * kPixelGrain / (nside * r * r));
    parallelFor(job, 12 * rows, grain, [&](long long begin, long long end) {
        std::vector<double> sums(static_cast<size_t>(nside));
        for (long long i = begin; i < end; ++i) {
            CoarseRow row;
            row.face = static_cast<int>(i / rows);
            const int64_t sum = i % rows;
            row.x = std::max<int64_t>(0, sum - (nside - 1));
            row.y = sum - row.x;
            row.count = row.y - row.x + 1;
            sumRingRow(values, map.nside(), row, r, sums.data());
            for (int64_t k = 0; k < row.count; ++k) {
                const FacePixel coarse{row.face, row.x + k, row.y - k};
                const auto p = static_cast<size_t>(ringFromFace(nside, coarse));
                result.sum[p] = sums[static_cast<size_t>(k)];
                result.good[p] = static_cast<float>(r * r);
                // Bad values are rare: they are searched only if the sum is not finite.
                if (!std::isfinite(result.sum[p]))
                    sumRingBlock(values, map.nside(), {coarse.face, coarse.x * r, coarse.y * r}, r,
                                 result.sum[p], result.good[p]);
            }
        }
    });
}

template <typename T>
void sumFullNested(const HealpixMap& map, std::span<const T> values, int64_t nside,
                   CoarseSums& result, JobContext& job) {
    const int64_t r = map.nside() / nside;
    const long long grain = std::max<long long>(1, kPixelGrain / (r * r));
    parallelFor(job, armilla::pixelCount(nside), grain, [&](long long begin, long long end) {
        for (long long p = begin; p < end; ++p) {
            double& sum = result.sum[static_cast<size_t>(p)];
            int count = 0;
            addRun(values.data() + nestedFromRing(nside, p) * r * r, r * r, sum, count);
            result.good[static_cast<size_t>(p)] = static_cast<float>(count);
        }
    });
}

template <typename T>
void sumPartial(const HealpixMap& map, std::span<const T> values, int64_t nside, CoarseSums& result,
                JobContext& job) {
    const int64_t r = map.nside() / nside;
    for (int64_t e = 0; e < map.elementCount(); ++e) {
        if (e % kPixelGrain == 0) job.poll();
        const T value = values[static_cast<size_t>(e)];
        if (!std::isfinite(value)) continue;
        const int64_t pixel = map.pixels()[static_cast<size_t>(e)];
        const FacePixel fine = faceFromPixel(map.nside(), map.ordering(), pixel);
        const auto coarse =
            static_cast<size_t>(ringFromFace(nside, {fine.face, fine.x / r, fine.y / r}));
        result.sum[coarse] += value;
        result.good[coarse] += 1.0F;
    }
}

}  // namespace

void refuseZeroIntegral() {
    throw InvalidArgument(
        "expected a kernel with B_0 other than zero to normalize around bad pixels, found 0; "
        "ignore bad pixels instead");
}

std::vector<double> ringValues(const HealpixMap& map, int field, JobContext& job) {
    ARMILLA_ASSERT(map.coverage() != Coverage::MultiOrder);
    const bool full = map.coverage() == Coverage::Full;
    std::vector<double> ring = newVector<double>(map.pixelCount(), job, full ? 0.0 : kNan);
    std::visit(
        [&](const auto& values) {
            parallelFor(job, map.elementCount(), kPixelGrain, [&](long long begin, long long end) {
                for (long long e = begin; e < end; ++e) {
                    const auto value = static_cast<double>(values[static_cast<size_t>(e)]);
                    ring[static_cast<size_t>(ringPixelOf(map, e))] =
                        std::isfinite(value) ? value : kNan;
                }
            });
        },
        map.field(field).values);
    return ring;
}

std::optional<std::vector<double>> takenRingValues(HealpixMap& map, int field, JobContext& job) {
    if (map.coverage() != Coverage::Full || map.ordering() != Ordering::Ring) return {};
    return std::visit(
        [&](auto& values) -> std::optional<std::vector<double>> {
            std::atomic<bool> anyBad{false};
            parallelFor(job, map.elementCount(), kPixelGrain, [&](long long begin, long long end) {
                if (!std::all_of(values.begin() + begin, values.begin() + end,
                                 [](auto value) { return std::isfinite(value); }))
                    anyBad = true;
            });
            if (anyBad) return {};
            using Values = std::decay_t<decltype(values)>;
            std::vector<double> ring;
            if constexpr (std::is_same_v<Values, std::vector<double>>)
                ring = std::move(values);
            else
                ring = ringValues(map, field, job);
            values = Values();
            return ring;
        },
        map.field(field).values);
}

Field fieldOfTaken(const Field& like, std::vector<double> ring, JobContext& job) {
    if (!like.isSingle()) return {like.name, like.unit, DiskType::Float64, std::move(ring)};
    std::vector<float> single = newVector<float>(static_cast<int64_t>(ring.size()), job);
    forPixels(ring.size(), job, [&](size_t p) { single[p] = static_cast<float>(ring[p]); });
    return {like.name, like.unit, DiskType::Float32, std::move(single)};
}

Field fieldFromRing(const HealpixMap& map, const Field& like, std::span<const double> ring,
                    JobContext& job) {
    Field result;
    result.name = like.name;
    result.unit = like.unit;
    result.diskType = like.isSingle() ? DiskType::Float32 : DiskType::Float64;
    std::visit(
        [&](const auto& input) {
            using Values = std::decay_t<decltype(input)>;
            using T = typename Values::value_type;
            Values output = newVector<T>(map.elementCount(), job);
            parallelFor(job, map.elementCount(), kPixelGrain, [&](long long begin, long long end) {
                for (long long e = begin; e < end; ++e) {
                    const auto i = static_cast<size_t>(e);
                    output[i] = std::isfinite(input[i])
                                    ? static_cast<T>(ring[static_cast<size_t>(ringPixelOf(map, e))])
                                    : std::numeric_limits<T>::quiet_NaN();
                }
            });
            result.values = std::move(output);
        },
        like.values);
    return result;
}

CoarseSums coarseSums(const HealpixMap& map, int field, int64_t nside, JobContext& job) {
    ARMILLA_ASSERT(map.coverage() != Coverage::MultiOrder && map.nside() % nside == 0);
    CoarseSums result;
    result.sum = newVector<double>(armilla::pixelCount(nside), job);
    result.good = newVector<float>(armilla::pixelCount(nside), job);
    const int64_t perSide = map.nside() / nside;
    result.each = static_cast<double>(perSide * perSide);
    std::visit(
        [&](const auto& values) {
            const std::span view(values);
            if (map.coverage() != Coverage::Full)
                sumPartial(map, view, nside, result, job);
            else if (map.ordering() == Ordering::Ring)
                sumFullRing(map, view, nside, result, job);
            else
                sumFullNested(map, view, nside, result, job);
        },
        map.field(field).values);
    return result;
}

HealpixMap mapLike(const HealpixMap& map, std::vector<Field> fields) {
    HealpixMap result =
        map.coverage() == Coverage::Full
            ? HealpixMap(map.nside(), map.ordering(), map.frame(), std::move(fields))
            : HealpixMap::partial(map.nside(), map.ordering(), map.frame(),
                                  {map.pixels().begin(), map.pixels().end()}, std::move(fields));
    result.metadata() = map.metadata();
    return result;
}

}  // namespace armilla
