// SPDX-License-Identifier: GPL-3.0-or-later
// View of the sky: options that pictures and images of maps share.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "armilla/core/view_geometry.h"
#include "armilla/operations/parameter.h"

namespace armilla {

inline constexpr auto kProjectionChoices = [] {
    std::array<Choice<Projection>, kProjectionTable.size()> choices{};
    for (size_t i = 0; i < choices.size(); ++i)
        choices[i] = {kProjectionTable[i].word, kProjectionTable[i].projection,
                      kProjectionTable[i].title};
    return choices;
}();

struct ViewOptions {
    Projection projection = Projection::Mollweide;
    std::optional<Place> center;
    std::optional<double> rotation, resolution;
    std::optional<Frame> frame;
    std::optional<PixelSize> size;
    bool flip = false;
};
void describe(Description& d, ViewOptions& p);

// Size of the picture: the requested one, or else `wide` for views that show the full sky side by
// side, and `other` for the rest.
PixelSize sizeOf(const ViewOptions& options, PixelSize wide, PixelSize other);

// View, and the frame of its coordinates.
struct SkyView {
    ViewGeometry geometry;  // picture on the sky in `frame`
    ViewGeometry overMap;   // picture on the sky in the frame of the map
    Frame frame = Frame::Unknown;
};
// View of the given size. Without a resolution, the full sky fits (or the hemisphere, or 45 degrees
// around the center of a gnomonic view). Throws InvalidArgument if the options name a frame and the
// map has none.
SkyView viewOf(const ViewOptions& options, Frame mapFrame, PixelSize size);

}  // namespace armilla
