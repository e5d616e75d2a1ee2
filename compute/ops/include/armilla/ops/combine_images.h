// SPDX-License-Identifier: GPL-3.0-or-later
// Combination of several images of one sky into one image for point source filters.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "armilla/ops/image_filter.h"

namespace armilla {

// One image of the combination, with the beam of its point sources.
struct ImageToCombine {
    std::vector<double> values;  // NaN where bad or masked
    PointBeam beam;              // the enlargement of all beams is one
    // Peak of a source in this image, in its unit, if its peak in the first image is 1.
    double response = 1.0;
    bool isPerPixel = false;  // values are sums over pixels
};

// Result of combinedImages().
struct CombinedImage {
    std::vector<double> values;                // in the unit of the first image
    std::vector<std::vector<double>> weights;  // W_l of each image, l = 0 .. lmax
    // Noise of the matched filter of the first image alone, and of all, in the first one's unit.
    double noiseAlone = 0.0, noiseTogether = 0.0;
    std::string remark;  // remark for the user; empty: none
};

// The sum of the images convolved with the weights W_l of combinedMaps(), on pixels that all of
// them have. `sky` holds these pixels and their transform; its values and noise are not used. A
// pixel that is bad in any image is bad in the result.
//
// The first image is taken whole; only its difference from the combination passes through the
// transform, and scales beyond a patch come from the first image alone. So nothing is lost but
// structure finer than the first beam, and patches leave no seams. `lmax` as in FilterParameters.
// Throws InvalidArgument for fewer than two images, OutOfMemory, Cancelled. Test:
// tst_cli_image_bands.
CombinedImage combinedImages(const ImageToFilter& sky, std::span<const ImageToCombine> images,
                             int lmax, JobContext& job);

}  // namespace armilla
