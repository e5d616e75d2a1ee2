// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/render_overlays.h"

#include <array>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/units.h"
#include "armilla/figure/unit_text.h"
#include "armilla/operations/common_frame.h"
#include "armilla/operations/files.h"
#include "cli/command.h"

namespace armilla::cli {

namespace {

constexpr std::array<Choice<PixelInterpolation>, 2> kInterpolations{
    {{"nearest", PixelInterpolation::Nearest}, {"bilinear", PixelInterpolation::Bilinear}}};

}  // namespace

void describe(Description& d, RenderOverlays& p) {
    d.choice("interpolation", p.interpolation, kInterpolations, {},
             "interpolation between map pixels where these are larger than pixels of the picture");
    d.file("mask", p.mask, {}, "mask whose pixels of 0 are shaded");
}

std::vector<ContourLevel> levelsOf(const std::vector<std::string>& contours) try {
    return contourLevels(contours);
} catch (const InvalidArgument& error) {
    throw UsageError("--contours: " + error.message());
}

FigureOverlays overlaysOf(Run& run, const RenderOverlays& p,
                          const std::vector<std::string>& contours, const HealpixMap& map,
                          int field, JobContext& job) {
    FigureOverlays overlays;
    overlays.interpolated = p.interpolation == PixelInterpolation::Bilinear;
    const std::vector<Contour> made = contoursOf(map, field, levelsOf(contours), job);
    overlays.contours = contourValues(made);
    overlays.contourText = numberTypeset(QString::fromStdString(contourText(made)));
    Json levels = Json::array();
    for (const Contour& contour : made) {
        Json one = Json::object();
        if (contour.level.isShare) {
            one.set("share", contour.level.number);
            one.set("area_deg2", contour.area / (kDegree * kDegree));
        }
        // A region without a pixel has no contour.
        if (std::isfinite(contour.value)) one.set("value", contour.value);
        levels.add(std::move(one));
    }
    if (const std::string areas = contourAreas(made); !areas.empty())
        run.note(map.field(field).name + ": " + areas);
    if (!made.empty()) run.result().set("contours", std::move(levels));
    if (!p.mask.empty()) {
        const InputSlot slot{.name = "mask", .kind = DataKind::Map};
        naming(p.mask, [&] {
            overlays.mask = std::make_shared<const HealpixMap>(
                readInput(slot, ParameterSet(NoOptions{}), p.mask,
                          {{}, run.options().inputFrame, true, {}}, job)
                    .takeMap());
        });
        compareFrames({"the map", map.frame()}, {p.mask, overlays.mask->frame()},
                      [&](const std::string& line) { run.note(line); });
    }
    return overlays;
}

}  // namespace armilla::cli
