// SPDX-License-Identifier: GPL-3.0-or-later
// Documents and drawable fields for the tests of the document.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "armilla/session/document.h"
#include "session_maps.h"

namespace armilla::test {

// Two maps, the second shown.
inline void fill(Document& document) {
    document.addLayer(polarizedMap(4), "a", {});
    document.addLayer(noiseMap(8), "b", {});
    document.history().endGesture();
}

inline std::shared_ptr<DrawableField> drawableOf(const Layer& entry,
                                                 const std::vector<float>& sample) {
    JobContext job;
    auto field = std::make_shared<DrawableField>();
    field->pyramid = std::make_shared<const MapPyramid>(MapPyramid::build(*entry.map, 0, 64, job));
    field->statistics = fieldStatistics(*entry.map, 0, job);
    field->sortedSample = sample;
    std::sort(field->sortedSample.begin(), field->sortedSample.end());
    field->revision = entry.revision;
    return field;
}

inline std::vector<float> ramp(float low, float high, int count = 1001) {
    std::vector<float> values;
    for (int i = 0; i < count; ++i)
        values.push_back(low +
                         (high - low) * static_cast<float>(i) / static_cast<float>(count - 1));
    return values;
}

}  // namespace armilla::test
