// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/map_correlation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/healpix_map.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/ops/monopole.h"
#include "armilla/ops/sht.h"
#include "armilla/ops/spectrum.h"
#include "pairs/bin_table.h"
#include "shared/legendre.h"

namespace armilla {

namespace {

// Centers of the used pixels, with their weights and with weight times value.
struct PixelPoints {
    SkyPoints weights, products;
};
PixelPoints pixelPoints(int64_t nside, const WeightedMap& map, JobContext& job) {
    PixelPoints points;
    for (size_t p = 0; p < map.values.size(); ++p) {
        if (p % 65536 == 0) job.poll();
        if (map.weights[p] == 0.0) continue;
        const LonLat at = lonLat(directionFromRing(nside, static_cast<int64_t>(p)));
        points.weights.lon.push_back(at.lon / kDegree);
        points.weights.lat.push_back(at.lat / kDegree);
        points.weights.weight.push_back(map.weights[p]);
        points.products.weight.push_back(map.weights[p] * map.values[p]);
    }
    points.products.lon = points.weights.lon;
    points.products.lat = points.weights.lat;
    return points;
}

// Sums over l of (2l+1) times each of two spectra times the mean of P_l between two angles. P_l
// oscillates about once in 2 pi / l, so slightly more than lmax / pi points a radian resolve its
// square.
struct TwoSums {
    double data = 0.0, mask = 0.0;
};
TwoSums legendreSums(std::span<const double> data, std::span<const double> mask, double low,
                     double high) {
    const size_t count = std::max(data.size(), mask.size());
    const int n = 8 + static_cast<int>(std::ceil(static_cast<double>(count) * (high - low) / kPi));
    const QuadratureRule rule = gaussLegendre(n);
    // Uniform in t = sin^2(theta / 2), which is proportional to area.
    const double first = std::pow(std::sin(0.5 * low), 2), last = std::pow(std::sin(0.5 * high), 2);
    TwoSums sums;
    for (int i = 0; i < n; ++i) {
        const double share = 0.5 * (1.0 + rule.node[static_cast<size_t>(i)]);
        const double x = 1.0 - 2.0 * (first + share * (last - first));
        double before = 0.0, now = 1.0;
        TwoSums here;
        for (size_t l = 0; l < count; ++l) {
            const auto order = static_cast<double>(l);
            const double factor = (2.0 * order + 1.0) * now;
            if (l < data.size()) here.data += factor * data[l];
            if (l < mask.size()) here.mask += factor * mask[l];
            const double next = ((2.0 * order + 1.0) * x * now - order * before) / (order + 1.0);
            before = now;
            now = next;
        }
        sums.data += 0.5 * rule.weight[static_cast<size_t>(i)] * here.data;
        sums.mask += 0.5 * rule.weight[static_cast<size_t>(i)] * here.mask;
    }
    return sums;
}

}  // namespace

double prepareMap(WeightedMap& map, int64_t nside, MapFluctuations of) {
    const auto pixels = static_cast<size_t>(pixelCount(nside));
    if (map.weights.empty()) map.weights.assign(pixels, 1.0);
    if (map.values.size() != pixels || map.weights.size() != pixels)
        throw InvalidArgument("expected " + std::to_string(pixels) +
                              " values and weights of nside " + std::to_string(nside) + ", found " +
                              std::to_string(map.values.size()) + " and " +
                              std::to_string(map.weights.size()));
    double sum = 0.0, weights = 0.0;
    for (size_t p = 0; p < pixels; ++p) {
        double& weight = map.weights[p];
        if (weight < 0.0)
            throw InvalidArgument("expected weights of 0 or more, found " + std::to_string(weight) +
                                  " in pixel " + std::to_string(p));
        if (!std::isfinite(map.values[p]) || !std::isfinite(weight)) weight = 0.0;
        if (weight == 0.0) map.values[p] = 0.0;
        sum += weight * map.values[p];
        weights += weight;
    }
    if (weights == 0.0)
        throw InvalidArgument("expected pixels with a value and a weight, found none");
    const double mean = sum / weights;
    if (of == MapFluctuations::Values) return mean;
    if (of == MapFluctuations::Contrast && mean == 0.0)
        throw InvalidArgument("expected a mean other than 0 to divide by, found 0");
    const double scale = of == MapFluctuations::Contrast ? 1.0 / mean : 1.0;
    for (size_t p = 0; p < pixels; ++p)
        if (map.weights[p] != 0.0) map.values[p] = (map.values[p] - mean) * scale;
    return mean;
}

MapCorrelation correlatePixels(int64_t nside, const WeightedMap& first, const WeightedMap* second,
                               const AngularBins& bins, const Device& device, JobContext& job) {
    PixelPoints a = pixelPoints(nside, first, job);
    std::vector<SkyPoints> sets;
    std::vector<PairTask> tasks{{0, 0}, {1, 1}};
    sets.push_back(std::move(a.products));
    sets.push_back(std::move(a.weights));
    if (second != nullptr) {
        PixelPoints b = pixelPoints(nside, *second, job);
        sets.push_back(std::move(b.products));
        sets.push_back(std::move(b.weights));
        tasks = {{0, 2}, {1, 3}};
    }
    const std::vector<PairCounts> counts = countPairs(sets, tasks, bins, {device}, job);
    const auto sumOf = [&](int set, bool squares) {
        double sum = 0.0;
        for (const double w : sets[static_cast<size_t>(set)].weight) sum += squares ? w * w : w;
        return sum;
    };
    const double all = second != nullptr ? sumOf(1, false) * sumOf(3, false)
                                         : 0.5 * (std::pow(sumOf(1, false), 2) - sumOf(1, true));
    MapCorrelation result{bins, {}, {}, counts[1].pairs};
    for (size_t k = 0; k < counts[1].pairs.size(); ++k) {
        const double below = counts[1].weighted[k];
        result.w.push_back(counts[1].pairs[k] > 0 ? counts[0].weighted[k] / below : kNan);
        result.weight.push_back(below / all);
    }
    return result;
}

MapCorrelation correlationOfSpectra(std::span<const double> data, std::span<const double> mask,
                                    const AngularBins& bins, JobContext& job) {
    if (mask.empty() || !(mask[0] > 0.0))
        throw InvalidArgument("expected the spectrum of a mask with weight, found none");
    MapCorrelation result;
    result.bins = bins;
    const auto count = static_cast<size_t>(bins.count());
    result.w.resize(count);
    result.weight.resize(count);
    parallelFor(job, bins.count(), 1, [&](long long begin, long long end) {
        for (auto k = static_cast<size_t>(begin); k < static_cast<size_t>(end); ++k) {
            const double low = bins.edges[k].high, high = bins.edges[k + 1].high;
            const TwoSums sums = legendreSums(data, mask, low, high);
            // A full sky of weight 1 has only W_0 = 4 pi.
            constexpr double kLeast = 1e-6;
            result.w[k] = sums.mask > kLeast * mask[0] ? sums.data / sums.mask : kNan;
            const double area =
                std::pow(std::sin(0.5 * high), 2) - std::pow(std::sin(0.5 * low), 2);
            result.weight[k] = sums.mask / mask[0] * area;
        }
    });
    return result;
}

MapCorrelation correlateSpectra(int64_t nside, const WeightedMap& first, const WeightedMap* second,
                                const AngularBins& bins, int lmax, const Device& device,
                                JobContext& job) {
    ShtParameters parameters;
    parameters.nside = nside;
    parameters.lmax = lmax < 0 ? static_cast<int>(2 * nside) : lmax;
    parameters.weights = Weights::Ring;
    JobContext planning = job.part(0.0, 0.1), summing = job.part(0.95, 1.0);
    JobContext silent(job.stopToken(), {}, job.threads());
    const ShtPlan plan(parameters, device, planning);
    double done = 0.1;
    const double step = second == nullptr ? 0.425 : 0.2125;
    const auto analyzed = [&](const WeightedMap& map, bool product) {
        JobContext part = job.part(done, done + step);
        done += step;
        std::vector<double> values =
            newVector<double>(static_cast<int64_t>(map.values.size()), part);
        for (size_t p = 0; p < values.size(); ++p)
            values[p] = product ? map.weights[p] * map.values[p] : map.weights[p];
        // The mean is subtracted before the analysis, also under a mask, and returned to a_00. Data
        // and weights are divided by each other later, and the ratio must not contain the
        // quadrature's error for a constant.
        const TakenOut taken = takeOut(Remove::None, std::span<double>(values), part);
        Alm alm = plan.analysis(std::span<const double>(values), part);
        taken.putBack(alm);
        return alm;
    };
    const Alm data = analyzed(first, true), mask = analyzed(first, false);
    std::vector<double> dataCl, maskCl;
    const auto spectrum = [&](const Alm& a, const Alm& b) {
        return powerSpectra({&a, 1}, {&b, 1}, silent)[SpectrumKind::TT];
    };
    if (second == nullptr) {
        dataCl = spectrum(data, data);
        maskCl = spectrum(mask, mask);
    } else {
        dataCl = spectrum(data, analyzed(*second, true));
        maskCl = spectrum(mask, analyzed(*second, false));
    }
    return correlationOfSpectra(dataCl, maskCl, bins, summing);
}

Table MapCorrelation::table() const {
    Table table = binTable(bins);
    addColumn(table, "W", w);
    addColumn(table, "WEIGHT", weight);
    if (!pairs.empty()) addColumn(table, "NPAIRS", pairs);
    return table;
}

Curve MapCorrelation::curve(const std::string& unit) const {
    Curve curve = binCurve(bins);
    curve.series.push_back({"W", unit, w, {}});
    return curve;
}

}  // namespace armilla
