// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/keyed_rows.h"

#include <algorithm>
#include <array>
#include <bit>

#include "armilla/core/new_vector.h"

namespace armilla {

namespace {

// Bits of a digit at most: 2^11 simultaneous output runs fit the caches and the TLB.
constexpr int kDigitBits = 11;
// Rows between polls: some milliseconds.
constexpr size_t kPiece = size_t{1} << 20;

}  // namespace

void sortByKey(std::vector<KeyedRow>& rows, int64_t keys, const JobContext& job) {
    const int width = std::bit_width(static_cast<uint64_t>(std::max<int64_t>(0, keys - 1)));
    const int passes = (width + kDigitBits - 1) / kDigitBits;
    if (rows.size() < 2 || passes == 0) return;
    const int bits = (width + passes - 1) / passes;
    std::vector<KeyedRow> sorted = newVector<KeyedRow>(std::ssize(rows), job);
    for (int pass = 0; pass < passes; ++pass) {
        const auto digit = [&](const KeyedRow& row) {
            return static_cast<size_t>(row.key >> (pass * bits)) & ((size_t{1} << bits) - 1);
        };
        std::array<size_t, size_t{1} << kDigitBits> next{};
        for (const KeyedRow& row : rows) ++next[digit(row)];
        size_t begin = 0;
        for (size_t& count : next) {
            const size_t here = count;
            count = begin;
            begin += here;
        }
        for (size_t first = 0; first < rows.size(); first += kPiece) {
            job.poll();
            const size_t last = std::min(rows.size(), first + kPiece);
            for (size_t i = first; i < last; ++i) sorted[next[digit(rows[i])]++] = rows[i];
        }
        rows.swap(sorted);
    }
}

}  // namespace armilla
