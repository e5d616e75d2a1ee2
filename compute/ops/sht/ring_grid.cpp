// SPDX-License-Identifier: GPL-3.0-or-later
#include "ops/ring_grid.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/pixel_geometry.h"

namespace armilla {

namespace {

// Long double throughout, so that weights and sin(theta) are right to the last bit of a double, and
// sin(theta) beyond: sin^m(theta) amplifies its error by m.
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

// 2 pi times the quadrature weights of the nodes theta_i of a rule that integrates the cosine
// series sum_k c_k cos(k theta) by int_0^pi cos(k theta) sin(theta) d(theta) = 2 / (1 - k^2), k
// even. `halfEnds`: the first and last terms of the series are halved (Clenshaw-Curtis).
Wide cosineWeight(Wide theta, int64_t degree, bool halfEnd, Wide scale) {
    Wide sum = 1;
    // Clenshaw's recurrence would lose digits at the ends; cosines of reduced angles do not.
    for (int64_t k = 2; k <= degree; k += 2) {
        Wide term = 2 * std::cos(static_cast<Wide>(k) * theta) / static_cast<Wide>(1 - k * k);
        if (halfEnd && k == degree) term /= 2;
        sum += term;
    }
    return 2 * kWidePi * scale * sum;
}

// A colatitude of the northern half, its z and sin(theta), and the weight of the whole ring.
struct Node {
    Wide z, sinTheta, weight;
};
Node nodeAt(Wide theta, Wide weight) {
    return {std::cos(theta), std::sin(theta), weight};
}

// Rows of as many samples, from `north(i)` for the rows down to the equator: nodes of the nearer
// pole keep north and south alike to the bit.
template <typename NorthernNode>
RingGrid mirroredGrid(int64_t rows, int64_t columns, const NorthernNode& north) {
    RingGrid grid;
    for (int64_t i = 0; i < rows; ++i) {
        const int64_t mirrored = std::min(i, rows - 1 - i);
        Node node = north(mirrored);
        if (2 * mirrored == rows - 1) node.z = 0;
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
    return mirroredGrid(rows, columns, [&](int64_t i) {
        const Wide theta = kWidePi * static_cast<Wide>(i) / static_cast<Wide>(rows - 1);
        const Wide end = i == 0 ? Wide{0.5} : Wide{1};
        return nodeAt(theta, cosineWeight(theta, (rows - 1) / 2 * 2, (rows - 1) % 2 == 0,
                                          2 * end / static_cast<Wide>(rows - 1)));
    });
}

RingGrid RingGrid::fejer(int64_t rows, int64_t columns) {
    checkShape(rows, 1, columns);
    return mirroredGrid(rows, columns, [&](int64_t i) {
        const Wide theta = kWidePi * (static_cast<Wide>(i) + Wide{0.5}) / static_cast<Wide>(rows);
        return nodeAt(theta,
                      cosineWeight(theta, (rows - 1) / 2 * 2, false, 2 / static_cast<Wide>(rows)));
    });
}

RingGrid RingGrid::gaussLegendre(int64_t rows, int64_t columns) {
    checkShape(rows, 1, columns);
    return mirroredGrid(rows, columns, [&](int64_t i) {
        // Newton iteration from F. G. Tricomi's estimate of the zero.
        const Wide n = static_cast<Wide>(rows);
        const Wide theta = kWidePi * (static_cast<Wide>(i) + Wide{0.75}) / (n + Wide{0.5});
        Wide z = std::cos(theta) * (1 - 1 / (8 * n * n) + 1 / (8 * n * n * n));
        Wide derivative = 1;
        for (int step = 0; step < 8; ++step) {
            Wide before = 1, value = z;
            for (int64_t l = 2; l <= rows; ++l) {
                const Wide next = ((2 * l - 1) * z * value - (l - 1) * before) / l;
                before = value;
                value = next;
            }
            derivative = n * (before - z * value) / ((1 - z) * (1 + z));
            const Wide change = value / derivative;
            z -= change;
            if (std::fabs(change) < Wide{1e-19}) break;
        }
        const Wide s2 = (1 - z) * (1 + z);
        return Node{z, std::sqrt(s2), 2 * kWidePi * 2 / (s2 * derivative * derivative)};
    });
}

}  // namespace armilla
