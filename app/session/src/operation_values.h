// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion between layers and inputs or outputs of operations.
#pragma once

#include <vector>

#include "armilla/io/curve_io.h"
#include "armilla/operations/operation.h"
#include "armilla/operations/record.h"
#include "armilla/session/document.h"
#include "armilla/session/operation_run.h"

namespace armilla {

// The value of the layer in the form that the slot accepts. Throws InvalidArgument, naming the
// layer, if that is impossible.
Input inputOf(const InputSlot& slot, const ParameterSet& parameters, const LayerValue& value,
              const std::string& name, const std::vector<int>& fields);
// A result of an operation as a layer; empty for coefficients, which exist only as files.
LayerValue layerOf(const Data& data);

// The line with option names replaced by the row labels of the panel: "expected one of --fwhm
// ANGLE, --beam FILE" becomes "... FWHM, Beam".
QString withLabels(const QString& line, const OperationRequest& request);

QJsonObject toQt(const Json& json);
Json fromQt(const QJsonObject& json);
Record recordOf(const OperationRequest& request);
// The request of a record. Throws InvalidArgument as recordFromJson.
OperationRequest requestOf(const QJsonObject& record);

// The inputs of an operation for a request. `values` and `names` belong to the given inputs that
// are layers, in order. Throws as inputOf.
Inputs inputsOf(const OperationRequest& request, const std::vector<LayerValue>& values,
                const QStringList& names);

// Runs the operation on a device; after a device failure on the CPU, with a note. `values` and
// `names` belong to the given inputs that are layers, in order.
struct OperationResult {
    std::vector<Document::NewLayer> layers;
    QStringList notes;
    OperationRequest taken;  // request including defaults that depend on the inputs
    QString deviceFailure;   // the reason if the CPU replaced the device; also the first note
};
// A filter uses and stores its plan in `kept`, if given.
OperationResult runRequest(const OperationRequest& request, const std::vector<LayerValue>& values,
                           const QStringList& names, const Device& device, JobContext& job,
                           KeptFilter* kept = nullptr);

}  // namespace armilla
