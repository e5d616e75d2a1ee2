// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/bench_spectra.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/units.h"
#include "armilla/io/map_io.h"
#include "armilla/operations/files.h"
#include "armilla/operations/kept_spectra.h"

namespace armilla::cli {

namespace {

using Options = std::vector<std::pair<std::string, std::string>>;
using MapPointer = std::shared_ptr<const HealpixMap>;

constexpr double kLatitude = 20.0 * kDegree;

Context silentContext(BenchHost& host, JobContext& job) {
    return {host.device, job, {}, {}, [](const std::string& /*line*/) {}};
}

ParameterSet parametersWith(const Operation& operation, const Options& options) {
    ParameterSet parameters = operation.defaults();
    for (const auto& [name, text] : options) parameters.set(name, text);
    return parameters;
}

MapPointer polarizedSky(int64_t nside) {
    const HealpixMap noise = randomSky(nside);
    std::vector<Field> fields;
    for (const char* name : {"TEMPERATURE", "Q_POLARISATION", "U_POLARISATION"}) {
        fields.push_back(noise.field(0));
        fields.back().name = name;
    }
    return std::make_shared<const HealpixMap>(nside, Ordering::Ring, Frame::Galactic,
                                              std::move(fields));
}

// The sky without a belt around the Galactic plane, as the operation `mask` makes it.
MapPointer maskOf(int64_t nside, double latitude, BenchHost& host, JobContext& job) {
    const Operation& mask = *findOperation("mask");
    ParameterSet parameters =
        parametersWith(mask, {{"nside", std::to_string(nside)},
                              {"frame", "G"},
                              {"latitude", std::to_string(latitude / kDegree) + "deg"}});
    Inputs none;
    Context context = silentContext(host, job);
    return std::get<MapPointer>(runOperation(mask, context, none, parameters).front().data);
}

Input inputOf(std::string_view slot, const MapPointer& map, std::vector<int> fields) {
    Input input;
    input.slot = slot;
    input.name = slot;
    input.data = map;
    input.fields = std::move(fields);
    return input;
}

class SpectraBench {
public:
    SpectraBench(const BenchSettings& settings, BenchHost& host)
        : settings_(settings),
          host_(host),
          lmax_(static_cast<int>(settings.lmax.value_or(2 * settings.nside))),
          width_(std::clamp(lmax_ / 8, 1, 30)),
          sky_(polarizedSky(settings.nside)) {
        JobContext silent = host.silentJob();
        mask_ = maskOf(settings.nside, kLatitude, host, silent);
    }

    void measureFiles() {
        namespace fs = std::filesystem;
        struct Scratch {
            fs::path path =
                fs::temp_directory_path() / ("armilla-bench-" + std::to_string(getpid()));
            Scratch() {
                if (!fs::create_directory(path))
                    throw IoError(path.string() + ": expected a new folder, found an old one");
            }
            ~Scratch() {
                std::error_code ignored;
                fs::remove_all(path, ignored);
            }
            std::string operator()(const char* name) const { return (path / name).string(); }
        };
        const Scratch scratch;
        MapWriteOptions options;
        options.overwrite = true;
        writeMap(*sky_, scratch("sky.fits"), options, host_.job);
        writeMap(*mask_, scratch("mask.fits"), options, host_.job);
        const Operation& anafast = *findOperation("anafast");
        BenchRow row = rowOf("spectra.files");
        measure(row, settings_.runs, host_, [&](JobContext& job) {
            ParameterSet parameters = parametersWith(anafast, polarized());
            Context context = silentContext(host_, job);
            Inputs inputs;
            job.report(0.0, "reading");
            for (const InputSlot& slot : anafast.inputs)
                if (slot.name == "MAP" || slot.name == "mask")
                    inputs.all.push_back(
                        readInput(slot, parameters,
                                  scratch(slot.name == "MAP" ? "sky.fits" : "mask.fits"), {}, job));
            const Outputs outputs = runOperation(anafast, context, inputs, parameters);
            job.report(1.0, "writing");
            writeOutput(outputs.front(), scratch("bands.fits"), true, {}, {}, job);
        });
        host_.show(row);
    }

    void measureMemory() {
        BenchRow row = rowOf("spectra");
        measure(row, settings_.runs, host_, [&](JobContext& job) {
            KeptRuns().run(polarized(), {0, 1, 2}, mask_, host_, job, sky_);
        });
        host_.show(row);
    }

    // Other settings after a first run.
    void measureChanges() {
        KeptRuns kept;
        JobContext silent = host_.silentJob();
        kept.run(scalar(width_, 10.0), {0}, mask_, host_, silent, sky_);
        int step = 0;
        const auto swept = [&](const char* name, const auto& change) {
            BenchRow row = rowOf(name);
            Outputs last;
            Options options;
            MapPointer mask = mask_;
            measure(row, settings_.runs, host_, [&](JobContext& job) {
                ++step;
                change(job, options, mask);
                last = kept.run(options, {0}, mask, host_, job, sky_);
            });
            const Outputs anew = KeptRuns().run(options, {0}, mask, host_, silent, sky_);
            row.error = largestDifference(last, anew);
            host_.show(row);
        };
        swept("spectra.beam", [&](JobContext&, Options& options, MapPointer&) {
            options = scalar(width_, 10.0 + step);
        });
        swept("spectra.bins", [&](JobContext&, Options& options, MapPointer&) {
            options = scalar(width_ + 1 + step % 4, 10.0);
        });
        swept("spectra.mask", [&](JobContext& job, Options& options, MapPointer& mask) {
            job.report(0.0, "mask");
            options = scalar(width_, 10.0);
            mask = maskOf(settings_.nside, kLatitude + step * kDegree, host_, job);
        });
    }

private:
    // Runs that keep parts.
    class KeptRuns {
    public:
        Outputs run(const Options& options, std::vector<int> fields, const MapPointer& mask,
                    BenchHost& host, JobContext& job, const MapPointer& sky) {
            ParameterSet parameters = parametersWith(*findOperation("anafast"), options);
            Inputs inputs;
            inputs.all.push_back(inputOf("MAP", sky, std::move(fields)));
            inputs.all.push_back(inputOf("mask", mask, {0}));
            Context context = silentContext(host, job);
            return kept_.run(context, inputs, parameters);
        }

    private:
        KeptSpectra kept_;
    };

    BenchRow rowOf(const char* name) const {
        BenchRow row;
        row.name = name;
        row.nside = settings_.nside;
        row.lmax = lmax_;
        return row;
    }
    Options common(int bins) const {
        return {
            {"lmax", std::to_string(lmax_)}, {"bins", std::to_string(bins)}, {"decouple", "true"}};
    }
    Options polarized() const {
        Options options = common(width_);
        options.emplace_back("polarization", "true");
        options.emplace_back("errors", "gaussian");
        return options;
    }
    // `beam` in arcmin.
    Options scalar(int bins, double beam) const {
        Options options = common(bins);
        options.emplace_back("fwhm", std::to_string(beam) + "arcmin");
        return options;
    }
    static double largestDifference(const Outputs& found, const Outputs& truth) {
        const auto valuesOf = [](const Outputs& outputs) -> const std::vector<double>& {
            return std::get<std::shared_ptr<const Curve>>(outputs.front().data)
                ->series.front()
                .values;
        };
        double most = 0.0, largest = 0.0;
        for (size_t i = 0; i < valuesOf(truth).size(); ++i) {
            const double one = valuesOf(truth)[i];
            most = std::max(most, std::abs(valuesOf(found).at(i) - one));
            largest = std::max(largest, std::abs(one));
        }
        return most / largest;
    }

    const BenchSettings& settings_;
    BenchHost& host_;
    int lmax_, width_;
    MapPointer sky_, mask_;
};

}  // namespace

void benchSpectra(const BenchSettings& settings, BenchHost& host) {
    SpectraBench bench(settings, host);
    bench.measureFiles();
    bench.measureMemory();
    bench.measureChanges();
}

}  // namespace armilla::cli
