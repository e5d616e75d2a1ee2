// SPDX-License-Identifier: GPL-3.0-or-later
// The question that replaces the error of a reader that lacks a fact.
#pragma once

#include <optional>

#include "armilla/core/job_context.h"
#include "armilla/session/stated_file.h"

namespace armilla {

// The question for an error of a reader; none if the error is another one, or if that fact was
// stated already. Reads the table of the file for the names of its columns. Runs in a job.
std::optional<FileQuestion> fileQuestion(const QString& path, const StatedFile& stated,
                                         const QString& line, JobContext& job);

}  // namespace armilla
