// SPDX-License-Identifier: GPL-3.0-or-later
// What a plan of the transforms may choose without another result than rounding, and what
// `armilla bench --tune` found to be fastest on a device, kept between runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ops/device.h"

namespace armilla {

// Where the Legendre sums are formed: at fewer, equidistant colatitudes where that takes fewer
// operations, or always at the rings of the grid.
enum class LatitudeSums { WherePays, AtRings };

// Where the ring FFTs are done: on the plan's device, as the Legendre sums, or on the other side,
// Fourier coefficients going through host memory: of a CUDA device on the CPU, of the CPU on the
// first CUDA device.
enum class RingFfts { WithSums, OnCpu, OnCuda };

struct ShtTuning {
    LatitudeSums latitudes = LatitudeSums::WherePays;
    // Of a CUDA device: ring pairs of a thread that sums for one map, in alm2map and in map2alm.
    int synthesisPairs = 4, adjointPairs = 4;
    RingFfts ringFfts = RingFfts::WithSums;
    bool operator==(const ShtTuning&) const = default;
};
// All that there is to choose from on devices of this kind, the default first.
std::vector<ShtTuning> shtTunings(DeviceKind kind);
// "at fewer latitudes, 4 and 8 ring pairs a thread": for people.
std::string describe(const ShtTuning& tuning, DeviceKind kind);

// What a choice holds for: this device with its driver, on HEALPix of this nside.
struct TuningKey {
    Device device;
    int64_t nside = 0;
    int lmax = 0, mmax = 0;
};
struct KeptTuning {
    std::optional<ShtTuning> tuning;  // none: never measured, or a file that cannot be trusted
    std::string problem;              // of such a file; empty: none
};
// From a small JSON file in $XDG_CACHE_HOME/armilla. Never throws for a bad file.
KeptTuning keptTuning(const TuningKey& key);
// Returns the path of the file. Throws IoError if it cannot be written.
std::string keepTuning(const TuningKey& key, const ShtTuning& tuning);

}  // namespace armilla
