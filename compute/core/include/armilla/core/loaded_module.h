// SPDX-License-Identifier: GPL-3.0-or-later
// Modules: parts of the program that few commands need and that depend on large libraries (Qt,
// HDF5, cfitsio, HEALPix C++, MPI). A module is loaded on first use, so that commands start without
// these libraries.
#pragma once

#include <string>

namespace armilla {

// The file of a module, such as "armilla-hdf5.so": beside the program in a build tree, otherwise in
// the installation folder; empty if the file does not exist.
std::string modulePath(const std::string& module);

// The function `symbol` of a module, which stays loaded. Throws Unsupported with the system's
// reason. Thread-safe.
void* moduleSymbol(const std::string& module, const char* symbol);

}  // namespace armilla
