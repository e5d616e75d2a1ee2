// SPDX-License-Identifier: GPL-3.0-or-later
// Dispatch from the command line to one command; errors become one line and an exit status.
#pragma once

namespace armilla::cli {

// Exit statuses.
constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kUsage = 2;
constexpr int kInterrupted = 130;

// Runs the program; returns the exit status.
int runApplication(int argc, char** argv);

}  // namespace armilla::cli
