// SPDX-License-Identifier: GPL-3.0-or-later
// Operations over several processes: partitioned maps, coefficients and files.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "armilla/operations/files.h"
#include "armilla/operations/operation.h"
#include "armilla/ops/ranks.h"

namespace armilla {

// Call of an operation, equal on all ranks. Notes and figures of rank 0 are used.
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
        1;  // threads of a single process, on which the method of a smoothing depends
    std::function<std::vector<std::string>()>
        history{};  // called after all parameters are resolved
    // called for an output that one rank writes, before it is written
    std::function<void(Output&)> finish{};
};

bool sharesAmongRanks(const Operation& operation);
// Reason, as a clause, why one rank must do the work; empty if all ranks share it.
std::string reasonForOne(RankCall& call);
// Runs the operation and writes the output: the same bytes that one process would write. Returns
// the summary. Figures: those of the operation, the number of ranks, the bytes sent, and the time
// of each step, of the slowest rank and on average. Throws as runOperation and writeOutput, and
// RankLost.
std::string runOverRanks(RankCall& call);

}  // namespace armilla
