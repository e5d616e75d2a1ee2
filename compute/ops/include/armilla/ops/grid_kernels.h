// SPDX-License-Identifier: GPL-3.0-or-later
// Properties of the gridding kernels other than their formulas (armilla/ops/grid.h).
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace armilla {

// The kernels (GridKernel).
enum class GridKernelKind { Gaussian, Gaussian2d, TaperedSinc, BesselGauss, Nearest };

// The parameters that set a kernel's width: FWHM, two axes, the telescope's beam, or none.
enum class GridKernelWidth { Fwhm, Axes, Beam, None };

// The name and width parameters of a kernel.
struct GridKernelFacts {
    GridKernelKind kind;
    std::string_view word;  // name in the command line option and in the FITS card GRIDKERN
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
