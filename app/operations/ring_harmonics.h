// SPDX-License-Identifier: GPL-3.0-or-later
// Harmonic analysis of images on rings, and synthesis onto their pixels.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ring_image.h"
#include "transform_parameters.h"

namespace armilla {

// The largest lmax of an analysis of an image: with the rows of its complete grid, rows - 2 if the
// poles are rows and rows - 1 if not, and below half the columns of a turn. Throws as
// partOfRings().
int64_t mostLmax(const Image& image);

// Analyzes one plane of an image, I, Q and U with --polarization, or two components of a spin. The
// whole sky is analyzed without quadrature error (MeridianRows). Otherwise the sum has the weights
// of the complete grid, and absent rows and columns count as zero, as in pixell's map2alm. Notes
// report bad and absent pixels, which count as zero. `lmax` of the options must be set.
AnalyzedMap analyzeImage(Context& context, const Input& input, const TransformOptions& options,
                         int spin, const JobContext& job);

// An image whose pixels a synthesis fills.
struct SynthesisTarget {
    Image image;  // without values
    RingImage grid;
};
// The pixels of the image file of --like. Its frame may come from --frame or --input-frame, as in
// project. Throws IoError, InvalidArgument, UsageError.
SynthesisTarget synthesisTarget(const Context& context, const Alm2MapOptions& options,
                                JobContext& job);
// Planes of the synthesis: T, or T, Q and U, or the components of a spin. Right ascensions in FK5
// turn the coefficients from ICRS.
std::shared_ptr<const Image> synthesizeImage(Context& context, std::vector<Alm> alm,
                                             const SynthesisTarget& target,
                                             const SynthesisRequest& request,
                                             const JobContext& job);

}  // namespace armilla
