// SPDX-License-Identifier: GPL-3.0-or-later
// The spectrum of what is not a source.
#pragma once

#include <span>
#include <vector>

#include "core/harmonics.h"
#include "core/job_context.h"

namespace armilla::sources {

// Means of C_l weighted by 2l + 1 over l (1 - 0.08) - 3 .. l (1 + 0.08) + 3, l = 0 and 1 left out.
std::vector<double> localMeans(std::span<const double> cl);
// The same, and nowhere less than a small share of their middle value, so that a filter by 1 / C_l
// exists for maps without noise.
std::vector<double> smoothedSpectrum(std::span<const double> cl);

// The level at the end of the band, which white noise has everywhere; no higher than any C_l.
double whiteLevelOf(std::span<const double> cl);

// Middle value of a few thousand of the finite ones; NaN if there is none.
double middleOf(std::span<const double> values);
// smoothedSpectrum of C_l where `goodShare` of the sky is good and the rest is filled.
std::vector<double> measuredSpectrum(const Alm& alm, double goodShare, JobContext& job);

// A spectrum that is given, for a sky before the beam: through the beam, to lmax.
std::vector<double> throughBeam(std::span<const double> given, std::span<const double> bl,
                                int lmax);
// White noise: the middle of what the last fifth of the band has beyond such a sky.
double noiseBeyond(std::span<const double> measured, std::span<const double> sky);
// Their sum, nowhere less than a small share of the largest.
std::vector<double> withNoise(std::vector<double> sky, double power);

}  // namespace armilla::sources
