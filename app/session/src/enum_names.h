// SPDX-License-Identifier: GPL-3.0-or-later
// Names of enumerations in session files and on the command line.
#pragma once

#include "armilla/core/frames.h"
#include "armilla/operations/choices.h"
#include "armilla/operations/view.h"
#include "armilla/session/document.h"
#include "json_fields.h"

namespace armilla {

// The words of an option's values.
template <typename Value, size_t N>
constexpr json::Names<Value, N> namesOf(const std::array<Choice<Value>, N>& choices) {
    json::Names<Value, N> names{};
    for (size_t i = 0; i < N; ++i) {
        names[i].first = choices[i].value;
        names[i].second = choices[i].word;
    }
    return names;
}

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
inline constexpr auto kSmoothMethods = namesOf(kSmoothMethodChoices);
inline constexpr auto kWeights = namesOf(kWeightsChoices);
inline constexpr auto kMasked = namesOf(kMaskedChoices);
inline constexpr json::Names<Comparison, 4> kComparisons{{{Comparison::Single, "single"},
                                                          {Comparison::SideBySide, "side-by-side"},
                                                          {Comparison::Blink, "blink"},
                                                          {Comparison::Swipe, "swipe"}}};
inline constexpr auto kProjections = namesOf(kProjectionChoices);
inline constexpr auto kFrames = [] {
    json::Names<Frame, kFrameTable.size()> names{};
    for (size_t i = 0; i < names.size(); ++i) {
        names[i].first = kFrameTable[i].frame;
        names[i].second = kFrameTable[i].word;
    }
    return names;
}();
inline constexpr json::Names<Scale, 5> kScales{{{Scale::Linear, "linear"},
                                                {Scale::Log, "log"},
                                                {Scale::SymLog, "symlog"},
                                                {Scale::Asinh, "asinh"},
                                                {Scale::Histogram, "histogram"}}};

}  // namespace armilla
