// SPDX-License-Identifier: GPL-3.0-or-later
// Operations that other layers run with parameters of their own choice. An id of an operation
// stands in this layer, and in the window in the table of tools alone.
#pragma once

#include "armilla/operations/operation.h"

namespace armilla::operations {

const Operation& anafast();
const Operation& mask();
const Operation& project();
const Operation& remove();
const Operation& sample();
const Operation& select();
const Operation& smooth();
const Operation& stats();

}  // namespace armilla::operations
