// SPDX-License-Identifier: GPL-3.0-or-later
// A plane of an image on the sky: a net of directions, and values between its nodes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/image.h"
#include "core/job_context.h"
#include "core/view_geometry.h"
#include "render/color_scale.h"
#include "render/markers.h"

namespace armilla {

// Where the pixels of an image lie: directions at the nodes of a grid from its outer edges to the
// others, pixel coordinates linear between nodes; NaN where there is no place. The bottom row
// first.
struct ImageNet {
    int columns = 0, rows = 0;
    Frame frame = Frame::Unknown;
    std::vector<Vec3> directions;
    Vec3 at(int column, int row) const {
        return directions[static_cast<size_t>(row) * static_cast<size_t>(columns) +
                          static_cast<size_t>(column)];
    }
};

// One plane in single precision with mean-of-four levels, and its net. Immutable.
class ImageMesh {
public:
    // 4/3 of the plane in single precision. Throws InvalidArgument for a plane that is not there.
    static std::shared_ptr<const ImageMesh> build(const Image& image, int plane,
                                                  std::shared_ptr<const ImageNet> net,
                                                  JobContext& job);
    Frame frame() const { return net_->frame; }
    const ImageNet& net() const { return *net_; }
    const std::shared_ptr<const ImageNet>& sharedNet() const { return net_; }
    int plane() const { return plane_; }
    int64_t width() const { return width_; }
    int64_t height() const { return height_; }
    int levels() const { return static_cast<int>(levels_.size()); }
    struct Level {
        int64_t width = 0, height = 0;
        std::vector<float> values;  // the bottom row first; NaN where there is none
    };
    const Level& level(int index) const { return levels_[static_cast<size_t>(index)]; }
    // Evenly strided finite values of the plane, at most 65,536, ascending: ranges, histogram.
    const std::vector<float>& sortedSample() const { return sortedSample_; }
    int64_t memoryBytes() const;

private:
    std::shared_ptr<const ImageNet> net_;
    std::vector<float> sortedSample_;
    int plane_ = 0;
    int64_t width_ = 0, height_ = 0;
    std::vector<Level> levels_;
};

// Lays the image over a picture, by CPU threads: each picture pixel gets the value of the image
// pixel under its center, the mean of those beneath where they are smaller; bad pixels are clear.
// Within 0.1 picture pixel of where the net puts it (tst_image_mesh): cells that are larger than
// some pixels of the picture are divided first.
void paintImage(const ImageMesh& mesh, const ColorScale& scale, double opacity,
                const ViewGeometry& view, MarkerImage& image, JobContext& job);

}  // namespace armilla
