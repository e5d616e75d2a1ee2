// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <dlfcn.h>

#include <initializer_list>

namespace armilla {

// A library that is loaded at run time. Never closed, because CUDA libraries keep state on devices
// until the process ends.
class FoundLibrary {
public:
    // Loads the first of `names` that exists.
    explicit FoundLibrary(std::initializer_list<const char*> names) {
        for (const char* const name : names) {
            handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
            if (handle_ != nullptr) break;
        }
    }
    bool isThere() const { return handle_ != nullptr; }
    // Looks up a function; false if absent.
    template <typename Function>
    bool load(const char* name, Function& function) const {
        function = reinterpret_cast<Function>(dlsym(handle_, name));
        return function != nullptr;
    }

private:
    void* handle_ = nullptr;
};

}  // namespace armilla
