// SPDX-License-Identifier: GPL-3.0-or-later
// One source, two, or one that is wider than the beam: decided by the likelihood of each.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sources/source_fit.h"

namespace armilla::sources {

// chi^2 of three parameters that noise exceeds with the probability of 3 sigma, 0.27 %.
inline constexpr double kThreeOfThree = 14.16;

struct Contest {
    SkyPart primary;
    double rms = 0.0;    // local noise of the filtered map
    double scale = 1.0;  // of the noise relative to what the spectrum says
    double snr = 0.0;
    // The parts found around, the most significant first. A part may be a source of its own,
    // or what is left when a beam is taken from something wider.
    std::vector<SkyPart> members;
};

struct ContestRules {
    double threshold = 5.0;   // least significance of a row
    double separation = 0.7;  // least distance of two rows, FWHM
};

struct ContestResult {
    std::vector<FitResult> results;  // empty: all stands as it was found
    bool isBlended = false;          // several beams, or not told apart from them
    bool isExtended = false;         // the first is wider than the beam
    std::vector<size_t> absorbed;    // members that the results stand for
    double radius = 0.0;             // of the patch
};

// Fits one beam, two beams and an elliptical Gaussian to the map around the primary, and to each
// of the latter two further members where neither describes the map. `left` is without primary and
// members.
//
// Each has its chi^2 by the covariance of the noise. A further beam, three parameters, has to
// lower it by threshold^2, as a source that is found has to, and each of several beams has a peak
// of threshold times its error beside the others. Two beams and the Gaussian have as
// many parameters. Sources are points, unless the map says otherwise: two beams win unless the
// Gaussian is better by 2 sigma (chi^2 by 4); where its minor axis, too, is wider than the beam by
// 3 sigma, which no pair makes it, two beams have to be better by 3 sigma (9). A source is extended
// if the mean width of the Gaussian exceeds the beam by 3 sigma, or the major axis does and three
// parameters lower chi^2 as much as noise does at 3 sigma.
ContestResult decided(const FitModel& model, std::span<const double> left, const Contest& contest,
                      const ContestRules& rules);

// Whether the Gaussian is wider than the beam, by the rule above. `gain`: chi^2 of the beam less
// that of the Gaussian.
bool isExtended(const FitResult& gaussian, double fwhm, double snr, double gain);

}  // namespace armilla::sources
