// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/spectrum_comparison.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "armilla/core/cholesky.h"
#include "armilla/core/nan.h"
#include "armilla/core/physical_unit.h"
#include "armilla/io/curve_io.h"
#include "armilla/operations/power_units.h"
#include "armilla/ops/band_powers.h"
#include "armilla/ops/brightness.h"

namespace armilla {

namespace {

// Share of a bandpower window that may lie beyond the last row of a theory.
constexpr double kMostBeyond = 1e-3;
// Begin of the names of band powers, of C_l or of l (l + 1) C_l / (2 pi), as `anafast` gives them.
constexpr const char* kBandPowers = "band powers of ";
// The largest multipole of a theory; CLASS and CAMB write a few ten thousand.
constexpr double kMostMultipole = 1 << 20;

const CurveSeries* seriesOf(const Curve& curve, SpectrumKind kind) {
    const std::string name = kSpectrumNames[static_cast<size_t>(kind)];
    for (const CurveSeries& series : curve.series)
        if (series.name == name) return &series;
    // A single column of another name is TT, as for spectraOf().
    const bool isOnly = curve.series.size() == 1 && kind == SpectrumKind::TT &&
                        std::find(kSpectrumNames.begin(), kSpectrumNames.end(),
                                  curve.series.front().name) == kSpectrumNames.end();
    return isOnly ? &curve.series.front() : nullptr;
}

const TableMatrix* matrixOf(const SpectrumResult& result, const char* name) {
    if (!result.matrices) return nullptr;
    for (const TableMatrix& matrix : *result.matrices)
        if (matrix.name == name) return &matrix;
    return nullptr;
}

// The place of a spectrum among the series of band powers.
std::optional<size_t> placeOf(const Curve& bands, SpectrumKind kind) {
    for (size_t i = 0; i < bands.series.size(); ++i)
        if (bands.series[i].name == kSpectrumNames[static_cast<size_t>(kind)]) return i;
    return std::nullopt;
}

bool isDlRequest(const SpectrumResult& result) {
    const ParameterValue as = result.request.parameters.value("bin-as");
    const auto* word = std::get_if<std::string>(&as);
    return word != nullptr && *word == "dl";
}

// Adds the sum of window times C_l of each bin to `sums`; NaN where too much of a window lies
// beyond the last C_l.
void addWindows(const TableMatrix& windows, size_t place, const std::vector<double>& cl,
                std::vector<double>& sums) {
    const auto columns = static_cast<size_t>(windows.columns);
    for (size_t bin = 0; bin < sums.size(); ++bin) {
        const double* row = windows.values.data() + (place * sums.size() + bin) * columns;
        double sum = 0.0, whole = 0.0, beyond = 0.0;
        for (size_t l = 0; l < columns; ++l) {
            whole += std::abs(row[l]);
            if (l < cl.size())
                sum += row[l] * cl[l];
            else
                beyond += std::abs(row[l]);
        }
        sums[bin] += beyond > kMostBeyond * whole ? kNan : sum;
    }
}

// r^T C^-1 r over the points in `used`; none for a singular covariance.
std::optional<double> chiSquaredOf(const std::vector<double>& difference,
                                   const std::vector<double>& covariance,
                                   const std::vector<size_t>& used) {
    const size_t size = used.size(), whole = difference.size();
    std::vector<double> factor(size * size), solved(size);
    for (size_t i = 0; i < size; ++i)
        for (size_t j = 0; j < size; ++j)
            factor[i * size + j] = covariance[used[i] * whole + used[j]];
    if (!factorizeCholesky(factor, size)) return std::nullopt;
    for (size_t i = 0; i < size; ++i) solved[i] = difference[used[i]];
    solveLower(factor, size, solved);
    return std::inner_product(solved.begin(), solved.end(), solved.begin(), 0.0);
}

// C_l or D_l at l by linear interpolation of D_l over ascending `x`; NaN outside.
double interpolatedDl(const std::vector<double>& x, const std::vector<double>& dl, double l) {
    const auto above = std::lower_bound(x.begin(), x.end(), l);
    if (above == x.end() || l < x.front()) return kNan;
    const auto i = static_cast<size_t>(above - x.begin());
    if (x[i] == l) return dl[i];
    return dl[i - 1] + (dl[i] - dl[i - 1]) * (l - x[i - 1]) / (x[i] - x[i - 1]);
}

}  // namespace

std::vector<SpectrumKind> spectraIn(const SpectrumResult& result) {
    std::vector<SpectrumKind> kinds;
    for (size_t i = 0; i < kSpectrumNames.size(); ++i) {
        const auto kind = static_cast<SpectrumKind>(i);
        const bool isIn = result.bands ? placeOf(*result.bands, kind).has_value()
                                       : result.spectra && !(*result.spectra)[kind].empty();
        if (isIn) kinds.push_back(kind);
    }
    return kinds;
}

std::vector<SpectrumKind> spectraIn(const Curve& curve) {
    std::vector<SpectrumKind> kinds;
    for (size_t i = 0; holdsSpectra(curve) && i < kSpectrumNames.size(); ++i)
        if (seriesOf(curve, static_cast<SpectrumKind>(i)) != nullptr)
            kinds.push_back(static_cast<SpectrumKind>(i));
    return kinds;
}

bool holdsSpectra(const Curve& curve) {
    const bool areBands = curve.xName == "L_EFF" && curve.name.starts_with(kBandPowers);
    return (curve.kind == CurveKind::Spectrum || areBands) && !curve.x.empty() &&
           !curve.series.empty() && curve.x.front() >= 0.0 && curve.x.back() <= kMostMultipole;
}

std::optional<PowerCurve> powersOf(const SpectrumResult& result, SpectrumKind kind) {
    PowerCurve made;
    made.unit = result.plainUnit;
    if (result.bands) {
        const auto place = placeOf(*result.bands, kind);
        if (!place) return std::nullopt;
        const CurveSeries& series = result.bands->series[*place];
        made.l = result.bands->x;
        made.values = series.values;
        made.errors = series.errors;
        made.isDl = isDlRequest(result);
        made.areBands = true;
        return made;
    }
    if (!result.spectra || (*result.spectra)[kind].empty()) return std::nullopt;
    made.values = (*result.spectra)[kind];
    for (size_t l = 0; l < made.values.size(); ++l) made.l.push_back(static_cast<double>(l));
    return made;
}

std::optional<PowerCurve> powersOf(const Curve& curve, SpectrumKind kind) {
    const CurveSeries* series = holdsSpectra(curve) ? seriesOf(curve, kind) : nullptr;
    if (series == nullptr) return std::nullopt;
    PowerCurve made{curve.x, series->values, series->errors, false, false, series->unit};
    // The name of the band powers of a run states D_l.
    made.areBands = curve.xName == "L_EFF";
    made.isDl = made.areBands && curve.name.find("l (l + 1)") != std::string::npos;
    return made;
}

UnitMatch matchUnits(const std::string& from, const std::string& to, const std::string& stated) {
    using How = UnitMatch::How;
    const bool isFromKnown = !namesNoUnit(from), isToKnown = !namesNoUnit(to);
    if (!isFromKnown && !isToKnown) return {1.0, How::Same};
    if (isFromKnown && isToKnown) {
        const auto found = powerFactor(from, to);
        if (!found) return {1.0, How::Different};
        return {found->factor, found->isScaleAssumed  ? How::Assumed
                               : found->factor == 1.0 ? How::Same
                                                      : How::Converted};
    }
    if (stated.empty()) return {1.0, How::Unstated};
    const bool isRatio = stated == kTemperatureRatio;
    const std::string known = isRatio ? "K_CMB^2" : stated;
    const double scale = isRatio ? kCmbTemperature * kCmbTemperature : 1.0;
    const auto found = isFromKnown ? powerFactor(from, known) : powerFactor(known, to);
    if (!found) return {1.0, How::Different};
    return {isFromKnown ? found->factor / scale : found->factor * scale, How::Stated};
}

TheorySpectra::TheorySpectra(const Curve& curve, double factor) {
    if (!holdsSpectra(curve)) return;
    first_ = static_cast<int>(std::ceil(curve.x.front()));
    for (const SpectrumKind kind : spectraIn(curve)) {
        const PowerCurve powers = *powersOf(curve, kind);
        std::vector<double> dl = powers.values;
        for (size_t i = 0; i < dl.size(); ++i)
            dl[i] *= powers.isDl ? factor : factor * dlFactor(powers.l[i]);
        auto& cl = cl_[static_cast<size_t>(kind)];
        const auto last = static_cast<size_t>(powers.l.back());
        for (size_t l = 0; l <= last; ++l) {
            const auto at = static_cast<double>(l);
            const double value = interpolatedDl(powers.l, dl, at);
            // The product l (l + 1) C_l has no C_0.
            if (l == 0)
                cl.push_back(
                    powers.l.front() == 0.0 && !powers.isDl ? powers.values.front() * factor : 0.0);
            else
                cl.push_back(std::isfinite(value) ? value / dlFactor(at) : 0.0);
        }
    }
}

std::vector<double> expectedPowers(const SpectrumResult& result, SpectrumKind kind,
                                   const TheorySpectra& theory) {
    const std::vector<double>& cl = theory.of(kind);
    if (!result.bands) {
        const size_t size = result.spectra ? (*result.spectra)[kind].size() : 0;
        std::vector<double> expected(size, kNan);
        for (size_t l = static_cast<size_t>(theory.first()); l < std::min(size, cl.size()); ++l)
            expected[l] = cl[l] * result.level;
        return expected;
    }
    const auto bins = static_cast<size_t>(result.bands->size());
    const TableMatrix* windows = matrixOf(result, "WINDOWS");
    const auto place = placeOf(*result.bands, kind);
    if (windows == nullptr || !place || cl.empty()) return std::vector<double>(bins, kNan);
    std::vector<double> sums(bins, 0.0);
    addWindows(*windows, *place, cl, sums);
    // EE and BB respond to each other, and EB of one map to BE, which is EB.
    const TableMatrix* partner = matrixOf(result, "WINDOWS_PARTNER");
    const int other = partnerOf(static_cast<int>(kind));
    if (partner != nullptr && other >= 0) {
        const auto mate = other < 6 ? static_cast<SpectrumKind>(other) : kind;
        if (!theory.of(mate).empty()) addWindows(*partner, *place, theory.of(mate), sums);
    }
    return sums;
}

SpectrumResiduals residualsOf(const PowerCurve& data, const std::vector<double>& expected,
                              const std::vector<double>& covariance) {
    SpectrumResiduals made;
    made.areInErrors = !data.errors.empty();
    std::vector<double> difference(data.values.size());
    std::vector<size_t> used;
    for (size_t i = 0; i < data.values.size() && i < expected.size(); ++i) {
        difference[i] = data.values[i] - expected[i];
        const double unit = made.areInErrors ? data.errors[i] : expected[i];
        const double value = difference[i] / unit;
        if (!std::isfinite(value) || data.l[i] < 2.0) continue;
        made.l.push_back(data.l[i]);
        made.values.push_back(value);
        used.push_back(i);
    }
    made.count = static_cast<int>(used.size());
    if (!made.areInErrors || used.empty()) return made;
    if (covariance.size() == difference.size() * difference.size()) {
        made.chiSquared = chiSquaredOf(difference, covariance, used);
    } else {
        double sum = 0.0;
        for (const double value : made.values) sum += value * value;
        made.chiSquared = sum;
    }
    return made;
}

std::vector<double> covarianceOf(const SpectrumResult& result, SpectrumKind kind) {
    const TableMatrix* all = matrixOf(result, "COVARIANCE");
    const auto place = result.bands ? placeOf(*result.bands, kind) : std::nullopt;
    if (all == nullptr || !place) return {};
    const auto bins = static_cast<size_t>(result.bands->size());
    const auto columns = static_cast<size_t>(all->columns);
    std::vector<double> block(bins * bins);
    for (size_t i = 0; i < bins; ++i)
        for (size_t j = 0; j < bins; ++j)
            block[i * bins + j] = all->values[(*place * bins + i) * columns + *place * bins + j];
    return block;
}

std::vector<double> valuesAt(const PowerCurve& data, const PowerCurve& other, double factor) {
    std::vector<double> dl = other.values, found;
    for (size_t i = 0; i < dl.size(); ++i)
        dl[i] *= other.isDl ? factor : factor * dlFactor(other.l[i]);
    for (const double l : data.l) {
        const double value = interpolatedDl(other.l, dl, l);
        found.push_back(data.isDl ? value : value / dlFactor(l));
    }
    return found;
}

// The finite series of the regularized incomplete gamma function of half integers: for even counts
// exp(-x) sum x^i / i!, for odd ones erfc(sqrt x) and the same with half-integer factorials.
double chiSquaredProbability(double chiSquared, int count) {
    if (count < 1 || !(chiSquared >= 0.0)) return kNan;
    const double x = 0.5 * chiSquared;
    const bool isOdd = count % 2 == 1;
    double sum = isOdd ? std::erfc(std::sqrt(x)) : 0.0;
    // Terms through logarithms, because x^i and i! overflow for some hundred bins.
    for (double a = isOdd ? 0.5 : 0.0; a < 0.5 * count - 0.25; a += 1.0)
        sum += x == 0.0 ? (a == 0.0 ? 1.0 : 0.0)
                        : std::exp(a * std::log(x) - x - std::lgamma(a + 1.0));
    return std::min(sum, 1.0);
}

}  // namespace armilla
