// SPDX-License-Identifier: GPL-3.0-or-later
// A request for a picture, independent of the drawing method. Lengths are device pixels of the
// canvas.
#pragma once

#include <QColor>
#include <QImage>
#include <QRect>
#include <QSize>
#include <memory>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/draw/camera.h"
#include "armilla/draw/color_scale.h"
#include "armilla/session/document.h"

namespace armilla {

// One map in one panel; only the fraction of the panel's width from clipLeft to clipRight is
// filled.
struct PicturePart {
    std::shared_ptr<const DrawableField> field;
    ColorScale scale;
    QRect panel;
    double clipLeft = 0.0, clipRight = 1.0;
    // A picture in the memory of the drawing device; replaces the faces of the field.
    std::shared_ptr<DevicePicture> live = nullptr;
};

// A plane of an image in one panel, over the maps.
struct PictureImage {
    std::shared_ptr<const ImageMesh> mesh;
    ColorScale scale;
    double opacity = 1.0;
    QRect panel;
};

// Limit of markers for each catalog while the view moves without a device: some ten milliseconds of
// two cores.
inline constexpr int64_t kMovingMarkers = 30000;
// Limit with OpenGL in software, which takes some microseconds a marker.
inline constexpr int64_t kSoftwareMarkers = 6000;

// The markers of one catalog in one panel, over the maps.
struct PictureMarkers {
    std::shared_ptr<const MarkerSet> set;
    MarkerStyle style;
    double opacity = 1.0;
    QRect panel;
};

struct PictureRequest {
    QSize size;
    Camera camera;
    QColor background;
    std::vector<PicturePart> parts;
    std::vector<PictureImage> images;
    std::vector<PictureMarkers> markers;
    double pixelRatio = 1.0;  // device pixels per logical pixel
    // The view moves: a coarse picture in time is better than a fine one too late.
    bool moving = false;
};

// Adds the overlaid layers of a document to a panel; hidden layers cost nothing.
void addMarkers(PictureRequest& request, const Document& document, const QRect& panel);
// The camera's geometry for a map. A map without a known frame counts as being in the camera's.
ViewGeometry geometryFor(const Camera& camera, QSize panel, Frame mapFrame);
// The same view with `share` times the pixels in each direction; covers at least the same plane.
ViewGeometry coarser(const ViewGeometry& view, double share);
// The columns [first, end) of a view.
ViewGeometry columnsOf(const ViewGeometry& view, int first, int end);
// `scale`, with the background where the scale is transparent around the sky.
ColorScale onBackground(ColorScale scale, const QColor& background);
// Equal except for the rounding of the zoom.
bool looksSame(const Camera& a, const Camera& b);
// Adds a margin to a document's camera, so that names and labels fit around a whole sky; and
// removes it.
Camera withEdge(const Camera& camera);
Camera withoutEdge(const Camera& camera);

// A picture drawn on the CPU: tiles with their positions.
struct Picture {
    struct Tile {
        QImage image;
        QRectF target;
        QRectF clip;
        bool over = false;  // has its own alpha
    };
    // Identifies an overlaid item without holding it.
    struct Laid {
        std::weak_ptr<const void> what;  // the mesh of an image, or a marker set
        MarkerStyle style;               // style of markers
        double opacity = 1.0;
        QRect panel;
    };
    QSize size;
    Camera camera;
    std::vector<Tile> tiles;            // maps, images, markers
    std::vector<Laid> images, markers;  // items of the last tiles
    bool coarse = false;
    double milliseconds = 0.0;
};
// `share`: resolution relative to the request's. Throws Cancelled.
Picture paintPicture(const PictureRequest& request, double share, JobContext& job);
// True if two requests overlay the same images with the same colors.
bool sameImages(const PictureRequest& a, const PictureRequest& b);
// True if a picture has the markers of a request with the same style.
bool hasMarkersOf(const Picture& over, const PictureRequest& request);
// The parts of a picture without maps that a request of the same view still shows: existing images,
// in any colors, and the markers if unchanged.
Picture shownOf(const Picture& over, const PictureRequest& request);
// True if CPU threads must draw everything, because a map is drawn from its cells.
bool needsThreads(const PictureRequest& request);

}  // namespace armilla
