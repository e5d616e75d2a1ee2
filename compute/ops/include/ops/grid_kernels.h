// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of gridding: what the program has to know of each beside its formula.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace armilla {

enum class GridKernelKind { Gaussian, Gaussian2d, TaperedSinc, BesselGauss, Nearest };

// What its widths are made of.
enum class GridKernelWidth { Fwhm, Axes, Beam, None };

struct GridKernelFacts {
    GridKernelKind kind;
    std::string_view word;  // of the option and of the card GRIDKERN
    GridKernelWidth width;
};

// In the order of the enumeration.
inline constexpr auto kGridKernelTable = std::to_array<GridKernelFacts>(
    {{GridKernelKind::Gaussian, "gaussian", GridKernelWidth::Fwhm},
     {GridKernelKind::Gaussian2d, "gaussian2d", GridKernelWidth::Axes},
     {GridKernelKind::TaperedSinc, "tapered-sinc", GridKernelWidth::Beam},
     {GridKernelKind::BesselGauss, "bessel-gauss", GridKernelWidth::Beam},
     {GridKernelKind::Nearest, "nearest", GridKernelWidth::None}});

constexpr const GridKernelFacts& factsOf(GridKernelKind kind) {
    return kGridKernelTable.at(static_cast<size_t>(kind));
}

namespace detail {
constexpr bool gridKernelsAreInOrder() {
    for (size_t i = 0; i < kGridKernelTable.size(); ++i)
        if (static_cast<size_t>(kGridKernelTable[i].kind) != i) return false;
    return true;
}
}  // namespace detail
static_assert(detail::gridKernelsAreInOrder(), "rows stand in the order of the enumeration");

}  // namespace armilla
