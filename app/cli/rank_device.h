// SPDX-License-Identifier: GPL-3.0-or-later
// The device of one rank of several.
#pragma once

#include <string>

#include "cli/launch.h"
#include "ops/device.h"

namespace armilla::cli {

// What --device, of all ranks, means for this one; called by all. Ranks of a machine take its
// devices in turn: "cuda" one each, those left over compute on the CPU; "cuda:N,M" these, again
// and again; "auto" the CPU. Throws as Device::fromText, by "cuda" only if no rank has a device.
std::string deviceOfRank(const std::string& text, DeviceSupport support, const LaunchedAs& as,
                         Ranks& ranks, JobContext& job);

}  // namespace armilla::cli
