// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla render MAP OUT`: the view as a figure, .png, .pdf or .svg.
#include <QGuiApplication>
#include <QHashFunctions>
#include <algorithm>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "cli/color_range.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/view_options.h"
#include "core/units.h"
#include "figure/figure.h"
#include "io/table_io.h"

namespace armilla::cli {

namespace {

// QtGui for drawing alone: no display, and neither plugins nor language from the environment, so
// that a figure depends on the command line only.
class DrawingApplication {
public:
    DrawingApplication() {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        qputenv("LC_ALL", "C.UTF-8");
        qunsetenv("QT_SCALE_FACTOR");
        // The order of objects in a PDF follows that of hashes.
        QHashSeed::setDeterministicGlobalSeed();
        // Qt's remarks on the environment are no concern of a figure; what fails throws.
        qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString&) {});
        application_ = std::make_unique<QGuiApplication>(count_, arguments_);
        // Qt takes the locale over; numbers in files have a decimal point everywhere.
        std::setlocale(LC_NUMERIC, "C");
    }

private:
    char name_[8] = "armilla";
    char* arguments_[2] = {name_, nullptr};
    int count_ = 1;
    std::unique_ptr<QGuiApplication> application_;
};

class Render : public Command {
public:
    std::string_view name() const override { return "render"; }
    std::string_view summary() const override { return "a view of a map as a figure"; }

    void addOptions(CLI::App& app) override {
        app.add_option("MAP", input_, "the map")->required();
        app.add_option("OUT", output_, "the figure: .png, .pdf or .svg")->required();
        addViewOptions(app, view_);
        app.add_option("--colormap", range_.colorMap, "planck, viridis, magma, ... (planck)")
            ->type_name("NAME");
        addChoice(app, "--scale", range_.scale,
                  {{"linear", Scale::Linear},
                   {"log", Scale::Log},
                   {"symlog", Scale::SymLog},
                   {"asinh", Scale::Asinh},
                   {"histogram", Scale::Histogram}},
                  "from value to color (linear)");
        addNumber(app, "--min", range_.least, "value at the lower end of the colors");
        addNumber(app, "--max", range_.most, "value at the upper end of the colors");
        app.add_option_function<std::string>(
               "--percentile", [this](const std::string& text) { readPercentiles(text); },
               "range of the colors by shares of the pixels (1,99)")
            ->type_name("LOW,HIGH");
        addAngle(app, "--graticule", graticule_, AngleRange::NotNegative,
                 "step of meridians and parallels (0deg: none)");
        app.add_option("--title", title_, "above the sky")->type_name("TEXT");
        app.add_option("--catalog", catalog_, "positions to mark")->type_name("FILE");
        addChoice(app, "--background", dark_, {{"light", false}, {"dark", true}},
                  "of the figure (light)");
        addNumber(app, "--dpi", dpi_, "pixels per inch: sizes the text (150)");
    }

    void check() const override {
        const std::string suffix = output_.size() < 4 ? "" : output_.substr(output_.size() - 4);
        if (suffix != ".png" && suffix != ".pdf" && suffix != ".svg")
            throw UsageError("OUT: expected a name in .png, .pdf or .svg, found '" + output_ + "'");
        const std::vector<std::string> names = colorMapNames();
        if (std::find(names.begin(), names.end(), range_.colorMap) == names.end()) {
            std::string all;
            for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
            throw UsageError("--colormap: expected one of " + all + ", found '" + range_.colorMap +
                             "'");
        }
        if (range_.least && range_.most && !(*range_.least < *range_.most))
            throw UsageError("--min and --max: expected min below max");
        if (range_.scale == Scale::Log && range_.least && !(*range_.least > 0.0))
            throw UsageError("--min: expected a number above 0 with --scale log");
        if (dpi_ && (*dpi_ < 10.0 || *dpi_ > 2400.0))
            throw UsageError("--dpi: expected 10 to 2400");
    }

    void execute(Run& run) override {
        checkOutput(output_, run.options().overwrite);
        JobContext reading = run.job().part(0.0, 0.4);
        JobContext ranging = run.job().part(0.4, 0.5);
        JobContext drawing = run.job().part(0.5, 1.0);
        FigureRequest request;
        request.map = std::make_shared<const HealpixMap>(readOneField(run, input_, reading));
        withFile(input_, [&] { compose(run, request, ranging); });
        if (!catalog_.empty()) withFile(catalog_, [&] { addMarkers(run, request, reading); });
        const DrawingApplication application;
        withFile(output_, [&] {
            writeFigure(request, QString::fromStdString(output_), run.options().overwrite, drawing);
        });
        const ColorMapping& mapping = request.scale.mapping;
        run.result().set("output", output_);
        run.result().set("frame", frameJson(request.camera.frame));
        run.result().set("width", request.width);
        run.result().set("height", request.height);
        run.result().set("min", static_cast<double>(mapping.low));
        run.result().set("max", static_cast<double>(mapping.high));
        run.result().set("markers", static_cast<int64_t>(request.markers.size()));
        run.print("wrote " + output_ + ": " + std::to_string(request.width) + " x " +
                  std::to_string(request.height) + " pixels, " +
                  std::string(frameName(request.camera.frame)));
    }

private:
    void readPercentiles(const std::string& text) {
        const std::vector<std::string> parts = splitAtCommas(text);
        if (parts.size() != 2) badValue("--percentile", "LOW,HIGH", text);
        range_.lowPercentile = parseNumber("--percentile", parts[0]);
        range_.highPercentile = parseNumber("--percentile", parts[1]);
        if (range_.lowPercentile < 0.0 || range_.highPercentile > 100.0 ||
            !(range_.lowPercentile < range_.highPercentile))
            badValue("--percentile", "LOW,HIGH with 0 <= LOW < HIGH <= 100", text);
    }

    void compose(Run& run, FigureRequest& request, JobContext& job) const {
        const bool wide =
            view_.projection == Projection::Mollweide || view_.projection == Projection::Cartesian;
        request.width = view_.width.value_or(wide ? 1500 : 1100);
        request.height = view_.height.value_or(wide ? 960 : 1200);
        const SkyView view =
            viewOf(run, view_, request.map->frame(), request.width, request.height);
        Camera& camera = request.camera;
        camera.projection = view_.projection;
        camera.frame = view.frame;
        camera.orientation = view.geometry.skyFromView;
        camera.flip = view_.flip;
        request.radiansPerPixel = view_.resolution.value_or(0.0);
        request.scale = colorScaleFor(*request.map, 0, range_, job);
        request.dpi = dpi_.value_or(150.0);
        request.graticuleStep = graticule_.value_or(0.0);
        request.title = QString::fromStdString(title_);
        request.unit = colorBarText(request.map->field(0));
        request.darkBackground = dark_;
        QStringList recipe;
        for (const std::string& line : run.history()) recipe << QString::fromStdString(line);
        request.recipe = recipe.join('\n');
    }

    void addMarkers(Run& run, FigureRequest& request, JobContext& job) const {
        const Catalog catalog = readCatalog(catalog_, job);
        const Frame frame = request.camera.frame;
        Mat3 turn;
        if (catalog.frame() == Frame::Unknown || frame == Frame::Unknown)
            run.note(catalog_ + ": positions taken in the frame of the picture");
        else
            turn = frameRotation(frame, catalog.frame());
        for (int64_t row = 0; row < catalog.rows(); ++row) {
            const LonLat position = catalog.at(row);
            if (std::isfinite(position.lon) && std::isfinite(position.lat))
                request.markers.push_back({lonLat(turn * direction(position)), QString()});
        }
    }

    std::string input_, output_, title_, catalog_;
    ViewOptions view_;
    ColorRange range_;
    std::optional<double> graticule_, dpi_;
    bool dark_ = false;
};

}  // namespace

std::unique_ptr<Command> makeRender() {
    return std::make_unique<Render>();
}

}  // namespace armilla::cli
