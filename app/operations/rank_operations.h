// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of operations over ranks, for each other.
#pragma once

#include <string>

#include "operations/over_ranks.h"
#include "ops/distributed_sht.h"

namespace armilla {

// Why the maps among the inputs must be read by one rank; empty: they need not.
std::string reasonOfMaps(RankCall& call, const Columns& columns);
// As runOperation: what the inputs decide is checked, too.
void checkResolved(const RankCall& call);
// Figures of the ranks, for --json. Called by all.
void setRankFigures(RankCall& call, const RankSteps& steps);

std::string reasonOfSmooth(RankCall& call);
std::string smoothOverRanks(RankCall& call);

}  // namespace armilla
