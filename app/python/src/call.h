// SPDX-License-Identifier: GPL-3.0-or-later
// Runs C++ work for Python: without the GIL, with Ctrl-C, progress and errors of the module.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>

#include "armilla/core/job_context.h"

namespace armilla::python {

// Keyword arguments that every call with work takes.
struct CallOptions {
    int threads = 0;  // 0: all processors that this process may use
    nanobind::object progress = nanobind::none();
};

// Runs `work` on a thread of its own and waits for its end without the GIL. Every 50 ms the calling
// thread runs the signal handlers of Python and calls `progress(fraction, stage)`; an exception of
// either cancels the job and is raised once the job has ended.
void runJob(const CallOptions& options, const std::function<void(JobContext&)>& work);

// The same in the calling thread, for work on a device that reports progress every few
// milliseconds: a thread takes longer than a short transform. Signal handlers and `progress` run
// inside the reports, every 50 ms.
void runReporting(const CallOptions& options, const std::function<void(JobContext&)>& work);

// Translates the project's errors into the classes of armilla._errors.
void registerErrors();

}  // namespace armilla::python
