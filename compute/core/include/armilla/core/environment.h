// SPDX-License-Identifier: GPL-3.0-or-later
// Facts that the library takes from outside its arguments. A program states them once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace armilla {

// By default the library reads no environment variable and keeps nothing between runs.
struct Environment {
    // Folder of tables and measured choices that are kept between runs; empty: none are kept.
    std::string cacheFolder;
    // Data folders of HEALPix distributions, with pixel weights and pixel windows, in the order of
    // the search.
    std::vector<std::string> healpixFolders{"/usr/share/healpix/data", "/usr/share/healpy/data"};
    // DATE of written files, in seconds since 1970; none: the time of writing.
    std::optional<int64_t> writingTime;
    // Ranks of one host share memory; devices exchange data by NCCL where it is installed.
    bool usesSharedMemory = true, usesNccl = true;
};

// The environment of the calling process: $XDG_CACHE_HOME or ~/.cache, $HEALPIX, $SOURCE_DATE_EPOCH
// (reproducible builds), $ARMILLA_SHARED_MEMORY=off, $ARMILLA_NCCL=off.
Environment environmentOfProcess();

// Sets the environment of later calls of the library. Call it before other threads use the library.
void setEnvironment(Environment environment);
const Environment& environment();

}  // namespace armilla
