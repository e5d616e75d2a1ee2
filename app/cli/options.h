// SPDX-License-Identifier: GPL-3.0-or-later
// Common options of all commands.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "armilla/io/map_io.h"
#include "armilla/operations/parameter.h"

namespace armilla::cli {

struct CommonOptions {
    std::string device = "auto";
    std::optional<int64_t> threads;  // none: all of the machine
    std::optional<StoredPrecision> precision;
    std::string field;  // empty: not given
    std::optional<StatedFrame> inputFrame;
    std::optional<int64_t> inputNside;
    std::optional<Ordering> inputOrdering;
    std::string inputIndex;  // empty: not given
    bool overwrite = false, quiet = false, json = false;
    int64_t processes = 1;  // processes of this command line on this machine; not an option
    // Facts stated by --input-nside, --input-ordering and --input-index.
    StatedPixels statedPixels() const;
    int threadsOfOne() const;  // threads of a single process
};
void describe(Description& d, CommonOptions& options);

// Parses "N[,N...]": integers in [least, most]. Throws UsageError naming the option.
std::vector<int64_t> integersOf(const std::string& option, const std::vector<std::string>& words,
                                int64_t least, int64_t most);

}  // namespace armilla::cli
