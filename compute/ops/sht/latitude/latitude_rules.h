// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes and weights of quadrature rules in colatitude, in long double. So weights and sin(theta)
// are correct to the last bit of a double, and sin(theta) beyond, because sin^m(theta) amplifies
// its error by m. A node takes a microsecond for any number of rows. Only some tens of nodes
// nearest to the poles take as many steps as there are rows.
#pragma once

#include <cstdint>

namespace armilla {

// A node of the northern half. The weights of all nodes of a rule sum to 4 pi, because they include
// the integral over longitude.
struct LatitudeNode {
    long double z = 0, sinTheta = 0, weight = 0;
};

// Node i = 0 .. (rows - 1) / 2 of the rules of RingGrid.
LatitudeNode clenshawCurtisNode(int64_t rows, int64_t i);
LatitudeNode fejerNode(int64_t rows, int64_t i);
LatitudeNode gaussLegendreNode(int64_t rows, int64_t i);

}  // namespace armilla
