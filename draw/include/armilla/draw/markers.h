// SPDX-License-Identifier: GPL-3.0-or-later
// Sky positions as markers: appearance, positions in a picture, and picking.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/core/table.h"
#include "armilla/core/view_geometry.h"
#include "armilla/draw/color_scale.h"

namespace armilla {

// Shapes of markers.
enum class MarkerShape { Circle, Disc, Square, Diamond, Cross, Plus };
inline constexpr double kLeastMarker = 1.0, kMostMarker = 40.0;

// Appearance of markers.
struct MarkerStyle {
    MarkerShape shape = MarkerShape::Circle;
    double size = 7.0;  // diameter, logical pixels; from kLeastMarker to kMostMarker
    Rgba color{255, 216, 92, 255};
    bool operator==(const MarkerStyle&) const = default;
};

// A catalog's positions as unit vectors, in the order of nested pixels, so that a part of the sky
// is a few runs. Immutable; rows without a position are omitted.
class MarkerSet {
public:
    // Takes 28 bytes a row, and 4 more during the call; a million rows take about a quarter of a
    // second on the CPU (tst_markers). Throws InvalidArgument for 2^32 rows or more.
    static std::shared_ptr<const MarkerSet> build(const Catalog& catalog, JobContext& job);
    // A set of selected rows; row() still returns row numbers of the catalog.
    static std::shared_ptr<const MarkerSet> build(const Catalog& catalog,
                                                  std::span<const int64_t> rows, JobContext& job);

    Frame frame() const { return frame_; }
    int64_t size() const { return static_cast<int64_t>(rows_.size()); }
    // Row of the catalog at a position in the order.
    int64_t row(int64_t place) const { return rows_[static_cast<size_t>(place)]; }
    Vec3 direction(int64_t place) const;
    // x, y, z as single-precision numbers and their remainders, six numbers per row. Single
    // precision alone has steps of 12 mas, which are visible in a close view.
    std::span<const float> coordinates() const { return coordinates_; }
    int64_t memoryBytes() const;

    // Runs of positions that may lie in the picture of this view, each as short as possible; all
    // positions if most of the sky is in view. `margin` in image pixels around the picture.
    struct Run {
        int64_t begin = 0, end = 0;
    };
    std::vector<Run> runsIn(const ViewGeometry& view, double margin) const;
    // Runs that include all positions within `radius` radians, and some more.
    std::vector<Run> runsWithin(Vec3 direction, double radius) const;
    // The row nearest to `direction` within `radius` radians; none if there is none. Well under 1
    // ms for a million rows (one CPU core).
    std::optional<int64_t> nearest(Vec3 direction, double radius) const;

private:
    template <typename RowAt>
    static std::shared_ptr<const MarkerSet> built(const Catalog& catalog, int64_t count,
                                                  const RowAt& rowAt, JobContext& job);
    Frame frame_ = Frame::Unknown;
    int64_t nside_ = 1;  // nside of the cells
    std::vector<float> coordinates_;
    std::vector<uint32_t> rows_;
    std::vector<int64_t> starts_;  // first position of each cell, and the end
};

// The row whose marker is nearest to the image position, within `reach` image pixels. `view` is the
// view in the set's own frame.
std::optional<int64_t> pickMarker(const MarkerSet& set, const ViewGeometry& view, double column,
                                  double row, double reach);

// An image of markers, premultiplied, for drawing over a picture.
struct MarkerImage {
    int width = 0, height = 0;
    std::vector<Rgba> pixels;  // top row first
};
// Blends a premultiplied color over another.
void layOver(Rgba& under, Rgba ink);
// Paints the markers, or their density, by CPU threads. `pixelRatio`: image pixels per logical
// pixel. `most`: upper limit of markers, evenly chosen from all (during interaction); 0: all.
void paintMarkers(const MarkerSet& set, const MarkerStyle& style, double opacity,
                  const ViewGeometry& view, double pixelRatio, int64_t most, MarkerImage& image,
                  JobContext& job);
// Share of the dark edge around markers if this many are drawn: 1 up to 5000, 0 from 10000. Edges
// of overlapping markers show the order of drawing, as arcs and seams that the catalog does not
// have. Markers of one color without edges look the same in any order.
double rimShare(int64_t drawn);
// If more markers than this may be in view, pictures show their density instead of each.
inline constexpr int64_t kMostSingleMarkers = 10000;
// Numbers of markers by image pixel.
struct MarkerCounts {
    MarkerCounts(int pictureWidth, int pictureHeight, const MarkerStyle& style, double pixelRatio);
    // Counts a marker at an image position. Threads may call this at once.
    void add(double column, double row);
    // Markers in the picture, without its margin.
    int64_t inPicture() const;

    int width = 0, height = 0;
    int margin = 0;  // pixels around the picture from which markers extend into it
    std::vector<uint32_t> pixels;
};
// Paints the density over an image of the same size: the color of the style, more opaque where
// there are more markers in a disc of the marker's size (at most 3 logical pixels). The scale suits
// the picture.
void paintDensity(const MarkerCounts& counts, const MarkerStyle& style, double opacity,
                  double pixelRatio, MarkerImage& image, JobContext& job);
// Radius of a marker's ink with its edge and antialiasing, logical pixels.
double markerReach(const MarkerStyle& style);
// Alpha of a marker's color and of its dark edge at an offset in image pixels from its middle.
struct MarkerInk {
    double fill = 0.0, edge = 0.0;
};
// The ink at an offset (column, row) in image pixels from the marker's middle.
MarkerInk markerInk(const MarkerStyle& style, double pixelRatio, double column, double row);
// The stamp of one marker on whole pixels: side * side each.
struct MarkerStamp {
    int side = 0;
    std::vector<float> fill, edge;
};
// The stamp of a style; `pixelRatio`: image pixels per logical pixel.
MarkerStamp markerStamp(const MarkerStyle& style, double pixelRatio);

}  // namespace armilla
