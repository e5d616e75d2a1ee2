// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/ring_grid.h"

#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "sht/latitude/latitude_rules.h"

namespace armilla {

namespace {

using Wide = long double;
const Wide kWidePi = std::acos(Wide{-1});

Ring makeRing(Wide z, Wide s, Wide ringWeight, Wide phi0, int64_t count, int64_t first) {
    Ring ring;
    ring.z = static_cast<double>(z);
    ring.sinTheta = static_cast<double>(s);
    ring.sinThetaLow = static_cast<double>(s - static_cast<Wide>(ring.sinTheta));
    ring.weight = static_cast<double>(ringWeight / static_cast<Wide>(count));
    ring.phi0 = static_cast<double>(phi0);
    ring.count = count;
    ring.first = first;
    return ring;
}

void checkShape(int64_t rows, int64_t minRows, int64_t columns) {
    if (rows < minRows || columns < 1 || rows > (int64_t{1} << 24) || columns > (int64_t{1} << 24))
        throw InvalidArgument("expected a grid of at least " + std::to_string(minRows) +
                              " rows and 1 column, at most 2^24 each, found " +
                              std::to_string(rows) + " x " + std::to_string(columns));
}

// Rows of `columns` samples, from `north(i)` for the rows down to the equator. The nodes of the
// nearer pole keep north and south equal to the bit.
RingGrid mirroredGrid(int64_t rows, int64_t columns, LatitudeNode (*north)(int64_t, int64_t)) {
    std::vector<LatitudeNode> nodes;
    for (int64_t i = 0; 2 * i < rows; ++i) nodes.push_back(north(rows, i));
    if (rows % 2 == 1) nodes.back().z = 0;
    RingGrid grid;
    grid.rings.reserve(static_cast<size_t>(rows));
    for (int64_t i = 0; i < rows; ++i) {
        const int64_t mirrored = std::min(i, rows - 1 - i);
        const LatitudeNode& node = nodes[static_cast<size_t>(mirrored)];
        grid.rings.push_back(makeRing(i == mirrored ? node.z : -node.z, node.sinTheta, node.weight,
                                      0, columns, i * columns));
    }
    return grid;
}

}  // namespace

int64_t RingGrid::sampleCount() const {
    return rings.empty() ? 0 : rings.back().first + rings.back().count;
}

RingGrid RingGrid::healpix(int64_t nside) {
    if (nside < 1 || nside > (int64_t{1} << 20))
        throw InvalidArgument("expected nside from 1 to 2^20, found " + std::to_string(nside));
    RingGrid grid;
    grid.rings.reserve(static_cast<size_t>(4 * nside - 1));
    const Wide n = static_cast<Wide>(nside);
    const Wide pixelArea = 4 * kWidePi / (12 * n * n);
    int64_t first = 0;
    for (int64_t i = 1; i < 4 * nside; ++i) {
        const int64_t count = 4 * detail::quarterLength(nside, i);
        Wide z = 0, s = 0;
        ringHeight(nside, i, z, s);
        const bool shifted = detail::ringShift(nside, i) == 1;
        grid.rings.push_back(makeRing(z, s, pixelArea * static_cast<Wide>(count),
                                      shifted ? kWidePi / static_cast<Wide>(count) : Wide{0}, count,
                                      first));
        first += count;
    }
    return grid;
}

RingGrid RingGrid::clenshawCurtis(int64_t rows, int64_t columns) {
    checkShape(rows, 2, columns);
    return mirroredGrid(rows, columns, clenshawCurtisNode);
}

RingGrid RingGrid::fejer(int64_t rows, int64_t columns) {
    checkShape(rows, 1, columns);
    return mirroredGrid(rows, columns, fejerNode);
}

RingGrid RingGrid::gaussLegendre(int64_t rows, int64_t columns) {
    checkShape(rows, 1, columns);
    return mirroredGrid(rows, columns, gaussLegendreNode);
}

}  // namespace armilla
