// SPDX-License-Identifier: GPL-3.0-or-later
// A synthetic sky of three components that resembles the microwave sky; no part is fitted to data.
#include "armilla/ops/sample_sky.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/gaussian.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/ops/sht.h"
#include "armilla/ops/spectrum.h"
#include "sample_sky/sample_fields.h"
#include "shared/philox.h"

namespace armilla {

namespace {

constexpr uint64_t kCmbSeed = 20091, kCloudSeed = 20092, kFilamentSeed = 20093, kSourceSeed = 20094;
constexpr int kSources = 220;
constexpr double kBeam = 10.0 * kArcmin;

// l(l+1) C_l / 2 pi in square microkelvin: a plateau and five damped acoustic peaks.
double cmbBandPower(double l) {
    struct Peak {
        double place, height, width;
    };
    constexpr std::array<Peak, 5> kPeaks{
        {{220, 4700, 78}, {535, 1500, 70}, {810, 1650, 85}, {1125, 650, 80}, {1430, 550, 90}}};
    double power = 1050.0 / (1.0 + std::pow(l / 1050.0, 4.0));
    for (const Peak& peak : kPeaks)
        power += peak.height * std::exp(-0.5 * std::pow((l - peak.place) / peak.width, 2.0));
    return power;
}

// A Gaussian field of this spectrum on the RING grid.
template <typename Spectrum>
std::vector<double> randomField(int64_t nside, int lmax, uint64_t seed, double fwhm,
                                const Spectrum& cl, JobContext& job) {
    Spectra spectra;
    for (int l = 0; l <= lmax; ++l) spectra[SpectrumKind::TT].push_back(l < 2 ? 0.0 : cl(l));
    JobContext drawing = job.part(0.0, 0.3), turning = job.part(0.3, 1.0);
    std::vector<Alm> alm = randomAlm(spectra, lmax, seed, drawing);
    applyBeam(alm, gaussianBeam(fwhm, lmax), drawing);
    std::vector<double> field(static_cast<size_t>(pixelCount(nside)));
    ShtPlan({.nside = nside, .lmax = lmax}, Device::cpu()).synthesis(alm[0], field, turning);
    return field;
}

}  // namespace

std::vector<double> clouds(int64_t nside, int lmax, uint64_t seed, double slope, double fwhm,
                           JobContext& job) {
    double variance = 0.0;
    const Beam beam = gaussianBeam(fwhm, lmax);
    for (int l = 2; l <= lmax; ++l)
        variance += (2.0 * l + 1.0) / (4.0 * kPi) * std::pow(l + 5.0, slope) *
                    std::pow(beam.bl[0][static_cast<size_t>(l)], 2.0);
    return randomField(
        nside, lmax, seed, fwhm, [&](int l) { return std::pow(l + 5.0, slope) / variance; }, job);
}

namespace {

// Smooth emission of the plane in microkelvin: a thin bright disc in a thick faint one, brighter
// toward the center.
double planeBrightness(Vec3 v) {
    const double sine = std::abs(v.z);
    const double across = std::hypot(v.x, v.y);
    const double towardCenter = across > 0.0 ? v.x / across : 0.0;
    const double inner = std::exp(2.2 * (towardCenter - 1.0));
    const double thick = 9.0 / std::sqrt(sine * sine + 0.06 * 0.06);
    const double thin = 1000.0 * (0.22 + 0.78 * inner) / (1.0 + std::pow(sine / 0.028, 2.0));
    return thick * (0.55 + 0.75 * inner) + thin;
}

void addForeground(int64_t nside, const std::vector<double>& cloud,
                   const std::vector<double>& filament, std::vector<double>& sky, JobContext& job) {
    parallelFor(
        job, static_cast<long long>(sky.size()), 1 << 15, [&](long long begin, long long end) {
            for (long long p = begin; p < end; ++p) {
                const auto i = static_cast<size_t>(p);
                // Ridges at the zero crossings of a second field resemble filaments.
                const double ridge = std::exp(-std::abs(filament[i]) / 0.22);
                const double texture = std::exp(0.8 * cloud[i] - 0.32) * (0.7 + 1.1 * ridge);
                sky[i] += planeBrightness(directionFromRing(nside, p)) * texture;
            }
        });
}

}  // namespace

// Every third source lies along the plane; fluxes are log-normal.
std::vector<SampleSource> microwaveSources() {
    std::vector<SampleSource> result;
    for (uint32_t i = 0; i < kSources; ++i) {
        const auto place = uniformPair({i, 0, 0, 0}, kSourceSeed);
        const auto height = normalPair({i, 1, 0, 0}, kSourceSeed);
        const auto flux = normalPair({i, 2, 0, 0}, kSourceSeed);
        const bool inPlane = i % 3 == 0;
        const double lat = inPlane ? 2.5 * kDegree * height[0] : std::asin(2.0 * place[1] - 1.0);
        result.push_back({{kTwoPi * place[0], lat}, 420.0 * std::exp(0.9 * flux[0])});
    }
    return result;
}

void addGaussians(int64_t nside, const std::vector<SampleSource>& sources, double beam,
                  std::vector<double>& sky, JobContext& job) {
    const double pixel = std::sqrt(4.0 * kPi / static_cast<double>(pixelCount(nside)));
    const double fwhm = std::max(beam, 1.5 * pixel);
    const double sigma = fwhm / kFwhmOfSigma;
    for (const SampleSource& source : sources) {
        job.poll();
        const Vec3 center = direction(source.place);
        for (const PixelRange& range : queryDisc(nside, Ordering::Ring, center, 4.0 * sigma))
            for (int64_t p = range.begin; p < range.end; ++p) {
                const double angle = angularDistance(center, directionFromRing(nside, p)) / sigma;
                sky[static_cast<size_t>(p)] += source.peak * std::exp(-0.5 * angle * angle);
            }
    }
}

void checkSampleNside(int64_t nside) {
    if (nside < 1 || nside > kMaxSampleSkyNside)
        throw InvalidArgument("expected nside from 1 to " + std::to_string(kMaxSampleSkyNside) +
                              " for the sample sky, found " + std::to_string(nside));
}

HealpixMap sampleSky(int64_t nside, JobContext& job) {
    checkSampleNside(nside);
    const int lmax = static_cast<int>(std::min<int64_t>(2 * nside, 2000));
    const int cloudLmax = static_cast<int>(std::min<int64_t>(2 * nside, 700));
    JobContext cmb = job.part(0.0, 0.4), cloud = job.part(0.4, 0.6), ridge = job.part(0.6, 0.8);
    JobContext rest = job.part(0.8, 1.0);
    std::vector<double> sky = randomField(
        nside, lmax, kCmbSeed, kBeam,
        [](int l) { return kTwoPi * cmbBandPower(l) / (l * (l + 1.0)); }, cmb);
    const std::vector<double> clouded =
        clouds(nside, cloudLmax, kCloudSeed, -2.9, 0.4 * kDegree, cloud);
    const std::vector<double> filaments =
        clouds(nside, cloudLmax, kFilamentSeed, -2.6, 0.4 * kDegree, ridge);
    addForeground(nside, clouded, filaments, sky, rest);
    addGaussians(nside, microwaveSources(), kBeam, sky, rest);
    HealpixMap map(
        nside, Ordering::Ring, Frame::Galactic,
        {{"TEMPERATURE", "uK_CMB", DiskType::Float32, std::vector<float>(sky.begin(), sky.end())}});
    map.metadata().object = "FULLSKY";
    map.metadata().extensionName = "SAMPLE SKY";
    map.metadata().history = {"sample sky, simulated: no data of a real instrument"};
    rest.report(1.0, "sample sky");
    return map;
}

}  // namespace armilla
