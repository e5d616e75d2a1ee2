// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/render_overlays.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>

#include "armilla/core/error.h"
#include "armilla/figure/unit_text.h"
#include "armilla/operations/common_frame.h"
#include "armilla/operations/files.h"
#include "armilla/ops/credible.h"
#include "cli/command.h"

namespace armilla::cli {

namespace {

constexpr std::array<Choice<PixelInterpolation>, 2> kInterpolations{
    {{"nearest", PixelInterpolation::Nearest}, {"bilinear", PixelInterpolation::Bilinear}}};

// Value of the field, or share of its sum.
struct Level {
    double number = 0.0;
    bool isShare = false;
};

std::vector<Level> levelsOf(const std::vector<std::string>& words) {
    std::vector<Level> levels;
    for (const std::string& word : words) {
        if (word == "credible") {
            levels.push_back({0.5, true});
            levels.push_back({0.9, true});
            continue;
        }
        const bool isShare = word.ends_with('%');
        const char* end = word.data() + word.size() - (isShare ? 1 : 0);
        Level level{0.0, isShare};
        const auto read = std::from_chars(word.data(), end, level.number);
        if (read.ec != std::errc() || read.ptr != end || !std::isfinite(level.number))
            throw UsageError(
                "--contours: expected values of the field, shares such as 50%,90%, or credible, "
                "found '" +
                word + "'");
        if (isShare) level.number /= 100.0;
        if (isShare && !(level.number > 0.0 && level.number <= 1.0))
            throw UsageError("--contours: expected shares above 0% and of at most 100%, found '" +
                             word + "'");
        levels.push_back(level);
    }
    return levels;
}

std::string shortNumber(double value) {
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.4g", value);
    return text.data();
}

}  // namespace

void describe(Description& d, RenderOverlays& p) {
    d.choice("interpolation", p.interpolation, kInterpolations, {},
             "interpolation between map pixels where these are larger than pixels of the picture");
    d.words("contours", p.contours, {.placeholder = "LEVELS|credible"},
            "contours at values of the field, around shares of a probability map such as 50%,90%, "
            "or at its credible levels (credible)");
    d.file("mask", p.mask, {}, "mask whose pixels of 0 are shaded");
}

void checkOverlays(const RenderOverlays& p) {
    levelsOf(p.contours);
}

FigureOverlays overlaysOf(Run& run, const RenderOverlays& p, const HealpixMap& map, int field,
                          JobContext& job) {
    FigureOverlays overlays;
    overlays.interpolated = p.interpolation == PixelInterpolation::Bilinear;
    std::string words, areas;
    Json told = Json::array();
    const std::vector<Level> levels = levelsOf(p.contours);
    std::vector<double> shares;
    for (const Level& level : levels)
        if (level.isShare) shares.push_back(level.number);
    std::vector<CredibleRegion> regions;
    if (!shares.empty()) regions = credibleRegions(map, field, shares, job);
    auto next = regions.begin();
    for (const Level& level : levels) {
        double value = level.number;
        Json one = Json::object();
        if (level.isShare) {
            const CredibleRegion& region = *next++;
            value = region.threshold;
            const double squareDegrees = region.area / (kDegree * kDegree);
            one.set("share", level.number);
            one.set("area_deg2", squareDegrees);
            const std::string percent = shortNumber(100.0 * level.number) + " %";
            words += (words.empty() ? "" : ", ") + percent;
            areas += (areas.empty() ? "" : ", ") + percent + " in " + shortNumber(squareDegrees) +
                     " deg²";
        } else {
            words += (words.empty() ? "" : ", ") + shortNumber(value);
        }
        // A region without a pixel has no contour.
        if (std::isfinite(value)) {
            one.set("value", value);
            overlays.contours.push_back(value);
        }
        told.add(std::move(one));
    }
    if (!areas.empty()) run.note(map.field(field).name + ": " + areas);
    if (!words.empty()) {
        overlays.contourText = numberTypeset(QString::fromStdString("Contours: " + words));
        run.result().set("contours", std::move(told));
    }
    if (!p.mask.empty()) {
        const InputSlot slot{.name = "mask", .kind = DataKind::Map};
        naming(p.mask, [&] {
            overlays.mask = std::make_shared<const HealpixMap>(
                readInput(slot, ParameterSet(NoOptions{}), p.mask,
                          {{}, run.options().inputFrame, true, {}}, job)
                    .takeMap());
        });
        isToBeTurned({"the map", map.frame()}, {p.mask, overlays.mask->frame()},
                     [&](const std::string& line) { run.note(line); });
    }
    return overlays;
}

}  // namespace armilla::cli
