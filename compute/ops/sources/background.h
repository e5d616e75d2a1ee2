// SPDX-License-Identifier: GPL-3.0-or-later
// Power spectrum of the background, which excludes sources.
#pragma once

#include <span>
#include <vector>

#include "armilla/core/harmonics.h"
#include "armilla/core/job_context.h"

namespace armilla::sources {

// Means of C_l weighted by 2l + 1 over l (1 - 0.08) - 3 .. l (1 + 0.08) + 3, without l = 0 and 1.
std::vector<double> localMeans(std::span<const double> cl);
// localMeans with a floor of a small fraction of their median, so that a filter by 1 / C_l exists
// for maps without noise.
std::vector<double> smoothedSpectrum(std::span<const double> cl);

// The least C_l from l = 2 on: the level of white noise, which dominates at the end of the band.
double whiteLevelOf(std::span<const double> cl);

// smoothedSpectrum of C_l for a sky with the good fraction `goodShare` and filled holes.
std::vector<double> measuredSpectrum(const Alm& alm, double goodShare, JobContext& job);

// Throws InvalidArgument if a measured spectrum shows a map without noise and background, or values
// whose squares exceed double precision.
void requirePower(std::span<const double> measured);

// A given spectrum of the sky before the beam, multiplied by the beam, to lmax.
std::vector<double> throughBeam(std::span<const double> given, std::span<const double> bl,
                                int lmax);
// White noise: the median excess over such a sky in the last fifth of the band.
double noiseBeyond(std::span<const double> measured, std::span<const double> sky);
// The sum of sky and white noise, with a floor of a small fraction of the largest value.
std::vector<double> withNoise(std::vector<double> sky, double power);

}  // namespace armilla::sources
