// SPDX-License-Identifier: GPL-3.0-or-later
// The module that reads HEALPix's data files by HEALPix C++ (healpix_module.cpp). A module, because
// the library and its dependencies take longer to load than most commands run.
#pragma once

#include <string>
#include <vector>

namespace armilla {

struct HealpixNumbers {
    std::vector<double> first, second;
    std::string problem;  // empty: none
};

inline constexpr const char* kHealpixModule = "armilla-healpix.so";
// `first`: pixel weights of nside; for nside 0, a pixel window of temperature and polarization.
using ArmillaReadHealpix = void (*)(const std::string& path, int nside, HealpixNumbers& numbers);
extern "C" void armillaReadHealpix(const std::string& path, int nside, HealpixNumbers& numbers);

}  // namespace armilla
