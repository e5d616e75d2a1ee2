// SPDX-License-Identifier: GPL-3.0-or-later
// A curve in memory: y against x with errors and covariance, as spectra, correlations, radial
// profiles, histograms, beams and kernels are. Immutable once shared.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace armilla {

// What a curve is, for the ways it is plotted and written.
enum class CurveKind { Plain, Spectrum, Correlation, Profile, Histogram, Beam, Kernel };

struct CurveSeries {
    std::string name, unit;
    std::vector<double> values;  // one for each x; NaN where there is none
    std::vector<double> errors;  // the same number, one standard deviation; empty: not known
};

struct Curve {
    CurveKind kind = CurveKind::Plain;
    std::string name;
    std::string xName, xUnit;
    std::vector<double> x;            // ascending
    std::vector<double> xLow, xHigh;  // edges of bins, or both empty
    std::vector<CurveSeries> series;  // y columns
    // Of the first series: size() * size() values, row after row; empty: not known.
    std::vector<double> covariance;
    std::vector<std::string> history;

    int64_t size() const { return static_cast<int64_t>(x.size()); }
    int64_t memoryBytes() const;
};

// Throws InvalidArgument unless all parts have as many values as x, and x ascends.
void checkCurve(const Curve& curve);

}  // namespace armilla
