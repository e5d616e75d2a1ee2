// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla anafast MAP [MAP2] CL`: auto or cross power spectra.
#include "cli/command.h"
#include "cli/files.h"
#include "cli/transform_options.h"
#include "ops/sht.h"
#include "ops/spectrum.h"

namespace armilla::cli {

namespace {

std::string productUnit(const std::string& a, const std::string& b) {
    if (a.empty() || b.empty()) return "";
    return a == b ? "(" + a + ")^2" : a + " " + b;
}

class Anafast : public Command {
public:
    std::string_view name() const override { return "anafast"; }
    std::string_view summary() const override {
        return "power spectrum of a map, or cross spectrum of two";
    }
    DeviceSupport devices() const override { return kShtSupport; }

    void addOptions(CLI::App& app) override {
        app.add_option("FILES", files_, "MAP [MAP2] CL: one or two maps, and the spectrum to write")
            ->required()
            ->expected(-1);  // the help would say "2x" of a range
        addTransformOptions(app, transform_);
    }
    void check() const override {
        if (files_.size() < 2 || files_.size() > 3)
            throw UsageError("expected MAP CL or MAP MAP2 CL, found " +
                             std::to_string(files_.size()) + " files");
        checkTransformOptions(transform_);
    }

    void execute(Run& run) override {
        const std::string& output = files_.back();
        checkOutput(output, run.options().overwrite);
        run.reportDevice();
        const bool cross = files_.size() == 3;
        JobContext first = run.job().part(0.0, cross ? 0.5 : 0.95);
        JobContext second = run.job().part(0.5, 0.95);
        JobContext summing = run.job().part(0.95, 1.0);
        const Analysis a = analyze(run, files_[0], transform_, first);
        Spectra spectra;
        if (cross) {
            const Analysis b = analyze(run, files_[1], transform_, second);
            if (a.parameters.lmax != b.parameters.lmax || a.parameters.mmax != b.parameters.mmax)
                throw InvalidArgument(files_[1] + ": expected the lmax of the first map, " +
                                      std::to_string(a.parameters.lmax) + ", found " +
                                      std::to_string(b.parameters.lmax) + " (--lmax sets both)");
            if (a.frame != b.frame)
                run.note("the maps are in different frames: " + std::string(frameName(a.frame)) +
                         " and " + std::string(frameName(b.frame)));
            spectra = powerSpectra(a.alm, b.alm, summing);
            spectra.unit = productUnit(a.unit, b.unit);
        } else {
            spectra = powerSpectra(a.alm, summing);
            spectra.unit = productUnit(a.unit, a.unit);
        }
        withFile(output, [&] { writeSpectra(spectra, output, harmonicOptions(run)); });
        run.result().set("output", output);
        run.result().set("polarization", transform_.polarization);
        setParameters(run.result(), a);
        run.print("wrote " + output + ": " + (cross ? "cross" : "auto") + " spectrum, lmax " +
                  std::to_string(a.parameters.lmax));
    }

private:
    std::vector<std::string> files_;
    TransformOptions transform_;
};

}  // namespace

std::unique_ptr<Command> makeAnafast() {
    return std::make_unique<Anafast>();
}

}  // namespace armilla::cli
