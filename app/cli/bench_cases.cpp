// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/bench_cases.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <random>

#include "cli/bench_roundtrip.h"
#include "cli/bench_sht.h"
#include "core/healpix_map.h"
#include "core/memory_limit.h"
#include "core/pixel_geometry.h"
#include "device/device_picture.h"
#include "io/map_io.h"
#include "ops/convolve.h"
#include "render/camera.h"
#include "render/image_renderer.h"

namespace armilla::cli {

namespace {

using Clock = std::chrono::steady_clock;
constexpr uint64_t kSeed = 20260101;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

// Each with a job that notes how long each stage took.
void measure(BenchRow& row, const BenchRuns& runs, BenchHost& host,
             const std::function<void(JobContext&)>& body) {
    resetPeakMemory();
    double taken = 0.0;
    for (int run = 0; run < runs.most && (run == 0 || taken < runs.seconds); ++run) {
        std::map<std::string, double> steps;
        std::string stage;
        Clock::time_point stageStart = Clock::now();
        const auto close = [&](std::string_view next) {
            if (next == stage) return;
            if (!stage.empty()) steps[stage] += secondsSince(stageStart);
            stage = next;
            stageStart = Clock::now();
        };
        JobContext job(
            host.job.stopToken(), [&](double, std::string_view name) { close(name); },
            host.job.threads());
        const Clock::time_point start = Clock::now();
        body(job);
        const double seconds = secondsSince(start);
        close("");
        if (row.seconds.empty() ||
            seconds < *std::min_element(row.seconds.begin(), row.seconds.end()))
            row.steps = steps;
        row.seconds.push_back(seconds);
        taken += seconds;
        host.job.poll();
    }
    row.peakHostBytes = peakMemory();
}

namespace {

HealpixMap randomSky(int64_t nside) {
    std::mt19937_64 random(kSeed);
    std::normal_distribution<float> normal;
    std::vector<float> values(static_cast<size_t>(pixelCount(nside)));
    for (float& value : values) value = normal(random);
    return {nside, Ordering::Ring, Frame::Galactic, {{"SIGNAL", "K", DiskType::Float32, values}}};
}

// From the request to the picture on the device, by a plan that is warm: the call, which the
// window's loop makes, and the device's part.
void benchLive(const std::shared_ptr<const HealpixMap>& map, const SmoothParameters& parameters,
               const BenchSettings& settings, BenchHost& host) {
    SmoothPlan plan(map, {0}, host.device);
    const auto rowNamed = [&](const char* name) {
        BenchRow row;
        row.name = name;
        row.nside = settings.nside;
        row.fwhm = settings.fwhm;
        return row;
    };
    BenchRow prepare = rowNamed("convolve.live.prepare");
    BenchRuns once = settings.runs;
    once.most = 1;
    measure(prepare, once, host, [&](JobContext& job) { plan.prepare(parameters, job); });
    host.show(prepare);
    DevicePictures pictures(host.device.index, plan.pictureNside());
    BenchRow live = rowNamed("convolve.live");
    measure(live, settings.runs, host, [&](JobContext& job) {
        job.report(0.0, "call");
        const auto picture = pictures.next();
        plan.enqueue(parameters, 0, *picture);
        job.report(0.5, "device");
        picture->wait();
    });
    live.lmax = plan.report().lmax;
    host.show(live);
}

void benchConvolve(const BenchSettings& settings, BenchHost& host) {
    const int64_t nside = settings.nside;
    const auto map = std::make_shared<const HealpixMap>(randomSky(nside));
    SmoothParameters parameters;
    parameters.fwhm = settings.fwhm;
    parameters.method = SmoothMethod::Harmonic;
    parameters.lmax = static_cast<int>(settings.lmax.value_or(-1));
    BenchRow row;
    row.name = "convolve.harmonic";
    row.nside = nside;
    row.fwhm = settings.fwhm;
    // A new plan each time: a plan keeps the coefficients of its map.
    measure(row, settings.runs, host, [&](JobContext& job) {
        SmoothPlan plan(map, {0}, host.device);
        plan.execute(parameters, job);
        row.lmax = plan.report().lmax;
        row.error = plan.report().estimatedError;
    });
    row.limitSeconds = 2.0 * transformFlops(nside, row.lmax, 0) / flopsOf(host);
    row.limitBy = "flop";
    host.show(row);
    if (host.device.kind == DeviceKind::Cuda) benchLive(map, parameters, settings, host);
}

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
    // From the file cache to the map: each value is read once and written once.
    row.limitSeconds = 8.0 * static_cast<double>(pixelCount(nside)) / host.ceiling.bytesPerSecond;
    row.limitBy = "memory";
    host.show(row);
}

}  // namespace

std::vector<std::string_view> benchNames() {
    return {"sht", "batch", "convolve", "view", "load", "roundtrip"};
}

void runBench(std::string_view name, const BenchSettings& settings, BenchHost& host) {
    if (name == "sht") return benchSht(settings, host);
    if (name == "tune") return tuneSht(settings, host);
    if (name == "batch") return benchBatch(settings, host);
    if (name == "roundtrip") return benchRoundTrip(settings, host);
    if (name == "convolve") return benchConvolve(settings, host);
    if (name == "view") return benchView(settings, host);
    benchLoad(settings, host);
}

}  // namespace armilla::cli
