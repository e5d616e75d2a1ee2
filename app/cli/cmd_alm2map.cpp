// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla alm2map ALM MAP`: spherical harmonic synthesis.
#include <algorithm>

#include "cli/command.h"
#include "cli/files.h"
#include "cli/synthesis.h"
#include "ops/sht.h"
#include "ops/spectrum.h"

namespace armilla::cli {

namespace {

class Alm2Map : public Command {
public:
    std::string_view name() const override { return "alm2map"; }
    std::string_view summary() const override { return "the map of harmonic coefficients"; }
    DeviceSupport devices() const override { return kShtSupport; }

    void addOptions(CLI::App& app) override {
        app.add_option("ALM", input_, "the coefficients: T, or T, E, B")->required();
        app.add_option("MAP", output_, "the map")->required();
        // RING order takes any.
        addInteger(app, "--nside", nside_, 1, kMaxShtNside, "resolution of the map")->required();
        addAngle(app, "--fwhm", fwhm_, AngleRange::NotNegative, "width of a Gaussian beam (0)");
        app.add_flag("--pixel-window", pixelWindow_, "multiply by the pixel window of --nside");
        app.add_flag("--derivatives", derivatives_,
                     "of one set of coefficients (T, or --field): columns TEMPERATURE, DX_T "
                     "(d/dtheta), DY_T (1/sin(theta) d/dphi), per radian");
        addFrame(app, "--frame", frame_, "named in the output (that of the input)");
    }

    void execute(Run& run) override {
        checkOutput(output_, run.options().overwrite);
        run.reportDevice();
        JobContext reading = run.job().part(0.0, 0.1);
        JobContext working = run.job().part(0.1, 0.85);
        JobContext writing = run.job().part(0.85, 1.0);
        SynthesisRequest request;
        request.nside = *nside_;
        request.derivatives = derivatives_;
        std::vector<Alm> alm = withFile(input_, [&] { return read(run, request, reading); });
        const int lmax = alm.front().lmax();
        if (fwhm_.value_or(0.0) > 0.0) applyBeam(alm, gaussianBeam(*fwhm_, lmax), reading);
        if (pixelWindow_) applyBeam(alm, pixelWindow(*nside_, lmax, reading), reading);
        const HealpixMap map =
            withFile(input_, [&] { return synthesize(run, alm, request, working); });
        withFile(output_, [&] {
            writeMap(map, output_, mapOptions(run, StoredPrecision::Double), writing);
        });
        run.result().set("output", output_);
        run.result().set("nside", map.nside());
        run.result().set("lmax", alm.front().lmax());
        run.result().set("mmax", alm.front().mmax());
        run.print("wrote " + output_ + ": " + describe(map));
    }

private:
    std::vector<Alm> read(Run& run, SynthesisRequest& request, JobContext& job) const {
        std::vector<Alm> alm = readAlm(input_, job);
        const FileSummary summary = inspectFile(input_, job.stopToken());
        request.frame = frame_.value_or(summary.frame);
        for (const ColumnInfo& column : summary.columns)
            if (request.unit.empty()) request.unit = column.unit;
        const std::string& field = run.options().field;
        if (!field.empty() || derivatives_) alm = {std::move(alm[fieldIndex(field, alm.size())])};
        if (alm.size() != 1 && alm.size() != 3)
            throw IoError("expected one set of coefficients or three (T, E, B), found " +
                          std::to_string(alm.size()) + " (--field picks one)");
        return alm;
    }

    static size_t fieldIndex(const std::string& field, size_t count) {
        constexpr std::array<const char*, 3> kNames{"T", "E", "B"};
        if (field.empty()) return 0;
        for (size_t i = 0; i < std::min(count, kNames.size()); ++i)
            if (field == kNames[i] || field == std::to_string(i + 1)) return i;
        throw InvalidArgument("expected --field 1 to " + std::to_string(count) +
                              " (T, E, B), found '" + field + "'");
    }

    std::string input_, output_;
    std::optional<int64_t> nside_;
    std::optional<double> fwhm_;
    std::optional<Frame> frame_;
    bool pixelWindow_ = false, derivatives_ = false;
};

}  // namespace

std::unique_ptr<Command> makeAlm2Map() {
    return std::make_unique<Alm2Map>();
}

}  // namespace armilla::cli
