// SPDX-License-Identifier: GPL-3.0-or-later
// The longitude part of spherical harmonic transforms on the CPU: one FFT for each pair of rings,
// or two half FFTs for an analysis.
//
// A ring of n samples holds f_j = F_0 + 2 Re sum_{m=1}^{mmax} F_m e^{i m (phi0 + 2 pi j / n)}.
// Modes beyond the ring's Nyquist limit are folded, not dropped: on the samples, m and m mod n are
// equal. North and south are packed as one complex row, north + i south.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "armilla/ops/ring_grid.h"
#include "sht/fft/row_fft.h"
#include "sht/storage/order_tiles.h"

namespace armilla {

// F_m of one ring, m = 0 .. count - 1: m < `headCount` at head[m], larger m at tail[m - headCount].
struct RingModes {
    std::complex<double>* head = nullptr;
    std::complex<double>* tail = nullptr;
    int headCount = 0, count = 0;

    std::complex<double>& at(int m) const { return m < headCount ? head[m] : tail[m - headCount]; }
};

// Plans for the rings of a grid. Executing is thread-safe with a workspace for each thread.
class RingFft {
public:
    // The threads of `job` make the plans.
    RingFft(const RingGrid& grid, JobContext& job);
    // Plans for a part of a grid, whose rows get the same bits as in the complete grid. `library`:
    // libraryFor() the complete grid.
    RingFft(const RingGrid& grid, JobContext& job, FftLibrary library);
    static FftLibrary libraryFor(const RingGrid& grid);

    class Workspace {
    public:
        Workspace(const RingFft& plans, int mmax);

    private:
        friend class RingFft;
        // e^{i m phi0} for at least m = 0 .. count - 1.
        const std::complex<double>* phases(double phi0, int count);
        RowFft::Workspace row_;
        std::vector<std::complex<double>> phase_;
        double phi0_ = 0.0;  // longitude of phase_
        int known_ = 0;      // valid numbers in phase_
    };

    // One ring of a pair; `samples` null: the pair has no such ring. Sample: double or float.
    template <typename Sample>
    struct Side {
        Sample* samples = nullptr;
        RingModes modes;
    };
    // Samples from modes. The modes may lie in the storage of the samples.
    template <typename Sample>
    void synthesize(const Ring& ring, const Side<Sample>& north, const Side<Sample>& south,
                    Workspace& work) const;
    // F_m = sum_j w f_j e^{-i m phi_j}, with the weight w of each side, for all m < `modes` that
    // have a place in `tiles`. Other places in `tiles` become zero.
    template <typename Sample>
    struct WeightedSide {
        const Sample* samples = nullptr;
        double weight = 0.0;
    };
    template <typename Sample>
    void analyze(const Ring& ring, const WeightedSide<Sample>& north,
                 const WeightedSide<Sample>& south, int modes, const TileRuns& tiles,
                 Workspace& work) const;

    // Bytes of the plans.
    int64_t bytes() const { return rows_.bytes(); }

private:
    // By half FFTs, or by one FFT of the complete row. `phase`: one for each m, or null for 1.
    template <typename Sample>
    void analyzeHalves(size_t n, const RingPairSamples<Sample>& samples,
                       const std::complex<double>* phase, int modes, const TileRuns& tiles,
                       Workspace& work) const;
    template <typename Sample>
    void analyzeWhole(size_t n, const RingPairSamples<Sample>& samples,
                      const std::complex<double>* phase, int modes, const TileRuns& tiles,
                      Workspace& work) const;

    RowFft rows_;
};

}  // namespace armilla
