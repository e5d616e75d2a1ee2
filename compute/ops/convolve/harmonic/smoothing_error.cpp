// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/harmonic/smoothing_error.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "armilla/core/sky_vector.h"
#include "armilla/ops/device.h"
#include "armilla/ops/spectrum.h"

namespace armilla {

namespace {

constexpr int64_t kModelNside = 32, kModelRows = 96;
constexpr uint64_t kSeed = 1;  // arbitrary; fixed, so that a report is reproducible

double modes(size_t l) {
    return 2.0 * static_cast<double>(l) + 1.0;
}

double beamAt(std::span<const double> bl, size_t l) {
    return l < bl.size() ? bl[l] : 0.0;
}

// The grid `ratio` times coarser.
RingGrid coarser(const RingRows& rows, double ratio, int64_t count) {
    RingRows model = rows;
    model.rows = count;
    model.columns = std::max<int64_t>(1, std::llround(static_cast<double>(rows.columns) / ratio));
    return model.grid();
}

}  // namespace

double smoothingError(const SmoothingErrorInput& input, JobContext& job) {
    const ShtParameters& p = input.transform;
    if (!(input.meanSquare > 0.0) || input.cl.empty()) return 0.0;
    double inBand = 0.0, lastTenth = 0.0;
    for (size_t l = 0; l < input.cl.size(); ++l) {
        const double power = modes(l) * input.cl[l] / (4.0 * kPi);
        inBand += power;
        if (10 * l >= 9 * input.cl.size()) lastTenth += power;
    }
    // The spectrum in units of the model's pixels: power moves to l nside_model / nside.
    ShtParameters model = p;
    const int64_t size = input.rows ? input.rows->rows : p.nside;
    const int64_t modelSize = std::min(size, input.rows ? kModelRows : kModelNside);
    const double ratio = static_cast<double>(size) / static_cast<double>(modelSize);
    const RingGrid grid =
        input.rows ? coarser(*input.rows, ratio, modelSize) : RingGrid::healpix(modelSize);
    if (!input.rows) model.nside = modelSize;
    const auto planFor = [&](const ShtParameters& parameters) {
        return input.rows ? ShtPlan(grid, parameters, Device::cpu(), job)
                          : ShtPlan(parameters, Device::cpu());
    };
    const auto scaled = [&](size_t l) {
        return static_cast<size_t>(static_cast<double>(l) / ratio);
    };
    model.lmax = static_cast<int>(scaled(static_cast<size_t>(p.lmax)));
    model.mmax = -1;
    const size_t band = static_cast<size_t>(model.lmax) + 1;
    const size_t all = std::max(band, static_cast<size_t>(input.rows ? modelSize : 3 * modelSize));
    Spectra spectra;
    std::vector<double>& cl = spectra[SpectrumKind::TT];
    cl.assign(all, 0.0);
    // Only the monopole maps to l = 0 in the model: weights that are not exact for a monopole have
    // their largest error there.
    for (size_t l = 0; l < input.cl.size(); ++l)
        cl[std::min(l == 0 ? 0 : std::max<size_t>(1, scaled(l)), band - 1)] +=
            modes(l) * input.cl[l];
    for (size_t l = 0; l < band; ++l) cl[l] /= modes(l);
    double beyond = 0.0;
    for (size_t l = band; l < all; ++l) beyond += modes(l);
    const double rest = std::max(0.0, input.meanSquare - inBand);
    for (size_t l = band; l < all; ++l) cl[l] = 4.0 * kPi * rest / beyond;

    ShtParameters full = model;
    full.lmax = static_cast<int>(all) - 1;
    const Alm truth = randomAlm(spectra, full.lmax, kSeed, job).front();
    std::vector<double> map(static_cast<size_t>(grid.sampleCount()));
    planFor(full).synthesis(truth, map, job);
    const Alm found = planFor(model).analysis(map, job);
    double wrong = 0.0;
    for (int l = 0; l <= model.lmax; ++l) {
        const double b = beamAt(input.bl, static_cast<size_t>((l + 0.5) * ratio));
        double sum = 0.0;
        for (int m = 0; m <= l; ++m)
            sum += (m == 0 ? 1.0 : 2.0) * std::norm(found(l, m) - truth(l, m));
        wrong += b * b * sum / (4.0 * kPi);
    }
    const double edge = beamAt(input.bl, static_cast<size_t>(input.edge < 0 ? p.lmax : input.edge));
    const double tail = edge * edge * (rest + lastTenth);
    return std::sqrt((wrong + tail) / input.meanSquare);
}

}  // namespace armilla
