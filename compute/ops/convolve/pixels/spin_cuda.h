// SPDX-License-Identifier: GPL-3.0-or-later
// Convolution of Q and U on a CUDA device, direct and by rings. Two implementations: spin_cuda.cu,
// and direct_absent.cpp for builds without CUDA.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "armilla/core/job_context.h"
#include "convolve/kernel/profile_table.h"
#include "convolve/pixels/spin_sums.h"

namespace armilla {

// The sums of SpinSums and SpinRings, equal to 1e-12
// (tests/compute/tst_direct_convolution_cuda.cpp). Holds 32 bytes a pixel on the device, by rings
// 16 more and the modes beyond Nyquist limits. Not thread-safe.
class SpinCuda {
public:
    // `profile`: G. `ringWeights`: weights, about 1, of rings 1 .. 2 nside, or empty. Throws
    // OutOfMemory, DeviceError, Unsupported (no CUDA in the build).
    SpinCuda(int device, int64_t nside, const ProfileTable& profile,
             std::span<const double> ringWeights);
    ~SpinCuda();

    // `lastL`: for ring sums, the last l of the B_l of E and B; 0: direct sums. The work is split
    // into pieces of some milliseconds; cancellation takes effect between them.
    void execute(const SpinSums::Maps& maps, int lastL, JobContext& job);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
