// SPDX-License-Identifier: GPL-3.0-or-later
// I, Q and U in an HDU each, read as one map of three fields.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "armilla/io/map_io.h"
#include "fits_file.h"
#include "map_table.h"

namespace armilla {

// True if the HDU holds one field, I (or T) or Q by the name of the HDU or of the field.
bool mayBeginStokes(const MapTable& map);

// The HDUs that continue `first`: Q and U after I, U after Q. They have one field each, with the
// nside, ordering, frame and coverage of `first`. Empty without all of them. Reads all headers;
// `damage` receives a line on an HDU that cannot be read, behind which none is looked for.
std::vector<MapTable> otherStokes(FitsFile& file, const MapTable& first, const StatedPixels& stated,
                                  std::string& damage);

// Appends the planes of `others` to those of `first`. Planes whose names are no Stokes parameters
// become I_STOKES, Q_STOKES, U_STOKES.
void addStokes(MapTable& first, std::vector<MapTable>& others);

}  // namespace armilla
