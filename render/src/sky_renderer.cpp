// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/render/sky_renderer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gl/gl_state_guard.h"
#include "passes/marker_place.h"
#include "shaders.h"
#include "sky_renderer_state.h"

namespace armilla {

namespace {

// epoxy encodes version 3.3 as 33.
constexpr int kNeededVersion = 33;

int64_t lengthOf(const std::vector<MarkerSet::Run>& runs) {
    int64_t total = 0;
    for (const MarkerSet::Run& run : runs) total += run.end - run.begin;
    return total;
}

// The coordinates of each `every`-th position of the runs. The same positions are taken while the
// view moves, so that markers stay in place.
std::vector<float> evenPart(const MarkerSet& set, const std::vector<MarkerSet::Run>& runs,
                            int64_t every) {
    constexpr int64_t kNumbers = 6;
    std::vector<float> part;
    for (const MarkerSet::Run& run : runs)
        for (int64_t place = (run.begin + every - 1) / every * every; place < run.end;
             place += every) {
            const auto one = set.coordinates().subspan(static_cast<size_t>(kNumbers * place),
                                                       static_cast<size_t>(kNumbers));
            part.insert(part.end(), one.begin(), one.end());
        }
    return part;
}

}  // namespace

SkyRenderer::State::State()
    : vertexArray(gl::VertexArray::make()),
      picturePass({embedded::kSkyVert}, {embedded::kPictureFrag}, "") {}

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
    State::DrawnMap& old = state_->find(map);
    State::DrawnMap made = state_->made(pyramid, pace);
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
    State::DrawnMap& map = state_->find(handle);
    if (map.picture == picture) return;
    map.pyramid = {};
    map.picture = std::move(picture);
    state_->placePicture(map);
}

void SkyRenderer::draw(MapHandle handle, const ViewGeometry& view, const ColorScale& scale,
                       const Viewport& viewport) {
    State& s = *state_;
    State::DrawnMap& map = s.find(handle);
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
    state_->markers.emplace(state_->nextMarkers, MarkerBuffer(set.coordinates()));
    return state_->nextMarkers++;
}

void SkyRenderer::removeMarkers(MarkerHandle markers) {
    state_->markers.erase(markers);
}

void SkyRenderer::State::drawMarkers(const MarkerDraw& what, int64_t inView,
                                     const Viewport& viewport, GLuint framebuffer) {
    const MarkerLook& look = what.look;
    if (inView > kMostSingleMarkers) {
        densityPass.find(what, markerPass, vertexArray.name());
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
        glViewport(viewport.x, viewport.y, viewport.width, viewport.height);
        layOver(viewport);
        densityPass.draw(look, viewport.x, viewport.y);
        return;
    }
    glViewport(viewport.x - look.margin(), viewport.y - look.margin(), what.width(), what.height());
    layOver(viewport);
    markerPass.draw(what);
}

void SkyRenderer::drawMarkers(MarkerHandle handle, const MarkerSet& set, const ViewGeometry& view,
                              const MarkerStyle& style, double opacity, double pixelRatio,
                              const Viewport& viewport) {
    State& s = *state_;
    const auto found = s.markers.find(handle);
    if (found == s.markers.end())
        throw InvalidArgument("expected the handle of uploaded markers, found " +
                              std::to_string(handle));
    MarkerLook look{style, opacity, pixelRatio};
    const auto runs = set.runsIn(view, look.margin());
    if (runs.empty()) return;
    const int64_t total = lengthOf(runs);
    look.edges = rimShare(total);
    const gl::StateGuard guard;
    gl::clearErrors();
    s.drawMarkers({found->second, runs, view, look}, total, viewport, guard.drawFramebuffer());
}

void SkyRenderer::drawSomeMarkers(const MarkerSet& set, const ViewGeometry& view,
                                  const MarkerStyle& style, double opacity, double pixelRatio,
                                  const Viewport& viewport, int64_t most) {
    MarkerLook look{style, opacity, pixelRatio};
    const auto runs = set.runsIn(view, look.margin());
    if (runs.empty()) return;
    const int64_t total = lengthOf(runs);
    const std::vector<float> some = evenPart(set, runs, (total + most - 1) / most);
    const std::vector<MarkerSet::Run> all{{0, std::ssize(some) / 6}};
    look.edges = rimShare(all.front().end);
    const gl::StateGuard guard;
    gl::clearErrors();
    const MarkerBuffer buffer(some);
    state_->drawMarkers({buffer, all, view, look}, total, viewport, guard.drawFramebuffer());
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
