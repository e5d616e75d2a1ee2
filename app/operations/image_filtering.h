// SPDX-License-Identifier: GPL-3.0-or-later
// Point source filters of images, for filter and sources.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "armilla/ops/image_filter.h"
#include "point_filter.h"
#include "ring_image.h"

namespace armilla {

// A filtered plane of an image.
struct FilteredImage {
    FilteredSky sky;
    FilterParameters parameters;
    int plane = 0;
    std::vector<double> values;  // values of the plane, also where they are masked
};
// Filters the plane of --field, or the first. The image is transformed on its rings if these cover
// a fiftieth of the sky, else on tangent planes. `replaced`: values instead of those of the plane.
// Throws UsageError for options that need a HEALPix map.
FilteredImage filteredImage(Context& context, const Inputs& inputs,
                            const PointFilterOptions& options, JobContext& job,
                            const std::vector<double>* replaced = nullptr);

// An image of one plane with the pixels, cards and precision of another.
std::shared_ptr<const Image> imageLike(const Context& context, const Image& like, int plane,
                                       std::string name, std::string unit,
                                       const std::vector<double>& values);
// "W x H pixels".
std::string sizeOf(const Image& image);

}  // namespace armilla
