// SPDX-License-Identifier: GPL-3.0-or-later
// Choice between one source, two sources, and one source wider than the beam, by likelihood.
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
    double scale = 1.0;  // ratio of the noise to the spectrum's prediction
    double snr = 0.0;
    // The parts found nearby, the most significant first. A part may be a separate source, or the
    // residual of a beam subtracted from a wider source.
    std::vector<SkyPart> members;
};

struct ContestRules {
    double threshold = 5.0;   // least significance of a row
    double separation = 0.7;  // least distance of two rows, FWHM
};

struct ContestResult {
    std::vector<FitResult> results;  // empty: the found parts stay
    // several beams, or a shape that cannot be distinguished from several beams
    bool isBlended = false;
    bool isExtended = false;       // the first result is wider than the beam
    std::vector<size_t> absorbed;  // members that the results replace
    double radius = 0.0;           // radius of the patch
};

// Fits one beam, two beams and an elliptical Gaussian to the map around the primary. Further
// members are added to the latter two if neither describes the map. `left` is the map without
// primary and members.
//
// Each model has its chi^2 by the covariance of the noise.
// - A further beam has three parameters. It must lower chi^2 by threshold^2, like a found source.
//   Each of several beams must also have a joint-fit peak of at least threshold times its error.
// - Two beams and the Gaussian have equally many parameters. By default sources are points: two
//   beams win unless the Gaussian is better by 2 sigma (chi^2 by 4).
// - If the Gaussian's minor axis also exceeds the beam by 3 sigma, which no pair produces, two
//   beams must be better by 3 sigma (chi^2 by 9).
// - A source is extended if the Gaussian's mean width exceeds the beam by 3 sigma. A major axis
//   that exceeds it by 3 sigma suffices if the three parameters lower chi^2 by more than noise does
//   at 3 sigma.
ContestResult decided(const FitModel& model, std::span<const double> left, const Contest& contest,
                      const ContestRules& rules);

// True if the Gaussian is wider than the beam by the rule of decided(). `gain`: chi^2 of the beam
// minus chi^2 of the Gaussian.
bool isExtended(const FitResult& gaussian, double fwhm, double snr, double gain);

}  // namespace armilla::sources
