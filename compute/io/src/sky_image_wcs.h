// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "armilla/core/view_geometry.h"
#include "fits_writer.h"

namespace armilla {

// The world coordinate cards of a view: WCSAXES, CTYPE, CUNIT, CRPIX, CDELT, CRVAL, LONPOLE,
// LATPOLE, RADESYS and, where needed, PV1_1 and PV1_2. Source: FITS WCS paper II, sections 2 to 5.
void addWorldCoordinates(FitsCards& cards, const ViewGeometry& view, Frame frame);

}  // namespace armilla
