// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla synfast CL MAP`: one random sky of a power spectrum.
#include <algorithm>
#include <limits>

#include "cli/command.h"
#include "cli/files.h"
#include "cli/synthesis.h"
#include "cli/transform_options.h"
#include "ops/sht.h"
#include "ops/spectrum.h"

namespace armilla::cli {

namespace {

// "K" of "K^2", "(uK)^2" or "uK**2"; empty if the unit is no square.
std::string rootUnit(std::string unit) {
    bool square = false;
    for (const std::string_view power : {"^2", "**2", "2"})
        if (!square && unit.size() > power.size() && unit.ends_with(power)) {
            unit.resize(unit.size() - power.size());
            square = true;
        }
    if (!square) return "";
    if (unit.size() > 2 && unit.front() == '(' && unit.back() == ')')
        unit = unit.substr(1, unit.size() - 2);
    return unit;
}

class Synfast : public Command {
public:
    std::string_view name() const override { return "synfast"; }
    std::string_view summary() const override { return "one random sky of a power spectrum"; }
    DeviceSupport devices() const override { return kShtSupport; }

    void addOptions(CLI::App& app) override {
        app.add_option("CL", input_, "the spectrum: TT, or TT EE BB TE [TB EB]")->required();
        app.add_option("MAP", output_, "the map")->required();
        // RING order takes any.
        addInteger(app, "--nside", nside_, 1, kMaxShtNside, "resolution of the map")->required();
        addLmax(app, lmax_, "largest l (3 nside - 1, at most that of the spectrum)");
        addInteger(app, "--seed", seed_, 0, std::numeric_limits<int64_t>::max(),
                   "of the random numbers (1)");
        addAngle(app, "--fwhm", fwhm_, AngleRange::NotNegative, "width of a Gaussian beam (0)");
        addFrame(app, "--frame", frame_, "named in the output (none)");
    }

    void execute(Run& run) override {
        checkOutput(output_, run.options().overwrite);
        run.reportDevice();
        JobContext drawing = run.job().part(0.0, 0.3);
        JobContext working = run.job().part(0.3, 0.85);
        JobContext writing = run.job().part(0.85, 1.0);
        const Spectra spectra = withFile(input_, [&] { return readSpectra(input_); });
        const int64_t most = std::min<int64_t>(3 * *nside_ - 1, spectra.lmax());
        const int lmax = static_cast<int>(lmax_.value_or(most));
        if (lmax > spectra.lmax())
            run.note(input_ + ": a spectrum to l = " + std::to_string(spectra.lmax()) +
                     ", no power beyond that");
        std::vector<Alm> alm = withFile(input_, [&] {
            return randomAlm(spectra, lmax, static_cast<uint64_t>(seed_.value_or(1)), drawing);
        });
        if (fwhm_.value_or(0.0) > 0.0) applyBeam(alm, gaussianBeam(*fwhm_, lmax), drawing);
        SynthesisRequest request;
        request.nside = *nside_;
        request.frame = frame_.value_or(Frame::Unknown);
        request.unit = rootUnit(spectra.unit);
        const HealpixMap map = synthesize(run, alm, request, working);
        withFile(output_, [&] {
            writeMap(map, output_, mapOptions(run, StoredPrecision::Double), writing);
        });
        run.result().set("output", output_);
        run.result().set("nside", map.nside());
        run.result().set("lmax", lmax);
        run.result().set("seed", seed_.value_or(1));
        run.result().set("polarization", alm.size() == 3);
        run.print("wrote " + output_ + ": " + describe(map) + ", lmax " + std::to_string(lmax) +
                  ", seed " + std::to_string(seed_.value_or(1)));
    }

private:
    std::string input_, output_;
    std::optional<int64_t> nside_, lmax_, seed_;
    std::optional<double> fwhm_;
    std::optional<Frame> frame_;
};

}  // namespace

std::unique_ptr<Command> makeSynfast() {
    return std::make_unique<Synfast>();
}

}  // namespace armilla::cli
