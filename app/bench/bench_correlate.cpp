// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/bench_correlate.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "armilla/ops/pairs.h"
#include "bench/bench_sht.h"

namespace armilla::cli {

namespace {

constexpr uint64_t kSeed = 20260101;

// Points uniform on the sphere; a third of the data lies within a degree of another point.
SkyPoints pointsOf(int64_t count, uint64_t set) {
    std::mt19937_64 random(kSeed + set);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    SkyPoints points;
    for (int64_t i = 0; i < count; ++i) {
        double lon = 360.0 * uniform(random);
        double lat = std::asin(2.0 * uniform(random) - 1.0) / kDegree;
        if (set == 0 && i > 0 && i % 3 == 0) {
            const auto other =
                static_cast<size_t>(uniform(random) * static_cast<double>(i) * (1.0 - 1e-9));
            lon = points.lon[other] + uniform(random) - 0.5;
            lat = std::clamp(points.lat[other] + uniform(random) - 0.5, -90.0, 90.0);
        }
        points.lon.push_back(lon);
        points.lat.push_back(lat);
    }
    return points;
}

std::vector<Vec3> directionsOf(const SkyPoints& points) {
    std::vector<Vec3> directions;
    for (size_t i = 0; i < points.lon.size(); ++i)
        directions.push_back(direction({points.lon[i] * kDegree, points.lat[i] * kDegree}));
    return directions;
}

// Largest relative differences of pairs and of mean angles.
struct Differences {
    double pairs = 0.0, meanAngle = 0.0;
};
// Compares with a double loop in double precision, whose errors move no pair of random points to
// another bin.
Differences largestDifferences(const SkyPoints& points, const AngularBins& bins,
                               const BenchHost& host) {
    JobContext job = host.silentJob();
    const std::vector<PairTask> tasks{{0, 0}};
    const auto counted = [&](bool meanAngle) {
        return countPairs(std::span(&points, 1), tasks, bins, {host.device, meanAngle}, job)[0];
    };
    const PairCounts found = counted(false), means = counted(true);
    const std::vector<Vec3> at = directionsOf(points);
    std::vector<int64_t> pairs(found.pairs.size());
    std::vector<double> degrees(pairs.size());
    for (size_t i = 0; i < at.size(); ++i)
        for (size_t j = i + 1; j < at.size(); ++j) {
            const double angle = angularDistance(at[i], at[j]);
            const auto edge = std::upper_bound(
                bins.edges.begin(), bins.edges.end(), angle,
                [](double value, const ExactAngle& each) { return value < each.high; });
            if (edge == bins.edges.begin() || edge == bins.edges.end()) continue;
            const auto bin = static_cast<size_t>(edge - bins.edges.begin() - 1);
            ++pairs[bin];
            degrees[bin] += angle / kDegree;
        }
    Differences largest;
    for (size_t k = 0; k < pairs.size(); ++k) {
        const auto count = static_cast<double>(std::max<int64_t>(1, pairs[k]));
        largest.pairs = std::max(largest.pairs,
                                 static_cast<double>(std::abs(found.pairs[k] - pairs[k])) / count);
        if (pairs[k] > 0)
            largest.meanAngle = std::max(largest.meanAngle,
                                         std::abs(means.meanAngle[k] * count / degrees[k] - 1.0));
    }
    return largest;
}

// Simple method on one thread: an angle for each pair and a search for its bin.
void countByLoop(const std::vector<SkyPoints>& sets, const std::vector<PairTask>& tasks,
                 const AngularBins& bins, std::vector<int64_t>& counts, JobContext& job) {
    std::vector<std::vector<Vec3>> vectors;
    for (const SkyPoints& points : sets) vectors.push_back(directionsOf(points));
    std::vector<double> edges;
    for (const ExactAngle& edge : bins.edges) edges.push_back(edge.high);
    counts.assign(edges.size() + 1, 0);
    for (const PairTask& task : tasks) {
        const auto &a = vectors[static_cast<size_t>(task.first)],
                   &b = vectors[static_cast<size_t>(task.second)];
        for (size_t i = 0; i < a.size(); ++i) {
            job.poll();
            for (size_t j = task.first == task.second ? i + 1 : 0; j < b.size(); ++j) {
                const double angle = std::acos(std::clamp(dot(a[i], b[j]), -1.0, 1.0));
                ++counts[static_cast<size_t>(std::upper_bound(edges.begin(), edges.end(), angle) -
                                             edges.begin())];
            }
        }
    }
}

constexpr int64_t kMostByLoop = 16000;

// Mean angles of the data's pairs, all of which are visited.
void benchMeans(const BenchSettings& settings, const AngularBins& bins, BenchHost& host) {
    constexpr int64_t kMostCpu = 30000, kMostCuda = 300000;
    const int64_t count =
        std::min(settings.points, host.device.kind == DeviceKind::Cpu ? kMostCpu : kMostCuda);
    SkyPoints points = pointsOf(count, 0);
    const SkyPoints some = pointsOf(std::min<int64_t>(count, 2000), 0);
    const std::vector<PairTask> tasks{{0, 0}};
    const auto n = static_cast<double>(count);
    for (const bool weighted : {false, true}) {
        BenchRow row;
        row.name = weighted ? "correlate.weighted-means" : "correlate.means";
        row.points = count;
        // 16 operations for the squares of chord and sum, some 44 for a root and an arc sine.
        row.limitSeconds = 60.0 * 0.5 * n * (n - 1.0) / flopsOf(host);
        row.limitBy = "flop";
        if (weighted) points.weight.assign(points.lon.size(), 1.0);
        measure(row, settings.runs, host, [&](JobContext& job) {
            countPairs(std::span(&points, 1), tasks, bins, {host.device, true}, job);
        });
        if (!weighted) row.error = largestDifferences(some, bins, host).meanAngle;
        host.show(row);
    }
}

}  // namespace

void benchCorrelate(const BenchSettings& settings, BenchHost& host) {
    const AngularBins wide = angularBins("0.01arcmin,10000arcmin,30", BinSpacing::Log),
                      narrow = angularBins("0.01arcmin,100arcmin,20", BinSpacing::Log);
    std::vector<SkyPoints> sets;
    std::vector<PairTask> tasks{{0, 0}};
    for (int set = 0; set <= settings.sets; ++set) {
        sets.push_back(pointsOf(settings.points, static_cast<uint64_t>(set)));
        host.job.poll();
        if (set == 0) continue;
        tasks.push_back({0, set});
        tasks.push_back({set, set});
    }
    const auto rowOf = [&](const char* name) {
        BenchRow row;
        row.name = name;
        row.points = settings.points;
        row.sets = settings.sets;
        return row;
    };
    const SkyPoints some = pointsOf(std::min<int64_t>(settings.points, 2000), 0);
    for (const bool isWide : {true, false}) {
        const AngularBins& bins = isWide ? wide : narrow;
        BenchRow row = rowOf(isWide ? "correlate" : "correlate.narrow");
        measure(row, settings.runs, host, [&](JobContext& job) {
            countPairs(sets, tasks, bins, {host.device, false}, job);
        });
        row.error = largestDifferences(some, bins, host).pairs;
        host.show(row);
    }
    benchMeans(settings, wide, host);
    if (settings.points > kMostByLoop || settings.sets > 1) return;
    BenchRow row = rowOf("correlate.loop");
    // Six operations for each pair of points. Pairs that cells count as a whole need none.
    const auto n = static_cast<double>(settings.points), m = static_cast<double>(settings.sets);
    row.limitSeconds = 6.0 * (0.5 * (1.0 + m) * n * (n - 1.0) + m * n * n) / flopsOf(host);
    row.limitBy = "flop";
    std::vector<int64_t> counts;
    measure(row, {.most = 1}, host,
            [&](JobContext& job) { countByLoop(sets, tasks, wide, counts, job); });
    host.show(row);
}

}  // namespace armilla::cli
