// SPDX-License-Identifier: GPL-3.0-or-later
// The choices of a transform plan that change its speed but not its result beyond rounding. The
// fastest choice on a device is measured by `armilla bench --tune` and stored between runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "armilla/ops/device.h"

namespace armilla {

// Colatitudes of the Legendre sums: fewer, equidistant colatitudes where these take fewer
// operations, or always the rings of the grid.
enum class LatitudeSums { WherePays, AtRings };

// Processor of the ring FFTs. WithSums: the plan's device, as for the Legendre sums. OnCpu: the
// CPU, for a plan on a CUDA device. OnCuda: the first CUDA device, for a plan on the CPU. In the
// last two cases Fourier coefficients pass through host memory.
enum class RingFfts { WithSums, OnCpu, OnCuda };

// One choice.
struct ShtTuning {
    LatitudeSums latitudes = LatitudeSums::WherePays;
    // CUDA: ring pairs of one thread in sums for a single map, in synthesis and in its adjoint.
    int synthesisPairs = 4, adjointPairs = 4;
    RingFfts ringFfts = RingFfts::WithSums;
    bool operator==(const ShtTuning&) const = default;
};
// All choices on devices of this kind, the default first.
std::vector<ShtTuning> shtTunings(DeviceKind kind);
// A description for people: "at fewer latitudes, 4 and 8 ring pairs a thread".
std::string describe(const ShtTuning& tuning, DeviceKind kind);

// The validity of a choice: this device with its driver, on HEALPix of this nside, lmax and mmax.
struct TuningKey {
    Device device;
    int64_t nside = 0;
    int lmax = 0, mmax = 0;
};
// A stored choice.
struct KeptTuning {
    std::optional<ShtTuning> tuning;  // none: not measured, or an invalid file
    std::string problem;              // description of an invalid file; empty: none
};
// Reads the choice from a small JSON file in Environment::cacheFolder. Does not throw for an
// invalid file.
KeptTuning keptTuning(const TuningKey& key);
// Stores the choice and returns the path of the file. Throws IoError if the file cannot be written.
std::string keepTuning(const TuningKey& key, const ShtTuning& tuning);

}  // namespace armilla
