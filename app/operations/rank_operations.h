// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of operations over ranks that several files share.
#pragma once

#include <string>

#include "armilla/operations/over_ranks.h"
#include "armilla/ops/distributed_sht.h"

namespace armilla {

// Reason why one rank must read the maps among the inputs; empty if there is none.
std::string reasonOfMaps(RankCall& call, const Columns& columns);
// Checks parameters after the inputs have resolved them, as runOperation does.
void checkResolved(const RankCall& call);
// Sets the figures of the ranks for --json. All ranks call it.
void setRankFigures(RankCall& call, const RankSteps& steps);

std::string reasonOfSmooth(RankCall& call);
std::string smoothOverRanks(RankCall& call);

}  // namespace armilla
