// SPDX-License-Identifier: GPL-3.0-or-later
// Values of operations as a Python object, and their parts as numpy arrays.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "armilla/operations/operation.h"

namespace armilla::python {

// A value that an operation takes or returns. `_core.Value` in Python, wrapped by Map, Catalog, ...
struct Value {
    Data data;
    // Writes the value in a format of its own (a MOC); empty: as values of its kind are written.
    std::function<void(const std::string&, const FileWriteOptions&, JobContext&)> write = {};
    std::string summary = {};
    // True if no other object refers to `data`: an operation may then change it in place.
    bool isOwned = false;
};

// The frame of a letter "G", "E", "C" or "" (unknown), and back.
Frame frameOfLetter(const std::string& letter);
std::string letterOf(Frame frame);
// The precision "single" or "double"; none for an empty word.
std::optional<StoredPrecision> precisionOf(const std::string& word);
// A catalog if two columns are positions, by the names of the pair or by the usual ones, else a
// table.
Data catalogOrTable(Table table,
                    const std::optional<std::pair<std::string, std::string>>& position);
// A value of a kind, as `Value.kind` in Python, from all its parts, as `Value.parts()` lists them.
Value valueOfParts(const std::string& kind, const nanobind::dict& parts);
// The word of a kind of curve, as Curve.kind in Python, and back.
std::string wordOf(CurveKind kind);
CurveKind curveKindOf(const std::string& word);

void bindValues(nanobind::module_& module);       // parts of values as numpy arrays
void bindValueMakers(nanobind::module_& module);  // values from numpy arrays
void bindOperations(nanobind::module_& module);
void bindFiles(nanobind::module_& module);
void bindSht(nanobind::module_& module);
void bindArrayMaps(nanobind::module_& module);
void bindDeviceArrays(nanobind::module_& module);
void bindDeviceCatalogs(nanobind::module_& module);
void bindDeviceGrid(nanobind::module_& module);
void bindDeviceSht(nanobind::module_& module);
void bindDeviceSmooth(nanobind::module_& module);
void bindHarmonics(nanobind::module_& module);
void bindPixels(nanobind::module_& module);

}  // namespace armilla::python
