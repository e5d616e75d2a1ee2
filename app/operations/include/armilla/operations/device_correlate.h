// SPDX-License-Identifier: GPL-3.0-or-later
// The operation `correlate` on catalogs in device memory.
#pragma once

#include <map>

#include "armilla/operations/operation.h"
#include "armilla/ops/device_pairs.h"

namespace armilla {

// Arrays of those catalogs of inputs that are in device memory. Such a catalog itself has the names
// of the columns, and rows without a meaning.
using DeviceCatalogs = std::map<const Catalog*, DeviceColumns>;

// runOperation() of `correlate`, after the check of the parameters. Throws Unsupported if the
// device of the context is another.
Outputs correlateOnDevice(Context& context, Inputs& inputs, const ParameterSet& parameters,
                          const DeviceCatalogs& onDevice);

}  // namespace armilla
