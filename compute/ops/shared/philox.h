// SPDX-License-Identifier: GPL-3.0-or-later
// Counter-based random numbers: a number depends only on seed and counter. Therefore fields are the
// same for any order of evaluation, number of threads, and device.
//
// Philox 4x32-10: J. K. Salmon, M. A. Moraes, R. O. Dror & D. E. Shaw, SC'11 (2011),
// doi:10.1145/2063384.2063405, section 4.3 and table 2.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "armilla/core/sky_vector.h"

namespace armilla {

inline std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter, uint64_t seed) {
    uint32_t k0 = static_cast<uint32_t>(seed), k1 = static_cast<uint32_t>(seed >> 32);
    for (int round = 0; round < 10; ++round) {
        const uint64_t p0 = uint64_t{0xD2511F53} * counter[0];
        const uint64_t p1 = uint64_t{0xCD9E8D57} * counter[2];
        counter = {static_cast<uint32_t>(p1 >> 32) ^ counter[1] ^ k0, static_cast<uint32_t>(p1),
                   static_cast<uint32_t>(p0 >> 32) ^ counter[3] ^ k1, static_cast<uint32_t>(p0)};
        k0 += 0x9E3779B9;  // golden ratio
        k1 += 0xBB67AE85;  // sqrt(3) - 1
    }
    return counter;
}

// Two uniform deviates in (0, 1), 53 bits each, never 0 nor 1.
inline std::array<double, 2> uniformPair(std::array<uint32_t, 4> counter, uint64_t seed) {
    const std::array<uint32_t, 4> r = philox(counter, seed);
    const auto unit = [](uint32_t high, uint32_t low) {
        const uint64_t bits = (uint64_t{high} << 32 | low) >> 12;
        return (static_cast<double>(bits) + 0.5) * 0x1p-52;
    };
    return {unit(r[0], r[1]), unit(r[2], r[3])};
}

// Two independent normal deviates (G. E. P. Box & M. E. Muller, Ann. Math. Stat. 29 (1958) 610).
inline std::array<double, 2> normalPair(std::array<uint32_t, 4> counter, uint64_t seed) {
    const std::array<double, 2> u = uniformPair(counter, seed);
    const double radius = std::sqrt(-2.0 * std::log(u[0]));
    return {radius * std::cos(kTwoPi * u[1]), radius * std::sin(kTwoPi * u[1])};
}

}  // namespace armilla
