// SPDX-License-Identifier: GPL-3.0-or-later
// The spectrum of what is not a source.
#pragma once

#include <span>
#include <vector>

namespace armilla::sources {

// Means of C_l weighted by 2l + 1 over l (1 - 0.08) - 3 .. l (1 + 0.08) + 3, l = 0 and 1 left out.
std::vector<double> localMeans(std::span<const double> cl);
// The same, and nowhere less than a small share of their middle value, so that a filter by 1 / C_l
// exists for maps without noise.
std::vector<double> smoothedSpectrum(std::span<const double> cl);

// The level at the end of the band, which white noise has everywhere; no higher than any C_l.
double whiteLevelOf(std::span<const double> cl);

}  // namespace armilla::sources
