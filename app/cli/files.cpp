// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/files.h"

#include <optional>

#include "armilla/operations/files.h"

namespace armilla::cli {

void checkOutput(const std::string& path, bool overwrite) {
    checkOutputName(path, overwrite, std::nullopt);
}

Json frameJson(Frame frame) {
    const char letter = frameLetter(frame);
    return letter == 0 ? Json() : Json(std::string(1, letter));
}

}  // namespace armilla::cli
