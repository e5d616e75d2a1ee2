// SPDX-License-Identifier: GPL-3.0-or-later
// Files read to values and written from them.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "armilla/core/error.h"
#include "armilla/io/curve_io.h"
#include "armilla/io/map_io.h"
#include "armilla/io/table_io.h"
#include "armilla/operations/files.h"
#include "call.h"
#include "values.h"

namespace nb = nanobind;

namespace armilla::python {

namespace {

// The kind of value that the file holds. Curves and beams are tables whose names say so.
DataKind kindOfFile(const std::string& path, JobContext& job) {
    if (!claimsPixels(path, job.stopToken()) && findCurve(path, job)) return DataKind::Curve;
    switch (inspectFile(path, job.stopToken()).kind) {
        case FileKind::Map:
        case FileKind::PartialMap:
        case FileKind::MultiOrderMap: return DataKind::Map;
        case FileKind::Alm: return DataKind::Alm;
        case FileKind::Spectrum: return DataKind::Spectra;
        case FileKind::Beam: return DataKind::Beam;
        case FileKind::Catalog: return DataKind::Catalog;
        case FileKind::Samples: return DataKind::Table;
        case FileKind::Image: break;
    }
    return DataKind::Image;
}

Value readFile(const std::string& path, const std::string& field, int threads,
               const nb::object& progress) {
    Value value;
    runJob({threads, progress}, [&](JobContext& job) {
        naming(path, [&] {
            const DataKind kind = kindOfFile(path, job);
            const InputSlot slot{
                .name = "FILE", .kind = kind, .columns = [kind](const ParameterSet&) {
                    return kind == DataKind::Map ? Columns{Columns::Choice::Named, {}}
                                                 : Columns{Columns::Choice::All, {}};
                }};
            ReadRequest request;
            request.field = field;
            value.data = readInput(slot, ParameterSet(NoOptions{}), path, request, job).data;
            return 0;
        });
    });
    return value;
}

void writeFile(const Value& value, const std::string& path, bool overwrite,
               const std::string& precision, std::vector<std::string> history, int threads,
               const nb::object& progress) {
    const std::optional<StoredPrecision> stored = precisionOf(precision);
    runJob({threads, progress}, [&](JobContext& job) {
        if (!value.write) {
            const auto kind = static_cast<DataKind>(value.data.index());
            checkOutputName(path, overwrite, kind);
        } else {
            checkOutputName(path, overwrite, std::nullopt);
        }
        const Output output{.slot = "OUT", .data = value.data, .summary = {}, .write = value.write};
        writeOutput(output, path, overwrite, stored, std::move(history), job);
    });
}

}  // namespace

void bindFiles(nb::module_& module) {
    module.def("read", &readFile, nb::arg("path"), nb::arg("field") = "", nb::arg("threads") = 0,
               nb::arg("progress") = nb::none());
    module.def("write", &writeFile, nb::arg("value"), nb::arg("path"), nb::arg("overwrite"),
               nb::arg("precision") = "", nb::arg("history") = std::vector<std::string>{},
               nb::arg("threads") = 0, nb::arg("progress") = nb::none());
}

}  // namespace armilla::python
