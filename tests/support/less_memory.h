// SPDX-License-Identifier: GPL-3.0-or-later
// Limits the available memory of this process within a scope.
#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>

namespace armilla::test {

class LessMemory {
public:
    explicit LessMemory(int64_t bytes) {
        getrlimit(RLIMIT_AS, &before_);
        int64_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        rlimit less = before_;
        less.rlim_cur = static_cast<rlim_t>(pages * sysconf(_SC_PAGESIZE) + bytes);
        setrlimit(RLIMIT_AS, &less);
    }
    ~LessMemory() { setrlimit(RLIMIT_AS, &before_); }
    LessMemory(const LessMemory&) = delete;
    LessMemory& operator=(const LessMemory&) = delete;

private:
    rlimit before_{};
};

}  // namespace armilla::test
