// SPDX-License-Identifier: GPL-3.0-or-later
// numpy arrays over memory that C++ owns, and spans over numpy arrays.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <complex>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "armilla/core/bad_sample.h"

namespace armilla::python {

// A contiguous array on the host that the Python layer has prepared.
template <typename T>
using ArrayIn = nanobind::ndarray<T, nanobind::c_contig, nanobind::device::cpu>;

template <typename T>
std::span<T> spanOf(const ArrayIn<T>& array) {
    return {array.data(), array.size()};
}

// A view of memory that `owner` keeps alive, without a copy.
template <typename T, typename Owner>
nanobind::object viewOf(const T* data, std::initializer_list<size_t> shape,
                        std::shared_ptr<Owner> owner) {
    auto* const held = new std::shared_ptr<const void>(std::move(owner));
    const nanobind::capsule keeper(
        held, [](void* p) noexcept { delete static_cast<std::shared_ptr<const void>*>(p); });
    nanobind::ndarray<nanobind::numpy, T> view(const_cast<T*>(data), shape, keeper);
    return view.cast();
}

// An array that takes over the memory of a vector.
template <typename T>
nanobind::object arrayOf(std::vector<T> values, std::initializer_list<size_t> shape) {
    auto owner = std::make_shared<std::vector<T>>(std::move(values));
    const T* const data = owner->data();
    return viewOf(data, shape, std::move(owner));
}
template <typename T>
nanobind::object arrayOf(std::vector<T> values) {
    const size_t count = values.size();
    return arrayOf(std::move(values), {count});
}

}  // namespace armilla::python
