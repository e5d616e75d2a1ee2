// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the program that few commands need and that bring large libraries with them (Qt, HDF5,
// cfitsio, HEALPix C++, MPI) are modules, loaded on first use: a command starts without them.
#pragma once

#include <string>

namespace armilla {

// The file of a module, "armilla-hdf5.so": beside the program in a build, else where the package
// puts it; empty if there is none.
std::string modulePath(const std::string& module);

// The function `symbol` of a module, which stays loaded. Throws Unsupported with the reason of the
// system. Thread-safe.
void* moduleSymbol(const std::string& module, const char* symbol);

}  // namespace armilla
