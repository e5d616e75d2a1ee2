// SPDX-License-Identifier: GPL-3.0-or-later
#include "convolve/smooth_input.h"

#include <string>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/ops/resample.h"

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

void SmoothInput::requireField(size_t field) const {
    if (field >= fields_.size())
        throw InvalidArgument("expected a field from 0 to " + std::to_string(fields_.size() - 1) +
                              ", found " + std::to_string(field));
}

void SmoothInput::flatten(JobContext& job) {
    if (map_->coverage() == Coverage::MultiOrder)
        map_ = std::make_shared<const HealpixMap>(flattened(*map_, 0, job));
}

}  // namespace armilla
