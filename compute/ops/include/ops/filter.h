// SPDX-License-Identifier: GPL-3.0-or-later
// Filters that show point sources: each pixel of the result is the brightness of a source there.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"
#include "core/sky_vector.h"
#include "ops/device.h"
#include "ops/sht.h"

namespace armilla {

enum class FilterType { Matched, MexicanHat, TopHatDifference };

inline constexpr int kMaxMexicanHatOrder = 4;
// Of the scale of Mexican hats and top hats, in the beam's sigma.
inline constexpr double kMinFilterScale = 0.2, kMaxFilterScale = 20.0;

// The beam of a point source: window b_l with b_0 = 1, to where it has faded.
struct PointBeam {
    std::vector<double> bl;
    double solidAngle = 0.0;  // sr: 1 / sum w_l b_l, w_l = (2l+1)/(4 pi)
    // Of the Gaussian with that solid angle, radians.
    double sigma() const;
    double fwhm() const;

    // Throws InvalidArgument unless fwhm is from 1 arcsec to 60 degrees.
    static PointBeam gaussian(double fwhm);
    // Of B_l of any normalization; times a pixel window if one is given (empty: none). Throws
    // InvalidArgument for a beam that is empty, not finite, zero at l = 0, or has no peak.
    static PointBeam fromWindow(std::span<const double> bl, std::span<const double> pixelWindow);
};

struct FilterShape {
    FilterType type = FilterType::Matched;
    int order = 2;       // of the Mexican hat, 1 to 4
    double scale = 0.0;  // of Mexican hat and top hats, in the beam's sigma; 0: of least noise
};

// A filter as a function of l, f_0 = f_1 = 0, so that no monopole or dipole gets through, with
// response 1 to a source of peak brightness 1 at the source's own place:
//
//     solidAngle sum_l w_l b_l f_l = 1.
//
// Matched: f ~ b / C, the one of least noise for a background and noise of spectrum C (M. G.
// Haehnelt & M. Tegmark 1996). Mexican hat of order n (J. Gonzalez-Nuevo et al. 2006,
// arXiv:astro-ph/0604376, with L = l(l+1) for k^2): f ~ (L R^2)^n exp(-L R^2 / 2). Top hats: the
// mean of a disc of radius R less the mean of the ring of the same area around it (to sqrt(2) R).
//
// The noise of the filtered map is sum_l w_l f_l^2 C_l.
struct PointFilter {
    FilterType type = FilterType::Matched;
    int order = 0;
    double scale = 0.0;      // R in the beam's sigma; 0: matched
    std::vector<double> fl;  // to lmax
    double noise = 0.0;      // rms of the filtered background: sqrt(sum w f^2 C)
    int lmax() const { return static_cast<int>(fl.size()) - 1; }
};
// `cl`: C_l of what is not a source, as the map has it (with beam and noise), positive from l = 2
// to lmax, which it decides. Throws InvalidArgument for other shapes, an order or a scale out of
// range, or a filter that does not see the beam. Test: tst_filter (long double).
PointFilter pointFilter(const FilterShape& shape, const PointBeam& beam,
                        std::span<const double> cl);
// The noise of the filter for each of these scales, for a curve beside the slider.
std::vector<double> noiseOfScales(const FilterShape& shape, const PointBeam& beam,
                                  std::span<const double> cl, std::span<const double> scales);

// A function of the angle from a source, tabulated: cubic between, zero beyond its end.
class RadialProfile {
public:
    RadialProfile() = default;
    // sum_l w_l g_l P_l(cos theta) to `reach` radians, `perStep` apart.
    RadialProfile(std::span<const double> gl, double reach, double step);
    double operator()(double theta) const;
    double slope(double theta) const;  // d/dtheta
    double reach() const { return reach_; }
    // The largest |value| at theta or beyond.
    double envelope(double theta) const;
    // The angle beyond which |value| stays below `level`, at most reach().
    double reachOf(double level) const;

private:
    double step_ = 1.0, reach_ = 0.0;
    std::vector<double> values_, envelope_;
};

struct FilterParameters {
    FilterShape shape;
    PointBeam beam;
    int lmax = -1;  // -1: where the beam has faded, at most 3 nside - 1
    // C_l of the sky before the beam. Empty: from the map less its bright sources, smoothed.
    std::vector<double> background;
    // Noise of a pixel in the map's unit: one value, or a map of it on the same pixels (of any
    // ordering, in one field; it decides how the noise of the result varies from place to place).
    // Without a background it says how uneven the noise is, without either it is taken from C_l.
    std::optional<double> noise;
    std::shared_ptr<const HealpixMap> noiseMap;
    // Good where above half, on pixels of any nside and ordering in the map's frame.
    std::shared_ptr<const HealpixMap> mask;
    // Where less than this share of the filter's response falls on good pixels the result is bad.
    double leastShare = 0.7;
    Weights weights = Weights::Ring;
};

// A source that was taken out before the filtering and put back after it, or found.
struct PointSource {
    Vec3 direction;
    double peak = 0.0;  // in the map's unit
};

// All arrays RING, 12 nside^2, NaN where bad.
struct FilteredSky {
    int64_t nside = 0;
    PointFilter filter;
    std::vector<double> cl;   // of background and noise, smoothed, to the filter's lmax
    double whiteLevel = 0.0;  // the part of C_l that is white noise
    // The map less `bright`, good pixels only; the plan's own, which it makes anew and never
    // changes.
    std::shared_ptr<const std::vector<double>> residual;
    std::vector<double> filtered;  // of the map, `bright` in it
    std::vector<double> rms;       // local noise of `filtered`
    std::vector<float> share;      // of the response on good pixels; empty: all 1
    std::vector<PointSource> bright;
    RadialProfile response;     // to a source of peak 1, in `filtered`
    RadialProfile beamProfile;  // of a source of peak 1, in the map
    int64_t refused = 0;        // good pixels of the map where the filter sees too little sky
    // What a user should know of the way it was made; empty: nothing.
    std::string remark;
};

class DevicePicture;

// Whether a plan keeps what pictures of a filter in motion are made of: coefficients of the sky
// with its bright sources, 16 bytes each.
enum class FilterPictures { None, Live };

// Filters one field of a map. Bright sources are taken out first, by their fitted places, and put
// back by the filter's response to the beam: the background's spectrum is free of them, they do
// not ring through the transforms or from beyond a mask. Holes are filled smoothly from their rims.
//
// Local noise: rms of the filtered map without the bright sources, in cells of a dozen beams
// (clipped at 3 sigma), interpolated; where a noise map is given, times what it says within them.
// Where holes take a share of the response, times what such places have more (tst_filter).
//
// Keeps the harmonics of map and mask: another shape costs a synthesis or two. On a CUDA device
// with room for them they stay there, with what is made of them, and only results are copied. Not
// thread-safe while executing.
class FilterPlan {
public:
    // Throws InvalidArgument for a field that does not exist or a map of several orders.
    FilterPlan(std::shared_ptr<const HealpixMap> map, int field, const Device& device,
               FilterPictures pictures = FilterPictures::None);
    ~FilterPlan();
    FilterPlan(FilterPlan&&) noexcept;
    FilterPlan& operator=(FilterPlan&&) noexcept;

    // Throws InvalidArgument for parameters that contradict each other or the map, Cancelled.
    FilteredSky execute(const FilterParameters& parameters, JobContext& job);
    // Into a sky that is there, which is overwritten: to bring its memory in anew takes longer than
    // to filter on a CUDA device.
    void execute(const FilterParameters& parameters, FilteredSky& sky, JobContext& job);

    // While sliders move: the sky through another filter in one synthesis, by the background's
    // spectrum and to the largest l of the last `execute` that came to its end with these good
    // pixels. What is left to `execute`: bright sources ring by the quadrature's thousandth, the
    // spectrum is that of the beam before, pixels that see too little sky are not refused, and
    // there is no local noise. Test: tst_filter.
    bool knows(const FilterParameters& parameters) const;
    // A full RING map of `nside`, at most the map's, in single precision; to l = 2 nside, and
    // coarser than the map through a Gaussian of two cells' sides. Throws InvalidArgument unless
    // it knows.
    HealpixMap preview(const FilterParameters& parameters, int64_t nside, JobContext& job);
    // The same at full resolution as a picture with room for pictureNside(), in the memory of the
    // plan's CUDA device, which fills it. Also throws Unsupported for a plan on the CPU,
    // OutOfMemory where the device has no room for the sky, DeviceError.
    void draw(const FilterParameters& parameters, DevicePicture& picture, JobContext& job);
    int64_t pictureNside() const;
    // Of what it keeps on the host from call to call.
    int64_t memoryBytes() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

// The filtered map, its significance, with the share as a second field where there is one; pixels,
// ordering, frame and precision of `map`.
HealpixMap filteredMap(const HealpixMap& map, int field, const FilteredSky& sky, JobContext& job);
HealpixMap significanceMap(const HealpixMap& map, int field, const FilteredSky& sky,
                           JobContext& job);

}  // namespace armilla
