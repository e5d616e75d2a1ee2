// SPDX-License-Identifier: GPL-3.0-or-later
#include "smooth_picture.h"

#include <utility>

namespace armilla {

std::shared_ptr<SmoothPicture> smoothPicture(const MapPointer& map, SmoothPlanCache& plan,
                                             const SmoothRequest& request, int64_t nside,
                                             int64_t maxDrawNside, const Device& device,
                                             JobContext& job) {
    JobContext smoothing = job.part(0.0, 0.9), drawing = job.part(0.9, 1.0);
    auto picture = std::make_shared<SmoothPicture>();
    picture->result =
        plan.smooth(map, request.fields, request.parameters, nside, device, smoothing);
    const HealpixMap& made = *picture->result.map;
    picture->isWhole = nside >= map->nside();
    picture->field = counterpartField(*map, request.of.field, made);
    picture->quantity = made.polarizationPair() ? request.of.quantity : Quantity::Field;
    picture->drawable = makeDrawable(picture->result.map, {{}, picture->field, picture->quantity},
                                     request.view, maxDrawNside, drawing);
    return picture;
}

std::shared_ptr<SmoothPicture> filterPicture(const FilterRequest& request, FilterPlanCache& plan,
                                             int64_t nside, int64_t estimateNside,
                                             int64_t maxDrawNside, const Device& device,
                                             JobContext& job) {
    JobContext filtering = job.part(0.0, 0.9), drawing = job.part(0.9, 1.0);
    auto picture = std::make_shared<SmoothPicture>();
    FilterPlanCache::Result made =
        nside == 0 ? plan.make(request, device, filtering)
                   : plan.preview(request, nside, estimateNside, device, filtering);
    picture->isWhole = made.isWhole;
    picture->isEstimate = made.isEstimate;
    picture->result.map = std::move(made.map);
    picture->result.note = made.note;
    picture->drawable = makeDrawable(picture->result.map, {{}, 0, Quantity::Field}, Frame::Unknown,
                                     maxDrawNside, drawing);
    return picture;
}

}  // namespace armilla
