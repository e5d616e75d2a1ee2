// SPDX-License-Identifier: GPL-3.0-or-later
#include "passes/marker_crowd.h"

#include <algorithm>
#include <string>
#include <utility>

#include "gl/gl_check.h"
#include "gl/gl_state_guard.h"
#include "passes/projection_defines.h"
#include "shaders.h"

namespace armilla {

namespace {

// Must equal the constants of marker_crowd.comp.
constexpr int kSide = 16, kPlacesInGroup = 256;
// Limits of markers around a square of pixels. kFew: usual markers, with shared memory for several
// groups. kMost: two lists of 4 bytes each in 32 KiB.
constexpr int kFew = 1536, kMost = 4095;
// Groups per dispatch that every device supports.
constexpr int64_t kMostGroups = 65535;

int around(const MarkerLook& look) {
    const int side = kSide + 2 * look.margin();
    return side * side;
}

}  // namespace

bool MarkerCrowd::takes(const MarkerDraw& what) {
    GLint64 bytes = 0;
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &bytes);
    return around(what.look) <= kMost && what.markers.bytes() <= bytes;
}

gl::Program& MarkerCrowd::program(const MarkerDraw& what, int most) {
    const Key key{what.view.projection, most};
    auto found = programs_.find(key);
    if (found == programs_.end()) {
        const std::string use =
            most == 0 ? "#define OWNERS\n" : "#define MOST " + std::to_string(most) + "\n";
        gl::Program made(
            {embedded::kViewGeometryGlsl, embedded::kMarkerPlaceGlsl, embedded::kMarkerInkGlsl,
             embedded::kMarkerCrowdComp},
            projectionDefines(what.view.projection) + "#define PLANE_FROM_DIRECTION\n" + use);
        found = programs_.emplace(key, std::move(made)).first;
    }
    found->second.use();
    setPlace(found->second, what);
    glUniform1ui(found->second.uniform("every"), static_cast<GLuint>(what.every));
    return found->second;
}

void MarkerCrowd::findOwners(const MarkerDraw& what) {
    owners_.bind(what.width(), what.height());
    glViewport(0, 0, what.width(), what.height());
    constexpr GLuint kNobody[4] = {0, 0, 0, 0};
    glClearBufferuiv(GL_COLOR, 0, kNobody);
    gl::Program& shader = program(what, 0);
    glBindImageTexture(0, owners_.texture(), 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
    const GLint firstOf = shader.uniform("first"), countOf = shader.uniform("count");
    forEachRun(what, [&](int64_t first, int64_t count) {
        for (int64_t done = 0; done < count; done += kMostGroups * kPlacesInGroup) {
            const int64_t places = std::min(count - done, kMostGroups * kPlacesInGroup);
            glUniform1ui(firstOf, static_cast<GLuint>(first + done));
            glUniform1ui(countOf, static_cast<GLuint>(places));
            glDispatchCompute(static_cast<GLuint>((places + kPlacesInGroup - 1) / kPlacesInGroup),
                              1, 1);
        }
    });
    // The owners are read next, and cleared with the next picture.
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT);
}

GLuint MarkerCrowd::paint(const MarkerDraw& what) {
    const gl::ComputeStateGuard guard;
    const int width = what.view.width, height = what.view.height;
    layer_.resize(width, height);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, what.markers.name());
    findOwners(what);
    gl::Program& shader = program(what, around(what.look) <= kFew ? kFew : kMost);
    setInk(shader, what.look);
    shader.set("margin", what.look.margin());
    shader.set("reach", 0.5F * static_cast<float>(what.look.side()));
    shader.set("owners", 0);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, owners_.texture());
    glBindImageTexture(0, layer_.texture(), 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA16F);
    glDispatchCompute(static_cast<GLuint>((width + kSide - 1) / kSide),
                      static_cast<GLuint>((height + kSide - 1) / kSide), 1);
    // The layer is read next, and written with the next picture.
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    gl::check("painting a crowd of markers");
    return layer_.texture();
}

}  // namespace armilla
