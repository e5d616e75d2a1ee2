// SPDX-License-Identifier: GPL-3.0-or-later
#include "copy_past_caches.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace armilla {

// SSE2, which every x86-64 has, suffices: memory bandwidth limits the copy, not instructions.
void copyPastCaches(void* to, const void* from, size_t bytes) {
    auto* place = static_cast<std::byte*>(to);
    const auto* source = static_cast<const std::byte*>(from);
#if defined(__SSE2__)
    constexpr size_t kVector = sizeof(__m128i);
    const size_t beside = reinterpret_cast<uintptr_t>(place) % kVector;
    const size_t head = std::min(bytes, (kVector - beside) % kVector);
    std::memcpy(place, source, head);
    place += head, source += head, bytes -= head;
    for (; bytes >= kVector; place += kVector, source += kVector, bytes -= kVector)
        _mm_stream_si128(reinterpret_cast<__m128i*>(place),
                         _mm_loadu_si128(reinterpret_cast<const __m128i*>(source)));
    _mm_sfence();
#endif
    std::memcpy(place, source, bytes);
}

}  // namespace armilla
