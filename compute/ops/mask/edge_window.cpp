// SPDX-License-Identifier: GPL-3.0-or-later
#include "mask/edge_window.h"

#include <algorithm>
#include <bit>

namespace armilla::mask {

void EdgeWindow::take(const FaceTables& tables, const FaceBits& targets, FacePixel from,
                      int64_t width) {
    nside_ = tables.nside();
    from_ = from;
    const auto used = static_cast<size_t>(width + 2 * kMargin);
    const int64_t x = from.x - kMargin, y = from.y - kMargin;
    // Places right of the margin have no use.
    const uint64_t highColumns = width == kWidth ? 0xFFFF : 0;
    size_t most = 0;
    for (size_t j = 0; j < used; ++j) {
        const int64_t at = y + static_cast<int64_t>(j);
        Row& row = rows_[j];
        row.low = targets.edgeColumns(from.face, at, x);
        row.high = targets.edgeColumns(from.face, at, x + 64) & highColumns;
        row.first = most;
        most += static_cast<size_t>(std::popcount(row.low) + std::popcount(row.high));
    }
    findDense(targets, static_cast<size_t>(width / kCell));
    const auto isAny = [](const auto& cells) {
        return std::any_of(cells.begin(), cells.end(), [](uint8_t row) { return row != 0; });
    };
    if (!std::any_of(dense_.begin(), dense_.end(), isAny)) return;
    places_.begin(most);
    for (size_t j = 0; j < used; ++j) {
        const int64_t at = y + static_cast<int64_t>(j);
        for (uint64_t bits = rows_[j].low; bits != 0; bits &= bits - 1)
            places_.add(tables.direction({from.face, x + std::countr_zero(bits), at}));
        for (uint64_t bits = rows_[j].high; bits != 0; bits &= bits - 1)
            places_.add(tables.direction({from.face, x + 64 + std::countr_zero(bits), at}));
    }
    places_.end();
}

void EdgeWindow::findDense(const FaceBits& targets, size_t cells) {
    static_assert(kMargins == std::array<int64_t, 2>{4, 8});
    std::array<std::array<uint64_t, kRows>, kMargins.size()> near{};
    for (size_t j = 0; j < cells * kCell + 2 * kMargin; ++j) {
        const Row two = rows_[j].widened(1).widened(1);
        near[0][j] = two.inner();
        near[1][j] = two.widened(2).inner();
    }
    for (size_t margin = 0; margin < kMargins.size(); ++margin) {
        const auto reach = static_cast<size_t>(kMargins[margin] / 2);
        for (size_t cell = 0; cell < cells; ++cell) {
            uint64_t all = ~uint64_t{0};
            for (size_t j = cell * kCell; j < (cell + 1) * kCell && all != 0; ++j) {
                uint64_t covered =
                    targets.columns(from_.face, from_.y + static_cast<int64_t>(j), from_.x);
                for (size_t i = j + kMargin - reach; i <= j + kMargin + reach; ++i)
                    covered |= near[margin][i];
                all &= covered;
            }
            uint8_t dense = 0;
            for (size_t column = 0; column < cells; ++column)
                if ((all >> (kCell * column) & 0xFF) == 0xFF)
                    dense = static_cast<uint8_t>(dense | 1U << column);
            dense_[margin][cell] = dense;
        }
        std::fill(dense_[margin].begin() + static_cast<std::ptrdiff_t>(cells), dense_[margin].end(),
                  uint8_t{0});
    }
}

bool EdgeWindow::isWhole(int64_t column, int64_t row, int64_t margin) const {
    const int64_t x = from_.x + column * kCell, y = from_.y + row * kCell;
    return x >= margin && y >= margin && x + kCell + margin <= nside_ &&
           y + kCell + margin <= nside_;
}

void EdgeWindow::gather(int64_t column, int64_t row, int64_t margin, Places& to) const {
    constexpr size_t kMost = (kCell + 2 * kMargin) * (kCell + 2 * kMargin);
    to.begin(kMost);
    const auto shift = static_cast<unsigned>(kMargin + column * kCell - margin);
    const uint64_t columns = (uint64_t{1} << (kCell + 2 * margin)) - 1;
    const int64_t first = kMargin + row * kCell - margin, end = first + kCell + 2 * margin;
    for (int64_t j = first; j < end; ++j) {
        const Row& from = rows_[static_cast<size_t>(j)];
        const uint64_t found =
            (from.low >> shift | (shift == 0 ? 0 : from.high << (64 - shift))) & columns;
        if (found == 0) continue;
        const uint64_t before = from.low & ((uint64_t{1} << shift) - 1);
        to.add(places_, from.first + static_cast<size_t>(std::popcount(before)),
               static_cast<size_t>(std::popcount(found)));
    }
    to.end();
}

}  // namespace armilla::mask
