// SPDX-License-Identifier: GPL-3.0-or-later
#include "sky_probe.h"

#include <algorithm>

#include "armilla/core/pixel_geometry.h"
#include "gl/gl_state_guard.h"
#include "sky_renderer_state.h"

namespace armilla {

// One output of the shader, drawn into a target that stays bound for reading.
struct SkyProbe::Draw {
    Draw(SkyRenderer& renderer, SkyOutput output, GLenum format, const ViewGeometry& view,
         const MapTexture* texture, int64_t nside)
        : target(format) {
        glBindVertexArray(renderer.state_->vertexArray.name());
        target.bind(view.width, view.height);
        glViewport(0, 0, view.width, view.height);
        renderer.state_->skyPass.draw(output, view, 0, 0, texture, nside, nullptr);
    }
    OffscreenTarget target;
};

std::vector<int64_t> SkyProbe::indices(SkyRenderer& renderer, int64_t nside,
                                       const ViewGeometry& view) {
    const gl::StateGuard guard;
    gl::clearErrors();
    const Draw drawn(renderer, SkyOutput::Place, GL_RGBA32I, view, nullptr, nside);
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

std::vector<float> SkyProbe::values(SkyRenderer& renderer, MapHandle map,
                                    const ViewGeometry& view) {
    const gl::StateGuard guard;
    gl::clearErrors();
    const MapTexture& texture = *renderer.state_->find(map).texture;
    const Draw drawn(renderer, SkyOutput::Value, GL_R32F, view, &texture, texture.nside());
    const auto width = static_cast<size_t>(view.width), height = static_cast<size_t>(view.height);
    std::vector<float> lowestFirst(width * height), values(width * height);
    glReadPixels(0, 0, view.width, view.height, GL_RED, GL_FLOAT, lowestFirst.data());
    gl::check("reading values");
    for (size_t row = 0; row < height; ++row)
        std::copy_n(lowestFirst.begin() + static_cast<int64_t>((height - 1 - row) * width), width,
                    values.begin() + static_cast<int64_t>(row * width));
    return values;
}

void SkyProbe::limitNside(SkyRenderer& renderer, int64_t nside) {
    renderer.state_->maxNside = nside;
}

}  // namespace armilla
