// SPDX-License-Identifier: GPL-3.0-or-later
// Draws maps with the graphics card, into the current framebuffer of the current OpenGL context.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/view_geometry.h"
#include "render/color_scale.h"
#include "render/map_pyramid.h"
#include "render/markers.h"

namespace armilla {

class DevicePicture;

// OpenGl: fragment shader. Cuda: kernel into a GL texture (interop). The CPU way is
// image_renderer.h.
enum class DrawPath { OpenGl, Cuda };

// How markers are drawn where there are more of them than pixels, of each pixel the last one.
// Points: all of them as points, of which the graphics card leaves out the others; any OpenGL 3.3.
// Compute: by compute shaders, of OpenGL 4.3 or as extensions. The pictures agree but for rounding.
enum class CrowdPath { Points, Compute };

// Handle of a map kept on the graphics card.
using MapHandle = int;
// Handle of a catalog's places kept there.
using MarkerHandle = int;

// InPieces: returns once something can be seen; the rest goes by advanceUpload.
enum class UploadPace { AtOnce, InPieces };

// All calls with one and the same OpenGL 3.3+ context current, `initialize` before all others.
// Throws DeviceError with the GL or shader log, OutOfMemory when a texture does not fit (the caller
// then builds a smaller pyramid).
//
// Every call leaves the OpenGL state as it found it. Pictures agree with renderImage() but for
// pixels whose direction is within rounding of a border (single precision, relative to the middle
// of the projection: tst_sky_renderer).
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
    // Largest nside whose faces this context can hold as far as it tells; the memory for them may
    // still be missing, which `upload` finds out.
    int64_t maxNside() const;
    // Takes less than the context can hold from now on.
    void limitNside(int64_t nside);

    // Throws OutOfMemory if the pyramid is deeper than maxNside() or does not fit into memory; what
    // the handle held before `replace` is then still there. The renderer keeps the pyramid, whose
    // values are shared, for a later change of path.
    MapHandle upload(const MapPyramid& pyramid, UploadPace pace = UploadPace::AtOnce);
    // Goes on with a map uploaded in pieces, until `seconds` have passed (a piece takes about a
    // millisecond); true once all of it is there. Until then coarser levels are drawn.
    bool advanceUpload(MapHandle map, double seconds);
    // The nside of what is drawn at most: that of the pyramid once all of it is there.
    int64_t drawnNside(MapHandle map) const;
    // The deepest part of the pyramid that fits, and its nside, which is smaller than the pyramid's
    // if memory or the card's limits ask for it: the caller says so to the user. Throws OutOfMemory
    // if not even nside 1 fits.
    struct Fitted {
        MapHandle map = 0;
        int64_t nside = 0;
    };
    Fitted uploadWhatFits(const MapPyramid& pyramid, UploadPace pace = UploadPace::AtOnce);
    void replace(MapHandle map, const MapPyramid& pyramid, UploadPace pace = UploadPace::AtOnce);
    void remove(MapHandle map);

    // The CUDA device that draws this context, whose pictures it can draw from; none if CUDA and
    // this context do not work together.
    std::optional<int> pictureDevice() const;
    // A handle that draws from a picture in that device's memory, and another picture for a handle:
    // by the CUDA path from where it lies, by OpenGL from a texture that one copy on the device
    // fills and that is kept from picture to picture. Nothing waits for the picture but the device.
    // Throws InvalidArgument for a picture elsewhere, OutOfMemory, DeviceError.
    MapHandle adopt(std::shared_ptr<DevicePicture> picture);
    void adopt(MapHandle map, std::shared_ptr<DevicePicture> picture);

    // Fills the viewport x, y, width, height (GL window coordinates) with the map; alpha of the
    // colors blends with what is there. `view` has the viewport's size, or a smaller one of the
    // same shape, which is then drawn coarser and scaled up. `clipLeft`, `clipRight`: shares of the
    // width outside of which nothing is drawn (swipe).
    struct Viewport {
        int x = 0, y = 0, width = 0, height = 0;
        double clipLeft = 0.0, clipRight = 1.0;
    };
    void draw(MapHandle map, const ViewGeometry& view, const ColorScale& scale,
              const Viewport& viewport);
    // Markers of a catalog on the card, as often drawn as wished. Throws OutOfMemory.
    MarkerHandle uploadMarkers(const MarkerSet& set);
    void removeMarkers(MarkerHandle markers);
    // Over what is there; `view` has the viewport's size and is that of the set's own frame. Where
    // more than `most` are in view, an even share of them; 0: all.
    void drawMarkers(MarkerHandle markers, const MarkerSet& set, const ViewGeometry& view,
                     const MarkerStyle& style, double opacity, double pixelRatio,
                     const Viewport& viewport, int64_t most = 0);
    // For tests, by the shader; the top row first. Nested pixel index at `nside` (a power of two up
    // to 2^24) under each pixel, -1 off the sky.
    std::vector<int64_t> drawIndices(int64_t nside, const ViewGeometry& view);
    // The value drawn, means included; NaN off the sky or bad.
    std::vector<float> drawValues(MapHandle map, const ViewGeometry& view);

    // Paths usable in this context; why the others are not.
    std::vector<DrawPath> availablePaths() const;
    std::string whyNot(DrawPath path) const;  // empty if it is available
    void setPath(DrawPath path);              // throws Unsupported if not available
    DrawPath path() const;
    // The same for markers. Compute from the start where it is available, but where OpenGL runs in
    // software, which is slower at it (tst_markers).
    std::string whyNot(CrowdPath path) const;
    void setCrowdPath(CrowdPath path);  // throws Unsupported if not available
    CrowdPath crowdPath() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
