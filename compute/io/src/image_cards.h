// SPDX-License-Identifier: GPL-3.0-or-later
// Which cards of an image's header say where its pixels lie.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace armilla {

// Cards that place axes 1 and 2 on the sky, distortions (SIP) included. WCSAXES and cards of other
// axes are written from the image; alternative descriptions (CTYPE1A) are other cards.
bool isWcsCard(std::string_view card);
// DATE-OBS and MJD-OBS, when an image was observed.
bool isObservationCard(std::string_view card);
// Held around wcslib's parsers of headers, which share variables.
std::mutex& wcsParserLock();
// Cards that are written anew from an image.
bool isImageCard(std::string_view card);

}  // namespace armilla
