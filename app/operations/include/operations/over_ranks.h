// SPDX-License-Identifier: GPL-3.0-or-later
// Operations whose work several processes share: maps, coefficients and files in parts.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "operations/files.h"
#include "operations/operation.h"
#include "ops/ranks.h"

namespace armilla {

// One call of an operation, the same on all ranks. Notes and figures count on rank 0.
struct RankCall {
    Ranks& ranks;
    Context& context;
    const Operation& operation;
    ParameterSet& parameters;  // resolved by the call
    std::vector<std::pair<const InputSlot*, std::string>> inputs;
    std::string output{};
    ReadRequest reading{};
    bool overwrite = false;
    int threadsAlone =
        1;  // that one process would have, of which the method of a smoothing depends
    std::function<std::vector<std::string>()> history{};  // asked for once all is resolved
    std::function<void(Output&)> finish{};  // of an output that one rank writes, before it does
};

bool sharesAmongRanks(const Operation& operation);
// Why one rank must do it alone, as a clause; empty if all do it together.
std::string reasonForOne(RankCall& call);
// Does it and writes the output: the bytes that one process would write. Returns what is said of
// it. Figures: those of the operation, and of the ranks their number, the bytes that they sent, and
// the time of each step, of the slowest and in the mean. Throws as runOperation and writeOutput,
// RankLost.
std::string runOverRanks(RankCall& call);

}  // namespace armilla
