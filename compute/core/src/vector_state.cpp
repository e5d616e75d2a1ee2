// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/vector_state.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace armilla {

#ifdef __x86_64__
namespace {

__attribute__((target("avx"))) void zeroUpper() {
    _mm256_zeroupper();
}

}  // namespace

void clearUpperHalves() {
    static const bool has = __builtin_cpu_supports("avx") != 0;
    if (has) zeroUpper();
}
#else
void clearUpperHalves() {}
#endif

}  // namespace armilla
