// SPDX-License-Identifier: GPL-3.0-or-later
// Shared parts of operations on maps: values for transforms, and words for messages.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/core/map_samples.h"

namespace armilla {

// Values of a field in the form that transforms read and write.
ConstMapSamples samplesOf(const Field& field);
MapSamples samplesOf(Field& field);
// Converts a field from single to double precision. Throws OutOfMemory, Cancelled.
void widen(Field& field, JobContext& job);
// The value of a field at a direction in the frame of the map: the mean of the good ones of four
// pixels by their weights; NaN where the pixel that contains the direction is bad.
double interpolatedValue(const HealpixMap& map, int field, Vec3 at);
// A field name that is still free: a second TEMPERATURE becomes TEMPERATURE_2.
std::string freeFieldName(const std::vector<Field>& fields, const std::string& wanted);
// Converts fields that are components of one quantity to the unit of the first, and notes it.
// Throws InvalidArgument for units of different kinds.
void bringToOneUnit(std::span<Field* const> fields,
                    const std::function<void(const std::string&)>& note);
// Sets bad values to zero, as transforms require; returns their number.
int64_t fillBadPixels(Field& field, JobContext& job);
// Converts cells of several orders to one resolution and notes it (`done`: "smoothed" at this
// nside). Other maps are returned unchanged.
HealpixMap atOneOrder(HealpixMap map, const std::string& name, std::string_view done,
                      const std::function<void(const std::string&)>& note, JobContext& job);
// The map on the full sky in RING order; cells of several orders at their deepest order.
HealpixMap fullRing(HealpixMap map, JobContext& job);

// "RING" or "NESTED".
std::string_view orderingName(Ordering ordering);
// "nside 512, RING, Galactic".
std::string summaryOf(const HealpixMap& map);
// Summary of a map like `map` but with this nside.
std::string summaryOf(const HealpixMap& map, int64_t nside);

}  // namespace armilla
