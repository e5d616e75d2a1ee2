// SPDX-License-Identifier: GPL-3.0-or-later
#include "pixel_rows.h"

#include <algorithm>
#include <numeric>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "fits_file.h"
#include "map_cards.h"

namespace armilla {

namespace {

// The permutation that sorts the rows by `keys`.
template <class Index>
std::vector<Index> ascendingOrder(const std::vector<int64_t>& keys, JobContext& job) {
    std::vector<Index> order(keys.size());
    std::iota(order.begin(), order.end(), Index{0});
    uint64_t comparisons = 0;
    std::sort(order.begin(), order.end(), [&](Index a, Index b) {
        // Sorting 1e8 rows takes seconds; 2^16 comparisons take about 1 ms (one CPU core).
        if ((++comparisons & 0xffff) == 0) job.poll();
        return keys[a] < keys[b];
    });
    return order;
}

// values[i] = old values[order[i]], in place along the cycles of the permutation.
template <class T, class Index>
void reorder(std::vector<T>& values, const std::vector<Index>& order, JobContext& job) {
    std::vector<bool> placed(values.size());
    size_t moves = 0;
    for (size_t start = 0; start < values.size(); ++start) {
        if (placed[start]) continue;
        T first = values[start];
        size_t at = start;
        for (;;) {
            placed[at] = true;
            if ((++moves & 0xffff) == 0) job.poll();
            const auto from = static_cast<size_t>(order[at]);
            if (from == start) break;
            values[at] = values[from];
            at = from;
        }
        values[at] = first;
    }
}

template <class Index>
void sortRowsBy(std::vector<int64_t>& keys, std::vector<uint8_t>& orders,
                std::vector<Field>& fields, JobContext& job) {
    const std::vector<Index> order = ascendingOrder<Index>(keys, job);
    reorder(keys, order, job);
    if (!orders.empty()) reorder(orders, order, job);
    for (Field& field : fields)
        std::visit([&](auto& values) { reorder(values, order, job); }, field.values);
}

}  // namespace

void sortRows(std::vector<int64_t>& keys, std::vector<uint8_t>& orders, std::vector<Field>& fields,
              const std::string& path, JobContext& job) {
    if (std::is_sorted(keys.begin(), keys.end())) return;
    const bool narrow = keys.size() < (size_t{1} << 32);
    requireMemory(path, static_cast<int64_t>(keys.size()) * (narrow ? 4 : 8));
    if (narrow)
        sortRowsBy<uint32_t>(keys, orders, fields, job);
    else
        sortRowsBy<uint64_t>(keys, orders, fields, job);
}

void checkPixels(const std::string& path, const std::vector<int64_t>& pixels, int64_t nside,
                 JobContext& job) {
    const int64_t limit = pixelCount(nside);
    for (size_t i = 0; i < pixels.size(); ++i) {
        if ((i & 0xffff) == 0) job.poll();
        if (pixels[i] < 0 || pixels[i] >= limit)
            refuse(path,
                   "pixel indices from 0 to " + std::to_string(limit - 1) +
                       " for NSIDE = " + std::to_string(nside),
                   pixels[i] < 0 ? "a negative or undefined one in row " + std::to_string(i + 1)
                                 : std::to_string(pixels[i]));
    }
}

HealpixMap listedMap(const std::string& path, int64_t nside, Ordering ordering, Frame frame,
                     RowData data, JobContext& job) {
    checkPixels(path, data.index, nside, job);
    std::vector<uint8_t> none;
    sortRows(data.index, none, data.fields, path, job);
    const auto twice = std::adjacent_find(data.index.begin(), data.index.end());
    if (twice != data.index.end())
        refuse(path, "each pixel index once", std::to_string(*twice) + " twice");
    return HealpixMap::partial(nside, ordering, frame, std::move(data.index),
                               std::move(data.fields));
}

void flipStokesU(HealpixMap& map, JobContext& job) {
    for (const int index : stokesUFields(map))
        std::visit(
            [&](auto& values) {
                parallelFor(job, static_cast<long long>(values.size()), 1 << 20,
                            [&](long long begin, long long end) {
                                for (long long i = begin; i < end; ++i)
                                    values[static_cast<size_t>(i)] =
                                        -values[static_cast<size_t>(i)];
                            });
            },
            map.field(index).values);
}

}  // namespace armilla
