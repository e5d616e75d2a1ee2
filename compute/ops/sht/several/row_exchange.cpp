// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/several/row_exchange.h"

#include <utility>

namespace armilla {

RowExchange::RowExchange(std::span<const OrderSlice> slices, std::span<const int> first,
                         RingRuns given)
    : rows(std::move(given)), slots(slices.empty() ? 0 : slices.front().slots) {
    const int mmax = static_cast<int>(first.size()) - 1, all = rows.count();
    for (const OrderSlice& slice : slices) {
        int64_t total = 0;
        for (int slot = 0; slot < slice.slots; ++slot) {
            const int m = slice.orderOf(slot);
            const int from = m > mmax ? all : rows.before(first[static_cast<size_t>(m)]);
            at.push_back(total - from);
            total += all - from;
        }
        totals.push_back(total);
    }
}

}  // namespace armilla
