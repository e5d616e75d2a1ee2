// SPDX-License-Identifier: GPL-3.0-or-later
// Repeated runs of `anafast` that keep the coefficients of masked maps and the coupling matrices.
#pragma once

#include <memory>

#include "armilla/operations/operation.h"

namespace armilla {

struct KeptSpectrumParts;

// Coefficients, mask and coupling matrices that runs share. Not thread-safe.
class KeptSpectra {
public:
    KeptSpectra();
    ~KeptSpectra();
    // As runOperation() with `anafast`, with the same output to the bit. Only the parts that
    // differ from those of the previous run are computed; cross spectra keep nothing.
    Outputs run(Context& context, Inputs& inputs, ParameterSet& parameters);

    // Numbers of computations so far, by what was computed; for tests.
    struct Counts {
        int analyses = 0;      // weight times map
        int maskAnalyses = 0;  // the weights
        int couplings = 0;     // coupling matrices
    };
    const Counts& counts() const;

private:
    std::unique_ptr<KeptSpectrumParts> parts_;
};

}  // namespace armilla
