// SPDX-License-Identifier: GPL-3.0-or-later
// The colors that a field opens with.
#pragma once

#include "core/healpix_map.h"
#include "session/document.h"

namespace armilla {

// By what it is called, too: probabilities by credible level, counts from 0; else
// defaultColorScale().
ColorScale openingColors(const DrawableField& drawn, Quantity quantity, const Field& field);
// Of what is shown of a layer with a map.
ColorScale openingColors(const DrawableField& drawn, const Layer& layer, const Shown& shown);

}  // namespace armilla
