// SPDX-License-Identifier: GPL-3.0-or-later
// Images of the sky in FITS files: where their pixels lie, and how images are written.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/equatorial_frame.h"
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
// with what was found instead: no such image, a frame that cannot be turned.
ImageGrid readImageGrid(const std::string& path, JobContext& job);
// That of a view. Throws Unsupported for an unknown frame.
ImageGrid imageGrid(const ViewGeometry& view, Frame frame);

// Unit vectors to the pixel centers, bottom row first, in the grid's frame; NaN where a pixel has
// no place on the sky; by ImageWcs. Throws IoError if it refuses the header, OutOfMemory,
// Cancelled.
std::vector<Vec3> pixelDirections(const ImageGrid& grid, JobContext& job);
// The angle across a pixel at the grid's reference point: the root of its area, radians.
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

// Reads an image or a cube whose first two axes are those of the sky; further axes give planes.
// Tile-compressed images are unpacked. Integers of up to 16 bits and single precision become float,
// the rest double; BLANK, NaN and infinities become NaN. The path may name an HDU by "[N]";
// without, the first image with world coordinates counts. Throws IoError with one clear line,
// OutOfMemory, Cancelled.
Image readImage(const std::string& path, JobContext& job);
// States FK4 or FK5 of an image whose right ascensions and declinations name no system: cards
// RADESYS and EQUINOX. Throws InvalidArgument where the image says another, or has other axes.
void stateEquatorialFrame(Image& image, const EquatorialFrame& stated);
// Writes one image in its own precision.
void writeImage(const Image& image, const std::string& path, const FileWriteOptions& options,
                JobContext& job);

// Where pixels of an image lie on the sky: any celestial projection that wcslib knows, with its
// distortions. Pixel (0, 0) is the first one of the file, its center at x = 0, y = 0.
class ImageWcs {
public:
    // Throws IoError if the cards give no celestial coordinates on the first two axes.
    explicit ImageWcs(const Image& image);
    ImageWcs(std::span<const std::string> wcsCards, int64_t width, int64_t height);
    ~ImageWcs();
    ImageWcs(ImageWcs&&) noexcept;
    ImageWcs& operator=(ImageWcs&&) noexcept;

    // The frame of the directions; Unknown for planets and for axes that name none. Right
    // ascensions and declinations of FK4 and FK5 are turned to ICRS and back: Equatorial.
    Frame frame() const { return frame_; }
    // FK4 or FK5, which the image is in; none: its own frame is frame().
    std::optional<EquatorialFrame> equatorial() const;
    // The same without the turn: directions are longitudes and latitudes of the image's own.
    ImageWcs asWritten() const;
    // Directions in that frame; a vector of NaN where the projection has no place.
    // Thread-safe; calls of several threads wait for each other, those of copies do not.
    void directions(std::span<const double> x, std::span<const double> y,
                    std::span<Vec3> out) const;
    // Pixel coordinates of directions; NaN where the projection does not show one.
    void pixels(std::span<const Vec3> directions, std::span<double> x, std::span<double> y) const;
    // The side of a square of the area that a pixel has in the middle of the image (at the
    // reference point, where the middle is off the sky); radians.
    double pixelSize() const;
    // The same at the reference point, as the header's scale has it.
    double nominalPixelSize() const;
    // Whether the projection is made of facets (TSC, CSC, QSC, HPX, XPH), which cut the sky along
    // more than one meridian.
    bool hasFacets() const;
    // For another thread.
    ImageWcs copy() const;

private:
    struct Parts;
    ImageWcs(std::unique_ptr<Parts> parts, Frame frame, int64_t width, int64_t height);
    // Moves to the pixel within the image, among pixels a whole turn apart that show one place.
    void turnIntoImage(double& x, double& y) const;
    std::unique_ptr<Parts> parts_;
    Frame frame_ = Frame::Unknown;
    int64_t width_ = 0, height_ = 0;
};

}  // namespace armilla
