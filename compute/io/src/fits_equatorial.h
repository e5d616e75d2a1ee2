// SPDX-License-Identifier: GPL-3.0-or-later
// What FITS headers say of their right ascensions and declinations.
#pragma once

#include <optional>

#include "core/equatorial_frame.h"
#include "fits_header.h"

namespace armilla {

// By RADESYS (RADECSYS) and EQUINOX (EPOCH), observed at DATE-OBS or MJD-OBS. None if they say
// nothing, or name another system.
std::optional<EquatorialFrame> equatorialOf(const FitsHeader& header);

}  // namespace armilla
