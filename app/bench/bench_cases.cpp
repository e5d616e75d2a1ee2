// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/bench_cases.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <functional>
#include <memory>
#include <random>

#include "armilla/core/healpix_map.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/seconds_since.h"
#include "armilla/core/stage_times.h"
#include "armilla/draw/camera.h"
#include "armilla/draw/image_renderer.h"
#include "armilla/io/map_io.h"
#include "bench/bench_convolve.h"
#include "bench/bench_correlate.h"
#include "bench/bench_coupling.h"
#include "bench/bench_fft.h"
#include "bench/bench_grid.h"
#include "bench/bench_maps.h"
#include "bench/bench_roundtrip.h"
#include "bench/bench_sht.h"
#include "bench/bench_sources.h"
#include "bench/bench_spectra.h"

namespace armilla::cli {

namespace {

using Clock = std::chrono::steady_clock;
constexpr uint64_t kSeed = 20260101;

}  // namespace

// Each run has a job that records the time of each stage.
void measure(BenchRow& row, const BenchRuns& runs, BenchHost& host,
             const std::function<void(JobContext&)>& body) {
    resetPeakMemory();
    double taken = 0.0;
    for (int run = 0; run < runs.most && (run == 0 || taken < runs.seconds); ++run) {
        StageTimes stages;
        JobContext job(
            host.job.stopToken(), [&](double, std::string_view name) { stages.enter(name); },
            host.job.threads());
        const Clock::time_point start = Clock::now();
        const std::clock_t cpuStart = std::clock();
        body(job);
        const double seconds = secondsSince(start);
        row.cpuSeconds.push_back(static_cast<double>(std::clock() - cpuStart) / CLOCKS_PER_SEC);
        stages.enter({});
        if (row.seconds.empty() ||
            seconds < *std::min_element(row.seconds.begin(), row.seconds.end()))
            row.steps = stages.seconds();
        row.seconds.push_back(seconds);
        taken += seconds;
        host.job.poll();
    }
    row.peakHostBytes = peakMemory();
}

HealpixMap randomSky(int64_t nside) {
    std::mt19937_64 random(kSeed);
    std::normal_distribution<float> normal;
    std::vector<float> values(static_cast<size_t>(pixelCount(nside)));
    for (float& value : values) value = normal(random);
    return {nside, Ordering::Ring, Frame::Galactic, {{"SIGNAL", "K", DiskType::Float32, values}}};
}

namespace {

void benchView(const BenchSettings& settings, BenchHost& host) {
    constexpr int kWidth = 1600;
    constexpr int kHeight = 900;
    const int64_t nside = settings.nside;
    const HealpixMap map = randomSky(nside);
    const MapPyramid pyramid = MapPyramid::build(map, 0, nside, host.job);
    ColorScale scale;
    scale.mapping.low = -3.0F;
    scale.mapping.high = 3.0F;
    const ViewGeometry view = Camera{}.geometry(kWidth, kHeight, map.frame());
    BenchRow row;
    row.name = "view";
    row.nside = nside;
    measure(row, settings.runs, host,
            [&](JobContext& job) { renderImage(pyramid, view, scale, job); });
    // Each pixel of the picture reads one value and writes one color.
    row.limitSeconds = 8.0 * kWidth * kHeight / host.ceiling.bytesPerSecond;
    row.limitBy = "memory";
    host.show(row);
}

void benchLoad(const BenchSettings& settings, BenchHost& host) {
    namespace fs = std::filesystem;
    struct Scratch {
        fs::path path =
            fs::temp_directory_path() / ("armilla-bench-" + std::to_string(getpid()) + ".fits");
        ~Scratch() {
            std::error_code ignored;
            fs::remove(path, ignored);
        }
    };
    const int64_t nside = settings.nside;
    const Scratch scratch;
    MapWriteOptions options;
    options.overwrite = true;
    writeMap(randomSky(nside), scratch.path.string(), options, host.job);
    BenchRow row;
    row.name = "load";
    row.nside = nside;
    measure(row, settings.runs, host,
            [&](JobContext& job) { readMap(scratch.path.string(), {}, job); });
    // From the file cache to the map each value is read once and written once.
    row.limitSeconds = 8.0 * static_cast<double>(pixelCount(nside)) / host.ceiling.bytesPerSecond;
    row.limitBy = "memory";
    host.show(row);
}

}  // namespace

std::vector<std::string_view> benchNames() {
    return {"sht",  "batch",       "maps",    "convolve", "correlate", "coupling", "fft",
            "grid", "grid-shapes", "sources", "spectra",  "view",      "load",     "roundtrip"};
}

void runBench(std::string_view name, const BenchSettings& settings, BenchHost& host) {
    if (name == "sht") return benchSht(settings, host);
    if (name == "tune") return tuneSht(settings, host);
    if (name == "batch") return benchBatch(settings, host);
    if (name == "maps") return benchMaps(settings, host);
    if (name == "roundtrip") return benchRoundTrip(settings, host);
    if (name == "convolve") return benchConvolve(settings, host);
    if (name == "correlate") return benchCorrelate(settings, host);
    if (name == "coupling") return benchCoupling(settings, host);
    if (name == "fft") return benchFft(settings, host);
    if (name == "grid") return benchGrid(settings, host);
    if (name == "grid-shapes") return benchGridShapes(settings, host);
    if (name == "sources") return benchSources(settings, host);
    if (name == "spectra") return benchSpectra(settings, host);
    if (name == "view") return benchView(settings, host);
    benchLoad(settings, host);
}

}  // namespace armilla::cli
