// SPDX-License-Identifier: GPL-3.0-or-later
// The order in which the values of a pyramid are uploaded. Pieces keep the drawing thread
// responsive, and coarse levels come first, so that a picture appears at once.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "armilla/core/seconds_since.h"
#include "armilla/draw/map_pyramid.h"

namespace armilla {

// Rows [row, row + rows) of one face of one level.
struct UploadPiece {
    int level = 0, face = 0;
    int64_t row = 0, rows = 0;
    // Index of the first value within the level, and number of values.
    int64_t offset(int64_t side) const { return (face * side + row) * side; }
    int64_t count(int64_t side) const { return rows * side; }
};

class UploadPieces {
public:
    UploadPieces() = default;
    explicit UploadPieces(const MapPyramid& pyramid)
        : nside_(pyramid.nside()), next_{pyramid.levels() - 1, 0, 0, 0} {}

    bool done() const { return next_.level < 0; }
    // The finest complete level; the number of levels if none is complete.
    int finest() const { return next_.level + 1; }
    UploadPiece take() {
        const int64_t side = nside_ >> next_.level;
        UploadPiece piece = next_;
        piece.rows = std::min(std::max<int64_t>(1, kValues / side), side - piece.row);
        next_.row += piece.rows;
        if (next_.row < side) return piece;
        next_.row = 0;
        if (++next_.face < kFaces) return piece;
        next_.face = 0;
        --next_.level;
        return piece;
    }
    // Passes pieces to `copy` until `seconds` have passed, at least one piece.
    template <typename Copy>
    void advance(double seconds, Copy&& copy) {
        const auto start = std::chrono::steady_clock::now();
        while (!done()) {
            copy(take());
            if (secondsSince(start) >= seconds) return;
        }
    }

private:
    static constexpr int kFaces = 12;
    // 1 MiB: 0.5 ms at the 2 GB/s observed for uploads by drivers.
    static constexpr int64_t kValues = int64_t{1} << 18;
    int64_t nside_ = 1;
    UploadPiece next_{-1, 0, 0, 0};
};

// The nside that is uploaded before the first picture is drawn, sufficient to show the sky.
inline constexpr int64_t kFirstNside = 256;

}  // namespace armilla
