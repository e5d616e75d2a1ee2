// SPDX-License-Identifier: GPL-3.0-or-later
// Reduced forms of operations for quick previews: fewer points, wider cells. The functions run in
// jobs.
#pragma once

#include <QStringList>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "armilla/ops/device.h"
#include "armilla/session/live_region.h"
#include "armilla/session/live_tool.h"
#include "armilla/session/operation_run.h"
#include "map_work.h"

namespace armilla {

// The mask of the last request before its edges shrink, grow or soften. Kept between passes,
// because sliders of these angles leave it as it is. Thread-safe.
class KeptMask {
public:
    // The mask without the changes at its edges; computed where another request was kept. Throws as
    // the operation.
    MapPointer get(const OperationRequest& request, const std::vector<LayerValue>& values,
                   const QStringList& names, const Device& device, JobContext& job);
    // The kept mask; null for another request.
    MapPointer find(const OperationRequest& request, const std::vector<LayerValue>& values) const;

private:
    // Held while a mask is computed, so that one of two passes waits for the other.
    std::timed_mutex computing_;
    mutable std::mutex guard_;
    QByteArray record_;
    std::vector<LayerValue> values_;
    MapPointer mask_;
};

// The viewed part of the sky, and what earlier passes of the tool left.
struct LiveSurroundings {
    std::optional<LookedAt> seen;
    std::shared_ptr<KeptMask> mask;
};

// True if a request has a last step (LiveForm::lastStep), and its mask before that is worth
// keeping.
bool hasMaskEdges(const OperationRequest& request);

// Computes one pass of a request; stages count from 0 and become finer. None if no finer quick pass
// exists. Throws as the operation.
std::optional<LivePass> livePass(const OperationRequest& request,
                                 const std::vector<LayerValue>& values, const QStringList& names,
                                 int channel, int stage, const Device& device, JobContext& job,
                                 const LiveSurroundings& around = {});

// A pass of an operation that makes a mask.
std::optional<LivePass> pixelsPass(OperationRequest request, std::vector<LayerValue> values,
                                   const QStringList& names, int stage, const Device& device,
                                   JobContext& job, const LiveSurroundings& around);

// An evenly drawn sample of a catalog's rows, in order, with the named columns and the positions.
// All rows if the catalog has no more than `rows`.
std::shared_ptr<const Catalog> catalogSample(const Catalog& catalog,
                                             const std::vector<std::string>& columns, int64_t rows);
// A map as a picture around its good pixels, at most `mostAcross` pixels wide; in gnomonic
// projection, or the whole sky.
std::shared_ptr<const Image> imageOfMap(const HealpixMap& map, JobContext& job,
                                        int mostAcross = 720);

}  // namespace armilla
