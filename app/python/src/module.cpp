// SPDX-License-Identifier: GPL-3.0-or-later
// armilla._core: the library for the Python layer beside it, which is the public interface.
#include <nanobind/nanobind.h>

#include "armilla/core/environment.h"
#include "call.h"
#include "values.h"

NB_MODULE(_core, module) {
    using namespace armilla::python;
    armilla::setEnvironment(armilla::environmentOfProcess());
    registerErrors();
    bindValues(module);
    bindValueMakers(module);
    bindArrayMaps(module);
    bindFiles(module);
    bindOperations(module);
    bindSht(module);
    bindDeviceArrays(module);
    bindDeviceCatalogs(module);
    bindDeviceGrid(module);
    bindDeviceSht(module);
    bindDeviceSmooth(module);
    bindHarmonics(module);
    bindPixels(module);
    module.attr("version") = ARMILLA_VERSION;
    module.attr("has_cuda") = static_cast<bool>(ARMILLA_PYTHON_HAS_CUDA);
}
