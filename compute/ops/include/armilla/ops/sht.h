// SPDX-License-Identifier: GPL-3.0-or-later
// Spherical harmonic transforms, synthesis and analysis, on HEALPix and other iso-latitude grids.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "armilla/core/harmonics.h"
#include "armilla/core/job_context.h"
#include "armilla/core/map_samples.h"
#include "armilla/ops/device.h"
#include "armilla/ops/ring_grid.h"
#include "armilla/ops/sht_tuning.h"

namespace armilla {

// Quadrature weights of an analysis (armilla/ops/quadrature_weights.h).
enum class Weights { None, Ring, Pixel };

// How several CUDA devices that share a map exchange data: directly where they have peer access, or
// always through host memory.
enum class BetweenDevices { PeerCopies, HostMemory };

// Limits of the transforms' parameters: a map of nside 32768 holds 100 GB.
inline constexpr int64_t kMaxShtNside = 32768;
inline constexpr int kMaxShtLmax = 131071;
inline constexpr int kMaxShtIterations = 100;
// Limit of steps of a least-squares analysis. Up to lmax = 2.5 nside 20 steps are enough. At 3
// nside - 1 more steps than this would not converge either, except for the smallest maps (nside 32:
// 350 steps).
inline constexpr int kMaxLeastSquaresSteps = 1000;
inline constexpr int kMaxSpin = 3;

// Transforms and the operations built on them (smoothing, spectra) run on the CPU and on CUDA
// devices.
inline constexpr DeviceSupport kShtSupport{.cuda = true};

// The smallest tolerance: a few epsilon, which rounding leaves in any case.
inline constexpr double kMinShtTolerance = 1e-15;

// Parameters of a transform.
struct ShtParameters {
    int64_t nside = 0;
    int lmax = -1;                    // -1: 3 nside - 1 on HEALPix
    int mmax = -1;                    // -1: lmax
    Weights weights = Weights::None;  // for analysis on HEALPix only
    int iterations = 0;               // Jacobi iterations of analysis after the first pass
    // Above 0: analysis is the least-squares solution with this relative residual of the normal
    // equations, instead of iterations. At least kMinShtTolerance.
    double tolerance = 0.0;
    // Device memory in bytes that a plan may take; 0: all that is free. If that is too little for
    // the map, the map is processed in windows of rings, which takes longer.
    int64_t deviceBytes = 0;
    // None: the result of `armilla bench --tune` on this machine, else the default.
    std::optional<ShtTuning> tuning = std::nullopt;
    BetweenDevices betweenDevices = BetweenDevices::PeerCopies;
};

// Seconds of the steps of the last call, and its peak of device memory; with several devices those
// of the slowest. A call includes all transforms of a batch, of T, Q and U, or of an analysis with
// iterations. `legendre` and `fft` are times of the device with maps and coefficients in its
// memory. Copies to and from the device add to them, except that copies of batches run at the same
// time as the transforms.
struct ShtSteps {
    double legendre = 0.0, fft = 0.0, transfer = 0.0;
    // `transfer` split into copies to and from a device; and the wait for the memory of the
    // results. A device's plan may bring in that memory at the same time as the work.
    double copyIn = 0.0, copyOut = 0.0, allocate = 0.0;
    // Exchange between devices that share a map: seconds of the busiest link, at the same time as
    // the sums, and the bytes of all links.
    double exchange = 0.0;
    int64_t exchangedBytes = 0;
    int64_t deviceBytes = 0;
    // Adds the times of consecutive steps.
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

// The end of the last analysis with a tolerance: its steps, and the relative residual of the normal
// equations, computed anew at the end. For a call with several analyses the largest values.
struct ShtConvergence {
    int steps = 0;
    double residual = 0.0;
};

// A plan: constructed once for parameters and a device, executed many times. Not thread-safe while
// executing.
//
// Maps are in HEALPix RING order, 12 nside^2 values, or in the order of the grid. All maps of a
// call have one precision, double or single. Sums are formed in double precision, and single
// precision is rounded to once. Maps must not contain NaN (callers fill bad pixels).
//
// Accuracy against a direct sum, in the L2 norm: lmax epsilon, 1e-12 at lmax 4096, if all orders m
// are present and average the rounding. With few orders it is 2e-15 lmax, because rounding grows
// with every step next to the equator; on the equator it is up to 3e-16 lmax^1.5. Tests:
// tests/compute/tst_direct_sums.cpp, tst_legendre.cpp, tst_direct_sums_cuda.cpp. The same bits in
// every run on the same devices. Cancellation takes effect within about 20 ms up to nside 2048,
// lmax 4096.
class ShtBackend;
class ShtPlan {
public:
    // Throws InvalidArgument for parameters out of range, Unsupported for a device that is not in
    // the build, OutOfMemory and DeviceError of a device. The threads of `job` build the tables
    // (nside 8192: half a second), and its cancellation throws Cancelled; without a job all
    // hardware threads do.
    //
    // The transforms throw OutOfMemory before they begin if their allocations do not fit: 16 bytes
    // a coefficient of an analysis, and 8 bytes a pixel each for iterations and for pixel weights.
    ShtPlan(const ShtParameters& parameters, const Device& device, JobContext& job);
    ShtPlan(const ShtParameters& parameters, const Device& device);
    // A plan on any grid. The grid's weights are those of an analysis' quadrature; `parameters` has
    // nside 0 and an lmax. Throws as the other constructors.
    ShtPlan(const RingGrid& grid, const ShtParameters& parameters, const Device& device,
            JobContext& job);
    ~ShtPlan();
    ShtPlan(ShtPlan&&) noexcept;
    ShtPlan& operator=(ShtPlan&&) noexcept;

    const ShtParameters& parameters() const;  // with the defaults filled in
    std::string_view backendName() const;
    // Remark for the user on how this plan works; empty: none.
    std::string remark() const;
    // Whether an analysis takes bad samples (armilla/core/bad_sample.h) for zero as it copies them,
    // so that callers need not fill them: a plan on one CUDA device without a tolerance.
    bool clearsBadSamples() const;
    // Steps of the last call.
    ShtSteps steps() const;
    // Convergence of the last analysis with a tolerance.
    ShtConvergence convergence() const;

    // map(p) = sum_lm a_lm Y_lm(p).
    void synthesis(const Alm& alm, MapSamples map, JobContext& job) const;
    // A batch: map i is the synthesis of alm[i], in less time for each map than single calls, and
    // equal to rounding. Throws InvalidArgument for an empty batch and for different numbers or
    // precisions.
    void synthesis(std::span<const Alm> alm, std::span<const MapSamples> maps,
                   JobContext& job) const;
    // a_lm = sum_p w_p map(p) conj(Y_lm(p)) 4 pi / Npix, then `iterations` times a_lm += analysis
    // of the residual. With a tolerance: the a_lm that minimize sum_p w_p (map - sum_lm a_lm
    // Y_lm)^2. Throws Unsupported if iterations diverge, which happens above some lmax beyond 3
    // nside. Also Unsupported if a tolerance is not reached in kMaxLeastSquaresSteps, or if a
    // hundred steps gain no digit.
    // `level` is subtracted from the samples first, in their precision. A plan on the CPU without
    // iterations, pixel weights and tolerance needs no copy of the map for that.
    Alm analysis(ConstMapSamples map, JobContext& job, double level = 0.0) const;
    std::vector<Alm> analysis(std::span<const ConstMapSamples> maps, JobContext& job) const;
    // The same into existing coefficients, which are overwritten. New memory takes longer to bring
    // in than a transform on a CUDA device.
    void analysis(std::span<const ConstMapSamples> maps, std::span<Alm> alm, JobContext& job) const;
    // T, E, B to T, Q, U and back (COSMO convention; M. Zaldarriaga & U. Seljak 1997, spin +-2 with
    // E, B as in HEALPix): a transform of spin 0 and one of spin 2. Array sizes, units, weights and
    // errors are those of synthesis() and analysis(). A synthesis ignores coefficients of E and B
    // at l < 2, and an analysis sets them to 0. `level` is subtracted from T, as in analysis().
    void synthesisPolarized(std::span<const Alm, 3> teb, MapSamples t, MapSamples q, MapSamples u,
                            JobContext& job) const;
    std::vector<Alm> analysisPolarized(ConstMapSamples t, ConstMapSamples q, ConstMapSamples u,
                                       JobContext& job, double level = 0.0) const;
    // The same into existing coefficients, which are overwritten.
    void analysisPolarized(ConstMapSamples t, ConstMapSamples q, ConstMapSamples u,
                           std::span<Alm, 3> teb, JobContext& job) const;
    // The spectra of weights times maps, of T alone or TT, EE, BB, TE, TB, EB of T, Q and U: equal
    // to those of an analysis of the products (armilla/ops/spectrum.h) to rounding. `weights`: one
    // for each sample, whose samples may be bad where it is 0, or none. Products and coefficients
    // need no memory on the host. None for plans on the CPU, on several devices, on a device with
    // too little memory, and with a tolerance; nothing is computed then.
    std::optional<std::vector<std::vector<double>>> weightedSpectra(
        std::span<const ConstMapSamples> maps, std::span<const double> weights,
        JobContext& job) const;
    // Functions of spin s and -s, s = 1 .. kMaxSpin, from their gradient and curl coefficients, in
    // the convention of T, Q, U (s = 2) and of HEALPix's alm2map_spin.
    void synthesisSpin(int spin, std::span<const Alm, 2> gradientAndCurl, MapSamples first,
                       MapSamples second, JobContext& job) const;
    // Gradient and curl coefficients, with the weights and iterations of the parameters.
    std::vector<Alm> analysisSpin(int spin, ConstMapSamples first, ConstMapSamples second,
                                  JobContext& job) const;
    // Batches of n such fields: 2 n coefficients and 2 n components, pair by pair. Otherwise as the
    // batches of synthesis() and analysis().
    void synthesisSpin(int spin, std::span<const Alm> alm, std::span<const MapSamples> maps,
                       JobContext& job) const;
    void analysisSpin(int spin, std::span<const ConstMapSamples> maps, std::span<Alm> alm,
                      JobContext& job) const;
    // The map and its derivatives d/dtheta and 1/sin(theta) d/dphi, in units of the map per radian.
    // At a pole, on grids that include it: the limit along the meridian of each sample.
    void synthesisGradient(const Alm& alm, MapSamples map, MapSamples dTheta, MapSamples dPhi,
                           JobContext& job) const;

    // Exact transposes, for batches of fields of spin 0 .. kMaxSpin. The scalar products are sum_p
    // x(p) y(p) of maps and sum_l (a_l0 b_l0 + 2 sum_{m > 0} Re(conj(a_lm) b_lm)) of coefficients
    // (tests/compute/tst_sht_adjoints.cpp).
    //
    // Transpose of synthesis: a_lm = sum_p map(p) conj(Y_lm(p)), without weights; overwrites `alm`.
    void adjointSynthesis(int spin, std::span<const ConstMapSamples> maps, std::span<Alm> alm,
                          JobContext& job) const;
    // Transpose of the first pass of an analysis, with its weights: map(p) = w_p sum_lm a_lm
    // Y_lm(p).
    void adjointAnalysis(int spin, std::span<const Alm> alm, std::span<const MapSamples> maps,
                         JobContext& job) const;
    // Transpose of the derivatives of synthesisGradient().
    Alm adjointGradient(ConstMapSamples dTheta, ConstMapSamples dPhi, JobContext& job) const;

private:
    void checkField(int spin, size_t alms, size_t maps) const;

    std::unique_ptr<ShtBackend> backend_;
    std::string tuningProblem_;
};

}  // namespace armilla
