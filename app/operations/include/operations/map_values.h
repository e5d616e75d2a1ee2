// SPDX-License-Identifier: GPL-3.0-or-later
// What operations on maps share: values as transforms take them, and words for people.
#pragma once

#include <cstdint>
#include <functional>
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
// The map at one resolution where it has cells of several orders, as `note` is then told
// ("smoothed" at this nside), else as it is.
HealpixMap atOneOrder(HealpixMap map, const std::string& name, std::string_view done,
                      const std::function<void(const std::string&)>& note, JobContext& job);
// The same map on the full sky (a multi-order one at its deepest order), in RING order.
HealpixMap fullRing(HealpixMap map, JobContext& job);

// "RING" or "NESTED".
std::string_view orderingName(Ordering ordering);
// "nside 512, RING, Galactic".
std::string summaryOf(const HealpixMap& map);
// Of a map of another nside than `map`, which is like it otherwise.
std::string summaryOf(const HealpixMap& map, int64_t nside);

}  // namespace armilla
