// SPDX-License-Identifier: GPL-3.0-or-later
// The longitude part of spherical harmonic transforms on the CPU: one FFT for each pair of rings.
//
// A ring of n samples holds f_j = F_0 + 2 Re sum_{m=1}^{mmax} F_m e^{i m (phi0 + 2 pi j / n)}.
// Modes beyond the ring's Nyquist limit are folded, not dropped: on the samples, m and m mod n are
// one. North and south are packed as one complex row, north + i south.
#pragma once

#include <complex>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "ops/ring_grid.h"
#include "sht/legendre.h"

namespace armilla {

// FFTW plans for a set of ring lengths; planning takes the one lock that FFTW needs. Executing is
// thread-safe.
class RingFft {
public:
    explicit RingFft(const RingGrid& grid);
    ~RingFft();
    RingFft(const RingFft&) = delete;
    RingFft& operator=(const RingFft&) = delete;

    // What one thread needs; `longest` samples.
    class Workspace {
    public:
        Workspace(int64_t longest, int mmax);

    private:
        friend class RingFft;
        AlignedArray<std::complex<double>> row_;
        std::vector<std::complex<double>> phase_;
    };

    // F_m of one component and pair of rings: four planes `planeStride` doubles apart, successive m
    // `modeStride` doubles apart, m = 0 .. mmax. `south` null: the pair has no southern ring.
    struct Modes {
        double* planes;
        ptrdiff_t planeStride, modeStride;
        int mmax;
    };
    void synthesize(const Modes& modes, const Ring& north, const Ring* south, double* map,
                    Workspace& work) const;
    // F_m = sum_j w f_j e^{-i m phi_j}, with w = weight[0] (north), weight[1] (south).
    void analyze(const Modes& modes, const Ring& north, const Ring* south, const double* map,
                 const double weight[2], Workspace& work) const;

private:
    struct Plans;
    std::map<int64_t, std::unique_ptr<Plans>> plans_;
};

}  // namespace armilla
