// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/window.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "armilla/core/error.h"

namespace armilla::cli {

void openWindow(const std::vector<std::string>& files) {
    std::string program = "armilla-gui";
    std::vector<char*> arguments{program.data()};
    std::vector<std::string> copies = files;
    for (std::string& file : copies) arguments.push_back(file.data());
    arguments.push_back(nullptr);

    std::error_code failed;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failed);
    if (!failed) execv((self.parent_path() / program).c_str(), arguments.data());
    execvp(program.c_str(), arguments.data());
    throw Unsupported("expected the program armilla-gui beside armilla or in PATH, found: " +
                      std::string(std::strerror(errno)));
}

}  // namespace armilla::cli
