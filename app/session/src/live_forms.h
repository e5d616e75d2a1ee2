// SPDX-License-Identifier: GPL-3.0-or-later
// How operations are made smaller to be quick: fewer points, wider cells. Run in jobs.
#pragma once

#include <QStringList>
#include <optional>
#include <vector>

#include "ops/device.h"
#include "session/live_tool.h"

namespace armilla {

// A pass of a wish; stages count from 0 and get finer. None: there is no finer one that is quick.
// Throws as the operation does.
std::optional<LivePass> livePass(const OperationRequest& request,
                                 const std::vector<LayerValue>& values, const QStringList& names,
                                 int channel, int stage, const Device& device, JobContext& job);

// So many of a catalog's rows, evenly drawn, in their order; of its columns those named, and the
// positions. All rows where there are no more.
std::shared_ptr<const Catalog> catalogSample(const Catalog& catalog,
                                             const std::vector<std::string>& columns, int64_t rows);
// A map as a picture around its good pixels, at most so many pixels wide: of the sky seen gnomonic,
// or all of it.
std::shared_ptr<const Image> imageOfMap(const HealpixMap& map, JobContext& job,
                                        int mostAcross = 720);

}  // namespace armilla
