// SPDX-License-Identifier: GPL-3.0-or-later
// A view of the sky as a FITS image with world coordinates.
#pragma once

#include <span>
#include <string>

#include "core/view_geometry.h"
#include "io/harmonic_io.h"

namespace armilla {

struct SkyImage {
    ViewGeometry view;  // sky frame of the view is `frame`
    Frame frame = Frame::Galactic;
    std::string unit, name;      // BUNIT, OBJECT
    std::vector<double> values;  // width * height, top row first; NaN outside the sky
};

// Writes BITPIX -32 (or -64) with CTYPE MOL, TAN, SIN, CAR or ZEA, LONPOLE, RADESYS, BUNIT. Places
// agree with wcslib's own reading to 1e-6 of a pixel. Throws IoError, Unsupported for Unknown
// frame.
void writeSkyImage(const SkyImage& image, const std::string& path, const FileWriteOptions& options,
                   JobContext& job);

}  // namespace armilla
