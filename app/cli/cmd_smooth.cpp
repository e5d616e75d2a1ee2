// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla smooth MAP OUT`: convolution with a radial kernel.
#include <array>
#include <cstdio>
#include <memory>

#include "cli/command.h"
#include "cli/files.h"
#include "cli/transform_options.h"
#include "ops/convolve.h"
#include "ops/resample.h"
#include "ops/sht.h"

namespace armilla::cli {

namespace {

std::string_view methodName(SmoothMethod method) {
    switch (method) {
        case SmoothMethod::Auto: return "auto";
        case SmoothMethod::Harmonic: return "harmonic";
        case SmoothMethod::Ring: return "ring";
        case SmoothMethod::Direct: return "direct";
    }
    return "";
}

class Smooth : public Command {
public:
    std::string_view name() const override { return "smooth"; }
    std::string_view summary() const override {
        return "convolution of a map with a beam or radial kernel";
    }
    DeviceSupport devices() const override { return kShtSupport; }

    void addOptions(CLI::App& app) override {
        app.add_option("MAP", input_, "the map")->required();
        app.add_option("OUT", output_, "the smoothed map: the smoothed fields only")->required();
        addAngle(app, "--fwhm", fwhm_, AngleRange::NotNegative, "width of a Gaussian beam");
        app.add_option("--beam", beamFile_, "B_l of T [E [B]], FITS or text")->type_name("FILE");
        app.add_option("--kernel", kernelFile_, "radial profile: angle, value")->type_name("FILE");
        addChoice(app, "--method", parameters_.method,
                  {{"auto", SmoothMethod::Auto},
                   {"harmonic", SmoothMethod::Harmonic},
                   {"ring", SmoothMethod::Ring},
                   {"direct", SmoothMethod::Direct}},
                  "of the convolution (auto)");
        addLmax(app, lmax_, "largest l (3 nside - 1)");
        addIterations(app, iterations_);
        addWeights(app, parameters_.weights, "ring");
        addAngle(app, "--truncate", truncate_, AngleRange::Positive,
                 "radius where the kernel ends, for --method ring or direct");
        addChoice(app, "--masked", parameters_.masked,
                  {{"ignore", Masked::Ignore}, {"normalize", Masked::Normalize}},
                  "bad pixels count as zero, or the rest is weighted up (normalize)");
        app.add_flag("--polarization", parameters_.polarization,
                     "T, Q, U together, through T, E, B");
    }

    void check() const override {
        const int kernels =
            (fwhm_ ? 1 : 0) + (beamFile_.empty() ? 0 : 1) + (kernelFile_.empty() ? 0 : 1);
        if (kernels != 1)
            throw UsageError("expected one of --fwhm ANGLE, --beam FILE, --kernel FILE, found " +
                             std::string(kernels == 0 ? "none" : "several"));
        if (truncate_ && parameters_.method != SmoothMethod::Ring &&
            parameters_.method != SmoothMethod::Direct)
            throw UsageError("--truncate: expected --method ring or direct beside it, found " +
                             std::string(methodName(parameters_.method)));
    }

    void execute(Run& run) override {
        checkOutput(output_, run.options().overwrite);
        run.reportDevice();
        JobContext reading = run.job().part(0.0, 0.1);
        JobContext working = run.job().part(0.1, 0.9);
        JobContext writing = run.job().part(0.9, 1.0);
        readKernel();
        parameters_.lmax = static_cast<int>(lmax_.value_or(-1));
        parameters_.iterations = static_cast<int>(iterations_.value_or(0));
        HealpixMap input = parameters_.polarization ? readPolarization(run, input_, reading)
                                                    : readOneField(run, input_, reading);
        if (input.coverage() == Coverage::MultiOrder) {
            input = withFile(input_, [&] { return flattened(input, 0, reading); });
            run.note(input_ + ": cells of several orders, smoothed at nside " +
                     std::to_string(input.nside()));
        }
        if (run.options().precision == StoredPrecision::Double)
            for (int i = 0; i < input.fieldCount(); ++i) widen(input.field(i));
        std::vector<int> fields{0};
        if (parameters_.polarization) fields = {0, 1, 2};
        const int64_t nside = input.nside();
        SmoothPlan plan(std::make_shared<const HealpixMap>(std::move(input)), fields, run.device());
        const HealpixMap smoothed =
            withFile(input_, [&] { return plan.execute(parameters_, working); });
        if (plan.report().method == SmoothMethod::Harmonic)
            noteWeights(run, parameters_.weights, nside);
        withFile(output_, [&] {
            writeMap(smoothed, output_, mapOptions(run, StoredPrecision::AsRead), writing);
        });
        report(run, plan.report(), smoothed);
    }

private:
    void readKernel() {
        if (fwhm_) parameters_.fwhm = *fwhm_;
        if (!beamFile_.empty())
            parameters_.beam = withFile(beamFile_, [&] { return readBeam(beamFile_); });
        if (!kernelFile_.empty())
            parameters_.kernel =
                withFile(kernelFile_, [&] { return readRadialKernel(kernelFile_); });
    }

    void report(Run& run, const SmoothReport& report, const HealpixMap& map) const {
        Json& json = run.result();
        json.set("output", output_);
        json.set("method", methodName(report.method));
        json.set("nside", map.nside());
        json.set("lmax", report.lmax);
        json.set("iterations", parameters_.iterations);
        if (report.method == SmoothMethod::Harmonic)
            run.note(describeWay(parameters_.weights, parameters_.iterations));
        json.set("estimated_error", report.estimatedError);
        json.set("polarization", parameters_.polarization);
        std::array<char, 32> error{};
        std::snprintf(error.data(), error.size(), "%.1e", report.estimatedError);
        run.print("wrote " + output_ + ": " + describe(map) + "; method " +
                  std::string(methodName(report.method)) + ", lmax " + std::to_string(report.lmax) +
                  ", estimated error " + error.data() + " of the map's rms");
    }

    std::string input_, output_, beamFile_, kernelFile_;
    std::optional<double> fwhm_, truncate_;
    std::optional<int64_t> lmax_, iterations_;
    SmoothParameters parameters_;
};

}  // namespace

std::unique_ptr<Command> makeSmooth() {
    return std::make_unique<Smooth>();
}

}  // namespace armilla::cli
