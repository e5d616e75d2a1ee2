// SPDX-License-Identifier: GPL-3.0-or-later
#include "spin_fields.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "armilla/core/counted.h"
#include "armilla/core/error.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/operations/map_values.h"
#include "armilla/ops/resample.h"
#include "armilla/ops/spectrum.h"

namespace armilla {

void describeSpin(Description& d, int64_t& spin, bool& qu) {
    d.integer("spin", spin, {.unit = "none", .least = 0, .most = kMaxSpin, .advanced = true},
              "spin of the field, 0 to 3; from 1 on, two components with gradient and curl "
              "coefficients");
    d.flag("qu", qu, {}, "transform Q and U without T, to or from E and B (spin 2)");
}

void checkSpin(int64_t spin, bool qu, Problems& problems) {
    if (qu && spin != 0 && spin != 2)
        problems.push_back({"qu", "expected --spin 2 or none, found " + std::to_string(spin)});
}

std::array<std::string, 2> spinFieldNames(int spin) {
    if (spin == 2) return {"Q_POLARISATION", "U_POLARISATION"};
    const std::string name = "SPIN" + std::to_string(spin);
    return {name + "_RE", name + "_IM"};
}

bool isComponent(const std::string& name) {
    for (const int spin : {1, 3})
        for (const std::string& each : spinFieldNames(spin))
            if (each == name) return true;
    return std::find(kDerivativeNames.begin(), kDerivativeNames.end(), name) !=
           kDerivativeNames.end();
}

std::vector<Alm> gradientAndCurl(AlmSet set, int spin) {
    const std::string expected =
        "expected gradient and curl coefficients of spin " + std::to_string(spin);
    if (set.alm.size() == 3 && spin == 2) {
        set.alm.erase(set.alm.begin());
    } else if (set.alm.size() != 2) {
        throw InvalidArgument(expected + (spin == 2 ? ", or T, E, B" : "") + ", found " +
                              setsInWords(set));
    } else if (set.spin > 0 && set.spin != spin) {
        throw InvalidArgument(expected + ", found those of spin " + std::to_string(set.spin));
    }
    return std::move(set.alm);
}

Beam spinBeam(double fwhm, int lmax, int spin) {
    const double sigma = fwhm / std::sqrt(8.0 * std::log(2.0));
    std::vector<double> bl = gaussianBeam(fwhm, lmax).bl[0];
    for (double& b : bl) b *= std::exp(0.5 * spin * spin * sigma * sigma);
    return {{bl, bl, bl}};
}

Columns map2almColumns(const ParameterSet& parameters) {
    const auto& options = parameters.as<Map2AlmOptions>();
    if (options.spinTaken() > 0) return {Columns::Choice::All, {}};
    return {options.polarization ? Columns::Choice::Polarization : Columns::Choice::One, {}};
}

void describe(Description& d, Map2AlmOptions& p) {
    describe(d, static_cast<TransformOptions&>(p));
    describeSpin(d, p.spin, p.qu);
}

namespace {

// The spin of fields that alm2map named, or 0: 1 of SPIN1_RE.
int spinOfNames(const HealpixMap& map) {
    for (int spin = 1; spin <= kMaxSpin; ++spin)
        if (map.field(0).name == spinFieldNames(spin)[0] &&
            map.field(1).name == spinFieldNames(spin)[1])
            return spin;
    return 0;
}

}  // namespace

std::vector<int> componentsOf(const Input& input, int spin) {
    const HealpixMap& map = input.map();
    if (!input.field.empty() && input.field != "all") {
        std::vector<int> fields;
        for (const std::string& name : splitAtCommas(input.field))
            fields.push_back(map.fieldIndex(name));
        if (fields.size() != 2 || fields[0] == fields[1])
            throw InvalidArgument("expected --field A,B of two components, found '" + input.field +
                                  "'");
        return fields;
    }
    const auto pair = map.polarizationPair();
    if (spin == 2 && pair) return {pair->first, pair->second};
    if (const auto tqu = map.polarizationFields(); spin == 2 && tqu) return {(*tqu)[1], (*tqu)[2]};
    const std::string expected =
        "expected two components of spin " + std::to_string(spin) + ", or --field A,B, found ";
    if (map.fieldCount() != 2) throw InvalidArgument(expected + counted(map.fieldCount(), "field"));
    if (const int other = pair ? 2 : spinOfNames(map); other != 0 && other != spin)
        throw InvalidArgument(expected + map.field(0).name + " and " + map.field(1).name +
                              " of spin " + std::to_string(other));
    return {0, 1};
}

namespace {

// Coefficients times a factor of l.
template <typename Factor>
Alm scaledAlm(const Alm& from, const Factor& factor, JobContext& job) {
    Alm to(from.lmax(), from.mmax());
    parallelFor(job, from.mmax() + 1, 16, [&](long long begin, long long end) {
        for (int m = static_cast<int>(begin); m < end; ++m)
            for (int l = m; l <= from.lmax(); ++l)
                to(l, m) = factor(static_cast<double>(l)) * from(l, m);
    });
    return to;
}

// Moves values to a field of single or double precision, and frees them.
void storeIn(Field& field, std::vector<double>&& values, bool single, JobContext& job) {
    if (!single) {
        field.values = std::move(values);
        return;
    }
    const auto count = static_cast<long long>(values.size());
    std::vector<float> stored = newVector<float>(count, job);
    parallelFor(job, count, kPixelGrain, [&](long long begin, long long end) {
        for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
            stored[i] = static_cast<float>(values[i]);
    });
    field.values = std::move(stored);
    std::vector<double>().swap(values);
}

}  // namespace

// The Hessian H of T on the sphere has the trace H_tt + H_pp, the Laplacian, whose coefficients are
// -l(l+1) a_lm. Two spin raising operators give H_tt - H_pp = -Q and 2 H_tp = -U, where Q and U
// have the gradient coefficients sqrt((l+2)!/(l-2)!) a_lm. The partial derivatives are T_tt = H_tt,
// T_tp / sin = H_tp + cot T_p / sin, T_pp / sin^2 = H_pp - cot T_t.
void fillSecondDerivatives(const ShtPlan& plan, const Alm& alm, int64_t nside, bool single,
                           std::vector<Field>& fields, JobContext& job) {
    const int64_t pixels = pixelCount(nside);
    JobContext first = job.part(0.0, 0.4), second = job.part(0.4, 0.6), third = job.part(0.6, 0.95),
               combining = job.part(0.95, 1.0);
    std::array<std::vector<double>, 6> values;
    for (std::vector<double>& each : values) each = newVector<double>(pixels, first);
    auto& [map, dTheta, dPhi, trace, q, u] = values;
    const auto view = [](std::vector<double>& samples) {
        return MapSamples(std::span<double>(samples));
    };
    plan.synthesisGradient(alm, view(map), view(dTheta), view(dPhi), first);
    plan.synthesis(scaledAlm(
                       alm, [](double l) { return -l * (l + 1.0); }, second),
                   view(trace), second);
    const auto factor = [](double l) {
        return std::sqrt(std::max(0.0, (l + 2.0) * (l + 1.0) * l * (l - 1.0)));
    };
    const std::array<Alm, 2> spin{scaledAlm(alm, factor, third), Alm(alm.lmax(), alm.mmax())};
    plan.synthesisSpin(2, spin, view(q), view(u), third);
    parallelFor(combining, pixels, kPixelGrain, [&](long long begin, long long end) {
        for (long long p = begin; p < end; ++p) {
            const auto i = static_cast<size_t>(p);
            const Vec3 n = directionFromRing(nside, p);
            const double cot = n.z / std::hypot(n.x, n.y);
            const double sum = trace[i], difference = -q[i], mixed = -0.5 * u[i];
            trace[i] = 0.5 * (sum + difference);
            q[i] = mixed + cot * dPhi[i];
            u[i] = 0.5 * (sum - difference) - cot * dTheta[i];
        }
    });
    for (size_t i = 0; i < values.size(); ++i)
        storeIn(fields[i], std::move(values[i]), single, combining);
}

}  // namespace armilla
