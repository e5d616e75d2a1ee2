// SPDX-License-Identifier: GPL-3.0-or-later
// Child processes in which a library reads a file that may be damaged.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace armilla {

struct ChildLimits {
    int64_t fileBytes = 0;    // limit of a file it writes
    int64_t memoryBytes = 0;  // limit of its address space
    int seconds = 0;          // limit of its processor time, which ends it by SIGXCPU
};

// Size of this process's address space in bytes; a child starts with the same size.
int64_t addressSpace();

// For the child, right after fork(): sets the limits, gives signals their defaults, closes the
// standard streams, and ends the child when its parent ends. Does not throw.
void confine(const ChildLimits& limits);

// Waits for the end of the child; returns the status of waitpid().
int endOf(pid_t child);

// How a child ended, by its status. Broken: a fault of the library, a limit of processor time, or
// an exit status other than 0; the same file ends the next child as well. Killed: by a signal from
// outside, such as that of a system without memory, which says nothing about the file.
enum class ChildEnd { Done, Broken, Killed };
ChildEnd childEnd(int status);

}  // namespace armilla
