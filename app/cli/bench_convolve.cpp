// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/bench_convolve.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "cli/bench_sht.h"
#include "core/error.h"
#include "device/device_picture.h"
#include "ops/convolve.h"
#include "ops/elliptical_beam.h"
#include "ops/smooth_rows.h"

namespace armilla::cli {

namespace {

BenchRow rowOf(std::string name, const BenchSettings& settings) {
    BenchRow row;
    row.name = std::move(name);
    row.nside = settings.nside;
    row.fwhm = settings.fwhm;
    return row;
}

void benchMethod(SmoothMethod method, std::string_view name,
                 const std::shared_ptr<const HealpixMap>& map, const BenchSettings& settings,
                 BenchHost& host) {
    SmoothParameters parameters;
    parameters.fwhm = settings.fwhm;
    parameters.method = method;
    parameters.lmax = static_cast<int>(settings.lmax.value_or(-1));
    BenchRow row = rowOf("convolve." + std::string(name), settings);
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
    BenchRow prepare = rowOf("convolve.live" + suffix + ".prepare", settings);
    BenchRuns once = settings.runs;
    once.most = 1;
    measure(prepare, once, host, [&](JobContext& job) { plan.prepare(parameters, job); });
    host.show(prepare);
    DevicePictures pictures(host.device.index, plan.pictureNside());
    BenchRow live = rowOf("convolve.live" + suffix, settings);
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
    BenchRow parts = rowOf("convolve.live" + suffix + ".parts", settings);
    parts.seconds = {0.0};
    for (const auto& [part, milliseconds] : plan.liveParts(parameters, 0, kRuns)) {
        parts.steps[part] = milliseconds * 1e-3;
        parts.seconds.front() += milliseconds * 1e-3;
    }
    if (!parts.steps.empty()) host.show(parts);
}

// As a hand at the slider has it: each picture of another width, by the method that is chosen. What
// the host works out for it is the step `prepare` and, of kernels and launches, `call`.
void benchSlider(const std::shared_ptr<const HealpixMap>& map, const BenchSettings& settings,
                 BenchHost& host) {
    SmoothParameters parameters;
    parameters.fwhm = settings.fwhm;
    SmoothPlan plan(map, {0}, host.device);
    JobContext warm;
    plan.prepare(parameters, warm);
    DevicePictures pictures(host.device.index, plan.pictureNside());
    BenchRow row = rowOf("convolve.live.slider", settings);
    measure(row, settings.runs, host, [&](JobContext& job) {
        parameters.fwhm *= 1.0 + 1e-4;
        job.report(0.0, "prepare");
        plan.prepare(parameters, job);
        job.report(0.3, "call");
        const auto picture = pictures.next();
        plan.enqueue(parameters, 0, *picture);
        job.report(0.6, "device");
        picture->wait();
    });
    if (plan.report().method == SmoothMethod::Harmonic) row.lmax = plan.report().lmax;
    host.show(row);
}

// As a hand in motion has it once maps are kept, where their sums serve the width; the step before
// makes all of them.
void benchSum(const std::shared_ptr<const HealpixMap>& map, const BenchSettings& settings,
              BenchHost& host) {
    SmoothParameters parameters;
    parameters.fwhm = settings.fwhm;
    SmoothPlan plan(map, {0}, host.device);
    BenchRow prepare = rowOf("convolve.live.sum.prepare", settings);
    BenchRuns once = settings.runs;
    once.most = 1;
    measure(prepare, once, host, [&](JobContext& job) {
        while (plan.growSeries(parameters, 0, job)) continue;
    });
    DevicePictures pictures(host.device.index, plan.pictureNside());
    if (!plan.enqueueSum(parameters, 0, *pictures.next()))
        return host.note("convolve.live.sum left out: too wide for the maps that fit");
    host.show(prepare);
    BenchRow row = rowOf("convolve.live.sum", settings);
    measure(row, settings.runs, host, [&](JobContext& job) {
        parameters.fwhm *= 1.0 + 1e-6;
        job.report(0.0, "call");
        const auto picture = pictures.next();
        if (!plan.enqueueSum(parameters, 0, *picture))
            throw Unsupported("expected a width that sums of maps serve, found a wider one");
        job.report(0.5, "device");
        picture->wait();
    });
    host.show(row);
}

// One row; what a method has not is told in its place.
template <typename Work>
void benchOther(const std::string& name, const BenchSettings& settings, BenchHost& host,
                const Work& work) {
    BenchRow row = rowOf("convolve." + name, settings);
    try {
        measure(row, settings.runs, host, [&](JobContext& job) { row.error = work(job); });
    } catch (const Unsupported& reason) {
        host.note(row.name + " left out: " + reason.what());
        return;
    }
    host.show(row);
}

// T, Q and U together; an ellipse of half the width across; the disc of a close view alone.
void benchOtherMaps(const std::shared_ptr<const HealpixMap>& map, const BenchSettings& settings,
                    BenchHost& host) {
    SmoothParameters parameters;
    parameters.fwhm = settings.fwhm;
    const auto one = map->field(0);
    const auto three = std::make_shared<const HealpixMap>(
        map->nside(), map->ordering(), map->frame(), std::vector<Field>{one, one, one});
    for (const SmoothMethod method : {SmoothMethod::Direct, SmoothMethod::Ring}) {
        SmoothParameters polarized = parameters;
        polarized.method = method;
        polarized.polarization = true;
        benchOther(method == SmoothMethod::Direct ? "polarization.direct" : "polarization.ring",
                   settings, host, [&](JobContext& job) {
                       SmoothPlan plan(three, {0, 1, 2}, host.device);
                       plan.execute(polarized, job);
                       return plan.report().estimatedError;
                   });
    }
    benchOther("ellipse", settings, host, [&](JobContext& job) {
        SmoothReport report;
        smoothElliptical(*map, std::vector<int>{0}, {settings.fwhm, 0.5 * settings.fwhm, 0.5},
                         parameters, host.device, report, job);
        return report.estimatedError;
    });
    constexpr double kClose = 2.0 * kDegree;
    SmoothPlan plan(map, {0}, host.device);
    parameters.method = SmoothMethod::Direct;
    benchOther("around", settings, host, [&](JobContext& job) {
        plan.executeAround(parameters, direction({0.7, 0.8}), kClose, job);
        return 0.0;
    });
}

// An image of as many pixels around the equator as the map has, and half as many rows.
void benchImage(const BenchSettings& settings, BenchHost& host) {
    RingRows rows;
    rows.columns = 4 * settings.nside;
    rows.rows = rows.count = 2 * settings.nside;
    std::vector<double> values(static_cast<size_t>(rows.count * rows.columns));
    for (size_t i = 0; i < values.size(); ++i) values[i] = std::sin(0.37 * static_cast<double>(i));
    SmoothParameters parameters;
    parameters.fwhm = settings.fwhm;
    const std::pair<SmoothMethod, const char*> ways[] = {
        {SmoothMethod::Direct, "image.direct"},
        {SmoothMethod::Ring, "image.ring"},
        {SmoothMethod::Harmonic, "image.harmonic"}};
    for (const auto& [method, name] : ways) {
        parameters.method = method;
        benchOther(name, settings, host, [&](JobContext& job) {
            RowSmoothPlan plan(rows, parameters, host.device, job);
            plan.execute(values, job);
            return plan.report().estimatedError;
        });
    }
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
    if (products <= 0.1 * kMostProducts) {
        benchOtherMaps(map, settings, host);
        benchImage(settings, host);
    }
    if (host.device.kind != DeviceKind::Cuda) return;
    benchLive(SmoothMethod::Harmonic, "", map, settings, host);
    benchLive(SmoothMethod::Ring, ".ring", map, settings, host);
    if (products <= kMostProducts) benchLive(SmoothMethod::Direct, ".direct", map, settings, host);
    benchSlider(map, settings, host);
    benchSum(map, settings, host);
}

}  // namespace armilla::cli
