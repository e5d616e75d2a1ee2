// SPDX-License-Identifier: GPL-3.0-or-later
// What operations on harmonics share: their parameters, and what they say of the way taken.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "operations/choices.h"
#include "operations/operation.h"
#include "operations/smooth.h"
#include "ops/elliptical_beam.h"
#include "ops/monopole.h"
#include "ops/sht.h"

namespace armilla {

// 2^15 is past any map that fits in memory (nside 8192 has lmax 24575), and keeps lmax^2 in an int.
inline constexpr int kMostLmax = 32768;

// 3 nside - 1; none where that is past kMostLmax, which leaves it to the plan.
std::optional<int64_t> defaultLmax(int64_t nside);
// What map2alm and anafast share.
struct TransformOptions {
    std::optional<int64_t> lmax, mmax;
    int iterations = 0;
    std::optional<double> tolerance;
    Weights weights = Weights::None;
    bool polarization = false;
    Remove remove = Remove::None;
};
void describe(Description& d, TransformOptions& p);
Problems checkTransform(const TransformOptions& options);
Columns transformColumns(const ParameterSet& parameters);  // of TransformOptions
ShtParameters parametersOf(const TransformOptions& options, int64_t nside);

struct AnalyzedMap {
    AlmSet set;  // T, or T, E, B; frame and unit of the map
    int64_t nside = 0;
    ShtParameters parameters;
    ShtConvergence convergence;
    TakenOut taken;  // out of T
};
// Analyzes the fields of an input. Notes say how, and how many bad pixels there were, which count
// as zero.
AnalyzedMap analyze(Context& context, Input& input, const TransformOptions& options,
                    const JobContext& job);
void setFigures(Json& figures, const AnalyzedMap& analysis);
// Says how large a mean is that an analysis has kept, where some of it shows in the spectrum.
void noteMean(const Context& context, const std::string& name, const TakenOut& taken,
              const std::string& unit);
// The way of an analysis that was done, for people; says how many bad pixels there were.
std::string wayOf(const AnalyzedMap& analysis);
void noteBadPixels(const Context& context, const std::string& name, int64_t count, int64_t total);
std::string productUnit(const std::string& a, const std::string& b);

struct Alm2MapOptions {
    std::optional<int64_t> nside;
    double fwhm = 0.0;
    bool pixelWindow = false, derivatives = false;
    std::optional<Frame> frame;
};
void describe(Description& d, Alm2MapOptions& p);
// Which set of `count` a --field means. Throws InvalidArgument.
size_t almIndex(const std::string& field, size_t count);
// Whether the output's frame is another one than that of the coefficients. Throws InvalidArgument
// where theirs is unknown.
bool isTurned(const Alm2MapOptions& options, Frame frame);
// Throws IoError unless there are as many sets as a map has fields.
void requireSets(size_t count);

// The kernel that the options and the inputs beam and kernel ask for, and the rest of a smoothing.
SmoothParameters smoothParameters(const SmoothOptions& options, const Inputs& inputs);
// The same with the beam of one of several fields, maps or planes.
SmoothParameters smoothParametersOf(const SmoothParameters& all, const SmoothOptions& options,
                                    const Inputs& inputs, size_t index);
// Of --fwhm and --fwhm-minor, both given.
EllipticalBeam ellipseOf(const SmoothOptions& options);
// How many beams there are: one, or `count`; throws InvalidArgument else.
size_t requireBeams(const SmoothOptions& options, const Inputs& inputs, size_t count);
// Notes and figures of a smoothing that was done; returns what is said of its way: "; method ...".
std::string sayMethod(Context& context, const SmoothParameters& parameters,
                      const SmoothOptions& options, const SmoothReport& report);
// The same, and what is said of its result, which is like `like` but for `nside`.
std::string saySmoothing(Context& context, const SmoothParameters& parameters,
                         const SmoothOptions& options, const SmoothReport& report,
                         const HealpixMap& like, int64_t nside);

struct SynfastOptions {
    std::optional<int64_t> nside, lmax;
    int64_t seed = 1;
    double fwhm = 0.0;
    std::optional<Frame> frame;
};
void describe(Description& d, SynfastOptions& p);
void resolveSynfast(SynfastOptions& options, const Spectra& spectra);
// "K" of "K^2", "(uK)^2" or "uK**2"; empty if the unit is no square.
std::string rootUnit(std::string unit);

struct SynthesisRequest {
    int64_t nside = 0;
    Frame frame = Frame::Unknown;
    std::string unit;
    bool derivatives = false;  // of one alm
};
// One alm to a map TEMPERATURE (with derivatives: and DX_T = dT/dtheta, DY_T = dT/dphi/sin(theta),
// the column names of HEALPix's own programs); three, T, E and B, to TEMPERATURE, Q_POLARISATION,
// U_POLARISATION. RING, in double precision, or in single where that is asked for.
// Fields without values.
std::vector<Field> synthesizedFields(const SynthesisRequest& request, size_t sets, bool single);
// Infinite values would be written as bad pixels. Throws InvalidArgument.
void requireFinite(const Field& field, JobContext& job);
HealpixMap synthesize(Context& context, const std::vector<Alm>& alm,
                      const SynthesisRequest& request, const JobContext& job);

// "none", "ring" or "pixel".
std::string_view weightsName(Weights weights);
// "ring weights, 3 iterations": the way of an analysis, for people.
std::string describeWay(Weights weights, int iterations);
// Says where pixel weights are, after an analysis with them.
void noteWeights(const Context& context, Weights weights, int64_t nside);
// Multipoles beyond 3 nside - 1, which pixels of that size do not tell apart from lower ones.
void noteBandLimit(const Context& context, std::optional<int64_t> lmax, int64_t nside);
// Throws InvalidArgument where a field has no good pixel at all.
void requireGoodPixels(const HealpixMap& map, const std::vector<int>& fields);
// Q or U taken as numbers without direction; `otherWay` is empty where there is none.
void noteScalars(const Context& context, const HealpixMap& map, const std::vector<int>& fields,
                 std::string_view otherWay = " (--polarization takes T, Q and U together)");
// "1.2e-05".
std::string shortText(double value);

}  // namespace armilla
