// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the sky with one fragment for each image pixel.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "armilla/core/view_geometry.h"
#include "armilla/draw/color_scale.h"
#include "gl/gl_program.h"
#include "upload/map_texture.h"

namespace armilla {

enum class SkyOutput { Color, Place, Value };

class SkyPass {
public:
    SkyPass();
    // Draws into the bound framebuffer, with the image's lower left pixel at (x, y); viewport and
    // vertex array must be set. SkyOutput::Place uses `nside` and ignores `map`.
    void draw(SkyOutput output, const ViewGeometry& view, int x, int y, const MapTexture* map,
              int64_t nside, const ColorScale* scale);

private:
    using Variant = std::tuple<SkyOutput, Projection, Scale>;
    gl::Program& program(SkyOutput output, Projection projection, Scale scale);
    void setView(gl::Program& program, const ViewGeometry& view, int x, int y, int64_t nside);
    void setRows(const ViewGeometry& view);
    void setColors(gl::Program& program, const ColorScale& scale);

    std::map<Variant, gl::Program> programs_;
    gl::Texture rowTable_, colorTable_, cumulativeTable_;
    std::vector<float> rows_;
    // Contents of the tables, so that panning does not repeat the upload.
    std::optional<std::pair<std::string, bool>> tableOf_;
    std::optional<std::array<float, 256>> cumulativeOf_;
};

}  // namespace armilla
