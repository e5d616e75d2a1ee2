// SPDX-License-Identifier: GPL-3.0-or-later
#include "passes/marker_place.h"

#include <cmath>
#include <string>

#include "armilla/core/error.h"
#include "gl/gl_check.h"

namespace armilla {

namespace {

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

}  // namespace

MarkerBuffer::MarkerBuffer(std::span<const float> coordinates)
    : vertexArray_(gl::VertexArray::make()), places_(gl::Buffer::make()) {
    const size_t bytes = coordinates.size_bytes();
    glBindBuffer(GL_ARRAY_BUFFER, places_.name());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(bytes), coordinates.data(),
                 GL_STATIC_DRAW);
    if (glGetError() == GL_OUT_OF_MEMORY)
        throw OutOfMemory("expected " + std::to_string(bytes >> 20) +
                          " MiB of graphics memory for the places of a catalog, found less");
    gl::check("uploading the places of a catalog");
}

void MarkerBuffer::bind() const {
    glBindVertexArray(vertexArray_.name());
    glBindBuffer(GL_ARRAY_BUFFER, places_.name());
    for (GLuint part = 0; part < 2; ++part) {
        glEnableVertexAttribArray(part);
        glVertexAttribPointer(part, 3, GL_FLOAT, GL_FALSE, 6 * sizeof(float),
                              // NOLINTNEXTLINE(performance-no-int-to-ptr): OpenGL's way
                              reinterpret_cast<const void*>(part * 3 * sizeof(float)));
    }
}

int MarkerLook::side() const {
    return static_cast<int>(std::ceil(2.0 * markerReach(style) * pixelRatio));
}

void setPlace(gl::Program& program, const MarkerDraw& what) {
    const ViewGeometry& view = what.view;
    const int width = what.width(), height = what.height();
    setParts(program, "middle", "middleRest", view.skyFromView * Vec3{1.0, 0.0, 0.0});
    float matrix[9];
    const Mat3 viewFromSky = transposed(view.skyFromView);
    for (int i = 0; i < 9; ++i) matrix[i] = static_cast<float>(viewFromSky.m[i]);
    glUniformMatrix3fv(program.uniform("viewFromSky"), 1, GL_TRUE, matrix);
    program.set("eastSign", view.flip ? 1.0F : -1.0F);
    glUniform2f(program.uniform("planeOffset"), static_cast<float>(view.offset.x),
                static_cast<float>(view.offset.y));
    glUniform2f(program.uniform("planeToClip"),
                static_cast<float>(2.0 / (view.radiansPerPixel * width)),
                static_cast<float>(2.0 / (view.radiansPerPixel * height)));
    glUniform2f(program.uniform("pixels"), static_cast<float>(width), static_cast<float>(height));
}

void setInk(gl::Program& program, const MarkerLook& look) {
    const Rgba color = look.style.color;
    program.set("radius", static_cast<float>(0.5 * look.style.size));
    program.set("pixelRatio", static_cast<float>(look.pixelRatio));
    program.set("rims", static_cast<float>(look.edges));
    program.set("shape", static_cast<int>(look.style.shape));
    glUniform4f(program.uniform("ink"), color.r / 255.0F, color.g / 255.0F, color.b / 255.0F,
                static_cast<float>(look.opacity));
}

}  // namespace armilla
