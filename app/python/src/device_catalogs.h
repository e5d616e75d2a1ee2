// SPDX-License-Identifier: GPL-3.0-or-later
// Catalogs whose columns are arrays in device memory.
#pragma once

#include <nanobind/nanobind.h>

#include "armilla/ops/device_pairs.h"
#include "values.h"

namespace armilla::python {

// The Python object keeps the arrays alive.
struct DeviceCatalog {
    Value names;  // one row, without a meaning
    DeviceColumns columns;
    nanobind::object arrays;
};

// Throws Unsupported if the rows of a catalog would be converted from another equinox.
void requireUnturned(const Catalog& names);

}  // namespace armilla::python
