// SPDX-License-Identifier: GPL-3.0-or-later
// Smoothing of a map with a radial kernel.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/core/sky_vector.h"
#include "armilla/ops/device.h"
#include "armilla/ops/kernel.h"
#include "armilla/ops/sht.h"

namespace armilla {

class DevicePicture;
class KeptTransforms;
struct HarmonicRequest;

// How a map is smoothed (resources/help/convolution.md).
// - Harmonic: multiplication of a_lm by B_l.
// - Direct: sums over the pixels within the kernel's radius.
// - Ring: the same sums by Fourier modes of the rings; kernels with edges are refused.
// - Auto: the cheapest method that is accurate enough. Auto takes Harmonic for kernels narrower
//   than 2.5 pixels, below nside 256, if an lmax is set, and if a radius is set.
//
// Direct and Ring take no iterations and no pixel weights (Unsupported, InvalidArgument). They
// refuse kernels below 2.5 pixels (NarrowKernel). They smooth polarization only with kernels that
// have one B_l for E and B.
enum class SmoothMethod { Auto, Harmonic, Ring, Direct };
// Treatment of bad pixels, which stay bad in the result either way. Ignore: bad pixels count as
// zero. Normalize: the result is divided by the smoothed mask and multiplied by B_0, so it is the
// weighted mean of the good pixels. With polarization, Q and U take part only where both are good.
enum class Masked { Ignore, Normalize };

// A normalized result is bad where less than this part of the kernel falls on good pixels. Below it
// the quotient would consist of the errors of numerator and denominator.
inline constexpr double kLeastKernelShare = 1e-3;

// The request for one smoothing. At most one of `beam`, `kernel` and `shape` is set; angles in
// radians.
struct SmoothParameters {
    double fwhm = 0.0;                   // radians; used if no other kernel is given
    std::optional<Beam> beam;            // missing E takes T, missing B takes E
    std::optional<RadialKernel> kernel;  // at most one of beam, kernel and shape
    std::optional<Kernel> shape;
    // Norm of the kernel. None given: a radial profile is divided by its integral, unless the
    // profile is compensated (Kernel::compensated). All other kernels stay as they are.
    std::optional<KernelNorm> norm;
    SmoothMethod method = SmoothMethod::Auto;
    // Radius in radians where the kernel ends. 0: the radius beyond which the kernel is negligible
    // (ring, direct), or no end (harmonic). A kernel that is not compensated keeps its integral.
    double truncate = 0.0;
    int lmax = -1;  // -1: 3 nside - 1
    int iterations = 0;
    Weights weights = Weights::Ring;
    Masked masked = Masked::Normalize;
    bool polarization = false;  // T, Q, U together: through T, E, B, or carried along great circles
    bool operator==(const SmoothParameters&) const = default;
};

// Report of one smoothing.
struct SmoothReport {
    SmoothMethod method = SmoothMethod::Harmonic;  // the method used
    int lmax = 0;                                  // lmax of the harmonic method
    double radius = 0;  // radians: end of the kernel, for the other methods or if it was requested
    KernelNorm norm = KernelNorm::None;  // the norm used
    // Expected rms error of the result against the true convolution of a sky without power beyond l
    // = 3 nside - 1. (Pixels cannot distinguish that power from lower l.) The error is relative to
    // the rms of the map, about its mean if no pixel is bad. It is that of the worst field, Q and U
    // as one: sqrt(q^2 + b^2).
    //
    // q is the error of the quadrature. It is measured with the same transforms, weights and
    // iterations on a random sky of the map's spectrum at nside 32. There l and B_l are scaled to
    // nside 32. This works because HEALPix repeats itself in units of the pixel. A few rings at the
    // poles do not, and their part of the sky is overestimated.
    //
    // b = |B_lmax| times the rms of the map beyond the band and in the last tenth of the band. It
    // is the remainder of a kernel narrower than the band, and zero if B_l ends within the band.
    // Power beyond the band counts as white.
    //
    // Accuracy (tests/compute/tst_smooth.cpp):
    // - From nside 64 on the estimate is at least 0.7 of the error, at nside 32 half of it, because
    //   one random sky stands for another.
    // - It is up to 10 times too large where the quadrature is nearly exact or B_l is nearly 1.
    // - It is far larger for maps whose power ends below a narrow kernel's lmax, because that end
    //   is not measured.
    //
    // Zero after `preview`. Direct and ring: the same q for a sky of power 1 / (l (l+1)) plus white
    // noise as large as the differences of neighbors in the map. A bound on the effect of the
    // kernel beyond `radius` is added.
    double estimatedError = 0.0;
};

// Thrown for a kernel that is too narrow for sums over pixels: |B_l| at l = 3 nside - 1 above 5e-3
// of its largest value, and a FWHM below 2.5 pixels. Such a sum multiplies the map by up to 31:
// each pixel's own value has weight K(0), whatever part of K the pixel's area holds.
class NarrowKernel : public InvalidArgument {
public:
    explicit NarrowKernel(std::string message, SourceLocation where = SourceLocation::here())
        : InvalidArgument(std::move(message), where) {}
};
// Returns whether `direct` and `ring` refuse a Gaussian of this FWHM (radians).
bool isNarrowForPixels(double fwhm, int64_t nside);

// The harmonic method's part of a request (convolve/harmonic/harmonic_request.h), for the CPU. It
// has no beam if a method on pixels is chosen. Throws as SmoothPlan::execute.
HarmonicRequest harmonicRequest(const SmoothParameters& asked, int64_t nside, size_t fields,
                                JobContext& job);

// A plan for one input map: the harmonic coefficients of the map are kept from call to call, so a
// new width costs one synthesis. Not thread-safe while executing.
//
// result = sum_lm B_l a_lm Y_lm, where a_lm is the analysis of the map with bad pixels set to zero.
// Every method smooths a scalar field without a bad pixel about its mean: a constant c gives B_0 c
// (tests/compute/tst_mean.cpp). With polarization B_l^T, B_l^E, B_l^B act on T, E, B.
//
// Without iterations l ends where |B_l| has fallen to 1e-13 of its largest value for good, which
// changes nothing beyond rounding. The difference from healpy's smoothing with the same lmax,
// weights and iterations is 1e-9 (tests/compute/tst_smooth.cpp compares with direct sums).
//
// Memory for each field: 16 bytes a coefficient, kept, and as many for a mask. An execution takes 8
// bytes a pixel for the field, 8 for its mask, the result, and with iterations 8 more. OutOfMemory
// is thrown before a stage begins that would not fit.
class SmoothPlan {
public:
    // `fields`: indices of the fields to smooth. Without polarization any number, each smoothed
    // separately; with polarization {t, q, u}. Throws InvalidArgument for a field that does not
    // exist, Unsupported for a device without the method.
    SmoothPlan(std::shared_ptr<const HealpixMap> map, std::vector<int> fields,
               const Device& device);
    // A plan for one call of `execute`, which uses the map up: results take the memory of its
    // values, unless pixels are bad or not in RING order.
    SmoothPlan(HealpixMap map, std::vector<int> fields, const Device& device);
    // A plan that shares its transforms with others, which smooth maps of the same form in turn.
    SmoothPlan(std::shared_ptr<const HealpixMap> map, std::vector<int> fields, const Device& device,
               const std::shared_ptr<KeptTransforms>& transforms);
    ~SmoothPlan();
    SmoothPlan(SmoothPlan&&) noexcept;
    SmoothPlan& operator=(SmoothPlan&&) noexcept;

    // Returns the smoothed fields only, in the precision of the input. Nside, ordering, frame and
    // coverage are those of the input (a multi-order map becomes a NESTED one of the order of
    // `flattened`). Throws InvalidArgument for contradicting parameters, Unsupported for parameters
    // that a method does not support.
    HealpixMap execute(const SmoothParameters& parameters, JobContext& job);
    // The result of `execute` by direct (also for Auto) or ring on the pixels with centers within
    // `radius` (radians) of `center`, to rounding: a partial map. Runs on the host, whatever the
    // device, and reads only the rings within reach. Throws Unsupported for harmonics and
    // polarization.
    HealpixMap executeAround(const SmoothParameters& parameters, Vec3 center, double radius,
                             JobContext& job);
    // Expected seconds of direct sums for such a disc. None if direct sums would not give the
    // result of `execute` up to the part of the kernel that direct sums drop.
    std::optional<double> secondsAround(const SmoothParameters& parameters, double radius,
                                        JobContext& job) const;
    // The mean of the smoothed map over coarse pixels, accurate enough for a live preview. The
    // result is a full RING map of `nside`, at most that of the input, in single precision (double
    // if single cannot hold the values). A pixel is bad where half of its children are bad. Source:
    // the input averaged to `nside`, which must divide that of the input; otherwise the full
    // coefficients are used. Band limit 2 `nside`, no iterations.
    HealpixMap preview(const SmoothParameters& parameters, int64_t nside, JobContext& job);
    // Prepares live pictures on the plan's CUDA device by doing all long work in advance: once for
    // the map (1 s at nside 2048), and once for each of a few dozen bands of widths (50 ms). Throws
    // Unsupported on the CPU, OutOfMemory, DeviceError.
    void prepare(const SmoothParameters& parameters, JobContext& job);
    // Whether enqueue() can run this request. It must not run at the same time as the other calls
    // of the plan. Throws InvalidArgument and Unsupported as the method's own check.
    bool isPrepared(const SmoothParameters& parameters) const;
    // Enqueues the work that fills `picture` on a stream of the device, and returns. The picture
    // holds the result of `execute` for number `field` of the plan's fields, with its bad pixels,
    // bit for bit as MapPyramid shows it. Throws InvalidArgument for a request that is not
    // prepared, DeviceError.
    void enqueue(const SmoothParameters& parameters, size_t field, DevicePicture& picture);
    // The fast variant of enqueue() for a slider in motion: it combines stored maps without a
    // synthesis, whatever the method. Each value is accurate to single precision of the largest
    // value of these maps at that pixel. The part that the method itself drops (direct: 3e-7) adds
    // to that error. Throws as enqueue().
    //
    // Returns false and does nothing in these cases: the request needs more maps than are stored,
    // kernels other than Gaussians, iterations, polarization, fields that are divided by a mask.
    bool enqueueSum(const SmoothParameters& parameters, size_t field, DevicePicture& picture);
    // Computes and stores one more of these maps. Each takes some milliseconds once the field has
    // coefficients on the device (1 s at nside 2048). Up to 48 maps, in a quarter of the device's
    // memory, serve widths up to 12 pixels. Returns whether another map may follow. Throws as
    // prepare(), except for lack of memory.
    bool growSeries(const SmoothParameters& parameters, size_t field, JobContext& job);
    // Device times in milliseconds of each part of such a request's sums by `direct`, run one after
    // another (a picture runs caps and belt concurrently): medians of `runs`. Empty for other
    // methods. Throws as enqueue().
    std::vector<std::pair<std::string, double>> liveParts(const SmoothParameters& parameters,
                                                          size_t field, int runs);
    // Nside of the pictures of this map.
    int64_t pictureNside() const;
    const SmoothReport& report() const;  // report of the last call
    // Bytes kept on the host from call to call: coefficients and masks of the previews.
    int64_t memoryBytes() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
