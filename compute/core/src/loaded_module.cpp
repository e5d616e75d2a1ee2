// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/loaded_module.h"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>

#include "armilla/core/error.h"

namespace armilla {

namespace {

namespace fs = std::filesystem;

// The folder of the program, or of the library that holds this code.
fs::path folderOfCode() {
    std::error_code ignored;
    Dl_info info{};
    if (dladdr(reinterpret_cast<void*>(&modulePath), &info) != 0 && info.dli_fname != nullptr) {
        const fs::path file(info.dli_fname);
        // Inside the program itself, dladdr returns the name from the command line, not a path.
        if (file.filename().string().find(".so") != std::string::npos)
            return fs::canonical(file, ignored).parent_path();
    }
    return fs::read_symlink("/proc/self/exe", ignored).parent_path();
}

}  // namespace

std::string modulePath(const std::string& module) {
    std::error_code ignored;
    const fs::path folder = folderOfCode();
    for (const fs::path& path :
         {folder / module, folder / "armilla" / module, folder / "bin" / module,
          folder.parent_path() / "bin" / module,
          folder.parent_path() / ARMILLA_INSTALL_LIBDIR / "armilla" / module})
        if (fs::exists(path, ignored)) return path.string();
    return "";
}

void* moduleSymbol(const std::string& module, const char* symbol) {
    const auto refuse = [&](const std::string& found) {
        throw Unsupported("expected " + module + ", a part of this program, found " + found);
    };
    const std::string path = modulePath(module);
    if (path.empty()) refuse("none beside the program");
    void* const loaded = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (loaded == nullptr) {
        const char* const reason = dlerror();
        refuse(reason != nullptr ? reason : "a file that does not load");
    }
    void* const found = dlsym(loaded, symbol);
    if (found == nullptr) refuse("one of another version: " + path);
    return found;
}

}  // namespace armilla
