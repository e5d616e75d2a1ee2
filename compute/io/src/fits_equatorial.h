// SPDX-License-Identifier: GPL-3.0-or-later
// The frame of right ascensions and declinations by the words of FITS headers.
#pragma once

#include <optional>

#include "core/equatorial_frame.h"
#include "fits_header.h"

namespace armilla {

// By RADESYS (RADECSYS) and EQUINOX (EPOCH), observed at DATE-OBS or MJD-OBS. None if they say
// nothing, or name another system.
std::optional<EquatorialFrame> equatorialOf(const FitsHeader& header);

}  // namespace armilla
