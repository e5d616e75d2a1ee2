// SPDX-License-Identifier: GPL-3.0-or-later
// The projections of the sky: names and properties of each. The formulas are in
// armilla/core/view_geometry.h for host and device and in resources/shaders/view_geometry.glsl.
#pragma once

#include <array>
#include <cstddef>

namespace armilla {

// Projections, in the order of kProjectionTable.
enum class Projection { Mollweide, Gnomonic, Orthographic, Cartesian, Lambert, Hammer };

// Position of the native coordinates of FITS WCS paper II in the view. Zenithal projections have
// their pole at the center of the view, all others longitude and latitude 0.
enum class ProjectionClass { Zenithal, Other };
// The border of the sky in the picture plane, at the half axes of `planeExtent`.
enum class ProjectionBorder { None, Ellipse, Rectangle };
// The default shape of a picture.
enum class ProjectionShape { Wide, Square };

// The names and properties of one projection.
struct ProjectionFacts {
    Projection projection;
    const char* word;     // in options, files and the icon's name icons/WORD.svg
    const char* title;    // on screen; `armilla help --texts` prints title and help for translators
    const char* help;     // on screen, as part of a sentence
    const char* wcsCode;  // the projection's code in CTYPE
    ProjectionClass kind;
    ProjectionBorder border;
    ProjectionShape shape;
};

// In the order of the enumeration, which is the order of the menu.
inline constexpr auto kProjectionTable = std::to_array<ProjectionFacts>({
    {Projection::Mollweide, "mollweide", "Mollweide", "The whole sky, areas true", "MOL",
     ProjectionClass::Other, ProjectionBorder::Ellipse, ProjectionShape::Wide},
    {Projection::Gnomonic, "gnomonic", "Gnomonic", "A close view, great circles straight", "TAN",
     ProjectionClass::Zenithal, ProjectionBorder::None, ProjectionShape::Square},
    {Projection::Orthographic, "orthographic", "Globe", "The sphere from outside (orthographic)",
     "SIN", ProjectionClass::Zenithal, ProjectionBorder::Ellipse, ProjectionShape::Square},
    {Projection::Cartesian, "cartesian", "Cartesian", "Longitude and latitude as a rectangle",
     "CAR", ProjectionClass::Other, ProjectionBorder::Rectangle, ProjectionShape::Wide},
    {Projection::Lambert, "lambert", "Lambert", "The whole sky as a disc, areas true (azimuthal)",
     "ZEA", ProjectionClass::Zenithal, ProjectionBorder::Ellipse, ProjectionShape::Square},
    {Projection::Hammer, "hammer", "Hammer",
     "The whole sky, areas true, shapes kept better (Hammer-Aitoff)", "AIT", ProjectionClass::Other,
     ProjectionBorder::Ellipse, ProjectionShape::Wide},
});

// The row of a projection.
constexpr const ProjectionFacts& factsOf(Projection projection) {
    return kProjectionTable.at(static_cast<size_t>(projection));
}

namespace detail {
constexpr bool projectionsAreInOrder() {
    for (size_t i = 0; i < kProjectionTable.size(); ++i)
        if (static_cast<size_t>(kProjectionTable[i].projection) != i) return false;
    return true;
}
}  // namespace detail
static_assert(detail::projectionsAreInOrder(), "rows stand in the order of the enumeration");

}  // namespace armilla
