// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/operations/figure_options.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/units.h"

namespace armilla {

namespace {

constexpr std::array<Choice<BarPlace>, 3> kBarPlaces{
    {{"below", BarPlace::Below}, {"right", BarPlace::Right}, {"none", BarPlace::None}}};
constexpr std::array<Choice<FigureBackground>, 3> kBackgrounds{
    {{"light", FigureBackground::Light},
     {"dark", FigureBackground::Dark},
     {"transparent", FigureBackground::Transparent}}};
constexpr double kLegibleMillimeters = 55.0;  // width of a sky
constexpr double kLeastMillimeters = 10.0, kMostMillimeters = 2000.0;

std::vector<Parameter> rowsOf(FigureOptions& options) {
    std::vector<Parameter> rows;
    Description description(rows);
    describe(description, options);
    return rows;
}

}  // namespace

void describe(Description& d, FigureOptions& p) {
    d.number("width", p.width,
             {.unit = "mm",
              .least = kLeastMillimeters,
              .most = kMostMillimeters,
              .placeholder = "LENGTH"},
             "width of the figure on paper, in place of --size, such as 88mm; without --height the "
             "figure is as tall as its content");
    d.number("height", p.height,
             {.unit = "mm",
              .least = kLeastMillimeters,
              .most = kMostMillimeters,
              .placeholder = "LENGTH"},
             "height of the figure on paper, beside --width");
    d.flag("crop", p.look.cropped, {},
           "narrow margins, and with --size a height that fits the content");
    d.choice("colorbar", p.look.bar, kBarPlaces, {}, "place of the color bar");
    d.choice("background", p.look.background, kBackgrounds, {}, "background of the figure");
    d.text("font", p.look.family, {.standard = "the first installed one of a list"},
           "family of the font");
    d.number("text-size", p.look.textPoints, {.unit = "points", .least = 3.0, .most = 72.0},
             "size of the text at the color bar in points; other text in proportion");
    d.angle("graticule", p.graticule, {.unit = "deg", .least = 0.0, .most = kPi},
            "spacing of meridians and parallels; 0deg draws none");
    d.number("dpi", p.dpi, {.unit = "pixels per inch", .least = 10.0, .most = 2400.0},
             "resolution in pixels per inch, which sets the size of text");
    d.words("contours", p.contours, {.placeholder = "LEVELS|credible"},
            "contours at values of the field, around shares of a probability map such as 50%,90%, "
            "or at its credible levels (credible); more than 300,000 points, as of noise, become "
            "pixels in .pdf and .svg");
    d.text("legend", p.legend, {}, "name of the markers, in a legend");
    d.integer("panel-columns", p.columns,
              {.unit = "none", .least = 0.0, .most = 100.0, .standard = "by the shape of the page"},
              "number of panels side by side");
}

int pixelsOf(double millimeters, double dpi) {
    return static_cast<int>(std::lround(millimeters / kMillimetersPerInch * dpi));
}

int legibleColumns(double millimeters, int panels) {
    return std::clamp(static_cast<int>(millimeters / kLegibleMillimeters), 1, panels);
}

std::string presetText(const FigureOptions& options) {
    FigureOptions own = options;
    Json json = Json::object();
    for (const Parameter& row : rowsOf(own)) {
        const ParameterValue value = row.get();
        if (value.index() != 0 && !row.text(value).empty())
            json.set(std::string(row.name), row.text(value));
    }
    return json.text();
}

FigureOptions presetFrom(std::string_view text) {
    const Json json = Json::parse(text);
    if (json.members() == nullptr)
        throw InvalidArgument(
            "expected a preset, a JSON object of options and their texts, found "
            "other JSON");
    FigureOptions options;
    const std::vector<Parameter> rows = rowsOf(options);
    for (const auto& [name, value] : *json.members()) {
        const Parameter* row = findParameter(rows, name);
        if (row == nullptr || value.string() == nullptr) {
            std::string all;
            for (const Parameter& each : rows)
                all += (all.empty() ? "" : ", ") + std::string(each.name);
            throw InvalidArgument("expected a preset with texts for " + all + ", found '" + name +
                                  "'");
        }
        try {
            row->put(row->parse(*value.string()));
        } catch (const InvalidArgument& error) {
            throw InvalidArgument(name + ": " + error.message());
        }
    }
    return options;
}

}  // namespace armilla
