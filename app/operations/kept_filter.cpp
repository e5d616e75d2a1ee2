// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/operations/kept_filter.h"

#include <utility>

namespace armilla {

FilterPlan& KeptFilter::planFor(const std::shared_ptr<const HealpixMap>& map, int field,
                                const Device& device) {
    const auto serves = [&](const std::optional<Kept>& kept, const Device& on) {
        return kept && kept->map == map && kept->field == field && kept->device == on.label();
    };
    if (serves(last_, device)) {
        ofCpu_.reset();
        return last_->plan;
    }
    if (serves(ofCpu_, device)) {
        last_ = std::exchange(ofCpu_, std::nullopt);
        return last_->plan;
    }
    ofCpu_.reset();
    if (serves(last_, Device::cpu())) ofCpu_ = std::move(last_);
    last_.reset();
    last_.emplace(Kept{map, field, device.label(), {map, field, device, FilterPictures::Live}});
    return last_->plan;
}

FilterPlan* KeptFilter::planOf(const HealpixMap* map, int field) {
    return last_ && last_->map.get() == map && last_->field == field ? &last_->plan : nullptr;
}

int64_t KeptFilter::memoryBytes() const {
    auto bytes =
        static_cast<int64_t>((sky.filtered.capacity() + sky.rms.capacity()) * sizeof(double) +
                             sky.share.capacity() * sizeof(float));
    for (const std::optional<Kept>* each : {&last_, &ofCpu_})
        if (*each) bytes += (*each)->plan.memoryBytes();
    return bytes;
}

void KeptFilter::release() {
    last_.reset();
    ofCpu_.reset();
    sky = {};
}

}  // namespace armilla
