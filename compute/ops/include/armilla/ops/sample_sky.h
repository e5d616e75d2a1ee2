// SPDX-License-Identifier: GPL-3.0-or-later
// Simulated skies to try the program on; the first one is shown at first start.
#pragma once

#include <cstdint>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/core/table.h"

namespace armilla {

// Limit of nside in sampleSky().
inline constexpr int64_t kMaxSampleSkyNside = 4096;

// A simulated sky in microkelvin (one field TEMPERATURE, single precision), Galactic frame, RING;
// the same on every machine. It contains:
// - a CMB-like Gaussian field of a compact built-in spectrum, seen with a beam of 10 arcmin,
// - a foreground-like plane with clouds and filaments,
// - 220 point sources.
// Throws InvalidArgument for nside outside [1, kMaxSampleSkyNside]. About half a second at nside
// 512 on two cores; memory: 4 maps in double precision.
HealpixMap sampleSky(int64_t nside, JobContext& job);

// Kinds of simulated skies.
enum class SampleKind { Microwave, Sources, Radio, Probability };

// A simulated sky of one field, single precision, RING; the same on every machine. Errors as above.
// - Microwave: sampleSky(nside, job).
// - Sources: 400 point sources with a beam of 30 arcmin (or 1.5 pixels, if that is wider) in white
//   noise of 20 microkelvin per pixel, Galactic frame. Peaks are 60 microkelvin and more, with
//   N(> S) ~ S^-1.5.
// - Radio: a brightness in kelvin with a beam of 20 arcmin, equatorial frame.
// - Probability: a probability for each pixel (field PROB, sum 1), on two arcs of a circle, as for
// a
//   gravitational wave seen by two detectors; equatorial frame.
HealpixMap sampleSky(SampleKind kind, int64_t nside, JobContext& job);

// The sources in a sky of kind Microwave or Sources: NAME, GLON, GLAT in degrees, PEAK in
// microkelvin. Throws InvalidArgument for other kinds.
Catalog sampleSources(SampleKind kind);

// Samples of a map along the rows and columns of a square of 8 degrees around RA 180, Dec 30, as a
// single dish scans it: RA and DEC in degrees, TB in the unit of the map. Scans are 0.1 degrees
// apart, samples 0.05 degrees; each has noise of 5 percent of the map's rms in the square. The map
// is equatorial.
Catalog sampleScans(const HealpixMap& map, JobContext& job);

}  // namespace armilla
