// SPDX-License-Identifier: GPL-3.0-or-later
// Energies of the channels of a map, as gamma-ray cubes have them in a table beside it.
#pragma once

#include <QString>
#include <string>
#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"

namespace armilla {

// Takes the table EBOUNDS (E_MIN, E_MAX) or ENERGIES (ENERGY) of the map's file into cards of the
// map, "E_MIN1", "E_MAX1" or "ENERG1" and so on, which stay with it and its exports. `columns`: of
// the file, from 0, that the map's fields are. A file without such a table, or with one of another
// number of rows than `fileColumns`, adds none.
void addEnergies(HealpixMap& map, const std::string& path, const std::vector<int>& columns,
                 int fileColumns, JobContext& job);
// "1–1.58 GeV" of a field; empty where nothing is known.
QString energyText(const HealpixMap& map, int field);

}  // namespace armilla
