// SPDX-License-Identifier: GPL-3.0-or-later
// Tests that need a CUDA device. Without one their executable skips; ARMILLA_REQUIRE_GPU=1 makes
// its absence a failure.
#pragma once

#include <QtTest>

#include "device/cuda_devices.h"

namespace armilla::test {

// To be called from initTestCase().
inline void requireCuda() {
    if (!cudaDevices(CudaListing::WithFreeMemory).empty()) return;
    if (qEnvironmentVariableIntValue("ARMILLA_REQUIRE_GPU") != 0)
        QFAIL("expected a CUDA device, found none");
    QSKIP("no CUDA device");
}

}  // namespace armilla::test
