// SPDX-License-Identifier: GPL-3.0-or-later
// Filters that detect point sources: each pixel of the result is the brightness of a source there.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/core/sky_vector.h"
#include "armilla/ops/device.h"
#include "armilla/ops/sht.h"

namespace armilla {

namespace sources {
class SourcePixels;
}

// The kind of a point source filter (PointFilter).
enum class FilterType { Matched, MexicanHat, TopHatDifference };

inline constexpr int kMaxMexicanHatOrder = 4;
// Limits of the scale of Mexican hats and top hats, in the beam's sigma.
inline constexpr double kMinFilterScale = 0.2, kMaxFilterScale = 20.0;
// The narrowest beam on tangent planes, that on the sphere, and the widest beam, in radians.
inline constexpr double kLeastPlaneFwhm = 1e-3 * kArcsec, kLeastFwhm = kArcsec,
                        kMostFwhm = 60.0 * kDegree;

// The beam of a point source: window b_l with b_0 = 1, up to the l where it has faded.
//
// A tangent plane has no scale of its own. Windows and spectra of a narrow beam are those of a sky
// enlarged `enlargement` times: l is as many times smaller there, and solid angles are larger by
// the square. The window of a beam of an arcsecond then ends at l = 4e4 instead of 3e6.
struct PointBeam {
    std::vector<double> bl;   // on the enlarged sky
    double solidAngle = 0.0;  // sr: 1 / sum w_l b_l, w_l = (2l+1)/(4 pi), over enlargement^2
    double enlargement = 1.0;
    double enlargedSolidAngle() const { return solidAngle * enlargement * enlargement; }
    // Sigma and FWHM, in radians, of the Gaussian with that solid angle.
    double sigma() const;
    double fwhm() const;

    // `fwhm` in radians. Throws InvalidArgument unless it is from 1 arcsec to 60 degrees.
    static PointBeam gaussian(double fwhm);
    // The same on a tangent plane, from kLeastPlaneFwhm on; and the enlargement that suits a beam,
    // 1 from an arcminute on.
    static PointBeam onPlane(double fwhm, double enlargement);
    static double enlargementOnPlane(double fwhm);
    // The beam of a window B_l of any normalization, times a pixel window if one is given (empty:
    // none), both on a sky of this enlargement. Throws InvalidArgument for a beam that is empty,
    // not finite, zero at l = 0, or has no peak.
    static PointBeam fromWindow(std::span<const double> bl, std::span<const double> pixelWindow,
                                double enlargement = 1.0);
};

// The request for a filter.
struct FilterShape {
    FilterType type = FilterType::Matched;
    int order = 2;  // order of the Mexican hat, 1 to 4
    // Scale R of Mexican hat and top hats, in the beam's sigma; 0: the scale of least noise.
    double scale = 0.0;
};

// A filter as a function of l, f_0 = f_1 = 0, which removes monopole and dipole. Its response to a
// source of peak brightness 1 is 1 at the source's position:
//
//   solidAngle sum_l w_l b_l f_l = 1.
//
// - Matched: f ~ b / C, the filter of least noise for background and noise of spectrum C (M. G.
//   Haehnelt & M. Tegmark 1996).
// - Mexican hat of order n: f ~ (L R^2)^n exp(-L R^2 / 2) (J. Gonzalez-Nuevo et al. 2006,
//   arXiv:astro-ph/0604376, with L = l(l+1) for k^2).
// - Top hats: the mean of a disc of radius R minus the mean of the ring of the same area around the
//   disc (to sqrt(2) R).
//
// The noise variance of the filtered map is sum_l w_l f_l^2 C_l.
struct PointFilter {
    FilterType type = FilterType::Matched;
    int order = 0;
    double scale = 0.0;        // R in the beam's sigma; 0: matched
    std::vector<double> fl;    // f_l, l = 0 .. lmax
    double enlargement = 1.0;  // the enlargement of the beam, f_l and C_l
    double noise = 0.0;        // rms of the filtered background: sqrt(sum w f^2 C)
    int lmax() const { return static_cast<int>(fl.size()) - 1; }
};
// `cl`: C_l of everything that is not a source, as in the map (with beam and noise), positive from
// l = 2 to lmax; its size sets lmax. Throws InvalidArgument for other sizes, an order or a scale
// out of range, or a filter without response to the beam. Test: tst_filter (long double).
PointFilter pointFilter(const FilterShape& shape, const PointBeam& beam,
                        std::span<const double> cl);
// A function of the angle from a source, tabulated: cubic interpolation inside, zero beyond its
// end. Angles in radians.
class RadialProfile {
public:
    RadialProfile() = default;
    // sum_l w_l g_l P_l(cos theta) up to `reach`, tabulated every `step`. g_l and P_l are those of
    // a sky of this enlargement, all angles those of the sky itself.
    RadialProfile(std::span<const double> gl, double reach, double step, double enlargement = 1.0);
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

// Parameters of FilterPlan.
struct FilterParameters {
    FilterShape shape;
    PointBeam beam;
    int lmax = -1;  // -1: the l where the beam has faded, at most 3 nside - 1
    // C_l of the sky before the beam. Empty: measured from the map without its bright sources,
    // smoothed.
    std::vector<double> background;
    // Noise of a pixel in the map's unit: one value, or a map on the same pixels (any ordering, one
    // field). The map determines how the noise of the result varies over the sky. Without
    // `background` only the noise map's variations count, not its level. Without noise and noise
    // map the noise is measured from C_l.
    std::optional<double> noise;
    std::shared_ptr<const HealpixMap> noiseMap;
    // Pixels above one half are good. Any nside and ordering, in the map's frame.
    std::shared_ptr<const HealpixMap> mask;
    // The result is bad where less than this fraction of the filter's response falls on good
    // pixels.
    double leastShare = 0.7;
    Weights weights = Weights::Ring;
};

// A source: found by a search, or subtracted before the filtering and put back after it.
struct PointSource {
    Vec3 direction;
    double peak = 0.0;  // in the map's unit
};

// Result of a FilterPlan, or of filterImage(). All arrays are RING, 12 nside^2, or follow the
// pixels of the image; NaN where bad.
struct FilteredSky {
    int64_t nside = 0;                                   // 0 for an image
    std::shared_ptr<const sources::SourcePixels> image;  // pixels of an image; none for a map
    // Values and peaks are those of pixels of the image's mean solid angle (ofOwnPixel).
    bool isPerPixel = false;
    PointFilter filter;
    // C_l of background and noise, smoothed, to the filter's lmax, and its white part; of a sky of
    // the filter's enlargement.
    std::vector<double> cl;
    double whiteLevel = 0.0;
    // The map minus `bright`, good pixels only. The plan owns this array: it makes a new one for
    // each change and never modifies an old one.
    std::shared_ptr<const std::vector<double>> residual;
    std::vector<double> filtered;  // the filtered map, including `bright`
    std::vector<double> rms;       // local noise of `filtered`
    std::vector<float> share;      // fraction of the response on good pixels; empty: all 1
    std::vector<PointSource> bright;
    RadialProfile response;     // response in `filtered` to a source of peak 1
    RadialProfile beamProfile;  // profile in the map of a source of peak 1
    int64_t refused = 0;        // good pixels of the map with too little good sky under the filter
    // Remark for the user on how the sky was filtered; empty: none.
    std::string remark;
};

class DevicePicture;

// Whether a plan keeps the data for pictures while sliders move: coefficients of the sky with its
// bright sources, 16 bytes each.
enum class FilterPictures { None, Live };

// Filters one field of a map. Bright sources are subtracted first, at their fitted positions, and
// put back by the filter's response to the beam. Then the background's spectrum is free of bright
// sources, and these do not ring through the transforms or from behind a mask. Holes are filled
// smoothly from their edges.
//
// Local noise: rms of the filtered map without the bright sources, in cells of a dozen beams
// (clipped at 3 sigma), interpolated. With a noise map the rms is multiplied by the noise map's
// variation within the cells. Near holes, which reduce the response, the rms is multiplied by the
// excess noise of such places (tst_filter).
//
// The plan keeps the harmonic coefficients of map and mask: another shape costs one or two
// syntheses. On a CUDA device with enough memory the coefficients and the data derived from them
// stay on the device, and only results are copied. Not thread-safe while executing.
class FilterPlan {
public:
    // Throws InvalidArgument for a field that does not exist or a multi-order map.
    FilterPlan(std::shared_ptr<const HealpixMap> map, int field, const Device& device,
               FilterPictures pictures = FilterPictures::None);
    // A plan for one execution, which uses up the values of the field of `map` and holds the map of
    // good pixels without a copy: three arrays of a map during a call instead of five.
    static FilterPlan once(std::shared_ptr<HealpixMap> map, int field, const Device& device);
    ~FilterPlan();
    FilterPlan(FilterPlan&&) noexcept;
    FilterPlan& operator=(FilterPlan&&) noexcept;

    // Throws InvalidArgument for parameters that contradict each other or the map; Cancelled.
    FilteredSky execute(const FilterParameters& parameters, JobContext& job);
    // The same into an existing sky, which is overwritten. New memory takes longer to bring in than
    // the filtering on a CUDA device.
    void execute(const FilterParameters& parameters, FilteredSky& sky, JobContext& job);

    // Whether preview() and draw() can serve these parameters. They show the sky through another
    // filter in one synthesis while sliders move. The spectrum and lmax are those of the last
    // completed `execute` with the same good pixels. Differences from `execute`:
    // - bright sources ring by the quadrature's thousandth,
    // - the spectrum is that of the previous beam,
    // - pixels with too little good sky are not refused,
    // - there is no local noise.
    // Test: tst_filter.
    bool knows(const FilterParameters& parameters) const;
    // A full RING map of `nside`, at most the map's, in single precision, to l = 2 nside. If
    // `nside` is below the map's, a Gaussian of two cell sides smooths the result. Throws
    // InvalidArgument if knows() is false.
    HealpixMap preview(const FilterParameters& parameters, int64_t nside, JobContext& job);
    // The same at full resolution in the memory of the plan's CUDA device, which fills `picture`;
    // its buffer has pictureNside(). Throws as preview(), Unsupported for a plan on the CPU,
    // OutOfMemory if the device has no memory for the sky, DeviceError.
    void draw(const FilterParameters& parameters, DevicePicture& picture, JobContext& job);
    // Nside of the pictures of this map.
    int64_t pictureNside() const;
    // Bytes kept on the host from call to call.
    int64_t memoryBytes() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

// The filtered map, with FilteredSky::share as a second field if present. Pixels, ordering, frame
// and precision are those of `map`.
HealpixMap filteredMap(const HealpixMap& map, int field, const FilteredSky& sky, JobContext& job);
// The same of a sky whose filtered values nothing else needs: they may be used up.
HealpixMap filteredMap(const HealpixMap& map, int field, FilteredSky&& sky, JobContext& job);
// The filtered map over its local rms (field SNR), with pixels, ordering, frame and precision of
// `map`.
HealpixMap significanceMap(const HealpixMap& map, int field, const FilteredSky& sky,
                           JobContext& job);

}  // namespace armilla
