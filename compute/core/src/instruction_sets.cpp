// SPDX-License-Identifier: GPL-3.0-or-later
// The two functions of Highway's library that loops compiled for several instruction sets call.
// The library measures the clock of the processor for 4 ms when it is loaded, which is as long as a
// short command takes. The program therefore defines both functions itself and calls those of the
// library, which a module loads on first use.
#include <hwy/targets.h>

#include "armilla/core/loaded_module.h"

namespace {

template <class Function>
Function libraryFunction(const char* mangled) {
    return reinterpret_cast<Function>(armilla::moduleSymbol("armilla-simd.so", mangled));
}

}  // namespace

namespace hwy {

int64_t SupportedTargets() {
    static const auto function = libraryFunction<int64_t (*)()>("_ZN3hwy16SupportedTargetsEv");
    return function();
}

ChosenTarget& GetChosenTarget() {
    static const auto function = libraryFunction<ChosenTarget& (*)()>("_ZN3hwy15GetChosenTargetEv");
    return function();
}

}  // namespace hwy
