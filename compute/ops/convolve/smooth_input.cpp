// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/smooth_input.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/ops/resample.h"
#include "convolve/sky_values.h"

namespace armilla {

SmoothInput::SmoothInput(std::shared_ptr<const HealpixMap> map, std::vector<int> fields,
                         const Device& device)
    : map_(std::move(map)), fields_(std::move(fields)), device_(device) {
    if (!map_) throw InvalidArgument("expected a map to smooth, found none");
    if (fields_.empty()) throw InvalidArgument("expected a field to smooth, found none");
    for (const int field : fields_)
        if (field < 0 || field >= map_->fieldCount())
            throw InvalidArgument("expected fields from 0 to " +
                                  std::to_string(map_->fieldCount() - 1) + ", found " +
                                  std::to_string(field));
}

SmoothInput::SmoothInput(HealpixMap map, std::vector<int> fields, const Device& device)
    : SmoothInput(std::shared_ptr<const HealpixMap>(std::make_shared<HealpixMap>(std::move(map))),
                  std::move(fields), device) {
    // The constructor above received an object that is not const.
    usable_ = std::const_pointer_cast<HealpixMap>(map_);
}

void SmoothInput::requireField(size_t field) const {
    if (field >= fields_.size())
        throw InvalidArgument("expected a field from 0 to " + std::to_string(fields_.size() - 1) +
                              ", found " + std::to_string(field));
}

void SmoothInput::flatten(JobContext& job) {
    if (map_->coverage() != Coverage::MultiOrder) return;
    map_ = std::make_shared<const HealpixMap>(flattened(*map_, 0, job));
    usable_.reset();
}

std::vector<double> SmoothInput::takeValues(int field, JobContext& job) {
    if (HealpixMap* const own = ownOf(field))
        if (std::optional<std::vector<double>> taken = takenRingValues(*own, field, job)) {
            isUsedUp_ = true;
            return std::move(*taken);
        }
    return ringValues(*map_, field, job);
}

std::optional<WholeField> SmoothInput::takeWhole(int field, AboutMean aboutMean,
                                                 SpareArrays& arrays, JobContext& job) {
    HealpixMap* const own = ownOf(field);
    std::optional<WholeField> taken = wholeField(*map_, field, aboutMean, own, arrays, job);
    isUsedUp_ = isUsedUp_ || (taken && own != nullptr);
    return taken;
}

HealpixMap* SmoothInput::takeMap() {
    const bool isEachOwn = usable_ && std::all_of(fields_.begin(), fields_.end(),
                                                  [&](int field) { return ownOf(field); });
    isUsedUp_ = isUsedUp_ || isEachOwn;
    return isEachOwn ? usable_.get() : nullptr;
}

HealpixMap* SmoothInput::ownOf(int field) {
    return std::count(fields_.begin(), fields_.end(), field) == 1 ? usable_.get() : nullptr;
}

Field SmoothInput::result(int field, std::vector<double> values, JobContext& job) const {
    const Field& like = map_->field(field);
    return like.size() == 0 ? fieldOfTaken(like, std::move(values), job)
                            : fieldFromRing(*map_, like, values, job);
}

void SmoothInput::requireMap() const {
    if (isUsedUp_)
        throw InvalidArgument(
            "expected one smoothing of a map that the plan uses up, found another");
}

}  // namespace armilla
