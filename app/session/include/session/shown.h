// SPDX-License-Identifier: GPL-3.0-or-later
// What of a map is shown.
#pragma once

#include <compare>

#include "core/healpix_map.h"
#include "core/job_context.h"

namespace armilla {

// One of the fields, or a quantity derived from Q and U: the amplitude sqrt(Q^2 + U^2) in their
// unit, or the angle 0.5 atan2(U, Q) in degrees, (-90, 90], COSMO convention, by the meridians of
// the map's frame.
enum class Quantity { Field, PolarizedAmplitude, PolarizationAngle };
struct Shown {
    int entry = -1;  // id of a Layer; -1: nothing
    int field = 0;
    Quantity quantity = Quantity::Field;
    auto operator<=>(const Shown&) const = default;  // NOLINT(modernize-use-nullptr)
};

// Of Q and U, which may be NaN. The angle of no polarization at all (both 0) is 0.
double polarizedAmplitude(double q, double u);
double polarizationAngle(double q, double u);  // degrees

// The value of what is shown at a pixel of the map, in its own ordering; NaN where it is bad or not
// covered. Throws InvalidArgument if the map has no Q and U to make the quantity from.
double shownValue(const HealpixMap& map, const Shown& shown, int64_t pixel);

// Q, U and their angle are numbers by the meridian. The frame whose meridians a picture in `view`
// turns them to; Unknown where it shows the map's own values: of anything else, in the map's own
// frame, where one of the frames is not known, and where the other half is missing.
Frame turnedTo(const HealpixMap& map, const Shown& shown, Frame view);
// Whether it is a half that a picture in `view` would have to turn, and cannot.
bool cannotTurn(const HealpixMap& map, const Shown& shown, Frame view);
// shownValue() as such a picture shows it: to the bit what drawnField() of
// operations/drawn_field.h has there.
double shownValueIn(const HealpixMap& map, const Shown& shown, int64_t pixel, Frame view);

// The field of `result`, a map made from `source`, that corresponds to `field`: the first of the
// same name, else the first.
int counterpartField(const HealpixMap& source, int field, const HealpixMap& result);

// A map of one field, double precision, that holds the quantity; NaN where Q or U are bad. Same
// pixels, ordering and frame. Quantity::Field gives the field as it is. Throws InvalidArgument if
// the map has no such field, or no Q and U; Cancelled.
HealpixMap quantityMap(const HealpixMap& map, int field, Quantity quantity, JobContext& job);

}  // namespace armilla
