// SPDX-License-Identifier: GPL-3.0-or-later
// The entries of the table of operations: one function each, in the file of the operation.
#pragma once

#include <vector>

#include "operations/operation.h"

namespace armilla {

Operation filterOperation();
Operation maskOperation();
Operation sampleOperation();
Operation smoothOperation();
Operation sourcesOperation();

std::vector<Operation> operationTable();

}  // namespace armilla
