// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla map2alm MAP ALM`: spherical harmonic analysis.
#include "cli/command.h"
#include "cli/files.h"
#include "cli/transform_options.h"
#include "ops/sht.h"

namespace armilla::cli {

namespace {

class Map2Alm : public Command {
public:
    std::string_view name() const override { return "map2alm"; }
    std::string_view summary() const override { return "harmonic coefficients of a map"; }
    DeviceSupport devices() const override { return kShtSupport; }

    void addOptions(CLI::App& app) override {
        app.add_option("MAP", input_, "the map; bad pixels count as zero")->required();
        app.add_option("ALM", output_, "the coefficients")->required();
        addTransformOptions(app, transform_);
    }
    void check() const override { checkTransformOptions(transform_); }

    void execute(Run& run) override {
        checkOutput(output_, run.options().overwrite);
        run.reportDevice();
        JobContext working = run.job().part(0.0, 0.9);
        JobContext writing = run.job().part(0.9, 1.0);
        const Analysis analysis = analyze(run, input_, transform_, working);
        withFile(output_, [&] {
            writeAlm(analysis.alm, output_, harmonicOptions(run), writing,
                     {analysis.frame, analysis.unit});
        });
        run.result().set("output", output_);
        run.result().set("polarization", transform_.polarization);
        setParameters(run.result(), analysis);
        run.print("wrote " + output_ + ": " + (transform_.polarization ? "T, E, B" : "one set") +
                  ", lmax " + std::to_string(analysis.parameters.lmax) + ", mmax " +
                  std::to_string(analysis.parameters.mmax));
    }

private:
    std::string input_, output_;
    TransformOptions transform_;
};

}  // namespace

std::unique_ptr<Command> makeMap2Alm() {
    return std::make_unique<Map2Alm>();
}

}  // namespace armilla::cli
