// SPDX-License-Identifier: GPL-3.0-or-later
// Concurrent work of several devices.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string_view>

#include "armilla/core/job_context.h"

namespace armilla {

// Adds to the fraction of the work that is done.
using Advance = std::function<void(double part)>;

// Calls body(i, stop, advance) for i < count, each in a separate thread. The caller's thread
// reports progress. Cancellation of the job, or a failure of one call, stops all; the first failure
// is thrown.
void sideBySide(
    size_t count, JobContext& job, std::string_view stage,
    const std::function<void(size_t i, const std::stop_token& stop, const Advance& advance)>& body);

}  // namespace armilla
