// SPDX-License-Identifier: GPL-3.0-or-later
// Interface of the module armilla-mpi for the program that loads it. Plain C, so that both can be
// built separately.
#pragma once

#include <cstdint>

extern "C" {

// The functions of the transport. All calls come from the main thread.
struct ArmillaRankTransport {
    int version;  // kArmillaRankTransport
    // Starts the transport. Returns null, or an error text that stays valid.
    const char* (*start)(int* rank, int* size);
    int (*agree)(int value);  // the largest value of all ranks
    // Calls agree without its result. Returns 1, or 0 if not all ranks have called within
    // `milliseconds`.
    int (*agreeWithin)(int value, int milliseconds);
    // Sends sends[r] of sendBytes[r] to rank r and receives receives[r] of receiveBytes[r] from
    // rank r. Entries of the own rank are ignored.
    void (*transfer)(const void* const* sends, const int64_t* sendBytes, void* const* receives,
                     const int64_t* receiveBytes);
    // Ends the transport. All ranks call it.
    void (*end)();
    // Ends this process with `status`, and all other ranks.
    void (*abort)(int status);
};
// Exported by the module under the name "armillaRankTransport".
using ArmillaRankTransportOf = const ArmillaRankTransport* (*)();

}  // extern "C"

// Version of this interface; the program refuses a module of another version.
inline constexpr int kArmillaRankTransport = 2;
