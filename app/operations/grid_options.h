// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of `grid`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/velocity_frames.h"
#include "armilla/core/view_geometry.h"
#include "armilla/operations/parameter.h"
#include "armilla/ops/grid.h"

namespace armilla {

struct GridOptions {
    // Columns of the samples.
    std::string lon, lat, weight, flag;
    std::vector<std::string> value;
    std::optional<Frame> samplesFrame;
    std::string where;
    std::optional<SpectralFrame> specsys;
    // The target.
    std::string like;
    std::optional<Projection> projection;
    std::optional<Place> center;
    std::optional<PixelSize> size;
    std::optional<double> resolution;
    std::optional<Frame> frame;
    std::optional<int64_t> nside;
    Ordering ordering = Ordering::Ring;
    bool sparse = false;
    // The kernel.
    GridKernelKind kernel = GridKernelKind::Gaussian;
    std::optional<double> kernelFwhm, radius, beam;
    std::vector<double> kernelAxes;  // FWHMs and position angle
};
void describe(Description& d, GridOptions& p);

}  // namespace armilla
