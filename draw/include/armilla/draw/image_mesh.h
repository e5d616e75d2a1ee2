// SPDX-License-Identifier: GPL-3.0-or-later
// A plane of an image on the sky, prepared for drawing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "armilla/core/image.h"
#include "armilla/core/job_context.h"
#include "armilla/core/view_geometry.h"
#include "armilla/draw/color_scale.h"
#include "armilla/draw/image_places.h"
#include "armilla/draw/markers.h"

namespace armilla {

// A disc that contains an image.
struct ImageExtent {
    Vec3 center;
    double radius = 0.0;
};

// One plane in single precision with mean-of-four levels, and the sky positions of its pixels.
// Immutable.
class ImageMesh {
public:
    // Takes 4/3 of the plane in single precision. Pixels with centers off the sky are bad, whatever
    // their value in the file. Throws InvalidArgument for a plane that does not exist.
    static std::shared_ptr<const ImageMesh> build(const Image& image, int plane,
                                                  std::shared_ptr<const ImagePlaces> places,
                                                  JobContext& job);
    Frame frame() const { return places_->frame(); }
    const ImagePlaces& places() const { return *places_; }
    const std::shared_ptr<const ImagePlaces>& sharedPlaces() const { return places_; }
    int plane() const { return plane_; }
    int64_t width() const { return width_; }
    int64_t height() const { return height_; }
    int levels() const { return static_cast<int>(levels_.size()); }
    struct Level {
        int64_t width = 0, height = 0;
        std::vector<float> values;  // bottom row first; NaN for no value
    };
    const Level& level(int index) const { return levels_[static_cast<size_t>(index)]; }
    // True if the center of a pixel lies on the sky.
    bool hasPlace(int64_t x, int64_t y) const {
        return offSky_.empty() || !offSky_[static_cast<size_t>(y * width_ + x)];
    }
    // None for an image without positions, or spread evenly over the sky.
    const std::optional<ImageExtent>& extent() const { return extent_; }
    // Evenly strided finite values of the plane, at most 65,536, ascending: for ranges and the
    // histogram.
    const std::vector<float>& sortedSample() const { return sortedSample_; }
    int64_t memoryBytes() const;

private:
    std::shared_ptr<const ImagePlaces> places_;
    std::optional<ImageExtent> extent_;
    std::vector<bool> offSky_;  // empty if all centers are on the sky
    std::vector<float> sortedSample_;
    int plane_ = 0;
    int64_t width_ = 0, height_ = 0;
    std::vector<Level> levels_;
};

// Draws the image over a picture, by CPU threads. Each picture pixel gets the value of the image
// pixel under its center, or the mean of smaller image pixels; bad pixels are transparent. An image
// pixel with its center off the sky has no value; its part on the sky takes the value of its
// nearest neighbor. Positions are within 0.1 picture pixel of the world coordinates
// (tst_image_mesh, tst_image_seams).
void paintImage(const ImageMesh& mesh, const ColorScale& scale, double opacity,
                const ViewGeometry& view, MarkerImage& image, JobContext& job);

}  // namespace armilla
