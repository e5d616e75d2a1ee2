// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/healpix_data.h"

#include <system_error>

#include "armilla/core/environment.h"
#include "armilla/core/error.h"
#include "armilla/core/loaded_module.h"

namespace armilla {

namespace fs = std::filesystem;

std::vector<fs::path> healpixDataFiles(const std::string& name, const std::string& subfolder) {
    std::vector<fs::path> files;
    const auto addIfThere = [&](const fs::path& path) {
        std::error_code error;
        if (fs::is_regular_file(path, error)) files.push_back(path);
    };
    for (const fs::path folder : environment().healpixFolders) {
        addIfThere(folder / name);
        if (!subfolder.empty()) addIfThere(folder / subfolder / name);
    }
    return files;
}

HealpixNumbers readHealpixData(const fs::path& path, const std::string& what, int nside) {
    static const auto read =
        reinterpret_cast<ArmillaReadHealpix>(moduleSymbol(kHealpixModule, "armillaReadHealpix"));
    HealpixNumbers numbers;
    read(path.string(), nside, numbers);
    if (!numbers.problem.empty())
        throw IoError(path.string() + ": expected " + what + ", found " + numbers.problem);
    return numbers;
}

}  // namespace armilla
