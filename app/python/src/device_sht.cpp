// SPDX-License-Identifier: GPL-3.0-or-later
// Plans of spherical harmonic transforms on arrays in device memory.
#include "armilla/ops/device_sht.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "armilla/core/error.h"
#include "call.h"
#include "choice_words.h"
#include "device_arrays.h"
#include "plan_calls.h"
#include "values.h"

namespace nb = nanobind;

namespace armilla::python {

namespace {

class DeviceSht {
public:
    DeviceSht(int64_t nside, int lmax, int mmax, const std::string& weights, int iterations,
              double tolerance, const std::string& device, int threads) {
        const ShtParameters parameters =
            shtParameters(nside, lmax, mmax, weights, iterations, tolerance);
        runJob({threads, nb::none()}, [&](JobContext&) {
            plan_.emplace(parameters, Device::fromText(device, kShtSupport));
        });
    }

    // Seconds on the device of the last call.
    double seconds() const {
        const ShtSteps steps = plan_->steps();
        return steps.legendre + steps.fft;
    }

    // `isPolarized`: T, Q, U. Other spins than 0: pairs of components.
    void analysis(const std::vector<DeviceArray*>& maps, int spin, bool isPolarized,
                  const std::vector<DeviceArray*>& alm, const DeviceStream& stream, int threads,
                  const nb::object& progress) {
        const std::vector<DeviceValues> from = rowsOf(maps, false), to = rowsOf(alm, true);
        checkTriple(isPolarized, from, to);
        calls_.run(kindOf(true, isPolarized, spin), {threads, progress}, [&](JobContext& job) {
            if (isPolarized)
                plan_->analysisPolarized(triple(from), triple(to), stream.handle(), job);
            else
                plan_->analysis(spin, from, to, stream.handle(), job);
        });
    }
    void synthesis(const std::vector<DeviceArray*>& alm, int spin, bool isPolarized,
                   const std::vector<DeviceArray*>& maps, const DeviceStream& stream, int threads,
                   const nb::object& progress) {
        const std::vector<DeviceValues> from = rowsOf(alm, true), to = rowsOf(maps, false);
        checkTriple(isPolarized, from, to);
        calls_.run(kindOf(false, isPolarized, spin), {threads, progress}, [&](JobContext& job) {
            if (isPolarized)
                plan_->synthesisPolarized(triple(from), triple(to), stream.handle(), job);
            else
                plan_->synthesis(spin, from, to, stream.handle(), job);
        });
    }

private:
    // Calls with tables of their own.
    static int kindOf(bool isAnalysis, bool isPolarized, int spin) {
        return 8 * spin + (isAnalysis ? 4 : 0) + (isPolarized ? 2 : 0);
    }
    static std::span<const DeviceValues, 3> triple(const std::vector<DeviceValues>& values) {
        return std::span<const DeviceValues, 3>(values.data(), 3);
    }
    static void checkTriple(bool isPolarized, const std::vector<DeviceValues>& from,
                            const std::vector<DeviceValues>& to) {
        if (isPolarized && (from.size() != 3 || to.size() != 3))
            throw InvalidArgument("expected three arrays with polarization, found " +
                                  std::to_string(from.size()) + " and " +
                                  std::to_string(to.size()));
    }

    std::optional<DeviceShtPlan> plan_;
    PlanCalls calls_;
};

}  // namespace

void bindDeviceSht(nb::module_& module) {
    nb::class_<DeviceSht>(module, "DeviceSht")
        .def(
            nb::init<int64_t, int, int, const std::string&, int, double, const std::string&, int>(),
            nb::arg("nside"), nb::arg("lmax"), nb::arg("mmax"), nb::arg("weights"),
            nb::arg("iterations"), nb::arg("tolerance"), nb::arg("device"), nb::arg("threads"))
        .def_prop_ro("seconds", &DeviceSht::seconds)
        .def("analysis", &DeviceSht::analysis, nb::arg("maps"), nb::arg("spin"),
             nb::arg("polarized"), nb::arg("out"), nb::arg("stream"), nb::arg("threads"),
             nb::arg("progress"))
        .def("synthesis", &DeviceSht::synthesis, nb::arg("alm"), nb::arg("spin"),
             nb::arg("polarized"), nb::arg("out"), nb::arg("stream"), nb::arg("threads"),
             nb::arg("progress"));
}

}  // namespace armilla::python
