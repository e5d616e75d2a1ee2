// SPDX-License-Identifier: GPL-3.0-or-later
// What operations on maps share: values as transforms take them, and words for people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/healpix_map.h"
#include "core/job_context.h"
#include "core/map_samples.h"

namespace armilla {

// The values of a field as transforms take and give them.
ConstMapSamples samplesOf(const Field& field);
MapSamples samplesOf(Field& field);
// Makes a field of single precision one of double.
void widen(Field& field);
// Sets bad values to zero, which is what transforms need; returns how many there were.
int64_t fillBadPixels(Field& field, JobContext& job);
// The same map on the full sky (a multi-order one at its deepest order), in RING order.
HealpixMap fullRing(HealpixMap map, JobContext& job);

// "RING" or "NESTED".
std::string_view orderingName(Ordering ordering);
// "nside 512, RING, Galactic".
std::string summaryOf(const HealpixMap& map);
// Of a map of another nside than `map`, which is like it otherwise.
std::string summaryOf(const HealpixMap& map, int64_t nside);

}  // namespace armilla
