// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nanobind/nanobind.h>

#include "armilla/operations/operation.h"

namespace armilla::python {

// Sets parameters by the names of the command line: text is parsed as there, numbers are in the
// units of the library. Throws InvalidArgument.
void setParameters(ParameterSet& parameters, const nanobind::dict& given);

}  // namespace armilla::python
