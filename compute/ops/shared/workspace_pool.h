// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <mutex>
#include <vector>

namespace armilla {

// Workspaces of a job or a plan, each used by one thread at a time and freed at its end.
// Thread-local buffers would live as long as the window.
template <typename Workspace>
class WorkspacePool {
public:
    // Constructs a new one from `arguments` if none is free.
    template <typename... Arguments>
    std::shared_ptr<Workspace> take(const Arguments&... arguments) {
        const std::lock_guard lock(mutex_);
        if (free_.empty()) return std::make_shared<Workspace>(arguments...);
        auto one = free_.back();
        free_.pop_back();
        return one;
    }
    void giveBack(const std::shared_ptr<Workspace>& one) {
        const std::lock_guard lock(mutex_);
        free_.push_back(one);
    }

private:
    std::mutex mutex_;
    std::vector<std::shared_ptr<Workspace>> free_;
};

}  // namespace armilla
