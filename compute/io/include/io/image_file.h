// SPDX-License-Identifier: GPL-3.0-or-later
// Images of the sky in FITS files: where their pixels lie, and how images are written.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/image.h"
#include "core/job_context.h"
#include "core/sky_vector.h"
#include "core/view_geometry.h"
#include "io/harmonic_io.h"

namespace armilla {

// Pixels with places on the sky, as a header tells them.
struct ImageGrid {
    int64_t width = 0, height = 0;
    Frame frame = Frame::Unknown;
    // World coordinates of axes 1 and 2, as in the file (80 columns each), without WCSAXES.
    std::vector<std::string> wcsCards;
};

// That of the first HDU (or the one that the path names, "FILE[HDU]") with an image, plain or
// tile-compressed, whose first two axes are celestial. Cubes count by their planes. Throws IoError
// with what was found instead: no such image, a frame of an old equinox.
ImageGrid readImageGrid(const std::string& path, JobContext& job);
// That of a view. Throws Unsupported for an unknown frame.
ImageGrid imageGrid(const ViewGeometry& view, Frame frame);

// Unit vectors to the pixel centers, bottom row first, in the grid's frame; NaN where a pixel has
// no place on the sky. All projections and distortions of wcslib, which does the work. Throws
// IoError if it refuses the header, OutOfMemory, Cancelled.
std::vector<Vec3> pixelDirections(const ImageGrid& grid, JobContext& job);
// The angle across a pixel in the middle of the grid: the root of its area, radians.
double pixelSize(const ImageGrid& grid);

// An image and how its values are stored: Int32 (NaN must not be among them), Float32 or Float64.
struct ImageHdu {
    const Image* image = nullptr;
    DiskType type = DiskType::Float32;
};
// Writes images as HDUs of one file, the first one as its primary, the others as extensions of
// their names. Several planes make a cube; its third axis takes the values of the planes if they
// are evenly spaced. HISTORY goes into the first. Throws InvalidArgument, IoError, Cancelled.
void writeImages(std::span<const ImageHdu> images, const std::string& path,
                 const FileWriteOptions& options, JobContext& job);

}  // namespace armilla
