// SPDX-License-Identifier: GPL-3.0-or-later
// Tests that need a CUDA device. Without one their executable skips; ARMILLA_REQUIRE_GPU=1 makes
// its absence a failure, ARMILLA_REQUIRE_GPU=2 also that of a second device for tests that need
// two.
#pragma once

#include <QtTest>

#include "armilla/device/cuda_devices.h"

namespace armilla::test {

// To be called from initTestCase().
inline void requireCuda() {
    if (!cudaDevices(CudaListing::WithFreeMemory).empty()) return;
    if (qEnvironmentVariableIntValue("ARMILLA_REQUIRE_GPU") != 0)
        QFAIL("expected a CUDA device, found none");
    QSKIP("no CUDA device");
}

// The first CUDA device. Never the CPU instead, because a comparison with itself always agrees.
inline Device firstCudaDevice() {
    const auto devices = cudaDevices(CudaListing::WithFreeMemory);
    if (devices.empty()) qFatal("expected a CUDA device behind requireCuda(), found none");
    return devices.front();
}

}  // namespace armilla::test

// For a test that needs two of `devices`.
#define ARMILLA_NEEDS_TWO(devices)                                    \
    do {                                                              \
        if ((devices).size() >= 2) break;                             \
        if (qEnvironmentVariableIntValue("ARMILLA_REQUIRE_GPU") >= 2) \
            QFAIL("expected two CUDA devices, found fewer");          \
        QSKIP("one CUDA device: nothing passes between two");         \
    } while (false)
