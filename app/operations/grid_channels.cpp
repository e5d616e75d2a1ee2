// SPDX-License-Identifier: GPL-3.0-or-later
// Aligns spectra of rows whose channels differ.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "armilla/core/counted.h"
#include "armilla/core/new_vector.h"
#include "grid_samples.h"

namespace armilla {

namespace {

// Largest difference, in channels, that counts as equal: the rounding of frequencies in files.
constexpr double kSameChannel = 1e-6;
constexpr double kLeastOverlap = 0.5;

// Range of target channels that the rows cover, counted from the first channel of the first row.
struct Reach {
    int64_t low = 0, high = 0;
    double farthest = 0.0;  // largest offset of a row from the target, in channels
    int64_t moved = 0;      // number of rows with other channels
};

std::string bandText(const SpectralAxis& axis, int64_t channels) {
    std::array<char, 96> text{};
    std::snprintf(text.data(), text.size(), "%.9g to %.9g %s", axis.at(0), axis.at(channels - 1),
                  axis.unit.c_str());
    return text.data();
}

void addRow(const SpectralAxis& row, const SpectralAxis& target, int64_t channels, int64_t number,
            Reach& reach) {
    if (!std::isfinite(row.value) || !std::isfinite(row.step) || row.step == 0.0) return;
    const auto last = static_cast<double>(channels - 1);
    const double first = target.channelOf(row.at(0)), end = target.channelOf(row.at(channels - 1));
    const double low = std::min(first, end), high = std::max(first, end);
    const double common = std::min(high, last) - std::max(low, 0.0);
    if (!(common >= kLeastOverlap * std::max(high - low, last)))
        throw InvalidArgument("expected rows of one window, found channels of " +
                              bandText(target, channels) + " in the first row and of " +
                              bandText(row, channels) + " in row " + std::to_string(number + 1) +
                              "; select rows with --where");
    reach.low = std::min(reach.low, static_cast<int64_t>(std::ceil(low - kSameChannel)));
    reach.high = std::max(reach.high, static_cast<int64_t>(std::floor(high + kSameChannel)));
    const double distance = std::max(std::abs(first), std::abs(end - last));
    reach.farthest = std::max(reach.farthest, distance);
    if (distance > kSameChannel) ++reach.moved;
}

// Interpolates one row linearly to the target channels; NaN beyond its own channels.
template <typename Value>
void interpolate(const Value* from, int64_t channels, const SpectralAxis& row,
                 const SpectralAxis& target, std::span<Value> to) {
    const auto last = static_cast<double>(channels - 1);
    for (size_t k = 0; k < to.size(); ++k) {
        double x = row.channelOf(target.at(static_cast<int64_t>(k)));
        if (std::abs(x - std::round(x)) < kSameChannel) x = std::round(x);
        if (!(x >= 0.0 && x <= last)) {
            to[k] = std::numeric_limits<Value>::quiet_NaN();
            continue;
        }
        const auto below = static_cast<int64_t>(x);
        const double share = x - static_cast<double>(below);
        double value = static_cast<double>(from[below]);
        if (share > 0.0)
            value = (1.0 - share) * value + share * static_cast<double>(from[below + 1]);
        to[k] = static_cast<Value>(value);
    }
}

void alignTable(GridTable& table, const SpectralAxis& target, int64_t channels, JobContext& job) {
    GridValues& column = table.columns.front();
    const int64_t width = column.width;
    const auto brought = [&]<typename Value>(std::span<const Value> values,
                                             std::list<std::vector<Value>>& keep) {
        std::vector<Value>& made = keep.emplace_back(newVector<Value>(table.rows * channels, job));
        parallelFor(job, table.rows, std::max<int64_t>(1, kPixelGrain / channels),
                    [&](long long begin, long long end) {
                        for (long long row = begin; row < end; ++row)
                            interpolate(values.data() + row * width, width, table.axes->at(row),
                                        target,
                                        std::span(made).subspan(static_cast<size_t>(row * channels),
                                                                static_cast<size_t>(channels)));
                    });
        column.values = std::span<const Value>(made);
    };
    std::visit(
        [&](auto values) {
            if constexpr (std::is_same_v<decltype(values), std::span<const float>>)
                brought(values, table.aligned);
            else
                brought(values, table.converted);
        },
        column.values);
    column.width = channels;
    const GridChannel first = table.channels.front();
    const std::string name = first.name.substr(0, first.name.rfind('['));
    table.channels.clear();
    for (int64_t c = 0; c < channels; ++c)
        table.channels.push_back({name + "[" + std::to_string(c + 1) + "]", first.unit});
}

void turnTable(GridTable& table, SpectralFrame wanted) {
    if (table.axes->first.frame == wanted) return;
    if (table.frame == Frame::Unknown)
        throw InvalidArgument(
            "expected for --specsys samples in a known frame, found none named; state it with "
            "--samples-frame G, E or C");
    const Mat3 turn = frameRotation(Frame::Equatorial, table.frame);
    turnAxes(*table.axes, wanted, *table.table, [&](int64_t row) {
        const auto at = static_cast<size_t>(row);
        return turn * direction({table.lon[at] * table.lonUnit, table.lat[at] * table.latUnit});
    });
}

}  // namespace

void alignChannels(std::vector<GridTable>& tables, std::optional<SpectralFrame> wanted,
                   Context& context) {
    const bool haveAxes = std::all_of(tables.begin(), tables.end(), [](const GridTable& table) {
        return table.axes.has_value();
    });
    if (!haveAxes) {
        if (wanted)
            throw InvalidArgument(
                "expected single-dish spectra with CTYPE1, CRVAL1 and CDELT1 for --specsys, found "
                "none");
        return;
    }
    SpectralAxis target;
    Reach reach;
    const int64_t channels = tables.front().columns.front().width;
    reach.high = channels - 1;
    for (GridTable& table : tables)
        naming(table.name, [&] {
            if (wanted) turnTable(table, *wanted);
            if (&table == &tables.front()) target = table.axes->first;
            const SpectralAxis& own = table.axes->first;
            if (own.name != target.name || own.frame != target.frame || own.unit != target.unit)
                throw InvalidArgument("expected channels of " + target.name + " in " + target.unit +
                                      ", as in " + tables.front().name + ", found " + own.name +
                                      " in " + own.unit);
            const int64_t rows = table.axes->rows.empty() ? 1 : table.rows;
            for (int64_t row = 0; row < rows; ++row)
                addRow(table.axes->at(row), target, channels, row, reach);
        });
    target.reference -= static_cast<double>(reach.low);
    const int64_t count = reach.high - reach.low + 1;
    JobContext silent(context.job.stopToken(), {}, context.job.threads());
    for (GridTable& table : tables) {
        if (reach.farthest > kSameChannel || count != channels)
            alignTable(table, target, count, silent);
        table.spectral = target;
    }
    if (reach.farthest <= kSameChannel) return;
    std::array<char, 32> distance{};
    std::snprintf(distance.data(), distance.size(), "%.3g", reach.farthest);
    context.note(tables.front().name + ": the channels of " + counted(reach.moved, "row") +
                 " are brought to those of the first by linear interpolation, up to " +
                 distance.data() + " channels");
    context.figures.set("channel_shift", reach.farthest);
}

}  // namespace armilla
