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

#include "core/job_context.h"
#include "device/cuda_array.h"
#include "ops/equal_fft.h"
#include "ops/ring_grid.h"

namespace armilla {

// Seconds spent on the device in the steps of the last transform.
struct CudaTransformSteps {
    double legendre = 0.0, fft = 0.0;
};

// From here on eight ring pairs a thread take less time than four: sums are so long that fewer
// threads do for them.
inline constexpr int kManyPairsLmax = 4096;

// Choices on which the speed depends, differently on each device; of the results only the rounding.
struct CudaTransformShape {
    // Ring pairs of a thread that sums for one map: 2, or 4 and from kManyPairsLmax on 8.
    int synthesisPairs = 4;
    int adjointPairs = 4;      // 4 or 8
    int mapsAtOnce = 4;        // of several: 1, 2 or 4 over one recurrence
    double workShare = 0.4;    // of input and output, for recurrences and a slice of orders
    bool interpolates = true;  // in latitude, where that saves sums
    bool live = false;         // somebody looks on: streams of high priority
    // Of rings of one length: Cufft wherever they lie one behind the other, or Own; else the
    // faster.
    std::optional<FftLibrary> rows{};
};

// Where the F_m of a pair of rings lie in arrays of doubles: m = 0 .. inRing - 1 in that of the
// map, the real part of m at north + 2 m, likewise south (-1: no such ring); the others up to m =
// modes - 1 in the tails, at 2 tail and behind, those of north and then those of south.
struct ModePlaces {
    int64_t north = 0, south = -1, tail = 0;
    int inRing = 0, modes = 0;
    int northRing = 0, southRing = -1;  // their numbers in the grid

    int modesInTail() const { return modes > inRing ? modes - inRing : 0; }
};

enum class GradientPart { Theta, Phi };

class CudaRingTransform;
class CudaOrderShares;
namespace cuda {
class Stream;
const Stream& streamOf(CudaRingTransform& transform);
}  // namespace cuda

// RingTransform on a device: the same functions with the same meaning and, within 1e-12 of the
// largest value, the same results; the same bits in every run on one device. Maps and coefficients
// lie in device memory. Legendre sums are formed at the latitudes of the rings, or at fewer and
// interpolated where that pays (shared/band_interpolation.h). Fourier coefficients lie in the
// storage of the maps, so an analysis spoils its input. Working memory: half as much as the
// coefficients for tables of recurrences, slices of orders m, and modes beyond the Nyquist limits
// of rings. A stop takes effect between slices; no block of a kernel runs longer than about a
// millisecond. Throws OutOfMemory before the start if the smallest slice does not fit, DeviceError
// if the device fails. Not thread-safe while executing.
class CudaRingTransform {
public:
    // Throws InvalidArgument unless 0 <= mmax <= lmax, and for a shape that there is not.
    CudaRingTransform(RingGrid grid, int lmax, int mmax, int device,
                      const CudaTransformShape& shape = {});
    ~CudaRingTransform();
    CudaRingTransform(CudaRingTransform&&) noexcept;
    CudaRingTransform& operator=(CudaRingTransform&&) noexcept;

    void synthesis(const CudaArray& alm, CudaArray& map, JobContext& job);
    // Adds to `alm`; spoils `map`. `weights`: one for each ring, in host memory.
    void adjoint(CudaArray& map, std::span<const double> weights, CudaArray& alm, JobContext& job);
    // Of any number of maps, maps[i] from alm[i], and back; less for each than one by one.
    void synthesis(std::span<const CudaArray> alm, std::span<CudaArray> maps, JobContext& job);
    void adjoint(std::span<CudaArray> maps, std::span<const double> weights,
                 std::span<CudaArray> alm, JobContext& job);
    void synthesisSpin(int spin, const CudaArray& e, const CudaArray& b, CudaArray& q, CudaArray& u,
                       JobContext& job);
    void adjointSpin(int spin, CudaArray& q, CudaArray& u, std::span<const double> weights,
                     CudaArray& e, CudaArray& b, JobContext& job);
    // Throws InvalidArgument for grids with poles.
    void gradient(const CudaArray& alm, CudaArray& dTheta, CudaArray& dPhi, JobContext& job);

    // Of a spin and so many maps, 1 or 2, everything but the work itself, so that the next three
    // only launch it.
    void prepareSynthesis(int spin, int maps);
    // The same bits as synthesis() and synthesisSpin(), by work that is put into the stream of
    // ring_transform_stream_cuda.h and not waited for: the arrays must live until it is done.
    void enqueueSynthesis(const CudaArray& alm, CudaArray& map);
    // Two maps over one recurrence.
    void enqueueSynthesis(std::array<const CudaArray*, 2> alm, std::array<CudaArray*, 2> maps);
    void enqueueSynthesisSpin(int spin, const CudaArray& e, const CudaArray& b, CudaArray& q,
                              CudaArray& u);

    // The steps of these by themselves, of one map (spin 0) or the two of a spin, where the others
    // are done elsewhere. Between them F_m lie in the maps and, beside them, in tails: `component`
    // 0 or 1. Weights are those of the analysis.
    void synthesisSums(int spin, std::span<const CudaArray> alm, std::span<CudaArray> maps,
                       JobContext& job);
    void gradientSums(const CudaArray& alm, GradientPart part, CudaArray& map, JobContext& job);
    void synthesisRings(int spin, std::span<CudaArray> maps, JobContext& job);
    void adjointRings(int spin, std::span<CudaArray> maps, std::span<const double> weights,
                      JobContext& job);
    void adjointSums(int spin, std::span<CudaArray> maps, std::span<CudaArray> alm,
                     JobContext& job);
    // Of the pairs of rings from the poles on: north and south if the grid has both.
    std::vector<ModePlaces> modePlaces(int spin);
    void downloadTails(int component, std::span<double> tails) const;
    void uploadTails(int component, std::span<const double> tails);

    // Of this object's tables and working memory.
    int64_t deviceBytes() const;
    // Of the ring FFTs.
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
