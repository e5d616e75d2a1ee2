// SPDX-License-Identifier: GPL-3.0-or-later
// What a canvas is asked to show, whichever way it draws. Lengths are device pixels of the canvas.
#pragma once

#include <QColor>
#include <QImage>
#include <QRect>
#include <QSize>
#include <memory>
#include <vector>

#include "core/job_context.h"
#include "render/camera.h"
#include "render/color_scale.h"
#include "session/document.h"

namespace armilla {

// One map in one panel; of the panel's width only the shares from clipLeft to clipRight are filled.
struct PicturePart {
    std::shared_ptr<const DrawableField> field;
    ColorScale scale;
    QRect panel;
    double clipLeft = 0.0, clipRight = 1.0;
    // In the memory of the device that draws: drawn in place of the field's own faces.
    std::shared_ptr<DevicePicture> live = nullptr;
};

// A plane of an image in one panel, over the maps.
struct PictureImage {
    std::shared_ptr<const ImageMesh> mesh;
    ColorScale scale;
    double opacity = 1.0;
    QRect panel;
};

// Drawn of each catalog while the hand moves and no device draws: some ten milliseconds of two
// cores.
inline constexpr int64_t kMovingMarkers = 30000;
// And where OpenGL runs in software, which takes some microseconds a marker.
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
    double pixelRatio = 1.0;  // of the canvas: device pixels in a logical one
    // The hand moves: a coarse picture in time is better than a fine one too late.
    bool moving = false;
};

// Adds what of a document lies over the maps of a panel; hidden layers cost nothing.
void addMarkers(PictureRequest& request, const Document& document, const QRect& panel);
// The camera's geometry for a map. A map without a known frame is taken to be in the camera's.
ViewGeometry geometryFor(const Camera& camera, QSize panel, Frame mapFrame);
// The same view in `share` times as many pixels each way; it covers at least the same plane.
ViewGeometry coarser(const ViewGeometry& view, double share);
// The columns [first, end) of a view.
ViewGeometry columnsOf(const ViewGeometry& view, int first, int end);
// Like `scale`, with the background where the scale leaves the sky's surroundings transparent.
ColorScale onBackground(ColorScale scale, const QColor& background);
// Equal but for the rounding of the zoom.
bool looksSame(const Camera& a, const Camera& b);
// What the sky view shows of a document's camera: a little more, so that names and labels have room
// around a whole sky; and back.
Camera withRim(const Camera& camera);
Camera withoutRim(const Camera& camera);

// A picture made on the CPU: pieces with their places.
struct Picture {
    struct Tile {
        QImage image;
        QRectF target;
        QRectF clip;
        bool over = false;  // with an alpha of its own
    };
    // What lies over the maps, to be told from another; holds none of it.
    struct Laid {
        std::weak_ptr<const void> what;  // the mesh of an image, or a set of markers
        MarkerStyle style;               // of markers
        double opacity = 1.0;
        QRect panel;
    };
    QSize size;
    Camera camera;
    std::vector<Tile> tiles;            // of maps, of images, of markers
    std::vector<Laid> images, markers;  // those of the last tiles
    bool coarse = false;
    double milliseconds = 0.0;
};
// `share`: resolution relative to the request's. Throws Cancelled.
Picture paintPicture(const PictureRequest& request, double share, JobContext& job);
// Whether two requests lay the same images over the maps, in the same colors.
bool sameImages(const PictureRequest& a, const PictureRequest& b);
// Whether a picture has the markers of a request, just as they are to be drawn.
bool hasMarkersOf(const Picture& over, const PictureRequest& request);
// Of a picture without maps what a request of the same view still shows: the images that are there
// still, in whichever colors, and the markers if they are as they are to be drawn.
Picture shownOf(const Picture& over, const PictureRequest& request);
// Whether CPU threads have to make all of it: a map is drawn by its own cells.
bool needsThreads(const PictureRequest& request);

}  // namespace armilla
