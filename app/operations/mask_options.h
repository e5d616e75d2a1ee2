// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of masks, on HEALPix maps and on images.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "armilla/operations/choices.h"
#include "armilla/operations/position_names.h"
#include "armilla/ops/mask.h"

namespace armilla {

enum class Inside { Cut, Keep };
inline constexpr std::array<Choice<Inside>, 2> kInside{
    {{"cut", Inside::Cut}, {"keep", Inside::Keep}}};
inline constexpr std::array<Choice<MaskJoin>, 2> kJoins{
    {{"and", MaskJoin::And}, {"or", MaskJoin::Or}}};
inline constexpr std::array<Choice<Apodization>, 3> kApodizations{
    {{"c1", Apodization::C1}, {"c2", Apodization::C2}, {"gaussian", Apodization::Gaussian}}};
inline constexpr std::array<Choice<MaskChildren>, 3> kChildren{
    {{"all", MaskChildren::All}, {"mean", MaskChildren::Mean}, {"center", MaskChildren::Center}}};

struct MaskOptions {
    std::optional<double> above, below;
    std::string credible;
    std::optional<int64_t> nside;
    MaskChildren children = MaskChildren::All;
    std::optional<Ordering> ordering;
    std::optional<Frame> frame;
    std::string regions, region, strokes, fillHoles;
    Inside inside = Inside::Cut;
    std::optional<double> latitude;
    std::optional<double> radius, fwhm;
    double beams = 3.0;
    MaskJoin combine = MaskJoin::And;
    bool invert = false;
    std::optional<double> grow, shrink, apodize;
    Apodization apodization = Apodization::C2;
    PositionNames positions;
};

void describe(Description& d, MaskOptions& p);

// The solid angle of a text such as "1deg2", in sr; none for other texts.
std::optional<double> solidAngleOf(std::string_view text);
// NUNIQ numbers of the cells that any of several MOCs covers, in ICRS.
std::vector<int64_t> cellsOfAll(const std::vector<const Input*>& mocs, JobContext& job);

// The mask of an image in its own pixels. Distances are angles between centers of pixels. Throws
// UsageError for options of HEALPix maps.
Outputs maskOfImage(Context& context, Inputs& inputs, const MaskOptions& p);

}  // namespace armilla
