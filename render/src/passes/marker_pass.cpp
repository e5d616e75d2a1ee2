// SPDX-License-Identifier: GPL-3.0-or-later
#include "passes/marker_pass.h"

#include <utility>

#include "gl/gl_check.h"
#include "passes/projection_defines.h"
#include "shaders.h"

namespace armilla {

namespace {

void drawPoints(const MarkerDraw& what) {
    what.markers.bind(what.every);
    glEnable(GL_PROGRAM_POINT_SIZE);
    forEachRun(what, [](int64_t first, int64_t count) {
        glDrawArrays(GL_POINTS, static_cast<GLint>(first), static_cast<GLsizei>(count));
    });
}

}  // namespace

gl::Program& MarkerPass::program(const MarkerDraw& what, Use use) {
    const Projection projection = what.view.projection;
    auto found = programs_.find({projection, use});
    if (found == programs_.end()) {
        gl::Program made(
            {embedded::kViewGeometryGlsl, embedded::kMarkerPlaceGlsl, embedded::kMarkersVert},
            {embedded::kMarkerInkGlsl, embedded::kMarkersFrag},
            projectionDefines(projection) + "#define PLANE_FROM_DIRECTION\n" +
                (use == Use::Owners ? "#define OWNERS\n" : ""));
        found = programs_.emplace(std::pair{projection, use}, std::move(made)).first;
    }
    found->second.use();
    setPlace(found->second, what);
    return found->second;
}

void MarkerPass::findOwners(const MarkerDraw& what) {
    owners_.bind(what.width(), what.height());
    glViewport(0, 0, what.width(), what.height());
    constexpr GLuint kNobody[4] = {0, 0, 0, 0};
    glClearBufferuiv(GL_COLOR, 0, kNobody);
    program(what, Use::Owners).set("pointSize", 1.0F);
    drawPoints(what);
    gl::check("finding the markers on top");
    hasOwners_ = true;
}

void MarkerPass::draw(const MarkerDraw& what) {
    gl::Program& shader = program(what, Use::Markers);
    setInk(shader, what.look);
    shader.set("hasOwners", std::exchange(hasOwners_, false) ? 1 : 0);
    shader.set("owners", 0);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, owners_.texture());
    const auto side = static_cast<float>(what.look.side());
    shader.set("pointSize", side);
    shader.set("stampHalf", 0.5F * side / static_cast<float>(what.look.pixelRatio));
    drawPoints(what);
    gl::check("drawing markers");
}

}  // namespace armilla
