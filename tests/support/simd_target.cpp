// SPDX-License-Identifier: GPL-3.0-or-later
// Linked into tests of code that chooses among instruction sets: $ARMILLA_SIMD names one, by
// Highway's name, and the whole test runs with that. The test is skipped if the processor lacks the
// set, or if the set is the default.
#include <hwy/targets.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

const bool isChosen = [] {
    const char* wanted = std::getenv("ARMILLA_SIMD");
    if (wanted == nullptr) return false;
    const int64_t compiled = hwy::SupportedTargets() & HWY_TARGETS, best = compiled & -compiled;
    for (int64_t targets = hwy::SupportedTargets(); targets != 0; targets &= targets - 1) {
        const int64_t target = targets & -targets;
        if (std::string_view(hwy::TargetName(target)) != wanted) continue;
        if (target == best) {
            std::printf("SKIP   : simd_target::initTestCase() runs with %s without being told\n",
                        wanted);
            std::exit(0);
        }
        hwy::SetSupportedTargetsForTest(target);
        return true;
    }
    std::printf("SKIP   : simd_target::initTestCase() this processor has no %s\n", wanted);
    std::exit(0);
}();

}  // namespace
