// SPDX-License-Identifier: GPL-3.0-or-later
#include "device_catalogs.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

#include "armilla/core/error.h"
#include "device_arrays.h"

namespace nb = nanobind;

namespace armilla::python {

namespace {

// The value of all columns of the row; a conversion of positions changes it.
constexpr double kMark = 0.5;

DeviceCatalog catalogOf(const std::vector<std::string>& names, const nb::list& arrays,
                        const DeviceStream& stream, const std::string& frame) {
    DeviceCatalog catalog;
    catalog.columns.device = stream.device();
    catalog.columns.stream = stream.handle();
    catalog.columns.names = names;
    Table table;
    table.frame = frameOfLetter(frame);
    for (size_t i = 0; i < names.size(); ++i) {
        catalog.columns.values.push_back(columnValues(nb::cast<const DeviceArray&>(arrays[i])));
        TableColumn column;
        column.name = names[i];
        column.values = std::vector<double>{kMark};
        table.columns.push_back(std::move(column));
    }
    catalog.names = {.data = catalogOrTable(std::move(table), std::nullopt)};
    catalog.arrays = arrays;
    return catalog;
}

}  // namespace

void requireUnturned(const Catalog& names) {
    for (const int index : {names.position.lon, names.position.lat})
        if (names.table.columns[static_cast<size_t>(index)].number(0) != kMark)
            throw Unsupported(
                "expected positions of the equinox J2000 in device memory, because they are not "
                "converted there, found another equinox");
}

void bindDeviceCatalogs(nb::module_& module) {
    nb::class_<DeviceCatalog>(module, "DeviceCatalog");
    module.def("device_catalog", &catalogOf, nb::arg("names"), nb::arg("arrays"), nb::arg("stream"),
               nb::arg("frame"));
}

}  // namespace armilla::python
