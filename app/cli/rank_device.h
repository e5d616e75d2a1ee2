// SPDX-License-Identifier: GPL-3.0-or-later
// Device of one rank.
#pragma once

#include <string>

#include "armilla/ops/device.h"
#include "cli/launch.h"

namespace armilla::cli {

// Meaning of --device for this rank; all ranks call it. Ranks of a machine take its devices in
// turn. "cuda": one each, the remaining ranks compute on the CPU. "cuda:N,M": these devices,
// cyclically. "auto": the CPU. Throws as Device::fromText; for "cuda" only if no rank has a device.
std::string deviceOfRank(const std::string& text, DeviceSupport support, const LaunchedAs& as,
                         Ranks& ranks, JobContext& job);

}  // namespace armilla::cli
