// SPDX-License-Identifier: GPL-3.0-or-later
// Shared parts of harmonic operations: parameters, notes and summaries.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "armilla/core/harmonics.h"
#include "armilla/operations/choices.h"
#include "armilla/operations/operation.h"
#include "armilla/operations/smooth.h"
#include "armilla/ops/elliptical_beam.h"
#include "armilla/ops/monopole.h"
#include "armilla/ops/sht.h"

namespace armilla {

// 2^15 exceeds the lmax of every map that fits in memory (nside 8192 has 24575), and lmax^2 fits in
// an int.
inline constexpr int kMostLmax = 32768;

// 3 nside - 1; none beyond kMostLmax, where the plan decides.
std::optional<int64_t> defaultLmax(int64_t nside);
// Shared parameters of map2alm and anafast.
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
Columns transformColumns(const ParameterSet& parameters);  // for TransformOptions
ShtParameters parametersOf(const TransformOptions& options, int64_t nside);

struct Map2AlmOptions : TransformOptions {
    int64_t spin = 0;
    bool qu = false;

    int spinTaken() const { return qu ? 2 : static_cast<int>(spin); }
};
void describe(Description& d, Map2AlmOptions& p);
Columns map2almColumns(const ParameterSet& parameters);

struct AnalyzedMap {
    AlmSet set;  // T, or T, E, B, or gradient and curl; frame and unit of the map
    int64_t nside = 0;
    int64_t rows = 0, columns = 0;  // size of an image, which has no nside
    ShtParameters parameters;
    ShtConvergence convergence;
    TakenOut taken;  // subtracted from T
    // Share of the pixels that are good in the field with most bad ones.
    double goodShare = 1.0;
};
// Analyzes the fields of an input: two components with a spin above 0. Notes report the method and
// the number of bad pixels, which count as zero.
AnalyzedMap analyze(Context& context, Input& input, const TransformOptions& options, int spin,
                    const JobContext& job);
void setFigures(Json& figures, const AnalyzedMap& analysis);
// The note on a mean that the analysis kept and that is large enough to affect the spectrum; empty
// for a smaller mean.
std::string meanNote(const std::string& name, const TakenOut& taken, const std::string& unit);
// Adds meanNote() to the notes.
void noteMean(const Context& context, const std::string& name, const TakenOut& taken,
              const std::string& unit);
// `strategyOf`: summary of the method of an analysis. `noteBadPixels`: notes the number of bad
// pixels.
std::string strategyOf(const AnalyzedMap& analysis);
void noteBadPixels(const Context& context, const std::string& name, int64_t count, int64_t total);
std::string productUnit(const std::string& a, const std::string& b);
// The nside at which a map is analyzed.
int64_t nsideOf(const HealpixMap& map);
inline int64_t nsideOf(const Input& input) {
    return nsideOf(input.view ? input.view->outline : input.map());
}

// Facts of --nside of a synthesis and of --fwhm.
ParameterFacts nsideFacts();
ParameterFacts beamFacts();
// The option --beam: a file of B_l to multiply with.
InputSlot beamSlot();
// Notes a file of B_l that ends below lmax while it is not negligible: B_l beyond counts as 0.
void noteBeamEnd(const Context& context, const Input& input, int lmax);

struct Alm2MapOptions {
    std::optional<int64_t> nside;
    double fwhm = 0.0;
    bool pixelWindow = false, qu = false;
    std::optional<int> derivatives;  // largest order, 1 or 2
    int64_t spin = 0;
    std::optional<Frame> frame;
    std::string like;  // file of an image whose pixels the output has

    int spinTaken() const { return qu ? 2 : static_cast<int>(spin); }
};
void describe(Description& d, Alm2MapOptions& p);
// Index of the set, among `count`, that --field names: T, E, B, or GRADIENT, CURL of two, or a
// number from 1. Throws InvalidArgument.
size_t almIndex(const std::string& field, size_t count);
// Whether the requested frame, if any, is another one than that of the coefficients. Throws
// InvalidArgument if theirs is unknown.
bool isTurned(std::optional<Frame> requested, Frame frame);
// Multiplies the B_l of T, E and B; they become 0 beyond the end of `factor`.
void multiplyBeams(std::array<std::vector<double>, 3>& product, const Beam& factor);
// The coefficients up to another lmax; zero where the input has none.
Alm limitedAlm(Alm from, int lmax, JobContext& job);
// Throws IoError unless the number of sets is 1 or 3.
void requireSets(size_t count);
// "one set", "T, E, B", "spin 1, gradient and curl".
std::string setsInWords(const AlmSet& set);

// Parameters with the beam of field, map or plane number `index`.
SmoothParameters smoothParametersOf(const SmoothParameters& all, const SmoothOptions& options,
                                    const Inputs& inputs, size_t index);
// Elliptical beam of --fwhm and --fwhm-minor, both given.
EllipticalBeam ellipseOf(const SmoothOptions& options);
// Number of beams: one, or `count`. Throws InvalidArgument otherwise.
size_t requireBeams(const SmoothOptions& options, const Inputs& inputs, size_t count);
// Sets notes and figures of a smoothing; returns the part of the summary that begins with ";
// method".
std::string sayMethod(Context& context, const SmoothParameters& parameters,
                      const SmoothOptions& options, const SmoothReport& report);
// As sayMethod, with the summary of the result, which is like `like` except for `nside`.
std::string saySmoothing(Context& context, const SmoothParameters& parameters,
                         const SmoothOptions& options, const SmoothReport& report,
                         const HealpixMap& like, int64_t nside);

// Limit of the fields of one file: FITS tables have at most 999 columns, T, Q and U a sky.
inline constexpr int kMostSkies = 333;

struct SynfastOptions {
    std::optional<int64_t> nside, lmax;
    int64_t seed = 1, skies = 1;
    double fwhm = 0.0;
    std::optional<Frame> frame;
    std::optional<double> hitRms;
};
void describe(Description& d, SynfastOptions& p);
void resolveSynfast(SynfastOptions& options, const Spectra& spectra);
// Notes the spectra of the file `name` that a random sky lacks, or cannot follow.
void noteMissingSpectra(const Context& context, const std::string& name, const Spectra& spectra);
// Square root of a unit: "K" of "K^2", "(uK)^2" or "uK**2"; empty if the unit is no square.
std::string rootUnit(std::string unit);

struct SynthesisRequest {
    int64_t nside = 0;
    Frame frame = Frame::Unknown;
    std::string unit;
    int derivatives = 0;  // adds those of one set, up to this order
    int spin = 0;         // above 0: two sets make the two components of a spin field
};
// Fields without values. One set makes TEMPERATURE; with derivatives also DX_T = dT/dtheta and DY_T
// = dT/dphi/sin(theta), the column names of the HEALPix programs. Second derivatives add DXX_T =
// d2T/dtheta2, DXY_T = d2T/dtheta dphi/sin(theta) and DYY_T = d2T/dphi2/sin2(theta). Three sets, T,
// E and B, make TEMPERATURE, Q_POLARISATION, U_POLARISATION. With a spin, two sets make the fields
// of spinFieldNames(). RING order, in double precision, or in single if requested.
std::vector<Field> synthesizedFields(const SynthesisRequest& request, size_t sets, bool single);
// Throws InvalidArgument for infinite values, which would be written as bad pixels.
void requireFinite(const Field& field, JobContext& job);
// The fields of one synthesis by an existing plan.
std::vector<Field> synthesizedValues(const Context& context, const ShtPlan& plan,
                                     const std::vector<Alm>& alm, const SynthesisRequest& request,
                                     JobContext& job);
HealpixMap synthesize(Context& context, const std::vector<Alm>& alm,
                      const SynthesisRequest& request, const JobContext& job);

// Word of the weights: "none", "ring" or "pixel".
std::string_view weightsName(Weights weights);
// Method of an analysis in words: "ring weights, 3 iterations".
std::string describeStrategy(Weights weights, int iterations);
// Notes the origin of pixel weights, after an analysis with them.
void noteWeights(const Context& context, Weights weights, int64_t nside);
// Notes an lmax beyond 3 nside - 1, where pixels cannot distinguish multipoles from lower ones.
void noteBandLimit(const Context& context, std::optional<int64_t> lmax, int64_t nside);
// Throws InvalidArgument if a field has no good pixel.
void requireGoodPixels(const HealpixMap& map, const std::vector<int>& fields);
// Notes that Q or U is treated as a scalar; `otherStrategy` is the alternative, or empty.
void noteScalars(const Context& context, const HealpixMap& map, const std::vector<int>& fields,
                 std::string_view otherStrategy = " (--polarization takes T, Q and U together)");
void noteScalar(const Context& context, const Field& field,
                std::string_view otherStrategy = " (--polarization takes T, Q and U together)");
// A number in two digits: "1.2e-05".
std::string shortText(double value);

}  // namespace armilla
