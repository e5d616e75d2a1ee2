// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla project MAP OUT.fits`: the view as a FITS image with world coordinates.
#include <cmath>

#include "cli/command.h"
#include "cli/files.h"
#include "cli/view_options.h"
#include "core/units.h"
#include "io/image_io.h"
#include "render/image_renderer.h"

namespace armilla::cli {

namespace {

std::string_view projectionName(Projection projection) {
    switch (projection) {
        case Projection::Mollweide: return "mollweide";
        case Projection::Gnomonic: return "gnomonic";
        case Projection::Orthographic: return "orthographic";
        case Projection::Cartesian: return "cartesian";
        case Projection::Lambert: return "lambert";
    }
    return "";
}

class Project : public Command {
public:
    std::string_view name() const override { return "project"; }
    std::string_view summary() const override { return "a view of a map as a FITS image with WCS"; }

    void addOptions(CLI::App& app) override {
        app.add_option("MAP", input_, "the map")->required();
        app.add_option("OUT", output_, "the image, .fits")->required();
        addViewOptions(app, view_);
        addChoice(
            app, "--interpolation", interpolation_,
            {{"nearest", PixelInterpolation::Nearest}, {"bilinear", PixelInterpolation::Bilinear}},
            "between pixels of the map (nearest)");
    }

    void execute(Run& run) override {
        checkOutput(output_, run.options().overwrite);
        JobContext reading = run.job().part(0.0, 0.4);
        JobContext working = run.job().part(0.4, 0.9);
        JobContext writing = run.job().part(0.9, 1.0);
        const HealpixMap map = readOneField(run, input_, reading);
        const bool wide =
            view_.projection == Projection::Mollweide || view_.projection == Projection::Cartesian;
        const SkyView view = withFile(input_, [&] {
            return viewOf(run, view_, map.frame(), view_.width.value_or(wide ? 1600 : 1000),
                          view_.height.value_or(wide ? 800 : 1000));
        });
        if (view.frame == Frame::Unknown)
            throw InvalidArgument(input_ +
                                  ": expected a map that names its frame (COORDSYS G, E or C), "
                                  "found none (--frame tells it)");
        SkyImage image;
        image.view = view.geometry;
        image.frame = view.frame;
        image.unit = map.field(0).unit;
        image.name = map.field(0).name;
        withFile(input_, [&] {
            image.values = renderValues(map, 0, view.overMap, interpolation_, working);
        });
        withFile(output_, [&] {
            FileWriteOptions options = harmonicOptions(run);
            options.precision = run.options().precision.value_or(
                map.field(0).isSingle() ? StoredPrecision::Single : StoredPrecision::Double);
            writeSkyImage(image, output_, options, writing);
        });
        report(run, image);
    }

private:
    void report(Run& run, const SkyImage& image) const {
        int64_t filled = 0;
        for (const double value : image.values) filled += std::isnan(value) ? 0 : 1;
        const ViewGeometry& view = image.view;
        Json& json = run.result();
        json.set("output", output_);
        json.set("projection", projectionName(view.projection));
        json.set("frame", frameJson(image.frame));
        json.set("width", view.width);
        json.set("height", view.height);
        json.set("resolution_deg", view.radiansPerPixel / kDegree);
        json.set("filled", filled);
        run.print("wrote " + output_ + ": " + std::to_string(view.width) + " x " +
                  std::to_string(view.height) + " pixels of " + formatAngle(view.radiansPerPixel) +
                  ", " + std::string(projectionName(view.projection)) + ", " +
                  std::string(frameName(image.frame)));
    }

    std::string input_, output_;
    ViewOptions view_;
    PixelInterpolation interpolation_ = PixelInterpolation::Nearest;
};

}  // namespace

std::unique_ptr<Command> makeProject() {
    return std::make_unique<Project>();
}

}  // namespace armilla::cli
