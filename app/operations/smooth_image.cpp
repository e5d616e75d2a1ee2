// SPDX-License-Identifier: GPL-3.0-or-later
#include "smooth_image.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/operations/usage_error.h"
#include "armilla/ops/smooth_rows.h"
#include "ring_samples.h"
#include "smooth_beam.h"
#include "stokes.h"
#include "transform_parameters.h"

namespace armilla {

namespace {

// Rows of complete rings; bad values beyond the columns of the image.
template <typename Sample>
std::vector<double> valuesFromNorth(const std::vector<Sample>& values, const RingImage& grid,
                                    int64_t plane, JobContext& job) {
    const int64_t width = grid.width, columns = grid.rows.columns, height = grid.rows.count;
    std::vector<double> rows =
        newVector<double>(columns * height, job, width == columns ? 0.0 : kNan);
    for (int64_t r = 0; r < height; ++r) {
        const int64_t row = grid.rowFromNorth(r);
        std::copy_n(values.begin() + (plane * height + row) * width, width,
                    rows.begin() + r * columns);
    }
    return rows;
}

template <typename Sample>
void placeFromNorth(const std::vector<double>& rows, double factor, const RingImage& grid,
                    int64_t plane, std::vector<Sample>& values) {
    const int64_t width = grid.width, columns = grid.rows.columns, height = grid.rows.count;
    for (int64_t r = 0; r < height; ++r) {
        const int64_t row = grid.rowFromNorth(r);
        std::transform(rows.begin() + r * columns, rows.begin() + r * columns + width,
                       values.begin() + (plane * height + row) * width,
                       [factor](double value) { return static_cast<Sample>(factor * value); });
    }
}

void takePrecision(const Context& context, Image& image) {
    if (const auto* single = std::get_if<std::vector<float>>(&image.values);
        single != nullptr && context.precision == StoredPrecision::Double)
        image.values = std::vector<double>(single->begin(), single->end());
    else if (const auto* full = std::get_if<std::vector<double>>(&image.values);
             full != nullptr && context.precision == StoredPrecision::Single)
        image.values = std::vector<float>(full->begin(), full->end());
}

// Factors for the planes, whose values may be per beam. The header cards receive the new beam if
// all planes have the same.
std::vector<double> takeBeams(const Context& context, const std::string& name,
                              const SmoothOptions& options, const SmoothParameters& parameters,
                              const Inputs& inputs, Image& image) {
    std::vector<double> factors;
    std::optional<BeamEllipse> first;
    bool isOneBeam = true;
    for (size_t p = 0; p < image.planes.size(); ++p) {
        const BeamChange change =
            beamAfterSmoothing(image.cards, {image.unit}, kernelEllipse(options),
                               smoothParametersOf(parameters, options, inputs, p), context.job);
        const bool isOther = p > 0 && change.to && first &&
                             (change.to->major != first->major || change.to->minor != first->minor);
        if (p == 0 || isOther) noteBeam(context, name, {image.unit}, change);
        if (p == 0) first = change.to;
        isOneBeam = isOneBeam && !isOther;
        factors.push_back(change.factors.front());
    }
    setBeamCards(image.cards, isOneBeam ? first : std::nullopt);
    return factors;
}

// Smooths an image plane by plane, and I, Q and U together with polarization.
class ImageSmoothing {
public:
    ImageSmoothing(Context& context, const Input& input, const SmoothOptions& options,
                   const SmoothParameters& parameters, const Inputs& inputs)
        : context_(context),
          options_(options),
          parameters_(parameters),
          inputs_(inputs),
          image_(input.image()),
          grid_(partOfRings(image_)),
          smoothed_(std::make_shared<Image>(image_)),
          silent_(context.job.stopToken(), {}, context.job.threads()) {
        noteSteps(context, input.name, grid_);
        if (!grid_.hasWholeRings() && context.note)
            context.note(input.name + ": pixels beyond its " + std::to_string(grid_.width) +
                         " of " + std::to_string(grid_.rows.columns) +
                         " columns of a ring count as bad");
        if (options.polarization) {
            stokes_ = chosenPlanes(context, input, true, 0).planes;
            context.note(std::string(conventionOfU(statesIau(image_.cards))));
        } else {
            for (const ImagePlane& plane : image_.planes)
                noteScalarPlane(context, plane, kTogether);
        }
        beams_ = requireBeams(options, inputs, options.polarization ? 1 : image_.planes.size());
        takePrecision(context, *smoothed_);
        factors_ = takeBeams(context, input.name, options, parameters, inputs, *smoothed_);
    }

    std::shared_ptr<const Image> run() {
        const auto planes = static_cast<double>(image_.planes.size());
        double done = 0.0;
        const auto partOf = [&](double count) {
            const double begin = done;
            done += count;
            return context_.job.part(begin / planes, done / planes);
        };
        if (!stokes_.empty()) {
            JobContext part = partOf(3.0);
            smoothStokes(part);
        }
        for (size_t p = 0; p < image_.planes.size(); ++p) {
            if (std::find(stokes_.begin(), stokes_.end(), static_cast<int>(p)) != stokes_.end())
                continue;
            JobContext part = partOf(1.0);
            planPlane(p);
            place(plan_->execute(rowsOf(p, part), part), 1.0, p);
        }
        return smoothed_;
    }
    const SmoothReport& report() const { return report_; }
    const RingImage& grid() const { return grid_; }

private:
    void planPlane(size_t plane) {
        if (options_.fwhmMinor && !plan_) {
            EllipticalBeam beam = ellipseOf(options_);
            // The angle follows the direction of the samples in a row.
            if (!grid_.runsEast) beam.angle = -beam.angle;
            plan_.emplace(grid_.rows, beam, parameters_, context_.device, silent_);
        } else if (!plan_ || beams_ > 1) {
            SmoothParameters own = smoothParametersOf(parameters_, options_, inputs_, plane);
            own.polarization = false;
            plan_.emplace(grid_.rows, own, context_.device, silent_);
        }
        takeReport(plan_->report());
    }
    // The report is that of the plane with the largest error.
    void takeReport(const SmoothReport& report) {
        if (!hasReport_ || report.estimatedError > report_.estimatedError) report_ = report;
        hasReport_ = true;
    }
    void smoothStokes(JobContext& job) {
        RowSmoothPlan plan(grid_.rows, parameters_, context_.device, silent_);
        takeReport(plan.report());
        // The plan takes U in COSMO convention, for longitudes that increase along rows.
        const double sign = (statesIau(image_.cards) ? -1.0 : 1.0) * (grid_.runsEast ? 1.0 : -1.0);
        std::array<std::vector<double>, 3> rows;
        for (size_t i = 0; i < 3; ++i) rows[i] = rowsOf(static_cast<size_t>(stokes_[i]), job);
        for (double& value : rows[2]) value *= sign;
        const auto made =
            plan.executePolarized(std::move(rows[0]), std::move(rows[1]), std::move(rows[2]), job);
        for (size_t i = 0; i < 3; ++i)
            place(made[i], i == 2 ? sign : 1.0, static_cast<size_t>(stokes_[i]));
    }
    std::vector<double> rowsOf(size_t plane, JobContext& job) const {
        return std::visit(
            [&](const auto& values) {
                return valuesFromNorth(values, grid_, static_cast<int64_t>(plane), job);
            },
            image_.values);
    }
    void place(const std::vector<double>& rows, double sign, size_t plane) {
        std::visit(
            [&](auto& values) {
                placeFromNorth(rows, sign * factors_[plane], grid_, static_cast<int64_t>(plane),
                               values);
            },
            smoothed_->values);
    }

    Context& context_;
    const SmoothOptions& options_;
    const SmoothParameters& parameters_;
    const Inputs& inputs_;
    const Image& image_;
    RingImage grid_;
    std::shared_ptr<Image> smoothed_;
    JobContext silent_;
    size_t beams_ = 1;
    std::vector<double> factors_;
    std::vector<int> stokes_;  // planes I, Q and U with polarization
    std::optional<RowSmoothPlan> plan_;
    SmoothReport report_;
    bool hasReport_ = false;
};

}  // namespace

Outputs smoothImage(Context& context, const Input& input, const SmoothOptions& options,
                    const SmoothParameters& parameters, const Inputs& inputs) {
    const Image& image = input.image();
    if (!input.field.empty())
        throw UsageError(input.name +
                         ": expected a map beside --field, found an image, whose planes are all "
                         "taken");
    return naming(input.name, [&]() -> Outputs {
        ImageSmoothing smoothing(context, input, options, parameters, inputs);
        std::shared_ptr<const Image> smoothed = smoothing.run();
        const RingImage& grid = smoothing.grid();
        context.figures.set("rows", grid.rows.count);
        context.figures.set("columns", grid.rows.columns);
        context.figures.set("planes", static_cast<int64_t>(image.planes.size()));
        const std::string summary =
            std::to_string(image.width) + " x " + std::to_string(image.height) +
            (grid.hasWholeRings() ? " pixels in whole rings" : " pixels in parts of rings") +
            sayMethod(context, parameters, options, smoothing.report());
        return {{"OUT", std::move(smoothed), summary}};
    });
}

}  // namespace armilla
