// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/operations/live_form.h"

#include <algorithm>

#include "armilla/operations/correlate.h"

namespace armilla {
namespace {

struct Entry {
    std::string_view id = {};
    LiveForm live = {};
    PaintedParameter painted = {};
};

int64_t randomPoints(const ParameterSet& parameters, int64_t rows) {
    const auto& options = parameters.as<CorrelateOptions>();
    return static_cast<int64_t>(options.randomFactor * options.randomSets *
                                static_cast<double>(rows));
}

const Entry& entryOf(const Operation& operation) {
    static const std::vector<Entry> table{
        {.id = "correlate",
         .live = {.kind = LiveForm::Kind::Rows,
                  .columns = {"lon", "lat", "weight"},
                  .drawnPoints = randomPoints}},
        {.id = "grid",
         .live = {.kind = LiveForm::Kind::Cells, .columns = {"lon", "lat", "weight", "flag"}}},
        {.id = "mask",
         .live = {.kind = LiveForm::Kind::Pixels, .lastStep = {"shrink", "grow", "apodize"}},
         .painted = {.name = "strokes", .later = {"invert", "shrink", "grow", "apodize"}}}};
    static const Entry none;
    const auto found = std::find_if(table.begin(), table.end(),
                                    [&](const Entry& entry) { return entry.id == operation.id; });
    return found == table.end() ? none : *found;
}

}  // namespace

const LiveForm& liveFormOf(const Operation& operation) {
    return entryOf(operation).live;
}

const PaintedParameter& paintedParameterOf(const Operation& operation) {
    return entryOf(operation).painted;
}

}  // namespace armilla
