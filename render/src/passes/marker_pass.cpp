// SPDX-License-Identifier: GPL-3.0-or-later
#include "passes/marker_pass.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "gl/gl_check.h"
#include "passes/projection_defines.h"
#include "shaders.h"

namespace armilla {

namespace {

constexpr GLsizei kStride = 6 * sizeof(float);
constexpr double kRim = 1.5;  // logical pixels around a marker: its dark edge and what softens it

void setParts(gl::Program& program, const char* name, const char* restName, Vec3 value) {
    const double parts[] = {value.x, value.y, value.z};
    float single[3], rest[3];
    for (int i = 0; i < 3; ++i) {
        single[i] = static_cast<float>(parts[i]);
        rest[i] = static_cast<float>(parts[i] - static_cast<double>(single[i]));
    }
    glUniform3fv(program.uniform(name), 1, single);
    glUniform3fv(program.uniform(restName), 1, rest);
}

void drawPoints(const MarkerDraw& what) {
    // A stride has its limits, which a share of a few in a million would pass.
    constexpr int64_t kMostEvery = 64;
    const int64_t every = std::clamp<int64_t>(what.every, 1, kMostEvery);
    what.markers.bind(every);
    const auto points = [every](int64_t begin, int64_t end) {
        const int64_t first = (begin + every - 1) / every;
        if (const int64_t count = (end + every - 1) / every - first; count > 0)
            glDrawArrays(GL_POINTS, static_cast<GLint>(first), static_cast<GLsizei>(count));
    };
    // Many short runs cost more than what they leave out.
    constexpr size_t kMostRuns = 256;
    if (what.runs.size() > kMostRuns)
        points(what.runs.front().begin, what.runs.back().end);
    else
        for (const MarkerSet::Run& run : what.runs) points(run.begin, run.end);
}

}  // namespace

MarkerBuffer::MarkerBuffer(const MarkerSet& set)
    : vertexArray_(gl::VertexArray::make()), places_(gl::Buffer::make()) {
    const auto coordinates = set.coordinates();
    glBindBuffer(GL_ARRAY_BUFFER, places_.name());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(coordinates.size_bytes()),
                 coordinates.data(), GL_STATIC_DRAW);
    if (glGetError() == GL_OUT_OF_MEMORY)
        throw OutOfMemory("expected " + std::to_string(coordinates.size_bytes() >> 20) +
                          " MiB of graphics memory for the places of a catalog, found less");
    gl::check("uploading the places of a catalog");
}

void MarkerBuffer::bind(int64_t every) const {
    glBindVertexArray(vertexArray_.name());
    glBindBuffer(GL_ARRAY_BUFFER, places_.name());
    for (GLuint part = 0; part < 2; ++part) {
        glEnableVertexAttribArray(part);
        glVertexAttribPointer(part, 3, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(every) * kStride,
                              // NOLINTNEXTLINE(performance-no-int-to-ptr): OpenGL's way
                              reinterpret_cast<const void*>(part * 3 * sizeof(float)));
    }
}

gl::Program& MarkerPass::program(Projection projection, Use use) {
    const auto found = programs_.find({projection, use});
    if (found != programs_.end()) return found->second;
    gl::Program made({embedded::kViewGeometryGlsl, embedded::kMarkersVert},
                     {embedded::kMarkersFrag},
                     projectionDefines(projection) + "#define PLANE_FROM_DIRECTION\n" +
                         (use == Use::Owners ? "#define OWNERS\n" : ""));
    return programs_.emplace(std::pair{projection, use}, std::move(made)).first->second;
}

gl::Program& MarkerPass::place(const MarkerDraw& what, Use use, double pointSize) {
    const ViewGeometry& view = what.view;
    gl::Program& shader = program(view.projection, use);
    shader.use();
    setParts(shader, "middle", "middleRest", view.skyFromView * Vec3{1.0, 0.0, 0.0});
    float matrix[9];
    const Mat3 viewFromSky = transposed(view.skyFromView);
    for (int i = 0; i < 9; ++i) matrix[i] = static_cast<float>(viewFromSky.m[i]);
    glUniformMatrix3fv(shader.uniform("viewFromSky"), 1, GL_TRUE, matrix);
    shader.set("eastSign", view.flip ? 1.0F : -1.0F);
    glUniform2f(shader.uniform("planeOffset"), static_cast<float>(view.offset.x),
                static_cast<float>(view.offset.y));
    glUniform2f(shader.uniform("planeToClip"),
                static_cast<float>(2.0 / (view.radiansPerPixel * view.width)),
                static_cast<float>(2.0 / (view.radiansPerPixel * view.height)));
    glUniform2f(shader.uniform("pixels"), static_cast<float>(view.width),
                static_cast<float>(view.height));
    shader.set("pointSize", static_cast<float>(pointSize));
    glEnable(GL_PROGRAM_POINT_SIZE);
    return shader;
}

void MarkerPass::findOwners(const MarkerDraw& what) {
    owners_.bind(what.view.width, what.view.height);
    glViewport(0, 0, what.view.width, what.view.height);
    constexpr GLuint kNobody[4] = {0, 0, 0, 0};
    glClearBufferuiv(GL_COLOR, 0, kNobody);
    place(what, Use::Owners, 1.0);
    drawPoints(what);
    gl::check("finding the markers on top");
    hasOwners_ = true;
}

void MarkerPass::draw(const MarkerDraw& what, const MarkerStyle& style, double opacity,
                      double pixelRatio) {
    const double side = std::ceil((style.size + 2.0 * kRim) * pixelRatio);
    gl::Program& shader = place(what, Use::Markers, side);
    shader.set("hasOwners", std::exchange(hasOwners_, false) ? 1 : 0);
    shader.set("owners", 0);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, owners_.texture());
    shader.set("stampHalf", static_cast<float>(0.5 * side / pixelRatio));
    shader.set("radius", static_cast<float>(0.5 * style.size));
    shader.set("pixelRatio", static_cast<float>(pixelRatio));
    shader.set("shape", static_cast<int>(style.shape));
    glUniform4f(shader.uniform("ink"), style.color.r / 255.0F, style.color.g / 255.0F,
                style.color.b / 255.0F, static_cast<float>(opacity));
    drawPoints(what);
    gl::check("drawing markers");
}

}  // namespace armilla
