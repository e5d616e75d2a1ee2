// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/operations/figure_content.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "armilla/core/error.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/units.h"
#include "armilla/ops/credible.h"

namespace armilla {

namespace {

constexpr long long kGrain = 16384;  // rows per work item

std::string shortNumber(double value) {
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.4g", value);
    return text.data();
}

std::string percentText(const ContourLevel& level) {
    return shortNumber(100.0 * level.number) + " %";
}

}  // namespace

std::vector<ContourLevel> contourLevels(const std::vector<std::string>& words) {
    std::vector<ContourLevel> levels;
    for (const std::string& word : words) {
        if (word == "credible") {
            levels.push_back({0.5, true});
            levels.push_back({0.9, true});
            continue;
        }
        const bool isShare = word.ends_with('%');
        const char* end = word.data() + word.size() - (isShare ? 1 : 0);
        ContourLevel level{0.0, isShare};
        const auto read = std::from_chars(word.data(), end, level.number);
        if (read.ec != std::errc() || read.ptr != end || !std::isfinite(level.number))
            throw InvalidArgument(
                "expected values of the field, shares such as 50%,90%, or credible, found '" +
                word + "'");
        if (isShare) level.number /= 100.0;
        if (isShare && !(level.number > 0.0 && level.number <= 1.0))
            throw InvalidArgument("expected shares above 0% and of at most 100%, found '" + word +
                                  "'");
        levels.push_back(level);
    }
    return levels;
}

std::vector<Contour> contoursOf(const HealpixMap& map, int field,
                                const std::vector<ContourLevel>& levels, JobContext& job) {
    std::vector<double> shares;
    for (const ContourLevel& level : levels)
        if (level.isShare) shares.push_back(level.number);
    std::vector<CredibleRegion> regions;
    if (!shares.empty()) regions = credibleRegions(map, field, shares, job);
    auto next = regions.begin();
    std::vector<Contour> contours;
    for (const ContourLevel& level : levels) {
        contours.push_back({level, level.number, 0.0});
        if (!level.isShare) continue;
        contours.back().value = next->threshold;
        contours.back().area = next->area;
        ++next;
    }
    return contours;
}

std::vector<double> contourValues(const std::vector<Contour>& contours) {
    std::vector<double> values;
    for (const Contour& contour : contours)
        if (std::isfinite(contour.value)) values.push_back(contour.value);
    return values;
}

std::string contourText(const std::vector<Contour>& contours) {
    std::string words;
    for (const Contour& contour : contours)
        words += (words.empty() ? "Contours: " : ", ") +
                 (contour.level.isShare ? percentText(contour.level) : shortNumber(contour.value));
    return words;
}

std::string contourAreas(const std::vector<Contour>& contours) {
    std::string areas;
    for (const Contour& contour : contours)
        if (contour.level.isShare)
            areas += (areas.empty() ? "" : ", ") + percentText(contour.level) + " in " +
                     shortNumber(contour.area / (kDegree * kDegree)) + " deg²";
    return areas;
}

std::shared_ptr<const std::vector<Vec3>> markedPlaces(const Catalog& catalog, Frame frame,
                                                      JobContext& job) {
    const Mat3 turn = frameRotation(frame, catalog.frame());
    auto places = std::make_shared<std::vector<Vec3>>(newVector<Vec3>(catalog.rows(), job));
    parallelFor(job, catalog.rows(), kGrain, [&](long long begin, long long end) {
        for (long long row = begin; row < end; ++row)
            (*places)[static_cast<size_t>(row)] = turn * direction(catalog.at(row));
    });
    std::erase_if(*places, [](const Vec3& place) { return !std::isfinite(place.x); });
    return places;
}

}  // namespace armilla
