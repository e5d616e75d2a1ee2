// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/filter_windows.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "armilla/ops/spectrum.h"
#include "shared/new_alm.h"
#include "sources/sky_cells.h"

namespace armilla::sources {

namespace {

constexpr double kStepsPerBeam = 16.0, kBeams = 6.0;
// Radial tables: cubic between steps of a fiftieth of the beam, error 1e-7 of the peak.
constexpr double kTableStepsPerBeam = 50.0, kTableBeams = 12.0;

// Window of a profile by angle, normalized to 1 at l = 0.
std::vector<double> windowOf(std::vector<double> value, double step, int lmax, JobContext& job) {
    RadialKernel kernel;
    kernel.value = std::move(value);
    for (size_t i = 0; i < kernel.value.size(); ++i)
        kernel.angle.push_back(std::min(kPi, static_cast<double>(i) * step));
    while (kernel.angle.size() > 2 && kernel.angle[kernel.angle.size() - 2] >= kPi) {
        kernel.angle.pop_back();
        kernel.value.pop_back();
    }
    JobContext silent(job.stopToken(), {}, job.threads());
    return beamFromKernel(kernel, lmax, silent).bl[0];
}

std::vector<double> profileValues(std::span<const double> gl, double fwhm) {
    const double step = fwhm / kStepsPerBeam;
    std::vector<double> angles;
    for (double a = 0.0; a < std::min(kPi, kBeams * fwhm); a += step) angles.push_back(a);
    return kernelProfile(gl, angles);
}

RadialProfile tableOf(std::vector<double> gl, const PointBeam& beam) {
    const double fwhm = beam.fwhm();
    for (double& g : gl) g *= beam.enlargedSolidAngle();
    return {gl, kTableBeams * fwhm, fwhm / kTableStepsPerBeam, beam.enlargement};
}

}  // namespace

void applyFilter(const Alm& alm, std::span<const double> fl, Alm& result, JobContext& job) {
    if (result.lmax() != alm.lmax()) result = newAlm(alm.lmax(), alm.mmax(), job);
    const int lmax = alm.lmax(), last = static_cast<int>(fl.size()) - 1;
    parallelFor(job, lmax + 1, orderGrain(lmax), [&](long long begin, long long end) {
        for (int m = static_cast<int>(begin); m < end; ++m)
            for (int l = m; l <= lmax; ++l)
                result(l, m) = l <= last ? fl[static_cast<size_t>(l)] * alm(l, m) : 0.0;
    });
}

std::vector<double> squaredWindow(const PointFilter& filter, double fwhm, int lmax,
                                  JobContext& job) {
    const double enlarged = fwhm * filter.enlargement;
    std::vector<double> f = profileValues(filter.fl, enlarged);
    for (double& v : f) v *= v;
    return windowOf(std::move(f), enlarged / kStepsPerBeam, lmax, job);
}

std::vector<double> responseWindow(const PointFilter& filter, const PointBeam& beam, int lmax,
                                   JobContext& job) {
    const double fwhm = beam.fwhm() * beam.enlargement;
    std::vector<double> f = profileValues(filter.fl, fwhm);
    const std::vector<double> b = profileValues(beam.bl, fwhm);
    for (size_t i = 0; i < f.size(); ++i) f[i] = std::abs(f[i] * b[i]);
    return windowOf(std::move(f), fwhm / kStepsPerBeam, lmax, job);
}

double squaredIntegral(const PointFilter& filter) {
    double squares = 0.0;
    for (size_t l = 0; l < filter.fl.size(); ++l)
        squares += (2.0 * static_cast<double>(l) + 1.0) / (4.0 * kPi) * filter.fl[l] * filter.fl[l];
    return squares;
}

RadialProfile profileOf(const PointBeam& beam) {
    return tableOf(beam.bl, beam);
}

RadialProfile responseOf(const PointFilter& filter, const PointBeam& beam) {
    std::vector<double> product(std::min(filter.fl.size(), beam.bl.size()));
    for (size_t l = 0; l < product.size(); ++l) product[l] = filter.fl[l] * beam.bl[l];
    return tableOf(std::move(product), beam);
}

double skyVariance(std::span<const double> filtered, std::span<const double> noiseVariance) {
    std::vector<std::pair<double, double>> some;  // variance of noise, value
    const size_t stride = std::max<size_t>(1, filtered.size() / 200000);
    for (size_t p = 0; p < filtered.size(); p += stride)
        if (std::isfinite(filtered[p])) some.emplace_back(noiseVariance[p], filtered[p]);
    std::sort(some.begin(), some.end());
    some.resize((some.size() + 3) / 4);
    std::vector<double> values;
    double expected = 0.0;
    for (const auto& [variance, value] : some) {
        values.push_back(value);
        expected += variance / static_cast<double>(some.size());
    }
    const double rms = clippedRms(values, 2);
    return std::isfinite(rms) ? std::max(0.0, rms * rms - expected) : 0.0;
}

}  // namespace armilla::sources
