// SPDX-License-Identifier: GPL-3.0-or-later
// Initial colors of a field.
#pragma once

#include "armilla/core/healpix_map.h"
#include "armilla/session/document.h"

namespace armilla {

// Uses the name of the field, too: probabilities are colored by credible level, counts from 0; else
// defaultColorScale().
ColorScale openingColors(const DrawableField& drawn, Quantity quantity, const Field& field);
// For the shown field of a layer with a map.
ColorScale openingColors(const DrawableField& drawn, const Layer& layer, const Shown& shown);

}  // namespace armilla
