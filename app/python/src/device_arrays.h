// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays of other libraries in the memory of a CUDA device.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string>
#include <vector>

#include "armilla/device/device_values.h"

namespace armilla::python {

// A contiguous array, kept alive by this object: one row of values, or several.
struct DeviceArray {
    nanobind::ndarray<> tensor;  // empty: the array of `owner`
    nanobind::object owner;
    void* data = nullptr;
    std::vector<size_t> shape;  // one or two lengths
    bool isComplex = false, isSingle = false;

    std::string dtype() const;
    std::vector<DeviceValues> rows() const;
};

// The rows of all arrays, which must be complex numbers or all be real.
std::vector<DeviceValues> rowsOf(const std::vector<DeviceArray*>& arrays, bool isComplex);

// The values of a column: real numbers of one dimension.
DeviceValues columnValues(const DeviceArray& array);

}  // namespace armilla::python
