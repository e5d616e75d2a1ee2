// SPDX-License-Identifier: GPL-3.0-or-later
// cfitsio's failures as one of our lines.
#pragma once

#include <string>

namespace armilla {

// Does nothing for status 0. Else takes all messages off cfitsio's stack and throws IoError
// "PATH: expected EXPECTED, found: <cfitsio's reason; its messages>".
void checkCfitsio(int status, const std::string& path, const std::string& expected);

}  // namespace armilla
