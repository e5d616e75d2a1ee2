// SPDX-License-Identifier: GPL-3.0-or-later
// Smoothing of a map with a radial kernel.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/healpix_map.h"
#include "core/job_context.h"
#include "core/sky_vector.h"
#include "ops/device.h"
#include "ops/kernel.h"
#include "ops/sht.h"

namespace armilla {

class DevicePicture;
struct HarmonicRequest;

// Direct: sums over the pixels within the kernel's radius; Ring: the same sums by Fourier modes of
// the rings. Both without iterations and pixel weights (Unsupported, InvalidArgument), and not for
// kernels below 2.5 pixels (NarrowKernel), Ring for kernels without edges; polarization for such of
// one B_l of E and B. Auto: the cheapest that serves, harmonic for kernels narrower than 2.5
// pixels, below nside 256, for an lmax of its own, and where a radius is asked for
// (resources/help/convolution.md).
enum class SmoothMethod { Auto, Harmonic, Ring, Direct };
// Ignore: bad pixels count as zero. Normalize: the result is divided by the smoothed mask (and
// multiplied by B_0), so that it is the weighted mean of the good pixels. Either way bad pixels of
// the input stay bad. With polarization Q and U take part only where both are good.
enum class Masked { Ignore, Normalize };

// Where less than this share of the kernel falls on good pixels, a normalized result is bad: the
// quotient would be made of the errors of its parts.
inline constexpr double kLeastKernelShare = 1e-3;

struct SmoothParameters {
    double fwhm = 0.0;                   // radians; used if no other kernel is given
    std::optional<Beam> beam;            // missing E takes T, missing B takes E
    std::optional<RadialKernel> kernel;  // at most one of beam, kernel and shape
    std::optional<Kernel> shape;
    // Where none is given: a radial profile by its integral, unless that is zero beside it
    // (Kernel::compensated); all others, and that, as they are.
    std::optional<KernelNorm> norm;
    SmoothMethod method = SmoothMethod::Auto;
    // Radius where the kernel ends; 0: where what is left out is negligible (ring, direct), or
    // nowhere (harmonic). A kernel that is not compensated keeps its integral.
    double truncate = 0.0;
    int lmax = -1;  // -1: 3 nside - 1
    int iterations = 0;
    Weights weights = Weights::Ring;
    Masked masked = Masked::Normalize;
    bool polarization = false;  // T, Q, U together: through T, E, B, or carried along great circles
    bool operator==(const SmoothParameters&) const = default;
};

struct SmoothReport {
    SmoothMethod method = SmoothMethod::Harmonic;  // the one taken
    int lmax = 0;                                  // of the harmonic method
    double radius = 0;  // where the kernel ends, in the other methods or if it was asked for
    KernelNorm norm = KernelNorm::None;  // the one taken
    // Expected rms error of the result against the true convolution of a sky without power beyond
    // l = 3 nside - 1 (pixels cannot tell that from lower l), relative to the rms of the map, about
    // its mean where no pixel is bad, of the worst field, Q and U as one: sqrt(q^2 + b^2). q is the
    // quadrature's: the error that the same transforms make, with the same weights and iterations,
    // on a random sky of the map's spectrum at nside 32, l and B_l scaled to it (HEALPix repeats
    // itself in units of the pixel, up to a few rings at the poles, whose share of the sky is
    // overestimated so). b = |B_lmax| times the rms of the map beyond the band and of its last
    // tenth, for what a kernel narrower than the band leaves there (zero where B_l ends within it).
    // Power beyond the band counts as white. From nside 64 on at least 0.7 of the error, at nside
    // 32 half of it (one random sky stands for another); where the quadrature is nearly exact, or
    // B_l nearly 1, up to 10 times too large, and far more for maps that end below a narrow
    // kernel's lmax, which are not known to (tests/compute/tst_smooth.cpp). Zero after `preview`.
    // By direct and ring: the same q for a sky of power 1 / (l (l+1)) and as much white noise as
    // neighbors in the map differ by, and the share of the kernel that lies beyond `radius`, which
    // bounds what that changes.
    double estimatedError = 0.0;
};

// A kernel that is too narrow for sums over pixels: |B_l| at l = 3 nside - 1 above 5e-3 of its
// largest value, and a FWHM below 2.5 pixels. Such a sum multiplies the map by up to 31: each pixel
// takes its own value times K(0), whatever of K its area holds.
class NarrowKernel : public InvalidArgument {
public:
    explicit NarrowKernel(std::string message, SourceLocation where = SourceLocation::here())
        : InvalidArgument(std::move(message), where) {}
};
// Whether `direct` and `ring` refuse a Gaussian of this width.
bool isNarrowForPixels(double fwhm, int64_t nside);

// What the harmonic method takes of a request (convolve/harmonic_request.h). On the CPU. Without a
// beam for the methods on pixels. Throws as SmoothPlan::execute.
HarmonicRequest harmonicRequest(const SmoothParameters& asked, int64_t nside, size_t fields,
                                JobContext& job);

// A plan for one input map: the harmonic coefficients of the map are kept from call to call, so a
// new width costs one synthesis. Not thread-safe while executing.
//
// result = sum_lm B_l a_lm Y_lm, a_lm the analysis of the map with bad pixels set to zero. A scalar
// field without a bad pixel is smoothed about its mean, by every method: a constant comes out as
// B_0 times itself (tests/compute/tst_mean.cpp). With
// polarization B_l^T, B_l^E, B_l^B act on T, E, B. Without iterations l ends where |B_l| has fallen
// to 1e-13 of its largest value for good, which changes nothing beyond rounding. Against healpy's
// smoothing with the same lmax, weights and iterations: 1e-9 (tests/compute/tst_smooth.cpp compares
// with direct sums). Memory for each field: 16 bytes a coefficient, kept, and as many for a mask;
// while executing 8 bytes a pixel for the field, 8 for its mask, the result, and with iterations 8
// more. OutOfMemory is thrown before a stage begins that would not fit.
class SmoothPlan {
public:
    // `fields`: indices of the fields to smooth: any number, each for itself, or {t, q, u} with
    // polarization. Throws InvalidArgument for a field that is not there, Unsupported for a device
    // without the method.
    SmoothPlan(std::shared_ptr<const HealpixMap> map, std::vector<int> fields,
               const Device& device);
    ~SmoothPlan();
    SmoothPlan(SmoothPlan&&) noexcept;
    SmoothPlan& operator=(SmoothPlan&&) noexcept;

    // The smoothed map: same nside, ordering, frame, coverage as the input (a multi-order map
    // becomes a NESTED one of the order of `flattened`); the smoothed fields only, in the precision
    // they have. Throws InvalidArgument for contradicting parameters, Unsupported for what a method
    // has not.
    HealpixMap execute(const SmoothParameters& parameters, JobContext& job);
    // The result of `execute` by direct (also for Auto) or ring on the pixels with centers within
    // `radius` of `center` alone, to rounding: a partial map. On the host, whatever the device;
    // only the rings within reach are read. Unsupported for harmonics and polarization.
    HealpixMap executeAround(const SmoothParameters& parameters, Vec3 center, double radius,
                             JobContext& job);
    // Seconds that such a disc is expected to take by direct sums; none where these would not be
    // what `execute` makes, up to what direct sums leave out.
    std::optional<double> secondsAround(const SmoothParameters& parameters, double radius,
                                        JobContext& job) const;
    // The mean of the smoothed map over coarse pixels, near enough for a live preview: a full RING
    // map of `nside` <= that of the input, single precision (double where that cannot hold the
    // values), pixels bad where half of what they hold is bad. Made from the input averaged to
    // `nside` (which must divide that of the input; the full coefficients are used otherwise), band
    // limit 2 `nside`, no iterations.
    HealpixMap preview(const SmoothParameters& parameters, int64_t nside, JobContext& job);
    // Live pictures on the plan's CUDA device: all that takes long is done before, by `prepare`:
    // once for the map (1 s at nside 2048), once for each of a few dozen bands of widths (50 ms).
    // Throws Unsupported on the CPU, OutOfMemory, DeviceError. `isPrepared` looks up requests as
    // the others do: not beside them; throws InvalidArgument, Unsupported as a method's check.
    void prepare(const SmoothParameters& parameters, JobContext& job);
    bool isPrepared(const SmoothParameters& parameters) const;
    // Puts what fills `picture` into a stream of the device and returns: the result of `execute`
    // for field number `field` of the plan's own, with its bad pixels, to the bit as MapPyramid
    // shows it. Throws InvalidArgument for a request that is not prepared, DeviceError.
    void enqueue(const SmoothParameters& parameters, size_t field, DevicePicture& picture);
    // For a hand in motion: as enqueue(), from maps that are kept, without a synthesis, whatever
    // the method: each value to single precision of the largest that these maps have there, and to
    // what the method itself leaves out (direct: 3e-7). False, and nothing done, where it takes
    // more maps than there are, for kernels other than Gaussians, iterations, polarization, fields
    // that are divided by a mask. Throws as enqueue().
    bool enqueueSum(const SmoothParameters& parameters, size_t field, DevicePicture& picture);
    // Makes one more of these maps, some milliseconds each once the field has coefficients on the
    // device (1 s at nside 2048): up to 48, in a quarter of its memory, serve widths up to 12
    // pixels. Whether another may follow. Throws as prepare(), but for lack of memory.
    bool growSeries(const SmoothParameters& parameters, size_t field, JobContext& job);
    // Milliseconds of the device for each part of the sums of such a request by `direct`, one after
    // another (a picture has caps and belt side by side): medians of `runs`. None for other
    // methods. Throws as enqueue().
    std::vector<std::pair<std::string, double>> liveParts(const SmoothParameters& parameters,
                                                          size_t field, int runs);
    // Of the faces of a picture of this map.
    int64_t pictureNside() const;
    const SmoothReport& report() const;  // of the last call
    // Of what it keeps on the host from call to call: coefficients, masks of the previews.
    int64_t memoryBytes() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
