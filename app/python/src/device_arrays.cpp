// SPDX-License-Identifier: GPL-3.0-or-later
// Import of arrays in device memory by DLPack and by the CUDA array interface, and new ones.
#include "device_arrays.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>

#include "armilla/core/error.h"
#include "armilla/device/cuda_array.h"
#include "values.h"

namespace nb = nanobind;

namespace armilla::python {

namespace {

void checkShape(const std::vector<size_t>& shape) {
    if (shape.empty() || shape.size() > 2)
        throw InvalidArgument("expected an array of one or two dimensions, found " +
                              std::to_string(shape.size()));
}

[[noreturn]] void refuseType() {
    throw InvalidArgument(
        "expected a device array of float32, float64, complex64 or complex128, found another type");
}

DeviceArray ofCapsule(const nb::ndarray<>& tensor) {
    DeviceArray array;
    for (size_t i = 0; i < tensor.ndim(); ++i) array.shape.push_back(tensor.shape(i));
    checkShape(array.shape);
    int64_t step = 1;
    for (size_t i = tensor.ndim(); i-- > 0;) {
        if (tensor.shape(i) > 1 && tensor.stride(i) != step)
            throw InvalidArgument("expected a contiguous device array, found one with strides");
        step *= static_cast<int64_t>(tensor.shape(i));
    }
    const nb::dlpack::dtype type = tensor.dtype();
    array.isComplex = type.code == static_cast<uint8_t>(nb::dlpack::dtype_code::Complex);
    const bool isReal = type.code == static_cast<uint8_t>(nb::dlpack::dtype_code::Float);
    const int bits = array.isComplex ? type.bits / 2 : type.bits;
    if (!(array.isComplex || isReal) || (bits != 32 && bits != 64) || type.lanes != 1) refuseType();
    array.isSingle = bits == 32;
    array.data = tensor.data();
    array.tensor = tensor;
    return array;
}

// `type`: of the CUDA array interface, as in numpy.
DeviceArray atAddress(uintptr_t address, const std::vector<size_t>& shape, const std::string& type,
                      nb::object owner) {
    checkShape(shape);
    DeviceArray array;
    array.isComplex = type == "<c8" || type == "<c16";
    array.isSingle = type == "<c8" || type == "<f4";
    if (!array.isComplex && type != "<f4" && type != "<f8") refuseType();
    array.shape = shape;
    array.data = reinterpret_cast<void*>(address);
    array.owner = std::move(owner);
    return array;
}

// An array of the library's own memory, which other libraries take by DLPack.
nb::object newArray(const std::vector<size_t>& shape, const std::string& type, int device) {
    checkShape(shape);
    const bool isComplex = type.starts_with("complex");
    const bool isSingle = type == "float32" || type == "complex64";
    size_t values = isComplex ? 2 : 1;
    for (const size_t length : shape) values *= length;
    auto owner = std::make_unique<CudaArray>(device, isSingle ? (values + 1) / 2 : values);
    void* const data = owner->data();
    const nb::capsule keeper(owner.release(),
                             [](void* p) noexcept { delete static_cast<CudaArray*>(p); });
    nb::dlpack::dtype kind;
    kind.code = static_cast<uint8_t>(isComplex ? nb::dlpack::dtype_code::Complex
                                               : nb::dlpack::dtype_code::Float);
    kind.bits = static_cast<uint8_t>((isSingle ? 32 : 64) * (isComplex ? 2 : 1));
    kind.lanes = 1;
    nb::ndarray<nb::array_api> array(data, shape.size(), shape.data(), keeper, nullptr, kind,
                                     nb::device::cuda::value, device);
    return array.cast();
}

}  // namespace

std::string DeviceArray::dtype() const {
    if (isComplex) return isSingle ? "complex64" : "complex128";
    return isSingle ? "float32" : "float64";
}

std::vector<DeviceValues> DeviceArray::rows() const {
    const size_t each = shape.back() * (isComplex ? 2 : 1);
    const size_t bytes = each * (isSingle ? sizeof(float) : sizeof(double));
    std::vector<DeviceValues> all;
    for (size_t i = 0; i < (shape.size() == 2 ? shape[0] : 1); ++i)
        all.push_back({static_cast<char*>(data) + i * bytes, each, isSingle});
    return all;
}

std::vector<DeviceValues> rowsOf(const std::vector<DeviceArray*>& arrays, bool isComplex) {
    std::vector<DeviceValues> all;
    for (const DeviceArray* array : arrays) {
        if (array->isComplex != isComplex)
            throw InvalidArgument(std::string("expected device arrays of ") +
                                  (isComplex ? "complex" : "real") + " numbers, found " +
                                  array->dtype());
        for (const DeviceValues& row : array->rows()) all.push_back(row);
    }
    return all;
}

DeviceValues columnValues(const DeviceArray& array) {
    if (array.isComplex || array.shape.size() != 1)
        throw InvalidArgument(
            "expected columns of real numbers of one dimension in device memory, found another "
            "array");
    return array.rows().front();
}

void bindDeviceArrays(nb::module_& module) {
    nb::class_<DeviceArray>(module, "DeviceArray")
        .def_prop_ro("shape",
                     [](const DeviceArray& self) { return nb::tuple(nb::cast(self.shape)); })
        .def_prop_ro("dtype", &DeviceArray::dtype);
    nb::class_<DeviceStream>(module, "DeviceStream")
        .def(nb::init<int>(), nb::arg("device"))
        .def_prop_ro("device", &DeviceStream::device)
        .def_prop_ro(
            "handle",
            [](const DeviceStream& self) { return reinterpret_cast<uintptr_t>(self.handle()); })
        .def("wait_for", [](DeviceStream& self, uintptr_t other) {
            self.waitFor(reinterpret_cast<void*>(other));
        });
    module.def("device_of_memory", [](uintptr_t address) {
        return deviceOfMemory(reinterpret_cast<const void*>(address));
    });
    module.def("device_array_of_capsule", &ofCapsule, nb::arg("capsule"));
    module.def("device_array_at", &atAddress, nb::arg("address"), nb::arg("shape"), nb::arg("type"),
               nb::arg("owner"));
    module.def("new_device_array", &newArray, nb::arg("shape"), nb::arg("dtype"),
               nb::arg("device"));
}

}  // namespace armilla::python
