// SPDX-License-Identifier: GPL-3.0-or-later
// A smoothing request with its kernel evaluated for a map of some nside: computed once for all uses
// by a plan.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "armilla/ops/convolve.h"
#include "armilla/ops/device.h"
#include "convolve/kernel/profile_table.h"
#include "convolve/kernel/smooth_request.h"

namespace armilla {

struct ResolvedSmoothing {
    ResolvedSmoothing(SmoothParameters of, Applied as)
        : parameters(std::move(of)), applied(std::move(as)) {}

    SmoothParameters parameters;  // with a definite method, not Auto
    Applied applied;              // on pixels: truncated at the requested or chosen radius
    // Harmonic method: lmax of the whole request; of the product; of the synthesis; and the B_l, of
    // T alone without polarization.
    int lmax = 0, reach = 0, tables = 0;
    Beam beam;
    // Methods on pixels: the integral of the truncated kernel, the last l of its B_l (by rings,
    // else 0), and the profile for a device's sums.
    double integral = 0.0;
    int lastL = 0;
    std::optional<ProfileTable> profile;

    bool onPixels() const { return isOnPixels(parameters.method); }
    // Whether the kernel has no integral to divide by.
    bool compensated() const;
    SmoothReport report() const;  // without the error

private:
    mutable std::optional<bool> compensated_;
};

// Throws InvalidArgument, and Unsupported for requests that a method does not support.
ResolvedSmoothing resolvedSmoothing(const SmoothParameters& asked, int64_t nside,
                                    const Device& device, JobContext& job);

// Caches the last result, because each frame of a live picture resolves the same request twice: to
// prepare and to enqueue it. Not thread-safe.
class LastResolved {
public:
    const ResolvedSmoothing& of(const SmoothParameters& asked, int64_t nside, const Device& device,
                                JobContext& job);

private:
    struct Kept {
        SmoothParameters asked;
        int64_t nside = 0;
        int threads = 0;  // the choice of a method on the CPU depends on it
        ResolvedSmoothing made;
    };
    std::optional<Kept> kept_;
};

}  // namespace armilla
