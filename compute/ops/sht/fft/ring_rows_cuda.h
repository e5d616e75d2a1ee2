// SPDX-License-Identifier: GPL-3.0-or-later
// Rings of one length by cuFFT. For a piece of some rings at a time, modes are folded into a
// separate buffer of spectra, which are transformed into the rings' storage; and back.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "armilla/device/cuda/cufft.h"
#include "armilla/ops/batched_fft.h"
#include "armilla/ops/ring_grid.h"
#include "sht/fft/ring_fft_cuda.h"

namespace armilla::cuda {

class RingRows {
public:
    // Whether this grid's rings have one length, are contiguous, and are long and many enough for
    // `library`. Without `library`: also whether cuFFT is faster.
    static bool suits(const RingGrid& grid, std::optional<FftLibrary> library);
    // `pairs`: north and south ring of each pair, -1: none. Throws as CufftPlan.
    RingRows(int device, const RingGrid& grid, const std::vector<std::pair<int, int>>& pairs,
             const Stream& stream);

    // Number of pieces into which the stream's work is divided.
    size_t pieces() const { return static_cast<size_t>((rings_ + together_ - 1) / together_); }
    void synthesize(size_t piece, const RingSpectrum& spectrum) const;
    // `weights`: weights of a pair's samples, north and south.
    void analyze(size_t piece, const RingSpectrum& spectrum, const double2* weights) const;
    size_t bytes() const;

private:
    struct Plans {
        CufftPlan toSpectra, fromSpectra;
    };
    RingRowSpectra rowsOf(size_t piece, const RingSpectrum& spectrum) const;
    const Plans& plansOf(const RingRowSpectra& rows) const {
        return rows.count == together_ ? many_ : last_;
    }

    const Stream* stream_;
    int rings_ = 0, together_ = 1, length_ = 0;
    DeviceBuffer<int> sides_;
    DeviceBuffer<double2> spectra_;
    Plans many_, last_;
};

}  // namespace armilla::cuda
