// SPDX-License-Identifier: GPL-3.0-or-later
// Smoothing of arrays in device memory.
#include "armilla/ops/device_smooth.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "armilla/core/error.h"
#include "armilla/operations/operation.h"
#include "armilla/operations/smooth.h"
#include "call.h"
#include "device_arrays.h"
#include "plan_calls.h"
#include "set_parameters.h"
#include "values.h"

namespace nb = nanobind;

namespace armilla::python {

namespace {

// The Gaussian beams of the operation `smooth`. Throws Unsupported for its other kernels.
SmoothParameters parametersOf(const nb::dict& given) {
    const Operation& operation = *findOperation("smooth");
    ParameterSet set = operation.defaults();
    setParameters(set, given);
    requireNoProblem(operation, set, {});
    const auto& options = set.as<SmoothOptions>();
    if (!options.fwhm || options.fwhmMinor || options.truncate)
        throw Unsupported(
            "expected fwhm alone for maps in device memory, found fwhms, fwhm_minor or truncate");
    return smoothParameters(options, Inputs());
}

class DeviceSmooth {
public:
    DeviceSmooth(const nb::dict& given, int64_t nside, const std::string& device, int threads) {
        const SmoothParameters parameters = parametersOf(given);
        runJob({threads, nb::none()}, [&](JobContext& job) {
            plan_.emplace(parameters, nside, Device::fromText(device, kShtSupport), job);
        });
    }
    void smooth(const std::vector<DeviceArray*>& maps, const std::vector<DeviceArray*>& out,
                const DeviceStream& stream, int threads, const nb::object& progress) {
        const std::vector<DeviceValues> from = rowsOf(maps, false), to = rowsOf(out, false);
        calls_.run(0, {threads, progress},
                   [&](JobContext& job) { plan_->execute(from, to, stream.handle(), job); });
    }

private:
    std::optional<DeviceSmoothPlan> plan_;
    PlanCalls calls_;
};

}  // namespace

void bindDeviceSmooth(nb::module_& module) {
    nb::class_<DeviceSmooth>(module, "DeviceSmooth")
        .def(nb::init<const nb::dict&, int64_t, const std::string&, int>(), nb::arg("parameters"),
             nb::arg("nside"), nb::arg("device"), nb::arg("threads"))
        .def("smooth", &DeviceSmooth::smooth, nb::arg("maps"), nb::arg("out"), nb::arg("stream"),
             nb::arg("threads"), nb::arg("progress"));
}

}  // namespace armilla::python
