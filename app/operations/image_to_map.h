// SPDX-License-Identifier: GPL-3.0-or-later
// An image of the sky on HEALPix pixels.
#pragma once

#include <optional>

#include "armilla/core/healpix_map.h"
#include "armilla/core/image.h"
#include "armilla/operations/operation.h"
#include "armilla/ops/frame_turn.h"
#include "armilla/ops/resample.h"

namespace armilla {

struct ImagePixels {
    int64_t nside = 1;
    Frame frame = Frame::Unknown;
    FrameTurn interpolation = FrameTurn::Interpolated;
    // How values of one pixel combine, and of divided ones; none: by the unit, as `degradeRule`.
    std::optional<Degrade> degrade;
    bool pessimistic = false;
};

// A field for each plane, named after it, on the pixels that the image covers: full if that is the
// whole sky, else partial. NESTED, or RING where nside is no power of two.
//
// Interpolated: the value between the four image pixels around a pixel's center. Where pixels of
// the image are smaller, the mean of such values on an even grid of children at least as fine;
// where they are smaller than an eighth, the mean of the image's pixels in it by solid angle.
// Nearest: the value of the image pixel at the center. Degrade::Sum: each value of the image is
// shared out among the pixels that its pixel overlaps, so that the sum over the image stays.
//
// Q and U refer to the meridians of `frame` afterwards; U is in the convention of POLCCONV, COSMO
// without one. Throws InvalidArgument, IoError, OutOfMemory, Cancelled. Test: tst_cli_image_maps.
HealpixMap mapOfImage(const Image& image, const ImagePixels& wanted, const Context& context,
                      JobContext& job);

}  // namespace armilla
