// SPDX-License-Identifier: GPL-3.0-or-later
// Requests for live pictures of a map: smoothing, or a filter for sources.
#pragma once

#include <QStringList>
#include <cstdint>
#include <variant>
#include <vector>

#include "armilla/ops/convolve.h"
#include "armilla/session/operation_run.h"
#include "armilla/session/shown.h"

namespace armilla {

// The map of a request, with its revision at that time.
struct LiveSubject {
    Shown of;
    uint64_t revision = 0;
    std::vector<int> fields;
    Frame view = Frame::Unknown;  // frame of the pictures; Q and U are rotated to it
};

struct SmoothRequest : LiveSubject {
    SmoothParameters parameters;
    QString profilePath;
};

// A request to run `filter`, with the layers at that time.
struct FilterRequest : LiveSubject {
    OperationRequest operation;
    std::vector<LayerValue> values;
    QStringList names;
};

using LiveRequest = std::variant<SmoothRequest, FilterRequest>;

inline const LiveSubject& subjectOf(const LiveRequest& request) {
    return std::visit([](const LiveSubject& subject) -> const LiveSubject& { return subject; },
                      request);
}
inline LiveSubject& subjectOf(LiveRequest& request) {
    return std::visit([](LiveSubject& subject) -> LiveSubject& { return subject; }, request);
}

}  // namespace armilla
