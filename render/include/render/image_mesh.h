// SPDX-License-Identifier: GPL-3.0-or-later
// A plane of an image on the sky, ready to be drawn.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/image.h"
#include "core/job_context.h"
#include "core/view_geometry.h"
#include "render/color_scale.h"
#include "render/image_places.h"
#include "render/markers.h"

namespace armilla {

// A disc that holds an image.
struct ImageExtent {
    Vec3 center;
    double radius = 0.0;
};

// One plane in single precision with mean-of-four levels, and the places of its pixels. Immutable.
class ImageMesh {
public:
    // 4/3 of the plane in single precision. Pixels whose centers have no place on the sky are bad,
    // whatever the file has there. Throws InvalidArgument for a plane that is not there.
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
        std::vector<float> values;  // the bottom row first; NaN where there is none
    };
    const Level& level(int index) const { return levels_[static_cast<size_t>(index)]; }
    // Whether the center of a pixel lies on the sky.
    bool hasPlace(int64_t x, int64_t y) const {
        return offSky_.empty() || !offSky_[static_cast<size_t>(y * width_ + x)];
    }
    // None for an image that has no place, or is spread evenly over the sky.
    const std::optional<ImageExtent>& extent() const { return extent_; }
    // Evenly strided finite values of the plane, at most 65,536, ascending: ranges, histogram.
    const std::vector<float>& sortedSample() const { return sortedSample_; }
    int64_t memoryBytes() const;

private:
    std::shared_ptr<const ImagePlaces> places_;
    std::optional<ImageExtent> extent_;
    std::vector<bool> offSky_;  // empty if every center has a place
    std::vector<float> sortedSample_;
    int plane_ = 0;
    int64_t width_ = 0, height_ = 0;
    std::vector<Level> levels_;
};

// Lays the image over a picture, by CPU threads: each picture pixel gets the value of the image
// pixel under its center, the mean of those beneath where they are smaller; bad pixels are clear.
// An image pixel whose center lies off the sky has no value: the part of it that is on the sky
// takes that of its nearest neighbor. Within 0.1 picture pixel of where the world coordinates put
// it (tst_image_mesh, tst_image_seams).
void paintImage(const ImageMesh& mesh, const ColorScale& scale, double opacity,
                const ViewGeometry& view, MarkerImage& image, JobContext& job);

}  // namespace armilla
