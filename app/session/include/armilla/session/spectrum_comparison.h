// SPDX-License-Identifier: GPL-3.0-or-later
// A spectrum beside a theory or another spectrum: expected values, residuals, chi squared.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "armilla/core/curve.h"
#include "armilla/core/harmonics.h"
#include "armilla/session/live_spectrum.h"

namespace armilla {

// One spectrum: C_l at multipoles, or band powers at the mean multipoles of their bins.
struct PowerCurve {
    std::vector<double> l, values, errors;  // errors are empty if unknown
    bool isDl = false;                      // l (l + 1) C_l / (2 pi)
    bool areBands = false;
    std::string unit;  // in the spelling of files
};
// The spectra that a result or a curve holds, in the order of files.
std::vector<SpectrumKind> spectraIn(const SpectrumResult& result);
std::vector<SpectrumKind> spectraIn(const Curve& curve);
// True for a curve of C_l or band powers.
bool holdsSpectra(const Curve& curve);
// The spectrum of one kind; none if it is absent.
std::optional<PowerCurve> powersOf(const SpectrumResult& result, SpectrumKind kind);
std::optional<PowerCurve> powersOf(const Curve& curve, SpectrumKind kind);

// A factor for C_l of one unit beside C_l of another, and how it was found.
struct UnitMatch {
    enum class How { Same, Converted, Assumed, Stated, Unstated, Different };
    double factor = 1.0;
    How how = How::Same;
};
// `stated`: the unit that the user stated for the side without one, or empty. kTemperatureRatio:
// the values are those of (dT / T)^2. Unstated: one side has no unit, and none was stated.
// Different: no factor exists.
inline constexpr const char* kTemperatureRatio = "(dT/T)^2";
UnitMatch matchUnits(const std::string& from, const std::string& to, const std::string& stated);

// C_l of a theory at every l, in the unit of the data. Gaps between rows are filled linearly in
// l (l + 1) C_l. Absent spectra and multipoles beyond the last row are absent.
class TheorySpectra {
public:
    TheorySpectra() = default;
    TheorySpectra(const Curve& curve, double factor);
    const std::vector<double>& of(SpectrumKind kind) const {
        return cl_[static_cast<size_t>(kind)];
    }
    // The first multipole with a row.
    int first() const { return first_; }

private:
    std::array<std::vector<double>, 6> cl_;
    int first_ = 0;
};
// The values that the spectrum of a result has on average if the sky has the theory's spectra: by
// the bandpower windows, or C_l times SpectrumResult::level. NaN beyond the theory.
std::vector<double> expectedPowers(const SpectrumResult& result, SpectrumKind kind,
                                   const TheorySpectra& theory);

struct SpectrumResiduals {
    std::vector<double> l, values;
    bool areInErrors = false;  // (data - reference) / error, else data / reference - 1
    // Chi squared of the points with values, by their covariance; none without errors.
    std::optional<double> chiSquared;
    int count = 0;  // points of chi squared
};
// `expected`: one value for each point of `data`, in the same quantity. `covariance`: of the
// points, row by row, or empty: the errors are independent.
SpectrumResiduals residualsOf(const PowerCurve& data, const std::vector<double>& expected,
                              const std::vector<double>& covariance = {});
// The block of one spectrum of the covariance of a result; empty without errors.
std::vector<double> covarianceOf(const SpectrumResult& result, SpectrumKind kind);
// The values of `other` at the points of `data`, in the quantity of `data`, times `factor`: linear
// in l (l + 1) C_l between neighbors, NaN outside their range.
std::vector<double> valuesAt(const PowerCurve& data, const PowerCurve& other, double factor);

// The probability that chi squared of `count` normal variables exceeds a value.
double chiSquaredProbability(double chiSquared, int count);

}  // namespace armilla
