// SPDX-License-Identifier: GPL-3.0-or-later
// The maps, markers and passes of a renderer.
#pragma once

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "armilla/core/error.h"
#include "armilla/render/sky_renderer.h"
#include "gl/gl_check.h"
#include "gl/gl_program.h"
#include "passes/density_pass.h"
#include "passes/marker_pass.h"
#include "passes/offscreen_target.h"
#include "passes/sky_pass.h"
#include "upload/cuda_painter.h"
#include "upload/map_texture.h"
#include "upload/upload_pieces.h"

namespace armilla {

struct SkyRenderer::State {
    static constexpr double kNoLimit = std::numeric_limits<double>::infinity();  // seconds

    struct DrawnMap {
        MapPyramid pyramid;
        std::optional<MapTexture> texture;
        std::unique_ptr<CudaMap> cuda;
        std::shared_ptr<DevicePicture> picture;  // replaces the pyramid

        bool advance(DrawPath path, double seconds) {
            if (picture) return true;
            return path == DrawPath::Cuda ? cuda->advance(pyramid, seconds)
                                          : texture->advance(pyramid, seconds);
        }
        int64_t nside(DrawPath path) const {
            return path == DrawPath::Cuda ? cuda->nside() : texture->nside();
        }
    };

    State();
    // Draws markers, or their density if many are in view, into the viewport of the framebuffer.
    void drawMarkers(const MarkerDraw& what, int64_t inView, const Viewport& viewport,
                     GLuint framebuffer);

    std::string deviceName;
    int64_t maxNside = 0;
    gl::VertexArray vertexArray;
    SkyPass skyPass;
    gl::Program picturePass;
    OffscreenTarget coarse{GL_RGBA8}, painted{GL_RGBA8};
    std::map<MapHandle, DrawnMap> maps;
    MapHandle next = 1;
    MarkerPass markerPass;
    DensityPass densityPass;
    std::map<MarkerHandle, MarkerBuffer> markers;
    MarkerHandle nextMarkers = 1;
    DrawPath path = DrawPath::OpenGl;
    std::string whyNoCuda;
    std::unique_ptr<CudaPainter> cuda;

    ~State() {
        for (auto& [handle, map] : maps) freeTexture(map);
        if (cuda && painted.texture() != 0) cuda->forget(painted.texture());
    }
    // Updates the texture, which is kept from picture to picture; the kernel of the CUDA path needs
    // none.
    void placePicture(DrawnMap& map) {
        if (path == DrawPath::Cuda) {
            map.cuda = cuda->adopt(map.picture);
            return;
        }
        if (!map.texture || map.texture->nside() != map.picture->nside()) {
            freeTexture(map);
            map.texture.emplace(map.picture->nside());
        }
        cuda->copyFaces(*map.picture, map.texture->name());
    }
    void freeTexture(DrawnMap& map) {
        if (map.texture && cuda) cuda->forget(map.texture->name());
        map.texture.reset();
    }
    // Uploads the map for the present path, or a coarser sky first.
    void place(DrawnMap& map, UploadPace pace) {
        if (map.picture) return placePicture(map);
        if (path == DrawPath::OpenGl && !map.texture) map.texture.emplace(map.pyramid);
        if (path == DrawPath::Cuda && !map.cuda) map.cuda = cuda->upload(map.pyramid);
        const int64_t first = std::min(kFirstNside, map.pyramid.nside());
        if (pace == UploadPace::AtOnce)
            map.advance(path, kNoLimit);
        else
            while (map.nside(path) < first && !map.advance(path, 0.0)) {
            }
    }
    DrawnMap& find(MapHandle handle) {
        const auto found = maps.find(handle);
        if (found == maps.end())
            throw InvalidArgument("expected the handle of an uploaded map, found " +
                                  std::to_string(handle));
        return found->second;
    }
    DrawnMap made(const MapPyramid& pyramid, UploadPace pace) {
        if (pyramid.nside() > maxNside)
            throw OutOfMemory("expected faces of nside " + std::to_string(maxNside) +
                              " at most on " + deviceName + ", found " +
                              std::to_string(pyramid.nside()));
        DrawnMap map{pyramid, {}, {}, {}};
        place(map, pace);
        return map;
    }
    // Sets the viewport for drawing, alpha premultiplied.
    static void layOver(const Viewport& viewport) {
        glEnable(GL_SCISSOR_TEST);
        glScissor(viewport.x, viewport.y, viewport.width, viewport.height);
        glEnable(GL_BLEND);
        glBlendEquation(GL_FUNC_ADD);
        glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    }
    void drawPicture(GLuint texture, const Viewport& viewport) {
        picturePass.use();
        glActiveTexture(GL_TEXTURE0);
        glBindTexture(GL_TEXTURE_2D, texture);
        picturePass.set("picture", 0);
        glUniform4f(picturePass.uniform("viewport"), static_cast<float>(viewport.x),
                    static_cast<float>(viewport.y), static_cast<float>(viewport.width),
                    static_cast<float>(viewport.height));
        glDrawArrays(GL_TRIANGLES, 0, 3);
        gl::check("drawing a picture");
    }
};

}  // namespace armilla
