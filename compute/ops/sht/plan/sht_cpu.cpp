// SPDX-License-Identifier: GPL-3.0-or-later
// The transforms of a plan on the CPU.
#include "sht/plan/ring_transform.h"
#include "sht/plan/sht_host_backend.h"

namespace armilla {

std::unique_ptr<ShtBackend> makeCpuBackend(const ShtParameters& parameters, const RingGrid& grid,
                                           JobContext& job) {
    return std::make_unique<HostBackend<RingTransform>>(
        parameters, grid, std::string("CPU, ") + simdName(), job,
        parameters.tuning.value_or(ShtTuning{}).latitudes);
}

}  // namespace armilla
