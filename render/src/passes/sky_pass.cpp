// SPDX-License-Identifier: GPL-3.0-or-later
#include "passes/sky_pass.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "gl/gl_check.h"
#include "passes/pixel_anchor.h"
#include "passes/projection_defines.h"
#include "shaders.h"

namespace armilla {

namespace {

// Texture units.
constexpr int kFacesUnit = 0, kRowUnit = 1, kColorUnit = 2, kCumulativeUnit = 3;
constexpr int kTexelsPerRow = 3;

void bindTo(int unit, const gl::Texture& texture) {
    glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
    glBindTexture(GL_TEXTURE_2D, texture.name());
}

// A table for texelFetch.
gl::Texture makeTable(int unit) {
    gl::Texture texture = gl::Texture::make();
    bindTo(unit, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    return texture;
}

// The leading 9 bits of a number: the product with a column of up to 15 bits, half pixels included,
// is exact in single precision.
float leadingDigits(double value) {
    int exponent = 0;
    const double mantissa = std::frexp(value, &exponent);
    return static_cast<float>(std::ldexp(std::round(std::ldexp(mantissa, 9)), exponent - 9));
}

void setColor(gl::Program& program, const char* name, Rgba color, bool used = true) {
    glUniform4f(program.uniform(name), color.r / 255.0F, color.g / 255.0F, color.b / 255.0F,
                used ? color.a / 255.0F : -1.0F);
}

}  // namespace

SkyPass::SkyPass()
    : rowTable_(makeTable(kRowUnit)),
      colorTable_(makeTable(kColorUnit)),
      cumulativeTable_(makeTable(kCumulativeUnit)) {}

gl::Program& SkyPass::program(SkyOutput output, Projection projection, Scale scale) {
    const Variant variant{output, projection, scale};
    const auto found = programs_.find(variant);
    if (found != programs_.end()) return found->second;
    const std::string defines = projectionDefines(projection) + "#define OUTPUT " +
                                std::to_string(static_cast<int>(output)) + "\n#define SCALE " +
                                std::to_string(static_cast<int>(scale)) + "\n";
    gl::Program made({embedded::kSkyVert},
                     {embedded::kPixelGeometryGlsl, embedded::kViewGeometryGlsl,
                      embedded::kColorMappingGlsl, embedded::kSkyFrag},
                     defines);
    return programs_.emplace(variant, std::move(made)).first->second;
}

void SkyPass::setRows(const ViewGeometry& view) {
    rows_.assign(static_cast<size_t>(view.height) * kTexelsPerRow * 4, 0.0F);
    float* out = rows_.data();
    for (int j = 0; j < view.height; ++j, out += 4 * kTexelsPerRow) {
        const PlaneRow row = planeRow(view.projection, planeFromImage(view, 0.5, j + 0.5).y);
        // 1 - cos(lat) without cancellation near the equator.
        const double versine = row.sinLat * row.sinLat / (1.0 + row.cosLat);
        const double quarters = row.lonPerX * view.radiansPerPixel / kHalfPi;
        const float leading = leadingDigits(quarters);
        const double values[] = {row.inside ? 1.0 : 0.0,
                                 row.y,
                                 row.sinLat,
                                 versine,
                                 leading,
                                 quarters - static_cast<double>(leading),
                                 row.halfWidth / view.radiansPerPixel,
                                 row.shear,
                                 row.stretch};
        std::transform(std::begin(values), std::end(values), out,
                       [](double value) { return static_cast<float>(value); });
    }
    bindTo(kRowUnit, rowTable_);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, kTexelsPerRow, view.height, 0, GL_RGBA, GL_FLOAT,
                 rows_.data());
}

void SkyPass::setView(gl::Program& program, const ViewGeometry& view, int x, int y, int64_t nside) {
    setRows(view);
    program.set("rowTable", kRowUnit);
    program.set("radiansPerPixel", static_cast<float>(view.radiansPerPixel));
    program.set("middleColumn",
                static_cast<float>(0.5 * view.width - view.offset.x / view.radiansPerPixel));
    program.set("eastSign", view.flip ? 1.0F : -1.0F);
    program.set("imageHeight", view.height);
    glUniform2i(program.uniform("imageOrigin"), x, y);
    float matrix[9];
    std::transform(std::begin(view.skyFromView.m), std::end(view.skyFromView.m), matrix,
                   [](double value) { return static_cast<float>(value); });
    glUniformMatrix3fv(program.uniform("skyFromView"), 1, GL_TRUE, matrix);
    PixelAnchor(nside, view.skyFromView * Vec3{1.0, 0.0, 0.0}).set(program);
}

void SkyPass::setColors(gl::Program& program, const ColorScale& scale) {
    bindTo(kColorUnit, colorTable_);
    const std::pair<std::string, bool> wanted{scale.colorMap, scale.reversed};
    if (tableOf_ != wanted) {
        const ColorTable table = colorTable(scale.colorMap, scale.reversed);
        static_assert(sizeof(Rgba) == 4);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 256, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     table.data());
        tableOf_ = wanted;
    }
    program.set("colorTable", kColorUnit);
    if (scale.mapping.scale == Scale::Histogram) {
        bindTo(kCumulativeUnit, cumulativeTable_);
        if (cumulativeOf_ != scale.cumulative) {
            glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, 256, 1, 0, GL_RED, GL_FLOAT,
                         scale.cumulative.data());
            cumulativeOf_ = scale.cumulative;
        }
        program.set("cumulativeTable", kCumulativeUnit);
    }
    const PreparedMapping mapping = prepareMapping(scale.mapping);
    program.set("mappingLow", mapping.low);
    program.set("mappingHigh", mapping.high);
    program.set("mappingLinear", mapping.linear);
    program.set("mappingStart", mapping.start);
    program.set("mappingFactor", mapping.factor);
    program.set("mappingGamma", mapping.gamma);
    setColor(program, "badColor", scale.bad);
    setColor(program, "outsideColor", scale.outside);
    setColor(program, "belowColor", scale.below, scale.ownBelow);
    setColor(program, "aboveColor", scale.above, scale.ownAbove);
}

void SkyPass::draw(SkyOutput output, const ViewGeometry& view, int x, int y, const MapTexture* map,
                   int64_t nside, const ColorScale* scale) {
    gl::Program& shader =
        program(output, view.projection, scale != nullptr ? scale->mapping.scale : Scale::Linear);
    shader.use();
    setView(shader, view, x, y, nside);
    if (map != nullptr) {
        glActiveTexture(GL_TEXTURE0 + kFacesUnit);
        glBindTexture(GL_TEXTURE_2D_ARRAY, map->name());
        shader.set("faces", kFacesUnit);
        shader.set("levels", map->levels());
    }
    if (scale != nullptr) setColors(shader, *scale);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    gl::check("drawing the sky");
}

}  // namespace armilla
