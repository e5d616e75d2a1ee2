// SPDX-License-Identifier: GPL-3.0-or-later
// FITS images of the sky: their pixel grids, reading and writing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "armilla/core/equatorial_frame.h"
#include "armilla/core/image.h"
#include "armilla/core/job_context.h"
#include "armilla/core/sky_vector.h"
#include "armilla/core/view_geometry.h"
#include "armilla/io/harmonic_io.h"

namespace armilla {

// An image's pixels with their world coordinates, from a header.
struct ImageGrid {
    int64_t width = 0, height = 0;
    Frame frame = Frame::Unknown;
    // World coordinate cards of axes 1 and 2, as in the file (80 columns each), without WCSAXES.
    std::vector<std::string> wcsCards;
};

// The grid of the first HDU (or the one named by the path, "FILE[HDU]") with an image, plain or
// tile-compressed, whose first two axes are celestial. For cubes, the grid of their planes. Throws
// IoError with the finding: no such image, or a frame without conversion.
ImageGrid readImageGrid(const std::string& path, JobContext& job);
// The grid of a view. Throws Unsupported for an unknown frame.
ImageGrid imageGrid(const ViewGeometry& view, Frame frame);
// The grid of an image, and an image on a grid: one plane without values.
ImageGrid gridOf(const Image& image);
Image imageOn(ImageGrid grid);

// Unit vectors of the pixel centers, bottom row first, in the grid's frame; NaN for pixels off the
// sky. Computed by ImageWcs. Throws IoError for a header that ImageWcs refuses, OutOfMemory,
// Cancelled.
std::vector<Vec3> pixelDirections(const ImageGrid& grid, JobContext& job);
// Pixel size at the grid's reference point: the square root of the pixel's area, radians.
double pixelSize(const ImageGrid& grid);

// An image and its stored type: Int32 (not for NaN), Float32 or Float64.
struct ImageHdu {
    const Image* image = nullptr;
    DiskType type = DiskType::Float32;
};
// Writes images as HDUs of one file, the first as the primary HDU, the rest as named extensions.
// Several planes make a cube; the third axis has the planes' values if they are evenly spaced.
// HISTORY goes into the first HDU. Throws InvalidArgument, IoError, Cancelled.
void writeImages(std::span<const ImageHdu> images, const std::string& path,
                 const FileWriteOptions& options, JobContext& job);

// Reads an image or a cube whose first two axes are celestial; further axes give planes.
// Tile-compressed images are unpacked. Integers of up to 16 bits and single precision become float,
// the rest double; BLANK, NaN and infinities become NaN. The path may name an HDU by "[N]"; the
// default is the first image with world coordinates. Throws IoError with one line, OutOfMemory,
// Cancelled.
Image readImage(const std::string& path, JobContext& job);
// The same from the header alone: without values.
Image readImageHeader(const std::string& path, JobContext& job);
// Sets FK4 or FK5 for an image whose right ascensions and declinations name no system: cards
// RADESYS and EQUINOX. Throws InvalidArgument if the image names another system or has other axes.
void stateEquatorialFrame(Image& image, const EquatorialFrame& stated);
// Writes one image in its own precision.
void writeImage(const Image& image, const std::string& path, const FileWriteOptions& options,
                JobContext& job);

// Conversion between pixels and directions: any celestial projection that wcslib supports, with its
// distortions. Pixel (0, 0) is the first one of the file, its center at x = 0, y = 0.
class ImageWcs {
public:
    // Throws IoError if the cards do not give celestial coordinates on the first two axes.
    explicit ImageWcs(const Image& image);
    ImageWcs(std::span<const std::string> wcsCards, int64_t width, int64_t height);
    ~ImageWcs();
    ImageWcs(ImageWcs&&) noexcept;
    ImageWcs& operator=(ImageWcs&&) noexcept;

    // The frame of the directions; Unknown for planets and for axes that name none. Right
    // ascensions and declinations in FK4 and FK5 are converted to ICRS and back; their frame is
    // Equatorial.
    Frame frame() const { return frame_; }
    // The image's own frame if FK4 or FK5; none otherwise.
    std::optional<EquatorialFrame> equatorial() const;
    // A copy without that conversion: directions are the image's own longitudes and latitudes.
    ImageWcs asWritten() const;
    // Directions in frame(); a vector of NaN for pixels off the sky. Thread-safe: calls on one
    // object are serialized, calls on copies run in parallel.
    void directions(std::span<const double> x, std::span<const double> y,
                    std::span<Vec3> out) const;
    // Pixel coordinates of directions; NaN for directions outside the projection.
    void pixels(std::span<const Vec3> directions, std::span<double> x, std::span<double> y) const;
    // The square root of a pixel's area in the middle of the image (at the reference point if the
    // middle is off the sky); radians.
    double pixelSize() const;
    // The pixel size at the reference point from the header's scale; radians.
    double nominalPixelSize() const;
    // True for projections made of facets (TSC, CSC, QSC, HPX, XPH), which cut the sky along more
    // than one meridian.
    bool hasFacets() const;
    // A copy for another thread.
    ImageWcs copy() const;

private:
    struct Parts;
    ImageWcs(std::unique_ptr<Parts> parts, Frame frame, int64_t width, int64_t height);
    // Among pixels a full turn apart that show the same direction, selects the one inside the
    // image.
    void turnIntoImage(double& x, double& y) const;
    std::unique_ptr<Parts> parts_;
    Frame frame_ = Frame::Unknown;
    int64_t width_ = 0, height_ = 0;
};

}  // namespace armilla
