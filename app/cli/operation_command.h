// SPDX-License-Identifier: GPL-3.0-or-later
// An operation as a batch command.
#pragma once

#include <memory>

#include "cli/command.h"
#include "operations/operation.h"

namespace armilla::cli {

std::unique_ptr<Command> makeOperationCommand(const Operation& operation);

}  // namespace armilla::cli
