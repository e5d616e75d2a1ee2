// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstring>

#include "fits_header.h"
#include "hdf5_handles.h"

namespace armilla {

namespace {

// A text of variable length, the form of texts in h5py.
std::string variableText(hid_t attribute, hid_t type) {
    const Handle held(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(held.id(), H5T_VARIABLE);
    H5Tset_cset(held.id(), H5Tget_cset(type));
    char* read = nullptr;
    if (H5Aread(attribute, held.id(), static_cast<void*>(&read)) < 0 || read == nullptr) return {};
    const std::string text(read, strnlen(read, kMostTextBytes));
    H5free_memory(read);
    return text;
}

}  // namespace

std::string attributeText(hid_t object, const char* name) {
    if (H5Aexists(object, name) <= 0) return {};
    const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
    const Handle type(H5Aget_type(attribute.id()), H5Tclose);
    if (!attribute.isOpen() || H5Tget_class(type.id()) != H5T_STRING) return {};
    const Handle space(H5Aget_space(attribute.id()), H5Sclose);
    if (H5Sget_simple_extent_npoints(space.id()) != 1) return {};
    if (H5Tis_variable_str(type.id()) > 0) return variableText(attribute.id(), type.id());
    if (H5Tget_size(type.id()) > kMostTextBytes) return {};
    std::string text(H5Tget_size(type.id()) + 1, '\0');
    if (H5Aread(attribute.id(), type.id(), text.data()) < 0) return {};
    text.resize(text.find('\0'));
    text.erase(text.find_last_not_of(' ') + 1);  // padding of Fortran
    return text;
}

std::optional<double> attributeNumber(hid_t object, const char* name) {
    if (const std::string text = attributeText(object, name); !text.empty()) {
        const auto number = parseInteger(text);
        return number ? std::optional(static_cast<double>(*number)) : std::nullopt;
    }
    if (H5Aexists(object, name) <= 0) return std::nullopt;
    const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
    const Handle type(H5Aget_type(attribute.id()), H5Tclose);
    const Handle space(H5Aget_space(attribute.id()), H5Sclose);
    if (H5Sget_simple_extent_npoints(space.id()) != 1) return std::nullopt;
    const H5T_class_t kind = H5Tget_class(type.id());
    // The library does not convert enumerations to floating-point numbers.
    if (kind == H5T_ENUM && H5Tget_size(type.id()) == 1) {
        signed char logical = 0;
        if (H5Aread(attribute.id(), type.id(), &logical) < 0) return std::nullopt;
        return logical;
    }
    double number = 0.0;
    if ((kind != H5T_INTEGER && kind != H5T_FLOAT) ||
        H5Aread(attribute.id(), H5T_NATIVE_DOUBLE, &number) < 0)
        return std::nullopt;
    return number;
}

}  // namespace armilla
