// SPDX-License-Identifier: GPL-3.0-or-later
// Spherical harmonic transforms on any iso-latitude grid, on the CPU: Legendre sums (legendre.h)
// and ring FFTs (ring_fft.h), ring block by ring block.
#pragma once

#include <span>
#include <vector>

#include "core/harmonics.h"
#include "core/job_context.h"
#include "ops/ring_grid.h"
#include "sht/legendre.h"
#include "sht/ring_fft.h"

namespace armilla {

// Seconds spent in the steps of the last transform, summed over ring blocks.
struct TransformSteps {
    double legendre = 0.0, fft = 0.0;
};

// Tables and FFT plans for one grid and band limit; executed many times, not thread-safe while
// executing. Working memory: Fourier coefficients of one block of rings, at most
// kBlockPairs * 2 * (mmax + 1) * 16 bytes a component.
class RingTransform {
public:
    // Throws InvalidArgument unless 0 <= mmax <= lmax.
    RingTransform(RingGrid grid, int lmax, int mmax);

    const RingGrid& grid() const { return grid_; }
    // map(p) = sum_lm a_lm Y_lm(p). `alm` as Alm (lmax, mmax), `map` of grid().sampleCount().
    void synthesis(const Alm& alm, std::span<double> map, JobContext& job);
    // a_lm += sum_p w_p map(p) conj(Y_lm(p)); `weights`: one for each ring, the w of its samples.
    // The exact transpose of synthesis for w = 1.
    void adjoint(std::span<const double> map, std::span<const double> weights, Alm& alm,
                 JobContext& job);
    // Spin s >= 1: gradient and curl coefficients to the two components, HEALPix signs:
    // (Q +- i U)(p) = -sum_lm (E +- i B)_lm {+-s}Y_lm(p).
    void synthesisSpin(int spin, const Alm& e, const Alm& b, std::span<double> q,
                       std::span<double> u, JobContext& job);
    void adjointSpin(int spin, std::span<const double> q, std::span<const double> u,
                     std::span<const double> weights, Alm& e, Alm& b, JobContext& job);
    // d/dtheta and 1/sin(theta) d/dphi of the map of `alm`, as two scalar syntheses:
    // sin(theta) d lambda_l / d theta = l eps_{l+1} lambda_{l+1} - (l+1) eps_l lambda_{l-1}.
    void gradient(const Alm& alm, std::span<double> dTheta, std::span<double> dPhi,
                  JobContext& job);

    const TransformSteps& steps() const { return steps_; }

private:
    struct RingPair {
        int north = 0, south = -1;  // indices into grid_.rings; -1: none
    };
    struct Block {
        int firstPair = 0, pairCount = 0;
        RingLatitudes latitudes;
    };
    template <typename Series, typename Load>
    void synthesizeBlocks(std::vector<Series>& series, int components, const Load& load,
                          std::span<double* const> maps, JobContext& job);
    template <typename Series, typename Store>
    void accumulateBlocks(std::vector<Series>& series, int components, const Store& store,
                          std::span<const double* const> maps, std::span<const double> weights,
                          JobContext& job);
    void checkMap(size_t samples) const;
    void checkAlm(const Alm& alm) const;

    RingGrid grid_;
    int lmax_ = 0, mmax_ = 0;
    RingFft fft_;
    std::vector<RingPair> pairs_;
    std::vector<Block> blocks_;
    TransformSteps steps_;
};

}  // namespace armilla
