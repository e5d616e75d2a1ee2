// SPDX-License-Identifier: GPL-3.0-or-later
// Targets in and around a square of face pixels, by rows, where edges are dense.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "mask/face_bits.h"
#include "mask/near_places.h"

namespace armilla::mask {

// The targets of a square of up to 64 x 64 pixels and of a margin around it, within one face. The
// square consists of cells of 8 x 8 pixels.
class EdgeWindow {
public:
    static constexpr int64_t kCell = 8, kCells = 8, kMargin = 8, kWidth = kCells * kCell;

    // Margins around a cell within which targets are gathered.
    static constexpr std::array<int64_t, 2> kMargins{4, 8};

    // Takes the targets around the square from (x, y); `width` is a multiple of kCell.
    void take(const FaceTables& tables, const FaceBits& targets, FacePixel from, int64_t width);

    // True if each pixel of a cell has a target within half of a margin in columns and rows. The
    // nearest targets are then most likely within the margin.
    bool isDense(int64_t column, int64_t row, size_t margin) const {
        return (dense_[margin][static_cast<size_t>(row)] >> column & 1) != 0;
    }
    // True if the margin around a cell lies within the face.
    bool isWhole(int64_t column, int64_t row, int64_t margin) const;
    // Copies the targets within the margin around a cell.
    void gather(int64_t column, int64_t row, int64_t margin, Places& to) const;

    // Smallest distance between a pixel of a cell and a pixel beyond the margin, in radians.
    //
    // A path between these crosses at least `margin` + 0.5 columns or rows of the face. The
    // gradient of a column's number is at most sqrt(1.5 + 6 / pi^2) nside, at the poles (Gorski et
    // al. 2005, section 5, doi:10.1086/427976).
    static double reach(int64_t nside, int64_t margin) {
        return 0.688 * (static_cast<double>(margin) + 0.5) / static_cast<double>(nside);
    }

private:
    static constexpr size_t kRows = kWidth + 2 * kMargin;
    // Columns from x - kMargin on.
    struct Row {
        uint64_t low = 0, high = 0;
        size_t first = 0;  // number of the row's first place

        Row widened(int by) const {
            return {low | low << by | low >> by | high << (64 - by),
                    high | high << by | high >> by | low >> (64 - by)};
        }
        uint64_t inner() const { return low >> kMargin | high << (64 - kMargin); }
    };
    void findDense(const FaceBits& targets, size_t cells);

    int64_t nside_ = 0;
    FacePixel from_{};
    std::array<Row, kRows> rows_{};
    std::array<std::array<uint8_t, kCells>, kMargins.size()>
        dense_{};  // by margin and row of cells
    Places places_;
};

}  // namespace armilla::mask
