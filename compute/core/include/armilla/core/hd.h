// SPDX-License-Identifier: GPL-3.0-or-later
// Marks a formula that is compiled for the host and, by nvcc, also for the device.
#pragma once

#if defined(__CUDACC__)
#define ARMILLA_HD __host__ __device__
#else
#define ARMILLA_HD
#endif
