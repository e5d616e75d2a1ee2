// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla render MAP OUT`: draws a map, an image or a catalog, or plots a curve, as .png, .pdf or
// .svg.
#include <algorithm>
#include <cmath>
#include <memory>

#include "armilla/core/counted.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/units.h"
#include "armilla/draw/opening_colors.h"
#include "armilla/draw/own_colors.h"
#include "armilla/figure/figure.h"
#include "armilla/figure/unit_text.h"
#include "armilla/io/table_io.h"
#include "armilla/operations/common_frame.h"
#include "armilla/operations/drawn_field.h"
#include "armilla/operations/figure_content.h"
#include "armilla/operations/figure_options.h"
#include "armilla/operations/files.h"
#include "armilla/operations/map_in_view.h"
#include "armilla/operations/position_names.h"
#include "armilla/operations/view.h"
#include "cli/color_range.h"
#include "cli/command.h"
#include "cli/draw_module.h"
#include "cli/drawing_application.h"
#include "cli/files.h"
#include "cli/given_options.h"
#include "cli/render_curves.h"
#include "cli/render_others.h"
#include "cli/render_overlays.h"
#include "cli/render_page.h"
#include "cli/render_polarization.h"
#include "cli/spectrum_options.h"

namespace armilla::cli {

namespace {

constexpr std::array<Choice<Scale>, 5> kScales{{{"linear", Scale::Linear},
                                                {"log", Scale::Log},
                                                {"symlog", Scale::SymLog},
                                                {"asinh", Scale::Asinh},
                                                {"histogram", Scale::Histogram}}};

class Render : public Command {
public:
    std::string_view name() const override { return "render"; }
    std::string_view summary() const override { return kRenderSummary; }

    void fill(Form& form) override {
        form.file("MAP", inputs_,
                  "map or image to draw, catalog whose positions are marked, or curve to plot");
        form.file("OUT", outputs_, "output figure: .png, .pdf or .svg");
        Description& d = form.options;
        describe(d, view_);
        d.text(
            "colormap", range_.colorMap,
            {.standard = "chosen by the values, as in the window", .placeholder = "NAME"},
            "color map: planck, viridis, magma, ..., or colors such as '#000000,#ff8800,#ffffff'");
        d.choice("scale", range_.scale, kScales,
                 {.standard = "chosen by the values, as in the window"},
                 "scale from value to color");
        d.number("min", range_.least,
                 {.unit = "map", .standard = "chosen by the values, as in the window"},
                 "value at the lower end of the colors, in the unit of the map");
        d.number("max", range_.most,
                 {.unit = "map", .standard = "chosen by the values, as in the window"},
                 "value at the upper end of the colors, in the unit of the map");
        d.numbers("percentile", percentiles_,
                  {.unit = "percent",
                   .least = 0.0,
                   .most = 100.0,
                   .standard = "1,99 with --scale",
                   .placeholder = "LOW,HIGH"},
                  "range of the colors as two percentiles of the pixels");
        d.text("title", title_, {}, "title above the sky");
        d.text("label", label_, {.standard = "name of the field"}, "label of the color bar");
        d.text("unit", unit_, {.standard = "unit of the field"},
               "unit beside the label of the color bar");
        describe(d, overlays_);
        d.file("catalog", catalog_, {}, "catalog of positions to mark");
        describePositions(
            d, positions_,
            {"lon",
             "column of longitudes (right ascensions) of the catalog; default: by UCD or usual "
             "names",
             "lat",
             "column of latitudes (declinations) of the catalog; default: by UCD or usual names"});
        describe(d, polarization_);
        page_.fill(form);
        describe(d, curves_);
        describe(d, spectra_);
        given_.remember(form.rows);
    }

    void check() const override {
        const std::string& out = outputs_.front();
        const std::string suffix = out.size() < 4 ? "" : out.substr(out.size() - 4);
        if (suffix != ".png" && suffix != ".pdf" && suffix != ".svg")
            throw UsageError("OUT: expected a name in .png, .pdf or .svg, found '" + out + "'");
        if (!range_.colorMap.empty() && !isColorMap(range_.colorMap)) {
            std::string all;
            for (const std::string& name : colorMapNames()) all += name + ", ";
            throw UsageError("--colormap: expected one of " + all +
                             "or colors as '#000000,#ff8800,#ffffff', found '" + range_.colorMap +
                             "'");
        }
        if (range_.least && range_.most && !(*range_.least < *range_.most))
            throw UsageError(
                "--min and --max: expected min below max, found the reverse or equal values");
        if (range_.scale == Scale::Log && range_.least && !(*range_.least > 0.0))
            throw UsageError("--min: expected a number above 0 with --scale log, found another");
        if (!percentiles_.empty() &&
            (percentiles_.size() != 2 || !(percentiles_[0] < percentiles_[1])))
            throw UsageError("--percentile: expected LOW,HIGH with 0 <= LOW < HIGH <= 100, found " +
                             (percentiles_.size() != 2 ? counted(percentiles_.size(), "number")
                                                       : "LOW that is not below HIGH"));
        Problems problems;
        checkPositions(positions_, problems);
        if (!problems.empty()) throw UsageError(problems.front().text());
        checkPolarization(polarization_);
        page_.check(view_.size.has_value());
        spectra_.check();
    }

    void execute(Run& run) override {
        input_ = inputs_.front();
        output_ = outputs_.front();
        if (!percentiles_.empty()) range_.percentiles = {percentiles_[0], percentiles_[1]};
        checkOutput(output_, run.options().overwrite);
        page_.readPreset(view_.size.has_value());
        JobContext reading = run.job().part(0.0, 0.4);
        JobContext ranging = run.job().part(0.4, 0.5);
        JobContext drawing = run.job().part(0.5, 1.0);
        // Stated columns are those of a spectrum, even if the file does not name it.
        auto other = spectra_.columns.empty()
                         ? naming(input_, [&] { return drawnKind(run, input_, reading); })
                         : FileKind::Spectrum;
        // Stated columns of positions are those of a catalog.
        if (!positions_.lon.empty() && catalog_.empty()) other = FileKind::Catalog;
        if (other == FileKind::Spectrum || other == FileKind::Beam)
            return drawCurve(run, other, reading, drawing);
        if (other)
            spectra_.refuseIfGiven(*other == FileKind::Image ? "an image" : "a catalog", input_);
        FigureRequest request;
        if (catalog_.empty() && other != FileKind::Catalog) page_.refuseLegend(run);
        if (other) {
            refuseAxes(*other == FileKind::Image ? "an image" : "a catalog");
            naming(input_, [&] { composeOther(run, *other, request, reading); });
        } else {
            request.map = readMapField(run, reading);
            if (!request.map) return drawCurve(run, {}, reading, drawing);
            spectra_.refuseIfGiven("a map", input_);
            refuseAxes("a map");
            naming(input_, [&] { compose(run, request, ranging); });
        }
        if (polarization_.isWanted()) {
            naming(input_, [&] {
                request.polarization = polarizationOf(run, input_, polarization_, reading);
            });
            naming(polarization_.lengths,
                   [&] { addRodLengths(run, polarization_, *request.polarization, reading); });
        }
        FigureOverlays overlays;
        if (request.map)
            overlays = naming(input_, [&] {
                return overlaysOf(run, overlays_, page_.options().contours, *request.map,
                                  request.field, reading);
            });
        if (!catalog_.empty()) naming(catalog_, [&] { addMarkers(run, request, reading); });
        page_.addPanels(run, request, reading);
        const DrawingApplication application;
        naming(output_, [&] {
            page_.setHeight(request, view_.size.has_value());
            const std::string remark =
                writeFigure(request, overlays, QString::fromStdString(output_),
                            run.options().overwrite, drawing);
            if (!remark.empty()) run.note(output_ + ": " + remark);
        });
        run.result().set("output", output_);
        run.result().set("frame", frameJson(request.camera.frame));
        run.result().set("width", request.width);
        run.result().set("height", request.height);
        if (other != FileKind::Catalog) {
            run.result().set("min", static_cast<double>(request.scale.mapping.low));
            run.result().set("max", static_cast<double>(request.scale.mapping.high));
        }
        run.result().set("markers", request.places ? request.places->count : int64_t{0});
        run.print("wrote " + output_ + ": " + std::to_string(request.width) + " x " +
                  std::to_string(request.height) + " pixels, " +
                  std::string(frameName(request.camera.frame)));
    }

private:
    // Returns nullptr for a curve, which has no header to recognize it by.
    std::shared_ptr<const HealpixMap> readMapField(Run& run, JobContext& job) {
        try {
            return readField(run, job);
        } catch (const IoError&) {
            JobContext silent(job.stopToken(), {}, job.threads());
            if (naming(input_, [&] { return isCurve(run, input_, silent); })) return nullptr;
            throw;
        }
    }

    void refuseAxes(const char* found) const {
        if (const std::string axes = given_.among({"x-axis", "y-axis"}); !axes.empty())
            throw UsageError(axes + ": expected a curve, found " + found + " in " + input_);
    }

    void drawCurve(Run& run, std::optional<FileKind> kind, JobContext& reading,
                   JobContext& drawing) const {
        std::string others =
            given_.besides({"size", "dpi", "title", "label", "unit", "min", "max", "background",
                            "x-axis", "y-axis", "columns", "input-dl", "input-cl"});
        if (run.options().inputFrame)
            others += (others.empty() ? "" : ", ") + std::string("--input-frame");
        if (!others.empty())
            throw UsageError(others + ": expected a map, an image or a catalog, found a curve in " +
                             input_);
        CurveFigureRequest request = naming(input_, [&] {
            return curveFigure(readDrawnCurve(run, input_, kind, spectra_.reading(), reading),
                               run.options().field, curves_, label_, unit_);
        });
        const PixelSize size = view_.size.value_or(PixelSize{1200, 800});
        const FigureOptions& page = page_.options();
        if (page.look.background == FigureBackground::Transparent)
            throw UsageError("--background: expected light or dark for a curve, found transparent");
        request.page = {static_cast<int>(size.width), static_cast<int>(size.height), page.dpi,
                        QString::fromStdString(title_), recipeOf(run)};
        request.least = range_.least;
        request.most = range_.most;
        request.darkBackground = page.look.background == FigureBackground::Dark;
        const DrawingApplication application(makePlotApplication);
        naming(output_, [&] {
            writeCurveFigure(request, QString::fromStdString(output_), run.options().overwrite,
                             drawing);
        });
        const Curve& curve = *request.curves.front().curve;
        run.result().set("output", output_);
        run.result().set("width", request.page.width);
        run.result().set("height", request.page.height);
        run.result().set("points", curve.size());
        Json columns = Json::array();
        for (const CurveSeries& series : curve.series) columns.add(series.name);
        run.result().set("columns", std::move(columns));
        run.print("wrote " + output_ + ": " + std::to_string(request.page.width) + " x " +
                  std::to_string(request.page.height) + " pixels, " +
                  counted(static_cast<int64_t>(curve.series.size()), "column") + " of " +
                  counted(curve.size(), "point"));
    }

    static QString recipeOf(const Run& run) {
        QStringList recipe;
        for (const std::string& line : run.history()) recipe << QString::fromStdString(line);
        return recipe.join('\n');
    }

    std::shared_ptr<const HealpixMap> readField(Run& run, JobContext& job) {
        const PixelSize size = pageSize();
        if (auto part = mapInView(
                input_, run.reading(),
                [&](Frame frame) { return viewOf(view_, frame, size).overMap; },
                view_.frame.value_or(Frame::Unknown), availableMemory(), job)) {
            sample_ = part->sample;
            return part->map;
        }
        // A rotation to another frame needs Q and U.
        const bool turns = view_.frame.has_value();
        const InputSlot slot{
            .name = "MAP", .kind = DataKind::Map, .columns = [turns](const ParameterSet&) {
                return Columns{turns ? Columns::Choice::OneWithPartner : Columns::Choice::One, {}};
            }};
        ReadRequest request = run.reading();
        request.isBeside = !catalog_.empty() || !overlays_.mask.empty();
        const Input input = readInput(slot, ParameterSet(NoOptions{}), input_, request, job);
        return std::get<std::shared_ptr<const HealpixMap>>(input.data);
    }

    PixelSize pageSize() const { return page_.sizeOr(sizeOf(view_, {1500, 960}, {1100, 1200})); }

    void compose(Run& run, FigureRequest& request, JobContext& job) const {
        const PixelSize size = pageSize();
        request.width = static_cast<int>(size.width);
        request.height = static_cast<int>(size.height);
        const SkyView view = viewOf(view_, request.map->frame(), size);
        const DrawnField drawn = drawnField(request.map, 0, view.frame, job);
        request.map = drawn.map;
        request.field = drawn.field;
        request.radiansPerPixel = view_.resolution.value_or(0.0);
        const HealpixMap& colored = sample_ ? *sample_ : *request.map;
        request.scale = colorScaleFor(colored, request.field,
                                      openingColorsOf(colored, request.field, job), range_, job);
        describeFigure(run, request, view, drawn.name, request.map->field(drawn.field).unit);
    }

    // Composes a figure of an image or a catalog.
    void composeOther(Run& run, FileKind kind, FigureRequest& request, JobContext& job) {
        const std::string found = kind == FileKind::Image ? "an image" : "a catalog";
        page_.refuseContours(run, found);
        if (!overlays_.mask.empty() || overlays_.interpolation != PixelInterpolation::Nearest ||
            polarization_.isWanted())
            throw InvalidArgument(
                "expected a map for masks, interpolation and polarization, found " + found);
        const PixelSize size = page_.sizeOr(sizeOf(view_, {1500, 960}, {1100, 1200}));
        request.width = static_cast<int>(size.width);
        request.height = static_cast<int>(size.height);
        if (kind == FileKind::Catalog) {
            request.radiansPerPixel = view_.resolution.value_or(0.0);
            const auto catalog = readStated(run, input_, false, job);
            describeFigure(run, request, viewOf(view_, catalog->frame(), size), label_, unit_);
            return mark(run, request, catalog, job);
        }
        const DrawnImage image =
            readDrawnImage(input_, {run.options().field, run.options().inputFrame}, job);
        const ViewOptions options = viewOfImage(view_, *image.mesh, size);
        request.image = image.mesh;
        request.radiansPerPixel = options.resolution.value_or(0.0);
        request.scale = colorScaleFor(image.values, 0, openingColors(*image.mesh), range_, job);
        const Field& field = image.values.field(0);
        describeFigure(run, request, viewOf(options, image.mesh->frame(), size), field.name,
                       field.unit);
    }

    // Fills in the request, except the colors.
    void describeFigure(Run& run, FigureRequest& request, const SkyView& view,
                        const std::string& name, const std::string& unit) const {
        Camera& camera = request.camera;
        camera.projection = view.geometry.projection;
        camera.frame = view.frame;
        camera.orientation = view.geometry.skyFromView;
        camera.flip = view_.flip;
        page_.describeFigure(request);
        request.title = QString::fromStdString(title_);
        // A unit given by --unit is printed as typed.
        const QString typed = QString::fromStdString(unit_);
        request.unit =
            colorBarText(QString::fromStdString(label_.empty() ? name : label_),
                         typed.isEmpty() ? unitText(QString::fromStdString(unit)) : typed);
        request.recipe = recipeOf(run);
    }

    void addMarkers(Run& run, FigureRequest& request, JobContext& job) const {
        mark(run, request, readStated(run, catalog_, true, job), job);
    }

    std::shared_ptr<const Catalog> readStated(Run& run, const std::string& path, bool isBeside,
                                              JobContext& job) const {
        Columns columns = columnsOfPositions(positions_);
        // Beside --catalog, the names are those of its columns.
        columns.orUsualPlaces = !isBeside && !catalog_.empty();
        return readPlacedCatalog(path, columns,
                                 {{},
                                  run.options().inputFrame,
                                  isBeside,
                                  [&run](const std::string& line) { run.note(line); }},
                                 job);
    }

    void mark(Run& run, FigureRequest& request, const std::shared_ptr<const Catalog>& catalog,
              JobContext& job) const {
        const Frame frame = request.camera.frame;
        const auto note = [&](const std::string& line) { run.note(line); };
        if (!catalog_.empty())
            compareFrames({input_, frame}, {catalog_, catalog->frame()}, note);
        else if (catalog->frame() == Frame::Unknown)
            note(input_ + ": positions are assumed to be in the frame of the picture");
        request.places = markedPlaces(catalog, frame, job);
    }

    std::vector<std::string> inputs_, outputs_;
    std::string input_, output_, title_, label_, unit_, catalog_;
    std::shared_ptr<const HealpixMap> sample_;  // pixels of a map that exceeds the memory
    PositionNames positions_;
    ViewOptions view_;
    RenderPolarization polarization_;
    RenderOverlays overlays_;
    RenderCurves curves_;
    SpectrumOptions spectra_;
    GivenOptions given_;
    ColorRange range_;
    std::vector<double> percentiles_;
    RenderPage page_;
};

}  // namespace

Command* armillaMakeRender() {
    return std::make_unique<Render>().release();
}

}  // namespace armilla::cli
