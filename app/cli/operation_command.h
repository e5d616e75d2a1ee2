// SPDX-License-Identifier: GPL-3.0-or-later
// An operation as a batch command.
#pragma once

#include <memory>

#include "armilla/operations/operation.h"
#include "cli/command.h"

namespace armilla::cli {

std::unique_ptr<Command> makeOperationCommand(const Operation& operation);

}  // namespace armilla::cli
