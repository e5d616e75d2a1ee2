// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/render/sky_renderer.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "gl/gl_check.h"
#include "gl/gl_program.h"
#include "gl/gl_state_guard.h"
#include "passes/density_pass.h"
#include "passes/marker_pass.h"
#include "passes/marker_place.h"
#include "passes/offscreen_target.h"
#include "passes/sky_pass.h"
#include "shaders.h"
#include "upload/cuda_painter.h"
#include "upload/map_texture.h"
#include "upload/upload_pieces.h"

namespace armilla {

namespace {

// epoxy encodes version 3.3 as 33.
constexpr int kNeededVersion = 33;
// Split numbers of the shader (integer parts up to 2.25 nside) and their products by the few
// quarter turns must fit 32 bits, and nside must be exact in single precision.
constexpr int64_t kMaxIndexNside = int64_t{1} << 24;

constexpr double kNoLimit = std::numeric_limits<double>::infinity();  // seconds

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

}  // namespace

struct SkyRenderer::State {
    State()
        : vertexArray(gl::VertexArray::make()),
          picturePass({embedded::kSkyVert}, {embedded::kPictureFrag}, "") {}

    std::string deviceName;
    int64_t maxNside = 0;
    gl::VertexArray vertexArray;
    SkyPass skyPass;
    gl::Program picturePass;
    OffscreenTarget coarse{GL_RGBA8}, places{GL_RGBA32I}, values{GL_R32F}, painted{GL_RGBA8};
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

SkyRenderer::SkyRenderer() = default;
SkyRenderer::~SkyRenderer() = default;

void SkyRenderer::initialize() {
    if (epoxy_gl_version() < kNeededVersion)
        throw Unsupported("expected OpenGL 3.3 or later, found " + gl::text(GL_VERSION) + " on " +
                          gl::text(GL_RENDERER));
    const gl::StateGuard guard;
    gl::clearErrors();
    state_ = std::make_unique<State>();
    state_->deviceName = gl::text(GL_RENDERER);
    state_->maxNside = MapTexture::largestNside();
    state_->cuda = CudaPainter::create(state_->whyNoCuda);
}

std::string SkyRenderer::deviceName() const {
    return state_->deviceName;
}

bool SkyRenderer::isSoftware(std::string_view deviceName) {
    for (const char* name : {"llvmpipe", "softpipe", "Software Rasterizer", "SWR"})
        if (deviceName.find(name) != std::string_view::npos) return true;
    return false;
}

int64_t SkyRenderer::maxNside() const {
    return state_->maxNside;
}

void SkyRenderer::limitNside(int64_t nside) {
    state_->maxNside = std::min(state_->maxNside, nside);
}

MapHandle SkyRenderer::upload(const MapPyramid& pyramid, UploadPace pace) {
    const gl::StateGuard guard;
    gl::clearErrors();
    state_->maps.emplace(state_->next, state_->made(pyramid, pace));
    return state_->next++;
}

bool SkyRenderer::advanceUpload(MapHandle map, double seconds) {
    const gl::StateGuard guard;
    gl::clearErrors();
    return state_->find(map).advance(state_->path, seconds);
}

int64_t SkyRenderer::drawnNside(MapHandle map) const {
    return state_->find(map).nside(state_->path);
}

SkyRenderer::Fitted SkyRenderer::uploadWhatFits(const MapPyramid& pyramid, UploadPace pace) {
    MapPyramid part = pyramid;
    while (part.nside() > maxNside() && part.levels() > 1) part = part.coarser();
    for (;;) {
        try {
            return {upload(part, pace), part.nside()};
        } catch (const OutOfMemory&) {
            if (part.levels() < 2) throw;
            part = part.coarser();
        }
    }
}

void SkyRenderer::replace(MapHandle map, const MapPyramid& pyramid, UploadPace pace) {
    const gl::StateGuard guard;
    gl::clearErrors();
    DrawnMap& old = state_->find(map);
    DrawnMap made = state_->made(pyramid, pace);
    state_->freeTexture(old);
    old = std::move(made);
}

void SkyRenderer::remove(MapHandle map) {
    state_->freeTexture(state_->find(map));
    state_->maps.erase(map);
}

std::optional<int> SkyRenderer::pictureDevice() const {
    return state_->cuda ? std::optional(state_->cuda->device()) : std::nullopt;
}

MapHandle SkyRenderer::adopt(std::shared_ptr<DevicePicture> picture) {
    const MapHandle handle = state_->next++;
    state_->maps[handle];
    try {
        adopt(handle, std::move(picture));
    } catch (...) {
        state_->maps.erase(handle);
        throw;
    }
    return handle;
}

void SkyRenderer::adopt(MapHandle handle, std::shared_ptr<DevicePicture> picture) {
    if (!picture || pictureDevice() != picture->device())
        throw InvalidArgument("expected a picture on the device that draws, found none");
    const gl::StateGuard guard;
    gl::clearErrors();
    DrawnMap& map = state_->find(handle);
    if (map.picture == picture) return;
    map.pyramid = {};
    map.picture = std::move(picture);
    state_->placePicture(map);
}

void SkyRenderer::draw(MapHandle handle, const ViewGeometry& view, const ColorScale& scale,
                       const Viewport& viewport) {
    State& s = *state_;
    DrawnMap& map = s.find(handle);
    if (view.width < 1 || view.height < 1 || viewport.width < 1 || viewport.height < 1) return;
    const gl::StateGuard guard;
    gl::clearErrors();
    glBindVertexArray(s.vertexArray.name());
    const auto column = [&](double share) {
        return viewport.x +
               static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * viewport.width));
    };
    const int left = column(viewport.clipLeft), right = column(viewport.clipRight);
    if (right <= left) return;
    const bool direct = s.path == DrawPath::OpenGl && view.width == viewport.width &&
                        view.height == viewport.height;
    GLuint picture = 0;
    if (s.path == DrawPath::Cuda) {
        if (s.painted.texture() != 0 &&
            (s.painted.width() != view.width || s.painted.height() != view.height))
            s.cuda->forget(s.painted.texture());
        s.painted.resize(view.width, view.height);
        s.cuda->paint(*map.cuda, view, scale, s.painted.texture());
        picture = s.painted.texture();
    } else if (!direct) {
        s.coarse.bind(view.width, view.height);
        glViewport(0, 0, view.width, view.height);
        s.skyPass.draw(SkyOutput::Color, view, 0, 0, &*map.texture, map.texture->nside(), &scale);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, guard.drawFramebuffer());
        picture = s.coarse.texture();
    }
    glViewport(viewport.x, viewport.y, viewport.width, viewport.height);
    State::layOver({left, viewport.y, right - left, viewport.height});
    if (direct)
        s.skyPass.draw(SkyOutput::Color, view, viewport.x, viewport.y, &*map.texture,
                       map.texture->nside(), &scale);
    else
        s.drawPicture(picture, viewport);
}

MarkerHandle SkyRenderer::uploadMarkers(const MarkerSet& set) {
    const gl::StateGuard guard;
    gl::clearErrors();
    state_->markers.emplace(state_->nextMarkers, MarkerBuffer(set));
    return state_->nextMarkers++;
}

void SkyRenderer::removeMarkers(MarkerHandle markers) {
    state_->markers.erase(markers);
}

void SkyRenderer::drawMarkers(MarkerHandle handle, const MarkerSet& set, const ViewGeometry& view,
                              const MarkerStyle& style, double opacity, double pixelRatio,
                              const Viewport& viewport, int64_t most) {
    State& s = *state_;
    const auto found = s.markers.find(handle);
    if (found == s.markers.end())
        throw InvalidArgument("expected the handle of uploaded markers, found " +
                              std::to_string(handle));
    MarkerLook look{style, opacity, pixelRatio};
    const auto runs = set.runsIn(view, look.margin());
    if (runs.empty()) return;
    int64_t total = 0;
    for (const MarkerSet::Run& run : runs) total += run.end - run.begin;
    const int64_t every = most > 0 ? (total + most - 1) / most : 1;
    look.edges = rimShare(total / std::max<int64_t>(1, every));
    const MarkerDraw what{found->second, runs, view, look,
                          std::clamp<int64_t>(every, 1, MarkerDraw::kMostEvery)};
    const gl::StateGuard guard;
    gl::clearErrors();
    if (total > kMostSingleMarkers) {
        s.densityPass.find(what, s.markerPass, s.vertexArray.name());
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, guard.drawFramebuffer());
        glViewport(viewport.x, viewport.y, viewport.width, viewport.height);
        State::layOver(viewport);
        s.densityPass.draw(look, viewport.x, viewport.y);
        return;
    }
    glViewport(viewport.x - look.margin(), viewport.y - look.margin(), what.width(), what.height());
    State::layOver(viewport);
    s.markerPass.draw(what);
}

std::vector<int64_t> SkyRenderer::drawIndices(int64_t nside, const ViewGeometry& view) {
    if (!isPowerOfTwoNside(nside) || nside > kMaxIndexNside)
        throw InvalidArgument("expected a power of two up to 2^24 as nside, found " +
                              std::to_string(nside));
    const gl::StateGuard guard;
    gl::clearErrors();
    State& s = *state_;
    glBindVertexArray(s.vertexArray.name());
    s.places.bind(view.width, view.height);
    glViewport(0, 0, view.width, view.height);
    s.skyPass.draw(SkyOutput::Place, view, 0, 0, nullptr, nside, nullptr);
    const auto width = static_cast<size_t>(view.width), height = static_cast<size_t>(view.height);
    std::vector<int32_t> places(width * height * 4);
    glReadPixels(0, 0, view.width, view.height, GL_RGBA_INTEGER, GL_INT, places.data());
    gl::check("reading indices");
    std::vector<int64_t> pixels(width * height);
    for (size_t row = 0; row < height; ++row)
        for (size_t i = 0; i < width; ++i) {
            const int32_t* place = &places[((height - 1 - row) * width + i) * 4];
            pixels[row * width + i] =
                place[0] < 0 ? -1 : nestedFromFace(nside, {place[0], place[1], place[2]});
        }
    return pixels;
}

std::vector<float> SkyRenderer::drawValues(MapHandle handle, const ViewGeometry& view) {
    State& s = *state_;
    DrawnMap& map = s.find(handle);
    const gl::StateGuard guard;
    gl::clearErrors();
    if (map.picture) {
        const DrawPath before = std::exchange(s.path, DrawPath::OpenGl);
        s.placePicture(map);
        s.path = before;
    } else if (!map.texture) {
        map.texture.emplace(map.pyramid);
        map.texture->advance(map.pyramid, kNoLimit);
    }
    glBindVertexArray(s.vertexArray.name());
    s.values.bind(view.width, view.height);
    glViewport(0, 0, view.width, view.height);
    s.skyPass.draw(SkyOutput::Value, view, 0, 0, &*map.texture, map.texture->nside(), nullptr);
    const auto width = static_cast<size_t>(view.width), height = static_cast<size_t>(view.height);
    std::vector<float> lowestFirst(width * height), values(width * height);
    glReadPixels(0, 0, view.width, view.height, GL_RED, GL_FLOAT, lowestFirst.data());
    gl::check("reading values");
    for (size_t row = 0; row < height; ++row)
        std::copy_n(lowestFirst.begin() + static_cast<int64_t>((height - 1 - row) * width), width,
                    values.begin() + static_cast<int64_t>(row * width));
    return values;
}

std::vector<DrawPath> SkyRenderer::availablePaths() const {
    std::vector<DrawPath> paths{DrawPath::OpenGl};
    if (state_->cuda) paths.push_back(DrawPath::Cuda);
    return paths;
}

std::string SkyRenderer::whyNot(DrawPath path) const {
    return path == DrawPath::Cuda ? state_->whyNoCuda : std::string();
}

void SkyRenderer::setPath(DrawPath path) {
    State& s = *state_;
    if (path == DrawPath::Cuda && !s.cuda)
        throw Unsupported("expected CUDA to draw, found: " + s.whyNoCuda);
    const gl::StateGuard guard;
    gl::clearErrors();
    const DrawPath before = std::exchange(s.path, path);
    try {
        for (auto& [handle, map] : s.maps) s.place(map, UploadPace::AtOnce);
    } catch (...) {
        s.path = before;
        throw;
    }
}

DrawPath SkyRenderer::path() const {
    return state_->path;
}

}  // namespace armilla
