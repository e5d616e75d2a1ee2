// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/image.h"

#include "armilla/core/error.h"

namespace armilla {

double Image::at(int64_t x, int64_t y, int64_t plane) const {
    const auto index = static_cast<size_t>((plane * height + y) * width + x);
    return std::visit([index](const auto& v) { return static_cast<double>(v[index]); }, values);
}

int64_t Image::memoryBytes() const {
    return std::visit(
        [](const auto& v) { return static_cast<int64_t>(v.capacity() * sizeof(v[0])); }, values);
}

void checkImage(const Image& image) {
    const auto found =
        std::visit([](const auto& v) { return static_cast<int64_t>(v.size()); }, image.values);
    const int64_t expected = image.planeSize() * static_cast<int64_t>(image.planes.size());
    if (image.width < 1 || image.height < 1 || image.planes.empty() || found != expected)
        throw InvalidArgument("image: expected " + std::to_string(expected) +
                              " values of at least one plane, found " + std::to_string(found));
}

}  // namespace armilla
