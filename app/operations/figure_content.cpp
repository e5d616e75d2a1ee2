// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/operations/figure_content.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/core/units.h"
#include "armilla/ops/credible.h"

namespace armilla {

namespace {

constexpr long long kGrain = 16384;  // rows per work item
// Rows whose directions are in memory at once: 24 MiB, and work items for 64 threads.
constexpr int64_t kBlockRows = int64_t{1} << 20;

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

std::shared_ptr<const SkyPlaces> markedPlaces(std::shared_ptr<const Catalog> catalog, Frame frame,
                                              JobContext& job) {
    auto places = std::make_shared<SkyPlaces>();
    std::atomic<int64_t> count = 0;
    parallelFor(job, catalog->rows(), kGrain, [&](long long begin, long long end) {
        int64_t found = 0;
        for (long long row = begin; row < end; ++row)
            found += std::isfinite(catalog->at(row).lon) ? 1 : 0;
        count += found;
    });
    places->count = count;
    const Mat3 turn = frameRotation(frame, catalog->frame());
    places->forBlocks = [catalog = std::move(catalog), turn](const auto& take,
                                                             JobContext& stopped) {
        std::vector<Vec3> block(static_cast<size_t>(std::min(catalog->rows(), kBlockRows)));
        for (int64_t first = 0; first < catalog->rows(); first += kBlockRows) {
            const int64_t rows = std::min(kBlockRows, catalog->rows() - first);
            block.resize(static_cast<size_t>(rows));
            parallelFor(stopped, rows, kGrain, [&](long long begin, long long end) {
                for (long long i = begin; i < end; ++i)
                    block[static_cast<size_t>(i)] = turn * direction(catalog->at(first + i));
            });
            std::erase_if(block, [](const Vec3& place) { return !std::isfinite(place.x); });
            take(block);
        }
    };
    return places;
}

}  // namespace armilla
