// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/bench_convolve.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "cli/bench_sht.h"
#include "core/error.h"
#include "device/device_picture.h"
#include "ops/convolve.h"

namespace armilla::cli {

namespace {

void benchMethod(SmoothMethod method, std::string_view name,
                 const std::shared_ptr<const HealpixMap>& map, const BenchSettings& settings,
                 BenchHost& host) {
    SmoothParameters parameters;
    parameters.fwhm = settings.fwhm;
    parameters.method = method;
    parameters.lmax = static_cast<int>(settings.lmax.value_or(-1));
    BenchRow row;
    row.name = "convolve." + std::string(name);
    row.nside = settings.nside;
    row.fwhm = settings.fwhm;
    try {
        // A new plan each time: a plan keeps what belongs to its map.
        measure(row, settings.runs, host, [&](JobContext& job) {
            SmoothPlan plan(map, {0}, host.device);
            plan.execute(parameters, job);
            if (method == SmoothMethod::Harmonic) row.lmax = plan.report().lmax;
            row.error = plan.report().estimatedError;
        });
    } catch (const Unsupported& reason) {
        host.note(row.name + " left out: " + reason.what());
        return;
    }
    if (method == SmoothMethod::Harmonic) {
        row.limitSeconds = 2.0 * transformFlops(settings.nside, row.lmax, 0) / flopsOf(host);
        row.limitBy = "flop";
    }
    host.show(row);
}

// From the request to the picture on the device, by a plan that is warm: the call, which the
// window's loop makes, and the device's part.
void benchLive(SmoothMethod method, const std::string& suffix,
               const std::shared_ptr<const HealpixMap>& map, const BenchSettings& settings,
               BenchHost& host) {
    SmoothParameters parameters;
    parameters.fwhm = settings.fwhm;
    parameters.method = method;
    parameters.lmax = static_cast<int>(settings.lmax.value_or(-1));
    SmoothPlan plan(map, {0}, host.device);
    const auto rowNamed = [&](const std::string& name) {
        BenchRow row;
        row.name = name;
        row.nside = settings.nside;
        row.fwhm = settings.fwhm;
        return row;
    };
    BenchRow prepare = rowNamed("convolve.live" + suffix + ".prepare");
    BenchRuns once = settings.runs;
    once.most = 1;
    measure(prepare, once, host, [&](JobContext& job) { plan.prepare(parameters, job); });
    host.show(prepare);
    DevicePictures pictures(host.device.index, plan.pictureNside());
    BenchRow live = rowNamed("convolve.live" + suffix);
    measure(live, settings.runs, host, [&](JobContext& job) {
        job.report(0.0, "call");
        const auto picture = pictures.next();
        plan.enqueue(parameters, 0, *picture);
        job.report(0.5, "device");
        picture->wait();
    });
    if (method == SmoothMethod::Harmonic) live.lmax = plan.report().lmax;
    host.show(live);
    // What the device does for it, one after another.
    constexpr int kRuns = 9;
    BenchRow parts = rowNamed("convolve.live" + suffix + ".parts");
    parts.seconds = {0.0};
    for (const auto& [part, milliseconds] : plan.liveParts(parameters, 0, kRuns)) {
        parts.steps[part] = milliseconds * 1e-3;
        parts.seconds.front() += milliseconds * 1e-3;
    }
    if (!parts.steps.empty()) host.show(parts);
}

}  // namespace

void benchConvolve(const BenchSettings& settings, BenchHost& host) {
    // Products of a pixel and a weight, within 2.3 FWHM of each pixel: above a minute on two cores
    // of a server.
    constexpr double kMostProducts = 1e12;
    const double pixels = static_cast<double>(pixelCount(settings.nside));
    const double radius = std::min(2.3 * settings.fwhm, kPi);
    const double products = pixels * pixels * std::pow(std::sin(0.5 * radius), 2);
    const auto map = std::make_shared<const HealpixMap>(randomSky(settings.nside));
    if (products <= kMostProducts)
        benchMethod(SmoothMethod::Direct, "direct", map, settings, host);
    else
        host.note("convolve.direct left out: it would take too long");
    benchMethod(SmoothMethod::Ring, "ring", map, settings, host);
    benchMethod(SmoothMethod::Harmonic, "harmonic", map, settings, host);
    if (host.device.kind != DeviceKind::Cuda) return;
    benchLive(SmoothMethod::Harmonic, "", map, settings, host);
    benchLive(SmoothMethod::Ring, ".ring", map, settings, host);
    if (products <= kMostProducts) benchLive(SmoothMethod::Direct, ".direct", map, settings, host);
}

}  // namespace armilla::cli
