// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/spectrum_options.h"

#include "armilla/core/error.h"
#include "armilla/operations/usage_error.h"

namespace armilla::cli {

SpectrumReading SpectrumOptions::reading() const {
    SpectrumReading reading;
    reading.columns = columns;
    if (isDl || isCl) reading.isDl = isDl;
    return reading;
}

void SpectrumOptions::check() const {
    if (isDl && isCl)
        throw UsageError("--input-dl: expected one of --input-dl and --input-cl, found both");
    try {
        checkSpectrumReading(reading());
    } catch (const InvalidArgument& error) {
        throw UsageError("--columns: " + error.message());
    }
}

void SpectrumOptions::refuseIfGiven(const std::string& found, const std::string& path) const {
    if (!reading().isStated()) return;
    const std::string given = !columns.empty() ? "--columns" : isDl ? "--input-dl" : "--input-cl";
    throw UsageError(given + ": expected a spectrum, found " + found + " in " + path);
}

void describe(Description& d, SpectrumOptions& p) {
    d.words("columns", p.columns, {.standard = "names in the file", .placeholder = "L,TT,EE,..."},
            "column names of a spectrum file, in the order of the file; - leaves a column out");
    d.flag("input-dl", p.isDl, {}, "read the spectrum file as D_l = l (l + 1) C_l / (2 pi)");
    d.flag("input-cl", p.isCl, {}, "read the spectrum file as C_l");
}

}  // namespace armilla::cli
