// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/rank_device.h"

#include <exception>
#include <vector>

#include "armilla/core/error.h"

namespace armilla::cli {

std::string deviceOfRank(const std::string& text, DeviceSupport support, const LaunchedAs& as,
                         Ranks& ranks, JobContext& job) {
    std::vector<int> devices;
    std::exception_ptr problem;
    try {
        const Device asked = Device::fromText(text, support);
        if (asked.kind == DeviceKind::Cuda) {
            devices = asked.others;
            devices.insert(devices.begin(), asked.index);
        }
    } catch (const InvalidArgument&) {
        return text;  // refused with the error of a single process
    } catch (const Error&) {
        problem = std::current_exception();
    }
    const auto local = static_cast<size_t>(as.localRank);
    const bool named = text.starts_with("cuda:");
    bool has = !devices.empty() && (named || local < devices.size());
    if (text == "auto") has = false;  // ranks use devices only on request
    const int own = has ? 1 : 0;
    bool any = false;
    for (const auto& each : ranks.gatherAll(std::span<const int>(&own, 1), job))
        any = any || each.at(0) != 0;
    if (problem && (named || !any)) std::rethrow_exception(problem);
    return has ? "cuda:" + std::to_string(devices[local % devices.size()]) : "cpu";
}

}  // namespace armilla::cli
