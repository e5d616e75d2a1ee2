// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/bench_sources.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <vector>

#include "armilla/core/memory_limit.h"
#include "armilla/ops/filter.h"
#include "armilla/ops/sky_maxima.h"

namespace armilla::cli {

namespace {

// Cells of a dozen beams, as in the plan.
constexpr double kCell = 12.0, kThreshold = 3.0;

double largestDifference(const std::vector<double>& found, const std::vector<double>& truth) {
    double worst = 0.0;
    for (size_t p = 0; p < truth.size(); ++p)
        worst = std::max(worst, std::abs(found[p] / truth[p] - 1.0));
    return worst;
}
// Largest difference of the filtered maps, in units of the local noise.
double largestDifference(const FilteredSky& found, const FilteredSky& truth) {
    double worst = 0.0;
    for (size_t p = 0; p < truth.filtered.size(); ++p)
        worst = std::max(worst, std::abs(found.filtered[p] - truth.filtered[p]) / truth.rms[p]);
    return worst;
}

double shareThatDiffers(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
    std::vector<int64_t> other;
    std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(),
                                  std::back_inserter(other));
    return static_cast<double>(other.size()) /
           static_cast<double>(std::max<size_t>(1, std::max(a.size(), b.size())));
}

// Filters with another shape and with another beam, each into an existing sky. Returns the last
// sky.
FilteredSky benchFilter(const std::shared_ptr<const HealpixMap>& map, double fwhm,
                        const BenchSettings& settings, BenchHost& host) {
    JobContext silent = host.silentJob();
    FilterPlan plan(map, 0, host.device);
    FilterParameters parameters;
    parameters.beam = PointBeam::gaussian(fwhm);
    FilteredSky sky = plan.execute(parameters, silent);
    BenchRow filter;
    filter.name = "sources.filter";
    filter.nside = settings.nside;
    filter.lmax = sky.filter.lmax();
    filter.fwhm = fwhm;
    BenchRow width = filter;
    width.name = "sources.filter.width";
    int run = 0, other = 0;
    measure(filter, settings.runs, host, [&](JobContext& job) {
        parameters.shape = {FilterType::MexicanHat, 1 + run++ % 2, 1.0};
        plan.execute(parameters, sky, job);
    });
    if (host.device.kind != DeviceKind::Cpu) {
        const FilteredSky truth = FilterPlan(map, 0, Device::cpu()).execute(parameters, silent);
        filter.error = largestDifference(sky, truth);
    }
    host.show(filter);
    measure(width, settings.runs, host, [&](JobContext& job) {
        parameters.beam = PointBeam::gaussian((1.0 + 0.1 * (++other % 2)) * fwhm);
        plan.execute(parameters, sky, job);
    });
    host.show(width);
    return sky;
}

void benchMaxima(const FilteredSky& sky, double fwhm, const BenchSettings& settings,
                 BenchHost& host) {
    const bool cpu = host.device.kind == DeviceKind::Cpu;
    JobContext silent = host.silentJob();
    SkyMaxima maxima(host.device, settings.nside);
    maxima.setValues(sky.filtered, silent);
    BenchRow noise;
    noise.nside = settings.nside;
    noise.fwhm = fwhm;
    BenchRow peaks = noise, noiseResident = noise, peaksResident = noise;
    noise.name = "sources.noise";
    peaks.name = "sources.maxima";
    noiseResident.name = "sources.noise.resident";
    peaksResident.name = "sources.maxima.resident";
    measure(noise, settings.runs, host, [&](JobContext& job) {
        maxima.measureRms(kCell * fwhm, job);
        noiseResident.seconds.push_back(maxima.deviceSeconds());
    });
    std::vector<int64_t> found;
    measure(peaks, settings.runs, host, [&](JobContext& job) {
        found = maxima.maxima(kThreshold, job);
        peaksResident.seconds.push_back(maxima.deviceSeconds());
    });
    // The noise is written once; values and noise are read once.
    const auto bytes = static_cast<double>(sky.filtered.size() * sizeof(double));
    noise.limitSeconds = bytes / host.ceiling.bytesPerSecond;
    peaks.limitSeconds = 2.0 * bytes / host.ceiling.bytesPerSecond;
    noise.limitBy = peaks.limitBy = "memory";
    if (!cpu) {
        const std::vector<double> rms = maxima.rms(silent);
        SkyMaxima truth(Device::cpu(), settings.nside);
        truth.setValues(sky.filtered, silent);
        truth.measureRms(kCell * fwhm, silent);
        noise.error = noiseResident.error = largestDifference(rms, truth.rms(silent));
        truth.setRms(rms, silent);
        peaks.error = peaksResident.error =
            shareThatDiffers(found, truth.maxima(kThreshold, silent));
    }
    host.show(noise);
    if (!cpu) host.show(noiseResident);
    host.show(peaks);
    if (!cpu) host.show(peaksResident);
}

}  // namespace

void benchSources(const BenchSettings& settings, BenchHost& host) {
    const int64_t pixels = pixelCount(settings.nside);
    requireMemory("sources", pixels * 100);
    const double pixel = std::sqrt(4.0 * kPi / static_cast<double>(pixels));
    // At least three pixels: a filter needs a beam that the map samples.
    const double fwhm = std::max(settings.fwhm, 3.0 * pixel);
    const auto map = std::make_shared<const HealpixMap>(randomSky(settings.nside));
    benchMaxima(benchFilter(map, fwhm, settings, host), fwhm, settings, host);
}

}  // namespace armilla::cli
