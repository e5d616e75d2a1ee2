// SPDX-License-Identifier: GPL-3.0-or-later
// Classification of image header cards: world coordinates and others.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace armilla {

// True for cards with the celestial coordinates of axes 1 and 2, including distortions (SIP).
// WCSAXES and cards of other axes are written from the image; alternative descriptions (CTYPE1A)
// are other cards.
bool isWcsCard(std::string_view card);
// True for DATE-OBS and MJD-OBS, the time of observation.
bool isObservationCard(std::string_view card);
// The lock for wcslib's header parsers, which use global variables.
std::mutex& wcsParserLock();
// True for cards that are written anew from an image.
bool isImageCard(std::string_view card);

}  // namespace armilla
