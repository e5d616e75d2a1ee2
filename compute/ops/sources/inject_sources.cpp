// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/nan.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/ops/sources.h"
#include "shared/philox.h"
#include "sources/extraction.h"
#include "sources/sky_cells.h"
#include "sources/source_pixels.h"

namespace armilla {

namespace {

using namespace sources;

constexpr double kApart = 4.0;  // distance in FWHM between injected sources, and from existing ones
constexpr double kMatch = 0.7;  // distance in FWHM of a match between injected and found source
constexpr size_t kBins = 12;

struct Truth {
    PointSource source;
    double snr = 0.0;
};

// Pixels on which sources may lie, for images: a draw of the whole sky would miss a small one.
class Places {
public:
    explicit Places(const FilteredSky& sky) : pixels_(pixelsOf(sky)) {
        for (int64_t p = 0; pixels_.isImage() && p < pixels_.count(); ++p)
            if (std::isfinite(sky.filtered[static_cast<size_t>(p)])) {
                good_.push_back(p);
                largest_ = std::max(largest_, pixels_.area(p));
            }
    }
    // A direction, uniform on the sky, of three uniform numbers; none for a pixel that is passed
    // over because it is smaller than others.
    std::optional<Vec3> at(double u, double v, double w) const {
        if (!pixels_.isImage()) {
            const double z = 2.0 * u - 1.0, s = std::sqrt(1.0 - z * z);
            return Vec3{s * std::cos(kTwoPi * v), s * std::sin(kTwoPi * v), z};
        }
        if (good_.empty()) return std::nullopt;
        const double place = u * static_cast<double>(good_.size());
        const int64_t pixel = good_[std::min(good_.size() - 1, static_cast<size_t>(place))];
        if (w * largest_ > pixels_.area(pixel)) return std::nullopt;
        // Within the pixel: its number has used up the leading digits of u.
        const double x = place - std::floor(place) - 0.5, y = v - 0.5;
        const Vec3 center = pixels_.center(pixel);
        const Vec3 east = normalized(std::abs(center.z) < 0.9 ? cross(Vec3{0, 0, 1}, center)
                                                              : cross(Vec3{1, 0, 0}, center));
        const double side = std::sqrt(pixels_.area(pixel));
        return normalized(center + side * x * east + side * y * cross(center, east));
    }
    int64_t pixelAt(Vec3 direction) const { return pixels_.at(direction); }

private:
    SourcePixels pixels_;
    std::vector<int64_t> good_;
    double largest_ = 0.0;
};

std::vector<Truth> drawn(const SourceSearch& search, const InjectionParameters& p, double fwhm,
                         JobContext& job) {
    const Places places(search.sky);
    PlaceIndex taken(kApart * fwhm);
    int64_t number = 0;
    for (const Source& s : search.sources) taken.add(s.direction, number++);
    std::vector<Truth> truth;
    // This many failed attempts in a row mean that the sky is full.
    int64_t vain = 0;
    for (uint32_t i = 0; static_cast<int64_t>(truth.size()) < p.count && vain < 2000; ++i, ++vain) {
        if (i % 256 == 0) job.poll();
        const auto u = uniformPair({i, 0, 0, 1}, p.seed), v = uniformPair({i, 1, 0, 1}, p.seed);
        const auto at = places.at(u[0], u[1], v[1]);
        const int64_t found = at ? places.pixelAt(*at) : -1;
        if (found < 0) continue;
        const auto pixel = static_cast<size_t>(found);
        if (!std::isfinite(search.sky.filtered[pixel])) continue;
        if (!taken.near(*at, kApart * fwhm).empty()) continue;
        taken.add(*at, number++);
        const double snr = p.lowest * std::pow(p.highest / p.lowest, v[0]);
        truth.push_back({{*at, snr * search.sky.rms[pixel]}, snr});
        vain = 0;
    }
    return truth;
}

Curve curveOf(const char* name, const char* series, const std::vector<double>& edges) {
    Curve curve;
    curve.name = name;
    curve.xName = "SNR";
    for (size_t i = 0; i + 1 < edges.size(); ++i) {
        curve.xLow.push_back(edges[i]);
        curve.xHigh.push_back(edges[i + 1]);
        curve.x.push_back(std::sqrt(edges[i] * edges[i + 1]));
    }
    CurveSeries values;
    values.name = series;
    values.values.assign(curve.x.size(), kNan);
    values.errors.assign(curve.x.size(), kNan);
    curve.series.push_back(std::move(values));
    return curve;
}

// Fraction with the error of (k + 1) / (n + 2), so that fractions 0 and 1 also have an error.
void setShare(CurveSeries& series, size_t bin, double k, double n) {
    if (!(n > 0.0)) return;
    const double p = (k + 1.0) / (n + 2.0);
    series.values[bin] = k / n;
    series.errors[bin] = std::sqrt(p * (1.0 - p) / (n + 3.0));
}

size_t binOf(const std::vector<double>& edges, double value) {
    const auto after = std::upper_bound(edges.begin(), edges.end(), value);
    return static_cast<size_t>(after - edges.begin()) - 1;  // wraps around below the first edge
}

// The sign of the injected sources.
double signOf(const SourceParameters& parameters) {
    return parameters.sign == SourceSign::Negative ? -1.0 : 1.0;
}

Curve reliabilityOf(const SourceSearch& search, const std::vector<double>& edges,
                    const SourceParameters& parameters, JobContext& job) {
    const double fwhm = parameters.filter.beam.fwhm();
    Curve curve = curveOf("reliability", "RELIABILITY", edges);
    std::vector<Vec3> places;
    for (const Source& s : search.sources) places.push_back(s.direction);
    std::vector<double> found(kBins, 0.0), wrong(kBins, 0.0);
    for (const Source& s : search.sources)
        if (const size_t bin = binOf(edges, std::abs(s.snr)); bin < kBins) found[bin] += 1.0;
    // Below its own threshold the search cannot find sources.
    const FilteredSky& sky = search.sky;
    for (const double snr :
         maximaSnrs(pixelsOf(sky), search.cleaned, -signOf(parameters), sky.rms, sky.response, fwhm,
                    std::max(edges.front(), parameters.threshold), places, job))
        if (const size_t bin = binOf(edges, snr); bin < kBins) wrong[bin] += 1.0;
    for (size_t bin = 0; bin < kBins; ++bin)
        if (found[bin] > 0.0)
            setShare(curve.series[0], bin, std::max(0.0, found[bin] - wrong[bin]), found[bin]);
    return curve;
}

}  // namespace

Injection injectSources(const HealpixMap& map, int field, const SourceParameters& parameters,
                        const SourceSearch& search, const InjectionParameters& p,
                        const Device& device, JobContext& job) {
    return injectSources(
        parameters, search, p,
        [&](std::span<const PointSource> sources, JobContext& searching) {
            const auto with = std::make_shared<const HealpixMap>(
                withSources(map, field, sources, parameters.filter.beam, searching));
            FilterPlan plan(with, field, device);
            return findSources(plan, *with, parameters, searching);
        },
        job);
}

Injection injectSources(const SourceParameters& parameters, const SourceSearch& search,
                        const InjectionParameters& p, const SearchWith& searchWith,
                        JobContext& job) {
    if (p.count < 1)
        throw InvalidArgument("expected one source to put in or more, found " +
                              std::to_string(p.count));
    if (!(p.lowest > 0.0 && p.highest > p.lowest))
        throw InvalidArgument("expected peaks from above 0 to more, found " +
                              std::to_string(p.lowest) + " to " + std::to_string(p.highest));
    const double fwhm = parameters.filter.beam.fwhm();
    std::vector<Truth> truth = drawn(search, p, fwhm, job);
    for (Truth& t : truth) t.source.peak *= signOf(parameters);
    if (truth.empty())
        throw InvalidArgument("expected free sky for sources " + std::to_string(kApart) +
                              " beams from each other, found none");
    std::vector<PointSource> sources;
    for (const Truth& t : truth) sources.push_back(t.source);
    const SourceSearch found = searchWith(sources, job);

    std::vector<double> edges;
    for (size_t i = 0; i <= kBins; ++i)
        edges.push_back(p.lowest * std::pow(p.highest / p.lowest, static_cast<double>(i) / kBins));
    edges.back() *= 1.0 + 1e-12;
    Injection result{.completeness = curveOf("completeness", "COMPLETENESS", edges),
                     .bias = curveOf("bias", "BIAS", edges),
                     .reliability = reliabilityOf(search, edges, parameters, job),
                     .injected = static_cast<int64_t>(truth.size())};
    PlaceIndex places(fwhm);
    for (size_t i = 0; i < found.sources.size(); ++i)
        places.add(found.sources[i].direction, static_cast<int64_t>(i));
    std::array<std::vector<double>, kBins> biases;
    std::array<double, kBins> all{};
    double positions = 0.0, peaks = 0.0;
    for (const Truth& t : truth) {
        const size_t bin = std::min(binOf(edges, t.snr), kBins - 1);
        all[bin] += 1.0;
        const auto near = places.near(t.source.direction, kMatch * fwhm);
        if (near.empty()) continue;
        const Source* best = nullptr;
        for (const int64_t i : near) {
            const Source& s = found.sources[static_cast<size_t>(i)];
            if (best == nullptr || std::abs(s.snr) > std::abs(best->snr)) best = &s;
        }
        ++result.found;
        biases[bin].push_back(best->peak / t.source.peak - 1.0);
        const double off = angularDistance(best->direction, t.source.direction);
        positions += 0.5 * std::pow(off / best->positionError, 2);
        peaks += std::pow((best->peak - t.source.peak) / best->peakError, 2);
    }
    for (size_t bin = 0; bin < kBins; ++bin) {
        auto& b = biases[bin];
        setShare(result.completeness.series[0], bin, static_cast<double>(b.size()), all[bin]);
        if (b.empty()) continue;
        std::sort(b.begin(), b.end());
        const size_t n = b.size();
        result.bias.series[0].values[bin] = 0.5 * (b[n / 2] + b[(n - 1) / 2]);
        // Error of a median of n, from the half width that contains 68 %.
        const double half = 0.5 * (b[static_cast<size_t>(0.84 * static_cast<double>(n - 1))] -
                                   b[static_cast<size_t>(0.16 * static_cast<double>(n - 1))]);
        result.bias.series[0].errors[bin] = 1.2533 * half / std::sqrt(static_cast<double>(n));
    }
    if (result.found > 0) {
        result.positionError = std::sqrt(positions / static_cast<double>(result.found));
        result.peakError = std::sqrt(peaks / static_cast<double>(result.found));
    }
    return result;
}

}  // namespace armilla
