// SPDX-License-Identifier: GPL-3.0-or-later
// FITS images of sky views, with world coordinates.
#pragma once

#include <span>
#include <string>

#include "armilla/core/view_geometry.h"
#include "armilla/io/harmonic_io.h"

namespace armilla {

// A rendered view with its values.
struct SkyImage {
    ViewGeometry view;  // the view's sky frame is `frame`
    Frame frame = Frame::Galactic;
    std::string unit, name;          // BUNIT, OBJECT
    std::vector<std::string> cards;  // further cards of the header, 80 columns each
    std::vector<double> values;      // width * height, top row first; NaN outside the sky
};

// Writes BITPIX -32 (or -64) with the projection's CTYPE (MOL, AIT, TAN, SIN, CAR or ZEA), LONPOLE,
// RADESYS, BUNIT. Pixel positions agree with wcslib's reading to 1e-6 of a pixel. Throws IoError,
// and Unsupported for an unknown frame.
void writeSkyImage(const SkyImage& image, const std::string& path, const FileWriteOptions& options,
                   JobContext& job);

}  // namespace armilla
