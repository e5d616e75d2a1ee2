// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/options.h"

#include <array>

#include "armilla/core/error.h"
#include "armilla/operations/choices.h"
#include "armilla/operations/usage_error.h"

namespace armilla::cli {

namespace {
constexpr std::array<Choice<StoredPrecision>, 2> kPrecisions{
    {{"single", StoredPrecision::Single}, {"double", StoredPrecision::Double}}};
}  // namespace

StatedPixels CommonOptions::statedPixels() const {
    return {inputNside, inputOrdering, inputIndex};
}

void describe(Description& d, CommonOptions& options) {
    d.text("device", options.device,
           {.standard = "auto: the fastest that serves", .placeholder = "auto|cpu|cuda|cuda:N"},
           "device that computes");
    d.integer("threads", options.threads,
              {.unit = "none", .least = 1.0, .most = 4096.0, .standard = "all of the machine"},
              "number of processor threads");
    d.choice("precision", options.precision, kPrecisions, {},
             "precision of the stored result; default: precision of the input");
    d.text(
        "field", options.field,
        {.standard = "the first; all for calc, convert, info and lookup", .placeholder = "NAME|N"},
        "field of a map, by name or number from 1; convert and smooth take several between "
        "commas, or all (also --all-fields), and map2alm --spin takes two");
    d.statedFrame("input-frame", options.inputFrame, {},
                  "frame of inputs that name none; FK4 (B1950) and FK5 (J2000) for catalogs, "
                  "samples and images");
    d.integer("input-nside", options.inputNside,
              {.unit = "none",
               .least = 1.0,
               .most = static_cast<double>(kMaxNside),
               .standard = "read from the file"},
              "nside of an input map whose file does not state it");
    d.choice("input-ordering", options.inputOrdering, kOrderingChoices,
             {.standard = "read from the file"},
             "pixel ordering of an input map whose file does not state it");
    d.text("input-index", options.inputIndex,
           {.standard = "found by its name", .placeholder = "COL"},
           "column of pixel numbers in an input table, by name or number from 1");
    d.flag("overwrite", options.overwrite, {}, "replace an existing output");
    d.flag("quiet", options.quiet, {}, "print only errors");
    d.flag("json", options.json, {}, "print the figures of the result as one JSON value");
}

std::vector<int64_t> integersOf(const std::string& option, const std::vector<std::string>& words,
                                int64_t least, int64_t most) {
    Parameter integer;
    integer.kind = ParameterKind::Integer;
    integer.facts.least = static_cast<double>(least);
    integer.facts.most = static_cast<double>(most);
    std::vector<int64_t> values;
    try {
        for (const std::string& word : words)
            values.push_back(std::get<int64_t>(integer.parse(word)));
    } catch (const InvalidArgument& error) {
        throw UsageError(option + ": " + error.message());
    }
    return values;
}

}  // namespace armilla::cli
