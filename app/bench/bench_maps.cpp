// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/bench_maps.h"

#include <memory>
#include <vector>

#include "armilla/core/memory_limit.h"
#include "armilla/core/unset_vector.h"
#include "armilla/ops/convolve.h"
#include "armilla/ops/device_lanes.h"
#include "armilla/ops/smooth_fields.h"
#include "armilla/ops/spectrum.h"
#include "bench/bench_sht.h"

namespace armilla::cli {

namespace {

// Every map is read once and every result written once.
BenchRow rowOf(const char* name, const BenchSettings& settings, int lmax, int passes,
               const BenchHost& host) {
    BenchRow row;
    row.name = name;
    row.nside = settings.nside;
    row.lmax = lmax;
    row.maps = settings.maps;
    row.limitSeconds = passes * settings.maps * transformFlops(settings.nside, lmax, 0) /
                       (flopsOf(host) * static_cast<double>(1 + host.device.others.size()));
    row.limitBy = "flop";
    return row;
}

}  // namespace

void benchMaps(const BenchSettings& settings, BenchHost& host) {
    const int64_t nside = settings.nside, pixels = pixelCount(nside);
    const int lmax = static_cast<int>(settings.lmax.value_or(2 * nside));
    const auto count = static_cast<size_t>(settings.maps);
    requireMemory("maps of nside " + std::to_string(nside),
                  static_cast<int64_t>(count + 4 * (1 + host.device.others.size())) * 8 * pixels);
    {
        JobContext silent = host.silentJob();
        const auto map = std::make_shared<const HealpixMap>(randomSky(nside));
        SmoothParameters parameters;
        parameters.fwhm = settings.fwhm;
        parameters.lmax = lmax;
        parameters.method = SmoothMethod::Harmonic;
        BenchRow row = rowOf("maps.smooth", settings, lmax, 2, host);
        measure(row, settings.runs, host, [&](JobContext& job) {
            smoothFields(std::vector<FieldsToSmooth>(count, {map, {0}, parameters}), host.device,
                         job);
        });
        host.show(row);
    }
    const double modes = (lmax + 1.0) * (lmax + 1.0);
    Spectra spectra;
    spectra[SpectrumKind::TT].assign(static_cast<size_t>(lmax) + 1, 4.0 * kPi / modes);
    ShtParameters parameters;
    parameters.nside = nside;
    parameters.lmax = lmax;
    const std::vector<Device> lanes = lanesOf(host.device, count, pixels);
    std::vector<std::unique_ptr<ShtPlan>> plans;
    JobContext silent = host.silentJob();
    for (const Device& device : lanes)
        plans.push_back(std::make_unique<ShtPlan>(parameters, device, silent));
    BenchRow row = rowOf("maps.synfast", settings, lmax, 1, host);
    measure(row, settings.runs, host, [&](JobContext& job) {
        std::vector<std::vector<double>> made(count);
        inLanes(job, lanes.size(), count, [&](size_t k, size_t lane, JobContext& own) {
            const std::vector<Alm> alm = randomAlm(spectra, lmax, k, own);
            made[k] = unsetVector<double>(pixels, own);
            plans[lane]->synthesis(alm.front(), MapSamples(std::span<double>(made[k])), own);
        });
    });
    host.show(row);
}

}  // namespace armilla::cli
