// SPDX-License-Identifier: GPL-3.0-or-later
#include "limited_child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

namespace armilla {

namespace {

void limit(int which, int64_t value, int64_t most) {
    const rlimit both{static_cast<rlim_t>(value), static_cast<rlim_t>(most)};
    setrlimit(which, &both);
}

void limit(int which, int64_t value) {
    limit(which, value, value);
}

}  // namespace

int64_t addressSpace() {
    std::ifstream statm("/proc/self/statm");
    int64_t pages = 0;
    statm >> pages;
    return pages * sysconf(_SC_PAGESIZE);
}

void confine(const ChildLimits& limits) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (const int number :
         {SIGINT, SIGTERM, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL, SIGHUP, SIGXCPU})
        signal(number, SIG_DFL);
    signal(SIGXFSZ, SIG_IGN);  // writes fail instead
    const int nowhere = open("/dev/null", O_RDWR);
    for (const int standard : {0, 1, 2}) dup2(nowhere, standard);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, limits.fileBytes);
    // At the largest limit the kernel sends SIGKILL, as others do; a second before, SIGXCPU.
    limit(RLIMIT_CPU, limits.seconds, int64_t{limits.seconds} + 1);
    limit(RLIMIT_AS, limits.memoryBytes);
}

int endOf(pid_t child) {
    int how = 0;
    while (waitpid(child, &how, 0) < 0 && errno == EINTR) continue;
    return how;
}

ChildEnd childEnd(int status) {
    if (WIFEXITED(status)) return WEXITSTATUS(status) == 0 ? ChildEnd::Done : ChildEnd::Broken;
    switch (WTERMSIG(status)) {
        case SIGSEGV:
        case SIGBUS:
        case SIGFPE:
        case SIGILL:
        case SIGABRT:
        case SIGTRAP:
        case SIGSYS:
        case SIGXCPU: return ChildEnd::Broken;
        default: return ChildEnd::Killed;
    }
}

}  // namespace armilla
