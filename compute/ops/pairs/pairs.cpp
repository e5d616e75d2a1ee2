// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/pairs.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "armilla/core/error.h"
#include "armilla/core/sky_place.h"
#include "armilla/ops/device_pairs.h"
#include "pairs/device_points.h"
#include "pairs/pair_counts.h"

namespace armilla {

namespace {

// Number of column units in 90 degrees; `radians` per unit.
double quarterOf(double radians) {
    if (radians == 1.0) return 0.0;
    return std::round(kHalfPi / radians);
}

struct Total {
    int64_t pairs = 0;
    double weight = 0.0;
};
Total allPairs(const WeightSums& a, int64_t first, const WeightSums& b, int64_t second, bool same) {
    if (same) return {first * (first - 1) / 2, 0.5 * (a.sum * a.sum - a.squares)};
    return {first * second, a.sum * b.sum};
}

// Throws for a row that verdictOn() refuses. The texts of its numbers are those of `row` in the
// columns.
[[noreturn]] void refuseRow(const TableColumn& lon, const TableColumn* weight, int64_t row,
                            int64_t number) {
    const bool isOfLon = !std::isfinite(lon.number(row));
    const TableColumn& column = isOfLon ? lon : *weight;
    const std::string text = column.text(row);
    const bool isBelow = !isOfLon && column.number(row) < 0.0;
    throw InvalidArgument(std::string("expected ") +
                          (isOfLon   ? "finite longitudes"
                           : isBelow ? "weights of 0 or more"
                                     : "finite weights") +
                          ", found " +
                          (text.empty()         ? "none"
                           : isOfLon || isBelow ? text
                                                : "'" + text + "'") +
                          " in row " + std::to_string(number) + " of column " + column.name);
}

}  // namespace

SkyPoints skyPoints(const Catalog& catalog, int weight, int64_t* skipped) {
    const Table& table = catalog.table;
    const TableColumn& lon = table.columns[static_cast<size_t>(catalog.position.lon)];
    const TableColumn& lat = table.columns[static_cast<size_t>(catalog.position.lat)];
    SkyPoints points;
    points.lonQuarter = quarterOf(catalog.position.lonUnit);
    points.latQuarter = quarterOf(catalog.position.latUnit);
    const TableColumn* const weights =
        weight < 0 ? nullptr : &table.columns[static_cast<size_t>(weight)];
    int64_t missing = 0;
    for (int64_t row = 0; row < table.rows(); ++row) {
        const double x = lon.number(row), y = lat.number(row);
        const double w = weights == nullptr ? 1.0 : weights->number(row);
        switch (verdictOn(x, y, w, catalog.position.lonUnit, catalog.position.latUnit)) {
            case RowVerdict::Skipped: ++missing; continue;
            case RowVerdict::Refused: refuseRow(lon, weights, row, row + 1);
            case RowVerdict::Kept: break;
        }
        points.lon.push_back(x);
        points.lat.push_back(y);
        if (weights != nullptr) points.weight.push_back(w);
    }
    if (skipped) *skipped = missing;
    return points;
}

SkyPoints skyPoints(const Catalog& catalog, const DeviceColumns& columns, int weight,
                    const std::optional<Mat3>& turn, int64_t* skipped, JobContext& job) {
    const auto columnAt = [&](int index) -> const TableColumn& {
        return catalog.table.columns[static_cast<size_t>(index)];
    };
    const auto valuesOf = [&](const TableColumn& column) {
        const auto found = std::find(columns.names.begin(), columns.names.end(), column.name);
        if (found == columns.names.end())
            throw Unsupported("expected a column in device memory, found " + column.name +
                              " on the host");
        return columns.values[static_cast<size_t>(found - columns.names.begin())];
    };
    const TableColumn &lon = columnAt(catalog.position.lon), &lat = columnAt(catalog.position.lat);
    PointColumns from;
    from.lon = valuesOf(lon);
    from.lat = valuesOf(lat);
    if (weight >= 0) from.weight = valuesOf(columnAt(weight));
    for (const DeviceValues& values : columns.values)
        if (values.count != from.lon.count)
            throw InvalidArgument("expected columns of equal length in device memory, found " +
                                  std::to_string(from.lon.count) + " and " +
                                  std::to_string(values.count));
    from.lonUnit = catalog.position.lonUnit;
    from.latUnit = catalog.position.latUnit;
    SkyPoints points;
    points.lonQuarter = from.lonQuarter = quarterOf(from.lonUnit);
    points.latQuarter = from.latQuarter = quarterOf(from.latUnit);
    points.turn = turn;
    if (turn) from.turn = fineRotation(*turn);
    const auto refuse = [&](int64_t row, double x, double, double w) {
        const auto oneRow = [](const TableColumn& like, double value, bool isSingle) {
            TableColumn column;
            column.name = like.name;
            if (isSingle)
                column.values = std::vector<float>{static_cast<float>(value)};
            else
                column.values = std::vector<double>{value};
            return column;
        };
        const TableColumn& named = columnAt(std::max(weight, 0));
        const TableColumn weightRow = oneRow(named, w, from.weight.isSingle);
        refuseRow(oneRow(lon, x, from.lon.isSingle), &weightRow, 0, row + 1);
    };
    points.onDevice =
        std::make_shared<const DevicePoints>(columns.device, from, columns.stream, refuse, job);
    if (skipped) *skipped = points.onDevice->skipped();
    return points;
}

int64_t SkyPoints::size() const {
    return onDevice ? onDevice->size() : static_cast<int64_t>(lon.size());
}
bool SkyPoints::hasWeights() const {
    return onDevice ? onDevice->weighted() : !weight.empty();
}

WeightSums weightSums(const SkyPoints& points) {
    if (points.onDevice) return points.onDevice->sums();
    const auto count = static_cast<double>(points.size());
    if (points.weight.empty()) return {count, count, count};
    WeightSums sums{};
    for (const double w : points.weight) {
        sums.sum += w;
        sums.squares += w * w;
        sums.sizes += std::fabs(w);
    }
    return sums;
}

void requireCountable(const SkyPoints& points, const Device& device) {
    if (!points.onDevice) return;
    if (device.kind != DeviceKind::Cuda || !device.others.empty() ||
        device.index != points.onDevice->device())
        throw Unsupported("expected device cuda:" + std::to_string(points.onDevice->device()) +
                          ", whose memory holds points, found " + device.label());
    if (points.turn.has_value() != points.onDevice->isTurned())
        throw InvalidArgument(
            "expected points in device memory with the rotation of their copy, found another");
}

std::vector<PairCounts> countPairs(std::span<const SkyPoints> sets, std::span<const PairTask> tasks,
                                   const AngularBins& bins, const PairOptions& options,
                                   JobContext& job) {
    bool weighted = false;
    for (const SkyPoints& points : sets) {
        requireCountable(points, options.device);
        weighted = weighted || points.hasWeights();
    }
    const auto known = [&](int set) { return set >= 0 && set < static_cast<int>(sets.size()); };
    for (const PairTask& task : tasks)
        if (!known(task.first) || !known(task.second))
            throw InvalidArgument("expected sets 0 to " + std::to_string(sets.size()) +
                                  " (not included), found " + std::to_string(task.first) + ", " +
                                  std::to_string(task.second));
    const EdgeTable table(bins);
    const MeanAngles mean = options.meanAngle ? MeanAngles::Wanted : MeanAngles::Unwanted;
    std::vector<PairsBelow> below;
    if (options.device.kind == DeviceKind::Cuda) {
        below = countPairsCuda(sets, tasks, table, options.device, mean, job);
    } else {
        PairSets prepared(sets.size());
        forEachSet(sets.size(), job, [&](size_t s, JobContext& own) {
            prepared[s] = std::make_unique<PairSet>(sets[s], weighted, own);
        });
        below = countPairsCpu(prepared, tasks, table, mean, job);
    }
    std::vector<WeightSums> sums;
    for (const SkyPoints& points : sets) sums.push_back(weightSums(points));
    std::vector<PairCounts> result(tasks.size());
    for (size_t t = 0; t < tasks.size(); ++t) {
        const auto first = static_cast<size_t>(tasks[t].first),
                   second = static_cast<size_t>(tasks[t].second);
        const Total all = allPairs(sums[first], sets[first].size(), sums[second],
                                   sets[second].size(), first == second);
        result[t].pairs = table.bins(below[t].below.data(), all.pairs);
        // A bin before the first edge of the table exists only if that bin begins at 0.
        const size_t before = table.startsAtZero() ? 0 : 1;
        for (size_t k = 0; options.meanAngle && k < result[t].pairs.size(); ++k)
            result[t].meanAngle.push_back(below[t].angles[k + before] /
                                          below[t].angleWeights[k + before] / kDegree);
        if (!weighted) continue;
        below[t].weight.resize(static_cast<size_t>(table.count()));  // an empty set has no weights
        result[t].weighted = table.bins(below[t].weight.data(), all.weight);
        // The difference of two sums that are equal except for rounding.
        for (size_t k = 0; k < result[t].pairs.size(); ++k)
            if (result[t].pairs[k] == 0) result[t].weighted[k] = 0.0;
    }
    return result;
}

}  // namespace armilla
