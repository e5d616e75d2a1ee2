// SPDX-License-Identifier: GPL-3.0-or-later
// Weights of several channels at each multipole, for combined maps and images.
#pragma once

#include <span>
#include <vector>

namespace armilla::sources {

// Weights W_l of each channel, and the noise of the matched filter of the first channel alone and
// of all.
struct SpectralWeights {
    std::vector<std::vector<double>> weights;  // l = 0 .. lmax
    double noiseAlone = 0.0, noiseTogether = 0.0;
};

// `templates`: t_l of each channel, 0 where a channel has no coefficients. `spectra`: C_l of each
// pair of channels, row after row. The first channel alone has weight at l < `first`, and where it
// has no coefficients; from there to twice `first` the other weights rise smoothly.
SpectralWeights spectralWeights(std::span<const std::vector<double>> templates,
                                std::span<const std::vector<double>> spectra, int lmax,
                                int first = 2);

}  // namespace armilla::sources
