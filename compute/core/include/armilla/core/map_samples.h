// SPDX-License-Identifier: GPL-3.0-or-later
// Views of map samples for transforms, in double or single precision.
#pragma once

#include <cstddef>
#include <span>
#include <variant>

namespace armilla {

// Writable and read-only samples.
using MapSamples = std::variant<std::span<double>, std::span<float>>;
using ConstMapSamples = std::variant<std::span<const double>, std::span<const float>>;

// A weight times a sample. Weight 0 yields 0 also where the sample is bad.
inline double weightedSample(double value, double weight) {
    return weight == 0.0 ? 0.0 : value * weight;
}

// Number of samples in a view.
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
