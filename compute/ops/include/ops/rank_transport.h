// SPDX-License-Identifier: GPL-3.0-or-later
// What the module armilla-mpi gives to the program that loads it: plain C, so that both may be
// built apart.
#pragma once

#include <cstdint>

extern "C" {

struct ArmillaRankTransport {
    int version;  // kArmillaRankTransport
    // Null, or what went wrong, a text that stays. From the main thread, as all other calls.
    const char* (*start)(int* rank, int* size);
    int (*agree)(int value);  // the largest of all ranks
    // As agree, and 1; or 0 if so long has gone by before all came.
    int (*agreeWithin)(int value, int milliseconds);
    // sends[r], sendBytes[r] to rank r, receives[r], receiveBytes[r] from it; own ones are left
    // out.
    void (*transfer)(const void* const* sends, const int64_t* sendBytes, void* const* receives,
                     const int64_t* receiveBytes);
    void (*end)();
    // Ends this process with `status`, and all others.
    void (*abort)(int status);
};
// Exported by the module under the name "armillaRankTransport".
using ArmillaRankTransportOf = const ArmillaRankTransport* (*)();

}  // extern "C"

inline constexpr int kArmillaRankTransport = 2;
