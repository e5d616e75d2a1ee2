// SPDX-License-Identifier: GPL-3.0-or-later
// The displayed field or quantity of a map.
#pragma once

#include <compare>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/session/layer_id.h"

namespace armilla {

// One of the fields, or a quantity derived from Q and U. The amplitude is sqrt(Q^2 + U^2) in their
// unit. The angle is 0.5 atan2(U, Q) in degrees, (-90, 90], COSMO convention, relative to the
// meridians of the map's frame.
enum class Quantity { Field, PolarizedAmplitude, PolarizationAngle };
// A field of a map, or a quantity derived from its Q and U.
struct Shown {
    LayerId entry;  // id of a layer; invalid: none
    int field = 0;
    Quantity quantity = Quantity::Field;
    auto operator<=>(const Shown&) const = default;  // NOLINT(modernize-use-nullptr)
};

// Q and U may be NaN. For Q = U = 0 the angle is 0.
double polarizedAmplitude(double q, double u);
double polarizationAngle(double q, double u);  // degrees

// The value of the shown quantity at a pixel (in the map's ordering); NaN if the pixel is bad or
// not covered. Throws InvalidArgument if the quantity needs Q and U and the map has none.
double shownValue(const HealpixMap& map, const Shown& shown, int64_t pixel);

// The frame whose meridians Q, U and their angle are rotated to in a picture in frame `view`.
// Unknown if the picture shows the map's own values:
// - the quantity does not depend on the meridian,
// - `view` is the map's own frame,
// - one of the frames is unknown,
// - Q or U is missing.
Frame turnedTo(const HealpixMap& map, const Shown& shown, Frame view);
// True for a Q or U that a picture in `view` would have to rotate while the other one is missing.
bool cannotTurn(const HealpixMap& map, const Shown& shown, Frame view);
// shownValue() in a picture in frame `view`; equal to the bit to drawnField() of
// armilla/operations/drawn_field.h.
double shownValueIn(const HealpixMap& map, const Shown& shown, int64_t pixel, Frame view);

// The field of `result` (a map made from `source`) that corresponds to `field`: the first one of
// the same name, else the first field.
int counterpartField(const HealpixMap& source, int field, const HealpixMap& result);

// A double-precision map with one field that holds the quantity; NaN where Q or U is bad. Same
// pixels, ordering and frame as the input. Quantity::Field copies the field. Throws InvalidArgument
// if the field, Q or U does not exist; Cancelled.
HealpixMap quantityMap(const HealpixMap& map, int field, Quantity quantity, JobContext& job);

}  // namespace armilla
