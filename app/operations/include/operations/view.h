// SPDX-License-Identifier: GPL-3.0-or-later
// From where the sky is seen: what pictures and images of maps share.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/view_geometry.h"
#include "operations/parameter.h"

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

// The size of the picture: as asked for, or the one for views that show all of the sky side by
// side, or the other.
PixelSize sizeOf(const ViewOptions& options, PixelSize wide, PixelSize other);

// The view and the frame that its sky is named in.
struct SkyView {
    ViewGeometry geometry;  // of the picture, over the sky in `frame`
    ViewGeometry overMap;   // the same over the sky in the frame of the map
    Frame frame = Frame::Unknown;
};
// The view of so many pixels. Without a resolution the whole sky (or hemisphere, or 45 degrees
// around the center of a gnomonic view) fits in. Throws InvalidArgument if the options name a frame
// and the map none: nothing turns one to the other.
SkyView viewOf(const ViewOptions& options, Frame mapFrame, PixelSize size);

}  // namespace armilla
