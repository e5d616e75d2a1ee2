// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/render_page.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/core/units.h"
#include "armilla/operations/drawn_field.h"
#include "armilla/operations/files.h"
#include "cli/command.h"
#include "cli/render_overlays.h"

namespace armilla::cli {

namespace {

// A wider inset would show most of the sky, on which a gnomonic view is distorted.
constexpr double kWidestInset = 90.0 * kDegree;

[[noreturn]] void refuseAlone(const std::string& name, const std::string& other) {
    throw UsageError("--" + name + ": expected --" + other + " beside it, found none");
}

}  // namespace

void RenderPage::fill(Form& form) {
    Description& d = form.options;
    const size_t first = form.rows.size();
    describe(d, options_);
    d.numbers("ticks", ticks_, {.unit = "map", .standard = "round values"},
              "values labeled at the color bar, in the unit of the map");
    d.words("panels", panels_, {.placeholder = "FILE[#FIELD],..."},
            "further maps beside the first, in the same view and colors");
    d.words("panel-titles", panelTitles_, {.placeholder = "TEXT,..."},
            "titles of the panels, the first map first");
    d.position("inset", inset_, {},
               "center of an enlarged view in a corner of the sky, in --frame");
    d.angle("inset-width", insetWidth_,
            {.unit = "deg", .least = 0.0, .most = kWidestInset, .standard = "10deg"},
            "angle across the inset");
    d.choice("inset-corner", corner_, kFigureCorners, {}, "corner of the sky that holds the inset");
    d.file("preset", preset_, {},
           "file of size and look, as the window exports it; other options take precedence");
    for (size_t i = first; i < form.rows.size(); ++i)
        form.rows[i].put = [this, name = std::string(form.rows[i].name),
                            put = form.rows[i].put](const ParameterValue& value) {
            put(value);
            given_.insert(name);
        };
}

void RenderPage::check(bool hasSize) const {
    if (hasSize && options_.width)
        throw UsageError("--width: expected either --size or --width, found both");
    if (options_.height && !options_.width && preset_.empty())
        throw UsageError("--height: expected --width beside it, found none");
    for (const char* name : {"inset-width", "inset-corner"})
        if (given_.contains(name) && !inset_) refuseAlone(name, "inset");
    for (const char* name : {"panel-titles", "panel-columns"})
        if (given_.contains(name) && panels_.empty()) refuseAlone(name, "panels");
    levelsOf(options_.contours);
    if (!panelTitles_.empty() && panelTitles_.size() != panels_.size() + 1)
        throw UsageError("--panel-titles: expected " + std::to_string(panels_.size() + 1) +
                         " texts, the first map first, found " +
                         std::to_string(panelTitles_.size()));
}

void RenderPage::readPreset(bool hasSize) {
    if (preset_.empty()) return;
    if (std::filesystem::is_directory(preset_))
        throw IoError(preset_ + ": expected a preset, found a folder");
    std::ifstream file(preset_, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file) throw IoError(preset_ + ": expected a readable preset, found none");
    FigureOptions stored;
    naming(preset_, [&] { stored = presetFrom(text); });
    std::vector<Parameter> from, to;
    Description reading(from), writing(to);
    describe(reading, stored);
    describe(writing, options_);
    for (size_t i = 0; i < from.size(); ++i) {
        // A size in pixels stands in place of one on paper.
        const bool isReplaced = hasSize && (from[i].name == "width" || from[i].name == "height");
        if (!isReplaced && !given_.contains(from[i].name)) to[i].put(from[i].get());
    }
    if (options_.height && !options_.width)
        throw UsageError("--height: expected a width in " + preset_ + " or --width, found none");
    levelsOf(options_.contours);
}

void RenderPage::leaveOut(Run& run, const char* name, const std::string& reason) {
    if (given_.contains(name)) throw UsageError("--" + std::string(name) + ": " + reason);
    run.note(preset_ + ": " + name + " left out: " + reason);
}

void RenderPage::refuseContours(Run& run, const std::string& found) {
    if (options_.contours.empty()) return;
    leaveOut(run, "contours", "expected a map, found " + found);
    options_.contours.clear();
}

void RenderPage::refuseLegend(Run& run) {
    if (options_.legend.empty()) return;
    leaveOut(run, "legend", "expected a catalog of positions to mark, found none");
    options_.legend.clear();
}

PixelSize RenderPage::sizeOr(PixelSize other) const {
    if (!options_.width) return other;
    const int width = pixelsOf(*options_.width, options_.dpi);
    return {width, options_.height ? pixelsOf(*options_.height, options_.dpi) : width};
}

void RenderPage::describeFigure(FigureRequest& request) const {
    request.look = options_.look;
    request.dpi = options_.dpi;
    request.graticuleStep = options_.graticule;
    request.ticks = ticks_;
    request.legend = QString::fromStdString(options_.legend);
    request.columns = panels_.empty() ? 0 : options_.columns;
    if (!panelTitles_.empty()) request.panelTitle = QString::fromStdString(panelTitles_.front());
    constexpr double kInsetWidth = 10.0 * kDegree;
    if (inset_)
        request.inset = {inset_->in(request.camera.frame),
                         insetWidth_ > 0.0 ? insetWidth_ : kInsetWidth, corner_};
}

void RenderPage::addPanels(Run& run, FigureRequest& request, JobContext& job) const {
    if (panels_.empty()) return;
    if (!request.map) throw UsageError("--panels: expected a map as MAP, found another kind");
    const bool turns = request.camera.frame != request.map->frame();
    for (size_t i = 0; i < panels_.size(); ++i) {
        const size_t hash = panels_[i].rfind('#');
        const std::string path = panels_[i].substr(0, hash);
        const std::string field =
            hash == std::string::npos ? std::string() : panels_[i].substr(hash + 1);
        naming(path, [&] {
            const InputSlot slot{
                .name = "panels", .kind = DataKind::Map, .columns = [turns](const ParameterSet&) {
                    return Columns{turns ? Columns::Choice::OneWithPartner : Columns::Choice::One,
                                   {}};
                }};
            ReadRequest reading{field, run.options().inputFrame, true, {}};
            const Input input = readInput(slot, ParameterSet(NoOptions{}), path, reading, job);
            const auto* map = std::get_if<std::shared_ptr<const HealpixMap>>(&input.data);
            if (!map) throw InvalidArgument("expected a map, found another kind");
            const DrawnField drawn = drawnField(*map, 0, request.camera.frame, job);
            // All panels have the color bar of the first.
            const std::string &unit = request.map->field(request.field).unit,
                              &other = drawn.map->field(drawn.field).unit;
            if (unit != other)
                throw InvalidArgument("expected the unit of the first map, '" + unit +
                                      "', found '" + other + "'");
            FigurePanel panel{drawn.map, drawn.field, {}};
            if (!panelTitles_.empty()) panel.title = QString::fromStdString(panelTitles_[i + 1]);
            request.panels.push_back(std::move(panel));
        });
    }
}

void RenderPage::setHeight(FigureRequest& request, bool hasSize) const {
    const bool isOpen = options_.width && !hasSize ? !options_.height : options_.look.cropped;
    if (!isOpen) return;
    if (request.columns == 0)
        request.columns = legibleColumns(request.width / request.dpi * kMillimetersPerInch,
                                         static_cast<int>(request.panels.size()) + 1);
    request.height = figureHeight(request);
}

}  // namespace armilla::cli
