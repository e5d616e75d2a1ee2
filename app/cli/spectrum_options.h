// SPDX-License-Identifier: GPL-3.0-or-later
// The options of every command that reads spectra: what a file does not say of its columns.
#pragma once

#include <string>
#include <vector>

#include "io/spectrum_io.h"
#include "operations/parameter.h"

namespace armilla::cli {

struct SpectrumOptions {
    std::vector<std::string> columns;
    bool isDl = false, isCl = false;

    SpectrumReading reading() const;
    // Throws UsageError for both kinds of values at once and for names that no spectrum has.
    void check() const;
    // Throws UsageError naming the options that are given, where `path` holds something else.
    void refuseIfGiven(const std::string& found, const std::string& path) const;
};
void describe(Description& d, SpectrumOptions& p);

}  // namespace armilla::cli
