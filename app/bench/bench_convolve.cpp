// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/bench_convolve.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/device/device_picture.h"
#include "armilla/ops/convolve.h"
#include "armilla/ops/elliptical_beam.h"
#include "armilla/ops/smooth_rows.h"
#include "armilla/ops/spectrum.h"
#include "bench/bench_sht.h"

namespace armilla::cli {

namespace {

// White noise of unit variance up to lmax: T, and with `polarized` also E and B. The seed is fixed,
// so that the coefficients need not be kept while methods are measured.
std::vector<Alm> whiteAlm(int lmax, bool polarized, JobContext& job) {
    constexpr uint64_t kSeed = 1;
    const double modes = (lmax + 1.0) * (lmax + 1.0);
    const std::vector<double> flat(static_cast<size_t>(lmax) + 1, 4.0 * kPi / modes);
    Spectra spectra;
    spectra[SpectrumKind::TT] = flat;
    if (polarized) {
        spectra[SpectrumKind::EE] = spectra[SpectrumKind::BB] = flat;
        spectra[SpectrumKind::TE].assign(flat.size(), 0.0);
    }
    return randomAlm(spectra, lmax, kSeed, job);
}

// Maps of such coefficients, multiplied by B_l of a Gaussian of this width. They are the truth for
// `error` of a convolution of the maps of width 0.
std::vector<std::vector<double>> whiteMaps(int64_t nside, double fwhm, bool polarized,
                                           BenchHost& host) {
    JobContext silent = host.silentJob();
    std::vector<Alm> alm = whiteAlm(static_cast<int>(3 * nside - 1), polarized, silent);
    if (fwhm > 0.0) applyBeam(alm, gaussianBeam(fwhm, alm.front().lmax()), silent);
    const ShtPlan plan({.nside = nside, .lmax = alm.front().lmax()}, host.device, silent);
    std::vector<std::vector<double>> maps(alm.size());
    for (auto& map : maps) map.resize(static_cast<size_t>(pixelCount(nside)));
    const auto to = [&](size_t i) { return MapSamples(std::span<double>(maps[i])); };
    if (polarized)
        plan.synthesisPolarized(std::span<const Alm, 3>(alm.data(), 3), to(0), to(1), to(2),
                                silent);
    else
        plan.synthesis(alm.front(), to(0), silent);
    return maps;
}

HealpixMap whiteSky(int64_t nside, bool polarized, BenchHost& host) {
    const std::vector<std::vector<double>> maps = whiteMaps(nside, 0.0, polarized, host);
    constexpr const char* kNames[] = {"TEMPERATURE", "Q_POLARISATION", "U_POLARISATION"};
    std::vector<Field> fields;
    for (size_t i = 0; i < maps.size(); ++i)
        fields.push_back({kNames[i], "K", DiskType::Float32,
                          std::vector<float>(maps[i].begin(), maps[i].end())});
    return {nside, Ordering::Ring, Frame::Galactic, std::move(fields)};
}

// Rms of the difference in the first maps of `made`, relative to the rms of the sky, which is 1 for
// T.
double errorOf(const HealpixMap& made, const std::vector<std::vector<double>>& truth) {
    double wrong = 0.0;
    for (size_t i = 0; i < truth.size(); ++i)
        for (size_t p = 0; p < truth[i].size(); ++p) {
            const double off =
                made.field(static_cast<int>(i)).at(static_cast<int64_t>(p)) - truth[i][p];
            wrong += off * off;
        }
    const auto count = static_cast<double>(truth.size() * truth.front().size());
    return std::sqrt(wrong / count);
}

BenchRow rowOf(std::string name, const BenchSettings& settings) {
    BenchRow row;
    row.name = std::move(name);
    row.nside = settings.nside;
    row.fwhm = settings.fwhm;
    return row;
}

// Notes a row left out because it is unsupported or the kernel is too narrow; rethrows any other
// error.
void leaveOut(const BenchRow& row, const Error& reason, BenchHost& host) {
    if (reason.code() != ErrorCode::Unsupported &&
        dynamic_cast<const NarrowKernel*>(&reason) == nullptr)
        throw;
    host.note(row.name + " skipped: " + reason.what());
}

void benchMethod(SmoothMethod method, std::string_view name,
                 const std::shared_ptr<const HealpixMap>& map, const BenchSettings& settings,
                 BenchHost& host) {
    SmoothParameters parameters;
    parameters.fwhm = settings.fwhm;
    parameters.method = method;
    parameters.lmax = static_cast<int>(settings.lmax.value_or(-1));
    BenchRow row = rowOf("convolve." + std::string(name), settings);
    std::optional<HealpixMap> made;
    try {
        // A new plan for each run, because a plan keeps data of its map.
        measure(row, settings.runs, host, [&](JobContext& job) {
            made.reset();
            SmoothPlan plan(map, {0}, host.device);
            made = plan.execute(parameters, job);
            if (method == SmoothMethod::Harmonic) row.lmax = plan.report().lmax;
            row.estimate = plan.report().estimatedError;
        });
    } catch (const Error& reason) {
        return leaveOut(row, reason, host);
    }
    row.error = errorOf(*made, whiteMaps(settings.nside, settings.fwhm, false, host));
    if (method == SmoothMethod::Harmonic) {
        row.limitSeconds = 2.0 * transformFlops(settings.nside, row.lmax, 0) / flopsOf(host);
        row.limitBy = "flop";
    }
    host.show(row);
}

// Time from the request to the picture on the device, with a warm plan: the call, which the live
// loop of the window makes, and the work of the device.
void benchLive(SmoothMethod method, const std::string& suffix,
               const std::shared_ptr<const HealpixMap>& map, const BenchSettings& settings,
               BenchHost& host) {
    if (method != SmoothMethod::Harmonic && isNarrowForPixels(settings.fwhm, settings.nside))
        return;  // the row of the method has reported it
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
    // Work of the device in sequence.
    constexpr int kRuns = 9;
    BenchRow parts = rowOf("convolve.live" + suffix + ".parts", settings);
    parts.seconds = {0.0};
    for (const auto& [part, milliseconds] : plan.liveParts(parameters, 0, kRuns)) {
        parts.steps[part] = milliseconds * 1e-3;
        parts.seconds.front() += milliseconds * 1e-3;
    }
    if (!parts.steps.empty()) host.show(parts);
}

// Slider in use: each picture has another width, by the chosen method. The step `prepare` is the
// work of the host; `call` contains kernels and launches.
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

// Slider in motion after maps are kept, if their sums serve the width. All maps are made before.
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
        return host.note(
            "convolve.live.sum skipped: the kernel is too wide for the maps that fit in memory");
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

// One row of `work(job, row)`, after which `error()` measures the result; none if there is no
// reference.
void benchOther(const std::string& name, const BenchSettings& settings, BenchHost& host,
                const std::function<void(JobContext&, BenchRow&)>& work,
                const std::function<std::optional<double>()>& error) {
    BenchRow row = rowOf("convolve." + name, settings);
    try {
        measure(row, settings.runs, host, [&](JobContext& job) { work(job, row); });
    } catch (const Error& reason) {
        return leaveOut(row, reason, host);
    }
    row.error = error();
    host.show(row);
}

// Disc of a close view only.
void benchAround(const std::shared_ptr<const HealpixMap>& map, const BenchSettings& settings,
                 BenchHost& host) {
    constexpr double kClose = 2.0 * kDegree;
    SmoothParameters parameters;
    parameters.fwhm = settings.fwhm;
    parameters.method = SmoothMethod::Direct;
    SmoothPlan plan(map, {0}, host.device);
    std::optional<HealpixMap> made;
    benchOther(
        "around", settings, host,
        [&](JobContext& job, BenchRow&) {
            made = plan.executeAround(parameters, direction({0.7, 0.8}), kClose, job);
        },
        [&]() -> std::optional<double> {
            const auto truth = whiteMaps(settings.nside, settings.fwhm, false, host).front();
            double wrong = 0.0;
            for (int64_t e = 0; e < made->elementCount(); ++e) {
                const int64_t pixel = made->pixels()[static_cast<size_t>(e)];
                const double off = made->field(0).at(e) - truth[static_cast<size_t>(pixel)];
                wrong += off * off;
            }
            if (made->elementCount() == 0) return {};
            return std::sqrt(wrong / static_cast<double>(made->elementCount()));
        });
}

// T, Q and U together; an ellipse with a minor axis of half the width; the disc of a close view.
void benchOtherMaps(const std::shared_ptr<const HealpixMap>& map, const BenchSettings& settings,
                    BenchHost& host) {
    SmoothParameters parameters;
    parameters.fwhm = settings.fwhm;
    const auto three = std::make_shared<const HealpixMap>(whiteSky(settings.nside, true, host));
    for (const SmoothMethod method : {SmoothMethod::Direct, SmoothMethod::Ring}) {
        SmoothParameters polarized = parameters;
        polarized.method = method;
        polarized.polarization = true;
        std::optional<HealpixMap> made;
        benchOther(
            method == SmoothMethod::Direct ? "polarization.direct" : "polarization.ring", settings,
            host,
            [&](JobContext& job, BenchRow& row) {
                made.reset();
                SmoothPlan plan(three, {0, 1, 2}, host.device);
                made = plan.execute(polarized, job);
                row.estimate = plan.report().estimatedError;
            },
            [&] { return errorOf(*made, whiteMaps(settings.nside, settings.fwhm, true, host)); });
    }
    // An ellipse has no B_l as a reference.
    benchOther(
        "ellipse", settings, host,
        [&](JobContext& job, BenchRow& row) {
            SmoothReport report;
            smoothElliptical(*map, std::vector<int>{0}, {settings.fwhm, 0.5 * settings.fwhm, 0.5},
                             parameters, host.device, report, job);
            row.estimate = report.estimatedError;
        },
        [] { return std::nullopt; });
    benchAround(map, settings, host);
}

// Samples of white noise on a grid, multiplied by B_l of a Gaussian, up to the l at which the
// quadrature of the grid is exact.
std::vector<double> whiteRows(const RingRows& rows, double fwhm, BenchHost& host) {
    JobContext silent = host.silentJob();
    const RingGrid grid = rows.grid();
    const auto lmax = std::max(1, static_cast<int>(rows.rows / 2 - 1));
    std::vector<Alm> alm = whiteAlm(lmax, false, silent);
    if (fwhm > 0.0) applyBeam(alm, gaussianBeam(fwhm, alm.front().lmax()), silent);
    const ShtPlan plan(grid, {.lmax = alm.front().lmax()}, host.device, silent);
    std::vector<double> values(static_cast<size_t>(grid.sampleCount()));
    plan.synthesis(alm.front(), std::span<double>(values), silent);
    return values;
}

// An image with as many pixels around the equator as the map, and half as many rows. The error
// weights all samples equally, although they are closer together near the poles.
void benchImage(const BenchSettings& settings, BenchHost& host) {
    RingRows rows;
    rows.columns = 4 * settings.nside;
    rows.rows = rows.count = 2 * settings.nside;
    const std::vector<double> values = whiteRows(rows, 0.0, host);
    SmoothParameters parameters;
    parameters.fwhm = settings.fwhm;
    const std::pair<SmoothMethod, const char*> strategies[] = {
        {SmoothMethod::Direct, "image.direct"},
        {SmoothMethod::Ring, "image.ring"},
        {SmoothMethod::Harmonic, "image.harmonic"}};
    for (const auto& [method, name] : strategies) {
        parameters.method = method;
        std::vector<double> made;
        benchOther(
            name, settings, host,
            [&](JobContext& job, BenchRow& row) {
                RowSmoothPlan plan(rows, parameters, host.device, job);
                made = plan.execute(values, job);
                row.estimate = plan.report().estimatedError;
            },
            [&] {
                const std::vector<double> truth = whiteRows(rows, settings.fwhm, host);
                double wrong = 0.0;
                for (size_t i = 0; i < made.size(); ++i)
                    wrong += (made[i] - truth[i]) * (made[i] - truth[i]);
                return std::sqrt(wrong / static_cast<double>(made.size()));
            });
    }
}

}  // namespace

void benchConvolve(const BenchSettings& settings, BenchHost& host) {
    // Products of a pixel and a weight within 2.3 FWHM: this number takes more than a minute on two
    // cores of a server.
    constexpr double kMostProducts = 1e12;
    const double pixels = static_cast<double>(pixelCount(settings.nside));
    const double radius = std::min(2.3 * settings.fwhm, kPi);
    const double products = pixels * pixels * std::pow(std::sin(0.5 * radius), 2);
    const auto map = std::make_shared<const HealpixMap>(whiteSky(settings.nside, false, host));
    if (products <= kMostProducts)
        benchMethod(SmoothMethod::Direct, "direct", map, settings, host);
    else
        host.note("convolve.direct skipped: it would take too long");
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
