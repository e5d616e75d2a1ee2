// SPDX-License-Identifier: GPL-3.0-or-later
// Reduced forms of operations for quick previews: fewer points, wider cells. The functions run in
// jobs.
#pragma once

#include <QStringList>
#include <optional>
#include <vector>

#include "armilla/ops/device.h"
#include "armilla/session/live_tool.h"

namespace armilla {

// Computes one pass of a request; stages count from 0 and become finer. None if no finer quick pass
// exists. Throws as the operation.
std::optional<LivePass> livePass(const OperationRequest& request,
                                 const std::vector<LayerValue>& values, const QStringList& names,
                                 int channel, int stage, const Device& device, JobContext& job);

// The pass of the operation `mask`: a map.
std::optional<LivePass> maskPass(OperationRequest request, std::vector<LayerValue> values,
                                 const QStringList& names, int stage, const Device& device,
                                 JobContext& job);

// An evenly drawn sample of a catalog's rows, in order, with the named columns and the positions.
// All rows if the catalog has no more than `rows`.
std::shared_ptr<const Catalog> catalogSample(const Catalog& catalog,
                                             const std::vector<std::string>& columns, int64_t rows);
// A map as a picture around its good pixels, at most `mostAcross` pixels wide; in gnomonic
// projection, or the whole sky.
std::shared_ptr<const Image> imageOfMap(const HealpixMap& map, JobContext& job,
                                        int mostAcross = 720);

}  // namespace armilla
