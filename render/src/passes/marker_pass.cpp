// SPDX-License-Identifier: GPL-3.0-or-later
#include "passes/marker_pass.h"

#include <utility>

#include "gl/gl_check.h"
#include "passes/projection_defines.h"
#include "shaders.h"

namespace armilla {

namespace {

void drawPoints(const MarkerDraw& what) {
    what.markers.bind();
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
                (use == Use::Counts ? "#define COUNTS\n" : ""));
        found = programs_.emplace(std::pair{projection, use}, std::move(made)).first;
    }
    found->second.use();
    setPlace(found->second, what);
    return found->second;
}

void MarkerPass::count(const MarkerDraw& what) {
    glViewport(0, 0, what.width(), what.height());
    constexpr GLfloat kNone[4] = {0.0F, 0.0F, 0.0F, 0.0F};
    glClearBufferfv(GL_COLOR, 0, kNone);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE);
    program(what, Use::Counts).set("pointSize", 1.0F);
    drawPoints(what);
    gl::check("counting markers");
}

void MarkerPass::draw(const MarkerDraw& what) {
    gl::Program& shader = program(what, Use::Markers);
    setInk(shader, what.look);
    const auto side = static_cast<float>(what.look.side());
    shader.set("pointSize", side);
    shader.set("stampHalf", 0.5F * side / static_cast<float>(what.look.pixelRatio));
    drawPoints(what);
    gl::check("drawing markers");
}

}  // namespace armilla
