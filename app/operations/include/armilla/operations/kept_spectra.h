// SPDX-License-Identifier: GPL-3.0-or-later
// Repeated runs of `anafast` that keep the coefficients of masked maps and the coupling matrices.
#pragma once

#include <memory>
#include <vector>

#include "armilla/io/table_io.h"
#include "armilla/operations/operation.h"

namespace armilla {

struct KeptSpectrumParts;

// Coefficients, mask and coupling matrices that runs share. Not thread-safe.
class KeptSpectra {
public:
    KeptSpectra();
    ~KeptSpectra();
    // As runOperation() with `anafast`, with the same output to rounding. Only the parts that
    // differ from those of the previous run are computed; cross spectra keep nothing. The bits do
    // not depend on the runs before.
    Outputs run(Context& context, Inputs& inputs, ParameterSet& parameters);

    // The covariance of the band powers of the last run, if it has errors, and their windows: the
    // matrices of its file. Null without band powers.
    std::shared_ptr<const std::vector<TableMatrix>> bandMatrices() const;
    // The note of the last run on a mean that is large enough to falsify the spectrum; empty
    // otherwise.
    const std::string& meanNote() const;

    // Numbers of computations so far, by what was computed; for tests.
    struct Counts {
        int analyses = 0;          // weight times map
        int maskAnalyses = 0;      // the weights
        int couplings = 0;         // coupling matrices
        int squaredCouplings = 0;  // coupling matrices of Gaussian errors
    };
    Counts counts() const;

private:
    std::unique_ptr<KeptSpectrumParts> parts_;
};

}  // namespace armilla
