// SPDX-License-Identifier: GPL-3.0-or-later
// Maps that exceed the memory, as far as a picture shows them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "armilla/core/healpix_map.h"
#include "armilla/core/job_context.h"
#include "armilla/core/view_geometry.h"
#include "armilla/operations/files.h"

namespace armilla {

// The first field of a map, or the one of ReadRequest::field.
struct MapInView {
    // Means at the nside that the view draws, or in a close view the pixels in view.
    std::shared_ptr<const HealpixMap> map;
    // Pixels at even steps over the sky, for the range of the colors.
    std::shared_ptr<const HealpixMap> sample;
};
// Returns none for a map that fits in `memory` bytes with a pyramid, and for files of other kinds.
// `drawn`: frame of the picture; Frame::Unknown: that of the map. Throws OutOfMemory for one of Q
// and U in another frame, where both rotate together. `viewOf` returns the picture on the sky of a
// map in a frame; pixels in a margin around it are read as well. Means are made at the first call
// and kept (armilla/io/map_means.h). Throws as readMeans, and OutOfMemory.
std::optional<MapInView> mapInView(const std::string& path, const ReadRequest& request,
                                   const std::function<ViewGeometry(Frame)>& viewOf, Frame drawn,
                                   int64_t memory, JobContext& job);

}  // namespace armilla
