// SPDX-License-Identifier: GPL-3.0-or-later
// Names of enumerations in session files and on the command line.
#pragma once

#include "json_fields.h"
#include "session/document.h"

namespace armilla {

inline constexpr json::Names<RecipeKind, 7> kRecipeKinds{
    {{RecipeKind::Open, "open"},
     {RecipeKind::SampleSky, "sample-sky"},
     {RecipeKind::Smooth, "smooth"},
     {RecipeKind::Difference, "difference"},
     {RecipeKind::MaskedDifference, "masked-difference"},
     {RecipeKind::Operation, "operation"},
     {RecipeKind::Rows, "rows"}}};
inline constexpr json::Names<LayerKind, 4> kLayerKindNames{{{LayerKind::Map, "map"},
                                                            {LayerKind::Catalog, "catalog"},
                                                            {LayerKind::Image, "image"},
                                                            {LayerKind::Curve, "curve"}}};
inline constexpr json::Names<MarkerShape, 6> kMarkerShapes{{{MarkerShape::Circle, "circle"},
                                                            {MarkerShape::Disc, "disc"},
                                                            {MarkerShape::Square, "square"},
                                                            {MarkerShape::Diamond, "diamond"},
                                                            {MarkerShape::Cross, "cross"},
                                                            {MarkerShape::Plus, "plus"}}};
inline constexpr json::Names<Quantity, 3> kQuantities{
    {{Quantity::Field, "field"},
     {Quantity::PolarizedAmplitude, "polarized-amplitude"},
     {Quantity::PolarizationAngle, "polarization-angle"}}};
inline constexpr json::Names<SmoothMethod, 4> kSmoothMethods{{{SmoothMethod::Auto, "auto"},
                                                              {SmoothMethod::Harmonic, "harmonic"},
                                                              {SmoothMethod::Ring, "ring"},
                                                              {SmoothMethod::Direct, "direct"}}};
inline constexpr json::Names<Weights, 3> kWeights{
    {{Weights::None, "none"}, {Weights::Ring, "ring"}, {Weights::Pixel, "pixel"}}};
inline constexpr json::Names<Masked, 2> kMasked{
    {{Masked::Ignore, "ignore"}, {Masked::Normalize, "normalize"}}};
inline constexpr json::Names<Comparison, 4> kComparisons{{{Comparison::Single, "single"},
                                                          {Comparison::SideBySide, "side-by-side"},
                                                          {Comparison::Blink, "blink"},
                                                          {Comparison::Swipe, "swipe"}}};
inline constexpr json::Names<Projection, 5> kProjections{
    {{Projection::Mollweide, "mollweide"},
     {Projection::Gnomonic, "gnomonic"},
     {Projection::Orthographic, "orthographic"},
     {Projection::Cartesian, "cartesian"},
     {Projection::Lambert, "lambert"}}};
inline constexpr json::Names<Frame, 4> kFrames{{{Frame::Unknown, "unknown"},
                                                {Frame::Galactic, "galactic"},
                                                {Frame::Ecliptic, "ecliptic"},
                                                {Frame::Equatorial, "equatorial"}}};
inline constexpr json::Names<Scale, 5> kScales{{{Scale::Linear, "linear"},
                                                {Scale::Log, "log"},
                                                {Scale::SymLog, "symlog"},
                                                {Scale::Asinh, "asinh"},
                                                {Scale::Histogram, "histogram"}}};

}  // namespace armilla
