// SPDX-License-Identifier: GPL-3.0-or-later
// What a request for smoothing takes of its kernel on a map of some nside: found once, for all that
// a plan does with it.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "convolve/profile_table.h"
#include "convolve/smooth_request.h"
#include "ops/convolve.h"
#include "ops/device.h"

namespace armilla {

struct ResolvedSmoothing {
    ResolvedSmoothing(SmoothParameters of, Applied as)
        : parameters(std::move(of)), applied(std::move(as)) {}

    SmoothParameters parameters;  // of a method, not Auto
    Applied applied;              // on pixels it ends at the radius that is asked for or chosen
    // Of harmonics: the whole band; that of the product; that of the synthesis; the B_l, of T alone
    // where there is no polarization.
    int lmax = 0, reach = 0, tables = 0;
    Beam beam;
    // On pixels: the integral of the kernel as it is cut, where its B_l end (by rings, else 0), and
    // what a device sums with.
    double integral = 0.0;
    int lastL = 0;
    std::optional<ProfileTable> profile;

    bool onPixels() const { return isOnPixels(parameters.method); }
    // Whether the kernel has no integral to divide by.
    bool compensated() const;
    SmoothReport report() const;  // without an error

private:
    mutable std::optional<bool> compensated_;
};

// Throws InvalidArgument and Unsupported for what a method has not.
ResolvedSmoothing resolvedSmoothing(const SmoothParameters& asked, int64_t nside,
                                    const Device& device, JobContext& job);

// The last one, for who asks for the same again: each frame of a live picture does, to be prepared
// and to be put into a stream. Not thread-safe.
class LastResolved {
public:
    const ResolvedSmoothing& of(const SmoothParameters& asked, int64_t nside, const Device& device,
                                JobContext& job);

private:
    struct Kept {
        SmoothParameters asked;
        int64_t nside = 0;
        int threads = 0;  // on the CPU a method is chosen by their number
        ResolvedSmoothing made;
    };
    std::optional<Kept> kept_;
};

}  // namespace armilla
