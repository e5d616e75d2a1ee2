// SPDX-License-Identifier: GPL-3.0-or-later
// Gridding of samples in device memory.
#include "armilla/ops/device_grid.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/operations/device_grid.h"
#include "armilla/operations/operation.h"
#include "call.h"
#include "device_arrays.h"
#include "set_parameters.h"
#include "values.h"

namespace nb = nanobind;

namespace armilla::python {

namespace {

constexpr DeviceSupport kCuda{.cuda = true};

// One row, whose numbers have no meaning, of columns with these names and units.
Table columnsNamed(const std::vector<std::string>& names, const std::vector<std::string>& units) {
    Table table;
    for (size_t i = 0; i < names.size(); ++i) {
        TableColumn column;
        column.name = names[i];
        column.unit = units.at(i);
        column.values = std::vector<double>{0.0};
        table.columns.push_back(std::move(column));
    }
    return table;
}

std::vector<DeviceValues> valuesOf(const std::vector<DeviceArray*>& arrays) {
    std::vector<DeviceValues> values;
    for (const DeviceArray* array : arrays) values.push_back(columnValues(*array));
    return values;
}

// The cells of one call of `grid`, and its plan.
class DeviceGrid {
public:
    DeviceGrid(const nb::dict& given, const std::vector<std::string>& names,
               const std::vector<std::string>& units, const std::string& frame,
               const std::string& device, int threads) {
        const Operation& operation = *findOperation("grid");
        ParameterSet set = operation.defaults();
        setParameters(set, given);
        requireNoProblem(operation, set, GivenSlots{});
        runJob({threads, nb::none()}, [&](JobContext& job) {
            const Device chosen = Device::fromText(device, kCuda);
            Context context{chosen, job, std::nullopt, {}, [this](const std::string& line) {
                                notes_.push_back(line);
                            }};
            if (!frame.empty()) context.statedFrame = statedFrameFromText(frame);
            setup_ = deviceGridSetup(set, columnsNamed(names, units), context);
            cells_ = setup_.cells.size();
            plan_.emplace(std::move(setup_.cells), setup_.kernel, chosen);
        });
    }

    const DeviceGridSetup& setup() const { return setup_; }
    size_t cells() const { return cells_; }
    const std::vector<std::string>& notes() const { return notes_; }

    // `columns`: all columns, in the order of the names. `out`: one array, a row for each of the
    // value columns.
    void grid(const std::vector<DeviceArray*>& columns, DeviceArray& out,
              const DeviceStream& stream, int threads, const nb::object& progress) {
        const std::vector<DeviceValues> all = valuesOf(columns);
        DeviceGridSamples samples;
        samples.lon = all.at(static_cast<size_t>(setup_.lon));
        samples.lat = all.at(static_cast<size_t>(setup_.lat));
        if (setup_.weight >= 0) samples.weights = all.at(static_cast<size_t>(setup_.weight));
        samples.lonUnit = setup_.lonUnit;
        samples.latUnit = setup_.latUnit;
        samples.targetFromSamples = setup_.targetFromSamples;
        std::vector<DeviceValues> values;
        for (const int column : setup_.values)
            values.push_back(all.at(static_cast<size_t>(column)));
        const std::vector<DeviceValues> results = out.rows();
        runJob({threads, progress}, [&](JobContext& job) {
            plan_->execute(samples, values, results, stream.handle(), job);
            const GridReport& report = plan_->report();
            if (report.used == 0)
                throw InvalidArgument(
                    "expected samples with a position and a weight near a cell of the target, "
                    "found none of " +
                    std::to_string(samples.lon.count) + " there (" + std::to_string(report.bad) +
                    " without a position or a weight)");
        });
    }

private:
    DeviceGridSetup setup_;
    size_t cells_ = 0;
    std::vector<std::string> notes_;
    std::optional<DeviceGridPlan> plan_;
};

}  // namespace

void bindDeviceGrid(nb::module_& module) {
    nb::class_<DeviceGrid>(module, "DeviceGrid")
        .def(nb::init<const nb::dict&, const std::vector<std::string>&,
                      const std::vector<std::string>&, const std::string&, const std::string&,
                      int>(),
             nb::arg("parameters"), nb::arg("names"), nb::arg("units"), nb::arg("frame"),
             nb::arg("device"), nb::arg("threads"))
        .def_prop_ro("cells", &DeviceGrid::cells)
        .def_prop_ro("notes", &DeviceGrid::notes)
        .def_prop_ro("values", [](const DeviceGrid& self) { return self.setup().values; })
        .def_prop_ro("image_shape",
                     [](const DeviceGrid& self) -> nb::object {
                         const DeviceGridSetup& setup = self.setup();
                         if (setup.nside > 0) return nb::none();
                         return nb::make_tuple(setup.height, setup.width);
                     })
        .def("grid", &DeviceGrid::grid, nb::arg("columns"), nb::arg("out"), nb::arg("stream"),
             nb::arg("threads"), nb::arg("progress"));
}

}  // namespace armilla::python
