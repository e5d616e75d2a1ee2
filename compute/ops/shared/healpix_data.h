// SPDX-License-Identifier: GPL-3.0-or-later
// The data files of the HEALPix distribution, where they are installed.
#pragma once

#include <error_handling.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/error.h"
#include "shared/quietly.h"

namespace armilla {

// The regular files called `name` in the HEALPix data folders ($HEALPIX/data,
// /usr/share/healpix/data, /usr/share/healpy/data, in this order) or in their folder `subfolder`.
std::vector<std::filesystem::path> healpixDataFiles(const std::string& name,
                                                    const std::string& subfolder = {});

// read(path) by HEALPix C++, whose complaints become one IoError: "PATH: expected WHAT, found ...".
template <class Read>
auto readHealpixData(const std::filesystem::path& path, const std::string& what, const Read& read) {
    try {
        return quietly([&] { return read(path.string()); });
    } catch (const PlanckError& failure) {
        throw IoError(path.string() + ": expected " + what + ", found " + failure.what());
    }
}

}  // namespace armilla
