// SPDX-License-Identifier: GPL-3.0-or-later
// The data files of an installed HEALPix distribution.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "shared/healpix_module.h"

namespace armilla {

// The regular files called `name` in Environment::healpixFolders or in their folder `subfolder`.
std::vector<std::filesystem::path> healpixDataFiles(const std::string& name,
                                                    const std::string& subfolder = {});

// The numbers of one file, by armillaReadHealpix. An error of HEALPix C++ becomes one IoError:
// "PATH: expected WHAT, found ...".
HealpixNumbers readHealpixData(const std::filesystem::path& path, const std::string& what,
                               int nside);

}  // namespace armilla
