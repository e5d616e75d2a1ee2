// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla bench [NAME...]`: the program's own benchmarks.
#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <map>
#include <span>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/order_statistics.h"
#include "armilla/ops/sht.h"
#include "bench/bench_cases.h"
#include "bench/bench_ranks.h"
#include "cli/command.h"
#include "cli/files.h"

namespace armilla::cli {

namespace {

// Small virtual machines run the threads of a new process on one core for 1 to 2 s.
constexpr double kWarmUpSeconds = 2.5;
// Limits for the runs of a row if --repeat is not given.
constexpr int kRuns = 5;
constexpr double kRowSeconds = 10.0;
// Default sizes. "sht" alone runs all that show the growth with the size.
constexpr std::array<int64_t, 1> kNsides{512};
constexpr std::array<int64_t, 6> kShtNsides{256, 512, 1024, 2048, 4096, 8192};

// Default numbers of points; the last is the catalog of the report.
constexpr std::array<int64_t, 5> kPoints{1000, 4000, 16000, 48000, 97178};

constexpr std::array<Choice<RingFfts>, 3> kRingFfts{
    {{"same", RingFfts::WithSums}, {"cpu", RingFfts::OnCpu}, {"cuda", RingFfts::OnCuda}}};

Json toJson(const BenchRow& row, const Device& device, int threads) {
    Json json = Json::object();
    json.set("name", row.name);
    if (row.nside > 0) json.set("nside", row.nside);
    if (row.points >= 0) json.set("points", row.points);
    if (row.sets >= 0) json.set("sets", row.sets);
    if (row.samples >= 0) json.set("samples", row.samples);
    if (row.length >= 0) json.set("length", row.length);
    if (row.lmax >= 0) json.set("lmax", row.lmax);
    if (row.spin >= 0) json.set("spin", row.spin);
    json.set("maps", row.maps);
    if (row.fwhm >= 0.0) json.set("fwhm_arcmin", row.fwhm / kArcmin);
    json.set("device", device.label());
    json.set("threads", threads);
    Json seconds = Json::object();
    seconds.set("median", median(row.seconds));
    seconds.set("min", *std::min_element(row.seconds.begin(), row.seconds.end()));
    seconds.set("max", *std::max_element(row.seconds.begin(), row.seconds.end()));
    seconds.set("first", row.seconds.front());
    seconds.set("runs", static_cast<int64_t>(row.seconds.size()));
    json.set("seconds", std::move(seconds));
    // Processor time stays comparable on a busy machine.
    if (!row.cpuSeconds.empty()) json.set("cpu_seconds", median(row.cpuSeconds));
    Json steps = Json::object();
    for (const auto& [step, time] : row.steps) steps.set(step, time);
    json.set("steps", std::move(steps));
    json.set("error", row.error ? Json(*row.error) : Json());
    if (row.estimate) json.set("estimate", *row.estimate);
    Json limit;
    if (row.limitSeconds) {
        limit = Json::object();
        limit.set("seconds", *row.limitSeconds);
        limit.set("by", row.limitBy);
    }
    json.set("limit", std::move(limit));
    json.set("peak_host_bytes", row.peakHostBytes);
    json.set("peak_device_bytes", row.peakDeviceBytes);
    if (row.exchangedBytes > 0) json.set("exchanged_bytes", row.exchangedBytes);
    return json;
}

std::string lineOf(const BenchRow& row) {
    const double middle = median(row.seconds);
    const double least = *std::min_element(row.seconds.begin(), row.seconds.end());
    const double most = *std::max_element(row.seconds.begin(), row.seconds.end());
    std::array<char, 240> line{};
    std::array<char, 24> error{"-"};
    if (row.error) std::snprintf(error.data(), error.size(), "%.1e", *row.error);
    std::array<char, 24> share{"-"};
    if (row.limitSeconds)
        std::snprintf(share.data(), share.size(), "%.0f %% (%s)",
                      100.0 * *row.limitSeconds / middle, row.limitBy.c_str());
    constexpr double kMebibyte = 1024.0 * 1024.0;
    std::snprintf(line.data(), line.size(),
                  "%-27s %9lld %6s %4s %4d %11.4g %5.0f %% %4zu %9s %14s %9.1f %11.1f ",
                  row.name.c_str(),
                  static_cast<long long>(row.length >= 0    ? row.length
                                         : row.samples >= 0 ? row.samples
                                         : row.points >= 0  ? row.points
                                                            : row.nside),
                  row.lmax < 0 ? "-" : std::to_string(row.lmax).c_str(),
                  row.spin < 0 ? "-" : std::to_string(row.spin).c_str(),
                  row.sets < 0 ? row.maps : static_cast<int>(row.sets), middle,
                  100.0 * (most - least) / middle, row.seconds.size(), error.data(), share.data(),
                  static_cast<double>(row.peakHostBytes) / kMebibyte,
                  static_cast<double>(row.peakDeviceBytes) / kMebibyte);
    std::string text = line.data();
    for (const auto& [step, seconds] : row.steps) {
        std::snprintf(line.data(), line.size(), " %s %.3g", step.c_str(), seconds);
        text += line.data();
    }
    if (row.exchangedBytes > 0) {
        std::snprintf(line.data(), line.size(), ", %.1f MiB",
                      static_cast<double>(row.exchangedBytes) / kMebibyte);
        text += line.data();
    }
    return text;
}

class Bench : public Command {
public:
    std::string_view name() const override { return "bench"; }
    std::string_view summary() const override {
        return "measure the speed of the program on this machine";
    }
    DeviceSupport devices() const override { return kShtSupport; }

    void fill(Form& form) override {
        std::string names;
        for (const std::string_view name : benchNames())
            names += (names.empty() ? "" : ", ") + std::string(name);
        form.files.push_back({"NAME", "benchmarks to run: " + names + " (default all)", &names_,
                              false, false, true, false});
        Description& d = form.options;
        d.words("nside", nsideWords_,
                {.standard = "512; 256 to 8192 for sht alone", .placeholder = "N[,N...]"},
                "one or several resolutions of the maps");
        d.integer("lmax", lmax_,
                  {.unit = "none",
                   .least = 0.0,
                   .most = 32768.0,
                   .standard = "2 nside; 3 nside - 1 for convolve"},
                  "largest multipole l");
        d.angle("fwhm", fwhm_,
                {.unit = "arcmin",
                 .least = 0.0,
                 .most = kPi,
                 .aboveLeast = true,
                 .standard = "20arcmin; 300arcsec for grid"},
                "FWHM of the beam, or of the kernel of grid");
        d.choice("ring-ffts", ringFfts_, kRingFfts,
                 {.standard = "as tuned, or with the Legendre sums"},
                 "device of the ring FFTs in sht and batch");
        d.words("points", pointWords_,
                {.standard = "97178; from 1000 on for correlate alone", .placeholder = "N[,N...]"},
                "one or several numbers of points for correlate");
        d.integer("sets", sets_, {.unit = "none", .least = 1.0, .most = 1000.0, .standard = "1"},
                  "sets of random points for correlate");
        d.integer("maps", maps_, {.unit = "none", .least = 1.0, .most = 1000.0, .standard = "8"},
                  "number of maps for maps");
        d.words(
            "samples", sampleWords_,
            {.standard = "100000,1000000,10000000; more on a device", .placeholder = "N[,N...]"},
            "one or several numbers of samples for grid, or row lengths for fft");
        d.flag("tune", tune_, {},
               "find the fastest method of the transforms for this device, --nside and --lmax, and "
               "store it for later runs; runs no benchmark");
        d.integer("repeat", repeat_,
                  {.unit = "none",
                   .least = 1.0,
                   .most = 10000.0,
                   .standard = "5, or fewer once they have taken 10 s"},
                  "number of runs of each benchmark");
    }

    void check() const override {
        if (tune_ && !names_.empty())
            throw UsageError("expected --tune or the names of benchmarks, found both");
        nsides();
        const std::vector<std::string_view> known = benchNames();
        for (const std::string& name : names_)
            if (std::find(known.begin(), known.end(), name) == known.end()) {
                std::string all;
                for (const std::string_view word : known)
                    all += (all.empty() ? "" : ", ") + std::string(word);
                throw UsageError("expected benchmarks of " + all + ", found '" + name + "'");
            }
    }

    void execute(Run& run) override {
        run.reportDevice();
        nsides_ = nsides();
        points_ = integersOf("--points", pointWords_, 2, 100000000);
        BenchSettings settings;
        settings.lmax = lmax_;
        settings.fwhm = fwhm_.value_or(20.0 * kArcmin);
        settings.ringFfts = ringFfts_;
        settings.gridFwhm = fwhm_;
        settings.samples = integersOf("--samples", sampleWords_, 1, int64_t{1} << 31);
        settings.runs = {kRuns, kRowSeconds};
        if (repeat_) settings.runs = {.most = static_cast<int>(*repeat_)};
        Json rows = Json::array();
        const auto show = [&](const BenchRow& row) {
            rows.add(toJson(row, run.device(), run.job().threads()));
            run.printNow(lineOf(row));
        };
        BenchHost host{run.device(), measureHostCeiling(run.job().threads(), kWarmUpSeconds),
                       run.job(), [&run](const std::string& line) { run.note(line); }, show};
        char ceiling[120];
        std::snprintf(ceiling, sizeof ceiling, "ceilings: %.3g GFLOP/s, %.3g GB/s",
                      1e-9 * host.ceiling.flops, 1e-9 * host.ceiling.bytesPerSecond);
        run.note(ceiling);
        run.printNow(
            "name                nside|samples|n   lmax spin maps   median, s  spread runs     "
            "error"
            "       of limit  host MiB  device MiB  steps of the fastest run, s");
        try {
            measureAll(settings, host);
        } catch (...) {
            // Measurements so far are useful without the rest.
            run.setResult(std::move(rows));
            run.finish();
            throw;
        }
        run.setResult(std::move(rows));
    }

    void executeOverRanks(Run& run, Ranks& ranks) override {
        if (names_ != std::vector<std::string>{"sht"})
            throw UsageError("expected 'bench sht' on several ranks, found another benchmark");
        BenchSettings settings;
        settings.lmax = lmax_;
        settings.runs = {kRuns, kRowSeconds};
        if (repeat_) settings.runs = {.most = static_cast<int>(*repeat_)};
        run.reportDevice();
        run.printNow(
            "name                nside   lmax spin ranks threads  median, s  Legendre (most/mean)"
            "  FFTs (..)  exchange  MiB sent  MiB, mean  most");
        Json rows = Json::array();
        std::vector<int64_t> all = nsides();
        if (all.empty()) all.assign(kNsides.begin(), kNsides.end());
        for (const int64_t nside : all) {
            settings.nside = nside;
            benchShtOverRanks(settings, run.device(), ranks, run.job(),
                              [&](const std::string& line, Json row) {
                                  run.printNow(line);
                                  rows.add(std::move(row));
                              });
        }
        run.setResult(std::move(rows));
    }

private:
    void measureAll(BenchSettings& settings, BenchHost& host) const {
        std::vector<std::string> names = names_;
        if (tune_)
            names = {"tune"};
        else if (names.empty())
            for (const std::string_view name : benchNames())
                // These measure errors, parts, or one kind of device.
                if (name != "roundtrip" && name != "fft" && name != "grid-shapes" && name != "maps")
                    names.emplace_back(name);
        for (const std::string& name : names)
            for (const int64_t nside : sizesOf(name)) {
                settings.nside = settings.points = nside;
                settings.sets = static_cast<int>(sets_.value_or(1));
                settings.maps = static_cast<int>(maps_.value_or(8));
                try {
                    runBench(name, settings, host);
                } catch (const OutOfMemory& failure) {
                    host.note(name + (name == "correlate" ? ", points " : ", nside ") +
                              std::to_string(nside) + " skipped: " + failure.what());
                }
            }
    }
    // Values of nside, or numbers of points.
    std::span<const int64_t> sizesOf(const std::string& name) const {
        if (name == "correlate") {
            if (!points_.empty()) return points_;
            if (!names_.empty()) return kPoints;
            return {kPoints.data() + kPoints.size() - 1, 1};
        }
        // these have no nside
        if (name == "grid" || name == "grid-shapes" || name == "fft") return kNsides;
        if (!nsides_.empty()) return nsides_;
        // Without names all benchmarks run, and large sizes would take too long.
        if (name == "sht" && !names_.empty()) return kShtNsides;
        return kNsides;
    }
    std::vector<int64_t> nsides() const {
        std::vector<int64_t> all = integersOf("--nside", nsideWords_, 1, 16384);
        for (const int64_t nside : all)
            if (!isPowerOfTwoNside(nside))
                throw UsageError("--nside: expected powers of two, found " + std::to_string(nside));
        return all;
    }

    std::vector<std::string> names_, nsideWords_, pointWords_, sampleWords_;
    std::vector<int64_t> nsides_, points_;  // empty: not given
    std::optional<int64_t> lmax_, repeat_, sets_, maps_;
    std::optional<double> fwhm_;
    std::optional<RingFfts> ringFfts_;
    bool tune_ = false;
};

}  // namespace

std::unique_ptr<Command> makeBench() {
    return std::make_unique<Bench>();
}

}  // namespace armilla::cli
