// SPDX-License-Identifier: GPL-3.0-or-later
// Skies with point sources for the tests of filters and of their search.
#pragma once

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/ops/filter.h"
#include "armilla/ops/sht.h"
#include "armilla/ops/sources.h"
#include "armilla/ops/spectrum.h"
#include "shared/philox.h"

namespace armilla::test {

// Unit normal deviates.
inline std::vector<double> whiteNoise(int64_t nside, uint64_t seed) {
    std::vector<double> values(static_cast<size_t>(pixelCount(nside)));
    for (size_t p = 0; p + 1 < values.size(); p += 2) {
        const auto pair = normalPair({static_cast<uint32_t>(p), 7, 7, 7}, seed);
        values[p] = pair[0];
        values[p + 1] = pair[1];
    }
    return values;
}

// l(l+1) C_l / 2 pi flat at 1000^2, with the decrease of the damping tail, as for the CMB in
// microkelvin.
inline std::vector<double> cmbSpectrum(int lmax) {
    std::vector<double> cl(static_cast<size_t>(lmax) + 1, 0.0);
    for (int l = 2; l <= lmax; ++l)
        cl[static_cast<size_t>(l)] = kTwoPi * 1000.0 / (l * (l + 1.0)) *
                                     (1.0 + 4.5 * std::exp(-std::pow((l - 220.0) / 110.0, 2)) +
                                      1.5 * std::exp(-std::pow((l - 540.0) / 130.0, 2))) *
                                     std::exp(-std::pow(l / 1400.0, 1.8));
    return cl;
}
// l^-2.7, with the rms of fluctuations at l = 100 as for the CMB.
inline std::vector<double> dustSpectrum(int lmax) {
    std::vector<double> cl(static_cast<size_t>(lmax) + 1, 0.0);
    for (int l = 2; l <= lmax; ++l) cl[static_cast<size_t>(l)] = 3.0 * std::pow(l / 100.0, -2.7);
    return cl;
}

inline std::vector<double> gaussianSky(const std::vector<double>& cl, int64_t nside, double fwhm,
                                       uint64_t seed, JobContext& job) {
    Spectra spectra;
    spectra[SpectrumKind::TT] = cl;
    const int lmax = static_cast<int>(3 * nside - 1);
    std::vector<Alm> alm = randomAlm(spectra, lmax, seed, job);
    applyBeam(alm, gaussianBeam(fwhm, lmax), job);
    std::vector<double> values(static_cast<size_t>(pixelCount(nside)));
    ShtPlan({.nside = nside, .lmax = lmax}, Device::cpu(), job)
        .synthesis(alm[0], MapSamples(std::span<double>(values)), job);
    return values;
}

// `count` random directions, none closer than `apart` to another.
inline std::vector<Vec3> randomDirections(size_t count, double apart, uint64_t seed) {
    std::vector<Vec3> directions;
    for (uint32_t i = 0; directions.size() < count; ++i) {
        const auto u = uniformPair({i, 3, 1, 4}, seed);
        const double z = 2 * u[0] - 1, s = std::sqrt(1 - z * z), phi = kTwoPi * u[1];
        const Vec3 d{s * std::cos(phi), s * std::sin(phi), z};
        if (std::none_of(directions.begin(), directions.end(),
                         [&](Vec3 e) { return dot(d, e) > std::cos(apart); }))
            directions.push_back(d);
    }
    return directions;
}

// Adds the exact Gaussian beam around each position.
inline void addGaussians(std::vector<double>& ring, int64_t nside,
                         const std::vector<PointSource>& sources, double fwhm) {
    const double sigma = fwhm / std::sqrt(8 * std::log(2.0));
    for (const PointSource& s : sources)
        for (const PixelRange& range : queryDisc(nside, Ordering::Ring, s.direction, 6.5 * sigma))
            for (int64_t p = range.begin; p < range.end; ++p) {
                const double theta = angularDistance(directionFromRing(nside, p), s.direction);
                ring[static_cast<size_t>(p)] +=
                    s.peak * std::exp(-0.5 * theta * theta / (sigma * sigma));
            }
}

inline std::shared_ptr<const HealpixMap> pointMap(int64_t nside, std::vector<double> ring) {
    Field field;
    field.name = "TEMPERATURE";
    field.unit = "uK_CMB";
    field.diskType = DiskType::Float64;
    field.values = std::move(ring);
    return std::make_shared<const HealpixMap>(
        HealpixMap(nside, Ordering::Ring, Frame::Galactic, {std::move(field)}));
}

// Noise, twenty sources and a hole, through one plan with changing shapes, beams, masks and noise
// maps: the same bits as from separate plans.
template <typename MakePlan>
void compareHistories(int64_t nside, const MakePlan& planOf, JobContext& job) {
    const double fwhm = 5 * std::sqrt(kPi / 3) / static_cast<double>(nside);
    std::vector<double> values = whiteNoise(nside, 5), depth(values.size()), mask(values.size());
    std::vector<PointSource> sources;
    for (const Vec3 d : randomDirections(20, 6 * fwhm, 2)) sources.push_back({d, 20.0});
    addGaussians(values, nside, sources, fwhm);
    for (size_t p = 0; p < values.size(); ++p) {
        const Vec3 d = directionFromRing(nside, static_cast<int64_t>(p));
        depth[p] = 1.0 + 0.5 * d.z;
        values[p] *= depth[p];
        mask[p] = d.x > 0.95 ? 0.0 : 1.0;
    }
    const auto map = pointMap(nside, values);
    FilterParameters plain;
    plain.beam = PointBeam::gaussian(fwhm);
    FilterParameters hat = plain, wide = plain, masked = plain, deep = plain, hatDeep;
    hat.shape = {FilterType::MexicanHat, 2, 1.2};
    wide.beam = PointBeam::gaussian(1.5 * fwhm);
    masked.mask = pointMap(nside, mask);
    deep.noiseMap = pointMap(nside, depth);
    hatDeep = deep;
    hatDeep.shape = hat.shape;
    FilterPlan kept = planOf(map);
    FilteredSky sky;
    const FilterParameters all[] = {plain, hat, masked, hat, wide, deep, hatDeep, plain};
    for (const FilterParameters& each : all) {
        kept.execute(each, sky, job);
        FilterPlan fresh = planOf(map);
        const FilteredSky truth = fresh.execute(each, job);
        const auto alike = [](double a, double b) { return a == b || (a != a && b != b); };
        QVERIFY(std::equal(sky.filtered.begin(), sky.filtered.end(), truth.filtered.begin(),
                           truth.filtered.end(), alike));
        QVERIFY(sky.rms == truth.rms);
        QVERIFY(sky.share == truth.share);
        QCOMPARE(sky.share.empty(), each.mask == nullptr);
        QCOMPARE(sky.refused, truth.refused);
        QCOMPARE(sky.bright.size(), truth.bright.size());
        QVERIFY(sky.filter.fl == truth.filter.fl && sky.cl == truth.cl);
    }
}

}  // namespace armilla::test
