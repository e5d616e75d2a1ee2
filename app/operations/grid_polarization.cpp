// SPDX-License-Identifier: GPL-3.0-or-later
#include "grid_polarization.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/new_vector.h"
#include "armilla/core/tangent.h"
#include "armilla/operations/common_frame.h"
#include "stokes.h"

namespace armilla {

namespace {

// A map of these names, since the map has the rule for names of Q and U.
HealpixMap mapOfNames(const std::vector<std::string>& names) {
    std::vector<Field> fields;
    for (const std::string& name : names)
        fields.push_back({name, "", DiskType::Float32, std::vector<float>(12)});
    return {1, Ordering::Ring, Frame::Unknown, std::move(fields)};
}

// Angle from north in the target frame to north in the sample frame, through east, in radians.
std::vector<double> anglesOf(const GridTable& samples, const Mat3& turn, JobContext& job) {
    std::vector<double> angles = newVector<double>(samples.rows, job);
    parallelFor(job, samples.rows, kPixelGrain, [&](long long begin, long long end) {
        for (long long row = begin; row < end; ++row) {
            const auto at = static_cast<size_t>(row);
            const double lon = samples.lon[at] * samples.lonUnit,
                         lat = samples.lat[at] * samples.latUnit;
            const Vec3 north{-std::sin(lat) * std::cos(lon), -std::sin(lat) * std::sin(lon),
                             std::cos(lat)};
            const Vec3 place = turn * direction({lon, lat}), moved = turn * north;
            const Tangent base = tangentAt(place);
            angles[at] = std::atan2(dot(moved, base.east), dot(moved, base.north));
            if (!samples.northAngle.empty()) angles[at] += samples.northAngle[at];
        }
    });
    return angles;
}

double valueAt(const GridValues& values, size_t at) {
    return std::visit([&](const auto& all) { return static_cast<double>(all[at]); }, values.values);
}

}  // namespace

void turnPolarization(GridTable& samples, const Table& table, Frame target, const Context& context,
                      JobContext& job) {
    const bool turns = target != samples.frame || !samples.northAngle.empty();
    if (!turns || samples.names.empty()) return;
    const HealpixMap named = mapOfNames(samples.names);
    const auto pairs = named.polarizationPairs();
    requireWholePolarization(named, "; name both with --value Q,U");
    if (pairs.empty()) return;
    const bool iau = statesIau(table.cards);
    const std::vector<double> angles = anglesOf(samples, turnOf(target, samples), job);
    for (const auto& [q, u] : pairs) {
        GridValues &ofQ = samples.columns[static_cast<size_t>(q)],
                   &ofU = samples.columns[static_cast<size_t>(u)];
        if (ofQ.width != ofU.width)
            throw InvalidArgument("expected as many values of U as of Q in each row, found " +
                                  std::to_string(ofU.width) + " and " + std::to_string(ofQ.width));
        const int64_t size = samples.rows * ofQ.width;
        std::vector<double> newQ = newVector<double>(size, job),
                            newU = newVector<double>(size, job);
        for (size_t i = 0; i < newQ.size(); ++i) {
            // IAU: Q + iU = P exp(2 i psi), psi from north through east. COSMO: psi has the
            // opposite sign.
            const double angle = angles[i / static_cast<size_t>(ofQ.width)];
            newQ[i] = valueAt(ofQ, i);
            newU[i] = valueAt(ofU, i);
            turnStokes(iau ? angle : -angle, newQ[i], newU[i]);
        }
        ofQ.values = std::span<const double>(samples.converted.emplace_back(std::move(newQ)));
        ofU.values = std::span<const double>(samples.converted.emplace_back(std::move(newU)));
    }
    context.note(samples.name + ": Q and U rotated to the meridians of the target, " +
                 (iau ? "in IAU convention (POLCCONV)" : "U taken in COSMO convention"));
}

void referToImage(std::vector<double>& values, const GridTable& samples, const GridTarget& target,
                  const Context& context) {
    if (target.frame != Frame::Equatorial || target.image.wcsCards.empty()) return;
    const ImageGrid& image = target.image;
    const auto frame = ImageWcs(image.wcsCards, image.width, image.height).equatorial();
    const auto pairs = mapOfNames(samples.names).polarizationPairs();
    if (!frame || pairs.empty()) return;
    const ToIcrs toIcrs(*frame);
    const double sign = statesIau(samples.table->cards) ? -1.0 : 1.0;
    const size_t cells = target.cells.size();
    std::vector<size_t> first;  // channel of each column
    size_t channels = 0;
    for (const GridValues& column : samples.columns) {
        first.push_back(channels);
        channels += static_cast<size_t>(column.width);
    }
    for (size_t cell = 0; cell < cells; ++cell) {
        if (!std::isfinite(target.cells[cell].z)) continue;
        const double angle = sign * toIcrs.northAngle(toIcrs.inverse(target.cells[cell]));
        for (const auto& [q, u] : pairs) {
            const auto width = static_cast<size_t>(samples.columns[static_cast<size_t>(q)].width);
            for (size_t channel = 0; channel < width; ++channel) {
                turnStokes(angle, values[(first[static_cast<size_t>(q)] + channel) * cells + cell],
                           values[(first[static_cast<size_t>(u)] + channel) * cells + cell]);
            }
        }
    }
    context.note("Q and U rotated to the meridians of the image, " + equatorialName(*frame));
}

}  // namespace armilla
