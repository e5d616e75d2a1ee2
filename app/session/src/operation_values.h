// SPDX-License-Identifier: GPL-3.0-or-later
// Between layers and what operations take and give.
#pragma once

#include <vector>

#include "io/curve_io.h"
#include "operations/operation.h"
#include "operations/record.h"
#include "session/document.h"
#include "session/operation_run.h"

namespace armilla {

// The layer's value as the slot takes it. Throws InvalidArgument naming the layer if it cannot.
Input inputOf(const InputSlot& slot, const ParameterSet& parameters, const LayerValue& value,
              const std::string& name, const std::vector<int>& fields);
// What an operation gave, as a layer; empty for coefficients, which are a file alone.
LayerValue layerOf(const Data& data);
// Curves of kernels and back, as those of spectra and beams (io/curve_io.h). Throws InvalidArgument
// for a curve of another form.
Curve curveOf(const RadialKernel& kernel);
RadialKernel kernelOf(const Curve& curve);

QJsonObject toQt(const Json& json);
Json fromQt(const QJsonObject& json);
Record recordOf(const OperationRequest& request);
// The request that a record tells of. Throws InvalidArgument as recordFromJson.
OperationRequest requestOf(const QJsonObject& record);

// What a request gives an operation; `values` and `names` are those of the given inputs that are
// layers, in their order. Throws as inputOf.
Inputs inputsOf(const OperationRequest& request, const std::vector<LayerValue>& values,
                const QStringList& names);

// Runs it on a device; where that fails, on the CPU, and a note says so. `values` and `names` are
// those of the given inputs that are layers, in their order.
struct OperationResult {
    std::vector<Document::NewLayer> layers;
    QStringList notes;
    OperationRequest taken;  // with the defaults that depend on the inputs
    QString deviceFailure;   // the CPU went on; the first of the notes, too
};
// A filter takes and leaves the plan of `kept`, if there is one.
OperationResult runRequest(const OperationRequest& request, const std::vector<LayerValue>& values,
                           const QStringList& names, const Device& device, JobContext& job,
                           KeptFilter* kept = nullptr);

}  // namespace armilla
