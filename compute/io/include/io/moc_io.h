// SPDX-License-Identifier: GPL-3.0-or-later
// Coverage maps (IVOA MOC 2.0) in all their serializations. They are read as maps of 0 and 1.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/healpix_map.h"
#include "core/job_context.h"
#include "core/sky_ranges.h"

namespace armilla {

// Of FITS files; .txt is ASCII (section 4.3.2), .json JSON (4.3.3).
enum class MocForm { Nuniq, Range };

struct MocWriteOptions {
    bool overwrite = false;
    MocForm form = MocForm::Range;
    int order = -1;                         // that the MOC is of; -1: the deepest of its cells
    std::vector<std::string> history = {};  // FITS only
};
// Throws InvalidArgument for an order less than that of the cells, IoError, Cancelled; then the
// final name is as before.
void writeMoc(const SkyRanges& ranges, const std::string& path, const MocWriteOptions& options,
              JobContext& job);

// The order that a map read from a MOC declares, whose cells may all be larger; none: not a MOC. It
// is a card of its metadata, which other files do not get.
std::optional<int> declaredMocOrder(const HealpixMap& map);
void declareMocOrder(HealpixMap& map, int order);

}  // namespace armilla
