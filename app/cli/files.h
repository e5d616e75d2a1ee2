// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs and outputs of commands: which columns are read, what is refused before any work.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "cli/run.h"
#include "core/error.h"
#include "core/harmonics.h"
#include "core/healpix_map.h"
#include "io/harmonic_io.h"
#include "io/map_io.h"
#include "operations/map_values.h"

namespace armilla::cli {

// Runs `body`; an error that leaves it names `path`, once.
template <typename Body>
auto withFile(const std::string& path, const Body& body) {
    try {
        return body();
    } catch (Error& error) {
        if (std::string_view(error.what()).find(path) == std::string_view::npos)
            error.addContext(path);
        throw;
    }
}

// Throws IoError if `path` exists and may not be replaced, is no regular file, promises a packed
// one, or lies in a folder that cannot be written to, UsageError if it is empty: before the work,
// not after it.
void checkOutput(const std::string& path, bool overwrite);

// The one field that --field names (the first), and nothing else of the file.
HealpixMap readOneField(Run& run, const std::string& path, JobContext& job);
// The fields T, Q and U. Throws InvalidArgument if the file has no such three, UsageError if
// --field asks for one.
HealpixMap readPolarization(Run& run, const std::string& path, JobContext& job);

FileWriteOptions harmonicOptions(const Run& run);
MapWriteOptions mapOptions(const Run& run, StoredPrecision otherwise);

// The frame's letter, or null.
Json frameJson(Frame frame);
// "nside 512, RING, Galactic".
std::string describe(const HealpixMap& map);

}  // namespace armilla::cli
