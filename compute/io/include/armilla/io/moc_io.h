// SPDX-License-Identifier: GPL-3.0-or-later
// Coverage maps (IVOA MOC 2.0) in all their serializations. Read as maps of 0 and 1.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/core/sky_ranges.h"

namespace armilla {

// Forms in FITS files; .txt is ASCII (section 4.3.2), .json JSON (4.3.3).
enum class MocForm { Nuniq, Range };

// Options of writeMoc.
struct MocWriteOptions {
    bool overwrite = false;
    MocForm form = MocForm::Range;
    int order = -1;                         // order of the MOC; -1: the deepest of its cells
    std::vector<std::string> history = {};  // FITS only
};
// Writes a MOC. Throws InvalidArgument for an order below that of the cells, IoError, Cancelled;
// the file at the final name is then unchanged.
void writeMoc(const SkyRanges& ranges, const std::string& path, const MocWriteOptions& options,
              JobContext& job);

// The order that the MOC file declared for a map read from that file; the map's cells may all be
// larger. None for other maps. Kept as a card of the metadata, which output in other formats omits.
std::optional<int> declaredMocOrder(const HealpixMap& map);
// Sets the card that declaredMocOrder reads.
void declareMocOrder(HealpixMap& map, int order);

}  // namespace armilla
