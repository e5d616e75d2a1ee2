// SPDX-License-Identifier: GPL-3.0-or-later
// Gridding cases and their reference values, for every device.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "armilla/core/sky_vector.h"
#include "armilla/ops/grid.h"

namespace armilla::test {

// Samples in the form of a table, in degrees.
struct SampleTable {
    std::vector<double> lon, lat, weights, values;
    int64_t width = 1;

    GridSamples samples() const {
        return {.lon = lon, .lat = lat, .lonUnit = kDegree, .latUnit = kDegree, .weights = weights};
    }
    GridValues column() const { return {std::span<const double>(values), width}; }
};

// Offsets in a square around a center, on the sphere: the square is rotated from the pole to the
// center.
inline LonLat nearTo(LonLat center, double east, double north) {
    const Vec3 v =
        normalized({-north, east, std::sqrt(std::max(0.0, 1 - north * north - east * east))});
    const double colatitude = kHalfPi - center.lat, c = std::cos(colatitude),
                 s = std::sin(colatitude);
    const Vec3 tilted{v.x * c + v.z * s, v.y, v.z * c - v.x * s};
    const double cl = std::cos(center.lon), sl = std::sin(center.lon);
    return lonLat({tilted.x * cl - tilted.y * sl, tilted.x * sl + tilted.y * cl, tilted.z});
}

inline SampleTable randomSamples(int count, LonLat center, double halfSide, unsigned seed,
                                 int64_t width = 1) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> offset(-halfSide, halfSide);
    std::normal_distribution<double> value(1.0, 2.0);
    SampleTable table;
    table.width = width;
    for (int i = 0; i < count; ++i) {
        const double east = offset(random), north = offset(random);
        const LonLat at = nearTo(center, east, north);
        table.lon.push_back(at.lon / kDegree);
        table.lat.push_back(at.lat / kDegree);
        for (int64_t c = 0; c < width; ++c) table.values.push_back(value(random));
    }
    return table;
}

inline std::vector<Vec3> squareOfCells(int side, LonLat center, double halfSide) {
    std::vector<Vec3> cells;
    for (int j = 0; j < side; ++j)
        for (int i = 0; i < side; ++i)
            cells.push_back(direction(nearTo(center, halfSide * (2.0 * i / (side - 1) - 1.0),
                                             halfSide * (2.0 * j / (side - 1) - 1.0))));
    return cells;
}

// J1(x) by its power series: x up to 20 here, where it loses 8 of 19 digits.
inline long double besselJ1(long double x) {
    long double term = x / 2, sum = term;
    for (int k = 1; k < 80; ++k) {
        term *= -x * x / (4.0L * k * (k + 1));
        sum += term;
    }
    return sum;
}

// The kernels of armilla/ops/grid.h, implemented independently.
inline long double kernelTruth(const GridKernel& kernel, long double r, long double bearing) {
    const long double pi = 3.14159265358979323846264338327950288L;
    const long double eightLog2 = 8.0L * std::log(2.0L);
    const auto gauss = [&](long double x, long double fwhm) {
        return std::exp(-x * x * eightLog2 / (2 * fwhm * fwhm));
    };
    const long double x = pi * r / (1.55L * kernel.beam / 3), y = r / (2.52L * kernel.beam / 3);
    switch (kernel.kind) {
        case GridKernelKind::Gaussian: return gauss(r, kernel.fwhm);
        case GridKernelKind::Gaussian2d:
            return gauss(r * std::cos(bearing - kernel.angle), kernel.fwhm) *
                   gauss(r * std::sin(bearing - kernel.angle), kernel.minorFwhm);
        case GridKernelKind::TaperedSinc:
            return (x == 0 ? 1.0L : std::sin(x) / x) * std::exp(-y * y);
        case GridKernelKind::BesselGauss:
            return (x == 0 ? 1.0L : besselJ1(x) / (x / 2)) * std::exp(-y * y);
        case GridKernelKind::Nearest: return 1.0L;
    }
    return 0.0L;
}

struct GridTruth {
    std::vector<double> values, weights;
    std::vector<int64_t> counts;
    // Samples so near the border of a radius that rounding decides.
    int64_t doubtful = 0;
};

// Every sample with every cell, in extended precision.
inline GridTruth gridTruth(const SampleTable& table, const std::vector<Vec3>& cells,
                           const GridKernel& kernel, int64_t channel = 0,
                           const Mat3& turn = Mat3{}) {
    using Long = long double;
    struct LongVec {
        Long x, y, z;
    };
    const Long degree = 3.14159265358979323846264338327950288L / 180;
    std::vector<LongVec> at;
    for (size_t i = 0; i < table.lon.size(); ++i) {
        const Long lon = table.lon[i] * degree, lat = table.lat[i] * degree;
        const Long x = std::cos(lat) * std::cos(lon), y = std::cos(lat) * std::sin(lon),
                   z = std::sin(lat);
        at.push_back({turn.m[0] * x + turn.m[1] * y + turn.m[2] * z,
                      turn.m[3] * x + turn.m[4] * y + turn.m[5] * z,
                      turn.m[6] * x + turn.m[7] * y + turn.m[8] * z});
    }
    const double radius = kernel.radius > 0.0 ? kernel.radius : defaultRadius(kernel);
    GridTruth truth;
    for (const Vec3& cell : cells) {
        const Long length =
            std::sqrt(Long(cell.x) * cell.x + Long(cell.y) * cell.y + Long(cell.z) * cell.z);
        const LongVec d{cell.x / length, cell.y / length, cell.z / length};
        const Long s = std::sqrt(d.x * d.x + d.y * d.y);
        const Long cl = s > 0 ? d.x / s : 1, sl = s > 0 ? d.y / s : 0;
        Long sum = 0, weights = 0, least = std::numeric_limits<Long>::infinity();
        int64_t count = 0;
        std::vector<std::pair<Long, size_t>> near;
        for (size_t i = 0; i < at.size(); ++i) {
            const double value =
                table.values[i * static_cast<size_t>(table.width) + static_cast<size_t>(channel)];
            const double weight = table.weights.empty() ? 1.0 : table.weights[i];
            if (!std::isfinite(value) || !std::isfinite(weight) || !std::isfinite(at[i].x))
                continue;
            // Distant samples are decided in double precision.
            const double fx = static_cast<double>(at[i].x) - cell.x,
                         fy = static_cast<double>(at[i].y) - cell.y,
                         fz = static_cast<double>(at[i].z) - cell.z;
            if (fx * fx + fy * fy + fz * fz > 1.001 * radius * radius) continue;
            const LongVec o{at[i].x - d.x, at[i].y - d.y, at[i].z - d.z};
            const Long chord = std::sqrt(o.x * o.x + o.y * o.y + o.z * o.z);
            const Long r = 2 * std::asin(std::min<Long>(1, chord / 2));
            if (std::abs(r - radius) < 1e-15L) ++truth.doubtful;
            if (r > radius) continue;
            ++count;
            const Long north = s * o.z - d.z * (cl * o.x + sl * o.y), east = cl * o.y - sl * o.x;
            near.emplace_back(r, i);
            least = std::min(least, r);
            if (kernel.kind == GridKernelKind::Nearest) continue;
            const Long w = weight * kernelTruth(kernel, r, std::atan2(east, north));
            sum += w * value;
            weights += w;
        }
        if (kernel.kind == GridKernelKind::Nearest)
            for (const auto& [r, i] : near)
                if (r <= least * (1 + 1e-9L)) {
                    const double weight = table.weights.empty() ? 1.0 : table.weights[i];
                    sum += weight * table.values[i * static_cast<size_t>(table.width) +
                                                 static_cast<size_t>(channel)];
                    weights += weight;
                }
        truth.values.push_back(count > 0 && weights != 0
                                   ? static_cast<double>(sum / weights)
                                   : std::numeric_limits<double>::quiet_NaN());
        truth.weights.push_back(static_cast<double>(weights));
        truth.counts.push_back(count);
    }
    return truth;
}

// Limit for gridded values, relative to the largest value. A distance r errs by the rounding of
// unit vectors, some 2e-16 rad, so the exponent r^2 / 2 s^2 of a Gaussian by 2e-16 r / s^2. At r =
// 3 s and s = fwhm / 2.35 that is 1.4e-15 / fwhm, 3.3e-13 for 0.25 degrees. The limit is three
// times that, for sums of either sign and the rounding of n terms.
inline double gridLimit(double fwhm) {
    return 1e-12 * std::max(1.0, 0.25 * kDegree / fwhm);
}

// The largest |found - truth| relative to the largest |truth|; infinite if only one of both is NaN.
inline double gridError(std::span<const double> found, const std::vector<double>& truth) {
    if (found.size() != truth.size()) return INFINITY;
    double worst = 0.0, largest = 0.0;
    for (size_t i = 0; i < truth.size(); ++i) {
        if (std::isnan(truth[i]) != std::isnan(found[i])) return INFINITY;
        if (std::isnan(truth[i])) continue;
        worst = std::max(worst, std::abs(found[i] - truth[i]));
        largest = std::max(largest, std::abs(truth[i]));
    }
    return largest > 0.0 ? worst / largest : worst;
}

struct GridCase {
    std::string name;
    SampleTable table;
    std::vector<Vec3> cells;
    GridKernel kernel;
    Mat3 turn{};
};

inline std::vector<GridCase> gridCases() {
    const double arcmin = kArcmin;
    using Kind = GridKernelKind;
    std::vector<GridCase> cases;
    const auto add = [&](const std::string& name, LonLat center, double halfSide, int samples,
                         const GridKernel& kernel) {
        const auto seed = static_cast<unsigned>(cases.size() + 1);
        cases.push_back({name, randomSamples(samples, center, halfSide, seed),
                         squareOfCells(17, center, 1.1 * halfSide), kernel});
    };
    const LonLat field{60 * kDegree, 30 * kDegree};
    const double side = 1.0 * kDegree;
    add("gaussian", field, side, 3000, {.fwhm = 10 * arcmin});
    add("gaussian across longitude 0", {0.0, -50 * kDegree}, side, 3000, {.fwhm = 10 * arcmin});
    add("gaussian at longitude 90", {kHalfPi, 41.8 * kDegree}, side, 3000, {.fwhm = 10 * arcmin});
    add("gaussian at the north pole", {0.3, kHalfPi}, side, 3000, {.fwhm = 10 * arcmin});
    add("gaussian at the south pole", {0.3, -kHalfPi}, side, 3000, {.fwhm = 10 * arcmin});
    add("gaussian beside a pole", {4.0, 89.5 * kDegree}, side, 3000, {.fwhm = 20 * arcmin});
    add("gaussian of 5 sigma", field, side, 3000,
        {.fwhm = 10 * arcmin, .radius = 5 * 10 * arcmin / 2.354820045});
    add("gaussian, narrow", field, 20 * kArcsec, 2000, {.fwhm = 5 * kArcsec});
    add("gaussian, sparse", field, side, 40, {.fwhm = 10 * arcmin});
    add("gaussian, wide", field, 25 * kDegree, 2000, {.fwhm = 8 * kDegree});
    add("gaussian, very wide", {2.0, 80 * kDegree}, 40 * kDegree, 2000,
        {.fwhm = 40 * kDegree, .radius = 85 * kDegree});
    for (const auto& [where, center] : {std::pair<std::string, LonLat>{"", field},
                                        {" across longitude 0", {0.0, 70 * kDegree}},
                                        {" at the north pole", {0.0, kHalfPi}}}) {
        add("gaussian2d" + where, center, side, 3000,
            {.kind = Kind::Gaussian2d,
             .fwhm = 20 * arcmin,
             .minorFwhm = 8 * arcmin,
             .angle = 35 * kDegree});
        add("tapered-sinc" + where, center, side, 3000,
            {.kind = Kind::TaperedSinc, .beam = 12 * arcmin});
        add("bessel-gauss" + where, center, side, 3000,
            {.kind = Kind::BesselGauss, .beam = 12 * arcmin});
        add("nearest" + where, center, side, 3000, {.kind = Kind::Nearest, .radius = 6 * arcmin});
    }
    add("gaussian2d, wide", {1.0, 0.2}, 40 * kDegree, 2000,
        {.kind = Kind::Gaussian2d,
         .fwhm = 40 * kDegree,
         .minorFwhm = 20 * kDegree,
         .angle = -1.0,
         .radius = 70 * kDegree});
    add("tapered-sinc of 3 beams", field, side, 3000,
        {.kind = Kind::TaperedSinc, .beam = 8 * arcmin, .radius = 24 * arcmin});
    add("bessel-gauss of 3 beams", field, side, 3000,
        {.kind = Kind::BesselGauss, .beam = 8 * arcmin, .radius = 24 * arcmin});

    // Weights, some of them 0 or missing; bad values; missing positions.
    GridCase weighted = cases[1];
    weighted.name = "weights, bad values and positions";
    std::mt19937_64 random(99);
    std::uniform_real_distribution<double> uniform(0.0, 3.0);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (size_t i = 0; i < weighted.table.lon.size(); ++i) {
        weighted.table.weights.push_back(i % 11 == 0 ? 0.0 : i % 13 == 0 ? nan : uniform(random));
        if (i % 7 == 0) weighted.table.values[i] = nan;
        if (i % 101 == 0) weighted.table.values[i] = INFINITY;
        if (i % 17 == 0) weighted.table.lat[i] = nan;
        if (i % 19 == 0) weighted.table.lon[i] -= 360.0;
    }
    cases.push_back(weighted);
    for (size_t i = 0; i < weighted.table.weights.size(); i += 13)
        if (i % 11 != 0) weighted.table.weights[i] = nan;
    weighted.name = "nearest with weights";
    weighted.kernel = {.kind = Kind::Nearest, .radius = 9 * arcmin};
    cases.push_back(weighted);

    GridCase turned = cases[0];
    turned.name = "another frame";
    turned.turn = frameRotation(Frame::Galactic, Frame::Equatorial);
    for (Vec3& cell : turned.cells) cell = turned.turn * cell;
    cases.push_back(turned);
    turned.name = "another frame, gaussian2d";
    turned.kernel = {.kind = Kind::Gaussian2d,
                     .fwhm = 20 * arcmin,
                     .minorFwhm = 8 * arcmin,
                     .angle = 35 * kDegree};
    cases.push_back(turned);

    // Many more samples than a block of a sort holds, in scans.
    GridCase scans;
    scans.name = "scans";
    for (int i = 0; i < 60000; ++i) {
        const double t = i % 300 / 150.0 - 1.0;
        scans.table.lon.push_back(60.0 + (i / 300 % 2 ? t : -t));
        scans.table.lat.push_back(30.0 + 0.01 * (i / 300 - 100));
        scans.table.values.push_back(std::sin(0.01 * i) + 3.0);
    }
    scans.cells = squareOfCells(9, field, side);
    scans.kernel = {.fwhm = 4 * arcmin};
    cases.push_back(scans);
    return cases;
}

}  // namespace armilla::test
