// SPDX-License-Identifier: GPL-3.0-or-later
// Spherical harmonic transforms on HEALPix and other iso-latitude grids, both ways.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/harmonics.h"
#include "core/job_context.h"
#include "core/map_samples.h"
#include "ops/device.h"
#include "ops/ring_grid.h"
#include "ops/sht_tuning.h"

namespace armilla {

enum class Weights { None, Ring, Pixel };

// How several CUDA devices that share a map exchange what they have: straight from one to the
// other, where they have access to each other, or always by way of host memory.
enum class BetweenDevices { PeerCopies, HostMemory };

// Limits of what the transforms take: a map of nside 32768 holds 100 GB.
inline constexpr int64_t kMaxShtNside = 32768;
inline constexpr int kMaxShtLmax = 131071;
inline constexpr int kMaxShtIterations = 100;
// Of a least-squares analysis. Up to lmax = 2.5 nside 20 are enough; at 3 nside - 1 more would not
// do, but for the smallest maps (nside 32: 350).
inline constexpr int kMaxLeastSquaresSteps = 1000;
inline constexpr int kMaxSpin = 3;

// Transforms, and what is made of them (smoothing, spectra), run on the CPU and on CUDA devices.
inline constexpr DeviceSupport kShtSupport{.cuda = true};

// A few epsilon: rounding leaves no less.
inline constexpr double kMinShtTolerance = 1e-15;

struct ShtParameters {
    int64_t nside = 0;
    int lmax = -1;                    // -1: 3 nside - 1 on HEALPix
    int mmax = -1;                    // -1: lmax
    Weights weights = Weights::None;  // analysis only, and HEALPix only
    int iterations = 0;               // Jacobi iterations of analysis after the first pass
    // Above 0: analysis is the least-squares solution, to this relative residual of the normal
    // equations, instead of iterations. At least kMinShtTolerance.
    double tolerance = 0.0;
    // Of a CUDA device: its memory that a plan may take, 0: what is free. Where that is too little
    // for the map, the map passes through in windows of rings, which takes longer.
    int64_t deviceBytes = 0;
    // None: what `armilla bench --tune` found on this machine, else the default.
    std::optional<ShtTuning> tuning = std::nullopt;
    BetweenDevices betweenDevices = BetweenDevices::PeerCopies;
};

// Seconds of the steps of the last call (all transforms of a batch, of T, Q and U, or of an
// analysis with iterations), and its peak of device memory; of several devices those of the
// slowest. The first two are a device's own time, during which maps and coefficients lie in its
// memory; copies to and from there come on top, those of batches beside the transforms.
struct ShtSteps {
    double legendre = 0.0, fft = 0.0, transfer = 0.0;
    // Of `transfer`, to and from a device; and what the call waited for the memory of its results,
    // which comes in beside the work where a device does that.
    double copyIn = 0.0, copyOut = 0.0, allocate = 0.0;
    // Between devices that share a map: of the busiest way from one to another, beside the sums,
    // and the bytes of all.
    double exchange = 0.0;
    int64_t exchangedBytes = 0;
    int64_t deviceBytes = 0;
    // Of steps one after the other.
    ShtSteps& operator+=(const ShtSteps& more) {
        legendre += more.legendre;
        fft += more.fft;
        transfer += more.transfer;
        copyIn += more.copyIn;
        copyOut += more.copyOut;
        allocate += more.allocate;
        exchange += more.exchange;
        exchangedBytes += more.exchangedBytes;
        deviceBytes = std::max(deviceBytes, more.deviceBytes);
        return *this;
    }
};

// How the last analysis with a tolerance ended: its steps, and the relative residual of the normal
// equations, formed anew at the end; the largest of a call with several.
struct ShtConvergence {
    int steps = 0;
    double residual = 0.0;
};

// A plan: built once for parameters and a device, executed many times. Not thread-safe while
// executing. Maps are on HEALPix RING, 12 nside^2 values, else in the order of the grid; double or
// single precision, all of a call alike: sums are formed in double precision, single precision is
// rounded to once. No NaN (callers fill bad pixels). Accuracy against a direct sum, in the L2 norm:
// lmax epsilon, 1e-12 at lmax 4096, where all orders m are there to share the rounding; 2e-15 lmax
// where few stand alone, whose rounding grows with every step next to the equator, on the equator
// itself to 3e-16 lmax^1.5 (tests/compute/tst_direct_sums.cpp, tests/compute/tst_legendre.cpp,
// tests/compute/tst_direct_sums_cuda.cpp). The same bits in every run on the same devices.
// A stop takes effect within about 20 ms up to nside 2048, lmax 4096.
class ShtBackend;
class ShtPlan {
public:
    // Throws InvalidArgument for shapes out of range, Unsupported for a device that is not in the
    // build, OutOfMemory and DeviceError of a device. The transforms throw OutOfMemory before they
    // begin if what they allocate (16 bytes a coefficient of an analysis, 8 bytes a pixel each for
    // iterations and for pixel weights) does not fit.
    // Tables are made by the threads of `job` (nside 8192: half a second), and Cancelled thrown if
    // it is stopped; without a job, by all hardware threads.
    ShtPlan(const ShtParameters& parameters, const Device& device, JobContext& job);
    ShtPlan(const ShtParameters& parameters, const Device& device);
    // On any grid, whose own weights make the quadrature of an analysis; `parameters` with nside 0
    // and an lmax. Throws as the others.
    ShtPlan(const RingGrid& grid, const ShtParameters& parameters, const Device& device,
            JobContext& job);
    ~ShtPlan();
    ShtPlan(ShtPlan&&) noexcept;
    ShtPlan& operator=(ShtPlan&&) noexcept;

    const ShtParameters& parameters() const;  // with the defaults filled in
    std::string_view backendName() const;
    // What a user should know of the way this plan works; empty: nothing.
    std::string remark() const;
    ShtSteps steps() const;
    ShtConvergence convergence() const;

    // map(p) = sum_lm a_lm Y_lm(p).
    void synthesis(const Alm& alm, MapSamples map, JobContext& job) const;
    // A batch, each map of the coefficients at its place: less time a map than one by one, and the
    // same to rounding. Throws InvalidArgument for a batch of none and for different numbers or
    // precisions.
    void synthesis(std::span<const Alm> alm, std::span<const MapSamples> maps,
                   JobContext& job) const;
    // a_lm = sum_p w_p map(p) conj(Y_lm(p)) 4 pi / Npix, then `iterations` times a_lm += analysis
    // of the residual; or the a_lm that minimize sum_p w_p (map - sum_lm a_lm Y_lm)^2. Throws
    // Unsupported if iterations diverge, as they do from some lmax above 3 nside on, and if a
    // tolerance is not reached in kMaxLeastSquaresSteps or a hundred steps gain no digit.
    Alm analysis(ConstMapSamples map, JobContext& job) const;
    std::vector<Alm> analysis(std::span<const ConstMapSamples> maps, JobContext& job) const;
    // Into coefficients that are there, which are overwritten: to bring their memory in anew takes
    // longer than a transform on a CUDA device.
    void analysis(std::span<const ConstMapSamples> maps, std::span<Alm> alm, JobContext& job) const;
    // T, E, B to T, Q, U and back (COSMO convention; M. Zaldarriaga & U. Seljak 1997, spin +-2 with
    // E, B as in HEALPix): a transform of spin 0 and one of spin 2. Shapes, units, weights and
    // errors as those of synthesis() and analysis(); coefficients of E and B at l < 2 are ignored,
    // and 0 in an analysis.
    void synthesisPolarized(std::span<const Alm, 3> teb, MapSamples t, MapSamples q, MapSamples u,
                            JobContext& job) const;
    std::vector<Alm> analysisPolarized(ConstMapSamples t, ConstMapSamples q, ConstMapSamples u,
                                       JobContext& job) const;
    // Into coefficients that are there, which are overwritten.
    void analysisPolarized(ConstMapSamples t, ConstMapSamples q, ConstMapSamples u,
                           std::span<Alm, 3> teb, JobContext& job) const;
    // Functions of spin s and -s, s = 1 .. kMaxSpin, by their gradient and curl coefficients:
    // the convention of T, Q, U (s = 2) and of HEALPix's alm2map_spin.
    void synthesisSpin(int spin, std::span<const Alm, 2> gradientAndCurl, MapSamples first,
                       MapSamples second, JobContext& job) const;
    // Gradient and curl coefficients, by the weights and iterations of the parameters.
    std::vector<Alm> analysisSpin(int spin, ConstMapSamples first, ConstMapSamples second,
                                  JobContext& job) const;
    // Batches of such fields: coefficients and components pair by pair, 2 n of each; as the batches
    // of synthesis() and analysis().
    void synthesisSpin(int spin, std::span<const Alm> alm, std::span<const MapSamples> maps,
                       JobContext& job) const;
    void analysisSpin(int spin, std::span<const ConstMapSamples> maps, std::span<Alm> alm,
                      JobContext& job) const;
    // The map and its derivatives d/dtheta and 1/sin(theta) d/dphi, in units of the map per radian.
    // At a pole, where a grid has one: the limit along the meridian of each sample.
    void synthesisGradient(const Alm& alm, MapSamples map, MapSamples dTheta, MapSamples dPhi,
                           JobContext& job) const;

    // The exact transposes, for fields of spin 0 .. kMaxSpin as in the batches above, in the
    // products sum_p x(p) y(p) of maps and sum_l (a_l0 b_l0 + 2 sum_{m > 0} Re(conj(a_lm) b_lm)) of
    // coefficients (tests/compute/tst_sht_adjoints.cpp).
    // Of synthesis: a_lm = sum_p map(p) conj(Y_lm(p)), without weights; overwrites `alm`.
    void adjointSynthesis(int spin, std::span<const ConstMapSamples> maps, std::span<Alm> alm,
                          JobContext& job) const;
    // Of the first pass of an analysis, with its weights: map(p) = w_p sum_lm a_lm Y_lm(p).
    void adjointAnalysis(int spin, std::span<const Alm> alm, std::span<const MapSamples> maps,
                         JobContext& job) const;
    // Of the derivatives.
    Alm adjointGradient(ConstMapSamples dTheta, ConstMapSamples dPhi, JobContext& job) const;

private:
    void checkField(int spin, size_t alms, size_t maps) const;

    std::unique_ptr<ShtBackend> backend_;
    std::string tuningProblem_;
};

}  // namespace armilla
