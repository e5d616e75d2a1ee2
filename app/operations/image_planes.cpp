// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/operations/image_planes.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "armilla/core/error.h"

namespace armilla {

namespace {

std::optional<int> numberIn(std::string_view text) {
    int number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size()) return {};
    return number;
}

std::optional<int> placeOf(const Image& image, const std::string& word) {
    const auto count = static_cast<int>(image.planes.size());
    for (int i = 0; i < count; ++i)
        if (image.planes[static_cast<size_t>(i)].name == word) return i;
    const auto number = numberIn(word);
    if (number && *number >= 1 && *number <= count) return *number - 1;
    return {};
}

[[noreturn]] void refuse(const Image& image, const std::string& word) {
    throw InvalidArgument("expected a plane from 1 to " + std::to_string(image.planes.size()) +
                          ", found '" + word + "'");
}

}  // namespace

int planeNamed(const Image& image, const std::string& word) {
    if (word.empty()) return 0;
    const auto place = placeOf(image, word);
    if (!place) refuse(image, word);
    return *place;
}

std::vector<int> planesNamed(const Image& image, const std::vector<std::string>& words) {
    std::vector<int> planes;
    const auto add = [&](int plane, const std::string& word) {
        if (std::find(planes.begin(), planes.end(), plane) != planes.end())
            throw InvalidArgument("expected planes once each, found '" + word + "' again");
        planes.push_back(plane);
    };
    for (const std::string& word : words) {
        if (const auto place = placeOf(image, word)) {
            add(*place, word);
            continue;
        }
        int first = 1, last = static_cast<int>(image.planes.size());
        if (word != "all") {
            const size_t dash = word.find('-');
            if (dash == std::string::npos) refuse(image, word);
            const auto from = numberIn(std::string_view(word).substr(0, dash)),
                       to = numberIn(std::string_view(word).substr(dash + 1));
            if (!from || !to || *from < 1 || *from > *to || *to > last) refuse(image, word);
            first = *from;
            last = *to;
        }
        for (int number = first; number <= last; ++number) add(number - 1, word);
    }
    return planes;
}

Image withPlanes(Image image, const std::vector<int>& planes) {
    std::vector<ImagePlane> kept;
    for (const int plane : planes) kept.push_back(image.planes[static_cast<size_t>(plane)]);
    std::visit(
        [&](auto& all) {
            std::decay_t<decltype(all)> values;
            values.reserve(static_cast<size_t>(image.planeSize()) * planes.size());
            for (const int plane : planes) {
                const auto begin = all.begin() + image.planeSize() * plane;
                values.insert(values.end(), begin, begin + image.planeSize());
            }
            all = std::move(values);
        },
        image.values);
    image.planes = std::move(kept);
    return image;
}

}  // namespace armilla
