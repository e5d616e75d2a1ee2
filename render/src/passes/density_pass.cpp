// SPDX-License-Identifier: GPL-3.0-or-later
#include "passes/density_pass.h"

#include "armilla/draw/marker_density.h"
#include "gl/gl_check.h"
#include "shaders.h"

namespace armilla {

namespace {

// Must equal kSide of marker_density.frag.
constexpr int kSide = 8;

gl::Program step(std::string_view name) {
    return {{embedded::kSkyVert},
            {embedded::kMarkerDensityFrag},
            "#define " + std::string(name) + "\n"};
}

void bindTexture(int unit, GLuint texture) {
    glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
    glBindTexture(GL_TEXTURE_2D, texture);
}

}  // namespace

DensityPass::DensityPass()
    : spread_(step("SPREAD")),
      sum_(step("SUMS")),
      tone_(step("TONE")),
      counts_(GL_R32F),
      density_(GL_R32F),
      sums_{OffscreenTarget(GL_RGBA32F), OffscreenTarget(GL_RGBA32F)} {}

void DensityPass::find(const MarkerDraw& what, MarkerPass& points, GLuint fullScreen) {
    int width = what.view.width, height = what.view.height;
    counts_.bind(what.width(), what.height());
    points.count(what);
    glDisable(GL_BLEND);
    glBindVertexArray(fullScreen);
    density_.bind(width, height);
    glViewport(0, 0, width, height);
    const double radius = densityRadius(what.look.style, what.look.pixelRatio);
    spread_.use();
    spread_.set("counts", 0);
    spread_.set("margin", what.look.margin());
    spread_.set("reach", densityReach(radius));
    spread_.set("radius", static_cast<float>(radius));
    bindTexture(0, counts_.texture());
    glDrawArrays(GL_TRIANGLES, 0, 3);
    sum_.use();
    sum_.set("parts", 0);
    total_ = density_.texture();
    for (size_t level = 0; width > 1 || height > 1 || level == 0; ++level) {
        width = (width + kSide - 1) / kSide;
        height = (height + kSide - 1) / kSide;
        OffscreenTarget& next = sums_[level % 2];
        next.bind(width, height);
        glViewport(0, 0, width, height);
        sum_.set("isFirst", level == 0 ? 1 : 0);
        bindTexture(0, total_);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        total_ = next.texture();
    }
    gl::check("finding the density of markers");
}

void DensityPass::draw(const MarkerLook& look, int x, int y) {
    tone_.use();
    tone_.set("field", 0);
    tone_.set("total", 1);
    glUniform2f(tone_.uniform("corner"), static_cast<float>(x), static_cast<float>(y));
    const Rgba color = look.style.color;
    glUniform4f(tone_.uniform("ink"), color.r / 255.0F, color.g / 255.0F, color.b / 255.0F,
                static_cast<float>(look.opacity));
    bindTexture(1, total_);
    bindTexture(0, density_.texture());
    glDrawArrays(GL_TRIANGLES, 0, 3);
    gl::check("drawing the density of markers");
}

}  // namespace armilla
