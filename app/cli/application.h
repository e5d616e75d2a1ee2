// SPDX-License-Identifier: GPL-3.0-or-later
// From the command line to one command, its errors to one line and an exit status.
#pragma once

namespace armilla::cli {

enum ExitStatus { kDone = 0, kFailed = 1, kUsage = 2, kInterrupted = 130 };

// Runs the program; returns the exit status.
int runApplication(int argc, char** argv);

}  // namespace armilla::cli
