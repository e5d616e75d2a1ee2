// SPDX-License-Identifier: GPL-3.0-or-later
// Order of bits of bitshuffle (K. Masui et al. 2015, Astronomy and Computing 12, 181), which HDF5
// and Blosc use.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "armilla/core/error.h"

namespace armilla {

// Restores values from rows of equal bits: row 8 k + b holds bit b of byte k of each value. The
// number of values is a multiple of 8, and `to` has as many bytes as `rows`.
inline void restoreBits(std::span<const std::byte> rows, size_t valueBytes,
                        std::span<std::byte> to) {
    const size_t count = rows.size() / valueBytes, rowBytes = count / 8;
    ARMILLA_ASSERT(count % 8 == 0 && to.size() == rows.size());
    for (size_t k = 0; k < valueBytes; ++k)
        for (size_t i = 0; i < rowBytes; ++i) {
            std::array<unsigned, 8> values{};
            for (size_t b = 0; b < 8; ++b) {
                const auto row = std::to_integer<unsigned>(rows[(8 * k + b) * rowBytes + i]);
                for (size_t v = 0; v < 8; ++v) values[v] |= ((row >> v) & 1U) << b;
            }
            for (size_t v = 0; v < 8; ++v)
                to[(8 * i + v) * valueBytes + k] = static_cast<std::byte>(values[v]);
        }
}

}  // namespace armilla
