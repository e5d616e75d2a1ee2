// SPDX-License-Identifier: GPL-3.0-or-later
// Rotation of coefficients on a CUDA device. Two implementations: quarter_turn_cuda.cu, and
// quarter_turn_absent.cpp for builds without CUDA.
#pragma once

#include <span>

#include "armilla/core/harmonics.h"
#include "armilla/core/job_context.h"

namespace armilla {

// Rotations by psi about z, by theta about y and by phi about z, in this order; radians.
struct EulerAngles {
    double psi = 0.0, theta = 0.0, phi = 0.0;
};

// rotateAlm on a CUDA device. All `alm` have one lmax with mmax = lmax, and are changed in place.
// Agrees with the CPU to 16 lmax epsilon (tests/compute/tst_spectrum_cuda.cpp). Takes 40 lmax^2
// bytes of the device. Throws OutOfMemory, DeviceError, Unsupported (no CUDA in the build).
void rotateAlmOnDevice(std::span<Alm> alm, const EulerAngles& angles, int device, JobContext& job);

}  // namespace armilla
