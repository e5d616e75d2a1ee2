// SPDX-License-Identifier: GPL-3.0-or-later
// The samples of a map as transforms take and give them: a view, in double or single precision.
#pragma once

#include <cstddef>
#include <span>
#include <variant>

namespace armilla {

using MapSamples = std::variant<std::span<double>, std::span<float>>;
using ConstMapSamples = std::variant<std::span<const double>, std::span<const float>>;

template <typename Samples>
size_t sizeOf(const Samples& samples) {
    return std::visit([](const auto& values) { return values.size(); }, samples);
}

// Values first .. first + count - 1.
template <typename Samples>
Samples partOf(const Samples& samples, size_t first, size_t count) {
    return std::visit([&](const auto& values) { return Samples(values.subspan(first, count)); },
                      samples);
}

}  // namespace armilla
