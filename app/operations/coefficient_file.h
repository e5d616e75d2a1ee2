// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the coefficients of a file with their frame, unit and spin.
#pragma once

#include <memory>
#include <string>

#include "armilla/operations/data.h"
#include "armilla/operations/files.h"

namespace armilla {

// Mutable until it is shared, as Input::takeAlm() requires. Throws as readAlm.
std::shared_ptr<const AlmSet> readAlmSet(const std::string& path, const ReadRequest& request,
                                         JobContext& job);

}  // namespace armilla
