// SPDX-License-Identifier: GPL-3.0-or-later
// The equatorial frame stated by FITS headers.
#pragma once

#include <optional>

#include "armilla/core/equatorial_frame.h"
#include "fits_header.h"

namespace armilla {

// The frame by RADESYS (RADECSYS) and EQUINOX (EPOCH), observed at DATE-OBS or MJD-OBS. None if
// these are absent or name another system.
std::optional<EquatorialFrame> equatorialOf(const FitsHeader& header);

}  // namespace armilla
