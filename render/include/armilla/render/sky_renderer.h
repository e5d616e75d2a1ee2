// SPDX-License-Identifier: GPL-3.0-or-later
// Draws maps with the graphics card, into the current framebuffer of the current OpenGL context.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "armilla/core/view_geometry.h"
#include "armilla/draw/color_scale.h"
#include "armilla/draw/map_pyramid.h"
#include "armilla/draw/markers.h"

namespace armilla {

class DevicePicture;

// OpenGl: fragment shader. Cuda: kernel that writes a GL texture (interop). The CPU method is in
// image_renderer.h.
enum class DrawPath { OpenGl, Cuda };

// Handle of a map kept on the graphics card.
using MapHandle = int;
// Handle of a catalog's positions kept on the graphics card.
using MarkerHandle = int;

// InPieces: returns when a coarse picture can be drawn; advanceUpload uploads the rest.
enum class UploadPace { AtOnce, InPieces };

// All calls need the same current OpenGL 3.3+ context; `initialize` must come first. Throws
// DeviceError with the GL or shader log, OutOfMemory if a texture does not fit (the caller then
// builds a smaller pyramid).
//
// Every call restores the OpenGL state. Pictures agree with renderImage() except for pixels whose
// direction is within rounding of a border (single precision, relative to the middle of the
// projection: tst_sky_renderer).
class SkyRenderer {
public:
    SkyRenderer();
    ~SkyRenderer();  // frees GL objects; the context must be current
    SkyRenderer(const SkyRenderer&) = delete;
    SkyRenderer& operator=(const SkyRenderer&) = delete;

    // Throws Unsupported for a context older than OpenGL 3.3.
    void initialize();
    // GL_RENDERER string, e.g. "llvmpipe ...".
    std::string deviceName() const;
    // Mesa's software rasterizers, by their names.
    static bool isSoftware(std::string_view deviceName);
    // Largest nside of faces that this context declares possible; `upload` finds out whether memory
    // suffices.
    int64_t maxNside() const;

    // Uploads a pyramid. Throws OutOfMemory if the pyramid is deeper than maxNside() or does not
    // fit memory; on failure of `replace` the handle keeps its previous map. The renderer keeps a
    // reference to the pyramid for a later change of path.
    MapHandle upload(const MapPyramid& pyramid, UploadPace pace = UploadPace::AtOnce);
    // Continues an upload in pieces until `seconds` have passed (a piece takes about 1 ms); true
    // when complete. Coarser levels are drawn meanwhile.
    bool advanceUpload(MapHandle map, double seconds);
    // The largest nside that is drawn: the pyramid's when its upload is complete.
    int64_t drawnNside(MapHandle map) const;
    // The deepest part of the pyramid that fits, and its nside. If memory or the card's limits make
    // that smaller than the pyramid's, the caller must notify the user. Throws OutOfMemory if not
    // even nside 1 fits.
    struct Fitted {
        MapHandle map = 0;
        int64_t nside = 0;
    };
    Fitted uploadWhatFits(const MapPyramid& pyramid, UploadPace pace = UploadPace::AtOnce);
    void replace(MapHandle map, const MapPyramid& pyramid, UploadPace pace = UploadPace::AtOnce);
    void remove(MapHandle map);

    // The CUDA device of this context, whose pictures the renderer can draw; none if CUDA and this
    // context do not interoperate.
    std::optional<int> pictureDevice() const;
    // A new handle for a picture in that device's memory, and another picture for an existing
    // handle. The CUDA path draws the picture in place. The OpenGL path draws a texture filled by
    // one copy on the device; the texture is reused from picture to picture. Only the device waits
    // for the picture. Throws InvalidArgument for a picture on another device, OutOfMemory,
    // DeviceError.
    MapHandle adopt(std::shared_ptr<DevicePicture> picture);
    void adopt(MapHandle map, std::shared_ptr<DevicePicture> picture);

    // Fills the viewport x, y, width, height (GL window coordinates) with the map; the alpha of the
    // colors blends with the framebuffer. `view` has the viewport's size, or a smaller one of the
    // same shape, which is drawn coarser and scaled up. `clipLeft`, `clipRight`: fractions of the
    // width outside of which nothing is drawn (swipe).
    struct Viewport {
        int x = 0, y = 0, width = 0, height = 0;
        double clipLeft = 0.0, clipRight = 1.0;
    };
    void draw(MapHandle map, const ViewGeometry& view, const ColorScale& scale,
              const Viewport& viewport);
    // Uploads the markers of a catalog for any number of draws. Throws OutOfMemory.
    MarkerHandle uploadMarkers(const MarkerSet& set);
    void removeMarkers(MarkerHandle markers);
    // Draws the markers, or their density (kMostSingleMarkers), over the framebuffer; `view` has
    // the viewport's size, in the set's own frame.
    void drawMarkers(MarkerHandle markers, const MarkerSet& set, const ViewGeometry& view,
                     const MarkerStyle& style, double opacity, double pixelRatio,
                     const Viewport& viewport);
    // drawMarkers() for an even subset of at most `most` markers in view, whose positions are
    // uploaded for this picture alone. Time and memory do not depend on the size of the set.
    void drawSomeMarkers(const MarkerSet& set, const ViewGeometry& view, const MarkerStyle& style,
                         double opacity, double pixelRatio, const Viewport& viewport, int64_t most);

    // Paths that are available in this context, and the reasons why others are not.
    std::vector<DrawPath> availablePaths() const;
    std::string whyNot(DrawPath path) const;  // empty if available
    void setPath(DrawPath path);              // throws Unsupported if not available
    DrawPath path() const;

private:
    friend class SkyProbe;  // reads numbers instead of colors, in tests
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
