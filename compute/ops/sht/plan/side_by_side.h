// SPDX-License-Identifier: GPL-3.0-or-later
// Work of several devices side by side.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string_view>

#include "core/job_context.h"

namespace armilla {

// Adds to the share of the work that is done.
using Advance = std::function<void(double part)>;

// Calls body(i, stop, advance) for i < count, each in a thread of its own. Progress is reported
// from the caller's thread. A stop of the job, or a failure of one, stops all; the first failure
// is thrown.
void sideBySide(
    size_t count, JobContext& job, std::string_view stage,
    const std::function<void(size_t i, const std::stop_token& stop, const Advance& advance)>& body);

}  // namespace armilla
