// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/draw/field_sample.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "armilla/core/pixel_geometry.h"

namespace armilla {

// Radix sort with 11-bit digits, because a live picture waits for the sort.
void sortByDigits(std::vector<float>& values) {
    constexpr int kDigitBits = 11;
    constexpr uint32_t kSign = 0x80000000U, kDigits = 1U << kDigitBits;
    std::vector<uint32_t> keys(values.size()), moved(values.size());
    for (size_t i = 0; i < values.size(); ++i) {
        const auto bits = std::bit_cast<uint32_t>(values[i]);
        // integer order equals the order of the values
        keys[i] = (bits & kSign) != 0 ? ~bits : bits | kSign;
    }
    for (int shift = 0; shift < 32; shift += kDigitBits) {
        std::vector<size_t> place(kDigits + 1, 0);
        const auto digit = [shift](uint32_t key) { return (key >> shift) & (kDigits - 1); };
        for (const uint32_t key : keys) ++place[digit(key) + 1];
        std::partial_sum(place.begin(), place.end(), place.begin());
        for (const uint32_t key : keys) moved[place[digit(key)]++] = key;
        keys.swap(moved);
    }
    for (size_t i = 0; i < values.size(); ++i)
        values[i] = std::bit_cast<float>((keys[i] & kSign) != 0 ? keys[i] & ~kSign : ~keys[i]);
}

std::vector<float> sortedSample(const HealpixMap& map, int field, JobContext& job) {
    const Field& values = map.field(field);
    std::vector<float> sample;
    const auto take = [&](int64_t element) {
        const double value = values.at(element);
        if (std::isfinite(value)) sample.push_back(static_cast<float>(value));
    };
    if (map.coverage() == Coverage::MultiOrder) {
        const auto orders = map.cellOrders();
        const int deepest = orderOf(map.nside());
        const auto pixelsOf = [&](size_t cell) {
            return int64_t{1} << (2 * (deepest - orders[cell]));
        };
        int64_t total = 0;
        for (size_t i = 0; i < orders.size(); ++i) total += pixelsOf(i);
        const int64_t stride = std::max<int64_t>(1, total / kSampleSize);
        int64_t next = 0, end = 0;
        for (size_t i = 0; i < orders.size(); ++i)
            for (end += pixelsOf(i); next < end; next += stride) take(static_cast<int64_t>(i));
    } else {
        const int64_t count = map.elementCount();
        const int64_t stride = std::max<int64_t>(1, (count + kSampleSize - 1) / kSampleSize);
        for (int64_t i = 0; i < count; i += stride) take(i);
    }
    job.poll();
    sortByDigits(sample);
    return sample;
}

}  // namespace armilla
