// SPDX-License-Identifier: GPL-3.0-or-later
// Asynchronous copies to shared memory. CUDA files only.
#pragma once

#include <cstring>

namespace armilla {

// 4, 8 or 16 bytes, aligned to their size.
template <int kBytes>
__device__ __forceinline__ void copyAsync(void* to, const void* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    const auto at = static_cast<unsigned>(__cvta_generic_to_shared(to));
    if constexpr (kBytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(at), "l"(from), "n"(kBytes)
                     : "memory");
#else
    std::memcpy(to, from, kBytes);
#endif
}
// Ends a group of copies.
__device__ __forceinline__ void endGroup() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
// Waits until at most the last kGroups groups of this thread are in progress.
template <int kGroups>
__device__ __forceinline__ void waitForGroups() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(kGroups) : "memory");
#endif
}

}  // namespace armilla
