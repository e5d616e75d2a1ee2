// SPDX-License-Identifier: GPL-3.0-or-later
#include "cfitsio_error.h"

#include <fitsio.h>

#include <array>

#include "core/error.h"
#include "fits_header.h"

namespace armilla {

void checkCfitsio(int status, const std::string& path, const std::string& expected) {
    if (status == 0) return;
    std::array<char, FLEN_STATUS> reason{};
    fits_get_errstatus(status, reason.data());
    std::string line = trimmed(reason.data());
    std::array<char, FLEN_ERRMSG> message{};
    // The first message is the cause; the ones behind it say what could not be done because of it.
    if (fits_read_errmsg(message.data()) != 0) line += " (" + trimmed(message.data()) + ")";
    fits_clear_errmsg();
    throw IoError(path + ": expected " + expected + ", found: " + line);
}

}  // namespace armilla
