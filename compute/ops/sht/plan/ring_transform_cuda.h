// SPDX-License-Identifier: GPL-3.0-or-later
// Spherical harmonic transforms on any iso-latitude grid, on a CUDA device. Two implementations:
// ring_transform_cuda.cpp, and ring_transform_absent.cpp for builds without CUDA.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/device/cuda_array.h"
#include "armilla/ops/batched_fft.h"
#include "armilla/ops/ring_grid.h"

namespace armilla {

// Seconds spent on the device in the steps of the last transform.
struct CudaTransformSteps {
    double legendre = 0.0, fft = 0.0;
};

// From this lmax on eight ring pairs a thread take less time than four: sums are so long that fewer
// threads suffice.
inline constexpr int kManyPairsLmax = 4096;

// Choices that change the speed, differently on each device, and the results only by rounding.
struct CudaTransformShape {
    // Ring pairs of one thread in sums for a single map: 2, or 4 (8 from kManyPairsLmax on).
    int synthesisPairs = 4;
    int adjointPairs = 4;  // 4 or 8
    int mapsAtOnce = 4;    // maps over one recurrence: 1, 2 or 4
    // memory for recurrences and a slice of orders, relative to input and output
    double workShare = 0.4;
    bool interpolates = true;  // interpolates in latitude where that saves sums
    bool live = false;         // for interactive pictures: streams of high priority
    // Library for rings of one length. Cufft: wherever the rings are contiguous; Own; none: the
    // faster one.
    std::optional<FftLibrary> rows{};
};

// Positions of the F_m of a pair of rings in arrays of doubles. m = 0 .. inRing - 1 are in the
// array of the map: the real part of m is at north + 2 m, or south + 2 m (-1: no such ring). The
// remaining m up to modes - 1 are in the tails, from 2 tail on: first north, then south.
struct ModePlaces {
    int64_t north = 0, south = -1, tail = 0;
    int inRing = 0, modes = 0;
    int northRing = 0, southRing = -1;  // ring numbers in the grid

    int modesInTail() const { return modes > inRing ? modes - inRing : 0; }
};

enum class GradientPart { Theta, Phi };

class CudaRingTransform;
class CudaOrderShares;
namespace cuda {
class Stream;
const Stream& streamOf(CudaRingTransform& transform);
}  // namespace cuda

// RingTransform on a device: the same functions with the same meaning, and the same results within
// 1e-12 of the largest value. Every run on one device gives the same bits. Maps and coefficients
// are in device memory. Legendre sums are formed at the latitudes of the rings, or at fewer
// latitudes and interpolated where that pays (shared/band_interpolation.h). Fourier coefficients
// use the storage of the maps, so an analysis overwrites its input.
//
// Working memory: tables of recurrences (half as much as the coefficients), slices of orders m, and
// modes beyond the Nyquist limits of rings. Cancellation takes effect between slices; no block of a
// kernel runs longer than about a millisecond. Throws OutOfMemory before the start if the smallest
// slice does not fit, DeviceError if the device fails. Not thread-safe while executing.
class CudaRingTransform {
public:
    // Throws InvalidArgument unless 0 <= mmax <= lmax, and for an invalid shape.
    CudaRingTransform(RingGrid grid, int lmax, int mmax, int device,
                      const CudaTransformShape& shape = {});
    ~CudaRingTransform();
    CudaRingTransform(CudaRingTransform&&) noexcept;
    CudaRingTransform& operator=(CudaRingTransform&&) noexcept;

    void synthesis(const CudaArray& alm, CudaArray& map, JobContext& job);
    // Adds to `alm`; overwrites `map`. `weights`: one for each ring, in host memory.
    void adjoint(CudaArray& map, std::span<const double> weights, CudaArray& alm, JobContext& job);
    // For any number of maps, maps[i] from alm[i], and back: less time for each map than single
    // calls.
    void synthesis(std::span<const CudaArray> alm, std::span<CudaArray> maps, JobContext& job);
    void adjoint(std::span<CudaArray> maps, std::span<const double> weights,
                 std::span<CudaArray> alm, JobContext& job);
    void synthesisSpin(int spin, const CudaArray& e, const CudaArray& b, CudaArray& q, CudaArray& u,
                       JobContext& job);
    void adjointSpin(int spin, CudaArray& q, CudaArray& u, std::span<const double> weights,
                     CudaArray& e, CudaArray& b, JobContext& job);
    // The same with arrays that the caller owns, at addresses of the device that are multiples of
    // 16 bytes. Spin 0: any number of maps. Other spins: the two components of one field.
    void synthesis(int spin, std::span<double* const> alm, std::span<double* const> maps,
                   JobContext& job);
    void adjoint(int spin, std::span<double* const> maps, std::span<const double> weights,
                 std::span<double* const> alm, JobContext& job);
    // Throws InvalidArgument for grids with poles.
    void gradient(const CudaArray& alm, CudaArray& dTheta, CudaArray& dPhi, JobContext& job);

    // Prepares everything but the work itself for a spin and 1 or 2 maps, so that the next three
    // functions only launch it.
    void prepareSynthesis(int spin, int maps);
    // The same bits as synthesis() and synthesisSpin(). The work is put into the stream of
    // ring_transform_stream_cuda.h without waiting; the arrays must exist until it is done.
    void enqueueSynthesis(const CudaArray& alm, CudaArray& map);
    // Two maps over one recurrence.
    void enqueueSynthesis(std::array<const CudaArray*, 2> alm, std::array<CudaArray*, 2> maps);
    void enqueueSynthesisSpin(int spin, const CudaArray& e, const CudaArray& b, CudaArray& q,
                              CudaArray& u);

    // Single steps of these transforms, for one map (spin 0) or the two maps of a spin, if another
    // processor does the other step. Between the steps F_m are in the maps and in tails
    // (`component` 0 or 1). Weights are those of the analysis.
    void synthesisSums(int spin, std::span<const CudaArray> alm, std::span<CudaArray> maps,
                       JobContext& job);
    void gradientSums(const CudaArray& alm, GradientPart part, CudaArray& map, JobContext& job);
    void synthesisRings(int spin, std::span<CudaArray> maps, JobContext& job);
    void adjointRings(int spin, std::span<CudaArray> maps, std::span<const double> weights,
                      JobContext& job);
    void adjointSums(int spin, std::span<CudaArray> maps, std::span<CudaArray> alm,
                     JobContext& job);
    // The positions for each pair of rings from the poles on: north and south if the grid has both.
    std::vector<ModePlaces> modePlaces(int spin);
    void downloadTails(int component, std::span<double> tails) const;
    void uploadTails(int component, std::span<const double> tails);

    // Bytes of this object's tables and working memory.
    int64_t deviceBytes() const;
    // The library of the ring FFTs.
    FftLibrary fftLibrary() const;
    const CudaTransformSteps& steps() const;

private:
    friend class CudaOrderShares;
    friend class CudaRankStage;
    friend const cuda::Stream& cuda::streamOf(CudaRingTransform& transform);
    struct Plan;
    std::unique_ptr<Plan> plan_;
};

}  // namespace armilla
