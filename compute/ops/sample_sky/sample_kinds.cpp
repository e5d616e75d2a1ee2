// SPDX-License-Identifier: GPL-3.0-or-later
// Simulated skies of other kinds than the microwave sky; no part is fitted to data.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/ops/sample_sky.h"
#include "sample_sky/sample_fields.h"
#include "shared/philox.h"

namespace armilla {

namespace {

constexpr uint64_t kSourceSeed = 20095, kNoiseSeed = 20096, kRadioSeed = 20097, kScanSeed = 20098;
constexpr long long kGrain = 1 << 15;  // pixels of one share of work

constexpr int kSources = 400;
constexpr double kSourceBeam = 30.0 * kArcmin;
constexpr double kNoise = 20.0, kFaintest = 60.0, kBrightest = 6000.0;  // microkelvin
constexpr double kSourceSlope = 1.5;                                    // N(> S) ~ S^-1.5

constexpr double kRadioBeam = 20.0 * kArcmin;
constexpr double kRadioMean = 8.0;  // kelvin

// The square of the scans, and distances of scans and of samples.
constexpr LonLat kScanCenter{180.0 * kDegree, 30.0 * kDegree};
constexpr int kScans = 81, kSamplesOfScan = 161;
constexpr double kScanStep = 0.1 * kDegree, kSampleStep = 0.05 * kDegree;
constexpr double kScanNoise = 0.05;  // relative to the rms in the square

std::vector<SampleSource> isolatedSources() {
    std::vector<SampleSource> result;
    for (uint32_t i = 0; i < kSources; ++i) {
        const auto place = uniformPair({i, 0, 0, 0}, kSourceSeed);
        const auto flux = uniformPair({i, 1, 0, 0}, kSourceSeed);
        const double peak =
            std::min(kBrightest, kFaintest * std::pow(flux[0], -1.0 / kSourceSlope));
        result.push_back({{kTwoPi * place[0], std::asin(2.0 * place[1] - 1.0)}, peak});
    }
    return result;
}

// Noise depends on the direction of a pixel only by its number, so that threads do not matter.
std::vector<double> sourceSky(int64_t nside, JobContext& job) {
    std::vector<double> sky(static_cast<size_t>(pixelCount(nside)));
    JobContext noise = job.part(0.0, 0.5), rest = job.part(0.5, 1.0);
    parallelFor(
        noise, static_cast<long long>(sky.size()), kGrain, [&](long long begin, long long end) {
            for (long long p = begin; p < end; ++p) {
                const auto pixel = static_cast<uint64_t>(p);
                const auto draw = normalPair(
                    {static_cast<uint32_t>(pixel), static_cast<uint32_t>(pixel >> 32), 0, 0},
                    kNoiseSeed);
                sky[static_cast<size_t>(p)] = kNoise * draw[0];
            }
        });
    addGaussians(nside, isolatedSources(), kSourceBeam, sky, rest);
    return sky;
}

std::vector<double> radioSky(int64_t nside, JobContext& job) {
    const int lmax = static_cast<int>(std::min<int64_t>(2 * nside, 1400));
    std::vector<double> sky = clouds(nside, lmax, kRadioSeed, -2.7, kRadioBeam, job);
    for (double& value : sky) value = kRadioMean * std::exp(0.8 * value);
    return sky;
}

// A circle of constant delay between two detectors, brighter on two arcs of it.
std::vector<double> probabilitySky(int64_t nside, JobContext& job) {
    const Vec3 axis = direction({2.1, 0.35});
    constexpr double kRadius = 62.0 * kDegree, kWidth = 2.2 * kDegree;
    // Axes of the plane of the circle, to measure the angle along it.
    const Vec3 across = normalized(cross(axis, Vec3{0.0, 0.0, 1.0})), along = cross(axis, across);
    constexpr double kArcs[] = {0.6, 3.9}, kLengths[] = {0.35, 0.55}, kShares[] = {1.0, 0.45};
    std::vector<double> sky(static_cast<size_t>(pixelCount(nside)));
    // A coarse pixel would fall between the arcs.
    const double width = std::max(kWidth, 2.0 * maximumPixelRadius(nside));
    parallelFor(
        job, static_cast<long long>(sky.size()), kGrain, [&](long long begin, long long end) {
            for (long long p = begin; p < end; ++p) {
                const Vec3 v = directionFromRing(nside, p);
                const double off = (angularDistance(axis, v) - kRadius) / width;
                const double place = std::atan2(dot(v, along), dot(v, across));
                double density = 0.0;
                for (int arc = 0; arc < 2; ++arc) {
                    const double turn = std::remainder(place - kArcs[arc], kTwoPi) / kLengths[arc];
                    density += kShares[arc] * std::exp(-0.5 * turn * turn);
                }
                sky[static_cast<size_t>(p)] = density * std::exp(-0.5 * off * off);
            }
        });
    double sum = 0.0;
    for (const double value : sky) sum += value;
    for (double& value : sky) value /= sum;
    return sky;
}

HealpixMap mapOf(int64_t nside, Frame frame, const char* name, const char* unit,
                 const std::vector<double>& sky) {
    HealpixMap map(nside, Ordering::Ring, frame,
                   {{name, unit, DiskType::Float32, std::vector<float>(sky.begin(), sky.end())}});
    map.metadata().object = "FULLSKY";
    map.metadata().extensionName = "SAMPLE SKY";
    map.metadata().history = {"sample sky, simulated: no data of a real instrument"};
    return map;
}

TableColumn column(const char* name, const char* unit, const char* ucd,
                   std::vector<double> values) {
    TableColumn made;
    made.name = name;
    made.unit = unit;
    made.ucd = ucd;
    made.values = std::move(values);
    return made;
}

Catalog catalogOf(const char* name, Frame frame, std::vector<TableColumn> columns) {
    Catalog catalog;
    catalog.table.name = name;
    catalog.table.frame = frame;
    catalog.table.columns = std::move(columns);
    catalog.table.history = {"simulated: no data of a real instrument"};
    catalog.position = *findPositions(catalog.table);
    return catalog;
}

}  // namespace

HealpixMap sampleSky(SampleKind kind, int64_t nside, JobContext& job) {
    checkSampleNside(nside);
    switch (kind) {
        case SampleKind::Microwave: return sampleSky(nside, job);
        case SampleKind::Sources:
            return mapOf(nside, Frame::Galactic, "TEMPERATURE", "uK_CMB", sourceSky(nside, job));
        case SampleKind::Radio:
            return mapOf(nside, Frame::Equatorial, "TB", "K", radioSky(nside, job));
        case SampleKind::Probability:
            return mapOf(nside, Frame::Equatorial, "PROB", "pix-1", probabilitySky(nside, job));
    }
    return sampleSky(nside, job);
}

Catalog sampleSources(SampleKind kind) {
    if (kind != SampleKind::Microwave && kind != SampleKind::Sources)
        throw InvalidArgument("expected a sample sky with point sources, found one without");
    TableColumn names;
    names.name = "NAME";
    names.ucd = "meta.id;meta.main";
    std::vector<std::string> words;
    std::vector<double> lon, lat, peak;
    for (const SampleSource& source :
         kind == SampleKind::Microwave ? microwaveSources() : isolatedSources()) {
        char word[16];
        std::snprintf(word, sizeof word, "S%03d", static_cast<int>(words.size()) + 1);
        words.emplace_back(word);
        lon.push_back(source.place.lon / kDegree);
        lat.push_back(source.place.lat / kDegree);
        peak.push_back(source.peak);
    }
    names.values = std::move(words);
    return catalogOf("SAMPLE SOURCES", Frame::Galactic,
                     {std::move(names), column("GLON", "deg", "pos.galactic.lon", std::move(lon)),
                      column("GLAT", "deg", "pos.galactic.lat", std::move(lat)),
                      column("PEAK", "uK_CMB", "phot.flux.density", std::move(peak))});
}

Catalog sampleScans(const HealpixMap& map, JobContext& job) {
    std::vector<double> lon, lat, values;
    const Interpolator interpolator(map.nside(), map.ordering());
    // A position in the square: steps along the scan and from scan to scan.
    const auto add = [&](double x, double y) {
        const LonLat at{kScanCenter.lon + x / std::cos(kScanCenter.lat), kScanCenter.lat + y};
        const Interpolation around = interpolator(direction(at));
        double value = 0.0;
        for (size_t i = 0; i < around.pixels.size(); ++i)
            value += around.weights[i] * map.value(0, around.pixels[i]);
        lon.push_back(at.lon / kDegree);
        lat.push_back(at.lat / kDegree);
        values.push_back(value);
    };
    for (const bool isRow : {true, false})
        for (int scan = 0; scan < kScans; ++scan) {
            job.poll();
            const double off = (scan - kScans / 2) * kScanStep;
            for (int i = 0; i < kSamplesOfScan; ++i) {
                const double on = (i - kSamplesOfScan / 2) * kSampleStep;
                isRow ? add(on, off) : add(off, on);
            }
        }
    double mean = 0.0, square = 0.0;
    for (const double value : values) mean += value / static_cast<double>(values.size());
    for (const double value : values)
        square += (value - mean) * (value - mean) / static_cast<double>(values.size());
    const double noise = kScanNoise * std::sqrt(square);
    for (size_t i = 0; i < values.size(); ++i)
        values[i] += noise * normalPair({static_cast<uint32_t>(i), 0, 0, 0}, kScanSeed)[0];
    return catalogOf(
        "SAMPLE SCANS", Frame::Equatorial,
        {column("RA", "deg", "pos.eq.ra", std::move(lon)),
         column("DEC", "deg", "pos.eq.dec", std::move(lat)),
         column("TB", map.field(0).unit.c_str(), "phot.antennaTemp", std::move(values))});
}

}  // namespace armilla
