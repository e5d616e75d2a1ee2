// SPDX-License-Identifier: GPL-3.0-or-later
// Local noise of crowded fields, measured between their sources.
#pragma once

#include <span>
#include <vector>

#include "armilla/core/job_context.h"
#include "sources/extraction.h"
#include "sources/source_pixels.h"

namespace armilla::sources {

// Lowers `rms` in crowded cells of the noise, where sources below the threshold raise it. The new
// value is the rms of `cleaned`, the filtered map without the sources found. Cells with few sources
// stay as they are. Returns whether a value changed. Throws Cancelled.
bool lowerCrowdedNoise(const SourcePixels& pixels, double fwhm, std::span<const double> cleaned,
                       std::span<const Extracted> found, std::span<double> rms, JobContext& job);

}  // namespace armilla::sources
