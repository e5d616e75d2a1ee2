// SPDX-License-Identifier: GPL-3.0-or-later
// Weights of direct convolution in the caps: a lane's target and the pixels of one source ring.
// CUDA files only.
#pragma once

#include "convolve/pixels/cap_images.h"
#include "convolve/pixels/direct_grid.cuh"

namespace armilla::direct {

constexpr double kLn2 = 0.69314718055994530942, kLog2OfE = 1.4426950408889634074;
constexpr int kWeighed = 4;  // weights that a lane computes at once

// The data of a source ring in a warp.
struct CapRow {
    CapSource source;
    double factor;  // factor of the ring's samples
    // For a Gaussian: rate y / ln 2 in powers of the square of numerator - x q, and a linear factor
    // (of narrow Gaussians) times the ring's factor.
    double exponent[5], linear[2];
    int64_t images;  // position of its images
    int flip;        // change of the images by z -> -z, for a ring of the south

    CapRow() = default;
    __device__ CapRow(const Grid& grid, const ProfileView& profile, const HealpixRing& target,
                      int64_t k)
        : source(target, grid.ring[k], profile.end), factor(grid.factor[k]) {
        const int64_t rings = 4 * grid.nside - 1;
        const bool south = 2 * k > rings + 1;
        images = grid.eighths[south ? rings + 1 - k : k] * kEighthImages;
        flip = south ? 8 : 0;
        const double rate = profile.rate * kLog2OfE, square = source.unit * source.unit;
        const double across = rate * source.across * square;
        // From sin^2 x = x^2 - x^4 / 3 + 2 x^6 / 45 - x^8 / 315 + ... (CapSource::isClose()).
        exponent[0] = rate * source.y0;
        exponent[1] = across;
        exponent[2] = across * square * (-1.0 / 3.0);
        exponent[3] = across * square * square * (2.0 / 45.0);
        exponent[4] = across * square * square * square * (-1.0 / 315.0);
        linear[0] = factor * profile.factor[0];
        linear[1] = factor * profile.factor[1] * kLn2;
    }
};

// Coefficients of 2^t, |t| <= 1/2, through the Chebyshev points: error 3e-16. In constant memory,
// which needs one instruction for a number and not two.
static __constant__ double kPowers[] = {7.0725859492692236999e-9,
                                        1.0208690299958305835e-7,
                                        1.3215442587921689653e-6,
                                        1.5252657260200837064e-5,
                                        1.5403530441736050155e-4,
                                        1.3333558230164973899e-3,
                                        9.6181291076068885273e-3,
                                        5.5504108664447719166e-2,
                                        2.4022650695910098220e-1,
                                        6.9314718055994998286e-1,
                                        1.0};

// 2^-e of numbers from 0 to 1000, to two roundings. Several at once, so that constants are loaded
// once.
__device__ __forceinline__ void powersOfTwo(const double (&e)[kWeighed],
                                            double (&power)[kWeighed]) {
    // The last bits of the sum hold an integer.
    constexpr double kWhole = 6755399441055744.0;
    int whole[kWeighed];
    double t[kWeighed];
#pragma unroll
    for (int g = 0; g < kWeighed; ++g) {
        const double shifted = kWhole - e[g];
        whole[g] = __double2loint(shifted);
        t[g] = (kWhole - shifted) - e[g];
        power[g] = kPowers[0];
    }
#pragma unroll
    for (int k = 1; k < 11; ++k)
#pragma unroll
        for (int g = 0; g < kWeighed; ++g) power[g] = fma(power[g], t[g], kPowers[k]);
#pragma unroll
    for (int g = 0; g < kWeighed; ++g)
        power[g] = __hiloint2double(__double2hiint(power[g]) + whole[g] * (1 << 20),
                                    __double2loint(power[g]));
}

// A target's weights of source pixels x .. x + count - 1, and up to kWeighed - 1 pixels beyond;
// pixels that are not taps get weight 0.
struct CapWeigher {
    const ProfileView& profile;
    double numerator, q;  // numerator and q of the target (CapSource)
    CapTaps taps;

    __device__ __forceinline__ void operator()(const CapRow& row, int x, int count,
                                               double* weights) const {
        if (profile.rate > 0.0 && row.source.isClose()) {
            if (profile.degree == 1)
                gaussian(row, x, count, weights, [&](const auto& e, auto& value) {
                    for (int g = 0; g < kWeighed; ++g)
                        value[g] = fma(row.linear[1], e[g], row.linear[0]);
                });
            else
                gaussian(row, x, count, weights, [&](const auto& e, auto& value) {
                    for (int g = 0; g < kWeighed; ++g) value[g] = profile.factor[profile.degree];
#pragma unroll 1
                    for (int k = profile.degree - 1; k >= 0; --k)
                        for (int g = 0; g < kWeighed; ++g)
                            value[g] = fma(value[g], e[g] * kLn2, profile.factor[k]);
                    for (double& v : value) v *= row.factor;
                });
            return;
        }
        for (int i = 0; i < count; ++i)
            weights[i] = taps.has(x + i)
                             ? row.factor * profile(row.source.distance(numerator, x + i, q))
                             : 0.0;
    }

private:
    // All without branches, and several weights in flight at once. valuesAt(e, value) computes the
    // kernel's factors.
    template <class ValuesAt>
    __device__ __forceinline__ void gaussian(const CapRow& row, int x, int count, double* weights,
                                             const ValuesAt& valuesAt) const {
        const double e0 = row.exponent[0], e1 = row.exponent[1], e2 = row.exponent[2],
                     e3 = row.exponent[3], e4 = row.exponent[4];
        double rest = numerator - static_cast<double>(x) * q;
        int before = x - taps.first;
        const auto all = static_cast<unsigned>(max(0, taps.last - taps.first + 1));
#pragma unroll 1
        for (int i = 0; i < count; i += kWeighed, before += kWeighed, rest -= kWeighed * q) {
            double e[kWeighed], power[kWeighed], value[kWeighed];
#pragma unroll
            for (int g = 0; g < kWeighed; ++g) {
                const double u = (rest - g * q) * (rest - g * q);
                e[g] = (((e4 * u + e3) * u + e2) * u + e1) * u + e0;
            }
            powersOfTwo(e, power);
            valuesAt(e, value);
#pragma unroll
            for (int g = 0; g < kWeighed; ++g)
                weights[i + g] =
                    static_cast<unsigned>(before + g) < all ? value[g] * power[g] : 0.0;
        }
    }
};

}  // namespace armilla::direct
