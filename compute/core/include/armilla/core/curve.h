// SPDX-License-Identifier: GPL-3.0-or-later
// A curve in memory: y against x with errors and covariance, for spectra, correlations, radial
// profiles, histograms, beams and kernels. Immutable once shared.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace armilla {

// The kind of a curve; selects how the curve is plotted and written.
enum class CurveKind { Plain, Spectrum, Correlation, Profile, Histogram, Beam, Kernel };

// One column of y values.
struct CurveSeries {
    std::string name, unit;
    std::vector<double> values;  // one for each x; NaN for no value
    std::vector<double> errors;  // one for each x, one standard deviation; empty if unknown
};

// A curve: x, its bins, and the y columns with their history.
struct Curve {
    CurveKind kind = CurveKind::Plain;
    std::string name;
    std::string xName, xUnit;
    std::vector<double> x;            // ascending
    std::vector<double> xLow, xHigh;  // edges of bins; both empty without bins
    std::vector<CurveSeries> series;  // y columns
    // Covariance of the first series: size() * size() values, row-major; empty if unknown.
    std::vector<double> covariance;
    std::vector<std::string> history;

    int64_t size() const { return static_cast<int64_t>(x.size()); }
    int64_t memoryBytes() const;
};

// Throws InvalidArgument unless every part has as many values as x and x ascends.
void checkCurve(const Curve& curve);

}  // namespace armilla
