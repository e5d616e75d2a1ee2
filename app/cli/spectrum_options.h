// SPDX-License-Identifier: GPL-3.0-or-later
// Options of commands that read spectra: facts about columns that a file does not name.
#pragma once

#include <string>
#include <vector>

#include "armilla/io/spectrum_io.h"
#include "armilla/operations/parameter.h"

namespace armilla::cli {

struct SpectrumOptions {
    std::vector<std::string> columns;
    bool isDl = false, isCl = false;

    SpectrumReading reading() const;
    // Throws UsageError for both kinds of values at once and for names that no spectrum has.
    void check() const;
    // Throws UsageError naming the given options if `path` holds something other than a spectrum.
    void refuseIfGiven(const std::string& found, const std::string& path) const;
};
void describe(Description& d, SpectrumOptions& p);

}  // namespace armilla::cli
