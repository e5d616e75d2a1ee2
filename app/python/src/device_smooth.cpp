// SPDX-License-Identifier: GPL-3.0-or-later
// Smoothing of arrays in device memory.
#include "armilla/ops/device_smooth.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "armilla/core/error.h"
#include "armilla/io/curve_io.h"
#include "armilla/operations/files.h"
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

constexpr const char* kBeam = "beam";

// The beam of a file, or of a curve.
Value beamOfSource(const std::variant<std::string, Value>& source) {
    Value beam;
    runJob({0, nb::none()}, [&](JobContext& job) {
        const InputSlot slot{.name = kBeam, .kind = DataKind::Beam};
        if (const auto* path = std::get_if<std::string>(&source)) {
            beam.data = naming(*path, [&] {
                return readInput(slot, ParameterSet(NoOptions{}), *path, ReadRequest(), job).data;
            });
            return;
        }
        const auto* curve =
            std::get_if<std::shared_ptr<const Curve>>(&std::get<Value>(source).data);
        if (curve == nullptr || *curve == nullptr)
            throw InvalidArgument(
                "beam: expected a file, an array or a curve of B_l, found another value");
        beam.data = std::make_shared<const Beam>(beamOf(**curve));
    });
    return beam;
}

// The round beams of the operation `smooth`: Gaussians, or B_l. Throws Unsupported for its other
// kernels.
SmoothParameters parametersOf(const nb::dict& given, const std::optional<Value>& beam) {
    const Operation& operation = *findOperation("smooth");
    ParameterSet set = operation.defaults();
    setParameters(set, given);
    Inputs inputs;
    GivenSlots slots;
    if (beam) {
        Input input;
        input.slot = kBeam;
        input.name = kBeam;
        input.data = beam->data;
        inputs.all.push_back(std::move(input));
        slots.emplace(kBeam);
    }
    requireNoProblem(operation, set, slots);
    const auto& options = set.as<SmoothOptions>();
    if (!options.fwhms.empty() || options.fwhmMinor || options.truncate)
        throw Unsupported(
            "expected fwhm or beam alone for maps in device memory, found fwhms, fwhm_minor or "
            "truncate");
    return smoothParameters(options, inputs);
}

class DeviceSmooth {
public:
    DeviceSmooth(const nb::dict& given, const std::optional<Value>& beam, int64_t nside,
                 const std::string& device, int threads) {
        const SmoothParameters parameters = parametersOf(given, beam);
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
    module.def("beam_of", &beamOfSource, nb::arg("source"));
    nb::class_<DeviceSmooth>(module, "DeviceSmooth")
        .def(nb::init<const nb::dict&, const std::optional<Value>&, int64_t, const std::string&,
                      int>(),
             nb::arg("parameters"), nb::arg("beam").none(), nb::arg("nside"), nb::arg("device"),
             nb::arg("threads"))
        .def("smooth", &DeviceSmooth::smooth, nb::arg("maps"), nb::arg("out"), nb::arg("stream"),
             nb::arg("threads"), nb::arg("progress"));
}

}  // namespace armilla::python
