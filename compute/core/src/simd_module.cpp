// SPDX-License-Identifier: GPL-3.0-or-later
// The module that brings Highway's library: see instruction_sets.cpp.
#include <hwy/targets.h>

// A use of the library, without which the linker leaves it out.
extern "C" void* armillaSimdModule() {
    return &hwy::GetChosenTarget();
}
